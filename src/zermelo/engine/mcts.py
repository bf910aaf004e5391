"""Monte Carlo tree search in the core: the textbook's, natively, on threads, with a tree kept from move to move.

    mcts(game, s, seconds=1)                           one search
    Mcts(game, threads=2).search(s, seconds=1)         a searcher that goes on where its last search has led

A game whose rules do not compile is searched by the textbook, after a warning.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic

from zermelo.analysis import Analysis
from zermelo.engine.interpreted import compile_with_views, give_up
from zermelo.engine.sampling import SamplingThread
from zermelo.errors import OptionError, RefusedError
from zermelo.game import AnyGame, Game, repeatable
from zermelo.game.contract import S
from zermelo.game.sides import for_players, searched
from zermelo.game.validation import legal_only, validate
from zermelo.options import whole
from zermelo.search.interrupt import Interrupt
from zermelo.search.mcts.answer import Found, Tried, over, to_analysis
from zermelo.search.mcts.dice import MASK, dirichlet
from zermelo.search.mcts.hidden import HiddenSimulator, check_settings
from zermelo.search.mcts.run import search as textbook_search
from zermelo.search.mcts.run import simulate
from zermelo.search.mcts.settings import MOST, Budget, Evaluator, MctsSettings, judge_all, read_options, suited
from zermelo.search.recorder import is_wanted
from zermelo.search.trace import Packed
from zermelo.search.worlds import Worlds, check_fit

if TYPE_CHECKING:
    from zermelo.engine.core import _core

MEMORY_MB = 512
"""The default limit on a tree's memory; a tree takes only what it needs."""
BATCH = 16
"""The number of leaves per call of an evaluator."""
ROOM = ("threads", "memory_mb", "batch")
"""Options of a search in the core besides `MctsSettings` and `Budget`."""
read_tried = attrgetter(*Tried._fields)
"""What the core says of an action, in the order of the fields."""
WORLDS, WORLDS_SECONDS = 32, 0.02
"""The limits on one batch of sampled worlds, in games with hidden information: their number, and the time."""


def mcts(
    game: Game[S],
    state: S | None = None,
    *,
    history: Sequence[S] = (),
    trace: bool | int | Packed = False,
    threads: int = 1,
    memory_mb: int = MEMORY_MB,
    batch: int = BATCH,
    **options: Any,
) -> Analysis:
    """The action that most simulations chose, with the visits of each; for a second if there is no limit.

    Beside `threads`, `memory_mb` and `batch` it takes the fields of `zermelo.search.mcts.MctsSettings` and `Budget`;
    a `trace` is the textbook's.
    """
    validate(game)
    settings, budget = read_options(suited(game, options), ROOM)
    if is_wanted(trace):
        return textbook_search(game, state, settings, budget, history, trace)
    searcher = Mcts(game, settings=settings, threads=threads, memory_mb=memory_mb, batch=batch)
    return searcher.run(state, budget, history)


def core_settings(settings: MctsSettings, hides: bool = False) -> _core.MctsSettings:
    """The settings as the core takes them; nothing is proved in a game that hides information."""
    from zermelo.engine.core import _core

    return _core.MctsSettings(
        puct=settings.puct,
        exploration=settings.exploration,
        rave=float(settings.rave),
        widening=float(settings.widening),
        solver=settings.solver and not hides,
        own_playouts=settings.playout == "own",
        greedy_playouts=settings.playout == "evaluate",
        mix=float(settings.mix),
        judged_from=settings.judged_from,
        plies=settings.plies,
        seed=settings.seed & MASK,
    )


def python_evaluator(game: AnyGame, settings: MctsSettings) -> Evaluator | None:
    """The evaluator that the core has to call; `None` if there is none, or a network in the core is it."""
    from zermelo.engine.equipped import NetworkGame

    own = isinstance(game, NetworkGame) and settings.evaluator == game.judge
    return None if own else settings.evaluator


class Mcts(Generic[S]):
    """A searcher for one game that keeps its tree from move to move."""

    def __init__(
        self,
        game: Game[S],
        *,
        settings: MctsSettings | None = None,
        threads: int = 1,
        memory_mb: int = MEMORY_MB,
        batch: int = BATCH,
        **options: Any,
    ):
        check_fit(game)
        whole(1, 1024).check("threads", threads)
        whole(1, 1 << 20).check("memory_mb", memory_mb)
        whole(1, 4096).check("batch", batch)
        if settings is None:
            settings, budget = read_options(suited(game, options), ROOM)
            if budget != Budget():
                raise OptionError(
                    "limits belong to a search: give them to `search`, as in Mcts(game).search(seconds=1)"
                )
        self.seated = game
        """The game with all its players; an evaluator judges for each of them."""
        game = self.game = searched(game) if settings.evaluator is None else game
        self.settings = settings
        self.batch = batch
        self.searches = 0
        self.reused = 0
        """Simulations of earlier searches that the last one could build on."""
        self.prunings = 0
        """How often the last search dropped the least visited part of its tree to save memory."""
        self.hides = game.kind.hidden
        self.settings.check_game(game)
        if self.hides:
            check_settings(game, self.settings)
        if self.settings.judged_from and python_evaluator(game, self.settings) is not None:
            raise OptionError("judged_from is for networks of the core: an evaluator of your own judges new positions")
        self.compiled = compile_with_views(game)
        self._kept: HiddenSimulator | None = None
        if self.compiled is not None:
            self._core = self._make(threads, memory_mb)

    def _make(self, threads: int, memory_mb: int) -> _core.Mcts:
        from zermelo.engine.core import _core

        assert self.compiled is not None
        settings = core_settings(self.settings, self.hides)
        return _core.Mcts(self.compiled.handle, memory_mb << 20, threads, settings, self.compiled.tables)

    def clear(self) -> None:
        """Forgets everything, as if the searcher were new."""
        self.searches = self.reused = self.prunings = 0
        self._kept = None
        if self.compiled is not None:
            self._core.clear()

    def search(self, state: S | None = None, *, history: Sequence[S] = (), **limits: Any) -> Analysis:
        """The action that most simulations chose; `history` holds the states of the game so far, by which the searcher
        finds the position in its tree."""
        settings, budget = read_options(limits)
        if settings != MctsSettings() or settings.evaluator is not None:
            raise OptionError("a searcher keeps its settings: give them to `Mcts`, and limits to `search`")
        return self.run(state, budget, history)

    def run(self, state: S | None, budget: Budget, history: Sequence[S] = ()) -> Analysis:
        """As `search`, with the limits as a `Budget`."""
        return for_players(self.seated, self._run(state, budget, history))

    def _run(self, state: S | None, budget: Budget, history: Sequence[S]) -> Analysis:
        game = self.game
        state = game.initial() if state is None else state
        if game.is_terminal(state):
            return over(game, state, self.settings)
        if self.compiled is None:
            return self._interpret(state, budget, history)
        started = time.perf_counter()
        try:
            found, interrupted = self._call(state, budget, history)
        except RefusedError as error:
            give_up(self.compiled, error)
            self.compiled = None
            return self._interpret(state, budget, history)
        self.searches += 1
        self.reused, self.prunings = found.reused, found.prunings
        answer = Found(
            [Tried._make(read_tried(each)) for each in found.actions],
            dict(zip(*found.visits, strict=True)),
            found.best,
            found.value,
            found.values,
            (found.lower, found.upper),
            "interrupt" if interrupted else found.end,
            found.simulations,
            found.nodes,
            found.probed,
            found.told,
        )
        return to_analysis(game, state, answer, self.settings, time.perf_counter() - started, self.searches - 1)

    def _interpret(self, state: S, budget: Budget, history: Sequence[S]) -> Analysis:
        """Runs the textbook's search, which keeps its tree in games with hidden information."""
        if not self.hides:
            return textbook_search(self.game, state, self.settings, budget, history)
        started = time.perf_counter()
        self._kept = HiddenSimulator(self.game, state, self.settings, history, self._kept)
        self.searches, self.reused = self.searches + 1, self._kept.reused
        return simulate(self._kept, budget, started)

    def _call(self, state: S, budget: Budget, history: Sequence[S]) -> tuple[_core.MctsResult, bool]:
        """Returns the core's result, and whether Ctrl-C ended the search."""
        assert self.compiled is not None
        game, compiled = self.game, self.compiled
        known = repeatable(game, history, state)
        past = {game.recurrence(s): s for s in history} if known else {}
        seconds = budget.time
        noise, share = self._noise(state)
        interrupt, sampling = Interrupt(), self._sample(state) if self.hides else None
        # A Ctrl-C inside Python code that the core calls would end the search without an answer.
        evaluator = python_evaluator(game, self.settings)
        calls = self.hides or evaluator is not None
        with interrupt if calls else nullcontext(), sampling or nullcontext():
            found = compiled.guard(
                lambda: self._core.run(
                    compiled.pack(state),
                    history=[compiled.pack(s) for s in history],
                    past=[(compiled.pack(past[key]), *since) for key, since in known.items()],
                    simulations=MOST if budget.simulations is None else budget.simulations,
                    nodes=MOST if budget.nodes is None else budget.nodes,
                    seconds=-1.0 if seconds is None or seconds == math.inf else float(seconds),
                    early=budget.early,
                    # A position that counts at its third occurrence is one in the tree at its second.
                    reuse=game.repetition is None or game.occurrences == 2,
                    only=legal_only(game, state, budget.only),
                    stop=(lambda: interrupt.asked or (budget.stop is not None and budget.stop()))
                    if calls
                    else budget.stop,
                    evaluator=self._judge(evaluator) if evaluator else None,
                    batch=self.batch,
                    noise=noise,
                    noise_share=share,
                    sampler=(lambda: [compiled.pack(world) for world in sampling.ask()]) if sampling else None,
                )
            )
        return found, interrupt.asked

    def _sample(self, state: S) -> SamplingThread[S]:
        """Returns a thread that samples worlds consistent with the mover's view, in batches."""
        worlds = Worlds(self.game, state, self.settings.seed + self.searches)

        def sample() -> list[S]:
            end = time.perf_counter() + WORLDS_SECONDS
            found = [worlds.imagine()]
            while len(found) < WORLDS and time.perf_counter() < end:
                found.append(worlds.imagine())
            return found

        return SamplingThread(sample)

    def _noise(self, state: S) -> tuple[list[float], float]:
        if self.settings.noise is None or self.game.player(state) < 0:
            return [], 0.0
        alpha, share = self.settings.noise
        count = len(list(self.game.actions(state)))
        return dirichlet(count, alpha, self.settings.seed + self.searches), share

    def _judge(
        self, evaluator: Evaluator
    ) -> Callable[[Sequence[tuple[bytes, Sequence[int], int]]], list[tuple[list[float], list[float]]]]:
        """The evaluator with the core's signature: positions as bytes, with their actions and movers."""
        compiled = self.compiled
        assert compiled is not None
        return lambda asked: judge_all(self.game, evaluator, [compiled.unpack(data) for data, _, _ in asked])
