"""The drawings of the docs, each made by a trace of ours: `make pictures` writes them into docs/pictures/."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import zermelo as z
from zermelo.search.probcut import ProbCut, measure_pairs

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "pictures"

TWO_PLY = z.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
UNEVEN = z.Tree(
    {
        "name": "s0",
        "max": {
            "left": {"name": "s1", "min": [7, -6, 4]},
            "middle": {"name": "s2", "min": [3, 9]},
            "right": {"name": "s3", "min": [-10, 2]},
        },
    }
)
FOUR_LAYERS = z.Tree([[[-1, 4], [2, 6]], [[-3, -5], [0, 7]]])
EIGHT_STEPS = z.Tree([[[2, 3], [5, 9]], [[0, 1], [7, 5]]])
DEEP_CUT = z.Tree({"max": [5, {"min": [{"max": [{"min": [4, 99]}]}]}]})
DEEPER_TREE = z.Tree(
    {"max": [{"name": "n1", "min": [{"max": [{"min": [3, 17]}, {"min": [2, 12]}]}, {"max": [15, 99, 98]}]}]}
)
THREE_PLAYERS = z.Tree(
    {
        "player": 0,
        "children": [
            {
                "player": 1,
                "children": [
                    {"player": 2, "children": [{"payoffs": [3, 2, 1]}, {"payoffs": [1, 4, 2]}]},
                    {"player": 2, "children": [{"payoffs": [5, 1, 3]}, {"payoffs": [2, 6, 0]}]},
                ],
            },
            {
                "player": 1,
                "children": [
                    {"player": 2, "children": [{"payoffs": [4, 0, 4]}, {"payoffs": [0, 3, 3]}]},
                    {"player": 2, "children": [{"payoffs": [6, 2, 1]}, {"payoffs": [2, 3, 5]}]},
                ],
            },
        ],
    }
)
SHALLOW = z.Tree(
    [
        {"estimate": 1, "min": [1, 4, 6]},
        {"estimate": 2, "min": [2, 5, 14]},
        {"estimate": 4, "min": [3, 12, 8]},
    ]
)
EVALUATED = z.Tree(
    [{"estimate": 4, "min": [3, 12, 8]}, {"estimate": 6, "min": [2, 4, 6]}, {"estimate": 1, "min": [14, 5, 2]}]
)
ZERO_WINDOW = z.Tree([[3, 5], [4, 9]])
WORST_ORDER = z.Tree([[14, 5, 2], [6, 4, 2], [12, 8, 3]])
BEST_ORDER = z.Tree([[3, 8, 12], [2, 4, 6], [2, 5, 14]])


def with_dice(one: int, two: int, three: int, four: int) -> z.Tree:
    """The lecture's tree for expectations: both moves end in a roll, nine to one."""
    left = {"chance": [[0.9, {"min": [two, two]}], [0.1, {"min": [three, three]}]]}
    right = {"chance": [[0.9, {"min": [one, one]}], [0.1, {"min": [four, four]}]]}
    return z.Tree({"max": [left, right]})


STARS = z.Tree(
    {
        "max": [
            {"chance": [[0.5, {"min": [6, 8]}], [0.5, {"min": [5, 9]}]]},
            {"chance": [[0.5, {"min": [1, 7]}], [0.5, {"min": [3, 4]}]]},
        ]
    },
    bounds=(-10, 10),
)


def example(name: str) -> ModuleType:
    """A script of examples/ as a module."""
    spec = importlib.util.spec_from_file_location(name, HERE.parent / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Drawn(NamedTuple):
    """A search, and the step that its drawing shows."""

    trace: z.Trace
    step: int

    def svg(self) -> str:
        return self.trace.svg(self.step)


def draw(search: Callable[..., z.Analysis], game: z.Game, state: Any = None, before: str = "", **options: Any) -> Drawn:
    """The tree as the search leaves it, or as it is just before the first event of a kind."""
    trace: z.Trace = search(game, state, trace=True, **options).trace
    kinds = [event["event"] for event in trace.events]
    return Drawn(trace, kinds.index(before) if before else len(kinds))


def like_the_centre(states: list[Any]) -> tuple[list[dict[int, float]], list[float]]:
    """What a network might say that knows one thing about tic-tac-toe."""
    return [{4: 3.0} | {cell: 1.0 for cell in range(9) if cell != 4} for _ in states], [0.0] * len(states)


def drawn() -> dict[str, Drawn]:
    """The search that each drawing shows, by the name of its file."""
    horizon = example("horizon")
    nim = z.load("nim:heaps=1/1/1")
    hexapawn = z.load("hexapawn:columns=3,rows=5")
    ahead = hexapawn.read(".bb/b../..w/.../ww. b")
    othello = z.load("othello:size=4")
    return {
        "minimax": draw(z.minimax, TWO_PLY),
        "minimax-uneven": draw(z.minimax, UNEVEN),
        "minimax-four-layers": draw(z.minimax, FOUR_LAYERS),
        "negamax": draw(z.negamax, TWO_PLY),
        "maxn": draw(z.maxn, THREE_PLAYERS),
        "alphabeta": draw(z.alphabeta, TWO_PLY),
        "alphabeta-eight-steps": draw(z.alphabeta, EIGHT_STEPS),
        "alphabeta-hard": draw(z.alphabeta, EIGHT_STEPS, hard=True),
        "alphabeta-deeper": draw(z.alphabeta, DEEPER_TREE),
        "alphabeta-deep-cut": draw(z.alphabeta, DEEP_CUT),
        "cutoff": draw(z.h_minimax, EVALUATED, depth=1),
        "expectiminimax": draw(z.expectiminimax, with_dice(1, 2, 3, 4)),
        "expectiminimax-relabelled": draw(z.expectiminimax, with_dice(1, 20, 30, 400)),
        "star1": draw(z.expectiminimax, STARS, pruning="star1"),
        "star2": draw(z.expectiminimax, STARS, pruning="star2"),
        "ordering-worst": draw(z.alphabeta, WORST_ORDER),
        "ordering-best": draw(z.alphabeta, BEST_ORDER),
        "deepening": draw(z.alphabeta, SHALLOW, deepen=True, order="previous"),
        "zero-window": draw(z.pvs, ZERO_WINDOW, view="mover", before="research"),
        "pvs": draw(z.pvs, TWO_PLY),
        "table": draw(z.minimax, nim, table=True),
        "null-move": draw(z.alphabeta, hexapawn, ahead, depth=3, null_move=True),
        "multi-probcut": draw(z.alphabeta, othello, depth=4, probcut=ProbCut(measure_pairs(othello, depth=5), risk=1)),
        "horizon": draw(z.alphabeta, horizon.EXCHANGE, depth=1),
        "quiescence": draw(z.alphabeta, horizon.EXCHANGE, depth=1, quiescence=True),
        "delay": draw(z.alphabeta, horizon.DELAY, depth=3),
        "extensions": draw(z.alphabeta, horizon.DELAY, depth=3, extensions="single"),
        "mtdf": draw(z.mtdf, TWO_PLY),
        "mcts": draw(z.mcts, TWO_PLY, simulations=12, solver=False),
        "puct": draw(z.mcts, z.load("tictactoe"), simulations=14, evaluator=like_the_centre, solver=False),
    }


def pictures() -> dict[str, str]:
    """Every drawing by the name of its file."""
    return {name: each.svg() for name, each in drawn().items()}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    drawings = pictures()
    for name, svg in drawings.items():
        (FOLDER / f"{name}.svg").write_text(f"{svg}\n", encoding="utf-8")
    for old in FOLDER.glob("*.svg"):
        if old.stem not in drawings:
            old.unlink()
    print(f"{len(drawings)} drawings in docs/pictures/")


if __name__ == "__main__":
    main()
