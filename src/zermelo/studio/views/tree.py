"""A small game as a tree with information sets: solved exactly, and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.errors import MethodError
from zermelo.game import AnyGame
from zermelo.play.words import name_player
from zermelo.studio.messages import text_of
from zermelo.studio.session import StudioSession, Verb, View, describe_error
from zermelo.studio.views.learn import estimate_nodes
from zermelo.studio.workers import WorkerJob

if TYPE_CHECKING:
    from zermelo.equilibrium.strategies import ExtensiveEquilibrium

MAX_TREE_NODES = 600
"""Of a tree that is solved in fractions while somebody waits."""
MAX_SECONDS = 30.0


class TreeView(View):
    """One tree at a time."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.job: WorkerJob | None = None
        self.asked = ""
        self.answer: dict[str, object] | None = None
        self.verbs: dict[str, Verb] = {"games": self.games, "solve": self.solve}

    def games(self, given: Mapping[str, object]) -> dict[str, object]:
        """The games whose trees are small enough."""
        catalogue = self.session.catalogue
        return {"games": [entry for entry in catalogue.entries() if is_small(catalogue.load(entry["text"]))]}

    def solve(self, given: Mapping[str, object]) -> dict[str, object]:
        """Solves a `game`, or a tree as text in Gambit's format EFG."""
        text = text_of(given, "game")
        known = None if is_efg(text) else self.session.catalogue.load(text)

        def work(job: WorkerJob) -> bool:
            try:
                answer = study(read_tree(text) if known is None else known)
            except (Exception, SystemExit) as error:  # rules are anybody's code
                answer = {"error": describe_error(error)}
            with self.session.lock:
                if self.job is job:
                    self.answer, self.job = answer, None
            self.session.push("tree")
            return True

        self.stop()
        self.asked, self.answer = text, None
        self.job = self.session.search(work, MAX_SECONDS)
        self.session.push("tree")
        return {}

    def snapshot(self) -> dict[str, object] | None:
        if not self.asked:
            return None
        return {"game": self.asked, "answer": self.answer, "running": self.job is not None}

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.job = None


def is_efg(text: str) -> bool:
    return text.lstrip().startswith("EFG")


def read_tree(text: str) -> AnyGame:
    from zermelo.equilibrium import read_efg

    return read_efg(text)


def is_small(game: AnyGame) -> bool:
    """Whether players see different things, and the whole tree can be solved at once."""
    try:
        return game.kind.hidden and estimate_nodes(game) <= MAX_TREE_NODES
    except (Exception, SystemExit):  # rules are anybody's code; such a game is not offered
        return False


def study(game: AnyGame) -> dict[str, object]:
    """The equilibrium of a tree, and its drawing if it is small enough for one."""
    from zermelo.equilibrium import Strategy, draw_tree, extensive_form, solve_extensive
    from zermelo.equilibrium.tree_drawing import MAX_DRAWN_NODES

    form = extensive_form(game, most=MAX_TREE_NODES)
    try:
        found = solve_extensive(form, exact=True)
    except MethodError:  # of many players, or where somebody forgets
        found = solve_extensive(form)
    strategy = found.strategy
    drawn = draw_tree(form, strategy) if form.nodes <= MAX_DRAWN_NODES and isinstance(strategy, Strategy) else ""
    return {**show_equilibrium(game, found), "nodes": form.nodes, "picture": drawn}


def show_equilibrium(game: AnyGame, found: ExtensiveEquilibrium) -> dict[str, Any]:
    """Values and probabilities as fractions, where they are."""
    from zermelo.equilibrium.numbers import say

    return {
        "values": [[name_player(game, p), say(value)] for p, value in enumerate(found.values)],
        "exploitability": say(found.exploitability),
        "rows": [
            {
                "player": name_player(game, p),
                "set": name,
                "mix": [{"action": a, "share": say(share), "part": float(share)} for a, share in shares.items()],
            }
            for p, name, shares in sorted(found.strategy.rows(), key=lambda row: row[0])
        ],
    }
