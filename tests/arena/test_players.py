"""Players are named by text, choose legal actions and say what is wrong with their options."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.arena import Player, make_players
from zermelo.arena.players import kinds, make_player
from zermelo.errors import MethodError, OptionError
from zermelo.games import load

TWO_PLAYER = ["alphabeta", "h-minimax", "minimax", "mtdf", "negamax", "pvs", "search"]


def test_the_scan_finds_every_kind():
    assert {"human", "random", *TWO_PLAYER, "maxn", "expectiminimax", "star1", "star2"} <= set(kinds())


@pytest.mark.parametrize("kind", TWO_PLAYER)
def test_every_textbook_player_takes_the_win(kind):
    game = load("tictactoe")
    state = game.read("oo./xx./...")
    assert game.show_action(state, Player(f"{kind}:depth=3").choose(game, state)) == "c2"


@pytest.mark.parametrize("kind", ["expectiminimax", "star1", "star2", "search"])
def test_players_of_chance_games_choose_legal_actions(kind):
    game = load("race")
    state = game.result(game.initial(), next(iter(game.actions(game.initial()))))
    assert Player(f"{kind}:depth=2").choose(game, state) in list(game.actions(state))


def test_a_player_without_limits_thinks_for_a_second():
    game, asked = load("tictactoe"), []
    player = make_player("alphabeta")
    player.begin(game, 0)
    player.searcher.method._search = lambda *_, **options: asked.append(options) or zermelo.minimax(game)
    player.choose(game, game.initial())
    assert {name: asked[0][name] for name in ("seconds", "deepen", "quick")} == {
        "seconds": 1.0,
        "deepen": True,
        "quick": True,
    }


def test_the_quicker_win_is_preferred_unless_said_otherwise():
    assert make_player("pvs:depth=3").options["quick"] is True
    assert make_player("pvs:depth=3,quick=no").options["quick"] is False


def test_random_players_with_the_same_seed_play_the_same():
    game = load("connect4")
    first, second = Player("random:seed=7"), Player("random:seed=7")
    s = game.initial()
    assert [first.choose(game, s) for _ in range(20)] == [second.choose(game, s) for _ in range(20)]


def test_options_belong_to_the_player_before_them():
    names = [player.name for player in make_players("human,alphabeta:depth=2,order=killers/history,random")]
    assert names == ["human", "alphabeta:depth=2,order=killers/history", "random"]


def test_a_list_of_ordering_rules_is_written_with_slashes():
    assert make_player("alphabeta:depth=2,order=killers/history").options["order"] == "killers,history"


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("alphabet", "did you mean alphabeta"),
        ("", "no player is called"),
        ("alphabeta:dept=3", "no option 'dept'"),
        ("alphabeta:depth=deep", "depth must be a whole number, 1 or more"),
        ("alphabeta:depth=yes", "depth must be a whole number, 1 or more"),
        ("alphabeta:table=big", "table must be of type"),
        ("alphabeta:stop=1", "no option 'stop'"),
        ("random:colour=1", "no option 'colour'"),
        ("human:age=3", "no option 'age'"),
        ("alphabeta:depth", "write NAME=VALUE"),
    ],
)
def test_a_spec_that_cannot_be_used_says_why(spec, says):
    with pytest.raises(OptionError, match=says):
        make_player(spec)


def test_a_search_that_does_not_fit_the_game_says_so():
    game = load("kingmaker")
    with pytest.raises(MethodError, match="maxn"):
        Player("alphabeta:depth=2").choose(game, game.initial())


@pytest.mark.parametrize("seed", ["abc", "1.5", "yes", "3/4"])
def test_the_seed_of_a_random_player_is_a_whole_number(seed):
    with pytest.raises(OptionError, match="seed must be a whole number"):
        make_player(f"random:seed={seed}")
