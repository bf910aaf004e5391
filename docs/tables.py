"""The tables of the docs, measured by running the searches: `python docs/tables.py` writes them into the pages.

With `--signature` it prints the fingerprint of the searches instead.

A page marks a table's place with `<!-- table: NAME -->` and `<!-- /table -->`. Nodes only, no times: the tables say the
same on every machine, and a test holds them to it. Between `<!-- source: FILE FUNCTION -->` and `<!-- /source -->`
stands a function of `src/zermelo/search/`, as it is.
"""

from __future__ import annotations

import ast
import math
import random
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import zermelo as z
from zermelo.errors import MethodError
from zermelo.search.probcut import ProbCut, measure_pairs

HERE = Path(__file__).resolve().parent
SEARCH = HERE.parent / "src" / "zermelo" / "search"
MARK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- /table -->)", re.DOTALL)
SOURCE = re.compile(r"(<!-- source: ([\w./]+) (\w+) -->\n).*?(<!-- /source -->)", re.DOTALL)

TICTACTOE = ("tic-tac-toe, to the end", "tictactoe", None)
CONNECT4 = ("Connect Four 5 × 4, 7 plies", "connect4:columns=5,rows=4", 7)
HEXAPAWN = ("hexapawn 5 × 5, 7 plies", "hexapawn:columns=5,rows=5", 7)
HEX = ("Hex 4 × 4, 4 plies", "hex:size=4", 4)
FIGHT = "hexapawn:columns=5,rows=5@b..bb/..b../.b.w./w..../.ww.w w"
"""A position of hexapawn in which pawns are about to be taken."""
FOUR = (TICTACTOE, CONNECT4, HEXAPAWN, HEX)
"""The positions on which most techniques are measured: a name, a game, a depth."""

SEARCHES: dict[str, Callable[..., z.Analysis]] = {
    "alphabeta": z.alphabeta,
    "expectiminimax": z.expectiminimax,
    "maxn": z.maxn,
    "minimax": z.minimax,
    "mtdf": z.mtdf,
    "negamax": z.negamax,
    "pvs": z.pvs,
}


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table in Markdown; numbers stand to the right and have commas."""
    body = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    lines = [" | ".join(head), " | ".join(["---", *["---:"] * (len(head) - 1)]), *(" | ".join(row) for row in body)]
    return "".join(f"| {line} |\n" for line in lines)


@cache
def run(search: str, game: str, depth: int | None, options: tuple[tuple[str, Any], ...]) -> z.Analysis:
    """One search of `game`, from its start or from the position after an `@`; done once, however many tables ask."""
    name, _, position = game.partition("@")
    rules = z.load(name)
    return SEARCHES[search](rules, rules.read(position) if position else None, depth=depth, **dict(options))


def measured(search: str, game: str, depth: int | None, **options: Any) -> z.Analysis:
    return run(search, game, depth, tuple(sorted(options.items())))


def find(search: str, position: tuple[str, str, int | None], **options: Any) -> z.Analysis:
    return measured(search, position[1], position[2], **options)


def effect(rows: Sequence[tuple[str, str, dict[str, Any]]], positions: Sequence[Any] = FOUR) -> str:
    """Nodes, one row a search and one column a position; all searches of a column must agree on the value."""
    body = []
    for label, search, options in rows:
        body.append([label, *(find(search, position, **options).nodes for position in positions)])
    for position in positions:
        assert len({find(search, position, **options).value for _, search, options in rows}) == 1, position
    return table(["nodes", *(name for name, _, _ in positions)], body)


def with_values(rows: Sequence[tuple[str, str, dict[str, Any]]], positions: Sequence[Any]) -> str:
    """As `effect`, with the value that each search believes beside its nodes: for techniques that may change it."""
    body = []
    for label, search, options in rows:
        row: list[Any] = [label]
        for position in positions:
            try:
                found = find(search, position, **options)
            except MethodError:  # the game lacks what the technique needs
                row.append("–")
            else:
                row.append(f"{found.nodes:,} ({found.value:+.3f})")
        body.append(row)
    return table(["nodes (value)", *(name for name, _, _ in positions)], body)


# One function a table; its name is the table's.


def minimax() -> str:
    rows = [(d, 7**d, measured("minimax", "connect4", d).nodes) for d in range(1, 7)]
    return table(["plies of Connect Four", "leaves, 7^d", "nodes"], rows)


def negamax() -> str:
    return effect([("minimax", "minimax", {}), ("negamax", "negamax", {})], (CONNECT4, HEX))


def maxn() -> str:
    rows = []
    for players in (2, 3, 4):
        game = f"kingmaker:stones=14,players={players}"
        plain = measured("maxn", game, None)
        tabled = measured("maxn", game, None, table=True)
        rows.append((f"{players} players, 14 stones", plain.nodes, tabled.nodes))
    return table(["Kingmaker", "nodes", "with a transposition table"], rows)


def alphabeta() -> str:
    return effect(
        [
            ("minimax", "minimax", {}),
            ("alpha-beta, fail-soft", "alphabeta", {}),
            ("alpha-beta, fail-hard", "alphabeta", {"hard": True}),
        ]
    )


def uniform(branching: int, depth: int, low: float, high: float, best_first: bool) -> Any:
    """A uniform tree whose leaves stand in the best or in the worst order for alpha-beta."""
    if depth == 0:
        return (low + high) / 2
    step = (high - low) / branching
    bands = [(low + i * step, low + (i + 1) * step) for i in range(branching)]
    # Seen from its mover each child is better (or worse) than the one before; turning the sign turns the mover.
    children = [uniform(branching, depth - 1, -b, -a, best_first) for a, b in (bands[::-1] if best_first else bands)]
    return [turned(child) for child in children]


def turned(node: Any) -> Any:
    return [turned(child) for child in node] if isinstance(node, list) else -node


def alphabeta_bounds() -> str:
    rows = []
    for branching, depth in ((2, 6), (3, 4), (4, 4), (5, 4), (3, 6)):
        least = branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1
        best, worst = (z.alphabeta(z.Tree(uniform(branching, depth, 0.0, 2.0**20, first))) for first in (True, False))
        rows.append((f"b = {branching}, d = {depth}", least, best.leaves, worst.leaves, branching**depth))
    head = ["uniform tree", "b^⌈d/2⌉ + b^⌊d/2⌋ − 1", "leaves, best order", "leaves, worst order", "b^d"]
    return table(head, rows)


def cutoff() -> str:
    rows = []
    game = z.load(HEXAPAWN[1])
    for depth in range(1, 8):
        found = measured("minimax", HEXAPAWN[1], depth)
        rows.append((depth, f"{found.value:+.3f}", game.show_action(game.initial(), found.action), found.nodes))
    return table(["plies of hexapawn 5 × 5", "value", "action", "nodes"], rows)


def expectiminimax() -> str:
    rows = []
    for depth in range(1, 7):
        race, pig = (measured("expectiminimax", game, depth) for game in ("race", "pig"))
        rows.append((depth, race.nodes, pig.nodes))
    return table(["plies", "nodes of race", "nodes of Pig"], rows)


def star() -> str:
    positions = [
        ("race, 5 plies", "race", 5),
        ("Pig, 7 plies", "pig", 7),
        ("random tree, 3 moves × 3 outcomes", dice_tree(3, 3), None),
        ("random tree, 6 moves × 3 outcomes", dice_tree(6, 3), None),
    ]
    rows = [
        ("expectiminimax", "expectiminimax", {}),
        ("Star1", "expectiminimax", {"pruning": "star1"}),
        ("Star2", "expectiminimax", {"pruning": "star2"}),
    ]
    return table(
        ["nodes", *(name for name, _, _ in positions)],
        [[label, *(find(search, p, **options).nodes for p in positions)] for label, search, options in rows],
    )


def dice_tree(moves: int, outcomes: int) -> str:
    """A random tree of two moves, each followed by a roll, as text; its ends lie between −9 and 9."""
    dice = random.Random(1983)

    def grow(movers: Sequence[str]) -> Any:
        if not movers:
            return dice.randint(-9, 9)
        rolls = [{"chance": [[1 / outcomes, grow(movers[1:])] for _ in range(outcomes)]} for _ in range(moves)]
        return {movers[0]: rolls}

    return str(grow(["max", "min", "max"]))


def ordering() -> str:
    names = ("winning", "killers", "history", "killers,history", "best")
    rows: list[tuple[str, str, dict[str, Any]]] = [("no rule", "alphabeta", {})]
    rows += [(f'`"{name}"`', "alphabeta", {"order": name}) for name in names]
    return effect(rows)


def deepening() -> str:
    deep = {"deepen": True}
    return effect(
        [
            ("one search to the depth", "alphabeta", {}),
            ("deepening", "alphabeta", deep),
            ('deepening, `order="previous"`', "alphabeta", {**deep, "order": "previous"}),
            ('deepening, `order="best"`, table', "alphabeta", {**deep, "order": "best", "table": True}),
        ]
    )


def zero_window() -> str:
    rows: list[list[Any]] = []
    questions: list[tuple[str, Callable[[float], float | None]]] = [
        ("the full window: what is V?", lambda _: None),
        ("is V ≥ v? (yes)", lambda v: v),
        ("is V ≥ v + 0.1? (no)", lambda v: v + 0.1),
    ]
    for label, question in questions:
        row: list[Any] = [label]
        for position in FOUR:
            value = find("alphabeta", position).value
            bound = question(value)
            game, depth = z.load(position[1]), position[2]
            found = z.alphabeta(game, depth=depth) if bound is None else z.zero_window(game, bound, depth=depth)
            assert bound is None or (found.value >= bound) == (value >= bound)
            row.append(found.nodes)
        rows.append(row)
    return table(["nodes", *(name for name, _, _ in FOUR)], rows)


def pvs() -> str:
    full = {"order": "best", "table": True, "deepen": True}
    return effect(
        [
            ("alpha-beta, the game's order", "alphabeta", {}),
            ("PVS, the game's order", "pvs", {}),
            ('alpha-beta, `order="best"`', "alphabeta", {"order": "best"}),
            ('PVS, `order="best"`', "pvs", {"order": "best"}),
            ("alpha-beta, best order, deepening, table", "alphabeta", full),
            ("PVS, best order, deepening, table", "pvs", full),
        ]
    )


def transpositions() -> str:
    rows: list[tuple[str, str, dict[str, Any]]] = [("alpha-beta, no table", "alphabeta", {})]
    rows += [(f"a table of {size:,}", "alphabeta", {"table": size}) for size in (10, 100, 1_000)]
    rows.append(("a table of 1,000,000", "alphabeta", {"table": True}))
    return effect(rows)


def null_move() -> str:
    rows: list[tuple[str, str, dict[str, Any]]] = [("alpha-beta", "alphabeta", {})]
    rows += [(f"null move, reduction {r}", "alphabeta", {"null_move": r}) for r in (1, 2, 3)]
    return with_values(rows, (CONNECT4, HEXAPAWN, HEX))


def multi_probcut() -> str:
    game, depth = z.load("othello:size=6"), 7
    pairs = measure_pairs(game, depth=5, positions=60)
    plain = z.alphabeta(game, depth=depth)
    rows = [("alpha-beta", f"{plain.nodes:,}", f"{plain.value:+.3f}")]
    for risk in (2, 1.5, 1, 0.5):
        found = z.alphabeta(game, depth=depth, probcut=ProbCut(pairs, risk))
        rows.append((f"Multi-ProbCut, risk {risk:g}", f"{found.nodes:,}", f"{found.value:+.3f}"))
    return table(["Othello 6 × 6, 7 plies", "nodes", "value"], rows)


def quiescence() -> str:
    rows = []
    for depth in range(1, 8):
        plain = measured("alphabeta", FIGHT, depth)
        quiet = measured("alphabeta", FIGHT, depth, quiescence=True)
        rows.append((depth, plain.nodes, f"{plain.value:+.3f}", quiet.nodes, f"{quiet.value:+.3f}"))
    return table(["plies", "nodes", "value", "nodes with quiescence", "value"], rows)


def extensions() -> str:
    base = {"table": True, "deepen": True, "order": "best"}
    rows: list[tuple[str, str, dict[str, Any]]] = [("PVS, best order, deepening, table", "pvs", base)]
    rows += [
        (f'`extensions="{name}"`', "pvs", {**base, "extensions": name})
        for name in ("check", "single", "recapture", "singular", "check,single,recapture,singular")
    ]
    return with_values(rows, (HEXAPAWN, ("a fight in it, 6 plies", FIGHT, 6), CONNECT4))


def mtdf() -> str:
    base = {"order": "best", "table": True, "deepen": True}
    return effect(
        [
            ("alpha-beta, best order, deepening, table", "alphabeta", base),
            ("PVS, the same", "pvs", base),
            ("MTD(f), the same", "mtdf", base),
        ]
    )


def combinations() -> list[tuple[str, str, dict[str, Any]]]:
    full: dict[str, Any] = {"order": "best", "table": True, "deepen": True}
    return [
        ("minimax", "minimax", {}),
        ("alpha-beta", "alphabeta", {}),
        ("+ move ordering", "alphabeta", {"order": "best"}),
        ("+ transposition table", "alphabeta", {"order": "best", "table": True}),
        ("+ iterative deepening", "alphabeta", full),
        ("+ zero windows (PVS)", "pvs", full),
        ("PVS without ordering", "pvs", {**full, "order": ""}),
        ("PVS without the table", "pvs", {**full, "table": False}),
        ("PVS without deepening", "pvs", {**full, "deepen": False}),
    ]


def together() -> str:
    return effect(combinations())


def signature() -> int:
    """The nodes of the table `together`, added up: a number that moves if a search does."""
    return sum(find(search, position, **options).nodes for _, search, options in combinations() for position in FOUR)


TABLES: dict[str, Callable[[], str]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        minimax, negamax, maxn, alphabeta, alphabeta_bounds, cutoff, expectiminimax, star, ordering, deepening,
        zero_window, pvs, transpositions, null_move, multi_probcut, quiescence, extensions, mtdf, together,
    )
}  # fmt: skip


def source(file: str, function: str) -> str:
    """The lines of a function of `src/zermelo/search/`, without the remarks for the linter."""
    text = (SEARCH / file).read_text(encoding="utf-8")
    (found,) = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name == function)
    code = ast.get_source_segment(text, found)
    assert code is not None
    return "".join(f"{re.sub(r'  # noqa.*', '', line)}\n" for line in code.splitlines())


def include(text: str) -> str:
    """A page with each of its sources as it is now."""
    return SOURCE.sub(lambda found: f"{found[1]}\n```python\n{source(found[2], found[3])}```\n\n{found[4]}", text)


def fill(text: str) -> str:
    """A page with each of its tables and sources made anew."""
    return MARK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n{found[3]}", include(text))


def pages() -> list[Path]:
    """Every page that has a table or a source."""
    texts = ((page, page.read_text(encoding="utf-8")) for page in sorted(HERE.rglob("*.md")))
    return [page for page, text in texts if MARK.search(text) or SOURCE.search(text)]


def main() -> None:
    if sys.argv[1:] == ["--signature"]:
        print(signature())
        return
    for page in pages():
        text = page.read_text(encoding="utf-8")
        page.write_text(fill(text), encoding="utf-8")
        print(page.relative_to(HERE))


if __name__ == "__main__":
    main()
