"""What an evaluation learns from: features of quiet positions, and how the games ended in which they stood.

Everything is seen from player 0. A result is a share: 1 where player 0 got the greatest utility there is, 0 where it
got the least. A position is quiet if nobody is in check and the action that was chosen is not noisy: elsewhere a search
looks further before it asks the evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import ContractError, InputError, MethodError, OptionError
from zermelo.game import Game
from zermelo.learn.rows import BATCH, Row, find_files, read_facts, read_rows

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Told = Callable[[int], None]
"""Told how many positions there are so far."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions: a row of features each, with what is known about it."""

    features: csr_array[Any, tuple[int, int]]
    results: np.ndarray[Any, Any]
    values: np.ndarray[Any, Any]
    """What the search expected for player 0, in utilities; not a number where it said nothing."""
    games: np.ndarray[Any, Any]
    """From which game each is, in numbers from 0."""
    facts: dict[str, str]
    """What the first file says of its making."""

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def read(
        cls,
        game: Game,
        paths: list[str],
        *,
        quiet: bool = True,
        undecided: float = math.inf,
        told: Told = lambda _: None,
    ) -> Samples:
        """The samples in files of self-play.

        `quiet` leaves out positions that are not; `undecided` those which the search valued at more than so much, in
        utilities, above or below a draw: they say little, and in long games they are many.
        """
        check_fit(game)
        if not undecided > 0:
            raise OptionError(f"undecided must be a utility above 0, not {undecided:g}")
        files = find_files(paths)
        numbers: dict[tuple[str, int], int] = {}
        blocks: list[Any] = []
        columns: list[tuple[float, float, int]] = []
        rows = (row for file in files for row in read_rows(file))
        while batch := list(islice(rows, BATCH)):
            states = []
            for row, state in _usable(game, batch, quiet, undecided):
                states.append(state)
                folder = row.where.rpartition(", row ")[0].rpartition("/")[0]
                number = numbers.setdefault((folder, row.game), len(numbers))
                columns.append((_share(game, row), _for_first(game, row), number))
            if states:
                blocks.append(features_of(game, states, blocks[0].shape[1] if blocks else None))
            told(len(columns))
        if not columns:
            raise InputError(
                f"there is nothing to learn from in {', '.join(paths)}: no quiet position of a known result"
            )
        results, values, games = (np.array(column) for column in zip(*columns, strict=True))
        return cls(_stack(blocks), results, values, games, read_facts(files[0]))


def check_fit(game: Game) -> None:
    """Refuses a game that has nothing to weigh, or no two sides to tell apart."""
    if not game.can("features"):
        raise MethodError(f"{game.name} has no features to weigh: write `def features(self, s)` in the class")
    if not game.kind.scalar:
        raise MethodError(
            f"{game.name} is not for one or two players with a constant sum, so one number does not tell who is ahead"
        )
    low, high = game.bounds
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise MethodError(
            f"{game.name} has no finite `bounds`, so a result is no share of them: state them in the class"
        )


def features_of(game: Game, states: list[Any], width: int | None) -> Any:
    """Features of `states` as a sparse block of `width` columns, if that is known."""
    from scipy.sparse import csr_array

    try:
        block = np.asarray(game.features_of(states), np.float64)
    except (TypeError, ValueError) as error:
        raise ContractError(
            f"`features` of {game.name} must give the same number of numbers always: {error}"
        ) from error
    if block.ndim != 2 or (width is not None and block.shape[1] != width) or not np.isfinite(block).all():
        raise ContractError(
            f"`features` of {game.name} must give finite numbers, always as many; `zermelo check` finds where"
        )
    return csr_array(block)


def _usable(game: Game, rows: list[Row], quiet: bool, undecided: float) -> Iterator[tuple[Row, Any]]:
    checks, noise = quiet and game.can("is_check"), quiet and game.can("is_noisy")
    for row in rows:
        if row.result is None or (row.value is not None and abs(row.value - game.neutral) > undecided):
            continue
        if not 0 <= row.mover < game.players:
            raise InputError(f"{row.where}: player {row.mover} does not play {game.name}")
        try:
            state = game.read(row.position)
        except InputError as error:
            raise InputError(f"{row.where}: {error}") from error
        if checks and game.is_check(state):
            continue
        if noise and row.action is not None and game.is_noisy(state, row.action):
            continue
        yield row, state


def _for_first(game: Game, row: Row) -> float:
    """The search's value of a row for player 0."""
    return math.nan if row.value is None else _of_first(game, row.mover, row.value)


def _share(game: Game, row: Row) -> float:
    low, high = game.bounds
    assert row.result is not None
    share = (_of_first(game, row.mover, row.result) - low) / (high - low)
    if not 0 <= share <= 1:
        raise InputError(f"{row.where}: a result of {row.result} is not within the bounds of {game.name}")
    return share


def _of_first(game: Game, mover: int, utility: float) -> float:
    if mover == 0:
        return utility
    assert game.utility_sum is not None
    return game.utility_sum - utility


def _stack(blocks: list[Any]) -> Any:
    from scipy.sparse import vstack

    return vstack(blocks, format="csr")
