"""Which format suits which game, what a record becomes, and that exported games can be read again."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.export.exported import export_games, played

from zermelo.arena import Player, play
from zermelo.arena.export import OwnFormat, export, find_writer, from_record, writers
from zermelo.arena.export.jsonl import read_game
from zermelo.arena.openings import Opening, read_file
from zermelo.arena.openings.make import walk
from zermelo.errors import InputError, OptionError
from zermelo.games import games, load
from zermelo.games.backgammon.board import Phase, read_position
from zermelo.games.backgammon.mat import read_match, write_match


def test_the_formats_are_those_of_the_folder():
    assert list(writers()) == ["jsonl", "pdn", "pgn", "sgf"]
    assert find_writer(".PGN").name == "pgn"
    with pytest.raises(OptionError, match="there are jsonl, pdn, pgn, sgf"):
        find_writer("csv")


@pytest.mark.parametrize(
    ("name", "suited"),
    [
        ("checkers", ["jsonl", "pdn", "pgn", "sgf"]),
        ("connect4", ["jsonl", "pgn", "sgf"]),
        ("pig", ["jsonl", "pgn"]),
        ("blind-tictactoe", ["jsonl", "pgn"]),
        ("kingmaker", ["jsonl", "pgn"]),
    ],
)
def test_a_format_says_which_games_it_suits_and_refuses_the_others(name, suited):
    _, _, game = played(name)
    assert [writer.name for writer in writers().values() if writer.suits(game)] == suited
    for refused in {*writers()} - {*suited}:
        with pytest.raises(OptionError, match=f"{refused} is for .*: write {', '.join(suited)}"):
            list(export(refused, [game]))


def test_a_format_that_a_game_brings_along_is_written_too():
    rules, record, game = played("backgammon")
    assert list(writers(rules)) == ["jsonl", "pdn", "pgn", "sgf", "mat"]
    (text,) = export("mat", [game], rules)
    start, actions = rules.read_record(text)
    assert start == rules.initial()
    assert actions == list(record.actions)
    late = replace(game, start=rules.write(rules.result(rules.initial(), record.actions[0])), moves=game.moves[1:])
    with pytest.raises(OptionError, match=r"mat is for games of Backgammon .*: write jsonl, pgn"):
        list(export("mat", [late], rules))
    with pytest.raises(OptionError, match=r"there are jsonl, pdn, pgn, sgf$"):
        find_writer("mat", load("chess"))


def with_seats(rules, seed, players):
    """A game of random play, as `players` played it."""
    record = play(rules, [Player(f"random:seed={seed + p}") for p in range(2)], seed=seed)
    return record, replace(from_record(rules, record), players=players)


def by_name(rules, players, actions):
    """What everybody said in a game, whoever sat where: names, dice and plays."""
    said, state = [], rules.initial()
    for action in actions:
        at = read_position(state.data)
        if at.phase == Phase.PLAY:
            said.append((players[at.turn], *sorted(at.dice), rules.notation(state, action)))
        elif rules.player(state) >= 0:
            said.append((players[rules.player(state)], action))
        state = rules.result(state, action)
    return said


@pytest.mark.parametrize("options", ["", ":cube=yes"])
def test_games_for_money_between_two_players_are_one_session(options):
    rules = load(f"backgammon{options}")
    seats = [("Ann", "Bob"), ("Bob", "Ann"), ("Bob", "Ann"), ("Ann", "Bob")]
    made = [with_seats(rules, 10 * seed, players) for seed, players in enumerate(seats)]
    text = "".join(export("mat", [game for _, game in made], rules))
    session = read_match(text)
    assert (session.length, session.players) == (0, ("Ann", "Bob"))
    score = {"Ann": 0, "Bob": 0}
    for (record, game), read in zip(made, session.games, strict=True):
        assert read.score == (score["Ann"], score["Bob"])
        winner = game.players[0 if record.utilities[0] > 0 else 1]
        assert (session.players[read.winner], read.points) == (winner, max(record.utilities))
        score[winner] += read.points
        with_cube = load("backgammon:cube=yes")
        told = [each for each in by_name(with_cube, session.players, read.actions) if len(each) > 2 or options]
        assert told == by_name(rules, game.players, record.actions)
    assert write_match(session) == text


def test_a_session_ends_where_others_sit_down():
    rules = load("backgammon")
    games = [with_seats(rules, 1, players)[1] for players in [("A", "B"), ("B", "A"), ("A", "C"), ("A", "B")]]
    text = "".join(export("mat", games, rules))
    assert text.count("0 point match") == 3
    parts = text.split(" 0 point match\n\n")[1:]
    assert [part.count(" Game ") for part in parts] == [2, 1, 1]


def test_matches_stay_files_of_their_own():
    rules = load("backgammon:match=1")
    game = with_seats(rules, 1, ("A", "B"))[1]
    assert list(export("mat", [game, game], rules)) == 2 * [rules.write_record(*OwnFormat(rules).played(game))]


@pytest.mark.parametrize("name", list(games()))
def test_a_record_of_every_game_comes_out_with_movers_and_in_all_formats_that_suit(name):
    rules, record, game = played(name)
    assert game.start is None
    assert game.moves == record.moves
    state = rules.initial()
    for move, mover in zip(game.moves, game.movers, strict=True):
        assert rules.player(state) == mover
        state = rules.result(state, rules.read_action(state, move))
    for writer in writers().values():
        if writer.suits(game):
            assert "".join(export(writer.name, [game, game])) == 2 * writer.write(game)


def test_the_opening_comes_first_and_nobody_thought_about_it():
    opening = Opening(None, ("4", "4", "1"))
    _, record, game = played("connect4", opening=opening)
    assert game.moves == ("4", "4", "1", *record.moves)
    assert (game.start, game.book, game.size) == (None, 3, (7, 6))
    timed = from_record(load("connect4"), record, opening, seconds=[0.5] * len(record.moves))
    assert timed.seconds == (None,) * 3 + (0.5,) * len(record.moves)


def test_a_start_without_its_opening_is_kept_as_a_position():
    rules = load("checkers")
    record = play(rules, [Player("random:seed=1")] * 2, rules.read("W:WK32,22:B1,2"))
    assert from_record(rules, record).start == "W:W22,K32:B1,2"


@given(st.integers(1, 4).flatmap(lambda players: export_games(players, chance=True)))
def test_json_lines_lose_nothing(game):
    text = writers()["jsonl"].write(game)
    assert text.count("\n") == 1
    assert text.isascii()
    assert read_game(text) == game


def test_numbers_without_end_are_strict_json_and_come_back():
    game = replace(played("tictactoe")[2], utilities=(float("inf"), float("-inf")))
    line = writers()["jsonl"].write(game)
    json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert read_game(line) == game


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"zermelo_game": 2}', '{"zermelo_game": 1, "game": "x"}'])
def test_a_line_that_is_no_game_is_refused(text):
    with pytest.raises(InputError, match="this line is not"):
        read_game(text)


def test_a_record_of_json_is_plain():
    _, _, game = played("connect4")
    record = json.loads(writers()["jsonl"].write(game))
    assert record["zermelo_game"] == 1
    assert record["moves"] == list(game.moves)


@pytest.mark.parametrize("name", ["checkers", "othello", "race", "kalah", "nim", "hex"])
@pytest.mark.parametrize("suffix", ["pgn", "jsonl"])
def test_exported_games_can_be_played_again_as_openings(tmp_path, name, suffix):
    rules = load(name)
    opening = walk(rules, random.Random(4), 3).opening
    exported = [played(name, seed, opening)[2] for seed in (1, 2)]
    path = tmp_path / f"games.{suffix}"
    path.write_text("".join(export(suffix, exported)))
    shorter = [len(game.moves) - 1 for game in exported]
    assert read_file(path, rules, min(shorter)) == [Opening(None, game.moves[: min(shorter)]) for game in exported]
