"""All extreme equilibria of random games, degenerate ones and known ones: every one found, none twice, none false.

    python bench/completeness.py --install      once: puts the peers into an environment of their own
    python bench/completeness.py                1,000 games of 3 to 8 actions a player

Payoffs are whole numbers 0 … 99, and 0 … 3 and 0 … 1, which make degenerate games. Ours are held, in fractions, to the
definition (nobody gains by deviating), to being extreme (what is tight there has full rank), to the enumeration of
supports where the game is small, and to lrsnash and Gambit, which are exact. Exit 1, with the game, at any difference.
Peers in floating point are counted: what they miss, list twice, and list falsely.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from matrix_peers import PYTHON, Peers, install
from tools import answer, arguments, table

from zermelo.equilibrium import NormalForm, support_enumeration, vertex_enumeration

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "equilibrium"))
from known import COUNTS, VALUES

KINDS = (100, 4, 2)
"""Payoffs are below these."""
WIDE = "payoffs 0 … 99"
NEAR = 1e-6
"""Strategies in floating point that are no farther apart are the same."""

COLUMNS = ("games", "otherwise", "wide", "otherwise, wide", "missed", "twice", "false")

Tables = list[list[list[int]]]
Pair = tuple[tuple[Any, ...], tuple[Any, ...]]


def known() -> Iterator[tuple[str, Tables, int | None]]:
    """The games of the known-answer table, with the number of their equilibria where that is known."""
    for name, (both, count) in COUNTS.items():
        yield name, list(both), count
    for name, (matrix, _) in VALUES.items():
        yield name, [matrix, [[-a for a in row] for row in matrix]], None


def randomly(games: int, seed: int) -> Iterator[tuple[str, Tables, int | None]]:
    random = np.random.default_rng(seed)
    for k in range(games):
        shape = tuple(int(n) for n in random.integers(3, 9, 2))
        most = KINDS[k % len(KINDS)]
        yield f"payoffs 0 … {most - 1}", [random.integers(0, most, shape).tolist() for _ in range(2)], None


def is_extreme(tables: Tables, pair: Pair) -> bool:
    """An equilibrium by the definition, both halves of which nothing but themselves can be mixed to give."""
    first = tables[0]
    second = [list(row) for row in zip(*tables[1], strict=True)]
    return all(
        sum(own) == 1 and min(own) >= 0 and is_best(mine, own, other) and is_vertex(theirs, own)
        for mine, theirs, own, other in ((first, second, pair[0], pair[1]), (second, first, pair[1], pair[0]))
    )


def is_best(payoffs: list[list[int]], own: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    worth = [sum(a * share for a, share in zip(row, other, strict=True)) for row in payoffs]
    return all(share == 0 or each == max(worth) for share, each in zip(own, worth, strict=True))


def is_vertex(replies: list[list[int]], own: tuple[Any, ...]) -> bool:
    """Whether the used actions, the best replies and Σ = 1 determine the shares: columns of full rank."""
    used = [i for i, share in enumerate(own) if share]
    worth = [sum(a * share for a, share in zip(row, own, strict=True)) for row in replies]
    rows = [
        [*(Fraction(row[i]) for i in used), Fraction(-1)]
        for row, each in zip(replies, worth, strict=True)
        if each == max(worth)
    ]
    return rank([*rows, [Fraction(1)] * len(used) + [Fraction(0)]]) == len(used) + 1


def rank(rows: list[list[Fraction]]) -> int:
    found = 0
    for column in range(len(rows[0])):
        lead = next((row for row in rows if row[column]), None)
        if lead is None:
            continue
        found += 1
        rows = [row for row in rows if row is not lead]
        rows = [[a - row[column] / lead[column] * b for a, b in zip(row, lead, strict=True)] for row in rows]
    return found


class Tally:
    """What each contestant did, over all games."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, int]] = {}

    def add(self, who: str, ours: list[Pair], theirs: list[Pair], wide: bool) -> bool:
        """Compares with ours; whether it is the same. `wide` games have payoffs 0 … 99, and hardly ever ties."""
        exact = not theirs or not isinstance(theirs[0][0][0], float)
        matched = [match(ours, pair, exact) for pair in theirs]
        hits = [place for place in matched if place is not None]
        row = self.rows.setdefault(who, dict.fromkeys(COLUMNS, 0))
        wrong = {
            "missed": len(ours) - len(set(hits)),
            "twice": len(hits) - len(set(hits)),
            "false": len(matched) - len(hits),
        }
        for name, count in wrong.items():
            row[name] += count
        row["games"] += 1
        row["otherwise"] += any(wrong.values())
        row["wide"] += wide
        row["otherwise, wide"] += wide and any(wrong.values())
        return not any(wrong.values())


def match(ours: list[Pair], pair: Pair, exact: bool) -> int | None:
    """Which of ours it is."""
    if exact:
        return ours.index(pair) if pair in ours else None
    flat = np.array([float(a) for own in pair for a in own])
    if not np.isfinite(flat).all():
        return None
    distances = [np.abs(np.array([float(a) for own in mine for a in own]) - flat).max() for mine in ours]
    nearest = int(np.argmin(distances))
    return nearest if distances[nearest] <= NEAR else None


def exactly(found: list[Any]) -> list[Pair]:
    """Texts as fractions; floats stay."""
    kind = Fraction if found and isinstance(found[0][0][0], str) else float
    return [(tuple(map(kind, one[0])), tuple(map(kind, one[1]))) for one in found]


def fail(reason: str, tables: Tables) -> None:
    sys.exit(f"{reason}: {json.dumps(tables)}")


def examine(name: str, tables: Tables, count: int | None, asked: Any, peers: Peers, tally: Tally) -> int:
    """One game, every way; how many equilibria it has."""
    game = NormalForm(tables)
    ours: list[Pair] = [one.strategies for one in vertex_enumeration(game)]
    if count is not None and len(ours) != count:
        fail(f"{len(ours)} equilibria, and {count} are known", tables)
    if len(set(ours)) != len(ours) or not ours:
        fail("an equilibrium twice, or none", tables)
    if not all(is_extreme(tables, pair) for pair in ours):
        fail("no extreme equilibrium", tables)
    theirs = peers.ask(task="compare", tables=tables, slow=asked.slow).get("equilibria", {})
    answers = {name: exactly(found) for name, found in theirs.items()}
    answers["zermelo, floats"] = [one.strategies for one in vertex_enumeration(game, exact=False)]
    if max(game.shape) <= asked.supports:
        answers["zermelo, supports"] = [one.strategies for one in support_enumeration(game)]
    for who, found in answers.items():
        same = tally.add(who, ours, found, name == WIDE)
        if not same and who in ("zermelo, supports", "lrsnash, exact", "Gambit, exact"):
            fail(f"otherwise than {who}", tables)
    return len(ours)


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "install the peers and end"),
        python=(str(PYTHON), "the Python that has the peers"),
        games=(1000, "random games"),
        supports=(5, "actions of the largest game whose supports are tried one by one"),
        slow=(5, "actions of the largest game that Gambit and Nashpy are asked about"),
        seed=(1, "of the games"),
    )
    if asked.install:
        install()
        return
    peers, tally = Peers(Path(asked.python)), Tally()
    sums: dict[str, list[int]] = {}
    for name, tables, count in (*known(), *randomly(asked.games, asked.seed)):
        sums.setdefault(name, []).append(examine(name, tables, count, asked, peers, tally))
    peers.close()
    games = [
        {"games": name, "count": len(each), "equilibria": sum(each), "most": max(each)} for name, each in sums.items()
    ]
    rows = [{"who": who} | row for who, row in tally.rows.items()]
    text = "\n\n".join(
        [
            table(["games", "how many", "extreme equilibria", "most in one"], [list(row.values()) for row in games]),
            table(
                ["who", "games", "otherwise than ours", "with payoffs 0 … 99", "otherwise", "missed", "twice", "false"],
                [list(row.values()) for row in rows],
            ),
            *filter(None, [peers.missing()]),
        ]
    )
    answer(asked, {"games": games, "rows": rows}, text, timed=False)


if __name__ == "__main__":
    main()
