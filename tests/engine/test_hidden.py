"""Native search of information sets: threads, memory, and rules that do not fit what players see."""

from __future__ import annotations

import importlib
import os
import random
import signal
import time
from typing import Any, NamedTuple

import pytest

import zermelo as z
from zermelo.engine import InterpretedWarning, Mcts
from zermelo.equilibrium import extensive_form
from zermelo.errors import ContractError, MethodError
from zermelo.games import load
from zermelo.search.mcts import mcts as textbook


class Coin(z.Game):
    """Player 0 hides a coin in one of two hands, player 1 guesses which."""

    class State(NamedTuple):
        hand: int
        guess: int

    def initial(self) -> State:
        return self.State(0, 0)

    def player(self, s: State) -> int:
        return 0 if s.hand == 0 else 1

    def actions(self, s: State) -> Any:
        yield 1
        yield 2

    def result(self, s: State, a: int) -> State:
        return self.State(a, 0) if s.hand == 0 else self.State(s.hand, a)

    def is_terminal(self, s: State) -> bool:
        return s.guess != 0

    def utility(self, s: State, p: int) -> float:
        return 1.0 if (s.hand == s.guess) == (p == 1) else -1.0

    def view(self, s: State, p: int) -> int:
        return s.hand if p == 0 else (0 if s.hand == 0 else 1)

    def sample(self, view: int, p: int, random: Any) -> State:
        return self.State(0, 0) if p == 0 else self.State(random.choice([1, 2]), 0)


def test_whoever_cannot_see_the_coin_wins_half_of_the_time() -> None:
    game = Coin()
    hidden = game.result(game.initial(), 2)
    found = z.mcts(game, hidden, simulations=4000, seed=1)
    assert abs(found.value) < 0.1
    assert not found.exact
    assert found.value == textbook(game, hidden, simulations=4000, seed=1).value


@pytest.mark.parametrize("name", ["blind_tictactoe", "goofspiel:cards=5", "leduc", "kuhn:players=3"])
def test_threads_share_information_sets_and_lose_no_simulation(name: str) -> None:
    game = load(name)
    s = game.initial()
    while game.player(s) < 0:
        s = game.result(s, next(iter(game.actions(s))))
    found = z.mcts(game, s, simulations=3000, threads=3)
    assert sum(found.visits.values()) == found.leaves == 3000


def test_a_search_in_little_memory_goes_on_without_new_sets() -> None:
    found = Mcts(load("blind_tictactoe"), memory_mb=1).search(simulations=60_000)
    assert found.leaves == sum(found.visits.values()) == 60_000


def test_a_searcher_imagines_other_worlds_in_every_search() -> None:
    searcher = Mcts(load("blind_tictactoe"), seed=5)
    once, twice = searcher.search(simulations=500), searcher.search(simulations=500)
    assert once.visits != twice.visits
    searcher.clear()
    assert searcher.search(simulations=500).visits == once.visits


class TwoCoins(Coin):
    """Player 0 hides a coin, player 1 guesses the hand and is told; then once more. A right guess is worth a point."""

    bounds = (-2.0, 2.0)

    class State(NamedTuple):
        hand: int
        guesses: int
        right: int

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def result(self, s: State, a: int) -> State:
        if s.hand == 0:
            return self.State(a, s.guesses, s.right)
        return self.State(0, s.guesses + 1, s.right + (a == s.hand))

    def is_terminal(self, s: State) -> bool:
        return s.guesses == 2

    def utility(self, s: State, p: int) -> float:
        return (2.0 if p == 1 else -2.0) * (s.right - 1)

    def view(self, s: State, p: int) -> State:
        return s if p == 0 or s.hand == 0 else self.State(1, s.guesses, s.right)

    def sample(self, view: State, p: int, random: Any) -> State:
        return view if p == 0 else self.State(random.choice([1, 2]), view.guesses, view.right)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_player_learnt_of_its_next_information_set_is_kept(threads: int) -> None:
    game = TwoCoins()
    start = game.initial()
    guess = game.result(start, 1)
    searcher = Mcts(game, threads=threads)
    first = searcher.search(guess, history=[start], simulations=4000)
    assert searcher.reused == 0
    assert abs(first.value) < 0.5
    told = game.result(guess, 1)  # right
    again = game.result(told, 2)
    history = [start, guess, told]
    second = searcher.search(again, history=history, simulations=4000)
    assert 500 < searcher.reused < first.visits[1]
    assert sum(second.visits.values()) == searcher.reused + 4000
    assert abs(second.value - 1) < 0.5  # a point is won, and the hand is not seen
    assert second.values == (-second.value, second.value)
    inherited = searcher.reused
    searcher.search(again, history=history, simulations=10)
    assert searcher.reused == inherited + 4000  # the same position again


def test_a_tree_of_another_player_or_another_game_is_not_gone_on_with() -> None:
    game = TwoCoins()
    start = game.initial()
    guess = game.result(start, 1)
    told = game.result(guess, 1)
    again = game.result(told, 2)
    searcher = Mcts(game)
    searcher.search(guess, history=[start], simulations=100)
    searcher.search(told, history=[start, guess], simulations=100)
    assert searcher.reused == 0  # the other moves
    searcher.search(guess, history=[start], simulations=100)
    searcher.search(again, simulations=100)
    assert searcher.reused == 0  # nobody says how it came to this
    searcher.search(guess, history=[start], simulations=100)
    searcher.search(again, history=[start, guess, start], simulations=100)
    assert searcher.reused == 0  # no action leads that way


def test_in_little_memory_the_most_visited_information_sets_are_kept() -> None:
    game, dice, kept = load("blind_tictactoe"), random.Random(2), 0
    searcher = Mcts(game, memory_mb=1, threads=2)
    s, history = game.initial(), []
    while not game.is_terminal(s):
        action = dice.choice(list(game.actions(s)))
        if game.player(s) == 0:
            found = searcher.search(s, history=history, simulations=20_000)
            assert sum(found.visits.values()) == searcher.reused + 20_000
            kept, action = kept + searcher.reused, found.action
        history.append(s)
        s = game.result(s, action)
    assert kept > 1000


def test_all_moves_as_first_and_evaluators_are_refused() -> None:
    with pytest.raises(MethodError, match="hides information"):
        Mcts(Coin(), rave=10.0)


@pytest.mark.parametrize("seed", range(4))
def test_choices_at_the_same_time_do_not_keep_step(seed: int) -> None:
    """Whoever tried something whenever the other did would take the answer to it for what it is worth."""
    for search in (z.mcts, textbook):
        for name in ("rock_paper_scissors", "matching_pennies"):
            found = search(load(name), simulations=4000, seed=seed)
            assert abs(found.value) < 0.1
        game = load("prisoners_dilemma")
        found = search(game, simulations=4000, seed=seed)
        assert game.show_action(game.initial(), found.action) == "confess"


class Interrupting(Coin):
    """Somebody presses Ctrl-C while a world is imagined."""

    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        if not hasattr(self, "pressed"):
            self.pressed = True
            os.kill(os.getpid(), signal.SIGINT)
        return super().sample(view, p, random)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_with_the_best_so_far_even_while_it_imagines(threads: int) -> None:
    game = Interrupting()
    found = z.mcts(game, game.result(game.initial(), 1), simulations=10**9, seconds=600, threads=threads)
    assert found.stopped == "interrupt"
    assert found.action in (1, 2)


class Stuck(Coin):
    """From some world on, `sample` never returns."""

    def __init__(self, worlds: int, asleep: bool = False):
        self.worlds = worlds
        self.asleep = asleep

    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        imagined.append(view)
        while len(imagined) > self.worlds:
            time.sleep(0.5 if self.asleep else 0.0)
        return super().sample(view, p, random)


imagined: list[int] = []


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("worlds", "asleep"), [(0, False), (100, False), (100, True)])
def test_a_sample_that_never_returns_does_not_keep_a_search_from_ending(
    threads: int, worlds: int, asleep: bool
) -> None:
    imagined.clear()
    game = Stuck(worlds, asleep)
    s = game.result(game.initial(), 1)

    def is_stuck() -> bool:
        return len(imagined) > worlds

    found = z.mcts(game, s, simulations=10**9, seconds=600, threads=threads, stop=is_stuck)
    assert (found.stopped, found.leaves > 0) == ("stop", worlds > 0)
    assert found.action in (1, 2)


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_is_heard_while_a_sample_never_returns(threads: int) -> None:
    imagined.clear()
    game = Stuck(100)
    s = game.result(game.initial(), 1)
    pressed: list[int] = []

    def press() -> bool:
        if len(imagined) > 100 and not pressed:
            pressed.append(signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
        return False

    found = z.mcts(game, s, simulations=10**9, seconds=600, threads=threads, stop=press)
    assert found.stopped == "interrupt"
    assert found.leaves > 0


class Elsewhere(Coin):
    """`sample` gives a state in which the other is to move."""

    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        return self.State(0, 0) if p == 1 else self.State(1, 0)


class Otherwise(Coin):
    """`sample` gives a state that does not look like this one."""

    def view(self, s: Coin.State, p: int) -> int:
        return s.hand

    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        return self.State(0, 0) if p == 0 else self.State(3 - view, 0)


class Over(Coin):
    """`sample` gives ends only."""

    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        return self.State(1, 1)


class Failing(Coin):
    def sample(self, view: int, p: int, random: Any) -> Coin.State:
        raise LookupError("no coin")


class Unlike(Coin):
    """What player 1 can do depends on what it does not see."""

    def actions(self, s: Coin.State) -> Any:
        for a in range(1, 4 if s.hand == 2 else 3):
            yield a


@pytest.mark.parametrize(
    ("game", "error", "match"),
    [
        (Elsewhere(), ContractError, "somebody else moves"),
        (Otherwise(), ContractError, "looks different to player 1"),
        (Over(), ContractError, "the game is over"),
        (Failing(), LookupError, "no coin"),
        (Unlike(), ContractError, "player 1 of Unlike sees the same in two states and has other actions"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, z.Game) else "",
)
@pytest.mark.parametrize("threads", [1, 2])
def test_rules_that_do_not_fit_what_is_seen_are_told(game: Coin, error: type, match: str, threads: int) -> None:
    s = game.result(game.initial(), 1)
    with pytest.raises(error, match=match):
        z.mcts(game, s, simulations=500, threads=threads)
    with pytest.raises(error, match=match):
        textbook(game, s, simulations=500)


class Words(Coin):
    """What is seen is a text, which native rules do not know."""

    def view(self, s: Coin.State, p: int) -> Any:
        return f"{Coin.view(self, s, p)}"

    def sample(self, view: Any, p: int, random: Any) -> Coin.State:
        return Coin.sample(self, int(view), p, random)


def test_views_that_do_not_compile_are_searched_by_the_textbook_and_never_seen_through() -> None:
    game = Words()
    s = game.result(game.initial(), 2)
    with pytest.warns(InterpretedWarning, match="view"):
        found = z.mcts(game, s, simulations=400, seed=2)
    assert found.visits == textbook(game, s, simulations=400, seed=2).visits


def test_a_form_of_views_that_do_not_compile_hides_what_they_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("zermelo.equilibrium.extensive"), "INTERPRETED", 2)
    with pytest.warns(InterpretedWarning, match="view"):
        form = extensive_form(Words())
    assert len(form.arrays.owner) == 2


def test_a_search_that_is_stopped_imagines_no_more_worlds() -> None:
    imagined = 0

    class Slow(Coin):
        def sample(self, view: Any, p: int, random: Any) -> Any:
            nonlocal imagined
            imagined += 1
            time.sleep(0.03)
            return super().sample(view, p, random)

    Mcts(Slow(), threads=8).search(stop=lambda: True)
    assert 0 < imagined < 8 * 32 / 2  # every thread wants 32 before it begins
