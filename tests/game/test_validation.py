"""A game that contradicts itself is refused when it is first used, with one line that says why."""

from typing import NamedTuple

import numpy as np
import pytest

import zermelo as z
from zermelo.errors import ContractError, OptionError, TreeError, ZermeloError
from zermelo.game import validation
from zermelo.game.validation import legal_only, validate
from zermelo.search.algorithms import algorithm
from zermelo.search.retrograde import retrograde


class Nim(z.Game):
    """Take one or two stones; whoever takes the last one wins."""

    class State(NamedTuple):
        stones: int
        turn: int

    def initial(self):
        return self.State(4, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in (1, 2):
            if n <= s.stones:
                yield n

    def result(self, s, a):
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


SEARCHES = {
    "search": lambda game: z.search(game, depth=3),
    "solve": z.solve,
    "solve strongly": lambda game: z.solve(game, strongly=True),
    "Engine": lambda game: z.Engine(game).search(depth=3),
    "minimax": z.minimax,
    "alphabeta": z.alphabeta,
    "mcts": lambda game: z.mcts(game, simulations=10),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(
    ("fact", "value", "wanted"),
    [
        ("bounds", (1.0, -1.0), "pair"),
        ("bounds", "wide", "pair"),
        ("bounds", ("-1", "1"), "pair"),
        ("bounds", (-1.0, 10**400), "pair"),
        ("scale", -5, "above 0"),
        ("inputs_are_patterns", "yes", "True or False"),
        ("pawn", 0, "above 0"),
        ("win_rate", (0.1, 0.0), "pair"),
        ("win_rate", 0.1, "pair"),
        ("repetition", "drwa", '"draw", "forbidden"'),
        ("players", 0, "1 or more"),
        ("utility_sum", "zero", "general-sum"),
        ("occurrences", 1, "2 or more"),
        ("simulation", None, "dict of settings"),
        ("simulation", [("c", 1)], "dict of settings"),
    ],
)
def test_an_impossible_fact_is_named(search, fact, value, wanted) -> None:
    class Wrong(Nim):
        pass

    setattr(Wrong, fact, value)
    with pytest.raises(ContractError, match=rf"^`{fact}` of Wrong is .*{wanted}") as caught:
        search(Wrong())
    assert "\n" not in str(caught.value)


class CountedFromOne(Nim):
    def player(self, s):
        return s.turn + 1

    def utility(self, s, p):
        return 1.0 if p == 0 else -1.0


class Forgetful(Nim):
    def player(self, s):
        return 1 if s.turn == 1 else None


class Chancy(Nim):
    def player(self, s):
        return z.CHANCE if s.turn else 0


TEXTBOOK = {name: algorithm(name) for name in ("minimax", "alphabeta", "negamax", "pvs", "mtdf", "maxn")}
TEXTBOOK["composable"] = lambda game: z.alphabeta(game, table=True)
TEXTBOOK["mcts"] = lambda game: algorithm("mcts")(game, simulations=10)
TEXTBOOK["retrograde"] = retrograde


@pytest.mark.parametrize("kind", [CountedFromOne, Forgetful])
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_who_moves_must_be_a_player(search, kind) -> None:
    with pytest.raises(ContractError, match=r"which is no player of .*: return a whole number from 0 to 1"):
        search(kind())


@pytest.mark.parametrize("kind", [CountedFromOne, Forgetful, Chancy])
@pytest.mark.parametrize("search", TEXTBOOK.values(), ids=TEXTBOOK)
def test_every_search_of_the_textbook_asks_for_a_player(search, kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "VALIDATION_PLIES", 0)
    with pytest.raises(ContractError, match=r"is no player|chance moves in .*: write|chances\(self, s\)"):
        search(kind())


@pytest.mark.parametrize("scale", [1e-10, 0.5, 1.5, 1e300])
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_utilities_must_be_whole_points(search, scale) -> None:
    game = Nim()
    game.scale = scale
    with pytest.raises(ContractError, match=r"no whole number of points with `scale`"):
        search(game)


def test_an_end_must_be_whole_points_where_the_bounds_are() -> None:
    class Half(Nim):
        scale, bounds = 1.0, (-2.0, 2.0)

        def utility(self, s, p):
            return 0.5 if p != s.turn else -0.5

    with pytest.raises(ContractError, match=r"an end of Half is worth .*0\.5, which is no whole number of points"):
        validate(Half())


def test_a_tree_of_enormous_numbers_has_no_points() -> None:
    game = z.Tree([[1e300, 3], [2, 1e299]])
    assert game.scale is None
    assert z.pvs(game).value == 3


NO_NUMBERS = {
    "None": None,
    "text": "1",
    "text of NumPy": np.str_("1"),
    "an array": np.array([1.0]),
    "a whole number beyond floats": 10**400,
    "a date": np.datetime64(1, "s"),
    "a complex number": 1j,
    "a complex number of NumPy": np.complex64(1),
}


@pytest.mark.parametrize("given", NO_NUMBERS.values(), ids=NO_NUMBERS)
@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_utility_must_be_a_number(search, given) -> None:
    game = Nim()
    game.utility = lambda s, p: given
    with pytest.raises(ContractError, match=r"^`utility` of Nim gives .*: does it `return` a number in every case\?$"):
        search(game)


@pytest.mark.parametrize("given", NO_NUMBERS.values(), ids=NO_NUMBERS)
@pytest.mark.parametrize("search", [z.minimax, z.maxn, z.pvs, lambda game: z.alphabeta(game, quick=True)])
def test_a_utility_that_no_first_game_meets_must_be_a_number(search, given, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "VALIDATION_PLIES", 0)
    game = Nim()
    game.utility = lambda s, p: given
    with pytest.raises(ContractError, match=r"^`utility` of Nim gives "):
        search(game)


@pytest.mark.parametrize("given", NO_NUMBERS.values(), ids=NO_NUMBERS)
@pytest.mark.parametrize("search", [z.minimax, z.maxn, z.pvs])
def test_an_estimate_must_be_a_number(search, given) -> None:
    game = Nim()
    game.evaluate = lambda s, p: given
    game.can = lambda method: method == "evaluate"
    with pytest.raises(ContractError, match=r"^`evaluate` of Nim gives .*: does it `return` a number"):
        search(game, depth=1)


def test_a_key_must_be_one_that_can_be_looked_up() -> None:
    game = Nim()
    game.key = lambda s: [1]
    for search in (lambda: z.alphabeta(game, table=True), lambda: retrograde(game)):
        with pytest.raises(ContractError, match=r"`key` of Nim gives \[1\], which no table can look up"):
            search()


@pytest.mark.parametrize("value", [1, np.True_])
def test_a_fact_may_be_another_kind_of_truth(value) -> None:
    game = Nim()
    game.simultaneous = value
    assert z.Engine(game).search(depth=2).depth == 2


def test_a_choice_of_many_actions_compares_each_a_few_times() -> None:
    compared = 0

    class Counted(int):
        def __eq__(self, other):
            nonlocal compared
            compared += 1
            return int(self) == int(other)

        __hash__ = int.__hash__

    class Wide(Nim):
        def actions(self, s):
            yield from range(2000)

    game = Wide()
    assert legal_only(game, game.initial(), [Counted(n) for n in range(2000)]) == list(range(2000))
    assert compared < 10 * 2000


@pytest.mark.parametrize("wrong", [[[1]], [(1, [2])], ["1"], [9]])
def test_a_choice_of_what_is_no_action_is_refused(wrong) -> None:
    game = Nim()
    with pytest.raises(OptionError, match="only may name legal actions of the position"):
        legal_only(game, game.initial(), wrong)


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_utilities_that_ignore_the_player_are_no_proof(search) -> None:
    class SameForBoth(Nim):
        def utility(self, s, p):
            return -1.0

    with pytest.raises(ContractError, match=r"do not add up to its `utility_sum`, 0: does `utility` look at `p`\?"):
        search(SameForBoth())


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_name_is_not_a_game(search) -> None:
    with pytest.raises(ZermeloError, match=r"'connect4' is not a game: .*zermelo.load"):
        search("connect4")


def test_a_rule_that_raises_is_left_to_the_search() -> None:
    class Broken(Nim):
        def result(self, s, a):
            raise ZeroDivisionError

    validate(Broken())
    with pytest.raises(ZeroDivisionError):
        z.minimax(Broken())


def test_rules_that_take_long_are_not_played_for_long() -> None:
    calls = []

    class Slow(Nim):
        def result(self, s, a):
            import time

            calls.append(a)
            time.sleep(0.03)
            return super().result(s, a)

    game = Slow()
    validate(game)
    validate(game)
    assert len(calls) == 1


@pytest.mark.parametrize("number", [10**400, -(10**400), 10**5000, float("inf"), 1e308], ids=list("abcde"))
@pytest.mark.parametrize("shape", ["payoff", "payoffs", "chance", "estimate"])
def test_a_tree_refuses_numbers_that_no_float_holds(number, shape) -> None:
    data = {
        "payoff": [[1, number], 2],
        "payoffs": {"max": [{"payoffs": [1, number]}, {"payoffs": [0, 1]}]},
        "chance": {"chance": [[number, 1], [0.5, 2]]},
        "estimate": {"estimate": number, "max": [1, 2]},
    }[shape]
    with pytest.raises(TreeError, match="not a finite number") as caught:
        z.Tree(data)
    assert len(str(caught.value)) < 200


def test_a_tree_as_text_refuses_them_too() -> None:
    with pytest.raises(TreeError):
        z.load(f"[[1, {'9' * 400}], 2]")


def test_whole_numbers_beyond_what_floats_hold_exactly_are_within_their_own_bounds() -> None:
    assert z.minimax(z.Tree([[1, 10000000000000011], 2])).exact


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("worth", [None, "win", 1j, [1.0]])
def test_a_utility_that_is_no_number_is_named(search, worth):
    game = type("Worthless", (Nim,), {"utility": lambda *_: worth})()
    with pytest.raises(ContractError, match=r"`utility` of Worthless gives .*, which is no number, in \(0,"):
        search(game)
