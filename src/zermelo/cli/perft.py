"""`zermelo perft`: how many positions a game has at a depth, the classic test of rules."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress, warnings_said
from zermelo.cli._options import Start, find_start, game_argument, position_options
from zermelo.errors import RefusedError
from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.engine.compiled import Perft


class Counter:
    """Counts the positions of one game, natively if its rules compile."""

    def __init__(self, game: Game):
        self.game = game
        from zermelo.engine import compile_or_none

        with warnings_said():
            self.compiled = compile_or_none(game)

    @property
    def is_native(self) -> bool:
        return self.compiled is not None

    def count(self, state: Any, depth: int) -> Perft:
        """The size of the tree below `state`."""
        from zermelo.engine.interpreted import give_up, interpreted_perft

        if self.compiled is not None:
            try:
                return self.compiled.perft(state, depth)
            except RefusedError as error:
                with warnings_said():
                    give_up(self.compiled, error)
                self.compiled = None
        return interpreted_perft(self.game, state, depth)


@click.command()
@game_argument
@click.argument("depth", metavar="DEPTH", type=click.IntRange(0, 1_000_000))
@position_options
@click.option("--divide", is_flag=True, help="The count below each move, too.")
@answers
def command(game: str, depth: int, moves: str | None, position: str | None, divide: bool) -> Answer:
    """Count the positions exactly DEPTH plies below a position of GAME.

    Paths are counted, so that a position reached in two ways counts twice. In chess and Chinese chess they go on after
    a draw by rule, as in other programs. Rules that compile are counted natively.
    """
    start = find_start(game, moves, position)
    counter = Counter(start.game)
    began = time.perf_counter()
    with progress(f"counting {start.game.name} to depth {depth}"):
        divided = divide_below(counter, start, depth) if divide else None
        nodes = counter.count(start.state, depth).leaves if divided is None else sum(divided.values())
    seconds = time.perf_counter() - began
    data: dict[str, Any] = {"game": start.game.name, "depth": depth, "nodes": nodes, "seconds": seconds}
    data |= {"compiled": counter.is_native} | ({} if divided is None else {"divide": divided})
    return Answer(data, lambda: tell(data))


def divide_below(counter: Counter, start: Start, depth: int) -> dict[str, int] | None:
    """The count below each action; nothing to divide at depth 0 and at the end of a game."""
    game, state = start.game, start.state
    if depth == 0 or game.is_terminal(state):
        return None
    return {
        game.show_action(state, a): counter.count(game.result(state, a), depth - 1).leaves for a in game.actions(state)
    }


def tell(data: dict[str, Any]) -> str:
    lines = [f"{action}: {count:,}" for action, count in data.get("divide", {}).items()]
    speed = f", {data['nodes'] / data['seconds']:,.0f} a second" if data["seconds"] >= 0.001 else ""
    how = "compiled" if data["compiled"] else "interpreted"
    return "\n".join([*lines, f"{data['nodes']:,} positions at depth {data['depth']} ({how}{speed})"])
