"""From a caller's options to an `Analysis`: the frame around the simulations."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import MethodError
from zermelo.game import Game
from zermelo.game.validation import legal_only, validate
from zermelo.search.interrupt import Interrupt
from zermelo.search.mcts.answer import find, over, to_analysis
from zermelo.search.mcts.hidden import HiddenSimulator
from zermelo.search.mcts.record import MctsRecorder
from zermelo.search.mcts.settings import Budget, MctsSettings, read_options
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.uct import PlainUct, is_plain
from zermelo.search.recorder import is_wanted
from zermelo.search.trace import Packed


def mcts(
    game: Game, state: Any = None, *, history: Sequence[Any] = (), trace: bool | int | Packed = False, **options: Any
) -> Analysis:
    """The action that most simulations chose, with the visits of each; for a second if there is no limit.

    It takes the fields of `MctsSettings` and of `Budget`; `trace=True` keeps every step.
    """
    settings, budget = read_options(options)
    return search(game, state, settings, budget, history, trace)


def search(
    game: Game,
    state: Any,
    settings: MctsSettings,
    budget: Budget,
    history: Sequence[Any] = (),
    trace: bool | int | Packed = False,
) -> Analysis:
    """The same for options that are sorted out."""
    validate(game)
    check_fit(game)
    settings.check_game(game)
    state = game.initial() if state is None else state
    started = time.perf_counter()
    if game.is_terminal(state):
        return over(game, state, settings)
    if is_wanted(trace) and game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information: its search has no one tree to trace; trace zermelo.revealed(game)"
        )
    plain = budget.only is None and is_plain(game, settings)
    kind = HiddenSimulator if game.kind.hidden else PlainUct if plain else Simulator
    simulator = kind(game, state, settings, history)
    if not is_wanted(trace):
        return simulate(simulator, budget, started)
    recorder = simulator.recorder = MctsRecorder(simulator, trace)
    found = simulate(simulator, budget, started)
    recorder.result(found)
    return replace(found, trace=recorder.trace)


def simulate(simulator: Simulator, budget: Budget, started: float) -> Analysis:
    """Simulates until something ends it, and tells what has come of it since `started`."""
    simulator.restrict(legal_only(simulator.game, simulator.state, budget.only))
    with Interrupt() as interrupt:
        end = ""
        while not end:
            simulator.simulate()
            end = reached(simulator, budget, time.perf_counter() - started, interrupt)
    found, seconds = find(simulator, end), time.perf_counter() - started
    return to_analysis(simulator.game, simulator.state, found, simulator.settings, seconds, simulator.number)


def check_fit(game: Game) -> None:
    """Refuses games that hide something and cannot say what might be hidden."""
    if game.kind.hidden and not game.can("sample"):
        raise MethodError(
            f"{game.name} hides information and does not say what may be hidden: "
            f"write `def sample(self, view, p, random)` in the class, or search zermelo.revealed(game)"
        )


def reached(simulator: Simulator, budget: Budget, seconds: float, interrupt: Interrupt) -> str:
    """What ends the search now; empty if nothing does."""
    if simulator.selector.solver and simulator.root.is_proved:
        return "proved"
    if budget.simulations is not None and simulator.simulations >= budget.simulations:
        return "simulations"
    if budget.nodes is not None and simulator.nodes >= budget.nodes:
        return "nodes"
    if budget.time is not None and seconds >= budget.time:
        return "seconds"
    if interrupt.asked:
        return "interrupt"
    if budget.stop is not None and budget.stop():
        return "stop"
    return "settled" if budget.early and is_settled(simulator, budget, seconds) else ""


def is_settled(simulator: Simulator, budget: Budget, seconds: float) -> bool:
    """Whether the time that is left is too short for another action to become the most visited one."""
    if budget.time is None or seconds < 0.02 * budget.time or not simulator.root.children or simulator.root.mover == -1:
        return False
    visits = sorted((child.visits for child in simulator.root.children if not child.is_closed), reverse=True)
    return visits[0] - sum(visits[1:2]) > simulator.simulations * (budget.time - seconds) / seconds
