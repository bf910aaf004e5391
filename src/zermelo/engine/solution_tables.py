"""Where a solution keeps its positions: in the core, for compiled rules, or in a dictionary of Python.

Games without chance have a payoff and a distance at every position, from retrograde analysis; games with chance an
expected value, from value iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol

import numpy as np

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.core import _core
from zermelo.engine.outcomes import preference
from zermelo.engine.rules import layout
from zermelo.engine.rules.reach import Reach
from zermelo.engine.solution_file import (
    CHANCE_MOVES,
    NOBODY,
    Block,
    Contents,
    damaged,
    decode_ranks,
    encode_ranks,
    payoff_columns,
    read_outcomes,
    value_columns,
    valued_outcome,
)
from zermelo.errors import CompileError, ContractError, InputError, MethodError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.search.retrograde import Outcome, Solved

BLOCK_POSITIONS = 1 << 21
"""The approximate number of positions that are sorted and compressed together."""


class Counts(NamedTuple):
    """The number of positions by outcome, from the view of the player to move."""

    wins: int
    """Worth more than a draw to the player to move."""
    draws: int
    losses: int
    ends: int
    """Positions in which the game is over and nobody moves."""
    rolls: int = 0
    """Positions in which chance moves."""


class Table(Protocol[S, A]):
    """All positions of a solution, with their outcomes."""

    error: float
    """The greatest error of any value."""

    def __len__(self) -> int: ...

    def find(self, state: S) -> Outcome | None:
        """Returns the outcome of `state`; `None` if it is not among the positions."""

    def children(self, state: S) -> list[tuple[A, Outcome | None]]:
        """Each action of `state`, in order, with the outcome of the position after it."""

    def states(self) -> Iterator[S]: ...

    def counts(self) -> Counts: ...

    def contents(self) -> Contents:
        """The whole table, for a file."""

    def agrees(self, samples: int) -> bool:
        """Whether the rules agree with about `samples` of the positions."""


def identify(game: AnyGame) -> str:
    """Returns what identifies `game`: its name, its facts, its options, and its first position.

    The code of its rules is not included, as it changes with every version of Python; `Table.agrees` checks a
    solution against the rules themselves.
    """
    facts = (game.name, game.players, game.utility_sum, game.bounds, game.repetition, game.write(game.initial()))
    options = Reach(game, sorted(name for name in vars(game) if not name.startswith("__")))
    return options.fingerprint(*facts) if options.cacheable else Reach(game, ()).fingerprint(*facts)


def segments_of(positions: int) -> Iterator[tuple[int, int]]:
    """The segments of the core that make one block each.

    Larger blocks of sorted states compress better, but a block must fit into memory when it is read.
    """
    together = max(1, _core.SOLUTION_SEGMENTS * BLOCK_POSITIONS // max(positions, BLOCK_POSITIONS))
    for start in range(0, _core.SOLUTION_SEGMENTS, together):
        yield start, min(start + together, _core.SOLUTION_SEGMENTS)


def unpack_states(compiled: CompiledGame[S], root: bytes, places: list[int], blocks: Iterable[Block]) -> Iterator[S]:
    """Every state of `blocks`, which hold the bytes at `places`."""
    width = len(places)
    state = bytearray(root)
    for block in blocks:
        for row in range(len(block.codes)):
            for i, place in enumerate(places):
                state[place] = block.states[row * width + i]
            yield compiled.unpack(bytes(state))


@contextmanager
def refusing_damage(path: str | Path) -> Iterator[None]:
    """Turns the errors that a damaged file causes in the core into the `InputError` for it."""
    try:
        yield
    except InputError:
        raise
    except (TypeError, ValueError, _core.RuleError) as error:
        raise damaged(path) from error


class NativeTable(Generic[S]):
    """Positions in the core, of a game without chance."""

    error = 0.0

    def __init__(self, compiled: CompiledGame[S], core: _core.Solution, root: bytes):
        self.compiled = compiled
        self.core = core
        self.root = root
        players = compiled.game.players
        self.payoffs: list[tuple[float, ...]] = [pair[:players] for pair in core.payoffs]

    @classmethod
    def load(cls, compiled: CompiledGame[S], contents: Contents, path: str | Path) -> NativeTable[S]:
        with refusing_damage(path):
            core = _core.Solution(compiled.handle, contents.root, contents.places, contents.payoffs, contents.draw)
            whole = all(
                core.absorb(block.states, *(column.tobytes() for column in decode_ranks(block)))
                for block in contents.blocks
            )
            if not whole or len(core) != contents.positions:
                raise damaged(path)
        return cls(compiled, core, contents.root)

    def __len__(self) -> int:
        return len(self.core)

    def _outcome(self, found: _core.SolvedPosition | None) -> Outcome | None:
        if found is None:
            return None
        return Outcome(None if found.mover == NOBODY else found.mover, self.payoffs[found.rank], found.distance)

    def find(self, state: S) -> Outcome | None:
        return self._outcome(self.compiled.guard(self.core.find, self.compiled.pack(state)))

    def children(self, state: S) -> list[tuple[Any, Outcome | None]]:
        found = self.compiled.guard(self.core.children, self.compiled.pack(state))
        return [(action, self._outcome(outcome)) for action, outcome in found]

    def states(self) -> Iterator[S]:
        return unpack_states(self.compiled, self.root, self.core.places, self.contents().blocks)

    def counts(self) -> Counts:
        return Counts(*self.core.counts())

    def contents(self) -> Contents:
        game, core = self.compiled.game, self.core
        parts = (core.block(*segments) for segments in segments_of(len(core)))
        blocks = (Block(states, *encode_ranks(ranks, distances)) for states, ranks, distances in parts)
        return Contents(game.name, identify(game), self.root, core.places, core.payoffs, core.draw, len(core), blocks)

    def agrees(self, samples: int) -> bool:
        return self.compiled.guard(self.core.agrees, samples)


class NativeValueTable(Generic[S]):
    """Positions in the core, of a game with chance."""

    def __init__(self, compiled: CompiledGame[S], core: _core.ValueSolution, root: bytes):
        self.compiled = compiled
        self.core = core
        self.root = root
        self.error = core.error

    @classmethod
    def load(cls, compiled: CompiledGame[S], contents: Contents, path: str | Path) -> NativeValueTable[S]:
        if contents.error is None:
            raise damaged(path)
        with refusing_damage(path):
            core = _core.ValueSolution(compiled.handle, contents.root, contents.places, contents.error)
            whole = all(
                int(block.codes.max(initial=0)) <= CHANCE_MOVES
                and core.absorb(block.states, block.codes.astype(np.uint8).tobytes(), block.numbers.tobytes())
                for block in contents.blocks
            )
            if not whole or len(core) != contents.positions:
                raise damaged(path)
        return cls(compiled, core, contents.root)

    def __len__(self) -> int:
        return len(self.core)

    def _outcome(self, found: _core.ValuedPosition | None) -> Outcome | None:
        return None if found is None else valued_outcome(self.compiled.game, found.mover, found.value)

    def find(self, state: S) -> Outcome | None:
        return self._outcome(self.compiled.guard(self.core.find, self.compiled.pack(state)))

    def children(self, state: S) -> list[tuple[Any, Outcome | None]]:
        found = self.compiled.guard(self.core.children, self.compiled.pack(state))
        return [(action, self._outcome(position)) for action, position in found]

    def states(self) -> Iterator[S]:
        return unpack_states(self.compiled, self.root, self.core.places, self.contents().blocks)

    def counts(self) -> Counts:
        tally = np.zeros(5, int)
        for block in self.contents().blocks:
            ahead = np.sign(block.numbers.view(np.float64) - self.compiled.game.neutral)
            for mover, sign in ((0, 1), (1, -1)):
                own = sign * ahead[block.codes == mover]
                tally[:3] += [(own > 0).sum(), (own == 0).sum(), (own < 0).sum()]
            tally[3:] += [(block.codes == NOBODY).sum(), (block.codes == CHANCE_MOVES).sum()]
        return Counts(*tally.tolist())

    def contents(self) -> Contents:
        game, core = self.compiled.game, self.core
        parts = (core.block(*segments) for segments in segments_of(len(core)))
        blocks = (
            Block(states, np.frombuffer(movers, np.uint8).astype(np.uint64), np.frombuffer(values, np.uint64))
            for states, movers, values in parts
        )
        return Contents(game.name, identify(game), self.root, core.places, [], 0, len(core), blocks, self.error)

    def agrees(self, samples: int) -> bool:
        return self.compiled.guard(self.core.agrees, samples)


class PythonTable(Generic[S, A]):
    """Positions in a dictionary, for games that do not compile."""

    def __init__(self, game: Game[S, A], solved: Solved, root: S, error: float = 0.0):
        self.game = game
        self.solved = solved
        self.root = root
        self.error = error

    @classmethod
    def load(cls, game: Game[S, A], contents: Contents, path: str | Path) -> PythonTable[S, A]:
        try:
            shape = layout.infer(game.initial())
        except CompileError:
            raise InputError(f"{path} is not a solution of {game.name}, whose states are of another kind") from None
        if shape.end != len(contents.root) or not all(0 <= place < shape.end for place in contents.places):
            raise damaged(path)
        solved: Solved = {}
        state = bytearray(contents.root)
        width = len(contents.places)
        try:
            for block in contents.blocks:
                for row, outcome in enumerate(read_outcomes(game, contents, block)):
                    for i, place in enumerate(contents.places):
                        state[place] = block.states[row * width + i]
                    s = shape.unpack(bytes(state))
                    solved[game.key(s)] = (s, outcome)
        except (ValueError, IndexError) as wrong:
            raise wrong if isinstance(wrong, InputError) else damaged(path) from wrong
        if len(solved) != contents.positions:
            raise damaged(path)
        return cls(game, solved, shape.unpack(contents.root), contents.error or 0.0)

    def __len__(self) -> int:
        return len(self.solved)

    def find(self, state: S) -> Outcome | None:
        found = self.solved.get(self.game.key(state))
        return None if found is None else found[1]

    def children(self, state: S) -> list[tuple[A, Outcome | None]]:
        return [(a, self.find(self.game.result(state, a))) for a in self.game.actions(state)]

    def states(self) -> Iterator[S]:
        return (state for state, _ in self.solved.values())

    def counts(self) -> Counts:
        tally = [0, 0, 0, 0, 0]
        neutral = self.game.neutral
        for _, outcome in self.solved.values():
            value = outcome.value
            won = 0 if value > neutral else 2 if value < neutral else 1
            tally[{None: 3, CHANCE: 4}.get(outcome.mover, won)] += 1
        return Counts(*tally)

    def contents(self) -> Contents:
        game = self.game
        try:
            shape = layout.infer(game.initial())
            states = [layout.pack(shape, state) for state, _ in self.solved.values()]
        except (CompileError, ContractError) as error:
            raise MethodError(f"the solution of {game.name} cannot be saved: {error}") from error
        matrix = np.frombuffer(b"".join(states), np.uint8).reshape(len(states), shape.end)
        root = layout.pack(shape, self.root)
        places = np.flatnonzero((matrix != np.frombuffer(root, np.uint8)).any(axis=0))
        outcomes = [outcome for _, outcome in self.solved.values()]
        kept, columns = (value_columns if game.kind.chance else payoff_columns)(game, outcomes)
        block = Block(matrix[:, places].tobytes(), *columns)
        within = self.error if game.kind.chance else None
        return Contents(game.name, identify(game), root, places.tolist(), *kept, len(states), [block], within)

    def agrees(self, samples: int) -> bool:
        stride = max(1, len(self.solved) // max(1, samples))
        return all(holds(self.game, self, state) for state in islice(self.states(), 0, None, stride))


def holds(game: Game[S, A], table: Table[S, A], state: S) -> bool:
    """Whether the outcome of `state` follows from the rules and those of its children, as retrograde analysis says."""
    outcome = table.find(state)
    if outcome is None:
        return False
    if game.is_terminal(state):
        return outcome == Outcome(None, game.utilities(state), 0)
    mover = game.player(state)
    after = [child for _, child in table.children(state)]
    if outcome.mover != mover or not after or None in after:
        return False
    if game.kind.chance:
        return holds_by_chance(game, table, state, outcome)
    best = max(preference(game, child, mover) for child in after if child is not None)
    value = outcome.values[mover]
    if value == game.neutral:
        return best[0] == value and outcome.distance is None
    return outcome.distance is not None and best == preference(
        game, outcome._replace(distance=outcome.distance - 1), mover
    )


def holds_by_chance(game: Game[S, A], table: Table[S, A], state: S, outcome: Outcome) -> bool:
    """Whether the value of a position that is not terminal is the mean, or the mover's best, of those after it."""
    after = {action: child.values for action, child in table.children(state) if child is not None}
    if outcome.mover == CHANCE:
        value = sum(probability * after[action][0] for action, probability in game.chances(state))
    else:
        value = max(after.values(), key=lambda values: values[outcome.mover or 0])[0]
    return abs(outcome.values[0] - value) <= 2 * table.error + 1e-12 * (1 + abs(value))
