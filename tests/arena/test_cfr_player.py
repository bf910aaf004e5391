"""The player that plays an equilibrium."""

from __future__ import annotations

import pytest

import zermelo as z
from zermelo.errors import OptionError


def test_it_plays_kuhn_and_a_seed_repeats_it():
    ends = []
    for _ in range(2):
        players = [z.Player("cfr:iterations=200,seed=1"), z.Player("cfr:exploitability=0.01,seed=2")]
        ends.append([z.play(z.load("kuhn"), players, seed=seed).utilities for seed in range(5)])
    assert ends[0] == ends[1]


def test_bad_options_are_refused():
    with pytest.raises(OptionError):
        z.Player("cfr:colour=blue")
    with pytest.raises(OptionError):
        z.Player("cfr:seed=x")
