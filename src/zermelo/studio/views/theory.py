"""Theory: a payoff matrix, its dominated actions one by one, the chain of second thoughts, equilibria and a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from zermelo.errors import InputError, ZermeloError
from zermelo.studio.messages import flag_of, texts_of
from zermelo.studio.session import StudioSession, Verb, View, describe_error
from zermelo.studio.workers import WorkerJob

if TYPE_CHECKING:
    from zermelo.equilibrium.form import NormalForm
    from zermelo.equilibrium.profile import Equilibrium

MAX_ACTIONS = 12
"""Of a player: all equilibria of more are too many to look at."""
MAX_EQUILIBRIA = 60
LEARNING_STEPS = 10_000


class TheoryView(View):
    """One matrix at a time."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.matrix: dict[str, object] = {}
        """What was asked, as the page wrote it."""
        self.answer: dict[str, object] | None = None
        self.job: WorkerJob | None = None
        self.verbs: dict[str, Verb] = {"solve": self.solve, "halt": self.halt}

    def solve(self, given: Mapping[str, object]) -> dict[str, object]:
        """Solves `rows`, a list of lists of texts: a number for a zero-sum game, or two with a comma between them."""
        payoffs = read_cells(given.get("cells"))
        names = [texts_of(given, name, MAX_ACTIONS) for name in ("rows", "columns")]
        players, costs = texts_of(given, "players", 2), flag_of(given, "costs")

        def work(job: WorkerJob) -> bool:
            try:
                from zermelo.equilibrium import NormalForm

                answer = study(NormalForm(payoffs, players, names, costs=costs), job.should_stop)
            except (Exception, SystemExit) as error:
                answer = {"error": describe_error(error)}
            with self.session.lock:
                if self.job is job:
                    self.answer, self.job = answer, None
            self.session.push("theory")
            return True

        self.stop()
        written = {"cells": given["cells"], "rows": names[0], "columns": names[1], "players": players, "costs": costs}
        self.matrix, self.answer = written, None
        self.job = self.session.search(work, 30.0)
        self.session.push("theory")
        return {}

    def halt(self, given: Mapping[str, object]) -> dict[str, object]:
        """Gives up what is being solved."""
        if self.job is not None:
            self.stop()
            self.answer = {"error": "Stopped: press Solve to begin anew."}
            self.session.push("theory")
        return {}

    def snapshot(self) -> dict[str, object] | None:
        if not self.matrix:
            return None
        return {"matrix": self.matrix, "answer": self.answer, "running": self.job is not None}

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.job = None


def read_cells(cells: Any) -> list[Any]:
    """The payoffs in a table of texts: one table if every cell holds one number, two if every cell holds two."""
    from zermelo.equilibrium.numbers import read_number

    right = isinstance(cells, list) and 1 <= len(cells) <= MAX_ACTIONS
    if not right or not all(isinstance(row, list) and 1 <= len(row) <= MAX_ACTIONS for row in cells):
        raise InputError(f"a matrix has 1 to {MAX_ACTIONS} rows and columns")
    if len({len(row) for row in cells}) > 1 or not all(
        isinstance(cell, str) and len(cell) <= 40 for row in cells for cell in row
    ):
        raise InputError("every row has as many cells, and every cell is a short text")
    parts = [[[read_number(part) for part in cell.split(",")] for cell in row] for row in cells]
    lengths = {len(cell) for row in parts for cell in row}
    if lengths == {1}:
        return [[cell[0] for cell in row] for row in parts]
    if lengths != {2}:
        raise InputError("write one payoff in every cell, as in 3, or two, as in 3, -1")
    return [[[cell[p] for cell in row] for row in parts] for p in (0, 1)]


def study(form: NormalForm, stop: Callable[[], bool]) -> dict[str, object]:
    """All that is shown of a matrix."""
    from zermelo.equilibrium import eliminate, pure_equilibria, second_thoughts, vertex_enumeration, zero_sum
    from zermelo.equilibrium.numbers import say

    steps = eliminate(form).steps
    chain = second_thoughts(form, (0,) * len(form.shape), 1)
    found = vertex_enumeration(form, stop=stop)
    return {
        "zero_sum": form.is_zero_sum,
        "value": say(zero_sum(form, exact=True).value) if form.is_zero_sum else "",
        "pure": [form.name_profile(profile) for profile in pure_equilibria(form)],
        "dominance": [
            f"Round {step.stage}: {form.players[step.player]} never plays {step.action}, "
            f"which {step.by_text} dominates{'' if step.strict else ' weakly'}."
            for step in steps
        ],
        "chain": [" ".join(form.name_profile(profile)) for profile in chain],
        "equilibria": [show_equilibrium(form, each) for each in found[:MAX_EQUILIBRIA]],
        "count": len(found),
        "mixtures": has_mixtures(found),
        "more": max(0, len(found) - MAX_EQUILIBRIA),
        "picture": draw(form),
        "replies": best_replies(form),
        "learning": learning_curve(form),
    }


def has_mixtures(found: list[Equilibrium]) -> bool:
    """Whether there are equilibria between the extreme ones: where two of them share a player's strategy."""
    return any(len({each.strategies[p] for each in found}) < len(found) for p in (0, 1))


def show_equilibrium(form: NormalForm, found: Equilibrium) -> dict[str, object]:
    from zermelo.equilibrium.numbers import say

    return {
        "mixes": [
            [{"action": name, "share": say(part), "part": float(part)} for name, part in zip(names, own, strict=True)]
            for names, own in zip(form.actions, found.strategies, strict=True)
        ],
        "payoffs": [say(payoff) for payoff in found.payoffs],
    }


def draw(form: NormalForm) -> str:
    """The picture of a game that is small enough for one."""
    from zermelo.equilibrium import picture

    try:
        return picture(form)
    except ZermeloError:
        return ""


def best_replies(form: NormalForm) -> list[list[list[bool]]]:
    """For each player and cell, whether the player's action is a best reply to the other's."""
    rows, columns = form.payoffs
    return [(rows == rows.max(axis=0)[None, :]).tolist(), (columns == columns.max(axis=1)[:, None]).tolist()]


def learning_curve(form: NormalForm) -> list[list[float]]:
    """How far from equilibrium regret matching is, after 1, 2, 4, … steps: the greatest regret of a player."""
    from zermelo.equilibrium import regret_matching

    points, steps = [], 1
    while steps <= LEARNING_STEPS:
        points.append([float(steps), max(map(float, regret_matching(form, steps=steps).regrets))])
        steps *= 4
    return points
