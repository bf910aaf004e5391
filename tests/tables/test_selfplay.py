"""Games on native threads: their players probe the tables of the game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from zermelo.games import load
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.tables import tables_of


@pytest.fixture(scope="module")
def chess():
    return load("chess:network=no")


@pytest.fixture(scope="module")
def endings(chess):
    """Won, drawn and lost ones, no nearer to their end than ten plies."""
    dice, tables, found = random.Random(5), tables_of(chess), []
    slices = [facts.material for facts in tables.slices.values() if facts.name in ("KBNK", "KRK", "KQKR", "KPK")]
    while len(found) < 20:
        m = dice.choice(slices)
        s = chess.unrank(m, dice.randrange(chess.slice_size(m)))
        if chess.material(s) == m and not chess.is_terminal(s) and (tables.distance(s) or 10) >= 10:
            found.append(s)
    return found


def play(game, path: Path, endings, player: SearchPlayer, **changes: object):
    options = SelfPlayOptions(player=player, games=len(endings), starts=endings, **changes)
    with RecordWriter(path, game) as writer:
        for block in SelfPlay(game, options).blocks():
            writer.write(block)
    return list(RecordedGames(path, game))


@pytest.mark.parametrize("method", ["alphabeta", "mcts"])
def test_a_game_ends_as_soon_as_the_tables_know_it(chess, endings, method, tmp_path):
    tables, player = tables_of(chess), SearchPlayer(method, nodes=100)
    games = play(chess, tmp_path / "games", endings, player)
    for s, game in zip(endings, games, strict=True):
        assert (len(game.actions), game.ending) == (1, "proof")
        assert game.utilities == tables.outcome(s).values


def test_won_endings_are_won_in_as_many_plies_as_the_tables_say(chess, endings, tmp_path):
    tables, player = tables_of(chess), SearchPlayer("alphabeta", nodes=200)
    won = [s for s in endings if tables.distance(s) is not None]
    games = [play(chess, tmp_path / str(n), won, player, ends_proved=False, threads=n) for n in (1, 2)]
    for s, game in zip(won, games[0], strict=True):
        assert (len(game.actions), game.utilities) == (tables.distance(s), tables.outcome(s).values)
    assert [game.actions for game in games[0]] == [game.actions for game in games[1]]


def test_in_a_match_each_player_has_the_tables_of_its_own_game(chess, endings):
    tables, player = tables_of(chess), SearchPlayer("alphabeta", nodes=60)
    won = [s for s in endings if chess.slice_name(chess.material(s)) == "KBNK" and tables.value(s) != 0.0]
    options = MatchOptions(player, player, pairs=len(won), starts=won, longest_plies=200, opening_plies=(0, 0))
    pairs = list(Match(chess, load("chess:network=no,tables=no"), options).play())
    for s, pair in zip(won, pairs, strict=True):
        stronger = 0 if tables.outcome(s).values[0] > 0 else 1
        assert pair.games[stronger].utilities[0] == 1.0
    assert any(game.utilities[1] == 0.0 for pair in pairs for game in pair.games)
