"""NFG files, normal forms of games of the contract, and pictures."""

from __future__ import annotations

import contextlib
from fractions import Fraction
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from tests.equilibrium.known import CHICKEN, RED_BLUE
from zermelo.equilibrium import NormalForm, load_nfg, normal_form, picture, read_nfg, reduction, write_nfg, zero_sum
from zermelo.errors import InputError, MethodError

PAYOFFS = 'NFG 1 R "A \\"small\\" game" { "Ann" "Bob" } { 3 2 }\n\n1 1 0 2 0 2\n1 1 0 3 2 0\n'
OUTCOMES = """NFG 1 D "Outcomes" { "Ann" "Bob" }
{ { "up" "down" } { "left" "right" } }
"a comment"
{ { "good" 3, 1/2 } { "bad" -1, 0.25 } }
1 2 0 1
"""


def test_the_payoff_form_is_read_with_the_first_player_fastest():
    game = read_nfg(PAYOFFS)
    assert game.title == 'A "small" game'
    assert game.exact[0].tolist() == [[1, 1], [0, 0], [0, 2]]
    assert game.exact[1].tolist() == [[1, 1], [2, 3], [2, 0]]


def test_the_outcome_form_is_read():
    game = read_nfg(OUTCOMES)
    assert game.actions == (("up", "down"), ("left", "right"))
    assert game.exact[0].tolist() == [[3, 0], [-1, 3]]
    assert game.exact[1].tolist() == [[Fraction(1, 2), 0], [Fraction(1, 4), Fraction(1, 2)]]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_a_written_game_is_read_again(seed, outcomes):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 4, random.integers(2, 4)))
    game = NormalForm([random.integers(-3, 4, shape) / 4 for _ in shape], title='x "y" \\z')
    again = read_nfg(write_nfg(game, outcomes))
    assert again.title == game.title
    assert again.actions == game.actions
    assert all((one == other).all() for one, other in zip(game.exact, again.exact, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "EFG 2 R",
        "NFG 2 R",
        'NFG 1 R "t" { "a" }',
        'NFG 1 R "t" { "a" } { 2 } 1 2',
        'NFG 1 R "t" { "a" "b" } { 2 2 } 1 2 3',
        'NFG 1 R "t" { "a" "b" } { 2 2 } 1 2 3 4 5 6 7 8 9',
        'NFG 1 R "t" { "a" "b" } { 99999999 99999999 } 1',
        'NFG 1 R "t" { "a" "b" } { 999999999999999999999 2 } 1',
        'NFG 1 R "t" { "a" "b" } { 0 2 }',
        'NFG 1 R "t" { "a" "b" } { -1 2 } 1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } x y',
        'NFG 1 R "t" { "a" "b" } { 1 1 } 1/0 1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } nan 1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } 1e999999999 1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } 1e999 1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } { { "" 1 1 } } 2',
        'NFG 1 R "t" { "a" "b" } { 1 1 } { { "" 1 1 } } -1',
        'NFG 1 R "t" { "a" "b" } { 1 1 } { { "" 1 } } 1',
        'NFG 1 R "unclosed { "a" "b" } { 1 1 } 1 1 "',
        "{ { { { {",
        "\x00\x01\x02",
    ],
)
def test_files_that_are_no_games_are_refused(text):
    with pytest.raises(InputError):
        read_nfg(text)


def test_a_refusal_of_many_players_is_short():
    names = " ".join(f'"{p}"' for p in range(3000))
    with pytest.raises(InputError, match="too many for a table") as refused:
        read_nfg(f'NFG 1 R "t" {{ {names} }} {{ {"2 " * 3000}}} 1 2')
    assert len(str(refused.value)) < 200


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    text = OUTCOMES if data.draw(st.booleans()) else PAYOFFS
    place = data.draw(st.integers(0, len(text)))
    other = (
        text[:place]
        + data.draw(st.text('{}" 0123/.,-\\eNFG', max_size=4))
        + text[place + data.draw(st.integers(0, 5)) :]
    )
    with contextlib.suppress(InputError):
        read_nfg(other)


def test_files_are_loaded(tmp_path):
    path = tmp_path / "game.nfg"
    path.write_text(PAYOFFS, encoding="utf-8")
    assert load_nfg(path).shape == (3, 2)
    with pytest.raises(InputError, match="there is no file"):
        load_nfg(tmp_path / "none.nfg")


def test_a_simultaneous_game_becomes_its_table():
    form = normal_form(z.load("red-blue"))
    assert form.players == ("Red", "Blue")
    assert form.actions == (("1", "2"), ("A", "B", "C"))
    assert form.exact[0].tolist() == RED_BLUE


def test_a_tree_becomes_its_reduced_normal_form():
    form = normal_form(z.load("[[3,12,8],[2,4,6],[14,5,2]]"))
    assert form.shape == (3, 27)
    assert zero_sum(form, exact=True).value == 3


class Coin(z.Game):
    """A coin is thrown, only Ann sees it, says heads or tails, and Bob believes it or not."""

    names = ("heads", "tails")

    class State(NamedTuple):
        coin: int
        said: int
        believed: int

    def initial(self):
        return self.State(-1, -1, -1)

    def player(self, s):
        return z.CHANCE if s.coin < 0 else 0 if s.said < 0 else 1

    def actions(self, s):
        yield from () if s.believed >= 0 else (0, 1)

    def chances(self, s):
        yield 0, 2 / 3
        yield 1, 1 / 3

    def result(self, s, a):
        if s.coin < 0:
            return s._replace(coin=a)
        return s._replace(said=a) if s.said < 0 else s._replace(believed=a)

    def is_terminal(self, s):
        return s.believed >= 0

    def utility(self, s, p):
        right = s.coin == s.believed
        return (1.0 if right else -1.0) * (1 if p == 1 else -1)

    def view(self, s, p):
        return (s.coin, s.said) if p == 0 else (s.said,)


def test_chance_is_averaged_and_information_sets_come_from_views():
    form = normal_form(Coin())
    assert form.shape == (4, 4)
    assert zero_sum(form, exact=True).value == Fraction(-1, 3)


def test_choices_that_cannot_be_reached_any_more_are_left_out():
    # Of four stones: who takes one may have to choose again, who takes more may not. Five strategies, not eight.
    assert normal_form(z.load("nim:heaps=4")).shape == (5, 6)


def test_games_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr(reduction, "MOST_STRATEGIES", 1000)
    with pytest.raises(MethodError, match="take its tree, by solve_extensive"):
        normal_form(z.load("tictactoe"))


@pytest.mark.parametrize(
    "game", [RED_BLUE, [[1, 2], [3, 0], [2, 2]], list(CHICKEN), [[[1, 1], [1, 1]], [[0, 0], [0, 0]]], [[5, 5]] * 2]
)
def test_pictures_are_svg(game):
    root = ElementTree.fromstring(picture(game))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findall(".//{http://www.w3.org/2000/svg}circle")


def test_the_graphical_solution_marks_the_optimum():
    title = ElementTree.fromstring(picture(RED_BLUE)).find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == "row plays 1 with 4/7: value 20/7"


def test_best_responses_meet_at_all_three_equilibria_of_chicken():
    root = ElementTree.fromstring(picture(list(CHICKEN)))
    marks = {title.text for title in root.findall(".//{http://www.w3.org/2000/svg}circle/*")}
    assert marks == {"(1, 0)", "(0, 1)", "(1/3, 1/3)"}


def test_larger_games_have_no_picture():
    with pytest.raises(MethodError, match="no picture"):
        picture(np.zeros((2, 4, 4)) + np.arange(16).reshape(4, 4))
