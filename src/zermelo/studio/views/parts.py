"""The parts of an evaluation along two lines of play: which of them explains that one line is worth less.

A part is lost where it falls by much in one ply, more than all else changes there together, and stays lost to the end
of the line. A part that merely follows who is to move, as the worth of a tempo does, explains nothing. A network has no
parts: those of the evaluation made by hand tell, where the network agrees with the ends of the lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from zermelo.engine.network import network_of, without_network
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S

MIN_SHARE = 0.5
"""Of a difference: a part that makes up less of it does not explain it."""
MIN_POSITIONS = 4
"""The number of positions needed to decide whether a part depends only on who is to move."""


class EvaluationPart(NamedTuple):
    """The part of the evaluation that makes up most of the difference."""

    name: str
    lost: float
    """Points that the mover loses of it in the first line, if they fall all at once."""
    ply: int
    """How many actions of the first line that takes."""
    missed: float
    """Points of it that the mover would win in the second line, if these fall all at once."""
    late: int
    """How many actions of the second line that takes."""


class LineParts:
    """The parts in every position of a line, as points for the mover at its start."""

    def __init__(self, game: Game[S, A], state: S, line: Sequence[A]):
        self.over = False
        self.mover = game.player(state)
        sign = 1 if self.mover == 0 else -1
        rules: AnyGame = without_network(cast(AnyGame, game))
        self.movers: list[int] = []
        self.points: list[dict[str, float]] = []
        self.noisy: list[bool] = []
        for action in (*line, None):
            self.over = game.is_terminal(state)
            if self.over:
                break
            self.movers.append(game.player(state))
            self.points.append({name: sign * points for name, points in rules.explain(state)})
            if action is not None:
                self.noisy.append(not game.can("is_noisy") or game.is_noisy(state, action))
                state = game.result(state, action)
        self.end: Any = state

    def worth(self, game: AnyGame) -> float:
        """What the end of the line is worth in points for the mover at its start."""
        return float(game.evaluate(self.end, self.mover)) * (game.scale or 1.0)

    def changes(self) -> dict[str, float]:
        """How each part has changed from the start to the end."""
        first, last = self.points[0], self.points[-1]
        return {name: last.get(name, 0.0) - points for name, points in first.items()}

    def ply_of(self, name: str) -> int:
        """After how many actions the change of `name` is there for good; 0 if it does not come all at once."""
        change = self.changes()[name]
        way = [(points[name] - self.points[0][name]) / change for points in self.points] if change else [0.0]
        ply = len(way)
        while ply > 0 and way[ply - 1] >= MIN_SHARE:
            ply -= 1
        if not 0 < ply < len(way) or not self.noisy[ply - 1]:
            return 0
        before, after = self.points[ply - 1], self.points[ply]
        jump = abs(after[name] - before[name])
        rest = sum(abs(after[other] - before[other]) for other in before if other != name)
        return ply if jump >= max(MIN_SHARE * abs(change), rest) else 0


def find_part(game: Game[S, A], state: S, worse: Sequence[A], better: Sequence[A], gap: float) -> EvaluationPart | None:
    """What most of the `gap` in points between two lines consists of, if the ends of the lines show it."""
    here, there = LineParts(game, state, worse), LineParts(game, state, better)
    if here.over or there.over:
        return None
    lost, won = here.changes(), there.changes()
    apart = {name: won[name] - lost[name] for name in lost if not follows_mover((here, there), name)}
    shown, whole = sum(apart.values()), gap
    if network_of(game) is not None:  # it says what the ends show, in points of its own
        shown, whole = there.worth(cast(AnyGame, game)) - here.worth(cast(AnyGame, game)), shown
    # A line may end before the exchanges that its value already counts: then its end explains nothing.
    if not apart or whole <= 0 or abs(shown - gap) > MIN_SHARE * gap:
        return None
    name = max(apart, key=lambda each: apart[each])
    if apart[name] < MIN_SHARE * whole:
        return None
    ply = here.ply_of(name) if -lost[name] >= MIN_SHARE * apart[name] else 0
    late = there.ply_of(name) if won[name] >= MIN_SHARE * apart[name] else 0
    return EvaluationPart(name, -lost[name] if ply else 0.0, ply, won[name] if late else 0.0, late)


def follows_mover(lines: Sequence[LineParts], name: str) -> bool:
    """Whether the part is good for the mover whenever one player is to move, and bad whenever another is."""
    seen = [(who, points[name]) for each in lines for who, points in zip(each.movers, each.points, strict=True)]
    good = {who for who, points in seen if points > 0}
    bad = {who for who, points in seen if points < 0}
    return (
        len(seen) >= MIN_POSITIONS and all(points for _, points in seen) and bool(good and bad) and good.isdisjoint(bad)
    )
