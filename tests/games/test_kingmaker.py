from __future__ import annotations

from functools import cache

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.games.kingmaker import Kingmaker


def backward_induction(game, keep_last=False):
    """Everyone's utility if each does the best for itself; of equal actions the first is kept, or the last."""

    @cache
    def values(s):
        if game.is_terminal(s):
            return game.utilities(s)
        mover, best = game.player(s), None
        for a in game.actions(s):
            found = values(game.result(s, a))
            if best is None or found[mover] > best[mover] or (keep_last and found[mover] == best[mover]):
                best = found
        return best

    return values(game.initial())


def test_whoever_takes_the_last_stone_gets_the_prize(play):
    game = Kingmaker(stones=4)
    assert game.utilities(play(game, "2 1 1")) == (0.0, 0.0, 1.0)
    assert game.utilities(play(game, "2 2")) == (0.0, 1.0, 0.0)


def test_four_stones_make_the_first_player_a_kingmaker():
    assert backward_induction(Kingmaker(stones=4)) == (0.0, 0.0, 1.0)
    assert backward_induction(Kingmaker(stones=4), keep_last=True) == (0.0, 1.0, 0.0)


def test_the_value_of_the_start_depends_on_a_tie():
    assert backward_induction(Kingmaker()) == (0.0, 1.0, 0.0)
    assert backward_induction(Kingmaker(), keep_last=True) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_on_the_podium_ties_do_not_matter_and_the_winner_has_a_period(most):
    for stones in range(1, 30):
        game = Kingmaker(stones, most, podium=True)
        values = backward_induction(game)
        assert values == backward_induction(game, keep_last=True)
        # 1 … most: the first player; most + 1 … 2 · most: the second; 2 · most + 1: the third.
        assert values.index(1.0) == (stones - 1) % (2 * most + 1) // most


def test_the_podium_ranks_the_last_to_move_first(play):
    game = Kingmaker(stones=4, podium=True)
    assert game.utilities(play(game, "2 1 1")) == (0.0, 0.5, 1.0)
    assert game.utility_sum == 1.5


@pytest.mark.parametrize("most", [1, 2, 3])
def test_two_players_play_bachets_game(most):
    for stones in range(1, 20):
        first_wins = backward_induction(Kingmaker(stones, most, players=2))[0] == 1.0
        assert first_wins == (stones % (most + 1) != 0)


def test_the_heap_is_shown(play):
    game = Kingmaker(stones=5)
    assert game.show(play(game, "2")) == "●●● 3\nplayer 1 to move"
    assert game.write(play(game, "2")) == "(3,1)"


@pytest.mark.parametrize("options", [(0, 2, 3), (7, 0, 3), (7, 2, 1), (7, 2, 10), (20_000, 2, 3)])
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Kingmaker(*options)


@pytest.mark.parametrize("text", ["(3,3)", "(-1,0)", "(3,-1)", "3"])
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(PositionError):
        Kingmaker().read(text)
