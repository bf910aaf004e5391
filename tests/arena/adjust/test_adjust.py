"""Taking luck off changes no expectation, whatever the values are; and good values take off most of the noise."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from tests.arena.adjust.exact import plays

import zermelo as z
from zermelo.arena.adjust import RULES, Adjuster, check_rule
from zermelo.arena.adjust.hands import HandMeans, average
from zermelo.arena.adjust.settled import Settled, expect, settled_from
from zermelo.arena.players import make_player
from zermelo.equilibrium.extensive import extensive_form
from zermelo.errors import OptionError
from zermelo.play import LiveGame, Luck, MoveRequest


class Anything:
    """Values without any sense, but always the same ones."""

    def begin(self, states):
        pass

    def move(self, s, a):
        pass

    def after(self, s, actions):
        return [(random.Random(f"{s} {a} 0").uniform(-9, 9), random.Random(f"{s} {a} 1").random()) for a in actions]


class Silent:
    """A player who does not tell what it draws from."""

    name = "silent"


def moments(game, players, adjuster, told=None):
    """The mean and the variance of what player 0 is paid, and of the same with luck taken off."""
    terms = []
    for share, live in plays(game, players):
        paid = live.ending.utilities
        terms.append((share, paid[0], adjuster.adjust(live, paid, told or players)[0]))
    means = [math.fsum(term[0] * term[i] for term in terms) for i in (1, 2)]
    squares = [
        math.fsum(term[0] * (term[i] - mean) ** 2 for term in terms) for i, mean in zip((1, 2), means, strict=True)
    ]
    return means, squares


def adjuster_of(game, values):
    if values == "anything":
        found = Adjuster(game, "all-in")
        found.values = Anything()
        return found
    return Adjuster(game, values)


PLAYERS = {
    "kuhn": ("cfr:iterations=200", "random"),
    "leduc:ranks=2": ("cfr:iterations=100", "random"),
    "kuhn:cards=5": ("random", "random:seed=1"),
    "leduc": ("cfr:iterations=100", "random"),
}


@pytest.mark.parametrize("text", PLAYERS)
@pytest.mark.parametrize("values", ["anything", "all-in", "solved"])
def test_the_adjusted_payoff_is_unbiased_over_the_whole_tree(text, values):
    game = z.load(text)
    (paid, adjusted), (before, after) = moments(
        game, [make_player(p) for p in PLAYERS[text]], adjuster_of(game, values)
    )
    assert adjusted == pytest.approx(paid, abs=1e-9)
    if values == "solved":
        assert after < before / 2
    if values == "all-in":
        assert after <= before + 1e-9


@pytest.mark.parametrize("text", ["kuhn", "leduc:ranks=2"])
def test_chance_alone_is_unbiased_where_nobody_tells_what_they_draw_from(text):
    game = z.load(text)
    players = [make_player(p) for p in PLAYERS[text]]
    for values in ("anything", "solved"):
        (paid, adjusted), _ = moments(game, players, adjuster_of(game, values), [Silent(), Silent()])
        assert adjusted == pytest.approx(paid, abs=1e-9)


@pytest.mark.parametrize("text", ["kuhn", "leduc:ranks=2"])
@pytest.mark.parametrize("known", [0, 1])
def test_the_hands_of_a_player_whose_strategy_is_known_are_averaged_without_bias(text, known):
    game = z.load(text)
    players = [make_player("random"), make_player("random:seed=1")]
    players[known] = make_player("cfr:iterations=100")
    told = [player if seat == known else Silent() for seat, player in enumerate(players)]
    adjuster = Adjuster(game, "solved")
    (paid, adjusted), (before, after) = moments(game, players, adjuster, told)
    assert adjusted == pytest.approx(paid, abs=1e-9)
    adjuster.values.hands.of = lambda *_: None
    (_, again), (_, without) = moments(game, players, adjuster, told)
    assert again == pytest.approx(paid, abs=1e-9)
    assert after < without < before


def test_means_over_hands_need_a_player_who_tells_its_strategy():
    game = z.load("kuhn")
    players = [make_player("cfr:iterations=100"), make_player("random")]
    means = HandMeans(extensive_form(game), Adjuster(game, "solved").values.hands.values)
    by_hands = average(means.form, means.values, [player.shares(means.form) for player in players], 0)
    assert by_hands.shape == (30, 2)
    assert np.abs(by_hands.sum(axis=1)).max() < 1e-9
    assert means.of(0, players) is not None
    assert means.of(0, [Silent(), Silent()]) is None


def test_between_equilibrium_players_nothing_but_the_value_is_left():
    game = z.load("kuhn")
    players = [make_player("cfr:iterations=20000"), make_player("cfr:iterations=20000")]
    (paid, adjusted), (_, left) = moments(game, players, Adjuster(game, "solved"))
    assert paid == pytest.approx(-1 / 18, abs=2e-3)
    assert adjusted == pytest.approx(paid, abs=1e-9)
    assert left < 0.01  # of 1.6 chips² before


def test_estimates_take_the_same_luck_off_both_sides():
    game = z.load("backgammon")
    players = [make_player("engine:depth=1"), make_player("random")]
    plain, fair = [], []
    adjuster = Adjuster(game, "evaluate")
    for seed in range(2):
        live = LiveGame(game, players=players, luck=Luck(seed))
        players[1].reseed(seed)
        paid = live.play().utilities
        plain.append(paid[0])
        fair.append(adjuster.adjust(live, paid, players)[0])
        assert adjuster.adjust(live, paid, players)[1] == pytest.approx(-fair[-1])
    assert fair != plain


# Where only chance is left.


def test_an_all_in_is_worth_its_equity():
    game = z.load("holdem:board=As7d8c2h,first=(AcAd),second=(Th9h),pot=10,stack=20,bets=100")
    live = LiveGame(game, luck=Luck(5))
    while not live.is_over:
        if isinstance(live.step(), MoveRequest):
            live.push(live.legal_actions()[-1] if live.mover == 0 else 1)
    rivers = 44
    wins = sum(
        game.utility(game.result(live.plies[-1].state, river), 0) > 0 for river, _ in game.chances(live.plies[-1].state)
    )
    assert 30 < wins < rivers
    equity = 25 * (2 * wins - rivers) / rivers
    assert live.ending.utilities in ((25.0, -25.0), (-25.0, 25.0))
    found = settled_from(game, live.plies)
    assert found == Settled(len(live.plies) - 1, (pytest.approx(equity), pytest.approx(-equity)))


def test_a_round_that_is_still_to_be_bet_is_no_all_in():
    game = z.load("leduc")
    live = LiveGame(game)
    for a in (0, 2, 1, 1, 5, 1, 1):
        live.push(a)
    assert live.is_over
    assert settled_from(game, live.plies) is None


class Lottery(z.Game):
    """Player 0 chooses how often to draw; then chance draws as often, and the sum is paid."""

    bounds = (-30.0, 30.0)

    def __init__(self, faces=3, deep=4):
        self.faces, self.deep = faces, deep

    def initial(self):
        return (0, 0, 0)  # draws left, sum, who is to move

    def player(self, s):
        return z.CHANCE if s[2] else 0

    def actions(self, s):
        return range(self.faces) if s[2] else range(self.deep + 1)

    def chances(self, s):
        return [(a, 1 / self.faces) for a in range(self.faces)]

    def result(self, s, a):
        return (s[0] - 1, s[1] + a, 1) if s[2] else (a, 0, 1)

    def is_terminal(self, s):
        return s[2] == 1 and s[0] == 0

    def utility(self, s, p):
        return float(s[1] if p == 0 else -s[1])


def test_what_is_left_to_chance_is_averaged_exactly_where_it_is_small():
    game = Lottery()
    live = LiveGame(game, luck=Luck(1))
    live.push(4)
    while not live.is_over:
        live.step()
    found = settled_from(game, live.plies)
    assert found == Settled(1, (pytest.approx(4.0), pytest.approx(-4.0)))
    assert Adjuster(game, "all-in").adjust(live, live.ending.utilities, []) == (pytest.approx(4), pytest.approx(-4))
    assert Adjuster(game, "none").adjust(live, live.ending.utilities, []) == live.ending.utilities


def test_what_is_left_to_chance_is_sampled_where_it_is_large():
    game = Lottery(faces=10, deep=12)
    first, again = expect(game, (12, 0, 1), seed=3), expect(game, (12, 0, 1), seed=3)
    assert first == again != expect(game, (12, 0, 1), seed=4)
    assert first[0] == pytest.approx(54, abs=5 * (12 * 8.25 / 1000) ** 0.5)


def test_somebody_who_has_a_choice_is_not_settled():
    assert expect(Lottery(), (0, 0, 0)) is None
    game = z.load("kuhn")
    assert expect(game, game.initial()) is None


def test_bad_rules_are_refused():
    for rule, text, said in (
        ("luck", "kuhn", "not by 'luck'"),
        ("solved", "tictactoe", "leave out --adjust solved"),
        ("evaluate", "kuhn", "has no `evaluate`"),
        ("solved", "backgammon", "needs the tree"),
    ):
        game = z.load(text)
        with pytest.raises(OptionError, match=said):
            check_rule(game, rule, "" if text == "tictactoe" else "chips")
    for rule in RULES[:2]:
        check_rule(z.load("tictactoe"), rule, "")
