"""Go: its options, its handicap stones and its text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import OptionError, PositionError
from zermelo.games import load
from zermelo.games.go import Go
from zermelo.games.go.board import handicap_points, point_name, read_point


@pytest.mark.parametrize(
    ("size", "stones", "names"),
    [
        (9, 2, "C3 G7"),
        (9, 3, "C3 G7 C7"),
        (9, 5, "C3 G7 G3 C7 E5"),
        (9, 6, "C3 G7 G3 C7 C5 G5"),
        (9, 7, "C3 G7 G3 C7 C5 G5 E5"),
        (9, 8, "C3 G7 G3 C7 C5 G5 E3 E7"),
        (11, 3, "C3 J9 C9"),
        (12, 3, "D4 J9 D9"),
        (13, 3, "D4 K10 D10"),
        (17, 6, "D4 O14 O4 D14 D9 O9"),
        (19, 3, "D4 Q16 D16"),
        (19, 9, "D4 Q16 Q4 D16 D10 Q10 K4 K16 K10"),
        (7, 4, "C3 E5 C5 E3"),
        (8, 3, "C3 F6 C6"),
        (8, 4, "C3 F6 F3 C6"),
    ],
)
def test_handicap_stones_stand_where_the_protocol_wants_them(size, stones, names):
    assert {point_name(p, size) for p in handicap_points(size, stones)} == set(names.split())
    game = Go(size=size, handicap=stones)
    assert game.player(game.initial()) == 1
    assert game.colours(game.initial()).count("X") == stones


@pytest.mark.parametrize(
    "options",
    [
        "size=1",
        "size=20",
        "komi=0.3",
        "komi=1000",
        "komi=nan",
        "handicap=1",
        "handicap=10",
        "size=5,handicap=2",
        "scoring=x",
    ],
)
def test_impossible_options_are_refused(options):
    with pytest.raises(OptionError):
        load(f"go:{options}")


@pytest.mark.parametrize(
    "text",
    [
        "..",
        "../.. b - 0 0",
        "../... b - 0 0 0",
        "XX/XX b - 0 0 0",
        "../.. x - 0 0 0",
        "../.. b a1 0 0 0",
        "../.. b z9 0 0 0",
        "../.. b - 3 0 0",
        "../.. b - 0 -1 0",
        "../.. b - 0 99999999999999999999 0",
        "../.? b - 0 0 0",
        "../.. b - 0 0 0 15 area skilled",
        "a" * 100_000,
    ],
)
def test_what_is_no_board_is_refused(text):
    with pytest.raises(PositionError):
        Go(size=2).read(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="./XOxobw -0123456789a", max_size=40))
def test_any_text_is_a_position_or_refused(text):
    game = Go(size=2)
    try:
        state = game.read(text)
    except PositionError:
        return
    assert game.read(game.write(state)) == state


@given(st.integers(2, 19), st.data())
def test_points_have_names_that_are_read_again(size, data):
    point = data.draw(st.integers(0, size * size))
    assert read_point(point_name(point, size), size) == point


@pytest.mark.parametrize("name", ["", "I5", "A0", "A10", "K1", "AA1", "A1 B2", "٣", "A١"])
def test_what_names_no_point_is_none(name):
    assert read_point(name, 9) is None
