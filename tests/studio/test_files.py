"""Games that are saved and loaded again, in the format of each game, and files that are none."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Page, Refused
from tests.studio.views import begin, play, sit
from zermelo.errors import InputError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.games import games
from zermelo.play.live import Record
from zermelo.studio.views.files import formats, read_game_text, write_game


def record_of(game: Game, plies: int, seed: int = 0, start: Any = None) -> Record:
    """A game of random moves; it ends with somebody's choice, for a roll that nobody plays is in no file."""
    draw = random.Random(seed)
    state = first = game.initial() if start is None else start
    actions, moves, mover = [], [], CHANCE
    while not game.is_terminal(state) and (len(actions) < plies or mover == CHANCE):
        legal, mover = list(game.actions(state)), game.player(state)
        action = draw.choice(legal)
        actions.append(action)
        moves.append(game.show_action(state, action))
        state = game.result(state, action)
    utilities = game.utilities(state) if game.is_terminal(state) else None
    names = tuple(f"player {p}: one" for p in range(game.players))
    return Record(game.name, names, game.write(first), tuple(actions), tuple(moves), utilities, "")


def check_round_trip(game: Game, record: Record, form: str) -> None:
    content = write_game(game, record, "", form)["content"]
    start, actions = read_game_text(game, content)
    assert game.write(start) == record.start
    state, again = start, start
    for number, (old, new) in enumerate(zip(record.actions, actions, strict=True)):
        state, again = game.result(state, old), game.result(again, new)
        assert game.key(state) == game.key(again), number


@pytest.mark.parametrize("name", games())
def test_every_game_is_read_again_from_its_usual_format(name: str) -> None:
    game = z.load(name)
    for seed in range(3):
        record = record_of(game, 40, seed)
        assert formats(game, record)[0] == game.record_format
        check_round_trip(game, record, game.record_format)


OWN = [
    "backgammon",
    "backgammon:cube=yes",
    "backgammon:match=5,cube=yes",
    "go:size=9",
    "go:size=9,handicap=3",
    "xiangqi",
]


@pytest.mark.parametrize("name", OWN)
def test_formats_of_a_games_own_hold_whole_games(name: str) -> None:
    game = z.load(name)
    for seed in range(4):
        check_round_trip(game, record_of(game, 400, seed), game.record_format)


def test_positions_that_a_format_cannot_hold_are_saved_in_another() -> None:
    backgammon = z.load("backgammon")
    later = backgammon.read("4HPwATDgc/ABMA:MIEFAAAAAAAA")
    record = record_of(backgammon, 10, start=later)
    assert formats(backgammon, record)[0] == "pgn"
    check_round_trip(backgammon, record, "pgn")
    go = z.load("go:size=5")
    stones = go.read("...../..X../.O.../...../..... b - 0 0 0")
    check_round_trip(go, record_of(go, 6, start=stones), "sgf")
    taken = go.read("...../..X../.O.../...../..... b - 0 2 1")
    assert formats(go, record_of(go, 6, start=taken)) == ["pgn", "jsonl"]
    xiangqi = z.load("xiangqi")
    start = xiangqi.read("4k4/9/9/9/9/9/9/9/4R4/3K5 b - - 0 1")
    check_round_trip(xiangqi, record_of(xiangqi, 3, start=start), "pgn")


def test_chinese_chess_is_written_as_its_programs_do() -> None:
    game = z.load("xiangqi")
    start = game.initial()
    first = game.read_action(start, "H2-E2")
    second = game.read_action(game.result(start, first), "H9-G7")
    written = game.write_record(start, [first, second], ['a "b"', "c"], (1.0, -1.0))
    assert '[Game "Chinese Chess"]\n[Red "a \\"b\\""]' in written
    assert '[Format "ICCS"]' in written
    assert "1. H2-E2 H9-G7 1-0" in written


def test_a_match_file_of_backgammon_needs_its_options() -> None:
    record = record_of(z.load("backgammon:match=5,cube=yes"), 30)
    text = write_game(z.load("backgammon:match=5,cube=yes"), record, "", "mat")["content"]
    with pytest.raises(InputError, match="match=5,cube=yes"):
        read_game_text(z.load("backgammon"), text)
    doubled = " 0 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 8/5 6/5\n  2)   \n"
    assert len(read_game_text(z.load("backgammon"), doubled)[1]) == 2


class Notes(type(z.load("nim"))):  # type: ignore[misc]
    """A game of one's own with a format of one's own."""

    record_format = "heap"

    def write_record(self, start: Any, actions: Any, players: Any, utilities: Any) -> str:
        return "heap " + " ".join(map(str, actions))

    def read_record(self, text: str) -> Any:
        head, *words = text.split()
        if head != "heap":
            return None
        if not all(word.isdigit() for word in words):
            raise InputError("actions are numbers")
        return self.initial(), [int(word) for word in words]


def test_a_game_of_ones_own_brings_its_format_with_it() -> None:
    game = Notes()
    record = record_of(game, 3)
    assert formats(game, record) == ["heap", "pgn", "jsonl", "sgf"]
    assert write_game(game, record, "", "heap")["name"] == "notes.heap"
    check_round_trip(game, record, "heap")
    check_round_trip(game, record, "pgn")
    with pytest.raises(InputError, match="actions are numbers"):
        read_game_text(game, "heap x")


# Files that are none.

WRONG = ["chess", "go:size=9", "hex", "othello", "checkers", "backgammon", "xiangqi", "tictactoe"]


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize(
    "text", ["\x89PNG\r\n\x1a\n\x00\x00", "\ufffd\ufffd", "x" * 150_000, "( " * 9000, "{" * 9000, '["', "(;"]
)
def test_what_is_no_game_gives_one_short_error(name: str, text: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        read_game_text(z.load(name), text)
    assert len(str(refused.value)) <= 301
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", WRONG)
def test_the_file_of_another_game_is_refused(name: str) -> None:
    other = z.load("connect4") if name != "connect4" else z.load("hex")
    record = record_of(other, 12)
    for form in formats(other, record):
        with pytest.raises(ZermeloError):
            read_game_text(z.load(name), write_game(other, record, "connect4", form)["content"])


def test_a_file_says_of_which_game_it_is() -> None:
    othello, hexes = z.load("othello"), z.load("hex")
    record = record_of(hexes, 6)
    for form, why in (("sgf", "GM is 11"), ("pgn", "a game of Hex"), ("jsonl", "a game of Hex")):
        with pytest.raises(InputError, match=why):
            read_game_text(othello, write_game(hexes, record, "hex", form)["content"])


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_cut_off_is_read_in_part_or_refused(name: str) -> None:
    game = z.load(name)
    record = record_of(game, 30)
    content = write_game(game, record, "", game.record_format)["content"]
    for end in range(1, len(content), max(1, len(content) // 60)):
        with contextlib.suppress(ZermeloError):
            _start, actions = read_game_text(game, content[:end])
            assert len(actions) <= len(record.actions)


@pytest.mark.parametrize(
    "line",
    [
        '{"zermelo_game": 1}',
        '{"zermelo_game": 1, "game": "Chess", "players": 3, "moves": 7, "movers": 1, "utilities": 2}',
    ],
)
def test_a_line_of_json_that_is_not_whole_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="not a whole game"):
        read_game_text(z.load("chess"), line)


# What a page asks.


def test_a_game_is_saved_and_loaded_again(page: Page) -> None:
    begin(page, "chess", "human", "human", evaluate=False)
    play(page, "e4", "e5", "Nf3")
    saved = page.ask("play.save", format="pgn")
    assert saved["name"] == "chess.pgn"
    assert "1. e4 e5 2. Nf3" in saved["content"]
    page.ask("play.load", game="chess", seats=["human", "human"], text=saved["content"], evaluate=False)
    shown = page.wait("play", lambda data: data["ply"] == 3)
    assert shown["mover"] == "black"
    page.ask("play.load", game="chess", seats=["human", "human"], text=shown["position"], evaluate=False)
    assert page.wait("play", lambda data: data["ply"] == 0)["position"] == shown["position"]
    for text in ("", "e4 e5 Ke3", "8/8/8 w"):
        with pytest.raises(Refused):
            page.ask("play.load", game="chess", seats=["human", "human"], text=text)


FORMATS = [("go:size=5", "sgf"), ("hex", "sgf"), ("checkers", "pdn"), ("connect4", "pgn"), ("othello", "jsonl")]


@pytest.mark.parametrize(("name", "form"), FORMATS)
def test_every_format_that_is_written_is_read_again(page: Page, name: str, form: str) -> None:
    shown = begin(page, name, "human", "human", evaluate=False)
    assert form in shown["formats"]
    for _ in range(4):
        shown = play(page, shown["legal"][len(shown["legal"]) // 2]["notation"])
    saved = page.ask("play.save", format=form)
    page.ask("play.new", game=name, seats=["human", "human"], evaluate=False)
    page.ask("play.load", game=name, seats=["human", "human"], text=saved["content"], evaluate=False)
    again = page.wait("play", lambda data: data["ply"] == 4)
    assert (again["position"], again["moves"]) == (shown["position"], shown["moves"])


def test_a_game_is_saved_in_its_usual_format_and_not_in_a_foreign_one(page: Page) -> None:
    assert begin(page, "go:size=5", "human", "human", evaluate=False)["formats"][0] == "sgf"
    assert begin(page, "checkers", "human", "human", evaluate=False)["formats"][0] == "pdn"
    begin(page, "tictactoe", "human", "human", evaluate=False)
    assert page.ask("play.save")["name"] == "tictactoe.pgn"
    with pytest.raises(Refused, match="pdn is for checkers"):
        page.ask("play.save", format="pdn")


def test_a_record_of_go_must_fit_the_board(page: Page) -> None:
    record = "(;GM[1]SZ[9]HA[2]AB[gc][cg];W[ee];B[cc])"
    page.ask("play.load", game="go:size=9", seats=["human", "human"], text=record, evaluate=False)
    shown = page.wait("play", lambda data: data["ply"] == 2)
    assert [move["player"] for move in shown["moves"]] == [1, 0]
    for text, why in (("(;GM[1]SZ[19];B[dd])", "size=19"), ("(;GM[1]SZ[9];B[ee];B[dd])", "move 2"), ("(;B[", "SGF")):
        with pytest.raises(Refused, match=why):
            page.ask("play.load", game="go:size=9", seats=["human", "human"], text=text, evaluate=False)


def test_backgammon_is_saved_as_a_match_file_and_loaded_again(page: Page) -> None:
    shown = begin(page, "backgammon", "human", "human", evaluate=False)
    for _ in range(3):
        shown = page.wait("play", lambda data: data["yours"])
        shown = play(page, shown["legal"][0]["notation"])
    assert shown["formats"][0] == "mat"
    saved = page.ask("play.save")
    assert saved["name"] == "backgammon.mat"
    page.news.pop("play")
    page.ask("play.load", game="backgammon", seats=["human", "human"], text=saved["content"], evaluate=False)
    again = page.wait("play", lambda data: data["ply"] >= 6)
    assert again["moves"][:6] == shown["moves"][:6]


def test_a_game_of_hidden_cards_is_saved_when_it_is_over(page: Page) -> None:
    begin(page, "kuhn", "human", "human")
    with pytest.raises(Refused, match="when it is over"):
        page.ask("play.save")
    sit(page, 0)
    page.ask("play.resign")
    assert page.ask("play.save", format="pgn")["content"]


def test_a_loaded_game_has_the_clock_that_is_filled_in_and_a_graph_from_its_first_position(page: Page) -> None:
    page.ask("play.load", game="tictactoe", seats=["human", "human"], text="a1 b1 a2 b2", clock="600+5")
    assert page.news["play"]["clock"]["remaining"] == [600.0, 600.0]
    shown = page.wait("play", lambda data: None not in data["values"])
    assert shown["values"] == [0.0, 0.0, 1.0, 1.0, 1.0]
    page.ask("play.load", game="tictactoe", seats=["human", "human"], text="a1 b1", evaluate=False)
    assert page.news["play"]["values"] == []


def test_a_loaded_game_is_over_where_a_position_has_come_back_too_often(page: Page) -> None:
    page.ask("play.load", game="chess", seats=["human", "human"], text="Nf3 Nf6 Ng1 Ng8 " * 2, evaluate=False)
    assert "a position has come back" in page.news["play"]["result"]["message"]
    page.ask("play.load", game="chess", seats=["human", "human"], text="Nf3 Nf6 Ng1 Ng8 " * 2 + "e4", evaluate=False)
    assert page.news["play"]["result"] is None


@pytest.mark.parametrize(("name", "text"), [("chess", "8/8/8/8/8/8/8/8 w - - 0 1"), ("tictactoe", "xxx/ooo/...")])
def test_a_position_that_cannot_be_is_not_taken_for_moves(name: str, text: str) -> None:
    game = z.load(name)
    with pytest.raises(ZermeloError) as of_position:
        game.read(text)
    with pytest.raises(ZermeloError) as of_text:
        read_game_text(game, text)
    assert str(of_text.value) == str(of_position.value)


def test_a_graph_that_was_broken_off_is_filled_later(page: Page) -> None:
    page.ask("play.load", game="tictactoe", seats=["human", "human"], text="a1 b1 a2 b2")
    page.ask("play.undo")
    assert len(page.wait("play", lambda data: None not in data["values"])["values"]) == 4
    page.ask("play.load", game="tictactoe", seats=["human", "human"], text="a1 b1 a2 b2 a3")
    assert page.wait("play", lambda data: None not in data["values"])["values"] == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
