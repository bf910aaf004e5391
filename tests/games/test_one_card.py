"""One-card poker: its values, and what is refused."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo.equilibrium import cfr, extensive_form, sequence_form
from zermelo.errors import OptionError
from zermelo.games.one_card import OneCard


def test_with_three_cards_and_one_bet_of_half_a_pot_it_is_kuhn_poker():
    game = OneCard(ranks=3, pot=2, stack=1, bets=(), raises=1)
    assert sequence_form(extensive_form(game)).value == pytest.approx(-1 / 18)
    assert cfr(game, exploitability=1e-4, precision="double").value == pytest.approx(-1 / 18, abs=1e-4)


def test_who_acts_last_has_the_better_of_it():
    found = cfr(OneCard(ranks=1000, pot=2, stack=6), exploitability="0.2%")
    assert found.values[0] < 0 < found.values[1]


def test_the_best_card_never_folds_and_the_worst_bluffs():
    found = z.cfr(z.load("one-card"), exploitability="0.01%", precision="double")
    assert found.strategy[1, "A b2"]["fold"] == pytest.approx(0, abs=1e-6)
    assert found.strategy[1, "2 x"]["check"] < 0.5 < found.strategy[1, "8 x"]["check"]


@pytest.mark.parametrize("options", [{"ranks": 1}, {"ranks": 2000}, {"suits": 5}, {"suits": 0}, {"pot": 0}])
def test_bad_options_are_refused(options):
    with pytest.raises(OptionError):
        OneCard(**options)
