"""What players see: a view that leaks, forgets or cannot be compared, and a sample that does not fit it."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from zermelo import CHANCE, Game
from zermelo.check import check


class Roshambo(Game):
    """Rock, paper, scissors, best of two rounds; choices are hidden until both have chosen."""

    simultaneous = True

    class State(NamedTuple):
        first: int
        score: int
        moves: int

    def initial(self) -> Any:
        return self.State(-1, 0, 0)

    def player(self, s: Any) -> int:
        return int(s.moves % 2)

    def actions(self, s: Any) -> Any:
        return range(3) if s.moves < 4 else ()

    def result(self, s: Any, a: int) -> Any:
        if s.moves % 2 == 0:
            return self.State(a, s.score, s.moves + 1)
        return self.State(-1, s.score + (0, 1, -1)[(s.first - a) % 3], s.moves + 1)

    def is_terminal(self, s: Any) -> bool:
        return bool(s.moves == 4)

    def utility(self, s: Any, p: int) -> float:
        return float(s.score / 2 if p == 0 else -s.score / 2)

    def view(self, s: Any, p: int) -> Any:
        return (s.first if p == 0 else -1, s.score, s.moves // 2)


class Peeking(Roshambo):
    def view(self, s: Any, p: int) -> Any:
        return s


class ThreeAtOnce(Game):
    """Three players name a number at once; who names the sum modulo three wins."""

    players = 3
    utility_sum = None
    simultaneous = True
    bounds = (0.0, 1.0)

    class State(NamedTuple):
        named: tuple[int, ...]

    def initial(self) -> Any:
        return self.State(())

    def player(self, s: Any) -> int:
        return len(s.named)

    def actions(self, s: Any) -> Any:
        return range(3) if len(s.named) < 3 else ()

    def result(self, s: Any, a: int) -> Any:
        return self.State((*s.named, a))

    def is_terminal(self, s: Any) -> bool:
        return len(s.named) == 3

    def utility(self, s: Any, p: int) -> float:
        return float(s.named[p] == sum(s.named) % 3)

    def view(self, s: Any, p: int) -> Any:
        return (len(s.named), s.named[p : p + 1])

    def write(self, s: Any) -> str:
        return "".join(map(str, s.named))

    def read(self, text: str) -> Any:
        return self.State(tuple(map(int, text)))


class ThirdSeesFirst(ThreeAtOnce):
    def view(self, s: Any, p: int) -> Any:
        return (*super().view(s, p), s.named[:1] if p == 2 else ())


class Cards(Game):
    """Each gets one of three cards. Player 0 bets or not; player 1, having seen that, may call a bet."""

    class State(NamedTuple):
        cards: tuple[int, ...]
        bets: tuple[int, ...]

    def initial(self) -> Any:
        return self.State((), ())

    def player(self, s: Any) -> int:
        return CHANCE if len(s.cards) < 2 else len(s.bets)

    def actions(self, s: Any) -> Any:
        if len(s.cards) < 2:
            return [card for card in range(3) if card not in s.cards]
        return [(0, 1), (0, s.bets[0]) if s.bets and s.bets[0] else (0,), ()][len(s.bets)]

    def chances(self, s: Any) -> Any:
        return [(card, 1 / (3 - len(s.cards))) for card in self.actions(s)]

    def result(self, s: Any, a: int) -> Any:
        if len(s.cards) < 2:
            return self.State((*s.cards, a), s.bets)
        return self.State(s.cards, (*s.bets, a))

    def is_terminal(self, s: Any) -> bool:
        return len(s.bets) == 2

    def utility(self, s: Any, p: int) -> float:
        better = 0 if s.cards[0] > s.cards[1] else 1
        return 1.0 if p == better else -1.0

    def view(self, s: Any, p: int) -> Any:
        return (s.cards[p : p + 1], s.bets)

    def sample(self, view: Any, p: int, random: Any) -> Any:
        (card,), bets = view
        other = random.choice([c for c in range(3) if c != card])
        return self.State((card, other) if p == 0 else (other, card), bets)

    def write(self, s: Any) -> str:
        return "".join(map(str, s.cards)) + "/" + "".join(map(str, s.bets))

    def read(self, text: str) -> Any:
        cards, bets = text.split("/")
        return self.State(tuple(map(int, cards)), tuple(map(int, bets)))


class Forgetful(Cards):
    def view(self, s: Any, p: int) -> Any:
        return (s.cards[p : p + 1], len(s.bets))

    sample = Game.sample


class WideEyed(Cards):
    """The actions depend on the other's card, which the player does not see."""

    def actions(self, s: Any) -> Any:
        if len(s.cards) == 2 and not s.bets and s.cards[1] == 2:
            return (0,)
        return super().actions(s)

    sample = Game.sample


class SamplesAnything(Cards):
    def sample(self, view: Any, p: int, random: Any) -> Any:
        return self.State((0, 1), view[1])


class Incomparable(Cards):
    def view(self, s: Any, p: int) -> Any:
        return {"hand": object.__new__(_Odd), "p": p, "bets": s.bets}

    sample = Game.sample


class _Odd:
    __hash__ = None  # type: ignore[assignment]


class Flickering(Cards):
    def view(self, s: Any, p: int) -> Any:
        return random.random()

    sample = Game.sample


@pytest.mark.parametrize("game", [Roshambo, ThreeAtOnce, Cards])
def test_sound_views_pass(game: type[Game]) -> None:
    assert check(game(), games=60, seconds=20).problems == ()


@pytest.mark.parametrize(
    ("game", "rule", "words"),
    [
        (Peeking, "view", "in the same round"),
        (ThirdSeesFirst, "view", "that player 0 chose"),
        (Forgetful, "view", "different actions"),
        (WideEyed, "view", "different actions"),
        (SamplesAnything, "sample", "looks different"),
        (Incomparable, "view", "cannot be compared"),
        (Flickering, "view", "asked twice"),
    ],
)
def test_a_view_that_leaks_or_forgets_is_found(game: type[Game], rule: str, words: str) -> None:
    problems = check(game(), games=60, seconds=20).problems
    assert any(problem.rule == rule and words in problem.message for problem in problems), problems
