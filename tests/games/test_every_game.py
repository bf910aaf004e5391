"""Laws that hold for every game of the package, found by the scan, and for some of their variants."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ActionError, PositionError
from zermelo.game import CHANCE
from zermelo.games import games
from zermelo.games.connect4 import ConnectFour
from zermelo.games.hex import Hex
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.kingmaker import Kingmaker
from zermelo.games.nim import Nim
from zermelo.games.pig import Pig
from zermelo.games.race import Race
from zermelo.games.tictactoe import TicTacToe

GAMES = {name: game() for name, game in games().items()} | {
    "connect4 4 × 4": ConnectFour(4, 4),
    "hex with swap": Hex(3, swap=True),
    "hex 7 × 7": Hex(7),
    "hexapawn 4 × 5": Hexapawn(4, 5),
    "kingmaker with podium": Kingmaker(stones=12, most=3, players=4, podium=True),
    "nim misère": Nim((1, 2, 3), misere=True),
    "pig with four sides": Pig(goal=20, sides=4),
    "race of seven steps": Race(steps=7, sides=3),
    "tictactoe 4 × 3": TicTacToe(4, 3, 3),
}

seeds = st.integers(0, 2**32 - 1)


def playout(game, seed, plies=200):
    """The positions of one random game, or of its beginning if it is long."""
    chance = random.Random(seed)
    s = game.initial()
    yield s
    for _ in range(plies):
        if game.is_terminal(s):
            return
        s = game.result(s, chance.choice(list(game.actions(s))))
        yield s


@pytest.fixture(params=GAMES, scope="module")
def game(request):
    return GAMES[request.param]


@settings(max_examples=15, deadline=None)
@given(seed=seeds)
def test_a_playout_keeps_the_contract(game, seed):
    for s in playout(game, seed):
        actions = list(game.actions(s))
        assert actions == list(game.actions(s))
        assert len(set(actions)) == len(actions)
        if game.is_terminal(s):
            assert actions == []
            low, high = game.bounds
            assert all(low <= utility <= high for utility in game.utilities(s))
            if game.utility_sum is not None:
                assert sum(game.utilities(s)) == pytest.approx(game.utility_sum)
        else:
            assert actions
            assert game.player(s) == CHANCE or game.player(s) in range(game.players)


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_probabilities_sum_to_one_and_follow_the_actions(game, seed):
    for s in playout(game, seed, plies=40):
        if not game.is_terminal(s) and game.player(s) == CHANCE:
            outcomes = list(game.chances(s))
            assert [a for a, _ in outcomes] == list(game.actions(s))
            assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_text_round_trips(game, seed):
    for s in playout(game, seed, plies=60):
        again = game.read(game.write(s))
        assert type(again) is type(s)
        assert game.key(again) == game.key(s)
        assert "\n" not in game.write(s)
        names = [game.show_action(s, a) for a in game.actions(s)]
        assert len(set(names)) == len(names)
        assert all(name and not set(name) & set(" \n") for name in names)
        assert [game.read_action(s, name) for name in names] == list(game.actions(s))


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_estimates_lie_strictly_inside_the_bounds_and_are_whole_points(game, seed):
    if not game.can("evaluate"):
        return
    low, high = game.bounds
    for s in playout(game, seed):
        if not game.is_terminal(s):
            estimates = [game.evaluate(s, p) for p in range(game.players)]
            assert all(low < estimate < high for estimate in estimates)
            assert sum(estimates) == pytest.approx(game.utility_sum)
            if game.scale is not None:
                assert estimates[0] * game.scale == pytest.approx(round(estimates[0] * game.scale))


@settings(max_examples=5, deadline=None)
@given(seed=seeds)
def test_pictures_are_svg_with_letters_of_every_font(game, seed):
    for s in playout(game, seed, plies=20):
        picture = ElementTree.fromstring(game.picture(s))
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        assert set("".join(picture.itertext())) <= {*map(chr, range(256)), *"−–…●♠♥♦♣"}


@settings(max_examples=10, deadline=None)
@given(seed=seeds)
def test_a_pass_changes_only_the_turn(game, seed):
    if not game.can("pass_turn"):
        return
    for s in playout(game, seed):
        if not game.is_terminal(s):
            passed = game.pass_turn(s)
            assert game.player(passed) == 1 - game.player(s)
            assert game.pass_turn(passed) == s


@pytest.mark.parametrize("text", ["", "nonsense", "(1,2", "[]", "x" * 500])
def test_what_is_no_position_is_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)


def test_what_is_no_action_is_refused_with_the_legal_ones(game):
    with pytest.raises(ActionError, match="the legal ones are"):
        game.read_action(game.initial(), "nonsense")
