"""Elo differences agree with what others print, are finite for every result, and their bars hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.statistics.worlds import pair_law, score

from zermelo.arena.statistics import count_pairs, elo_from_games, elo_from_pairs, elo_of_score, expected_score
from zermelo.errors import InputError

counts_of_pairs = st.lists(st.integers(0, 10**6), min_size=5, max_size=5)

# (pairs, Elo, ±, normalised Elo, ±, superiority, drawn pairs, won : lost), as fastchess has printed them.
FASTCHESS = [
    ([4, 3, 34, 42, 117], 277.00, 40.90, 345.17, 100.00, 17.00, 22.71),
    ([835, 6884, 13116, 7201, 852], 2.11, 1.70, 3.52, 99.25, 45.40, 1.04),
    ([244, 1980, 3630, 2067, 263], 2.65, 3.24, 4.36, 94.56, 44.35, 1.05),
    ([36, 340, 767, 462, 82], 22.07, 7.16, 36.25, 100.00, 45.47, 1.45),
    ([1, 22, 52, 21, 4], 8.69, 27.04, 15.51, 73.60, 52.00, 1.09),
]

# (wins, draws, losses, Elo, ±, superiority), as cutechess-cli has printed them.
CUTECHESS = [
    (880, 1863, 759, 12.0, 7.9, 99.9),
    (745, 501, 678, 12.1, 13.3, 96.2),
    (1038, 1925, 1037, 0.1, 7.7, 50.9),
]


@pytest.mark.parametrize(("counts", "elo", "margin", "normalised", "superiority", "draws", "ratio"), FASTCHESS)
def test_pairs_say_what_fastchess_says(counts, elo, margin, normalised, superiority, draws, ratio):
    estimate = elo_from_pairs(counts)
    assert estimate.elo == pytest.approx(elo, abs=0.005)
    assert estimate.normalised == pytest.approx(normalised, abs=0.005)
    assert 100 * estimate.draws == pytest.approx(draws, abs=0.005)
    assert estimate.ratio == pytest.approx(ratio, abs=0.005)
    # Bars differ by what the prior adds, most where there are few pairs.
    assert estimate.margin == pytest.approx(margin, rel=0.02)
    assert 100 * estimate.superiority == pytest.approx(superiority, abs=0.7)


@pytest.mark.parametrize(("wins", "draws", "losses", "elo", "margin", "superiority"), CUTECHESS)
def test_lone_games_say_what_cutechess_says(wins, draws, losses, elo, margin, superiority):
    estimate = elo_from_games(wins, draws, losses)
    assert estimate.elo == pytest.approx(elo, abs=0.05)
    assert estimate.margin == pytest.approx(margin, abs=0.08)
    assert 100 * estimate.superiority == pytest.approx(superiority, abs=0.06)


def test_fishtest_finds_the_same_score_and_normalised_elo():
    """The raw statistics of a public test of 256 games."""
    estimate = elo_from_pairs([13, 37, 50, 25, 3])
    assert estimate.score == 0.4375
    assert estimate.elo == pytest.approx(-43.6578, abs=0.001)
    assert estimate.normalised == pytest.approx(-63.97, abs=0.005)
    assert estimate.normalised_pair == pytest.approx(-63.97 * math.sqrt(2), abs=0.01)


def test_a_score_and_its_elo_are_two_words_for_one_thing():
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.005)
    assert expected_score(1e6) == 1.0
    for elo in (-700.0, -3.0, 0.0, 250.0):
        assert elo_of_score(expected_score(elo)) == pytest.approx(elo)


@pytest.mark.parametrize(
    ("estimate", "line"),
    [
        (elo_from_games(0, 0, 0), "+0.0 [−1124.6, +1124.6]"),
        (elo_from_games(1, 0, 0), "+190.8 [−305.8, +1365.5]"),
        (elo_from_games(200, 0, 0), "+1161.0 [+759.5, +2244.2]"),
        (elo_from_games(0, 0, 200), "−1161.0 [−2244.2, −759.5]"),
        (elo_from_pairs([0, 0, 100, 0, 0]), "+0.0 [−6.7, +6.7]"),
        (elo_from_games(60, 30, 50), "+24.9 [−26.1, +76.1]"),
    ],
)
def test_a_line_has_the_difference_and_its_bar(estimate, line):
    assert estimate.line() == str(estimate) == line


@given(counts_of_pairs)
def test_every_result_has_a_finite_estimate_inside_its_bar(counts):
    estimate = elo_from_pairs(counts)
    assert -6000 < estimate.low < estimate.high < 6000
    assert estimate.low <= estimate.elo <= estimate.high
    assert 0 <= estimate.superiority <= 1
    assert math.isfinite(estimate.normalised)
    assert math.isfinite(estimate.ratio)
    assert estimate.games == 2 * sum(counts)


@given(counts_of_pairs)
def test_the_opponent_gets_the_mirror_image(counts):
    mine, yours = elo_from_pairs(counts), elo_from_pairs(counts[::-1])
    assert yours.elo == pytest.approx(-mine.elo, abs=1e-6)
    assert yours.low == pytest.approx(-mine.high, rel=1e-6, abs=1e-6)
    assert yours.superiority == pytest.approx(1 - mine.superiority, abs=1e-9)
    assert yours.normalised == pytest.approx(-mine.normalised, abs=1e-6)


@given(counts_of_pairs.filter(any), st.integers(0, 3))
def test_a_better_pair_never_lowers_the_estimate(counts, place):
    if counts[place]:
        better = list(counts)
        better[place] -= 1
        better[place + 1] += 1
        assert elo_from_pairs(better).elo > elo_from_pairs(counts).elo


def test_more_confidence_asks_for_a_longer_bar():
    narrow, wide = elo_from_games(60, 30, 50, confidence=0.5), elo_from_games(60, 30, 50, confidence=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_pairs_are_counted_by_their_score():
    assert count_pairs([2, 1.5, 1, 1, 0]) == (1, 0, 2, 1, 1)


@pytest.mark.parametrize("counts", [[1, 2, 3], [1, 2, 3, 4, -1], [1, 2, 3, 4, 0.5], "abcde", [1, 2, 3, 4, None]])
def test_what_is_no_five_counts_is_refused(counts):
    with pytest.raises(InputError):
        elo_from_pairs(counts)


def test_a_score_of_no_pair_a_sure_score_and_full_confidence_are_refused():
    with pytest.raises(InputError, match="a pair of games scores"):
        count_pairs([0.3])
    with pytest.raises(InputError, match="between 0 and 1"):
        elo_of_score(1.0)
    with pytest.raises(InputError, match="confidence"):
        elo_from_games(1, 1, 1, confidence=1)


# (Elo, bias of the openings, ties, pairs): balanced, sharp openings, ahead, far ahead, drawish.
REGULAR = [(0, 0, 0, 200), (0, 250, 1, 200), (30, 250, 2, 400), (200, 150, 1, 200), (-120, 0, 4, 100)]
EXTREME = [(500, 100, 0.3, 50), (800, 0, 0, 100), (10, 60, 60, 100), (0, 20, 400, 100), (40, 0, 0, 5)]


def coverage(law, pairs, matches=3000):
    """How often the bar holds the truth."""
    truth = elo_of_score(score(law))
    drawn = np.random.default_rng(20).multinomial(pairs, law, size=matches)
    estimates = [elo_from_pairs(counts.tolist()) for counts in drawn]
    return np.mean([each.low <= truth <= each.high for each in estimates])


@pytest.mark.parametrize(("elo", "bias", "ties", "pairs"), REGULAR)
def test_bars_hold_the_truth_95_times_in_a_hundred(elo, bias, ties, pairs):
    # Four standard deviations of 3000 matches are 0.016.
    assert coverage(pair_law(elo, bias, ties), pairs) == pytest.approx(0.95, abs=0.016)


@pytest.mark.parametrize(("elo", "bias", "ties", "pairs"), EXTREME)
def test_bars_of_lopsided_drawish_and_tiny_matches_hold_the_truth_at_least_as_often(elo, bias, ties, pairs):
    assert coverage(pair_law(elo, bias, ties), pairs) >= 0.95 - 0.016


def test_counting_games_where_openings_are_sharp_makes_bars_too_long():
    """What pairs are for: the same games, the same estimate, and a bar a fifth shorter."""
    counts = np.random.default_rng(4).multinomial(500, pair_law(0, 400, 0.5))
    pairs = elo_from_pairs(counts.tolist())
    games = elo_from_games(*_as_games(counts))
    assert pairs.elo == pytest.approx(games.elo, abs=1e-9)
    assert pairs.margin < 0.8 * games.margin


def _as_games(counts):
    """Wins, draws and losses, if a 1 – 1 is a win each."""
    lost, half, even, most, won = (int(each) for each in counts)
    return 2 * won + most + even, half + most, 2 * lost + half + even
