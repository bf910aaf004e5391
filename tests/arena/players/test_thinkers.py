"""The package's players heed a clock beside limits of their own, and tell what they think."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from zermelo.analysis import Clock, Limits
from zermelo.arena import Human, Player
from zermelo.arena.players import kinds, make_player
from zermelo.engine import Searcher
from zermelo.games import load
from zermelo.games.nim.rules import Nim
from zermelo.play import Guest, Thinker

SEARCHER = Searcher(load("tictactoe"), algorithm="pvs")
AMOUNT = st.none() | st.integers(1, 1000)


@given(own=st.fixed_dictionaries({"nodes": AMOUNT, "seconds": AMOUNT, "depth": AMOUNT}), nodes=AMOUNT, seconds=AMOUNT)
def test_of_two_limits_the_smaller_holds(own, nodes, seconds):
    asked, searcher = [], SEARCHER
    searcher.method.search = lambda query: asked.append(query.limits)
    searcher.search(limits=Limits(**own), clock=Clock(move_seconds=seconds, nodes=nodes))
    (limits,) = asked
    assert limits.depth == own["depth"]
    for name, allowed in (("nodes", nodes), ("seconds", seconds)):
        named = [each for each in (own[name], allowed) if each is not None]
        if named:
            assert getattr(limits, name) <= min(named)
    if not any((own["nodes"], own["seconds"], own["depth"], nodes, seconds)):
        assert (limits.nodes, limits.seconds) == (None, 1.0)


class Inheriting(Nim):
    def actions(self, s):
        yield from super().actions(s)


def test_the_engine_plays_rules_that_do_not_compile_by_the_textbook_and_says_so():
    with pytest.warns(z.InterpretedWarning, match="Inheriting"):
        record = z.play(Inheriting(heaps=(1, 2)), [make_player("engine:depth=4"), make_player("random:seed=1")])
    assert record.utilities == (1.0, -1.0)


@pytest.mark.parametrize("spec", ["engine:depth=3", "alphabeta:depth=3", "search:nodes=200", "minimax:depth=2"])
def test_searching_players_tell_value_depth_and_nodes(spec):
    game = load("tictactoe")
    player = make_player(spec)
    assert isinstance(player, Thinker)
    choice = player.think(game, game.read("oo./xx./..."), [], Clock())
    assert game.show_action(game.read("oo./xx./..."), choice.action) == "c2"
    assert choice.value == 1.0
    assert choice.nodes > 0


@pytest.mark.parametrize("spec", ["engine", "alphabeta", "alphabeta:depth=30", "search:seconds=100"])
def test_the_nodes_of_a_clock_end_a_search(spec):
    game = load("connect4")
    choice = make_player(spec).think(game, game.initial(), [], Clock(nodes=300))
    assert choice.nodes <= 400
    assert choice.depth >= 1


def test_a_solution_tells_its_value(tmp_path):
    game = load("tictactoe")
    z.solve(game, strongly=True).save(tmp_path / "solution")
    player = Player(f"solution:{tmp_path / 'solution'}")
    player.begin(game, 0)
    assert player.think(game, game.initial()).value == 0.0
    player.close()
    assert player.think(game, game.initial()).value == 0.0


def test_people_and_chance_think_too():
    game = load("tictactoe")
    human = Human(ask=lambda _: "b2", say=lambda _: None)
    assert human.think(game, game.initial(), [], Clock()).action == 4
    assert make_player("random:seed=1").think(game, game.initial(), [], Clock()).value is None


def test_a_player_by_its_text_is_a_thinker_and_a_guest_whatever_it_is():
    player = Player("random")
    assert isinstance(player, Thinker)
    assert isinstance(player, Guest)
    player.begin(load("tictactoe"), 0)
    player.close()


def test_every_kind_says_what_it_is_and_gives_an_example_of_itself():
    for name, kind in kinds().items():
        assert kind.summary.endswith(".")
        assert kind.example.partition(":")[0] == name
