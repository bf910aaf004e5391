"""Strong solutions: the value of every position that can be reached, and with it a whole policy, kept in a table.

    solution = solve_strongly(game)       every position from the initial one on, natively where the rules compile
    solution.value(s), .best(s)           what s is worth to the player to move, and a best action there
    solution.save("hexapawn.solution")    and Solution.load("hexapawn.solution", game)

Games without chance are solved by retrograde analysis: also where play can repeat positions, endless play being a draw.
Games with chance are solved by value iteration, with values that are within `solution.error` of the true ones.
`zermelo.search.retrograde` and `zermelo.search.value_iteration` say what exactly is computed, and stand in for the core
where rules do not compile.

Memory. While it is solved, a position takes 26 to 30 bytes, one more for each byte in which the states differ, and 4
for each action: 46 to 48 bytes in Connect Four (69,763,700 positions of 5×5 in 3.3 GB), so that 100 million positions
need some 5 GB. A finished solution takes about 20 bytes a position, and one for each byte in which the states differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.engine.interpreted import compile_or_none, give_up
from zermelo.engine.outcomes import Choice as Choice
from zermelo.engine.outcomes import Outcomes
from zermelo.errors import ContractError, InputError, PositionError, RefusedError, UnsolvedError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.options import whole
from zermelo.search.retrograde import Outcome, check_fit, retrograde
from zermelo.search.value_iteration import check_chance_fit, undecided, value_iteration

if TYPE_CHECKING:
    from zermelo.engine.compiled import CompiledGame
    from zermelo.engine.solution_tables import Counts, Table

SAMPLES = 10_000
"""The number of positions of a file that are checked against the rules when it is loaded."""
INTERPRETED_BYTES = 1500
"""The approximate memory of a position while it is solved in Python."""
STAGES = ("exploring", "linking", "resolving")
TOLERANCE = 1e-12
"""How far the two bounds of value iteration may be apart, as a part of the range of utilities."""
MEMORY, CHANCE, UTILITIES, STEPS = range(4)
"""Why the core refuses a game (`SolveRefusal`)."""


class SolveProgress(NamedTuple):
    """The progress of a solution."""

    stage: str
    """`exploring` (finding all positions), `linking` (each to those before it) or `resolving` (from the ends back)."""
    states: int
    """Positions found so far."""
    done: int
    """Positions finished in this stage."""
    bytes: int
    """Memory that the positions found so far will take by the end."""


Report = Callable[[SolveProgress], None]
Stop = Callable[[], bool]


def solve_strongly(
    game: Game[S, A],
    state: S | None = None,
    memory_mb: int = 1024,
    threads: int = 1,
    stop: Stop | None = None,
    progress: Report | None = None,
) -> Solution[S, A]:
    """The value of every position that can be reached from `state`.

    `UnsolvedError` if they do not fit `memory_mb`, or if `stop`, called about fifty times a second, returns true;
    `MethodError` if the game is not one of two with a constant sum, or of one, without hidden information.
    """
    whole(1, 1 << 24).check("memory_mb", memory_mb)
    whole(1, 1024).check("threads", threads)
    (check_chance_fit if game.kind.chance else check_fit)(game)
    started = time.perf_counter()
    root = game.initial() if state is None else state
    compiled = compile_or_none(game)
    table: Table[S, A] | None = None
    if compiled is not None:
        try:
            table = _solve_natively(compiled, root, memory_mb, threads, stop, progress)
        except RefusedError as error:
            give_up(compiled, error)
    table = table or _solve_interpreted(game, root, memory_mb, stop, progress)
    return Solution(game, table, root, time.perf_counter() - started)


def _solve_natively(
    compiled: CompiledGame[S], root: S, memory_mb: int, threads: int, stop: Stop | None, progress: Report | None
) -> Table[S]:
    from zermelo.engine.compiled import Stopped
    from zermelo.engine.core import _core
    from zermelo.engine.solution_tables import NativeTable, NativeValueTable

    game = compiled.game
    packed = compiled.pack(root)
    solver = _core.ValueSolver(compiled.handle) if game.kind.chance else _core.Solver(compiled.handle)

    def ask() -> bool:
        if progress is not None:
            now = solver.progress
            progress(SolveProgress(STAGES[now.stage], now.states, now.done, now.memory_bytes))
        return stop is not None and stop()

    try:
        if isinstance(solver, _core.ValueSolver):
            values = compiled.guard(solver.run, packed, memory_mb << 20, TOLERANCE, ask)
            return NativeValueTable(compiled, values, packed)
        return NativeTable(compiled, compiled.guard(solver.run, packed, memory_mb << 20, threads, ask), packed)
    except Stopped:
        raise _stopped(game, solver.progress.states) from None
    except _core.UndecidedPosition as error:
        data, lower, upper = error.args
        raise undecided(game, compiled.unpack(data), lower, upper) from None
    except _core.SolveRefused as error:
        reason, data = error.args
    if reason == MEMORY:
        now = solver.progress
        raise UnsolvedError(
            f"{game.name} is not solved: {now.states:,} positions found, {now.done:,} of them looked into, and no room "
            f"for more in {memory_mb:,} MB; give memory_mb more, or a smaller game"
        )
    s = compiled.unpack(data)
    if reason == CHANCE:
        raise ContractError(f"chance moves in {s}, but {game.name} has no `chances`: it cannot be solved")
    raise ContractError(
        f"the utilities at the end {s} are {game.utilities(s)}, but utility_sum is {game.utility_sum}: mend one of them"
    )


def _solve_interpreted(
    game: Game[S, A], root: S, memory_mb: int, stop: Stop | None, progress: Report | None
) -> Table[S, A]:
    from zermelo.engine.solution_tables import PythonTable

    def report(states: int, done: int) -> None:
        if progress is not None:
            progress(SolveProgress(STAGES[0], states, done, states * INTERPRETED_BYTES))
        if stop is not None and stop():
            raise _stopped(game, states)

    most = (memory_mb << 20) // INTERPRETED_BYTES
    if not game.kind.chance:
        return PythonTable(game, retrograde(game, root, most=most, tell=report), root)
    solved = value_iteration(game, root, tolerance=TOLERANCE, max_positions=most, tell=report)
    low, high = game.bounds
    return PythonTable(game, solved, root, TOLERANCE * (high - low))


def _stopped(game: AnyGame, states: int) -> UnsolvedError:
    return UnsolvedError(f"{game.name} is not solved: it was told to stop, {states:,} positions found")


class Solution(Outcomes[S, A]):
    """Every position of a game that can be reached from `root`, with its value. It is a player, too."""

    def __init__(self, game: Game[S, A], table: Table[S, A], root: S, seconds: float = 0.0, name: str = "solution"):
        self.game = game
        self.root = root
        self.seconds = seconds
        """The time that solving or loading took."""
        self.name = name
        self._table = table

    @classmethod
    def load(cls, path: str | Path, game: Game[S, A]) -> Solution[S, A]:
        """The solution of `game` in the file `path`; an `InputError` if it is damaged or another game's."""
        from zermelo.engine.solution_file import read
        from zermelo.engine.solution_tables import NativeTable, NativeValueTable, PythonTable, identify

        started = time.perf_counter()
        contents = read(path)
        check_fit(game)
        if contents.identity != identify(game) or (contents.error is not None) != game.kind.chance:
            same = contents.game == game.name
            what = f"{game.name} with other options or rules" if same else contents.game
            raise InputError(f"{path} is a solution of {what}: load it with that game, or solve this one")
        compiled = compile_or_none(game)
        table: Table[S, A]
        if compiled is None:
            table = PythonTable.load(game, contents, path)
            root = table.root
        else:
            table = (NativeValueTable if game.kind.chance else NativeTable).load(compiled, contents, path)
            root = compiled.unpack(contents.root)
        if not table.agrees(SAMPLES):
            raise InputError(f"{path} does not agree with the rules of {game.name}, which have changed: solve it again")
        return cls(game, table, root, time.perf_counter() - started, f"solution:{path}")

    def save(self, path: str | Path) -> None:
        """Writes the solution to a file, from which `load` makes it again."""
        from zermelo.engine.solution_file import write

        write(path, self._table.contents())

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, s: S) -> bool:
        return self._table.find(s) is not None

    def __repr__(self) -> str:
        return f"<Solution of {self.game.name}: {len(self):,} positions, value {self.value():g}>"

    def states(self) -> Iterator[S]:
        """Every position, in no particular order."""
        return self._table.states()

    @property
    def counts(self) -> Counts:
        """The number of positions that the player to move wins, draws and loses, and of the ends of the game."""
        return self._table.counts()

    def outcome(self, s: S | None = None) -> Outcome:
        s = self.root if s is None else s
        found = self._table.find(s)
        if found is None:
            raise PositionError(
                f"{self.game.write(s)} is not among the {len(self):,} positions that can be reached from "
                f"{self.game.write(self.root)}; solve it from this position on"
            )
        return found

    @property
    def error(self) -> float:
        """The greatest error of any value: 0 in games without chance."""
        return self._table.error

    def children(self, s: S) -> list[tuple[A, Outcome | None]]:
        return self._table.children(s)

    def analyse(self, s: S | None = None) -> Analysis:
        """Returns the solution of `s` as an `Analysis`."""
        outcome = self.outcome(s)
        line = self.line(s)
        return Analysis(
            action=line[0] if line else None,
            value=outcome.value,
            values=outcome.values,
            line=line,
            depth=None,
            nodes=len(self),
            leaves=self.counts.ends,
            cutoffs=0,
            seconds=self.seconds,
            exact=True,
            bounds=(outcome.value - self.error, outcome.value + self.error),
            method="value iteration" if self.game.kind.chance else "retrograde",
            actions={action: choice.value for action, choice in self.actions(s).items()},
            origin=(self.game, self.game.initial() if s is None else s),
        )

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> Any:
        """Returns a best action, as a player; where repetition is a draw, an action back into `history` is one."""
        self._check_game(game)
        mover = self.outcome(state).mover
        past = {game.key(s) for s in (*history, state)} if game.repetition == "draw" else set()

        def wish(each: tuple[A, Choice, tuple[float, int]]) -> tuple[float, int]:
            action, _, preferred = each
            return (game.neutral, 0) if past and game.key(game.result(state, action)) in past else preferred

        return None if mover is None or mover < 0 else max(self._choices(state, mover), key=wish)[0]

    def _check_game(self, game: AnyGame) -> None:
        from zermelo.engine.solution_tables import identify

        if game is not self.game and identify(game) != identify(self.game):
            raise InputError(f"this is a solution of {self.game.name}, not of the game that is played, {game.name}")
