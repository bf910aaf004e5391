"""Where a solution keeps its positions: in the core, for compiled rules, or in a dictionary of Python."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple, Protocol

from zermelo.engine.compiled import CompiledGame, _core
from zermelo.engine.rules import layout
from zermelo.engine.rules.reach import Reach
from zermelo.engine.solution_file import NO_DISTANCE, Block, Contents, damaged
from zermelo.errors import CompileError, ContractError, InputError, MethodError
from zermelo.game import Game
from zermelo.search.retrograde import Outcome, Solved

BLOCK = 1 << 21
"""Positions that are sorted and compressed together, about."""
NOBODY = 2
"""Stands for the mover where the game is over, in the core and in files."""


class Counts(NamedTuple):
    """How many positions are what, in the view of the player to move."""

    wins: int
    """Worth more than a draw to the player to move."""
    draws: int
    losses: int
    ends: int
    """Positions in which the game is over and nobody moves."""


class Table(Protocol):
    """All positions of a solution, with what they lead to."""

    def __len__(self) -> int: ...

    def find(self, state: Any) -> Outcome | None:
        """What `state` leads to; `None` if it is not among the positions."""

    def children(self, state: Any) -> list[tuple[Any, Outcome | None]]:
        """Each action of `state`, in order, with what the position after it leads to."""

    def states(self) -> Iterator[Any]: ...

    def counts(self) -> Counts: ...

    def contents(self) -> Contents:
        """All of it, for a file."""

    def agrees(self, samples: int) -> bool:
        """Whether the rules agree with about `samples` of the positions."""


def identify(game: Game) -> str:
    """What tells `game` from others: its name, its facts, its options, and its first position.

    The code of its rules is no part of it, as that changes with every version of Python; `Table.agrees` holds a
    solution against the rules themselves.
    """
    facts = (game.name, game.players, game.utility_sum, game.bounds, game.repetition, game.write(game.initial()))
    options = Reach(game, sorted(vars(game)))
    return options.fingerprint(*facts) if options.cacheable else Reach(game, ()).fingerprint(*facts)


class NativeTable:
    """Positions in the core."""

    def __init__(self, compiled: CompiledGame, core: Any, root: bytes):
        self.compiled = compiled
        self.core = core
        self.root = root
        players = compiled.game.players
        self.payoffs: list[tuple[float, ...]] = [pair[:players] for pair in core.payoffs]

    @classmethod
    def load(cls, compiled: CompiledGame, contents: Contents, path: Any) -> NativeTable:
        try:
            core = _core.Solution(compiled.handle, contents.root, contents.places, contents.payoffs, contents.draw)
            whole = all(core.absorb(*block) for block in contents.blocks)
        except (TypeError, ValueError, _core.RuleError) as error:
            raise error if isinstance(error, InputError) else damaged(path) from error
        if not whole or len(core) != contents.positions:
            raise damaged(path)
        return cls(compiled, core, contents.root)

    def __len__(self) -> int:
        return len(self.core)

    def _outcome(self, found: tuple[int, int, int | None] | None) -> Outcome | None:
        if found is None:
            return None
        mover, rank, distance = found
        return Outcome(None if mover == NOBODY else mover, self.payoffs[rank], distance)

    def find(self, state: Any) -> Outcome | None:
        return self._outcome(self.compiled.guard(self.core.find, self.compiled.pack(state)))

    def children(self, state: Any) -> list[tuple[Any, Outcome | None]]:
        found = self.compiled.guard(self.core.children, self.compiled.pack(state))
        return [(action, self._outcome(outcome)) for action, outcome in found]

    def states(self) -> Iterator[Any]:
        places, width = self.core.places, len(self.core.places)
        state = bytearray(self.root)
        for block in self.contents().blocks:
            for start in range(len(block.ranks) // 4):
                for i, place in enumerate(places):
                    state[place] = block.states[start * width + i]
                yield self.compiled.unpack(bytes(state))

    def counts(self) -> Counts:
        return Counts(*self.core.counts())

    def contents(self) -> Contents:
        game, core = self.compiled.game, self.core
        # Sorted states compress well, and the more so the more there are; but a block must fit into memory again.
        together = max(1, _core.SOLUTION_SEGMENTS * BLOCK // max(len(core), BLOCK))
        starts = range(0, _core.SOLUTION_SEGMENTS, together)
        blocks = (Block(*core.block(start, min(start + together, _core.SOLUTION_SEGMENTS))) for start in starts)
        return Contents(game.name, identify(game), self.root, core.places, core.payoffs, core.draw, len(core), blocks)

    def agrees(self, samples: int) -> bool:
        return bool(self.compiled.guard(self.core.agrees, samples))


class PythonTable:
    """Positions in a dictionary, for games that do not compile."""

    def __init__(self, game: Game, solved: Solved, root: Any):
        self.game = game
        self.solved = solved
        self.root = root

    @classmethod
    def load(cls, game: Game, contents: Contents, path: Any) -> PythonTable:
        import numpy

        try:
            shape = layout.infer(game.initial())
        except CompileError:
            raise InputError(f"{path} is not a solution of {game.name}, whose states are of another kind") from None
        if shape.end != len(contents.root) or not all(0 <= place < shape.end for place in contents.places):
            raise damaged(path)
        solved: Solved = {}
        state = bytearray(contents.root)
        width = len(contents.places)
        for block in contents.blocks:
            ranks = numpy.frombuffer(block.ranks, numpy.uint32).tolist()
            distances = numpy.frombuffer(block.distances, numpy.uint32).tolist()
            for row, (code, distance) in enumerate(zip(ranks, distances, strict=True)):
                for i, place in enumerate(contents.places):
                    state[place] = block.states[row * width + i]
                mover, rank = code >> 30, code & ((1 << 30) - 1)
                if rank >= len(contents.payoffs):
                    raise damaged(path)
                s = shape.unpack(bytes(state))
                outcome = Outcome(
                    None if mover == NOBODY else mover,
                    contents.payoffs[rank][: game.players],
                    None if distance == NO_DISTANCE else distance,
                )
                solved[game.key(s)] = (s, outcome)
        if len(solved) != contents.positions:
            raise damaged(path)
        return cls(game, solved, shape.unpack(contents.root))

    def __len__(self) -> int:
        return len(self.solved)

    def find(self, state: Any) -> Outcome | None:
        found = self.solved.get(self.game.key(state))
        return None if found is None else found[1]

    def children(self, state: Any) -> list[tuple[Any, Outcome | None]]:
        return [(a, self.find(self.game.result(state, a))) for a in self.game.actions(state)]

    def states(self) -> Iterator[Any]:
        return (state for state, _ in self.solved.values())

    def counts(self) -> Counts:
        tally = [0, 0, 0, 0]
        neutral = self.game.neutral
        for _, outcome in self.solved.values():
            value = outcome.value
            tally[3 if outcome.mover is None else 0 if value > neutral else 2 if value < neutral else 1] += 1
        return Counts(*tally)

    def contents(self) -> Contents:
        import numpy

        game = self.game
        try:
            shape = layout.infer(game.initial())
            states = [layout.pack(shape, state) for state, _ in self.solved.values()]
        except (CompileError, ContractError) as error:
            raise MethodError(f"the solution of {game.name} cannot be saved: {error}") from error
        matrix = numpy.frombuffer(b"".join(states), numpy.uint8).reshape(len(states), shape.end)
        root = layout.pack(shape, self.root)
        places = numpy.flatnonzero((matrix != numpy.frombuffer(root, numpy.uint8)).any(axis=0))
        outcomes = [outcome for _, outcome in self.solved.values()]
        draw = (game.neutral, game.neutral if game.players == 2 else 0.0)
        pairs = [(o.values[0], o.values[1] if game.players == 2 else 0.0) for o in outcomes]
        payoffs = sorted({draw, *pairs})
        ranks = {pair: rank for rank, pair in enumerate(payoffs)}
        movers = [NOBODY if o.mover is None else o.mover for o in outcomes]
        codes = [mover << 30 | ranks[pair] for mover, pair in zip(movers, pairs, strict=True)]
        distances = [NO_DISTANCE if o.distance is None else o.distance for o in outcomes]
        block = Block(
            matrix[:, places].tobytes(),
            numpy.array(codes, numpy.uint32).tobytes(),
            numpy.array(distances, numpy.uint32).tobytes(),
        )
        return Contents(game.name, identify(game), root, places.tolist(), payoffs, ranks[draw], len(states), [block])

    def agrees(self, samples: int) -> bool:
        stride = max(1, len(self.solved) // max(1, samples))
        return all(holds(self.game, self, state) for state in islice(self.states(), 0, None, stride))


def holds(game: Game, table: Table, state: Any) -> bool:
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
    best = max(preference(game, child, mover) for child in after if child is not None)
    value = outcome.values[mover]
    if value == game.neutral:
        return best[0] == value and outcome.distance is None
    return outcome.distance is not None and best == preference(
        game, outcome._replace(distance=outcome.distance - 1), mover
    )


def preference(game: Game, outcome: Outcome, player: int) -> tuple[float, int]:
    """What `player` maximises: its utility, then the haste of a gain and the slowness of a loss."""
    value = outcome.values[player]
    plies = outcome.distance or 0
    return value, -plies if value > game.neutral else plies if value < game.neutral else 0
