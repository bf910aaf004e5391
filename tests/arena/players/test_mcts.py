"""Monte Carlo tree search as a player: by its text, by a clock, and with dice of its own."""

from __future__ import annotations

import pytest

from zermelo.analysis import Clock
from zermelo.arena import Player, play
from zermelo.arena.players import make_player
from zermelo.errors import OptionError
from zermelo.games import load
from zermelo.play import Gambler, Guest, Thinker


def test_it_finds_the_win_and_tells_what_it_is_worth() -> None:
    game = load("tictactoe")
    player = make_player("mcts:simulations=200,c=1.4")
    assert isinstance(player, Thinker)
    assert isinstance(player, Guest)
    assert isinstance(player, Gambler)
    choice = player.think(game, game.read("oo./xx./..."), [], Clock())
    assert (choice.action, choice.value) == (5, 1.0)
    assert choice.nodes > 0


def test_it_keeps_its_tree_within_a_game_and_forgets_it_after() -> None:
    game = load("connect4")
    player = make_player("mcts:simulations=300,seed=2")
    s = game.initial()
    first = player.think(game, s, [], Clock()).action
    player.think(game, game.result(s, first), [s], Clock())
    assert player.searcher.method.searcher.reused > 0
    player.begin(game, 0)
    assert player.think(game, s, [], Clock()).action == first
    assert player.searcher.method.searcher.reused == 0


@pytest.mark.parametrize("name", ["kingmaker", "race:steps=2,sides=2", "blind_tictactoe"])
def test_it_plays_games_of_three_of_dice_and_of_hidden_marks(name: str) -> None:
    game = load(name)
    record = play(game, [Player("mcts:simulations=20,solver=no") for _ in range(game.players)])
    assert len(record.utilities) == game.players


def test_the_nodes_and_seconds_of_a_clock_end_its_thinking() -> None:
    game = load("connect4")
    assert make_player("mcts").think(game, game.initial(), [], Clock(nodes=300)).nodes < 1000
    assert make_player("mcts:simulations=100000000").think(game, game.initial(), [], Clock(move_seconds=0.05)).nodes


def test_a_tournament_settles_its_dice_unless_its_text_does() -> None:
    loose, settled = make_player("mcts"), make_player("mcts:seed=7")
    for player in (loose, settled):
        player.reseed(99)
    assert (loose.options["seed"], settled.options["seed"]) == (99, 7)


@pytest.mark.parametrize(
    "spec",
    [
        "mcts:depth=3",
        "mcts:c=much",
        "mcts:simulations=0",
        "mcts:seconds=-1",
        "mcts:selection=best",
        "mcts:widening=2",
        "mcts:solver=3",
        "mcts:seed=x",
        "mcts:noise=2",
    ],
)
def test_options_that_make_no_sense_are_refused(spec: str) -> None:
    with pytest.raises(OptionError):
        make_player(spec)


@pytest.mark.parametrize("spec", ["mcts:threads=0", "mcts:memory_mb=none"])
def test_room_that_makes_no_sense_is_refused_before_a_game(spec: str) -> None:
    with pytest.raises(OptionError):
        make_player(spec).begin(load("tictactoe"), 0)
