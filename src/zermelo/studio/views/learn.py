"""Learning a game of hidden information: counterfactual regret minimisation, with its exploitability as it falls."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from zermelo.errors import MethodError
from zermelo.game import AnyGame, Game
from zermelo.studio.messages import number_of, text_of
from zermelo.studio.session import StudioSession, Verb, View, describe_error
from zermelo.studio.workers import WorkerJob

if TYPE_CHECKING:
    from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Point

MAX_TREE_NODES = 500_000
"""Of a game's tree: a larger one takes longer to build than somebody at a page waits."""
PROBES, MAX_PROBE_PLIES = 40, 1_000
"""Random ways down a tree by which its size is estimated, and the plies of one."""
ESTIMATE_FACTOR = 10
"""Estimates can be wrong by this factor: only trees whose estimate exceeds the limit by it are not offered."""
MAX_ITERATIONS = 10_000_000
MAX_SHOWN_SETS = 40
"""Information sets whose strategy is shown."""
MAX_SECONDS = 60.0
UPDATE_INTERVAL_SECONDS = 0.1
"""Between two updates of the curve."""


class LearnView(View):
    """One run at a time."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.job: WorkerJob | None = None
        self.facts: dict[str, object] = {}
        self.curve: list[Point] = []
        self.outcome: dict[str, object] | None = None
        self.error = ""
        self.verbs: dict[str, Verb] = {
            "games": self.games,
            "run": self.run,
            "halt": self.halt,
        }

    def games(self, given: Mapping[str, object]) -> dict[str, object]:
        """The games that can be learnt here."""
        catalogue = self.session.catalogue
        return {"games": [entry for entry in catalogue.entries() if can_learn(catalogue.load(entry["text"]))]}

    def run(self, given: Mapping[str, object]) -> dict[str, object]:
        """Learns `game` by `method`, for `iterations` or until it is halted."""
        from zermelo.equilibrium.regret import METHODS

        text = text_of(given, "game")
        game = self.session.catalogue.load(text)
        method = text_of(given, "method", "pdcfr+", 20)
        if method not in METHODS:
            raise MethodError(f"no method is called {method!r}; there are {', '.join(METHODS)}")
        iterations = number_of(given, "iterations", 1, MAX_ITERATIONS, 1_000)
        self.stop()
        self.facts = {"game": text, "name": game.name, "method": method}
        self.curve, self.outcome, self.error = [], None, ""
        self.job = self.session.search(lambda job: self.learn(job, game, method, iterations), MAX_SECONDS)
        self.session.push("learn")
        return {}

    def learn(self, job: WorkerJob, game: AnyGame, method: str, iterations: int) -> bool:
        from zermelo.equilibrium import cfr, extensive_form

        pushed = 0.0

        def note(point: Point) -> None:
            nonlocal pushed
            with self.session.lock:
                if self.job is not job:
                    return
                self.curve.append(point)
            if time.monotonic() - pushed > UPDATE_INTERVAL_SECONDS:
                pushed = time.monotonic()
                self.session.push("learn")

        outcome, error = None, ""
        try:
            form = extensive_form(game, most=MAX_TREE_NODES)
            options = {"exploitability": None, "iterations": iterations, "threads": 1}
            outcome = show_outcome(cfr(form, method, progress=note, stop=job.should_stop, **options))
        except (Exception, SystemExit) as failure:  # rules are anybody's code
            error = describe_error(failure)
        with self.session.lock:
            if self.job is job:
                self.job, self.outcome, self.error = None, outcome, error
        self.session.push("learn")
        return True

    def halt(self, given: Mapping[str, object]) -> dict[str, object]:
        """Ends the run; what has been learnt so far is shown."""
        if self.job is not None:
            self.job.cancel()
        return {}

    def snapshot(self) -> dict[str, object] | None:
        if not self.facts:
            return None
        points = [[point.iterations, point.exploitability] for point in self.curve if point.iterations]
        running = {"running": self.job is not None, "error": self.error}
        return {**self.facts, **running, "curve": points, "outcome": self.outcome}

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.job = None


def can_learn(game: Game) -> bool:
    """Whether regrets are of use, since something is hidden, and the tree of the game can be built."""
    try:
        return game.kind.hidden and estimate_nodes(game) <= ESTIMATE_FACTOR * MAX_TREE_NODES
    except (Exception, SystemExit):  # rules are anybody's code; such a game is not offered
        return False


def estimate_nodes(game: Game) -> float:
    """The nodes of the game's tree, estimated by random ways down (Knuth 1975): on average the estimate is right."""
    chance = random.Random(0)
    return sum(probe(game, chance) for _ in range(PROBES)) / PROBES


def probe(game: Game, chance: random.Random) -> float:
    """The number of nodes of a tree with the same number of actions in each ply as on one random path."""
    state, nodes, width = game.initial(), 1.0, 1.0
    for _ in range(MAX_PROBE_PLIES):
        if game.is_terminal(state):
            return nodes
        actions = list(game.actions(state))
        width *= len(actions)
        nodes += width
        state = game.result(state, chance.choice(actions))
    return math.inf


def show_outcome(found: ExtensiveEquilibrium) -> dict[str, object]:
    """The outcome of a run, for a page: the first information sets of each player, and the values."""
    form = found.strategy.form
    game = form.game
    rows = sorted(found.strategy.rows(), key=lambda row: row[0])
    return {
        "iterations": found.iterations,
        "seconds": found.seconds,
        "exploitability": found.exploitability,
        "values": [[game.player_name(p), float(value)] for p, value in enumerate(found.values)],
        "nodes": form.nodes,
        "sets": len(rows),
        "strategy": [
            {
                "player": game.player_name(p),
                "set": name,
                "mix": [{"action": action, "part": float(share)} for action, share in shares.items()],
            }
            for p, name, shares in rows[:MAX_SHOWN_SETS]
        ],
    }
