"""What a book is made of: searches where they matter most, the results of games, other books, and nothing twice."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.book.conftest import make_book
from zermelo.book import Book, BookBuilder, BookSettings, PlayedGame, StoredBook, positions, read_book
from zermelo.book.tree import BookTree
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame, Tree
from zermelo.games import load


def test_a_tree_is_searched_to_its_value():
    builder = BookBuilder(Tree([[[3, 1], [9, 9]], [[2, 1], [8, 8]], [[0, 0], [0, 0]]]), BookSettings(plies=3))
    told = []
    builder.search(60, lambda each: told.append(each.searched))
    assert told == list(range(1, len(builder) + 1))
    assert builder.moves(builder.tree.root)[0].value == 3


def test_values_are_backed_up_to_the_start(whole: Book, hexapawn: AnyGame):
    for state, _, moves in positions(whole):
        for each in moves:
            after = hexapawn.result(state, each.action)
            behind = [] if hexapawn.is_terminal(after) else whole.moves(after)
            if behind:
                assert each.value == -max(reply.value for reply in behind if reply.value is not None)


def test_the_costs_are_those_of_the_definition(hexapawn: AnyGame):
    grown: BookTree = BookTree(hexapawn, plies=5)
    root = grown.root
    assert grown.next() is root
    for (number, action), value in zip(enumerate(hexapawn.actions(root.state)), (0.5, 0.4, -0.5), strict=True):
        grown.edge(root, number, action).value = value
    root.searched, grown.margin = True, 0.1
    grown.settle(root)
    assert (root.value, root.cost) == (0.5, 1.0)
    assert [grown.cost(root, each) for each in root.edges.values()] == pytest.approx([1.0, 2.0, 11.0])
    first = grown.next()
    assert first is not None
    assert (first.key, first.ply) == (root.edges[0].behind, 1)


def test_variety_takes_a_multiple_of_the_usual_distance(hexapawn: AnyGame):
    for variety in (1.0, 2.5):
        grown: BookTree = BookTree(hexapawn, plies=5, variety=variety)
        for (number, action), value in zip(
            enumerate(hexapawn.actions(grown.root.state)), (0.5, 0.4, -0.5), strict=True
        ):
            grown.edge(grown.root, number, action).value = value
        grown.root.searched = True
        grown.measure()
        assert grown.margin == pytest.approx(0.1 * variety)


def test_a_book_goes_on_where_it_was(tmp_path: Path, hexapawn: AnyGame, whole: Book):
    half = make_book(hexapawn, tmp_path / "half.book", plies=2, width=20)
    builder = BookBuilder(hexapawn, BookSettings(plies=20, width=20))
    builder.add_book(half)
    builder.search(60)
    builder.write(tmp_path / "more.book")
    found = read_book(tmp_path / "more.book", hexapawn)
    assert found.record["searched"] == whole.record["searched"]
    assert list(positions(found)) == list(positions(whole))


def test_a_book_that_is_read_and_written_again_stays_the_same(tmp_path: Path, hexapawn: AnyGame, whole: Book):
    builder = BookBuilder(hexapawn)
    builder.add_book(whole)
    builder.write(tmp_path / "again.book")
    assert list(positions(read_book(tmp_path / "again.book", hexapawn))) == list(positions(whole))


def test_games_are_counted_with_their_results():
    game = load("tictactoe")
    start = game.initial()
    first, second = list(game.actions(start))[:2]
    reply = next(iter(game.actions(game.result(start, first))))
    games = [
        PlayedGame(start, (first, reply), (1.0, -1.0)),
        PlayedGame(start, (first,), (0.0, 0.0)),
        PlayedGame(start, (second,), None),
    ]
    builder = BookBuilder(game, BookSettings(plies=4))
    builder.add_games(games, least=2)
    assert len(builder) == 1
    found = {move.action: move for move in builder.moves(builder.tree.root)}
    assert (found[first].games, found[first].score, found[first].weight) == (2, 0.5, 3)
    assert (found[second].games, found[second].score, found[second].weight) == (1, None, 1)
    builder.add_games(games, least=1)
    assert len(builder) == 2


def test_positions_that_the_start_does_not_reach_stay_in_a_book_that_goes_on(tmp_path: Path):
    game = load("tictactoe")
    elsewhere = game.read("xo./.../...")
    builder = BookBuilder(game)
    builder.add_games([PlayedGame(elsewhere, (next(iter(game.actions(elsewhere))),), None)])
    builder.write(tmp_path / "a.book")
    again = BookBuilder(game)
    again.add_book(read_book(tmp_path / "a.book", game))
    again.search(0.2)
    again.write(tmp_path / "b.book")
    assert len(read_book(tmp_path / "b.book", game).moves(elsewhere)) == 1


def test_the_engine_plays_on_from_the_book(tmp_path: Path):
    game = load("connect4:columns=5,rows=4")
    builder = BookBuilder(game, BookSettings(plies=4, nodes=500))
    builder.search(1.0)
    before = len(builder)
    builder.play(10)
    assert len(builder) == before
    assert sum(move.games for move in builder.moves(builder.tree.root)) == builder.played == 10
    builder.write(tmp_path / "a.book")
    found = read_book(tmp_path / "a.book", game)
    assert isinstance(found, StoredBook)
    assert all(move.score is not None for move in found.moves(game.initial()) if move.games)


def test_games_without_a_search_of_the_engine_have_books_too(tmp_path: Path):
    class Stones:
        """Take one or two stones; whoever takes the last one wins."""

        initial = (4, "X")

        def to_move(self, s):
            return s[1]

        def actions(self, s):
            return [n for n in (1, 2) if n <= s[0]]

        def result(self, s, a):
            return (s[0] - a, "O" if s[1] == "X" else "X")

        def terminal_test(self, s):
            return s[0] == 0

        def utility(self, s, p):
            return -1 if s[1] == p else 1

    import zermelo

    game = zermelo.adapt(Stones())
    book = make_book(game, tmp_path / "a.book", plies=4)
    assert (book.moves(game.initial())[0].action, book.moves(game.initial())[0].value) == (1, 1.0)


def test_settings_that_make_no_sense_are_refused(hexapawn: AnyGame):
    for wrong in ({"plies": 0}, {"width": 0}, {"nodes": 0}, {"threads": 0}, {"seed": -1}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            BookSettings(**wrong)
    with pytest.raises(OptionError, match="seconds must be"):
        BookBuilder(hexapawn).search(math.nan)
    with pytest.raises(MethodError, match="Backgammon has chance"):
        BookBuilder(load("backgammon"))
