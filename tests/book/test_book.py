"""Which move a book plays: one that is legal, as good as the best within a margin, and not one that repeats."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.book import Book, BookMove, attach_book, book_of, positions
from zermelo.book.book import check_game, shares, sort_moves
from zermelo.book.keys import position_key
from zermelo.engine import solve
from zermelo.errors import MethodError
from zermelo.game import AnyGame, Game
from zermelo.games import games, load


def move(action: str, value: float | None = None, weight: int = 0) -> BookMove[str]:
    return BookMove(action, weight, 0, None, value)


MOVES = st.lists(
    st.builds(move, st.text(), st.none() | st.floats(-1, 1), st.integers(0, 1000)),
    max_size=6,
    unique_by=lambda m: m.action,
)


@given(MOVES, st.floats(0, 10), st.floats(0, 1))
def test_the_probabilities_are_none_or_add_up_to_1(moves, variety, margin):
    found = shares(sort_moves(moves), variety, margin)
    assert [each for each, _ in found] == sort_moves(moves)
    assert all(share >= 0 for _, share in found)
    assert sum(share for _, share in found) in (0, pytest.approx(1))


@given(MOVES, st.floats(0, 10), st.floats(0, 1))
def test_no_move_is_played_that_is_worse_than_the_best_by_more_than_the_margin(moves, variety, margin):
    best = max((each.value for each in moves if each.value is not None), default=None)
    for each, share in shares(sort_moves(moves), variety, margin):
        if share and best is not None:
            assert each.value is not None
            assert each.value >= best - variety * margin


def test_without_variety_the_best_move_is_played_whatever_its_weight():
    known = sort_moves([move("often", 0.1, 900), move("best", 0.2, 1)])
    assert shares(known, 0, 1.0) == [(known[0], 1.0), (known[1], 0.0)]
    assert known[0].action == "best"


def test_the_further_a_value_is_from_the_best_the_less_its_move_is_played():
    found = {
        each.action: share
        for each, share in shares(sort_moves([move("a", 0.5), move("b", 0.25), move("c", 0.0)]), 1, 0.5)
    }
    assert found == {"a": pytest.approx(2 / 3), "b": pytest.approx(1 / 3), "c": 0.0}


def test_where_nothing_was_searched_weights_decide():
    found = shares(sort_moves([move("a", None, 1), move("b", None, 3), move("c", None, 0)]), 1, 0.0)
    assert [(each.action, share) for each, share in found] == [("b", 0.75), ("a", 0.25), ("c", 0.0)]


def test_a_book_move_is_always_legal_and_wins_what_the_position_is_worth(hexapawn: AnyGame, whole: Book):
    known = list(positions(whole))
    assert len(known) > 30
    for state, _, moves in known:
        assert {each.action for each in moves} <= set(hexapawn.actions(state))
        played = whole.choose(state, random.Random(1), variety=0)
        assert played is not None
        assert played.value == solve(hexapawn, state).value


def test_the_same_seed_chooses_the_same_move(whole: Book, hexapawn: AnyGame):
    state = hexapawn.initial()
    chosen = [[whole.choose(state, random.Random(seed), 1000) for seed in range(20)] for _ in range(2)]
    assert chosen[0] == chosen[1]


class Circling(Book[Any, Any]):
    """Knows every legal move of every position."""

    def found(self, s):
        return [BookMove(a, 1) for a in self.game.actions(s)]


def test_no_book_move_repeats_a_position_where_that_matters():
    game = load("chess")
    state, history = game.initial(), []
    for word in ("Nf3", "Nf6", "Ng1"):
        history.append(state)
        state = game.result(state, game.read_action(state, word))
    book = Circling(game, "a test")
    played = Counter(book.choose(state, random.Random(seed), 1.0, history).action for seed in range(300))
    assert game.read_action(state, "Ng8") not in played
    assert len(played) > 10


def test_every_game_of_the_package_can_have_a_book_or_is_refused_with_the_reason():
    for kind in games().values():
        game = kind()
        if game.kind.combinatorial and not game.kind.simultaneous:
            check_game(game)
        else:
            with pytest.raises(MethodError, match="books are for games like chess"):
                check_game(game)


def test_a_key_does_not_depend_on_how_equal_keys_are_written():
    class Keyed(Game):
        def key(self, s):
            return s

    keyed = Keyed()
    assert position_key(keyed, (1, 2.0)) == position_key(keyed, (True, 2)) != position_key(keyed, (1, 2.5))
    assert position_key(keyed, frozenset("abc")) == position_key(keyed, frozenset("cba"))
    assert position_key(keyed, "1") != position_key(keyed, 1)
    with pytest.raises(MethodError, match="make it of numbers, texts and tuples"):
        position_key(keyed, (object(),))


def test_a_game_has_the_book_that_it_is_given(whole: Book):
    game = load("hexapawn")
    assert book_of(game) is None
    attach_book(game, whole)
    assert book_of(game) is whole
