"""From the random player to the strongest, in steps of about 150 Elo: which players to rate, and whom each has to meet.

    ascend    the search without noise, under ever wider limits, until that brings nothing more
    fill      where two neighbours are too far apart, the stronger with as much noise as should bring it between them
    refine    what is left of the budget goes to neighbours, and to those two rungs apart, who have met least

All games count for all ratings (Bradley–Terry, random play being 0). A draw counts as half a win and half a loss: so
ratings predict scores, whether or not better players draw more often, and a score is what an opponent is chosen by.
Players that turn out too close to tell apart stay in the pool and are no rungs. Every choice follows from the results:
with the same seed, node limits and no clock, the same ladder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from zermelo.arena.calibrate.ladder import Rung
from zermelo.arena.statistics import Rating, Ratings, Result, rate
from zermelo.errors import CompileError, MethodError, OptionError
from zermelo.game import Game
from zermelo.game.aima import AimaGame
from zermelo.options import whole

FIRST_NODES = 128
NODES_FACTOR = 4
"""The ratio of the nodes of consecutive limits."""
ENGINE_NODES = 32_768
TEXTBOOK_NODES = 2_048
"""What the strongest player of a ladder may take for a move, by default: some hundredths of a second."""
FEWEST_NODES, MOST_NODES = 1, 1_000_000_000


class Strength(NamedTuple):
    """A player of a family: which of its limits, and how much noise."""

    limit: int
    noise: float


class PlayerFamily:
    """The search called `kind` under each of `limits`, the narrowest first."""

    def __init__(self, kind: str, limits: tuple[str, ...]):
        self.kind = kind
        self.limits = limits

    def text(self, strength: Strength) -> str:
        """The text that names a player; with nothing but noise it is the random one, whatever its limit."""
        if strength.noise == 1:
            return "random"
        noise = f",noise={strength.noise:g}" if strength.noise else ""
        return f"{self.kind}:{self.limits[strength.limit]}{noise}"


def find_family(game: Game, nodes: int | None = None) -> PlayerFamily:
    """The family for `game`, whose strongest member enters `nodes` positions a move."""
    if game.players < 2:
        raise OptionError(f"{game.name} is for one player, so there is no opponent to calibrate")
    if game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information, and the searches that are weakened here would look through it: "
            f"play against `mcts`, `cfr` or `random` instead"
        )
    whole(FEWEST_NODES, MOST_NODES, optional=True).check("nodes", nodes)
    native = serves(game)
    most = nodes or (ENGINE_NODES if native else TEXTBOOK_NODES)
    steps = []
    allowed = FIRST_NODES
    while allowed < most:
        steps.append(allowed)
        allowed *= NODES_FACTOR
    limits = ("depth=1", *(f"nodes={step}" for step in (*steps, most)))
    return PlayerFamily("engine" if native else "search", limits)


def serves(game: Game) -> bool:
    """Whether the native engine plays `game`."""
    from zermelo.engine.compiled import compile_game
    from zermelo.engine.engine import check_fit

    if isinstance(game, AimaGame):
        return False
    try:
        check_fit(game)
        compile_game(game)
    except (MethodError, CompileError):
        return False
    return True


RANDOM = "random"
WIDE_GAP_ELO = 200.0
"""Elo between neighbours above which a rung is put between them."""
CLOSE_GAP_ELO = 60.0
"""Elo below which two players are one rung."""
PRECISE_ELO = 30.0
"""Half the error bar of a difference between neighbours that is good enough."""
BATCH_GAMES = 40
"""Games of one meeting."""
FLAT_LIMITS = 2
"""Limits in a row that bring nothing, after which wider ones are not tried."""
EDGE_SHARE = 0.1
"""A new noise stays away from those known by this part of the way between them."""


Meet = Callable[[Sequence[tuple[str, ...]], int], list[Result]]
"""Plays that number of games of each meeting."""


class Climb:
    """A calibration under way: the players tried so far, and their results."""

    def __init__(self, family: PlayerFamily, seats: int, meet: Meet, is_over: Callable[[], bool], levels: int = 12):
        self.family = family
        self.seats = seats
        self.meet = meet
        self.is_over = is_over
        self.levels = levels
        self.pool: dict[str, Strength] = {}
        self.results: list[Result] = []
        self.settled: set[tuple[str, str]] = set()
        """Neighbours between which no further noise can be put."""

    def run(self) -> None:
        self.ascend()
        while not self.is_over() and (self.fill() or self.refine()):
            pass

    def ascend(self) -> None:
        """The first who meet are as many as a game needs; then comes one limit after the other."""
        noises = [1 - step / (self.seats - 1) for step in range(self.seats)]
        first = tuple(self.enter(Strength(0, round(noise, 3))) for noise in noises)
        self.play([first])
        if set(first) - set(self.ratings.order):
            return
        best, flat = first[-1], 0
        for limit in range(1, len(self.family.limits)):
            if self.is_over() or flat == FLAT_LIMITS:
                return
            text = self.enter(Strength(limit, 0.0))
            self.play([(text, *self.nearest(self.elo(best), self.seats - 1, {text}))])
            if text not in self.ratings.order:
                return
            flat = 0 if self.elo(text) - self.elo(best) >= CLOSE_GAP_ELO / 2 else flat + 1
            best = max(best, text, key=self.elo)

    def fill(self) -> bool:
        """Puts a player into the widest gap, if there is one to be filled."""
        rungs = self.rungs()
        gaps = [(upper.elo - lower.elo, lower, upper) for lower, upper in pairwise(rungs)]
        gaps = [gap for gap in gaps if gap[0] > WIDE_GAP_ELO and (gap[1].player, gap[2].player) not in self.settled]
        if not gaps or len(rungs) >= self.levels:
            return False
        _, lower, upper = max(gaps, key=lambda gap: gap[0])
        strength = self.between(lower, upper)
        if strength is None or self.family.text(strength) in self.pool:
            self.settled.add((lower.player, upper.player))
            return True
        text = self.enter(strength)
        ends = [(lower.player, text), (text, upper.player)]
        others = self.nearest((lower.elo + upper.elo) / 2, self.seats - 1, {text})
        self.play(ends if self.seats == 2 else [(text, *others)])
        return True

    def refine(self) -> bool:
        """Plays the meetings with the fewest games; false if all neighbours are separated well enough.

        Players two rungs apart meet too: a player may do unusually well against a particular opponent, and its
        rating should describe its play against all opponents near it.
        """
        names = [rung.player for rung in self.rungs()]
        bars = [self.ratings.difference(upper, lower) for lower, upper in pairwise(names)]
        if all((bar.high - bar.low) / 2 <= PRECISE_ELO for bar in bars):
            return False
        met = Counter(frozenset((result.first, result.second)) for result in self.results)
        pairs = [*pairwise(names), *zip(names, names[2:], strict=False)]
        lower, upper = min(pairs, key=lambda pair: met[frozenset(pair)])
        middle = (self.elo(lower) + self.elo(upper)) / 2
        self.play([(lower, upper, *self.nearest(middle, self.seats - 2, {lower, upper}))])
        return True

    def between(self, lower: Rung, upper: Rung) -> Strength | None:
        """The noise that should bring the upper one's search halfway down to the lower one; `None` if none can.

        What is known of that search, from no noise (or the least tried) to nothing but noise, is joined by lines.
        """
        target = (lower.elo + upper.elo) / 2
        limit = self.pool[upper.player].limit
        known = [(s.noise, self.elo(text)) for text, s in self.pool.items() if s.limit == limit and text != RANDOM]
        for (less, above), (more, below) in pairwise([*sorted(known), (1.0, self.elo(RANDOM))]):
            if above > target >= below:
                way = min(max((above - target) / (above - below), EDGE_SHARE), 1 - EDGE_SHARE)
                noise = round(less + way * (more - less), 3)
                return Strength(limit, noise) if less < noise < more else None
        return None

    def enter(self, strength: Strength) -> str:
        text = self.family.text(strength)
        self.pool[text] = strength
        return text

    def play(self, meetings: Sequence[tuple[str, ...]]) -> None:
        self.results += self.meet(meetings, BATCH_GAMES)
        decided = [half for result in self.results for half in halves(result)]
        self.ratings: Ratings = rate(decided, {RANDOM: 0.0} if decided else {})

    def elo(self, text: str) -> float:
        return self.ratings[text].elo

    def nearest(self, elo: float, count: int, besides: set[str]) -> list[str]:
        """The rated players nearest to `elo`."""
        rated = [each for each in self.ratings.entrants if each.name not in besides]
        return [each.name for each in sorted(rated, key=lambda each: (abs(each.elo - elo), each.name))[:count]]

    def rungs(self) -> tuple[Rung, ...]:
        """The ladder as it stands: random play, the strongest, and between them all that can be separated."""
        return tuple(
            Rung(each.name, round(each.elo, 1), round(each.low, 1), round(each.high, 1), each.games)
            for each in thin(sorted(self.ratings.entrants, key=lambda each: each.elo), self.levels)
        )


def halves(result: Result) -> list[Result]:
    """`result`, or half a win and half a loss in place of a draw."""
    if result.score != 0.5:
        return [result]
    return [result._replace(score=score, weight=result.weight / 2) for score in (1.0, 0.0)]


def thin(rated: Sequence[Rating], levels: int) -> list[Rating]:
    """The players of `rated` that are separated, the weakest first, at most `levels`; both ends stay.

    The ends are random play and the strongest: a player worse than random is no opponent.
    """
    zero = next((place for place, each in enumerate(rated) if each.name == RANDOM), len(rated))
    kept = list(rated[zero:])
    while len(kept) > 2:
        gaps = [upper.elo - lower.elo for lower, upper in pairwise(kept)]
        room = [(gaps[i - 1] + gaps[i], i) for i in range(1, len(kept) - 1)]
        tight = [(both, i) for both, i in room if min(gaps[i - 1], gaps[i]) < CLOSE_GAP_ELO]
        if not tight and len(kept) <= levels:
            return kept
        del kept[min(tight or room)[1]]
    return kept if kept and kept[-1].elo - kept[0].elo >= CLOSE_GAP_ELO else kept[:1]
