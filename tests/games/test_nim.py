from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.games.nim import Nim


def mover_wins(game):
    """Whether the player to move wins with these heaps, found by trying everything."""

    @cache
    def wins(heaps):
        s = game.State(game.read(f"({list(heaps)},0)").heaps, 0)
        if game.is_terminal(s):
            return game.utility(s, 0) > 0
        return any(not wins(tuple(int(h) for h in game.result(s, a).heaps)) for a in game.actions(s))

    return wins


def test_the_mover_loses_exactly_if_the_xor_is_zero():
    wins = mover_wins(Nim((4, 4, 4)))
    for heaps in product(range(5), repeat=3):
        assert wins(heaps) == (reduce(xor, heaps) != 0)


def test_misere_turns_only_the_end_around():
    wins = mover_wins(Nim((4, 4, 4), misere=True))
    for heaps in product(range(5), repeat=3):
        if max(heaps) <= 1:
            assert wins(heaps) == (sum(heaps) % 2 == 0)
        else:
            assert wins(heaps) == (reduce(xor, heaps) != 0)


def test_actions_name_heap_and_stones(play):
    game = Nim((3, 4, 5))
    s = play(game, "b3 c5")
    assert s.heaps.tolist() == [3, 1, 0]
    assert [game.show_action(s, a) for a in game.actions(s)] == ["a1", "a2", "a3", "b1"]
    assert game.show(s).splitlines() == ["a ●●● 3", "b ● 1", "c  0"]
    assert game.write(s) == "([3,1,0],0)"


def test_an_action_leaves_the_state_as_it_was():
    game = Nim()
    s = game.initial()
    for a in game.actions(s):
        game.result(s, a)
    assert s.heaps.tolist() == [3, 4, 5]


@pytest.mark.parametrize("heaps", [(), (0, 0), (-1, 2), (10_000,), (1,) * 27])
def test_heaps_that_cannot_be_are_refused(heaps):
    with pytest.raises(OptionError):
        Nim(heaps)


@pytest.mark.parametrize("text", ["([3,4],0)", "([3,4,6],0)", "([3,4,-1],0)", "([3,4,5],2)", "3/4/5"])
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(PositionError):
        Nim((3, 4, 5)).read(text)
