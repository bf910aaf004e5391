from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import InputError, OptionError, PositionError
from zermelo.games._bridge.score import score as duplicate_score
from zermelo.games.bridge import lin, pbn
from zermelo.games.bridge.auction import read_contract
from zermelo.games.rubber.players import RubberPlayer
from zermelo.games.rubber.scoring import Score

SEEDS = st.integers(0, 2**32 - 1)


def scored(*results: tuple[str, int], start: Score | None = None) -> Score:
    found = start or Score()
    for contract, tricks in results:
        found = found.after(read_contract(contract), tricks, 6)
    return found


def played(game, seed, strength=1):
    chance, player = random.Random(seed), RubberPlayer(strength)
    s, actions = game.initial(), []
    while not game.is_terminal(s):
        a = chance.choice(list(game.actions(s))) if game.player(s) == z.CHANCE else player.choose(game, s)
        actions.append(a)
        s = game.result(s, a)
    return s, actions


@pytest.mark.parametrize(
    ("contract", "tricks", "points", "below"),
    [
        ("2H-N", 9, 90, 60),  # an overtrick counts above the line
        ("1NT-N", 7, 40, 40),
        ("2CX-N", 9, 230, 80),  # 80 below, 100 for the overtrick, 50 for the insult
        ("1SXX-N", 7, 220, 0),  # 120 below are a game, 100 for the insult
        ("6D-N", 12, 620, 0),
        ("7NT-N", 13, 1220, 0),
        ("3NT-N", 12, 190, 0),
    ],
)
def test_what_a_deal_adds(contract, tricks, points, below):
    found = scored((contract, tricks))
    assert found.points == (points, 0)
    assert found.below == (below, 0)
    assert found.games == (0 if below else 1, 0)


def test_missing_tricks_score_above_the_line_of_the_other_side():
    assert scored(("3NT-E", 7)) == Score((100, 0), (0, 0), (0, 0))
    assert scored(("4HXX-E", 8), start=Score(games=(0, 1))).points == (1000, 0)


def test_part_scores_add_up_to_a_game_and_a_game_wipes_out_those_of_the_other_side():
    assert scored(("2H-N", 8), ("1C-E", 7)).below == (60, 20)
    assert scored(("2H-N", 8), ("1C-E", 7), ("1NT-S", 7)) == Score((100, 20), (0, 0), (1, 0))


def test_the_second_game_ends_the_rubber():
    assert scored(("4S-N", 10), ("4S-S", 10)).bonus() == (700, 0)
    assert scored(("4S-N", 10), ("3NT-E", 9), ("4S-S", 10)).bonus() == (500, 0)
    assert scored(("4S-N", 10), ("3NT-E", 9)).vulnerable == "both"
    assert not scored(("4S-N", 10), ("3NT-E", 9)).is_over


def test_an_unfinished_rubber_pays_for_the_only_game_and_the_only_part_score():
    assert scored(("4S-N", 10), ("1C-E", 7)).bonus() == (300, 100)
    assert scored(("1C-N", 7), ("1C-E", 7)).bonus() == (0, 0)


def test_in_both_ways_of_scoring_tricks_and_premiums_are_the_same():
    for strain in ("C", "H", "NT"):
        for tricks in range(14):
            for doubled in range(3):
                one = duplicate_score(4, strain, tricks, True, doubled)
                start = Score(games=(1, 1))
                after = start.after(read_contract(f"4{strain}{'X' * doubled}-N"), tricks, 6)
                bonus = 0 if tricks < 10 else 500 if after.games[0] == 2 else 50
                assert one == after.points[0] - after.points[1] + bonus


@pytest.mark.parametrize("seed", range(3))
def test_a_rubber_ends_and_its_file_is_read_as_it_was_written(seed):
    game = z.load("rubber:dealer=E")
    s, actions = played(game, seed)
    assert s.score.is_over or s.deals == game.deals
    assert game.utility(s, 0) == game.utility(s, 2) == -game.utility(s, 1) == s.score.lead()
    text = game.write_record(game.initial(), actions, "abcd", game.utilities(s))
    assert game.read_record(text) == (game.initial(), actions)
    boards = pbn.read_played(text)
    assert len(boards) == s.deals
    assert text.count('[Scoring "Rubber"]') == s.deals
    assert [b.score for b in lin.read_played(lin.write_played(boards))] == [b.score for b in boards]


def test_a_file_that_is_no_rubber_says_which_deal_is_wrong():
    game = z.load("rubber")
    _, actions = played(game, 1)
    text = game.write_record(game.initial(), actions, "abcd", None)
    boards = pbn.read_played(text)
    for wrong, says in (
        (boards[1:], "deal 1: the dealer is E in the file, and N in this rubber"),
        ([*boards, boards[0]], f"the rubber is over after {len(boards)} deals"),
    ):
        with pytest.raises(InputError, match=says):
            game.read_record(pbn.write_played(wrong))
    assert game.read_record("nothing") is None
    half = game.write_record(game.initial(), actions[:100], "abcd", None)
    assert game.read_record(half) == (game.initial(), actions[:100])


@settings(max_examples=10, deadline=None)
@given(seed=SEEDS)
def test_by_chance_every_position_is_read_as_it_is_written_and_sampled_ones_look_alike(seed):
    game, chance = z.load("rubber:ranks=2,deals=4,claims=yes"), random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s):
        assert game.read(game.write(s)) == s
        p = game.player(s)
        if p != z.CHANCE:
            view = game.view(s, p)
            assert game.view(game.sample(view, p, chance), p) == view
        s = game.result(s, chance.choice(list(game.actions(s))))
    assert game.read(game.write(s)) == s
    assert s.deals <= 4


def test_a_part_score_makes_a_smaller_contract_enough():
    game = z.load("rubber")
    deal = game.deal(game.initial()._replace(score=Score((60, 0), (60, 0), (0, 0))))
    assert deal.points(read_contract("2H-N"), 8) == 360
    assert deal.points(read_contract("2H-E"), 8) == 110


@pytest.mark.parametrize(
    "text", ["", "points 0-0", "points 0-0 below 120-0 games 0-0 deals 0 N:... ... ... ... . .", "N:... . ."]
)
def test_text_that_is_no_position_is_refused(text):
    with pytest.raises(PositionError):
        z.load("rubber").read(text)


def test_its_players_play_nothing_else():
    with pytest.raises(OptionError, match="plays rubber bridge only"):
        RubberPlayer().choose(z.load("nim"), z.load("nim").initial())
