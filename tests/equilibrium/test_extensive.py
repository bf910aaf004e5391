"""Trees of games: information sets, strategies and their shapes, the sequence form, backward induction."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.trees import FORGETFUL, HORSE, RandomGame
from zermelo.engine import Stopped, compile_game
from zermelo.engine.interpreted import InterpretedWarning
from zermelo.engine.regret import flatten
from zermelo.equilibrium import (
    Strategy,
    backward_induction,
    cfr,
    extensive_form,
    from_mixed,
    from_plans,
    is_equilibrium,
    normal_form,
    pure_equilibria,
    read_efg,
    sequence_form,
    solve_extensive,
    subgame_perfect,
    uniform,
    write_efg,
    zero_sum,
)
from zermelo.equilibrium.extensive import MOST_PLIES
from zermelo.errors import ContractError, InputError, MethodError, UnsolvedError

seeds = st.integers(0, 10**6)


@pytest.fixture(scope="module")
def kuhn():
    return extensive_form(z.load("kuhn"))


@pytest.fixture(scope="module")
def leduc():
    return extensive_form(z.load("leduc"))


def test_kuhn_is_worth_minus_one_eighteenth_exactly(kuhn):
    found = sequence_form(kuhn, exact=True)
    assert found.values == (Fraction(-1, 18), Fraction(1, 18))
    assert found.exploitability == 0
    assert found.strategy[1, "Q b"] == {"fold": Fraction(2, 3), "call": Fraction(1, 3)}


def test_leduc_is_worth_what_is_published(leduc):
    found = sequence_form(leduc)
    assert found.value == pytest.approx(-0.085606424078, abs=1e-11)
    assert found.exploitability < 1e-10


def test_leduc_has_936_information_sets_and_288_up_to_suits(leduc):
    assert len(leduc.sets) == 936
    assert [len(leduc.form.side(p, merged=True).after) for p in (0, 1)] == [144, 144]
    assert leduc.nodes == 9457


def test_what_uniform_play_is_worth_in_kuhn(kuhn):
    even = uniform(kuhn)
    assert even.values == (Fraction(1, 8), Fraction(-1, 8))
    assert even.exploitability == Fraction(11, 24)
    assert Strategy(kuhn, np.array(even.shares, dtype=float)).exploitability == pytest.approx(11 / 24)


@settings(max_examples=40, deadline=None)
@given(seeds, st.booleans())
def test_the_sequence_form_agrees_with_the_normal_form(seed, exact):
    game = RandomGame(seed, plies=4, widest=2)
    found = sequence_form(extensive_form(game), exact=exact)
    assert float(found.value) == pytest.approx(float(zero_sum(normal_form(game), exact=True).value), abs=1e-9)
    assert float(found.exploitability) == pytest.approx(0, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seeds, st.integers(2, 3))
def test_values_and_best_answers_in_doubles_are_those_in_fractions(seed, players):
    form = extensive_form(RandomGame(seed, plies=4, players=players, zero_sum=False))
    dice = np.random.default_rng(seed)
    parts = [dice.integers(1, 9, width) for width in form.arrays.width]
    exact = Strategy(form, [Fraction(int(n), int(own.sum())) for own in parts for n in own])
    rough = Strategy(form, np.array([float(share) for share in exact.shares]))
    assert rough.values == pytest.approx([float(u) for u in exact.values])
    assert rough.best_values == pytest.approx([float(u) for u in exact.best_values])
    for p in range(players):
        assert rough.best_response(p).values[p] == pytest.approx(rough.best_values[p])


@settings(max_examples=20, deadline=None)
@given(seeds)
def test_behaviour_plans_and_mixtures_are_worth_the_same(seed):
    form = extensive_form(RandomGame(seed, plies=4, zero_sum=False, widest=2))
    dice = np.random.default_rng(seed)
    parts = [dice.integers(0, 3, width) + (np.arange(width) == 0) for width in form.arrays.width]
    one = Strategy(form, [Fraction(int(n), int(own.sum())) for own in parts for n in own])
    planned = from_plans(form, [one.plan(p) for p in (0, 1)])
    mixed = from_mixed(form, [one.mixed(p) for p in (0, 1)])
    assert one.values == planned.values == mixed.values
    assert all(sum(one.mixed(p).values()) == 1 for p in (0, 1))
    table = normal_form(form.game)
    profile = [[one.mixed(p).get(name, 0) for name in table.actions[p]] for p in (0, 1)]
    assert is_equilibrium(table, profile) == (one.exploitability == 0)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_merging_changes_no_value(seed):
    game = RandomGame(seed, plies=4)
    form = extensive_form(game)
    one, other = (cfr(form, "cfr", iterations=50, exploitability=None, merge=merge) for merge in (True, False))
    assert one.values == pytest.approx(other.values, abs=1e-6)
    assert one.curve[-1].exploitability == pytest.approx(one.exploitability, abs=1e-9)


@pytest.mark.parametrize("spec", ["kuhn", "kuhn:players=3", "leduc:ranks=2", "goofspiel:cards=3", "battleship:shots=1"])
def test_compiled_rules_flatten_to_the_same_tree(spec):
    game = z.load(spec)
    form = extensive_form(game)
    compiled = compile_game(game)
    arrays, examples = flatten(compiled, game.initial(), 1_000_000)
    assert all((one == other).all() for one, other in zip(form.arrays, arrays, strict=True))
    assert [compiled.unpack(data) for data in examples] == [form.example(i) for i in range(len(examples))]


def test_backward_induction_solves_the_lectures_tree():
    found = backward_induction(z.load("[[3,12,8],[2,4,6],[14,5,2]]"))
    assert found.values == (3, -3)
    assert found.exploitability == 0


def test_backward_induction_takes_other_sums_and_chance():
    game = z.Tree(
        {
            "player": 0,
            "children": [{"payoffs": [1, 3]}, {"chance": [[0.5, {"payoffs": [4, 0]}], [0.5, {"payoffs": [0, 0]}]]}],
        }
    )
    assert backward_induction(game).values == (2, 0)


def test_ties_make_several_subgame_perfect_equilibria():
    game = z.Tree(
        {
            "player": 0,
            "children": [{"player": 1, "children": [{"payoffs": [2, 1]}, {"payoffs": [0, 1]}]}, {"payoffs": [1, 1]}],
        }
    )
    found = subgame_perfect(game)
    assert sorted(one.values for one in found) == [(1, 1), (2, 1)]
    assert all(one.exploitability == 0 for one in found)
    with pytest.raises(UnsolvedError, match="more than 1 equilibria"):
        subgame_perfect(game, limit=1)


def test_a_position_that_two_others_can_bring_about_in_several_ways_hides_nothing():
    game = z.load("kingmaker:stones=6,podium=yes")
    form = extensive_form(game)
    assert len(form.sets) < (form.arrays.infoset >= 0).sum()
    found = solve_extensive(game)
    assert (found.method, found.values) == ("backward", z.maxn(game).values)
    assert found.exploitability == 0
    everything = subgame_perfect(game)
    assert found.values in [one.values for one in everything]
    assert all(one.exploitability == 0 for one in everything)


def test_where_nothing_is_hidden_an_information_set_is_called_by_its_position():
    game = z.load("tictactoe:m=2,n=2,k=2")
    assert extensive_form(game).sets[0].name == game.write(game.initial())


def test_selten_s_horse_has_two_pure_equilibria():
    assert len(pure_equilibria(normal_form(read_efg(HORSE)))) == 2


def test_the_method_that_fits_is_chosen():
    assert solve_extensive(z.load("kuhn")).method == "sequence"
    assert solve_extensive(z.load("nim:heaps=3")).method == "backward"
    assert solve_extensive(z.load("kuhn:players=3")).method == "pdcfr+"


def test_a_game_that_is_worth_nothing_to_anybody_is_solved():
    form = extensive_form(read_efg('EFG 2 R "" { "a" "b" } p "" 1 1 "" { "x" "y" } 0 t "" 0 t "" 0'))
    assert sequence_form(form).values == (0, 0)
    assert sequence_form(form, exact=True).values == (0, 0)
    assert cfr(form).exploitability == 0


def test_a_player_who_forgets_is_refused():
    with pytest.raises(MethodError, match="player 0 forgets its own choices"):
        cfr(read_efg(FORGETFUL))


def test_what_does_not_fit_is_refused(kuhn):
    with pytest.raises(MethodError, match="hides information"):
        backward_induction(kuhn)
    with pytest.raises(MethodError, match="zero-sum games of two players"):
        sequence_form(extensive_form(z.load("kuhn:players=3")))
    with pytest.raises(MethodError, match="leave out exact"):
        sequence_form(extensive_form(z.load("leduc:ranks=2")), exact=True)
    with pytest.raises(MethodError, match="more than 100 nodes"):
        extensive_form(z.load("leduc"), most=100)
    with pytest.raises(MethodError, match="repetition"):
        extensive_form(z.load("chess"))


def test_a_game_that_goes_round_is_refused():
    with pytest.raises(MethodError, match="or goes round"):
        extensive_form(z.load("pig"), most=5000)


class Endless(z.Game):
    """Goes on for ever."""

    utility_sum = 0

    class State(NamedTuple):
        plies: int
        turn: int

    def __init__(self, choices: int):
        self.choices = choices

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for a in range(self.choices):
            yield a

    def result(self, s, a):
        return self.State(s.plies + 1 + a, 1 - s.turn)

    def is_terminal(self, s):
        return s.plies < 0

    def utility(self, s, p):
        return 0.0


class EndlessText(Endless):
    """The same, and no compiler takes it."""

    def result(self, s, a):
        return self.State(eval("s.plies") + 1 + a, 1 - s.turn)


ENDLESS = [Endless(1), Endless(2), EndlessText(1), EndlessText(2)]
METHODS = {
    "cfr": cfr,
    "external": lambda game: cfr(game, "external"),
    "equilibrium": z.equilibrium,
    "equilibria": z.equilibria,
    "backward induction": backward_induction,
    "subgame perfect": subgame_perfect,
    "efg": write_efg,
}


@pytest.mark.filterwarnings("ignore::zermelo.engine.interpreted.InterpretedWarning")
@pytest.mark.parametrize("game", ENDLESS, ids=["a line", "a tree", "a line, interpreted", "a tree, interpreted"])
@pytest.mark.parametrize("method", METHODS)
def test_an_endless_game_is_refused_by_every_method_with_one_clear_word(method, game):
    with pytest.raises(MethodError, match="nodes in its tree, or goes round"):
        METHODS[method](game)


def test_rules_that_go_round_are_refused_at_a_depth_before_their_nodes_are_counted():
    entered = []

    class Watched(EndlessText):
        def player(self, s):
            entered.append(s.plies)
            return s.turn

    with pytest.raises(MethodError, match="goes round"), pytest.warns(InterpretedWarning):
        extensive_form(Watched(2))
    assert len(entered) < 2 * MOST_PLIES


@pytest.mark.parametrize(
    "shares",
    [[1.0], [2.0, -1.0] * 12, [0.5, 0.4] * 12, [float("nan"), 1.0] * 12, [Fraction(1, 2), Fraction(1, 3)] * 12],
)
def test_what_is_no_strategy_is_refused(kuhn, shares):
    with pytest.raises(InputError):
        _ = Strategy(kuhn, shares).values


class Unfair(RandomGame):
    def chances(self, s):
        yield 0, 0.5


class Blind(RandomGame):
    """Sees nothing, not even how many actions there are."""

    def actions(self, s):
        yield from () if self.is_terminal(s) else range(1 + sum(s.path) % 2)

    def view(self, s, p):
        return 0


def test_rules_that_break_the_contract_are_named():
    game = Unfair(1)
    game.movers[0] = z.CHANCE
    with pytest.raises(ContractError, match=r"add up to 1 but to 0\.5"):
        extensive_form(game)
    game = Blind(1)
    game.movers = [0, z.CHANCE, 1, 1]
    game.chances = lambda s: [(a, 1 / len(list(game.actions(s)))) for a in game.actions(s)]
    game.actions = lambda s: iter(() if game.is_terminal(s) else range(1 + (len(s.path) == 1 or s.path[1:2] == (1,))))
    with pytest.raises(ContractError, match="sees the same in two states"):
        extensive_form(game)


def test_a_tree_is_no_larger_than_memory(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.extensive.INTERPRETED", 1000)
    monkeypatch.setattr("zermelo.equilibrium.extensive.available_bytes", lambda: 400_000)
    with pytest.raises(MethodError, match="more than 2,500 nodes in its tree, as many as fit into memory"):
        extensive_form(z.load("leduc"))


def test_building_a_tree_can_be_stopped(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.extensive.CHECKED", 10)
    with pytest.raises(Stopped):
        extensive_form(z.load("leduc"), stop=lambda: True)
