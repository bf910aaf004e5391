from collections.abc import Callable, Mapping, Sequence
import enum
from typing import Annotated, Final, overload

import numpy
from numpy.typing import NDArray


class RuleError(Exception):
    pass

class Stopped(Exception):
    pass

class NumbersTooNarrow(Exception):
    pass

class RoundingLost(Exception):
    pass

class TooManyVertices(Exception):
    pass

class TreeTooLarge(Exception):
    pass

class UnlikeActions(Exception):
    pass

class SolveRefused(Exception):
    pass

class SliceMissing(Exception):
    pass

class UndecidedPosition(Exception):
    pass

class RecordError(Exception):
    pass

TERMINAL: int = -2

RAISED: int = 1

BREACH: int = 2

class Slot:
    @property
    def name(self) -> str: ...

    @property
    def method(self) -> str: ...

    @property
    def parameters(self) -> str: ...

    @property
    def about(self) -> str: ...

    @property
    def kind(self) -> str: ...

def slots() -> list[Slot]: ...

class Info:
    @property
    def mover(self) -> int: ...

    @property
    def utilities(self) -> tuple[float, ...]: ...

class Step(Info):
    @property
    def state(self) -> bytes: ...

class Playout:
    @property
    def utilities(self) -> tuple[float, ...]: ...

    @property
    def actions(self) -> list[int]: ...

    @property
    def movers(self) -> list[int]: ...

class PerftResult:
    @property
    def leaves(self) -> int: ...

    @property
    def ended(self) -> int: ...

    @property
    def positions(self) -> int: ...

class PlayoutsResult:
    @property
    def games(self) -> int: ...

    @property
    def positions(self) -> int: ...

    @property
    def plies(self) -> int: ...

    @property
    def unfinished(self) -> int: ...

    @property
    def sums(self) -> tuple[float, ...]: ...

class MinimaxResult:
    @property
    def value(self) -> float: ...

    @property
    def maximiser(self) -> int: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def actions(self) -> list[tuple[int, float]]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def leaves(self) -> int: ...

    @property
    def cutoffs(self) -> int: ...

    @property
    def estimates(self) -> int: ...

class GameTable:
    def __init__(self, *, initial: bytes, players: int, low: float, high: float, neutral: float, unit: float, repetition: str | None, simultaneous: bool, constant_sum: bool, slots: Mapping[str, int]) -> None: ...

    @property
    def address(self) -> int: ...

    @property
    def slots(self) -> list[str]: ...

    @property
    def players(self) -> int: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def neutral(self) -> float: ...

    @property
    def unit(self) -> float: ...

    @property
    def state_size(self) -> int: ...

    @property
    def repetition(self) -> str | None: ...

    @property
    def simultaneous(self) -> bool: ...

    @property
    def constant_sum(self) -> bool: ...

    def key(self, state: bytes) -> int: ...

    def evaluate(self, state: bytes, player: int) -> float: ...

    def is_noisy(self, state: bytes, action: int) -> bool: ...

    def target(self, state: bytes, action: int) -> int: ...

    def view_key(self, state: bytes, player: int) -> int: ...

    def is_irreversible(self, state: bytes, action: int) -> bool: ...

    def is_check(self, state: bytes) -> bool: ...

    def exchange(self, state: bytes, action: int) -> float: ...

    def recurrence(self, state: bytes) -> int: ...

    def gives_check(self, state: bytes, action: int) -> bool: ...

    def stage(self, state: bytes) -> int: ...

    def lead_share(self, state: bytes, player: int) -> float: ...

    def material(self, state: bytes) -> int: ...

    def rank(self, state: bytes) -> int: ...

    def plies_left(self, state: bytes) -> int: ...

    def remaining_plies(self, state: bytes) -> int: ...

    def upper_bound(self, state: bytes, player: int) -> float: ...

    def ending_priority(self, state: bytes, action: int) -> float: ...

    def initial(self) -> bytes: ...

    def actions(self, state: bytes) -> list[int]: ...

    def chances(self, state: bytes) -> list[tuple[int, float]]: ...

    def info(self, state: bytes) -> Info: ...

    def step(self, state: bytes, action: int) -> Step: ...

    def pass_turn(self, state: bytes) -> Step: ...

    def priorities(self, state: bytes, actions: Sequence[int]) -> list[float]: ...

    def inputs(self, state: bytes, player: int) -> list[int]: ...

    def owners(self, state: bytes) -> list[int]:
        """the player who has each cell at the end of a game, or -1"""

    def symmetric(self, state: bytes, symmetry: int) -> bytes: ...

    def symmetric_action(self, state: bytes, action: int, symmetry: int) -> int: ...

    def slice_size(self, slice: int) -> int: ...

    def unrank(self, slice: int, index: int) -> bytes: ...

    def teams(self) -> list[int]: ...

    def priors(self, state: bytes, actions: Sequence[int]) -> list[tuple[float, float]]: ...

    def policy(self, state: bytes) -> tuple[list[float], list[float]]:
        """the probabilities of the actions, and the utilities of all players"""

    def playout(self, state: bytes, seed: int, plies: int) -> Playout: ...

    def sum_playouts(self, state: bytes, games: int, seed: int, stop: Callable[[], bool] | None = None) -> list[float]: ...

    def perft(self, state: bytes, depth: int, threads: int = 1, stop: Callable[[], bool] | None = None) -> PerftResult: ...

    def playouts(self, state: bytes, games: int, seed: int, max_plies: int, stop: Callable[[], bool] | None = None) -> PlayoutsResult: ...

    def minimax(self, state: bytes, depth: int, prune: bool, hard: bool, alpha: float, beta: float, stop: Callable[[], bool] | None = None) -> MinimaxResult: ...

def sides_table(table: GameTable, side_of: Sequence[int]) -> GameTable: ...

class DepthReport:
    """What is known after a depth; counts are those of the whole search"""

    @property
    def depth(self) -> int:
        """
        the last finished depth; -1 before the first, and after a search to the end of the game
        """

    @property
    def known(self) -> bool:
        """whether some action has a value"""

    @property
    def stopped(self) -> str: ...

    @property
    def nodes(self) -> int: ...

    @property
    def leaves(self) -> int: ...

    @property
    def cutoffs(self) -> int: ...

    @property
    def probed(self) -> int:
        """positions that endgame tables settled"""

    @property
    def seconds(self) -> float: ...

    @property
    def deepest(self) -> int:
        """ply entered in the last iteration; 0 if nobody counts"""

    @property
    def table_per_mille(self) -> int: ...

class RootAction:
    @property
    def scored(self) -> bool: ...

    @property
    def plies_to_end(self) -> int:
        """of a win or a loss; 0 if unknown"""

    @property
    def action(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def line(self) -> list[int]: ...

class ExpectationAction:
    @property
    def scored(self) -> bool: ...

    @property
    def action(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def line(self) -> list[int]: ...

class EngineReport(DepthReport):
    @property
    def actions(self) -> list[RootAction]:
        """best first: those with a score, or one without if none has"""

    @property
    def settled(self) -> int:
        """how many of the first actions have exact values"""

    @property
    def partial(self) -> bool:
        """whether values are those of a depth that was not finished"""

    @property
    def at_least(self) -> bool:
        """whether the root is worth no less than the first action's value"""

    @property
    def at_most(self) -> bool:
        """whether it is worth no more"""

    @property
    def proved(self) -> bool: ...

    @property
    def rounding(self) -> float:
        """how far apart utilities may be that scores do not tell apart"""

    @property
    def sound(self) -> bool:
        """whether only sound techniques were used"""

    @property
    def quick(self) -> bool:
        """whether scores include the plies to the end"""

    @property
    def told(self) -> float | None:
        """the value of the root by endgame tables, whatever its scores"""

class EngineProgress:
    """Where a search is in the middle of a depth"""

    @property
    def report(self) -> EngineReport: ...

    @property
    def action(self) -> int | None:
        """that is being searched; None before the first"""

    @property
    def number(self) -> int:
        """its place in the order of the search, from 1 on"""

class ExpectationReport(DepthReport):
    @property
    def actions(self) -> list[ExpectationAction]: ...

    @property
    def maximiser(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def values(self) -> list[float]:
        """of max^n, else empty"""

    @property
    def proved(self) -> bool: ...

    @property
    def settled(self) -> bool:
        """whether no depth will find more"""

    @property
    def uneven(self) -> bool:
        """whether utilities do not add up to the sum by which max^n prunes"""

    @property
    def gave_up_pruning(self) -> bool: ...

SOUND_TECHNIQUES: tuple = ...

SELECTIVE_TECHNIQUES: tuple = ...

class SearchParameter:
    """a margin or coefficient of alpha-beta"""

    @property
    def name(self) -> str: ...

    @property
    def whole(self) -> bool:
        """whether it is a whole number"""

    @property
    def value(self) -> float:
        """the default"""

    @property
    def least(self) -> float: ...

    @property
    def most(self) -> float: ...

    @property
    def step(self) -> float:
        """how far a tuning varies it at its end"""

    @property
    def meaning(self) -> str: ...

SEARCH_PARAMETERS: tuple = ...

class DepthPair:
    """deep = slope · shallow + offset ± error, for Multi-ProbCut"""

    def __init__(self, *, stage: int, depth: int, shallow: int, slope: float, offset: float, error: float) -> None: ...

class Engine:
    def __init__(self, table: GameTable, table_bytes: int, threads: int, tables: Tables | None = None) -> None: ...

    def clear(self) -> None: ...

class EngineSearch:
    def __init__(self, engine: Engine, root: bytes, *, past: Sequence[tuple[bytes, int, int]], depth: int, nodes: int, seconds: float, lines: int, only: Sequence[int], exact: bool, switches: Mapping[str, bool], parameters: Mapping[str, float], depth_pairs: Sequence[DepthPair]) -> None: ...

    def next_depth(self, stop: Callable[[], bool] | None) -> EngineReport: ...

    def search_to_end(self, stop: Callable[[], bool] | None) -> EngineReport: ...

    def prove(self, stop: Callable[[], bool] | None) -> EngineReport: ...

    def progress(self) -> EngineProgress:
        """where the search is; for its `stop` alone"""

    @property
    def done(self) -> bool: ...

class ExpectationAlgorithm(enum.Enum):
    expectiminimax = 0

    paranoid = 1

    brs = 2

    maxn = 3

class ExpectationPruning(enum.Enum):
    none = 0

    star1 = 1

    star2 = 2

    shallow = 3

class ExpectationEngine:
    def __init__(self, handle: GameTable, table_bytes: int, *, algorithm: ExpectationAlgorithm, pruning: ExpectationPruning, keep_pruning: bool, table: bool, order: bool, width: int, root_width: int, root_margin: float, samples: int, seed: int, stride: int) -> None: ...

    def clear(self) -> None: ...

class ExpectationSearch:
    def __init__(self, engine: ExpectationEngine, root: bytes, *, depth: int, nodes: int, seconds: float, lines: int, only: Sequence[int]) -> None: ...

    def next_depth(self, stop: Callable[[], bool] | None) -> ExpectationReport: ...

    def search_to_end(self, stop: Callable[[], bool] | None) -> ExpectationReport: ...

    def search_depth(self, depth: int, stop: Callable[[], bool] | None) -> ExpectationReport: ...

    @property
    def done(self) -> bool: ...

class MctsSettings:
    def __init__(self, *, puct: bool, exploration: float, rave: float, widening: float, solver: bool, own_playouts: bool, greedy_playouts: bool, mix: float, judged_from: int, plies: int, seed: int) -> None: ...

class MctsAction:
    @property
    def action(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

    @property
    def closed(self) -> bool:
        """whether it may not be chosen"""

    @property
    def values(self) -> list[float]: ...

    @property
    def line(self) -> list[int]: ...

class MctsResult:
    @property
    def end(self) -> str: ...

    @property
    def actions(self) -> list[MctsAction]:
        """those visited, or all if none was; in the game's order"""

    @property
    def best(self) -> int:
        """the place of the recommended action among them"""

    @property
    def visits(self) -> tuple[list[int], list[int]]:
        """
        all actions that may be chosen, in the game's order, and the visits of each
        """

    @property
    def value(self) -> float: ...

    @property
    def values(self) -> list[float]: ...

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

    @property
    def simulations(self) -> int: ...

    @property
    def reused(self) -> int:
        """simulations of earlier searches that are still in the tree"""

    @property
    def nodes(self) -> int: ...

    @property
    def tree(self) -> int:
        """positions in the tree"""

    @property
    def prunings(self) -> int: ...

    @property
    def probed(self) -> int:
        """positions that endgame tables settled"""

    @property
    def told(self) -> bool:
        """whether endgame tables tell the value of the root, whatever its search"""

class Mcts:
    def __init__(self, table: GameTable, memory_bytes: int, threads: int, settings: MctsSettings, tables: Tables | None = None) -> None: ...

    def clear(self) -> None: ...

    def run(self, root: bytes, *, history: Sequence[bytes], past: Sequence[tuple[bytes, int, int]], simulations: int, nodes: int, seconds: float, early: bool, reuse: bool, only: Sequence[int], stop: Callable[[], bool] | None, evaluator: Callable[[Sequence[tuple[bytes, Sequence[int], int]]], Sequence[tuple[Sequence[float], Sequence[float]]]] | None, batch: int, noise: Sequence[float], noise_share: float, sampler: Callable[[], Sequence[bytes]] | None) -> MctsResult: ...

class PlayMethod(enum.Enum):
    auto = 0

    alphabeta = 1

    expectation = 2

    mcts = 3

class PlayerSettings:
    def __init__(self, *, method: PlayMethod, nodes: int | None, simulations: int | None, seconds: float | None, table_bytes: int, evaluates: bool, switches: Mapping[str, bool], parameters: Mapping[str, float], depth_pairs: Sequence[DepthPair], mcts: MctsSettings) -> None: ...

class ExplorationSettings:
    def __init__(self, *, visits: bool, full_share: float, quick_part: float, noise: float, noise_share: float, drawn_plies: int) -> None: ...

class MoveFlags(enum.Flag):
    scored = 1
    """a search gave the position a score"""

    proved = 2
    """the score rests on no estimate"""

    quiet = 4
    """the best action is not noisy, and the mover is not in check"""

    explored = 8
    """another action than the best was played"""

def record_header(table: GameTable, name: str, initial: bytes) -> bytes: ...

class GameRecord:
    @property
    def number(self) -> int: ...

    @property
    def ending(self) -> str:
        """rules, repetition, proof or length"""

    @property
    def start(self) -> bytes: ...

    @property
    def actions(self) -> list[int]: ...

    @property
    def movers(self) -> list[int]: ...

    @property
    def scores(self) -> list[float]:
        """of the movers; NaN where there is none"""

    @property
    def flags(self) -> list[int]:
        """MoveFlags"""

    @property
    def visits(self) -> list[list[tuple[int, float]]]:
        """(action, share) of the actions that a search has visited"""

    @property
    def utilities(self) -> list[float]: ...

class PositionColumns:
    @property
    def states(self) -> bytes: ...

    @property
    def movers(self) -> bytes:
        """int32"""

    @property
    def actions(self) -> bytes:
        """int64"""

    @property
    def scores(self) -> bytes:
        """float32, of the movers; NaN where there is none"""

    @property
    def flags(self) -> bytes:
        """uint8: MoveFlags"""

    @property
    def results(self) -> bytes:
        """float32, of the movers"""

    @property
    def plies(self) -> bytes:
        """uint32, from the start"""

    @property
    def left(self) -> bytes:
        """uint32, to the end"""

class GameRecords:
    def __init__(self, table: GameTable, data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def blocks(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def moves(self) -> int: ...

    @property
    def note(self) -> str:
        """about a last block that was left out; else empty"""

    @property
    def end(self) -> int:
        """bytes, without what was left out"""

    def read_games(self, block: int) -> list[GameRecord]: ...

    def read_positions(self, block: int) -> PositionColumns: ...

    def replay(self, block: int) -> int: ...

    @overload
    def add_samples(self, block: int, samples: Samples, *, score_share: float, quiet_only: bool, score_slope: float = 0.0, symmetries: int = 1, seed: int = 0, quick_share: float = 1.0) -> None: ...

    @overload
    def add_samples(self, block: int, samples: GridSamples, *, score_share: float, quiet_only: bool, score_slope: float = 0.0, symmetries: int = 1, seed: int = 0, quick_share: float = 1.0) -> None: ...

class GridSamples:
    """positions to learn from; lists of different length have `starts`"""

    def __init__(self, shape: GridShape) -> None: ...

    def extend(self, others: GridSamples) -> None:
        """adds those of other samples of the same shape"""

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def places(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def place_starts(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def legal(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def legal_starts(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def visited(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def visited_starts(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def shares(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def movers(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @property
    def owned(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """
        of each cell in the end, in halves: 2 the mover's, 1 nobody's, 255 not known
        """

class GridTrainer:
    def __init__(self, shape: GridShape, *, batch: int, threads: int, decay: float, seed: int) -> None: ...

    def learn(self, samples: GridSamples, steps: int, rate: float) -> float:
        """returns the mean loss"""

    def loss(self, samples: GridSamples) -> float: ...

    def gradient(self, samples: GridSamples) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """of the mean loss"""

    def outputs(self, samples: GridSamples, index: int) -> list[float]:
        """the logits of all known actions, and the output of the value"""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @weights.setter
    def weights(self, arg: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

class Judge:
    """judges positions in batches: two arrays of inputs, two of outputs"""

    def __init__(self, shape: GridShape, inputs: Sequence[Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu')]], outputs: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')]], call: object) -> None: ...

class MatchGame:
    @property
    def half_points(self) -> int:
        """of the first player: 2 for a win, 1 for a draw"""

    @property
    def utilities(self) -> tuple[float, ...]: ...

    @property
    def ending(self) -> str: ...

    @property
    def plies(self) -> int: ...

class MatchPair:
    @property
    def number(self) -> int: ...

    @property
    def half_points(self) -> int:
        """of the first player, 0 to 4"""

    @property
    def games(self) -> tuple[MatchGame, MatchGame]: ...

class Match:
    def __init__(self, first_table: GameTable, second_table: GameTable, first_player: PlayerSettings, second_player: PlayerSettings, *, pairs: int, first: int, seed: int, threads: int, least_plies: int, most_plies: int, weights: Sequence[float], opening_nodes: int, longest_plies: int, ends_won: bool, occurrences: int, initial: tuple[bytes, bytes], starts: tuple[Sequence[bytes], Sequence[bytes]], first_endings: Tables | None, second_endings: Tables | None) -> None: ...

    def next_pairs(self, stop: Callable[[], bool] | None) -> list[MatchPair]:
        """
        the pairs that are complete, in order and at least one; none after the last
        """

    @property
    def pairs(self) -> int: ...

    @property
    def stopped(self) -> str:
        """what ended it before the last game: stop or interrupt"""

    @property
    def positions(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def search_seconds(self) -> float:
        """of all threads together"""

    @property
    def total_seconds(self) -> float:
        """the same, with all that is done beside searching"""

class SelfPlay:
    def __init__(self, table: GameTable, player: PlayerSettings, *, games: int, first: int, seed: int, threads: int, block_games: int, nodes_spread: float, least_plies: int, most_plies: int, weights: Sequence[float], variety_plies: int, variety_chance: float, variety_margin: float, exploration: ExplorationSettings, longest_plies: int, ends_proved: bool, ending_stage: int, ending_nodes: int, occurrences: int, initial: bytes, starts: Sequence[bytes], endings: Tables | None, judge: Judge | None) -> None: ...

    def next_block(self, stop: Callable[[], bool] | None) -> bytes | None:
        """the bytes of the next games, in order; None after the last"""

    @property
    def games(self) -> int: ...

    @property
    def stopped(self) -> str:
        """what ended it before the last game: stop or interrupt"""

    @property
    def positions(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def search_seconds(self) -> float:
        """of all threads together"""

    @property
    def total_seconds(self) -> float:
        """the same, with all that is done beside searching"""

SOLUTION_SEGMENTS: int = 64

class SolvedPosition:
    @property
    def mover(self) -> int: ...

    @property
    def rank(self) -> int: ...

    @property
    def distance(self) -> int | None: ...

class SolveProgress:
    @property
    def stage(self) -> int: ...

    @property
    def states(self) -> int: ...

    @property
    def edges(self) -> int: ...

    @property
    def done(self) -> int: ...

    @property
    def memory_bytes(self) -> int: ...

class Solution:
    def __init__(self, table: object, root: bytes, places: Sequence[int], payoffs: Sequence[tuple[float, float]], draw: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def memory_bytes(self) -> int: ...

    @property
    def draw(self) -> int: ...

    @property
    def places(self) -> list[int]: ...

    @property
    def payoffs(self) -> list[tuple[float, float]]: ...

    def find(self, state: bytes) -> SolvedPosition | None: ...

    def children(self, state: bytes) -> list[tuple[int, SolvedPosition | None]]: ...

    def counts(self) -> list[int]: ...

    def block(self, first: int, last: int) -> tuple[bytes, bytes, bytes]: ...

    def absorb(self, states: bytes, ranks: bytes, distances: bytes) -> bool: ...

    def agrees(self, samples: int) -> bool: ...

class Solver:
    def __init__(self, table: object) -> None: ...

    def run(self, root: bytes, memory: int, threads: int, stop: Callable[[], bool] | None = None) -> Solution: ...

    @property
    def progress(self) -> SolveProgress: ...

class ValuedPosition:
    """Who moves in a position, and what it is worth to player 0."""

    @property
    def mover(self) -> int: ...

    @property
    def value(self) -> float: ...

class ValueSolution:
    def __init__(self, table: object, root: bytes, places: Sequence[int], error: float) -> None: ...

    def __len__(self) -> int: ...

    @property
    def error(self) -> float: ...

    @property
    def places(self) -> list[int]: ...

    def find(self, state: bytes) -> ValuedPosition | None: ...

    def children(self, state: bytes) -> list[tuple[int, ValuedPosition | None]]: ...

    def block(self, first: int, last: int) -> tuple[bytes, bytes, bytes]: ...

    def absorb(self, states: bytes, movers: bytes, values: bytes) -> bool: ...

    def agrees(self, samples: int) -> bool: ...

class ValueSolver:
    def __init__(self, table: object) -> None: ...

    def run(self, root: bytes, memory: int, tolerance: float, stop: Callable[[], bool] | None = None) -> ValueSolution: ...

    @property
    def progress(self) -> SolveProgress: ...

DRAWN_CELL: int = 0

EMPTY_CELL: int = 1

class Listing:
    """the positions of a slice that the game does not number, in order"""

    def __init__(self, root: bytes, places: Sequence[int], rows: bytes) -> None: ...

    def __len__(self) -> int: ...

    @property
    def root(self) -> bytes:
        """a state; bytes at no place are as here in all of them"""

    @property
    def places(self) -> list[int]: ...

    @property
    def rows(self) -> bytes:
        """the bytes at these places, state by state"""

class Slice:
    def __init__(self, size: int, first: int, step: int, palette: Sequence[int], codes: bytes, listing: Listing | None = None) -> None:
        """`size` numbers, of which those from `first` on have the codes"""

class Tables:
    def __init__(self) -> None: ...

    def add(self, material: int, slice: Slice) -> None: ...

    def add_later(self, material: int, load: Callable[[], Slice]) -> None:
        """adds a slice that `load` returns when it is first asked"""

    def remove(self, material: int) -> None: ...

    def copy(self) -> Tables: ...

    def look(self, table: GameTable, state: bytes) -> tuple[int, int, bool] | None: ...

    def children(self, table: GameTable, state: bytes) -> list[tuple[int, tuple[int, int, bool] | None]]: ...

    def agrees(self, table: GameTable, material: int, samples: int, stop: Callable[[], bool] | None = None) -> bool: ...

    def find_checked_draw(self, table: GameTable, material: int, stop: Callable[[], bool] | None = None) -> bytes | None:
        """a drawn position of a slice in which only checks keep the draw"""

class SliceBuilder:
    def __init__(self, table: object, tables: object) -> None: ...

    def run(self, material: int, step: int, memory: int, threads: int, listing: Listing | None = None, stop: Callable[[], bool] | None = None) -> bytes: ...

    def collect(self, starts: Sequence[bytes], known: Sequence[Listing], materials: Sequence[int], games: int, memory: int, threads: int, stop: Callable[[], bool] | None = None) -> dict[int, Listing]:
        """
        positions by slice: what `starts`, lists that are `known` and random games to `materials` lead to
        """

    @property
    def progress(self) -> SolveProgress: ...

    @property
    def leaves(self) -> bytes:
        """
        with steps, for each number whether every action of its position leaves the slice
        """

    @property
    def ended(self) -> int:
        """the ends of the game in the slice that was built last"""

    @property
    def follows(self) -> tuple[bool, bool]:
        """
        whether the first half of its numbers, and the second, follows from the other one
        """

class ExtremeEquilibria:
    @property
    def first(self) -> bytes: ...

    @property
    def second(self) -> bytes: ...

    @property
    def pairs(self) -> list[tuple[int, int]]: ...

class LemkeHowsonPath:
    @property
    def first(self) -> bytes: ...

    @property
    def second(self) -> bytes: ...

    @property
    def pivots(self) -> int: ...

class LemkePath:
    @property
    def point(self) -> bytes: ...

    @property
    def pivots(self) -> int: ...

class Optimum:
    @property
    def point(self) -> bytes: ...

    @property
    def prices(self) -> bytes: ...

    @property
    def pivots(self) -> int: ...

def extreme_equilibria(first: tuple[bytes, int, int], second: tuple[bytes, int, int], limbs: int, bits: int, limit: int, stop: Callable[[], bool] | None = None) -> ExtremeEquilibria: ...

def lemke_howson(first: tuple[bytes, int, int], second: tuple[bytes, int, int], limbs: int, bits: int, label: int, stop: Callable[[], bool] | None = None) -> LemkeHowsonPath: ...

def lemke(matrix: tuple[bytes, int, int], right: tuple[bytes, int, int], limbs: int, bits: int, perturbation: float, stop: Callable[[], bool] | None = None) -> LemkePath: ...

def optimum(matrix: tuple[bytes, int, int], limbs: int, bits: int, stop: Callable[[], bool] | None = None) -> Optimum: ...

def optimal_vertices(matrix: tuple[bytes, int, int], limbs: int, bits: int, limit: int, stop: Callable[[], bool] | None = None) -> bytes: ...

class FlatTree:
    @property
    def infoset(self) -> bytes: ...

    @property
    def first(self) -> bytes: ...

    @property
    def count(self) -> bytes: ...

    @property
    def chance(self) -> bytes: ...

    @property
    def payoffs(self) -> bytes: ...

    @property
    def owner(self) -> bytes: ...

    @property
    def width(self) -> bytes: ...

    @property
    def examples(self) -> bytes: ...

class FormSide:
    @property
    def after(self) -> bytes: ...

    @property
    def first(self) -> bytes: ...

    @property
    def start(self) -> bytes: ...

    @property
    def others(self) -> bytes: ...

    @property
    def payoff(self) -> bytes: ...

    @property
    def places(self) -> bytes: ...

class Judgement:
    @property
    def values(self) -> list[float]: ...

    @property
    def best(self) -> list[float]: ...

class Form:
    def __init__(self, players: int, infoset: bytes, first: bytes, count: bytes, chance: bytes, payoffs: bytes, owner: bytes, width: bytes) -> None: ...

    def side(self, player: int, merged: bool) -> FormSide: ...

    def judge(self, strategy: bytes) -> Judgement: ...

    def best_response(self, strategy: bytes, player: int) -> bytes: ...

class RegretRun:
    @property
    def iterations(self) -> int: ...

    def run(self, iterations: int, threads: int, stop: Callable[[], bool] | None = None) -> None: ...

    def judge(self) -> Judgement: ...

    def strategy(self) -> bytes: ...

    def save(self) -> bytes: ...

    def restore(self, data: bytes) -> None: ...

def regret_passes(form: Form, alpha: float, beta: float, gamma: float, floor: bool, predictive: bool, single: bool, merged: bool) -> RegretRun: ...

def regret_samples(form: Form, outcome: bool, exploration: float, seed: int) -> RegretRun: ...

def flatten(table: GameTable, state: bytes, limit: int, stop: Callable[[], bool] | None = None) -> FlatTree: ...

class PublicGame:
    def __init__(self, cards: int, sum: float, held: Sequence[bytes], weights: Sequence[bytes], streets: Sequence[bytes], boards: Sequence[bytes], sizes: Sequence[bytes], order: Sequence[bytes], level: Sequence[bytes]) -> None: ...

    @property
    def room(self) -> list[int]: ...

    def judge(self, strategy: bytes) -> Judgement: ...

    def best_response(self, strategy: bytes, player: int) -> bytes: ...

class Lookahead:
    @property
    def iterations(self) -> int: ...

    def run(self, iterations: int, stop: Callable[[], bool] | None = None) -> None: ...

    def strategy(self) -> bytes: ...

    def evaluate(self, player: int) -> list[bytes]: ...

def look_ahead(game: PublicGame, alpha: float, beta: float, gamma: float, floor: bool, tensors: Sequence[bytes], buckets: int, scales: bytes, features: bytes, gated: int, stops: bytes) -> Lookahead: ...

class RangeRun:
    @property
    def iterations(self) -> int: ...

    def run(self, iterations: int, threads: int, stop: Callable[[], bool] | None = None) -> None: ...

    def best(self, threads: int = 1) -> list[float]: ...

    def strategy(self) -> bytes: ...

    def save(self) -> bytes: ...

    def restore(self, data: bytes) -> None: ...

def regret_ranges(game: PublicGame, alpha: float, beta: float, gamma: float, floor: bool, predictive: bool, single: bool) -> RangeRun: ...

class LimitResult:
    @property
    def value(self) -> float: ...

    @property
    def nodes(self) -> int: ...

def bench_connect4_limit(depth: int) -> LimitResult: ...

def shared_table(address: int) -> GameTable: ...

def native_table(game: str) -> GameTable: ...

def weighted_table(game: str, weights: Sequence[int]) -> GameTable: ...

def native_weights(game: str) -> list[str]: ...

def native_features(game: str, table: GameTable, states: Sequence[bytes]) -> bytes: ...

def native_write(game: str, table: GameTable, state: bytes) -> str: ...

def native_explain(game: str, table: GameTable, state: bytes) -> list[tuple[str, float]]: ...

def native_read(game: str, table: GameTable, text: str) -> bytes: ...

def native_ownership(game: str, table: GameTable, state: bytes) -> list[float]: ...

class InputNumber(enum.Enum):
    signed = 0

    unsigned = 1

    floating = 2

class InputEncoding(enum.Enum):
    bits = 0

    values = 1

    ranges = 2

class InputField:
    """a number in the bytes of a state, and the inputs that it switches on"""

    def __init__(self, *, offset: int, size: int, number: InputNumber, encoding: InputEncoding, first: int, mask: int = 0, low: int = 0, high: int = 0, edges: Sequence[float] = []) -> None: ...

    @property
    def end(self) -> int:
        """one more than the last input"""

class SumShape:
    def __init__(self, *, fields: Sequence[InputField], inputs: int, state_size: int, width: int, movers: int, stages: int, stage_edges: Sequence[int]) -> None: ...

    @property
    def width(self) -> int: ...

    @property
    def inputs(self) -> int: ...

class Samples:
    def __init__(self, shape: SumShape) -> None: ...

    def add(self, table: GameTable, states: bytes, targets: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def extend(self, others: Samples) -> None:
        """adds those of other samples of the same shape"""

    def clear(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def inputs(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def starts(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...

    @property
    def heads(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def rows(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

    @property
    def targets(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

class SumWeights:
    def __init__(self, *, rows: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], bias: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], head: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], direct: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], offset: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def rows(self) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))]: ...

    @property
    def bias(self) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))]: ...

    @property
    def head(self) -> Annotated[NDArray[numpy.int16], dict(shape=(None,))]: ...

    @property
    def direct(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def offset(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

class SumTrainer:
    def __init__(self, shape: SumShape, *, most_active: int, batch: int, threads: int, decay: float, seed: int) -> None: ...

    def learn(self, samples: Samples, steps: int, rate: float) -> float:
        """returns the mean loss"""

    def loss(self, samples: Samples) -> float: ...

    def outputs(self, samples: Samples) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    def quantised(self) -> SumWeights: ...

    def take(self, weights: SumWeights) -> None:
        """goes on from the weights of a network"""

    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

    @weights.setter
    def weights(self, arg: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], /) -> None: ...

class SumNetwork:
    def __init__(self, table: GameTable, shape: SumShape, weights: SumWeights, slope: float = 0.0, chance: float = 1.0) -> None: ...

    def output(self, table: GameTable, state: bytes) -> int:
        """the raw output for the mover, or player 0 if chance moves"""

    def values_in_search(self, table: GameTable, visited: Sequence[tuple[int, bytes]]) -> list[float]:
        """
        the movers' values of positions (ply, state) in the order in which a search visits them, accumulated one from another
        """

    UNIT: Final[int] = ...
    """1 in an output"""

class GridShape:
    def __init__(self, *, fields: Sequence[InputField], inputs: int, state_size: int, places: Sequence[int], rows: int, columns: int, planes: int, globals: int, channels: int, blocks: int, actions: Sequence[int], action_cells: Sequence[int], action_ways: Sequence[int], policy_planes: int, owners: bool) -> None: ...

    @property
    def tensors(self) -> dict[str, int]:
        """the tensors of a network of this shape, with their sizes"""

    NOWHERE: Final[int] = ...
    """(arg: object, /) -> int"""

class GridNetwork:
    def __init__(self, table: GameTable, shape: GridShape, weights: Mapping[str, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> None: ...

    def outputs(self, table: GameTable, state: bytes) -> list[float]:
        """the logits of all known actions, and the output of the value"""

    def owners(self, table: GameTable, state: bytes) -> list[float]:
        """who will have each cell: from 1, player 0, to -1"""

@overload
def network_table(game: GameTable, network: SumNetwork) -> GameTable: ...

@overload
def network_table(game: GameTable, network: GridNetwork) -> GameTable: ...

class BackgammonNetworks:
    def __init__(self, arg0: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], arg1: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], /) -> None: ...

BACKGAMMON_INPUTS: int = 240

BACKGAMMON_RACE_INPUTS: int = 105

BACKGAMMON_MOST_ROLLS: int = 32

def backgammon_table(arg0: int, arg1: bool, arg2: bool, arg3: BackgammonNetworks | None, /) -> GameTable: ...

def backgammon_write(arg0: GameTable, arg1: bytes, /) -> str: ...

def backgammon_read(arg0: GameTable, arg1: str, /) -> bytes: ...

def backgammon_explain(arg0: GameTable, arg1: bytes, /) -> list[tuple[str, float]]: ...

def backgammon_equity(arg0: GameTable, arg1: int, arg2: int, arg3: bool, /) -> float: ...

def backgammon_plays(arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], arg1: int, arg2: int, /) -> bytes: ...

def backgammon_inputs(arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], arg1: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], /) -> None: ...

def backgammon_race_inputs(arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], arg1: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], /) -> None: ...

def backgammon_chances(arg0: BackgammonNetworks, arg1: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], arg2: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], arg3: int, /) -> None: ...

def backgammon_needs(arg0: BackgammonNetworks, arg1: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], arg2: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu')], arg3: int, /) -> None: ...

def backgammon_lessons(arg0: BackgammonNetworks, arg1: int, arg2: int, arg3: int, arg4: int, arg5: float, arg6: float, arg7: float, arg8: object | None, /) -> tuple: ...

def backgammon_duel(arg0: BackgammonNetworks, arg1: BackgammonNetworks, arg2: int, arg3: int, arg4: int, arg5: object | None, /) -> list[int]: ...

def bridge_deal(hands: Sequence[int], strains: int, threads: int, stop: Callable[[], bool] | None = None) -> tuple[list[list[int]], int]: ...

def bridge_position(hands: Sequence[int], strain: int, leader: int, played: Sequence[int], stop: Callable[[], bool] | None = None) -> tuple[list[tuple[int, int]], list[int], int]: ...

class BridgeTable:
    def __init__(self, strain: int) -> None: ...

def bridge_worlds(deals: Sequence[Sequence[int]], table: BridgeTable, leader: int, played: Sequence[int], least: int, most: int, nodes: int, stop: Callable[[], bool] | None = None) -> tuple[list[list[tuple[int, int]]], int]: ...

def bridge_values(deals: Sequence[Sequence[int]], table: BridgeTable, leader: int, played: Sequence[int], stop: Callable[[], bool] | None = None) -> list[int]: ...

def hand_strengths(arg0: bytes, arg1: int, /) -> bytes: ...

def tree_table(*, movers: bytes, first: bytes, count: bytes, probabilities: bytes, payoffs: bytes, estimates: bytes, noisy: bytes, players: int, chance: bool, draw: float, bounds: tuple[float, float], neutral: float, scale: float, constant_sum: bool) -> GameTable: ...
