"""Who plays from a book: strong players of a game that has one, and whoever names one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo.analysis import Clock
from zermelo.arena.players import make_player
from zermelo.arena.players.search import with_book
from zermelo.book import BookBuilder, BookSettings, PlayedGame, book_of
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.play import ask


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book that knows a1 and c3 in the first position of tic-tac-toe."""
    game = load("tictactoe")
    start = game.initial()
    builder: BookBuilder[Any, Any] = BookBuilder(game, BookSettings(plies=1))
    builder.add_games([PlayedGame(start, (game.read_action(start, move),), None) for move in ("a1", "a1", "c3")])
    builder.write(tmp_path / "a.book")
    return tmp_path / "a.book"


@pytest.fixture
def game(path: Path) -> AnyGame:
    return load(f"tictactoe:book={path}")


def plays(spec: str, game: AnyGame, times: int = 1) -> set[str]:
    """The moves that a player makes from its book; none if it searches."""
    player, state = make_player(spec), game.initial()
    found = [ask(player, game, state, [], Clock()) for _ in range(times)]
    return {game.show_action(state, each.action) for each in found if each.nodes is None}


@pytest.mark.parametrize(
    "spec", ["engine:nodes=100", "mcts:simulations=20", "search:nodes=100", "pvs:depth=1,book=yes"]
)
def test_the_game_s_own_book_is_played(spec: str, game: AnyGame):
    assert plays(f"{spec},seed=1", game, 30) == {"a1", "c3"}
    assert plays(f"{spec},seed=1,variety=0", game, 30) == {"a1"}


@pytest.mark.parametrize("spec", ["engine:nodes=100,book=no", "pvs:depth=1", "engine:nodes=100,noise=0.01,seed=1"])
def test_nobody_plays_a_book_who_should_not(spec: str, game: AnyGame):
    assert plays(spec, game) == set()


def test_the_book_of_the_package_is_played_by_those_who_ask_for_one(game: AnyGame):
    book = book_of(game)
    assert book is not None
    assert not book.is_shipped
    book.is_shipped = True
    for kind in ("engine:nodes=100", "mcts:simulations=20", "search:nodes=100"):
        assert plays(kind, game) == set()
        assert plays(f"{kind},book=yes,variety=0", game) == {"a1"}
        assert with_book(kind, game) == f"{kind},book=yes"
        assert with_book(kind, load("tictactoe")) == kind


def test_a_player_plays_the_book_that_it_names(path: Path):
    assert plays(f"alphabeta:depth=1,book={path},variety=0", load("tictactoe")) == {"a1"}


def test_the_same_seed_plays_the_same(game: AnyGame):
    played = []
    for _ in range(2):
        player = make_player("engine:nodes=100,seed=7")
        played.append([ask(player, game, game.initial(), [], Clock()).action for _ in range(20)])
    assert played[0] == played[1]


def test_books_that_do_not_fit_are_refused(path: Path):
    for spec, name, kind, says in (
        ("engine:book=yes", "tictactoe", OptionError, "TicTacToe has no book: name a file, as in engine:book=FILE"),
        (f"engine:book={path}", "nim", InputError, "is a book of another game"),
        (f"engine:book={path}", "pig", MethodError, "Pig has chance"),
        (f"engine:book={__file__}", "tictactoe", InputError, "is not a book"),
    ):
        with pytest.raises(kind, match=says):
            plays(spec, load(name))
    for wrong in ("engine:book=3", "engine:variety=-1"):
        with pytest.raises(OptionError, match=wrong[7:11]):
            make_player(wrong)
