"""Options are declared once, and what does not fit is refused with one line that says what would."""

import math
from dataclasses import dataclass

import pytest

from zermelo.errors import OptionError
from zermelo.options import check_fields, check_options, choice, declared_options, flag, number, takes, text, whole


@pytest.mark.parametrize(
    ("option", "good", "bad", "wanted"),
    [
        (whole(1, 10), [1, 10], [0, 11, 1.0, True, "1", None], "a whole number from 1 to 10"),
        (whole(0), [0, 10**30], [-1, False, math.inf], "a whole number, 0 or more"),
        (whole(optional=True), [None, -3], [1.5, True], "a whole number"),
        (number(0, 1), [0, 0.5, 1], [1.1, -1, math.nan, True, "0.5", 10**400], "a number from 0 to 1"),
        (number(0, above=True), [1e-9, 3], [0, -1, math.inf, 10**400], "a number above 0"),
        (number(0, 1, above=True), [1], [0, 2], "a number above 0 and at most 1"),
        (number(unit="seconds"), [-1.5], [None], "a number of seconds"),
        (flag(), [True, False], [0, 1, "yes", None], "yes or no"),
        (choice("area", "territory"), ["area"], ["Area", 1, None], "area or territory"),
        (choice(4, 6, 8), [4, 8], [5, True, "4"], "4, 6 or 8"),
        (text(), ["", "x"], [1, None], "a text"),
    ],
)
def test_an_option_allows_what_it_says(option, good, bad, wanted) -> None:
    assert option.wanted == wanted
    assert all(option.check("x", value) == value for value in good)
    for value in bad:
        with pytest.raises(OptionError, match=rf"^mcts: x must be {wanted}, not ") as caught:
            option.check("x", value, "mcts")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200


def test_a_table_of_options_fills_in_defaults_and_refuses_other_names() -> None:
    table = {"games": whole(1, default=10), "deepen": flag()}
    assert check_options(table, {"games": 3}) == {"games": 3, "deepen": False}
    with pytest.raises(OptionError, match="mcts has no option 'game'; it takes: games, deepen"):
        check_options(table, {"game": 3}, "mcts")


def test_the_fields_of_a_record_are_checked() -> None:
    @dataclass
    class Settings:
        games: int = 1

    check_fields(Settings(), {"games": whole(1)})
    with pytest.raises(OptionError, match="games must be a whole number, 1 or more, not 0"):
        check_fields(Settings(0), {"games": whole(1)})


def test_a_constructor_says_what_it_takes_and_checks_it() -> None:
    class Board:
        @takes(size=whole(2, 7))
        def __init__(self, size: int = 5, swap: bool = False):
            self.size = size

    assert Board(3).size == Board(size=3).size == 3
    assert Board().size == 5
    assert declared_options(Board) == {"size": whole(2, 7)}
    for make in (lambda: Board(8), lambda: Board(size=8)):
        with pytest.raises(OptionError, match="size must be a whole number from 2 to 7, not 8"):
            make()
