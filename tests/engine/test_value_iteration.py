"""Solutions of games with chance: known values, the core against the textbook, files, play and refusals."""

from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo.engine import InterpretedWarning
from zermelo.engine.solution import Solution, solve_strongly
from zermelo.errors import InputError, MethodError, UnsolvedError
from zermelo.game import CHANCE
from zermelo.games import load
from zermelo.search.value_iteration import value_iteration


class Coin(zermelo.Game):
    """Stop and take 0.4, or toss: heads wins, tails gives the choice to the other player, at worst for ever."""

    class State(NamedTuple):
        turn: int
        tossing: bool = False
        payoff: float = 0.0
        over: bool = False

    def initial(self):
        return self.State(0)

    def player(self, s):
        return CHANCE if s.tossing else s.turn

    def actions(self, s):
        yield 0
        yield 1

    def chances(self, s):
        yield 0, 0.5
        yield 1, 0.5

    def result(self, s, a):
        sign = 1.0 if s.turn == 0 else -1.0
        if s.tossing:
            return self.State(s.turn, False, sign, True) if a == 0 else self.State(1 - s.turn, False, 0.0, False)
        return self.State(s.turn, False, 0.4 * sign, True) if a == 0 else self.State(s.turn, True, 0.0, False)

    def is_terminal(self, s):
        return s.over

    def utility(self, s, p):
        return s.payoff if p == 0 else -s.payoff


class Worded(Coin):
    """The same with actions that do not compile."""

    def actions(self, s):
        yield "stop"
        yield "toss"

    def chances(self, s):
        yield "stop", 0.5
        yield "toss", 0.5

    def result(self, s, a):
        return super().result(s, 0 if a == "stop" else 1)


class Endless(zermelo.Game):
    """Whoever is to choose hands the choice over, or throws a die that loses: so nobody does."""

    bounds = (-0.5, 0.5)

    class State(NamedTuple):
        turn: int
        throwing: bool = False
        over: bool = False

    def initial(self):
        return self.State(0)

    def player(self, s):
        return CHANCE if s.throwing else s.turn

    def actions(self, s):
        yield 0
        if not s.throwing:
            yield 1

    def chances(self, s):
        yield 0, 1.0

    def result(self, s, a):
        if s.throwing:
            return self.State(s.turn, False, True)
        return self.State(1 - s.turn, False, False) if a == 0 else self.State(s.turn, True, False)

    def is_terminal(self, s):
        return s.over

    def utility(self, s, p):
        return -0.5 if p == s.turn else 0.5


class ByTheRule(Coin):
    repetition = "draw"


def test_a_toss_that_may_go_on_for_ever_has_the_value_of_its_equation() -> None:
    # Tossing: v = (1 - v) / 2, so v = 1/3; stopping brings 0.4, after which tossing brings (1 - 0.4) / 2 = 0.3.
    solution = solve_strongly(Coin())
    assert solution.value() == pytest.approx(0.4, abs=1e-11)
    assert solution.best() == 0
    assert {a: choice.value for a, choice in solution.actions().items()} == pytest.approx({0: 0.4, 1: 0.3}, abs=1e-11)


def test_the_first_player_wins_pig_to_100_in_5306_games_of_ten_thousand() -> None:
    # Neller and Presser, "Optimal Play of the Dice Game Pig" (2004).
    solution = solve_strongly(load("pig:goal=100"), memory_mb=1024)
    assert (1 + solution.value()) / 2 == pytest.approx(0.5306, abs=5e-5)
    assert solution.error < 1e-11


@pytest.mark.parametrize("text", ["pig:goal=4", "pig:goal=9,sides=3", "race:steps=3,sides=3"])
def test_the_core_finds_what_the_textbook_finds(text: str) -> None:
    game = load(text)
    solution = solve_strongly(game)
    solved = value_iteration(game)
    assert len(solution) == len(solved)
    for state, outcome in solved.values():
        found = solution.outcome(state)
        assert found.mover == outcome.mover
        assert found.distance == outcome.distance
        assert found.values == pytest.approx(outcome.values, abs=1e-9)


def test_a_race_that_ends_is_worth_what_expectiminimax_says() -> None:
    game = load("race:steps=3,sides=2")
    assert solve_strongly(game).value() == pytest.approx(zermelo.expectiminimax(game).value, abs=1e-9)


def test_a_saved_policy_comes_back_whole(tmp_path: Path) -> None:
    game = load("pig:goal=12")
    solution = solve_strongly(game)
    solution.save(tmp_path / "pig")
    loaded = Solution.load(tmp_path / "pig", game)
    assert loaded.counts == solution.counts
    assert loaded.counts.rolls > 0
    assert loaded.error == solution.error
    for state in solution.states():
        assert loaded.outcome(state) == solution.outcome(state)
        assert loaded.best(state) == solution.best(state)


def test_rules_that_do_not_compile_are_solved_and_saved_as_well(tmp_path: Path) -> None:
    with pytest.warns(InterpretedWarning):
        solution = solve_strongly(Worded())
    solution.save(tmp_path / "coin")
    with pytest.warns(InterpretedWarning):
        loaded = Solution.load(tmp_path / "coin", Worded())
    assert loaded.counts == solution.counts == solve_strongly(Coin()).counts
    assert all(loaded.outcome(s) == solution.outcome(s) for s in solution.states())
    assert loaded.best() == "stop"


def test_damage_anywhere_in_the_file_is_found(tmp_path: Path) -> None:
    game = load("pig:goal=5")
    path = tmp_path / "pig"
    solve_strongly(game).save(path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 61):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(InputError):
            Solution.load(path, game)


def test_a_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    class Generous(Coin):
        def utility(self, s, p):
            return s.payoff / 2 if p == 0 else -s.payoff / 2

    solve_strongly(Coin()).save(tmp_path / "coin")
    Generous.__name__ = "Coin"
    with pytest.raises(InputError, match="rules"):
        Solution.load(tmp_path / "coin", Generous())


@pytest.mark.parametrize("solve", [solve_strongly, value_iteration])
def test_play_that_may_go_on_for_ever_without_a_value_is_refused(solve) -> None:
    with pytest.raises(UnsolvedError, match=r"may go on for ever, .* from -0\.5 to 0\.5"):
        solve(Endless())


def test_a_rule_of_repetition_beside_chance_is_refused() -> None:
    with pytest.raises(MethodError, match="repetition"):
        solve_strongly(ByTheRule())


def test_too_little_memory_ends_with_the_number_of_positions() -> None:
    with pytest.raises(UnsolvedError, match="positions found"):
        solve_strongly(load("pig:goal=60"), memory_mb=1)


def test_a_caller_can_stop_it() -> None:
    with pytest.raises(UnsolvedError, match="told to stop"):
        solve_strongly(load("pig:goal=100"), stop=lambda: True)


def test_a_solved_dice_game_is_a_player() -> None:
    game = load("pig:goal=15")
    solution = solve_strongly(game)
    results = [zermelo.play(game, [solution, zermelo.Player("random")], seed=seed).utilities[0] for seed in range(40)]
    assert sum(results) > 10


def test_a_game_that_no_search_ends_is_solved_all_the_same(monkeypatch) -> None:
    monkeypatch.setattr("zermelo.engine.engine.CHEAP_NODES", 1_000)
    game = load("pig:goal=20")
    found = zermelo.solve(game)
    assert found.exact
    assert found.method == "value iteration"
    assert (1 + found.value) / 2 == pytest.approx(0.6156, abs=5e-5)


def test_a_game_of_three_is_solved_by_a_search_to_its_end(monkeypatch) -> None:
    monkeypatch.setattr("zermelo.engine.engine.CHEAP_NODES", 10)
    game = load("kingmaker")
    assert zermelo.solve(game).values == zermelo.maxn(game).values
