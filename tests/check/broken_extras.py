"""Games that break what they need not have promised: chance, estimates, the null move, texts, facts."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from tests.check.sound import Dice, Sound, breaks
from zermelo import U64, Game


@breaks("evaluate", "strictly inside")
class EvaluateOnTheBound(Sound):
    def evaluate(self, s: Any, p: int) -> Any:
        return 1.0 if p == s.turn else -1.0


@breaks("evaluate", "finite")
class EvaluateInfinite(Sound):
    def evaluate(self, s: Any, p: int) -> Any:
        return math.inf


@breaks("evaluate", "adds up to 1")
class EvaluateSameForBoth(Sound):
    def evaluate(self, s: Any, p: int) -> Any:
        return 0.5


@breaks("priority", "returns None")
class PriorityNone(Sound):
    def priority(self, s: Any, a: Any) -> Any:
        pass


@breaks("is_noisy", "returns 'yes'")
class NoisyText(Sound):
    def is_noisy(self, s: Any, a: Any) -> Any:
        return "yes"


@breaks("target", "returns 0.5")
class TargetFraction(Sound):
    def target(self, s: Any, a: Any) -> Any:
        return 0.5


@breaks("remaining_plies", "whole number")
class RemainingHalf(Sound):
    def remaining_plies(self, s: Any) -> Any:
        return self.left(s) / 2


@breaks("upper_bound", "gets 1 at an end that follows")
class MostTooLittle(Sound):
    def upper_bound(self, s: Any, p: int) -> Any:
        return 0.5


@breaks("ending_priority", "finite")
class EndingPriorityInfinite(Sound):
    def ending_priority(self, s: Any, a: Any) -> Any:
        return math.inf


@breaks("pass_turn", "same player")
class PassKeepsTurn(Sound):
    def pass_turn(self, s: Any) -> Any:
        return s


@breaks("is_irreversible", "come back")
class Irreversible(Sound):
    """Walk around a ring: positions come back."""

    def result(self, s: Any, a: Any) -> Any:
        return self.State(np.roll(s.board, 1), 1 - s.turn, s.hash)

    def initial(self) -> Any:
        return self.State(np.arange(7) // 6, 0, U64(0))

    def actions(self, s: Any) -> Any:
        return [1]


@breaks("features", "numbers here and")
class FeaturesVary(Sound):
    def features(self, s: Any) -> Any:
        return [1.0] * self.left(s)


@breaks("features", "finite")
class FeaturesInfinite(Sound):
    def features(self, s: Any) -> Any:
        return [math.inf]


@breaks("feature_names", "a name of its own")
class FeaturesUnnamed(Sound):
    def feature_names(self) -> Any:
        return ["left"] * 9


@breaks("inputs", "which is 15")
class InputsBeyond(Sound):
    def inputs(self, s: Any, p: int) -> Any:
        return [self.left(s) + 15]


@breaks("inputs", "twice")
class InputsTwice(Sound):
    def inputs(self, s: Any, p: int) -> Any:
        return [p, p]


@breaks("owners", "the number of a player for each cell")
class OwnersBeyond(Sound):
    def owners(self, s: Any) -> Any:
        return [0, 1, -1, 2]


@breaks("stage", "below `stage_count`")
class StageBeyond(Sound):
    def stage(self, s: Any) -> Any:
        return self.left(s)


@breaks("symmetric", "`symmetric_action`")
class SymmetricHalf(Game):
    """Players take turns for four plies; its symmetry says nothing of actions."""

    symmetry_count = 2

    class State(NamedTuple):
        plies: int

    def initial(self) -> Any:
        return self.State(0)

    def player(self, s: Any) -> Any:
        return s.plies % 2

    def actions(self, s: Any) -> Any:
        return [] if s.plies == 4 else [0, 1]

    def result(self, s: Any, a: Any) -> Any:
        return self.State(s.plies + 1)

    def is_terminal(self, s: Any) -> Any:
        return s.plies == 4

    def utility(self, s: Any, p: int) -> Any:
        return 0.0

    def symmetric(self, s: Any, k: int) -> Any:
        return s


@breaks("symmetric", "changes the position")
class SymmetricMoves(Sound):
    def symmetric(self, s: Any, k: int) -> Any:
        return s._replace(hash=U64(1))


@breaks("symmetric", "changes who is to move")
class SymmetricTurns(Sound):
    def symmetric(self, s: Any, k: int) -> Any:
        return s._replace(turn=s.turn ^ k)


@breaks("symmetric", "other actions")
class SymmetricOtherActions(Sound):
    def symmetric_action(self, a: Any, k: int) -> Any:
        return a + k


@breaks("symmetric", "leads elsewhere")
class SymmetricExchanged(Sound):
    def symmetric_action(self, a: Any, k: int) -> Any:
        return a if k == 0 else 3 - a


@breaks("rank", "comes without `slice_size`")
class NumberingHalf(SymmetricHalf):
    def rank(self, s: Any) -> Any:
        return s.plies


@breaks("material", "and back; give both one number")
class MaterialBack(Sound):
    def material(self, s: Any) -> Any:
        return s.turn


@breaks("material", "returns 'all'")
class MaterialText(Sound):
    def material(self, s: Any) -> Any:
        return "all"


@breaks("rank", "the numbers below 8")
class RankBeyond(Sound):
    def rank(self, s: Any) -> Any:
        return 8 + self.left(s)


@breaks("unrank", "a position of another number")
class UnrankOther(Sound):
    def unrank(self, m: int, i: int) -> Any:
        return self.initial()


@breaks("rank", "leads to other numbers")
class RankShared(Sound):
    def rank(self, s: Any) -> Any:
        return min(self.left(s), 5)


@breaks("show_action", "tell them apart")
class SameNames(Sound):
    def show_action(self, s: Any, a: Any) -> str:
        return "take"


@breaks("read_action", "as 1 (int), not as 2")
class ReadsWrongly(Sound):
    def read_action(self, s: Any, text: str) -> Any:
        return 1


@breaks("show", "returns 7")
class ShowNumber(Sound):
    def show(self, s: Any) -> Any:
        return self.left(s)


@breaks("read", "another state")
class ReadsAnotherState(Sound):
    def read(self, text: str) -> Any:
        return self.initial()


@breaks("write", "more than one line")
class WritesLines(Sound):
    def write(self, s: Any) -> str:
        return super().write(s) + "\n\n"


@breaks("picture", "not well-formed")
class PictureTorn(Sound):
    def picture(self, s: Any) -> Any:
        return "<svg><text>a & b</svg>"


@breaks("picture", "not an <svg>")
class PictureOfOtherKind(Sound):
    def picture(self, s: Any) -> Any:
        return "<html/>"


@breaks("clicks", "no `data-at` of the picture")
class ClicksNowhere(Sound):
    def clicks(self, s: Any, a: Any) -> Any:
        return [[("1", "2")]]


@breaks("clicks", "a step without places")
class ClicksNothing(Sound):
    def clicks(self, s: Any, a: Any) -> Any:
        return [[()]]


@breaks("clicks", "")
class ClicksNumber(Sound):
    def clicks(self, s: Any, a: Any) -> Any:
        return a


@breaks("repetition", "must be None")
class RepetitionUnknown(Sound):
    repetition = "never"  # type: ignore[assignment]


@breaks("players", "whole number")
class PlayersText(Sound):
    players = "two"  # type: ignore[assignment]


@breaks("bounds", "a pair")
class BoundsReversed(Sound):
    bounds = (1.0, -1.0)


@breaks("utility_sum", "cannot add up")
class SumImpossible(Sound):
    utility_sum = 7.0


@breaks("player_below", "0 or 1")
class PlayerBelowText(Sound):
    player_below = "white"  # type: ignore[assignment]


@breaks("simultaneous", "no `view`")
class SimultaneousWithoutView(Sound):
    simultaneous = True


@breaks("chances", "is missing")
class DiceWithoutChances(Dice):
    chances = Game.chances


@breaks("chances", "add up to 0.8")
class DiceTooLight(Dice):
    def chances(self, s: Any) -> Any:
        return [(a, 0.4) for a in self.actions(s)]


@breaks("chances", "probability 0")
class DiceWithImpossible(Dice):
    def chances(self, s: Any) -> Any:
        return [(0, 1.0), (1, 0.0)]


@breaks("chances", "nan")
class DiceNaN(Dice):
    def chances(self, s: Any) -> Any:
        return [(0, math.nan), (1, 1.0)]


@breaks("chances", "the same actions")
class DiceWithOtherActions(Dice):
    def chances(self, s: Any) -> Any:
        return [(1, 0.5), (0, 0.5)]


@breaks("chances", "pairs")
class DiceWithoutPairs(Dice):
    def chances(self, s: Any) -> Any:
        return [0.5, 0.5]
