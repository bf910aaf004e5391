"""The native solver against the textbook's retrograde analysis, and both against the plainest oracle there is."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.engine import CompiledGame
from zermelo.engine.solution import Solution, solve_strongly
from zermelo.engine.solution_tables import PythonTable, holds
from zermelo.games import load
from zermelo.search.retrograde import retrograde

SMALL = [
    "tictactoe",
    "tictactoe:m=3,n=2,k=2",
    "hexapawn",
    "hexapawn:columns=4,rows=4",
    "hex:size=3",
    "hex:size=2,swap=True",
    "nim:heaps=3/4/5",
    "nim:heaps=1/2/3,misere=True",
    "connect4:columns=4,rows=3",
]
PLACES, DEGREE = 14, 3


class Maze(zermelo.Game):
    """A token on a random graph: cycles, transpositions, the same player twice in a row. The graph is in the state,
    so that one compilation serves all graphs."""

    bounds = (-3.0, 3.0)

    class State(NamedTuple):
        place: int
        degrees: Any  # of each place; 0 where the game is over
        targets: Any
        movers: Any
        worth: Any

    def initial(self):
        return make_maze(self, 0)

    def player(self, s):
        return s.movers[s.place]

    def actions(self, s) -> Iterator[int]:
        for a in range(s.degrees[s.place]):
            yield a

    def result(self, s, a):
        return self.State(int(s.targets[s.place, a]), s.degrees, s.targets, s.movers, s.worth)

    def is_terminal(self, s):
        return s.degrees[s.place] == 0

    def utility(self, s, p):
        return float(s.worth[s.place]) if p == 0 else -float(s.worth[s.place])


class KeyedMaze(Maze):
    """The same with a key of its own, which the core sees as 64 bits only."""

    repetition = "draw"

    def key(self, s):
        return s.place


class SharedMaze(Maze):
    """Shares of 1: the draw is 1/2."""

    utility_sum = 1.0
    bounds = (-1.0, 2.0)

    def utility(self, s, p):
        share = 0.5 + s.worth[s.place] / 4
        return share if p == 0 else 1.0 - share


class LonelyMaze(Maze):
    """A puzzle for one."""

    players = 1

    def player(self, s):
        return 0

    def utility(self, s, p):
        return float(s.worth[s.place])


def make_maze(game: Maze, seed: int) -> Maze.State:
    chooser = random.Random(seed)
    ends = chooser.choice((0.1, 0.3, 0.5))
    degrees = [0 if chooser.random() < ends else chooser.randint(1, DEGREE) for _ in range(PLACES)]
    degrees[0] = DEGREE
    rows = [[chooser.randrange(PLACES) for _ in range(DEGREE)] for _ in range(PLACES)]
    movers = [chooser.randrange(2) for _ in range(PLACES)]
    worth = [chooser.choice((-3, -2, -1, 0, 1, 2, 3)) for _ in range(PLACES)]
    return game.State(0, *(np.array(values, np.int8) for values in (degrees, rows, movers, worth)))


def in_n_plies(game: zermelo.Game, solved: dict[Any, Any]) -> dict[Any, float]:
    """What player 0 gets if play ends in a draw after as many plies as there are positions, by plain iteration.

    Whatever can be forced at all can be forced within that many: no position need be passed twice.
    """
    states = {key: state for key, (state, _) in solved.items()}
    values = {k: game.utility(s, 0) if game.is_terminal(s) else game.neutral for k, s in states.items()}
    for _ in states:
        values = {
            k: values[k]
            if game.is_terminal(s)
            else (max, min)[int(game.player(s))](values[game.key(game.result(s, a))] for a in game.actions(s))
            for k, s in states.items()
        }
    return values


def compare(game: zermelo.Game, solution: Solution, root: Any) -> None:
    """Asserts that the textbook finds the same of every position."""
    solved = retrograde(game, root)
    assert len(solution) == len(solved)
    assert solution.counts == PythonTable(game, solved, root).counts()
    for state, outcome in solved.values():
        assert solution.outcome(state) == outcome
        assert holds(game, solution._table, state)
    assert {game.key(s) for s in solution.states()} == set(solved)


@pytest.mark.parametrize("name", SMALL)
def test_native_solutions_of_the_games_of_the_package_are_the_textbooks(name: str) -> None:
    game = load(name)
    compare(game, solve_strongly(game), game.initial())


@pytest.mark.parametrize("kind", [Maze, KeyedMaze, SharedMaze, LonelyMaze])
def test_native_solutions_of_random_graphs_are_the_textbooks_and_the_oracles(kind: type[Maze]) -> None:
    game = kind()
    CompiledGame(game)  # or a failure to compile would compare the textbook with itself
    looped = 0
    for seed in range(60):
        root = make_maze(game, seed)
        solution = solve_strongly(game, root, threads=1 + seed % 2)
        compare(game, solution, root)
        solved = retrograde(game, root)
        assert {key: outcome.values[0] for key, (_, outcome) in solved.items()} == in_n_plies(game, solved)
        drawn_ends = any(o.mover is None and o.values[0] == game.neutral for _, o in solved.values())
        looped += not drawn_ends and any(o.distance is None for _, o in solved.values())
    assert looped > 3  # draws that can only be circles


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_change_nothing(threads: int) -> None:
    game = load("connect4:columns=4,rows=4")
    one, many = solve_strongly(game), solve_strongly(game, threads=threads)
    assert len(one) == len(many) == 161_029
    assert one.counts == many.counts
    chooser = random.Random(threads)
    for _ in range(200):
        s = game.initial()
        while not game.is_terminal(s):
            assert one.outcome(s) == many.outcome(s)
            s = game.result(s, chooser.choice(list(game.actions(s))))
