"""Connect Four: how often a best move is found in random undecided positions, with and without a network.

    python bench/connect4_moves.py --network connect4.safetensors
    python bench/connect4_moves.py --network connect4.safetensors --positions 200 --nodes 20000
    python bench/connect4_moves.py --network connect4.safetensors --random 500
    python bench/connect4_moves.py --make 2000                       makes bench/suites/connect4.txt anew

The positions lie 8 to 24 random plies into a game; nobody wins in one, and the actions are not all worth the same. What
each is worth is proved by the engine, and stands in the suite. A move is right if it is worth as much as the best. In
about half of all positions every move is: `--random` takes these, too, and proves each position and the move played.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.analysis import Limits
from zermelo.engine.engine import Engine
from zermelo.engine.network import read_network, with_network, without_network
from zermelo.engine.searcher import Searcher
from zermelo.game import AnyGame
from zermelo.games import load

SUITE = Path(__file__).parent / "suites" / "connect4.txt"
LEAST_PLIES, MOST_PLIES = 8, 24
RANDOM_SEED = 7
SAID_EVERY = 20
VALUES = {"-": -1.0, "=": 0.0, "+": 1.0, ".": None}
"""How the suite writes what the move in a column is worth to who makes it; a dot where the column is full."""


def random_position(game: AnyGame, dice: random.Random) -> Any:
    """A position of a random game in which nobody wins with the next move; `None` if the game was over before."""
    state = game.initial()
    for _ in range(dice.randint(LEAST_PLIES, MOST_PLIES)):
        if game.is_terminal(state):
            return None
        state = game.result(state, dice.choice(list(game.actions(state))))
    if game.is_terminal(state):
        return None
    mover = game.player(state)
    children = [game.result(state, a) for a in game.actions(state)]
    won = any(game.is_terminal(child) and game.utility(child, mover) > 0 for child in children)
    return None if won else state


def prove_actions(engine: Engine[Any], state: Any) -> dict[int, float]:
    """What every action is worth to who makes it."""
    game = engine.game
    values = {}
    for a in game.actions(state):
        child = game.result(state, a)
        over = game.is_terminal(child)
        value = game.utility(child, game.player(state)) if over else -engine.prove(child).value
        values[a] = float(value)
    return values


def prove_text(text: str) -> str:
    """A line of the suite: the position and what each column is worth; empty if that is the same everywhere."""
    engine = solver()
    values = prove_actions(engine, engine.game.read(text))
    signs = {value: sign for sign, value in VALUES.items()}
    worth = "".join(signs[values.get(column)] for column in range(7))
    return f"{text} {worth}" if len(set(values.values())) > 1 else ""


@functools.cache
def solver() -> Engine[Any]:
    return Engine(without_network(load("connect4")), table_mb=512, exact=True, quick=False)


def random_texts(seed: int) -> Iterator[str]:
    """Random positions without end, none of them twice."""
    game, dice = without_network(load("connect4")), random.Random(seed)
    seen = set()
    while True:
        state = random_position(game, dice)
        if state is not None and game.write(state) not in seen:
            seen.add(game.write(state))
            yield game.write(state)


def make(count: int, processes: int, seed: int = 1) -> None:
    """Writes the suite, line by line."""
    texts, found = random_texts(seed), 0
    with ProcessPoolExecutor(processes) as pool, SUITE.open("w", encoding="utf-8") as file:
        while found < count:
            for line in pool.map(prove_text, islice(texts, 4 * processes)):
                if line and found < count:
                    file.write(line + "\n")
                    found += 1
            file.flush()


def share_right(game: AnyGame, suite: list[tuple[Any, str]], limits: dict[str, Any]) -> float:
    """The share of positions in which the default player of the game plays a best move."""
    searcher: Searcher[Any, int] = Searcher(game, table_mb=16)
    right = 0
    for state, worth in suite:
        searcher.clear()
        played = searcher.search(state, Limits(**limits)).action
        values = [VALUES[sign] for sign in worth]
        right += values[played] == max(value for value in values if value is not None)
    return right / len(suite)


def share_right_at_random(game: AnyGame, count: int, limits: dict[str, Any]) -> float:
    """The same in any random positions; says how it stands from time to time."""
    searcher: Searcher[Any, int] = Searcher(game, table_mb=16)
    rules, right = solver().game, 0
    for tried, text in enumerate(islice(random_texts(RANDOM_SEED), count), start=1):
        state = rules.read(text)
        searcher.clear()
        child = rules.result(state, searcher.search(game.read(text), Limits(**limits)).action)
        over = rules.is_terminal(child)
        value = rules.utility(child, rules.player(state)) if over else -solver().prove(child).value
        right += value == 1 or value == solver().prove(state).value
        if tried % SAID_EVERY == 0:
            print(f"{right} of {tried}", file=sys.stderr, flush=True)
    return right / count


def main() -> None:
    asked = arguments(
        __doc__,
        network=("", "the network; none measures the others alone"),
        positions=(2000, "positions of the suite"),
        seconds=(0.1, "of a move"),
        nodes=(0, "of a move, in place of seconds"),
        random=(0, "random positions in place of the suite"),
        make=(0, "make the suite again, with so many positions"),
        processes=(1, "that make it"),
    )
    if asked.make:
        make(asked.make, asked.processes)
        return
    game = without_network(load("connect4"))
    lines = SUITE.read_text(encoding="utf-8").splitlines()[: asked.positions]
    suite = [(game.read(text), worth) for text, worth in map(str.split, lines)]
    limits: dict[str, Any] = {"nodes": asked.nodes} if asked.nodes else {"seconds": asked.seconds}
    players = {"the game's own evaluation": game}
    if asked.network:
        players = {"network": with_network(game, read_network(asked.network)), **players}
    if asked.random:
        shares = {name: share_right_at_random(player, asked.random, limits) for name, player in players.items()}
    else:
        shares = {name: share_right(player, suite, limits) for name, player in players.items()}
    budget = f"{asked.nodes:,} nodes" if asked.nodes else f"{asked.seconds:g} s"
    rows = [[name, f"{share:.1%}"] for name, share in shares.items()]
    count = asked.random or len(suite)
    data = {"positions": count, **limits, "shares": shares}
    answer(asked, data, table([f"{count:,} positions, {budget} a move", "best moves"], rows))


if __name__ == "__main__":
    main()
