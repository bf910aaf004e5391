"""Strong solutions: known results, files that are refused, games that are refused, and play from a table."""

import functools
import operator
import os
import random
import signal
import threading
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
from zermelo.arena import Player
from zermelo.arena.players import make_player
from zermelo.engine import InterpretedWarning
from zermelo.engine.solution import Choice, Solution, solve_strongly
from zermelo.engine.solution_tables import Counts
from zermelo.errors import ContractError, InputError, MethodError, OptionError, PositionError, UnsolvedError
from zermelo.games import load


class Pursuit(zermelo.Game):
    """A cat and a mouse on a ring of places, one step at a time; the cat moves first and wins by catching.

    On a ring of four the mouse, opposite, keeps its distance for ever. At the hole, place 0, the mouse wins.
    """

    repetition = "draw"

    class State(NamedTuple):
        cat: int
        mouse: int
        turn: int

    def __init__(self, places: int = 4, cat: int = 1, mouse: int = 3, hole: bool = False):
        self.places, self.cat, self.mouse, self.hole = places, cat, mouse, hole

    def initial(self):
        return self.State(self.cat, self.mouse, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 1
        yield -1

    def result(self, s, a):
        if s.turn == 0:
            return self.State((s.cat + a) % self.places, s.mouse, 1)
        return self.State(s.cat, (s.mouse + a) % self.places, 0)

    def is_terminal(self, s):
        return s.cat == s.mouse or (self.hole and s.mouse == 0)

    def utility(self, s, p):
        cat = 1.0 if s.cat == s.mouse else -1.0
        return cat if p == 0 else -cat


class Worded(Pursuit):
    """The same with actions that do not compile."""

    def actions(self, s):
        yield "on"
        yield "back"

    def result(self, s, a):
        return super().result(s, 1 if a == "on" else -1)


class Points(zermelo.Game):
    """Take turns in writing a digit; the number that they make is what player 0 gets: as many utilities as games."""

    bounds = (-900.0, 900.0)

    class State(NamedTuple):
        number: int
        digits: int

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.digits % 2

    def actions(self, s):
        for a in range(1, 10):
            if (s.number + a) % 3 != 1:
                yield a

    def result(self, s, a):
        return self.State(10 * s.number + a, s.digits + 1)

    def is_terminal(self, s):
        return s.digits == 3

    def utility(self, s, p):
        return s.number - 100.0 if p == 0 else 100.0 - s.number


class Broken(Points):
    def utility(self, s, p):
        return 1.0


class Failing(Points):
    def utility(self, s, p):
        return 0.0 * (1 // (s.number - 333))


def test_tictactoe_has_5478_positions_and_is_a_draw() -> None:
    solution = solve_strongly(load("tictactoe"))
    assert len(solution) == 5478
    assert solution.value() == 0.0
    assert solution.values() == (0.0, 0.0)
    assert solution.distance() is None
    assert solution.counts == Counts(2836, 1052, 632, 958)
    assert repr(solution) == "<Solution of TicTacToe: 5,478 positions, value 0>"


@pytest.mark.parametrize("misere", [False, True])
def test_nim_is_boutons_at_every_position(misere: bool) -> None:
    game = load(f"nim:heaps=4/5/6,misere={misere}")
    solution = solve_strongly(game)
    for s in solution.states():
        if not game.is_terminal(s):
            nimber = functools.reduce(operator.xor, map(int, s.heaps))
            wins = (nimber == 0) if misere and max(s.heaps) <= 1 else nimber != 0
            assert solution.value(s) == (1.0 if wins else -1.0)


def test_hexapawn_is_won_by_the_second_player() -> None:
    solution = solve_strongly(load("hexapawn"))
    assert solution.value() == -1.0
    assert solution.distance() == len(solution.line()) == 6


def test_connect_four_on_four_by_four_is_a_draw() -> None:
    solution = solve_strongly(load("connect4:columns=4,rows=4"))
    assert (len(solution), solution.value()) == (161_029, 0.0)


def test_the_winner_hurries_and_the_loser_resists() -> None:
    game = load("tictactoe")
    solution = solve_strongly(game)
    win = game.read("oo./xx./...")
    assert game.show_action(win, solution.best(win)) == "c2"
    assert solution.distance(win) == 1
    for s in random.Random(1).sample(list(solution.states()), 300):
        distance = solution.distance(s)
        assert (distance is None) == (solution.value(s) == 0.0 and not game.is_terminal(s))
        if distance is not None:
            assert len(solution.line(s)) == distance


def test_a_chase_round_a_ring_is_a_draw_for_ever() -> None:
    game = Pursuit()
    solution = solve_strongly(game)
    assert (solution.value(), solution.distance()) == (0.0, None)
    cornered = game.State(0, 1, 1)
    assert solution.value(cornered) == 0.0
    assert solution.actions(cornered) == {1: Choice(0.0, None), -1: Choice(-1.0, 1)}
    assert len(solution.line()) <= len(solution)  # which ends where a position comes back


def test_with_a_hole_the_mouse_gets_away() -> None:
    game = Pursuit(places=8, cat=4, mouse=2, hole=True)
    solution = solve_strongly(game)
    assert (solution.value(), solution.distance(), solution.line()) == (-1.0, 4, (1, -1, 1, -1))
    assert solution.analyse().exact
    assert solution.analyse().actions == {1: -1.0, -1: -1.0}


def test_as_many_utilities_as_ends_are_told_apart() -> None:
    solution = solve_strongly(Points())
    for s in solution.states():
        assert solution.values(s) == zermelo.minimax(Points(), s).values


@pytest.mark.filterwarnings("ignore::zermelo.engine.InterpretedWarning")
def test_the_lectures_tree_is_worth_3() -> None:
    solution = solve_strongly(load("[[3,12,8],[2,4,6],[14,5,2]]"))
    assert (solution.value(), len(solution)) == (3.0, 13)


def test_a_position_that_cannot_be_reached_is_none_of_the_solutions() -> None:
    game = load("tictactoe")
    solution = solve_strongly(game, game.read("oo./xx./..."))
    assert solution.root in solution
    assert game.initial() not in solution
    with pytest.raises(PositionError, match="is not among the"):
        solution.value(game.initial())


# Files.


@pytest.mark.parametrize("name", ["tictactoe", "nim:heaps=7/8/9", "hexapawn"])
def test_a_saved_solution_comes_back_whole(name: str, tmp_path: Path) -> None:
    game = load(name)
    solution = solve_strongly(game)
    solution.save(tmp_path / "one")
    loaded = Solution.load(tmp_path / "one", load(name))
    assert (len(loaded), loaded.counts) == (len(solution), solution.counts)
    assert game.write(loaded.root) == game.write(solution.root)
    for s in solution.states():
        assert loaded.outcome(s) == solution.outcome(s)
    loaded.save(tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nim"
    solve_strongly(load("nim:heaps=1/2")).save(path)
    with pytest.raises(InputError, match="a solution of Nim"):
        Solution.load(path, load("tictactoe"))
    with pytest.raises(InputError, match="other options"):
        Solution.load(path, load("nim:heaps=1/2,misere=True"))


def test_a_file_of_rules_that_have_changed_is_refused(tmp_path: Path) -> None:
    solve_strongly(Pursuit(hole=True)).save(tmp_path / "pursuit")

    class Changed(Pursuit):
        name = "Pursuit"

        def utility(self, s, p):
            return 1.0 if p == 1 else -1.0

    with pytest.raises(InputError, match="have changed"):
        Solution.load(tmp_path / "pursuit", Changed(hole=True))


def test_a_damaged_file_is_refused_wherever_the_damage_is(tmp_path: Path) -> None:
    game = load("hexapawn")
    path = tmp_path / "hexapawn"
    solve_strongly(game).save(path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 37):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(InputError):
            Solution.load(path, game)
        path.write_bytes(whole[:at])
        with pytest.raises(InputError):
            Solution.load(path, game)
    with pytest.raises(InputError, match="cannot be read"):
        Solution.load(tmp_path / "nowhere", game)


def test_what_does_not_compile_is_solved_and_saved_all_the_same(tmp_path: Path) -> None:
    native = solve_strongly(Pursuit(hole=True))
    with pytest.warns(InterpretedWarning):
        solution = solve_strongly(Worded(hole=True))
    solution.save(tmp_path / "worded")
    with pytest.warns(InterpretedWarning):
        loaded = Solution.load(tmp_path / "worded", Worded(hole=True))
    for s in native.states():
        assert native.outcome(s) == solution.outcome(s) == loaded.outcome(s)
    assert native.counts == solution.counts == loaded.counts


# Refusals.


@pytest.mark.parametrize("name", ["kuhn", "kingmaker", "blind-tictactoe"])
def test_games_that_have_no_such_solution_are_refused(name: str) -> None:
    with pytest.raises(MethodError):
        solve_strongly(load(name))


def test_rules_of_repetition_that_look_at_the_path_are_refused() -> None:
    class Forbidden(Pursuit):
        repetition = "forbidden"

    with pytest.raises(MethodError, match="depends on those before it"):
        solve_strongly(Forbidden())


def test_too_little_memory_ends_with_the_number_of_positions_found() -> None:
    with pytest.raises(UnsolvedError, match=r"[\d,]+ positions found, [\d,]+ of them looked into, .* 1 MB"):
        solve_strongly(load("connect4"), memory_mb=1)


@pytest.mark.parametrize("options", [{"memory_mb": 0}, {"threads": 0}, {"threads": True}, {"memory_mb": 1.5}])
def test_impossible_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        solve_strongly(load("hexapawn"), **options)


def test_utilities_that_do_not_add_up_are_a_breach_of_the_contract() -> None:
    with pytest.raises(ContractError, match="utility_sum"):
        solve_strongly(Broken())


def test_a_rule_that_raises_ends_the_solver_with_its_exception() -> None:
    with pytest.raises(ZeroDivisionError):
        solve_strongly(Failing(), threads=2)


def test_a_caller_can_watch_and_stop_it() -> None:
    seen = []
    with pytest.raises(UnsolvedError, match="told to stop"):
        solve_strongly(load("connect4"), stop=lambda: len(seen) > 3, progress=seen.append)
    assert [now.stage for now in seen] == ["exploring"] * 4
    assert 0 < seen[0].states <= seen[-1].states


def test_ctrl_c_ends_it() -> None:
    seen = []

    def press(now) -> None:
        seen.append(now)
        if len(seen) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        solve_strongly(load("connect4"), threads=2, progress=press)
    assert len(seen) <= 5


def test_it_leaves_the_interpreter_to_other_threads() -> None:
    ticks = []
    over = threading.Event()

    def tick() -> None:
        while not over.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    solve_strongly(load("connect4:columns=4,rows=4"))
    over.set()
    thread.join()
    assert len(ticks) > 5


# Play.


def test_a_player_from_a_file_never_loses(tmp_path: Path) -> None:
    game = load("tictactoe")
    path = tmp_path / "tictactoe"
    solve_strongly(game).save(path)
    for seed in range(10):
        for seat in (0, 1):
            players = [Player(f"random:seed={seed}"), Player(f"random:seed={seed}")]
            players[seat] = Player(f"solution:{path}")
            assert zermelo.play(game, players).utilities[seat] >= 0.0


def test_a_solution_is_a_player_itself() -> None:
    game = load("hexapawn")
    solution = solve_strongly(game)
    assert zermelo.play(game, [solution, solution]).utilities == (-1.0, 1.0)
    with pytest.raises(InputError, match="not of the game that is played"):
        solution.choose(load("tictactoe"), load("tictactoe").initial())


class TwoWays(Points):
    """One player alone moves, and wins at place 5: over 1 in two plies, over 2 and 3 in three; 4 leads back."""

    repetition = "draw"
    bounds = (-1.0, 1.0)

    def __init__(self) -> None:
        self.roads = ((4, 1, 2), (5,), (3,), (5,), (0,), ())

    def player(self, s):
        return 0

    def actions(self, s):
        for target in self.roads[s.number]:
            yield target

    def result(self, s, a):
        return self.State(a, 0)

    def is_terminal(self, s):
        return s.number == 5

    def utility(self, s, p):
        return 1.0 if p == 0 else -1.0


def test_the_winner_does_not_walk_back_into_a_draw_by_repetition() -> None:
    game = TwoWays()
    s = game.initial()
    solution = solve_strongly(game)
    assert solution.actions() == {4: Choice(1.0, 4), 1: Choice(1.0, 2), 2: Choice(1.0, 3)}
    assert solution.choose(game, s) == 1
    assert solution.choose(game, s, [game.State(1, 0)]) == 2


def test_a_player_says_what_is_wrong_with_its_file() -> None:
    with pytest.raises(OptionError, match="there is no file"):
        make_player("solution:nowhere.solution")
    with pytest.raises(OptionError, match="say which file"):
        make_player("solution")
