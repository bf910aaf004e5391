"""Openings are playable, differ, are fair where they claim it, and come out the same for the same seed."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import shutil
import string
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import takeaway

import zermelo as z
from zermelo.arena import Player, play
from zermelo.arena.openings import Opening, OpeningBook, make_openings, read_file, read_openings
from zermelo.arena.openings.files import read_line, read_movetext
from zermelo.errors import ActionError, InputError, OptionError, PositionError
from zermelo.games import games, load

CONNECT4 = load("connect4")


class Pair(z.Game):
    """Say yes or no, and the game is over."""

    class State(NamedTuple):
        said: int

    def initial(self):
        return self.State(0)

    def player(self, s):
        return 0

    def actions(self, s):
        if s.said == 0:
            yield 1
            yield 2

    def result(self, s, a):
        return self.State(a)

    def is_terminal(self, s):
        return s.said != 0

    def utility(self, s, p):
        return 1.0 if (s.said == 1) == (p == 0) else -1.0


# What an opening leads to.


def test_ctrl_c_while_openings_are_searched_ends_their_making(monkeypatch: pytest.MonkeyPatch):
    def interrupted(game, state, **_):
        return dataclasses.replace(z.search(game, state, nodes=10), stopped="interrupt")

    monkeypatch.setattr("zermelo.arena.openings.make.search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make_openings(CONNECT4, 2)


def test_an_opening_reaches_its_state_with_the_states_before_it():
    state, history = Opening(None, ("4", "4", "1")).reach(CONNECT4)
    assert CONNECT4.write(state) == "......./......./......./......./...o.../x..x..."
    assert [CONNECT4.write(s).count("x") for s in history] == [0, 1, 1]
    assert Opening(CONNECT4.write(state)).reach(CONNECT4) == (state, [])


def test_an_opening_that_ends_the_game_is_refused():
    with pytest.raises(PositionError, match="the game is over in this position"):
        Opening("xxx/oo./...").reach(load("tictactoe"))
    with pytest.raises(PositionError, match="ends the game"):
        Opening(None, tuple("1212121")).reach(CONNECT4)
    with pytest.raises(ActionError, match="over before '3', move 8"):
        Opening(None, tuple("12121213")).reach(CONNECT4)


def test_an_opening_that_brings_a_position_back_is_refused_where_that_counts():
    kings = Opening("B:WK32:BK1", ("1-6", "32-27", "6-1", "27-32"))
    with pytest.raises(ActionError, match="move 4 of the opening, brings a position back"):
        kings.reach(load("checkers"))


def test_a_book_goes_round():
    book = OpeningBook((Opening(None, ("1",)), Opening(None, ("2",))), "test")
    assert [book.pick(i).moves[0] for i in range(5)] == ["1", "2", "1", "2", "1"]
    assert len(book) == 2


words = st.text(string.ascii_letters + string.digits + "-/+=", min_size=1, max_size=6).filter(
    lambda word: word not in ("moves", "fen", "position", "startpos")
)


@given(st.none() | st.lists(words, min_size=1, max_size=4).map(" ".join), st.lists(words, max_size=5).map(tuple))
def test_an_opening_is_read_from_its_own_line(start, moves):
    opening = Opening(start, moves)
    assert read_line(str(opening)) == opening


# Made for a game.


@pytest.mark.parametrize("name", list(games()))
def test_made_openings_of_every_game_can_be_played_and_differ(name):
    game = load(name)
    book = make_openings(game, 12, seed=3)
    reached = [opening.reach(game)[0] for opening in book.openings]
    assert 1 <= len(book) <= 12
    assert len({game.key(state) for state in reached}) == len(book)
    assert bool(book.note) == (len(book) < 12) or "are balanced" in book.note


@pytest.mark.parametrize("name", ["tictactoe", "nim", "hexapawn", "connect4", "hex:size=4"])
def test_an_opening_leaves_most_of_a_game_to_be_played(name):
    game = load(name)
    book = make_openings(game, 10)
    played = [len(play(game, [Player("random:seed=1"), Player("random:seed=2")], seed=s).moves) for s in range(15)]
    assert all(2 * len(opening.moves) <= sorted(played)[7] for opening in book.openings)


def test_a_game_without_draws_still_has_many_openings():
    assert len(make_openings(load("nim"), 20)) == 20


def test_the_same_seed_makes_the_same_openings_and_another_seed_others():
    assert make_openings(CONNECT4, 20, seed=1) == make_openings(CONNECT4, 20, seed=1)
    assert make_openings(CONNECT4, 20, seed=1) != make_openings(CONNECT4, 20, seed=2)


def test_fewer_openings_are_the_beginning_of_more():
    assert make_openings(CONNECT4, 30, 5).openings[:10] == make_openings(CONNECT4, 10, 5).openings


def test_balanced_openings_of_a_game_that_can_be_searched_to_its_end_are_draws():
    game = load("tictactoe")
    book = make_openings(game, 15, seed=2, balance=0.1, nodes=100_000)
    assert len(book) == 15
    assert all(z.solve(game, opening.reach(game)[0]).value == 0 for opening in book.openings)


def test_a_tiny_game_gives_what_it_has_and_says_so():
    game = load("tictactoe")
    book = make_openings(game, 50, plies=1)
    assert 1 <= len(book) <= 9
    assert "of TicTacToe found, so that they come back" in book.note


def test_a_game_without_balanced_openings_gives_others_and_says_so():
    book = make_openings(load("kingmaker"), 5)
    assert "none of 5 openings of Kingmaker are balanced" in book.note
    assert len(book) == 5


def test_a_game_without_any_opening_begins_at_the_beginning():
    book = make_openings(Pair(), 5)
    assert book.openings == (Opening(),)
    assert "none" in book.note


@pytest.mark.parametrize("name", ["pig", "race", "blind-tictactoe"])
def test_dice_and_hidden_actions_are_not_searched(name):
    game = load(name)
    assert make_openings(game, 5).openings == (Opening(),)
    book = make_openings(game, 5, plies=3)
    assert [len(opening.moves) for opening in book.openings] == [3] * 5


@pytest.mark.parametrize(
    "options",
    [{"count": 0}, {"count": 1.5}, {"plies": 0}, {"plies": "x"}, {"balance": -1}, {"balance": "x"}, {"nodes": 0}],
)
def test_bad_numbers_are_refused(options):
    with pytest.raises(OptionError):
        make_openings(CONNECT4, **{"count": 3, **options})


# From the command line.


def test_a_text_names_a_book(tmp_path):
    (tmp_path / "book.txt").write_text("".join(f"{i} {i}\n" for i in range(1, 8)))
    path = str(tmp_path / "book.txt")
    assert read_openings("none", CONNECT4, 9).openings == (Opening(),)
    assert [len(o.moves) for o in read_openings("random:plies=6,balance=0.3", CONNECT4, 3).openings] == [6, 6, 6]
    plain = read_openings(path, CONNECT4, 7)
    assert plain.openings == tuple(Opening(None, (str(i),) * 2) for i in range(1, 8))
    assert plain.note == ""
    mixed = read_openings(f"{path}:shuffle", CONNECT4, 9, seed=1)
    assert mixed.openings != plain.openings
    assert {*mixed.openings} == {*plain.openings}
    assert "come back" in mixed.note
    assert mixed == read_openings(f"{path}:shuffle", CONNECT4, 9, seed=1)
    assert read_openings(f"{path}:plies=1,shuffle", CONNECT4, 9).openings[0].moves[1:] == ()


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "randm",
        "none.txt",
        "random:plies=x",
        "random:ply=3",
        "random:balance=-1",
        "random:plies",
        "book:plies=x",
        ".",
    ],
)
def test_a_text_that_names_no_book_is_refused(spec):
    with pytest.raises(OptionError):
        read_openings(spec, CONNECT4, 3)


# From files.


def read(tmp_path, name, text, game=CONNECT4, plies=None):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_file(path, game, plies)


def test_lines_of_text_are_openings(tmp_path):
    start = "......./......./......./......./...o.../x..x..."
    text = f"# a book\n\n4 4 1\nposition {start}\nfen {start} moves 2 3\nposition startpos moves 1\nstartpos\n"
    assert read(tmp_path, "book.txt", text) == [
        Opening(None, ("4", "4", "1")),
        Opening(start),
        Opening(start, ("2", "3")),
        Opening(None, ("1",)),
        Opening(),
    ]


def test_records_are_openings(tmp_path):
    text = '{"moves": ["4", "4"]}\n{"start": null, "moves": "1 2", "more": 3}\n{}\n'
    assert read(tmp_path, "book.jsonl", text) == [Opening(None, ("4", "4")), Opening(None, ("1", "2")), Opening()]


def test_positions_are_openings_and_operations_after_them_are_skipped(tmp_path):
    text = 'W:W21,22:B1,2\nB:WK30:B1,2 bm 1-5; id "one; two";\n'
    openings = read(tmp_path, "book.epd", text, load("checkers"))
    assert [opening.start.split(" ")[0] for opening in openings] == ["W:W21,22:B1,2", "B:WK30:B1,2"]


def test_games_are_openings_up_to_some_ply(tmp_path):
    text = '[Event "a"]\n\n1. 4 {a [comment]\n[Not "a tag"]} 4 (1... 3 2. 3) 2. 1! $3 ; rest\n7 1-0\n\n[FEN "W:x"]\n'
    text = text.replace("W:x", "......./......./......./......./...o.../x..x...") + '[Event "b"]\n1. 2 *\n'
    start = "......./......./......./......./...o.../x..x..."
    assert read(tmp_path, "book.pgn", text) == [Opening(None, ("4", "4", "1", "7")), Opening(start, ("2",))]
    assert read(tmp_path, "book.pgn", text, plies=2)[0] == Opening(None, ("4", "4"))


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.txt", "1 2\n\n1 9\n", 3),
        ("a.txt", "1\n1 2 1 2 1 2 1\n", 2),
        ("a.txt", "position nonsense\n", 1),
        ("a.jsonl", '{"moves": []}\n{"moves": [1]}\n', 2),
        ("a.jsonl", "{}\n[]\n", 2),
        ("a.jsonl", "{}\n{\n", 2),
        ("a.jsonl", "[" * 100_000, 1),
        ("a.epd", "......./......./......./......./...o.../x..x...\n...\n", 2),
        ("a.pgn", "1. 4 4\n2. 9 *\n", 1),
        ("a.pgn", "1. 4\n4 {never closed\n", 2),
        ("a.pgn", '[FEN "nonsense"]\n\n1. 4 *', 3),
    ],
)
def test_a_bad_file_is_one_error_with_its_line(tmp_path, name, text, line):
    with pytest.raises(InputError, match=rf"{name}, line {line}: "):
        read(tmp_path, name, text)


@pytest.mark.parametrize(
    ("name", "text"), [("a.txt", ""), ("a.txt", "# nothing\n"), ("a.txt", b"\xff\xfe\x00"), ("a.x", "1")]
)
def test_a_file_without_openings_is_refused(tmp_path, name, text):
    with pytest.raises(InputError, match=name):
        read(tmp_path, name, text)


@given(st.text(max_size=80))
def test_no_text_crashes_the_reader_of_games(text):
    for line, _, moves in read_movetext(text):
        assert 1 <= line <= text.count("\n") + 1
        assert moves is None or all(moves)


@given(st.binary(max_size=60), st.sampled_from([".txt", ".jsonl", ".epd", ".pgn"]))
def test_any_bytes_are_openings_or_one_error(tmp_path_factory, content, suffix):
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    path.write_bytes(content)
    with contextlib.suppress(InputError):
        assert read_file(path, CONNECT4)


def test_random_games_written_as_lines_are_read_again():
    dice = random.Random(7)
    for name in ("checkers", "othello", "race", "nim"):
        game = load(name)
        state, moves = game.initial(), []
        for _ in range(5):
            action = dice.choice(list(game.actions(state)))
            moves.append(game.show_action(state, action))
            state = game.result(state, action)
        reached, _ = read_line(str(Opening(None, tuple(moves)))).reach(game)
        assert game.key(reached) == game.key(state)


def test_the_ballots_of_checkers_are_different_positions_of_three_moves():
    checkers = load("checkers")
    played, known = (read_openings(name, checkers, 1).openings for name in ("ballots", "all-ballots"))
    assert (len(played), len(known)) == (156, 174)
    assert {len(opening.moves) for opening in known} == {3}
    assert len({opening.reach(checkers)[0] for opening in known}) == 174
    assert set(played) < set(known)


def test_ballots_are_played_with_the_seats_swapped():
    report = z.match("checkers", ["random", "random:seed=3"], games=4, openings="ballots", longest=12)
    assert [scheduled.opening for scheduled, _ in report.games] == [0, 0, 1, 1]
    assert {scheduled.seats for scheduled, _ in report.games} == {(0, 1), (1, 0)}


def test_a_game_of_ones_own_brings_openings_in_a_folder_beside_it(tmp_path):
    rules = tmp_path / "rows.py"
    shutil.copy(takeaway.__file__, rules)
    folder = tmp_path / "rows.openings"
    folder.mkdir()
    (folder / "both.txt").write_text("1\n2\n")
    game = load(f"{rules}:Takeaway")
    assert [opening.moves for opening in read_openings("both", game, 2).openings] == [("1",), ("2",)]
    assert len(read_openings("both:shuffle", game, 2)) == 2
    with pytest.raises(OptionError, match=r"there is no file some: openings are .* or what Takeaway brings: both"):
        read_openings("some", game, 2)


def test_a_name_that_no_game_brings_is_no_file():
    with pytest.raises(OptionError, match="there is no file ballots: openings are `none`, `random:plies=6` or a file"):
        read_openings("ballots", CONNECT4, 2)
