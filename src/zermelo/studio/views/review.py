"""Every move of a game, judged: what it cost, what would have been better, and in words why.

A move is compared with the best one by how much worse the mover stands after it. What counts is not the difference of
the values but that of the chances: half a pawn matters in a level position and hardly at all in a won one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.analysis import Analysis, Limits
from zermelo.engine.searcher import Searcher
from zermelo.errors import InputError
from zermelo.game import CHANCE, AnyGame
from zermelo.play.live import LiveGame, Ply
from zermelo.play.notation import show_action, write_line
from zermelo.play.words import counts_points, is_too_early, say_score
from zermelo.studio.session import StudioSession, describe_error
from zermelo.studio.views.advice import TABLE_MB
from zermelo.studio.views.board import draw, draw_line, list_places, share, touched_by
from zermelo.studio.views.whynot import Pair, Prospect, say_reason, worth
from zermelo.studio.workers import WorkerJob

LIMITS = Limits(nodes=100_000, seconds=0.6)
"""Of the search of one position: mostly a number of nodes; the time is for games whose rules or estimates are slow."""
MAX_REVIEW_SECONDS = 900.0
MAX_LINE_PLIES = 8
"""Moves of a better line that are written."""
GRADES = {"blunder": 0.4, "mistake": 0.25, "inaccuracy": 0.12}
"""What a move costs at least to be called so, as a share of the way from a loss to a win, which is 2."""
LUCKY_GRADES = {"blunder": 0.16, "mistake": 0.08, "inaccuracy": 0.04}
"""The same where dice decide: there smaller differences are all that play is about."""
EVEN_LEAD = 0.06
"""In a game of points, the lead at which the chances stand at three to one, where nobody has measured them."""


class Judged(NamedTuple):
    """A position, what a search says of it, and what is known of the move that was played there."""

    found: Analysis | None
    """`None` where chance moves, or nothing is known."""
    value: float | None
    """For player 0."""


class Review:
    """Judges the moves of one game, on a thread for searches."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.live: LiveGame | None = None
        self.plies: list[Ply] = []
        self.states: list[Any] = []
        self.judged: list[Judged] = []
        """One for each position, the first ones first; they come one by one."""
        self.shown: list[dict[str, object]] = []
        """One for each move that has been judged."""
        self.error = ""
        self.job: WorkerJob | None = None

    def begin(self, live: LiveGame) -> None:
        """Judges the moves that `live` has now."""
        self.end()
        self.live, self.plies = live, list(live.plies)
        self.states = [*(ply.state for ply in live.plies), live.state]
        before = live.history[: len(live.history) - len(live.plies)]
        by_rules = live.ending is not None and live.ending.reason in ("", "repetition")
        over = live.ending.utilities if live.ending is not None and by_rules else None
        self.job = self.session.search(lambda job: self.work(job, live, before, over), MAX_REVIEW_SECONDS, yields=True)

    def end(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.live = self.job = None
        self.judged, self.shown, self.error = [], [], ""

    def work(self, job: WorkerJob, live: LiveGame, before: Sequence[Any], over: tuple[float, ...] | None) -> bool:
        """Judges one position after the other, making room for others that wait; whether it is done."""
        searcher = Searcher(live.game, table_mb=TABLE_MB, quiet=True)
        try:
            while len(self.judged) < len(self.states):
                known = self.judge(job, searcher, before, over)
                with self.session.lock:
                    if self.job is not job or job.cancelled:
                        return True
                    if known is None:
                        return job.is_late()
                    self.judged.append(known)
                    if len(self.judged) > 1:
                        self.shown.append(self.judge_move(live.game, len(self.judged) - 2))
                self.session.push("play")
        except (Exception, SystemExit) as error:  # rules are anybody's code
            with self.session.lock:
                if self.job is job:
                    self.error = describe_error(error)
            self.session.push("play")
        return True

    def judge(
        self, job: WorkerJob, searcher: Searcher, before: Sequence[Any], over: tuple[float, ...] | None
    ) -> Judged | None:
        """The next position; `None` if there was no time."""
        game, number = searcher.game, len(self.judged)
        state = self.states[number]
        if number == len(self.plies) and over is not None:
            return Judged(None, over[0])
        if game.is_terminal(state) or game.player(state) == CHANCE:
            return Judged(None, None)
        limits = replace(LIMITS, stop=job.should_stop)
        found = searcher.search(state, limits, history=[*before, *self.states[:number]])
        if found.stopped == "stop" or is_too_early(game, found):
            return None
        return Judged(found, found.values[0])

    def judge_move(self, game: AnyGame, number: int) -> dict[str, object]:
        """What there is to say of the move from position `number`."""
        ply, (found, value), after = self.plies[number], self.judged[number], self.judged[number + 1]
        shown: dict[str, object] = {"grade": "", "share": None if value is None else share(game, value)}
        if found is None or found.action is None or value is None or ply.mover == CHANCE:
            return shown
        shown["score"] = say_score(game, found.value)
        if found.action == ply.action:
            return shown | {"grade": "best"}
        reached = self.value_after(game, number, ply.mover, found)
        if reached is None:
            return shown
        best = max(for_player(game, value, ply.mover), reached)
        cost = chances(game, best) - chances(game, reached)
        grade = next((name for name, least in grades(game).items() if cost >= least), "")
        if not grade:
            return shown
        names = list_places(draw(game, ply.state))
        line = (ply.action, *(after.found.line if after.found is not None else ()))
        pair = Pair(Prospect(reached, line, False), Prospect(best, found.line, found.exact), found.depth)
        return shown | {
            "grade": grade,
            "message": say_judgement(game, ply, grade, pair),
            "better": write_line(game, ply.state, found.line[:MAX_LINE_PLIES]),
            "arrow": [name for name, _ in touched_by(game, ply.state, found.action, names)],
            "played": [name for name, _ in touched_by(game, ply.state, ply.action, names)],
        }

    def value_after(self, game: AnyGame, number: int, mover: int, found: Analysis) -> float | None:
        """What the move from position `number` leaves its mover: as the search of the next position says, or of the
        same one, where chance is next."""
        after = self.judged[number + 1]
        if after.value is not None:
            return for_player(game, after.value, mover)
        return found.actions.get(self.plies[number].action)

    def draw_better(self, ply: int) -> list[dict[str, object]]:
        """The positions of the line that would have been better than the move at `ply`."""
        if self.live is None or ply >= len(self.shown) or (found := self.judged[ply].found) is None:
            raise InputError("nothing is known of that move yet")
        return draw_line(self.live.game, self.states[ply], found.line[:MAX_LINE_PLIES])

    def show(self) -> dict[str, object] | None:
        if self.live is None:
            return None
        return {"moves": list(self.shown), "of": len(self.plies), "error": self.error}


def for_player(game: AnyGame, value: float, p: int) -> float:
    """A value for player 0 as one for player `p`, in a game of one player or with a constant sum."""
    return value if p == 0 else 2 * game.neutral - value


def grades(game: AnyGame) -> dict[str, float]:
    return LUCKY_GRADES if game.kind.chance else GRADES


def chances(game: AnyGame, value: float) -> float:
    """The chances of a player for whom a position is worth `value`, from −1, a sure loss, to 1, a sure win."""
    low, high = game.bounds
    if value in (low, high) or not low < game.neutral < high:
        return share(game, value)
    if game.win_rate is not None:
        half, spread = game.win_rate
        return 1 / (1 + math.exp((half - value) / spread)) - 1 / (1 + math.exp((half + value) / spread))
    if counts_points(game):
        return value / (abs(value) + EVEN_LEAD)
    return max(-1.0, min(1.0, value - game.neutral))


def say_judgement(game: AnyGame, ply: Ply, grade: str, pair: Pair[Any]) -> str:
    """`Nf6 is a blunder (+0.10 before, a loss after). After this, white wins … Better was g6.`"""
    move, better = (show_action(game, ply.state, each.line[0]) for each in (pair.this, pair.other))
    called = f"{move} is {'an' if grade[0] in 'aeiou' else 'a'} {grade}"
    scores = f"{worth(game, pair.other)} before, {worth(game, pair.this)} after"
    reason = say_reason(game, ply.state, ply.mover, pair)
    return " ".join(filter(None, (f"{called} ({scores}).", reason, f"Better was {better}.")))
