"""Equilibria of trees of two players and other sums by Lemke's method, beside Gambit's, in one run, on the same games.

    python bench/equilibrium.py --install      once: puts Gambit into an environment of its own, bench/.venv-games
    python bench/trees.py

Random trees with chance and hidden actions, simultaneous games of four actions, and poker whose winner pays a tenth to
the house. Every answer of either program is held to the best answers of both players; seconds are processor time.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from matrix_peers import PYTHON, Peers
from tools import answer, arguments, table

from zermelo.equilibrium import NormalForm, extensive_form, lemke, read_efg, write_efg
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.games import load


class Tree(Game):
    """A game of some plies, each of which is chance's or a player's; players see only some of the actions."""

    players = 2
    utility_sum = None
    bounds = (-9.0, 9.0)

    class State(NamedTuple):
        path: tuple[int, ...]

    def __init__(self, seed: int, plies: int, widest: int):
        dice = random.Random(seed)
        self.seed = seed
        self.movers = [dice.randrange(-1, 2) for _ in range(plies)]
        self.widths = [dice.randrange(2, widest + 1) for _ in range(plies)]
        self.seen = [[dice.random() < 0.5 for _ in range(plies)] for _ in range(2)]

    def initial(self) -> State:
        return self.State(())

    def player(self, s: State) -> int:
        return self.movers[len(s.path)]

    def actions(self, s: State) -> Iterator[int]:
        yield from () if self.is_terminal(s) else range(self.widths[len(s.path)])

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        yield from ((a, 1 / self.widths[len(s.path)]) for a in range(self.widths[len(s.path)]))

    def result(self, s: State, a: int) -> State:
        return self.State((*s.path, a))

    def is_terminal(self, s: State) -> bool:
        return len(s.path) == len(self.movers)

    def utility(self, s: State, p: int) -> float:
        return float(random.Random(f"{self.seed} {s.path} {p}").randrange(-9, 10))

    def view(self, s: State, p: int) -> tuple[int, ...]:
        return tuple(a if self.seen[p][i] or self.movers[i] == p else CHANCE for i, a in enumerate(s.path))


def raked(name: str) -> ExtensiveForm:
    """Poker whose winner pays a tenth to the house."""
    form = extensive_form(load(name))
    payoffs = form.arrays.payoffs.copy()
    payoffs[payoffs > 0] *= 0.9
    return ExtensiveForm(form.game, form.root, form.arrays._replace(payoffs=payoffs), form.example)


def games(asked: Any) -> Iterator[tuple[str, ExtensiveForm]]:
    dice = random.Random(asked.seed)
    for _ in range(asked.games):
        cells = [[[dice.randrange(-9, 10) for _ in range(4)] for _ in range(4)] for _ in range(2)]
        yield "simultaneous, 4 × 4", extensive_form(read_efg(write_efg(NormalForm(cells))))
    for plies, widest in ((4, 3), (6, 3), (8, 3)):
        for _ in range(asked.games):
            yield f"random, {plies} plies", extensive_form(Tree(dice.randrange(10**9), plies, widest))
    for name in ("kuhn", "leduc:ranks=2", *(["leduc"] if asked.large else [])):
        yield f"{name} with a rake", raked(name)


def gain_of(form: ExtensiveForm, exact: bool) -> tuple[float, float]:
    """Seconds, and the most that a player gains by a best answer; infinite if nothing is found."""
    start = time.process_time()
    try:
        found = lemke(form, exact).strategy
    except ZermeloError:
        return time.process_time() - start, float("inf")
    spent = time.process_time() - start
    return spent, max(float(best - value) for value, best in zip(found.values, found.best_values, strict=True))


def main() -> None:
    asked = arguments(
        __doc__,
        python=(str(PYTHON), "the Python that has Gambit"),
        games=(60, "games of each kind"),
        large=(False, "Leduc poker of three ranks, too"),
        exact=(False, "in fractions"),
        patience=(10.0, "seconds after which Gambit is stopped"),
        seed=(1, "of the games"),
    )
    peers = Peers(Path(asked.python))
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for what, form in games(asked):
        rows = found.setdefault(what, {})
        rows.setdefault("zermelo", []).append(gain_of(form, asked.exact))
        theirs = peers.ask(task="tree", text=write_efg(form), exact=asked.exact, patience=asked.patience)
        if theirs:
            gain = float("inf") if theirs["gain"] is None else theirs["gain"]
            rows.setdefault("Gambit", []).append((theirs["seconds"], gain))
    peers.close()
    rows = []
    for what, both in found.items():
        lead = statistics.fmean(spent for spent, _ in both["zermelo"])
        for who, runs in both.items():
            solved, spent = sum(gain <= 1e-6 for _, gain in runs), statistics.fmean(spent for spent, _ in runs)
            rows.append({"what": what, "who": who, "solved": solved, "of": len(runs), "seconds": spent})
            rows[-1] |= {"ratio": spent / lead, "gain": max(gain for _, gain in runs)}
    names = ["what", "who", "solved", "of", "seconds", "ratio", "gain"]
    text = table(
        ["", "who", "solved", "of", "seconds", "× zermelo", "greatest gain"], [[r[n] for n in names] for r in rows]
    )
    answer(asked, {"rows": rows}, "\n\n".join(filter(None, [text, peers.missing()])))


if __name__ == "__main__":
    main()
