"""Teams: partners share their utility, and with open cards two teams are two players."""

from __future__ import annotations

import itertools
import random
from typing import Any, NamedTuple

import pytest

import zermelo as z
from zermelo.engine import Engine
from zermelo.game import AnyGame
from zermelo.play.words import say_outcome


class Pile(z.Game[Any, int]):
    """Nim for four: whoever takes the last stone wins for its team."""

    players = 4

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 11) -> None:
        self.stones = stones

    def initial(self) -> State:
        return self.State(self.stones, 0)

    def team(self, p: int) -> int:
        return p % 2

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> list[int]:
        return [n for n in (1, 2, 3) if n <= s.stones]

    def result(self, s: State, a: int) -> State:
        return self.State(s.stones - a, (s.turn + 1) % 4)

    def is_terminal(self, s: State) -> bool:
        return s.stones == 0

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p % 2 != s.turn % 2 else -1.0


class PileForTwo(Pile):
    """The same game with two players."""

    players = 2
    team = z.Game.team

    def player(self, s: Pile.State) -> int:
        return s.turn % 2


class Hunt(Pile):
    """Three hunters against one, who wins twice as much as each of them loses: a sum over teams is constant."""

    def team(self, p: int) -> int:
        return int(p > 0)

    def utility(self, s: Pile.State, p: int) -> float:
        return 1.0 if (p > 0) == (s.turn > 0) else -1.0


TEXTBOOK = (z.minimax, z.negamax, z.alphabeta, z.pvs, z.mtdf)


@pytest.mark.parametrize("search", TEXTBOOK, ids=lambda search: search.__name__)
def test_a_search_of_two_teams_enters_the_nodes_of_the_game_for_two(search: Any) -> None:
    teams, two = search(Pile()), search(PileForTwo())
    assert (teams.value, teams.action, teams.nodes, teams.cutoffs) == (two.value, two.action, two.nodes, two.cutoffs)
    assert teams.values == (teams.value, -teams.value, teams.value, -teams.value)
    assert teams.exact


def test_the_engine_enters_as_few_nodes_as_in_the_game_for_two() -> None:
    teams, two = Engine(Pile(30), exact=True).search(), Engine(PileForTwo(30), exact=True).search()
    assert (teams.value, teams.nodes, teams.line) == (two.value, two.nodes, two.line)
    assert teams.values == (teams.value, -teams.value, teams.value, -teams.value)


def test_teams_need_fewer_nodes_than_four_who_play_alone() -> None:
    alone = type("Alone", (Pile,), {"team": z.Game.team, "utility_sum": None})
    assert z.alphabeta(Pile()).nodes < z.maxn(alone()).nodes


@pytest.mark.parametrize("algorithm", [None, "maxn", "paranoid", "brs"])
def test_whoever_moves_first_wins_by_every_search_of_the_engine(algorithm: str | None) -> None:
    found = z.Searcher(Pile(), algorithm=algorithm).search()
    assert found.value == 1.0
    assert found.values == (1.0, -1.0, 1.0, -1.0)


@pytest.mark.parametrize("search", [z.maxn, z.paranoid, z.best_reply], ids=lambda search: search.__name__)
def test_searches_for_many_players_take_partners_for_friends(search: Any) -> None:
    assert search(Pile()).values == (1.0, -1.0, 1.0, -1.0)


def test_simulations_are_proved_between_teams_as_between_two() -> None:
    found = z.mcts(Pile(7), simulations=2_000)
    assert found.exact
    assert found.values == (1.0, -1.0, 1.0, -1.0)


def test_a_sum_counts_partners_once() -> None:
    assert str(Hunt().kind) == "4 players in 2 teams, constant sum, deterministic, perfect information"
    assert Hunt().teams == ((0,), (1, 2, 3))
    plain = Hunt()
    plain.utility_sum = None
    expected = z.maxn(plain).values
    assert z.alphabeta(Hunt(), deepen=False).values == expected
    assert Engine(Hunt()).search().values == expected


def test_solutions_books_and_tables_take_the_sides_of_a_game() -> None:
    solution = z.solve(z.sides(Pile()), strongly=True)
    assert solution.analyse(Pile().initial()).value == z.alphabeta(Pile()).value


def test_sides_are_called_by_all_their_members() -> None:
    game = z.sides(Pile())
    assert game.player_name(1) == "player 1 and player 3"
    assert say_outcome(Pile(), (1.0, -1.0, 1.0, -1.0)) == "player 0 and player 2 win"


def test_everybody_alone_is_the_game_itself() -> None:
    game = z.load("kingmaker")
    assert z.sides(game) is game
    assert game.teams == ((0,), (1,), (2,))


class Wrong(Pile):
    def team(self, p: int) -> Any:
        return "us"


class Unequal(Pile):
    utility_sum = None

    def utility(self, s: Pile.State, p: int) -> float:
        return 0.5 if p == 2 else super().utility(s, p)


ASKED = itertools.count()


class Changing(Pile):
    """Every other time the teams are others."""

    def team(self, p: int) -> int:
        return p % 2 if next(ASKED) // 4 % 2 == 0 else p // 2


def test_teams_that_are_none_get_one_line() -> None:
    with pytest.raises(z.ContractError, match="gives 'us' for player 0; return a whole number from 0 to 3"):
        z.alphabeta(Wrong())
    with pytest.raises(z.ContractError, match="partners of Unequal get"):
        z.alphabeta(Unequal())


@pytest.mark.parametrize(("game", "told"), [(Wrong(), "'us'"), (Unequal(), "partners"), (Changing(), "other teams")])
def test_the_kit_checks_teams(game: AnyGame, told: str) -> None:
    problems = z.check(game, seconds=0.3).problems
    assert any(told in problem.message for problem in problems), problems


def test_the_kit_has_nothing_against_a_game_of_teams() -> None:
    assert z.check(Pile(), seconds=0.3).ok


class Hidden(Pile):
    def view(self, s: Pile.State, p: int) -> int:
        return s.turn


def test_partners_do_not_see_the_same() -> None:
    with pytest.raises(z.MethodError, match=r"zermelo\.sides\(zermelo\.revealed\(game\)\)"):
        z.sides(Hidden())
    with pytest.raises(z.MethodError, match="is played by teams"):
        z.cfr(Hidden())
    assert z.alphabeta(z.revealed(Hidden())).values == z.alphabeta(Pile()).values


def test_a_plain_native_search_of_all_seats_names_the_sides() -> None:
    from zermelo.engine import compile_game

    with pytest.raises(z.MethodError, match=r"zermelo\.sides\(game\)"):
        compile_game(Pile()).alphabeta(Pile().initial())
    game = z.sides(Pile())
    found = compile_game(game).alphabeta(game.initial())
    assert (found.value, found.nodes) == (z.alphabeta(Pile()).value, z.alphabeta(Pile()).nodes)


def test_a_native_table_says_its_teams() -> None:
    from zermelo.engine import compile_game

    assert compile_game(Pile()).handle.teams() == [0, 1, 0, 1]
    assert compile_game(PileForTwo()).handle.teams() == [0, 1]


# Whist: the value of every deal of a small deck.


@pytest.fixture(scope="module")
def whist() -> Any:
    import runpy
    from pathlib import Path

    example = Path(__file__).resolve().parents[2] / "examples" / "whist.py"
    return runpy.run_path(str(example))["Whist"]


def brute_force(game: AnyGame, s: Any) -> float:
    """The value for North and South, by all lines of play."""
    if game.is_terminal(s):
        return game.utility(s, 0)
    choose = max if game.player(s) % 2 == 0 else min
    return choose(brute_force(game, game.result(s, a)) for a in game.actions(s))


def deals(game: Any) -> list[Any]:
    """Every way to deal the eight cards."""
    found = []
    for order in itertools.permutations(range(4), 4):
        for rest in itertools.product(range(4), repeat=4):
            owners = [*order, *rest]
            if all(owners.count(p) == 2 for p in range(4)):
                hands = tuple(sum(1 << card for card in range(8) if owners[card] == p) for p in range(4))
                found.append(game.initial()._replace(hands=hands, stock=0))
    return found


def test_four_hand_whist_has_the_value_of_brute_force_over_all_deals(whist: Any) -> None:
    game = whist(ranks=4, suits=2, trumps=1)
    open_game = z.revealed(game, dealt=True)
    engine = Engine(open_game, exact=True)
    dealt = deals(game)
    assert len(dealt) == 576
    for s in dealt:
        found = engine.prove(s)
        assert found.values[0] == found.values[2] == brute_force(game, s)


def test_the_textbook_agrees_on_deals_at_random(whist: Any) -> None:
    game = whist(ranks=3, suits=4, trumps=2)
    open_game, dice = z.revealed(game, dealt=True), random.Random(5)
    for _ in range(20):
        s = game.initial()
        while game.player(s) == z.CHANCE:
            s = game.result(s, dice.choice(list(game.actions(s))))
        assert z.alphabeta(open_game, s).values[0] == brute_force(game, s)


def test_a_tournament_seats_partners_together(whist: Any) -> None:
    report = z.match(whist(), ["pimc:worlds=4,seed=1", "random:seed=1"], games=4)
    for scheduled, outcome in report.games:
        assert scheduled.seats in {(0, 1, 0, 1), (1, 0, 1, 0)}
        assert sum(scheduled.of_entrants(outcome.points)) == 1.0
    assert sum(report.score(0, 1)[:2]) == 4.0
    assert report.payoffs is not None
    mine, theirs = (report.payoffs.means[entrant].mean for entrant in (0, 1))
    assert mine == -theirs
