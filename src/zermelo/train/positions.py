"""The few fixed positions of a training: what the networks of its generations say about them can be compared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo.game.contract import Game, S

SHOWN_PLIES = (0, 4, 8, 12, 16, 20)
"""They lie so many plies into a random game."""


def draw_line(game: Game[S, int], seed: int) -> list[int]:
    """The actions of a random game, up to the last of the positions."""
    state = game.initial()
    line: list[int] = []
    chance = np.random.default_rng(seed)
    while len(line) < max(SHOWN_PLIES) and not game.is_terminal(state):
        actions = list(game.actions(state))
        line.append(int(actions[chance.integers(len(actions))]))
        state = game.result(state, line[-1])
    return line


def shown_states(game: Game[S, int], line: Sequence[int]) -> list[S]:
    """The positions on the way along `line` that are not its end."""
    state, found = game.initial(), []
    for ply in range(len(line) + 1):
        if game.is_terminal(state):
            break
        if ply in SHOWN_PLIES:
            found.append(state)
        if ply < len(line):
            state = game.result(state, line[ply])
    return found
