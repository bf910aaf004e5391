"""A store keeps every game whole, gives it back as it was, and refuses files that are not its own."""

from __future__ import annotations

import os
import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arena.store.stored import SETTINGS, game, refused

from zermelo.arena import store as module
from zermelo.arena.openings import Opening
from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.arena.store import Store
from zermelo.arena.tournament import Tournament
from zermelo.play import Record


def test_what_is_stored_is_there_again(written):
    store = Store.open(written)
    assert store.settings == SETTINGS
    assert store.openings() == [Opening(), Opening("start", ("a1", "ü"))]
    assert list(store.games()) == [game(0), game(1)]
    store.close()


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.floats(allow_nan=False)
actions = st.recursive(
    st.integers() | st.booleans() | texts | numbers, lambda parts: st.lists(parts, max_size=3).map(tuple), max_leaves=5
)


@settings(deadline=None)
@given(st.data())
def test_every_field_of_a_game_comes_back_as_it_was(data):
    draw = data.draw
    seats = draw(st.integers(2, 4))

    def parallel(values):
        return draw(st.lists(st.none() | values, max_size=5).map(tuple))

    record = Record(
        game=draw(texts),
        players=tuple(draw(texts) for _ in range(seats)),
        start=draw(texts),
        actions=draw(st.lists(actions, max_size=5).map(tuple)),
        moves=draw(st.lists(texts, max_size=5).map(tuple)),
        utilities=draw(st.none() | st.tuples(*[numbers] * seats)),
        reason=draw(texts),
        culprit=draw(st.none() | st.integers(0, seats - 1)),
        detail=draw(texts),
        seconds=parallel(numbers),
        values=parallel(numbers),
        depths=parallel(st.integers(0, 99)),
        nodes=parallel(st.integers(0, 1 << 70)),
    )
    points = tuple(draw(st.sampled_from([0.0, 0.5, 1.0])) for _ in range(seats))
    small = st.integers(0, 1 << 40)
    fixture = ScheduledGame(*(draw(small) for _ in range(4)), tuple(range(seats)), draw(small), draw(small))
    outcome = GameOutcome(
        fixture.number, record, points, draw(texts), draw(st.floats(0, 1e9)), {draw(texts): draw(texts)}
    )
    store = Store.create(None, SETTINGS, [])
    store.add([(fixture, outcome)])
    assert list(store.games()) == [(fixture, outcome)]
    store.close()


def test_half_a_character_costs_nobody_a_game():
    store = Store.create(None, SETTINGS, [])
    store.add([game(0, detail="half \ud800", players=("\udfff", "b"))])
    ((_, outcome),) = store.games()
    assert outcome.record.detail == "half ?"
    assert outcome.record.players == ("\udfff", "b")
    store.close()


def test_an_action_that_json_does_not_know_is_kept_as_text():
    store = Store.create(None, SETTINGS, [])
    store.add([game(0, actions=(frozenset([1]), None))])
    ((_, outcome),) = store.games()
    assert outcome.record.actions == ("frozenset({1})", None)
    store.close()


# What is refused.


def test_a_file_that_exists_is_not_written_over(written):
    before = written.read_bytes()
    assert "--resume" in refused(lambda: Store.create(written, SETTINGS, []))
    assert written.read_bytes() == before


def test_a_file_that_is_not_there(path):
    assert "there is no file" in refused(lambda: Store.open(path))
    assert not path.exists()


@pytest.mark.parametrize("writes", [True, False])
def test_a_text_file(path, writes):
    path.write_text("not a database, " * 100)
    assert "cannot be read as a tournament" in refused(lambda: Store.open(path, writes))
    assert path.read_text() == "not a database, " * 100


@pytest.mark.parametrize("writes", [True, False])
def test_a_database_of_somebody_else_is_left_as_it_is(path, writes):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE game (number)")
    connection.close()
    before = path.read_bytes()
    assert "does not hold a tournament" in refused(lambda: Store.open(path, writes))
    assert path.read_bytes() == before


def test_an_empty_file(path):
    path.touch()
    assert "is empty" in refused(lambda: Store.open(path, True))


def test_a_file_of_a_newer_version(written):
    with sqlite3.connect(written) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "format 99" in refused(lambda: Store.open(written, True))


@pytest.mark.parametrize("size", [1, 100, 4096, 6000, 10_000, 20_000])
def test_a_truncated_file(tmp_path, size):
    path = tmp_path / "cup.db"
    store = Store.create(path, SETTINGS, [Opening()])
    store.add([game(number, detail="x" * 500) for number in range(100)])
    store.close()
    whole = path.read_bytes()
    assert len(whole) > 40_000
    path.write_bytes(whole[:size])

    def read():
        store = Store.open(path)
        try:
            return store.settings, store.openings(), list(store.games())
        finally:
            store.close()

    refused(read)


@pytest.mark.parametrize("settings", ["[]", "{", "null", "3", '{"game": "tictactoe"}', '{"entrants": 3, "sprt": null}'])
def test_settings_that_are_none(written, settings):
    with sqlite3.connect(written) as connection:
        connection.execute("UPDATE tournament SET settings = ?", [settings])
    connection.close()
    refused(lambda: Tournament.resume(written))
    refused(lambda: Tournament.resume(written))  # nobody has kept the lock


def test_games_that_are_none(written):
    with sqlite3.connect(written) as connection:
        connection.execute("UPDATE game SET points = '[1, '")
    connection.close()
    store = Store.open(written)
    assert "cannot be read" in refused(lambda: list(store.games()))
    store.close()


def test_a_folder_that_is_not_there(tmp_path):
    assert "cannot be" in refused(lambda: Store.create(tmp_path / "no" / "cup.db", SETTINGS, []))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_can_be_read_and_not_written(written):
    written.parent.chmod(0o500)
    try:
        store = Store.open(written)
        assert len(list(store.games())) == 2
        store.close()
        refused(lambda: Store.open(written, True))
        refused(lambda: Store.create(written.with_name("new.db"), SETTINGS, []))
        written.parent.chmod(0o000)
        refused(lambda: Store.open(written))
        refused(lambda: Store.create(written, SETTINGS, []))
    finally:
        written.parent.chmod(0o700)


def test_a_file_in_a_folder_that_nobody_may_write_to_is_read_as_it_is(written, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    store = Store.open(written)
    assert len(list(store.games())) == 2
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.connection.execute("DELETE FROM game")
    store.close()
    assert not written.with_name("cup.db-wal").exists()
    assert "cannot be written" in refused(lambda: Store.open(written, True))


# A full disk.


def fill(store):
    """From here on the file may not grow."""
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_loses_nothing_that_was_stored(path):
    store = Store.create(path, SETTINGS, [])
    store.add([game(0)])
    fill(store)
    message = refused(lambda: store.add([game(1, detail="x" * 100_000), game(2)]))
    assert "full" in message
    assert "--resume" in message
    assert list(store.games()) == [game(0)]
    store.connection.execute("PRAGMA max_page_count = 100000")
    store.add([game(1), game(2)])
    store.close()
    store = Store.open(path)
    assert len(list(store.games())) == 3
    store.close()


class Failing:
    """A connection on which one statement fails, as on a disk that is full."""

    def __init__(self, connection, statement):
        self.connection = connection
        self.statement = statement

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def execute(self, statement, *rest):
        if statement == self.statement:
            raise sqlite3.OperationalError("database or disk is full")
        return self.connection.execute(statement, *rest)


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "COMMIT"])
def test_a_commit_that_fails_is_as_if_nothing_had_been_written(statement):
    store = Store.create(None, SETTINGS, [])
    whole = store.connection
    store.connection = Failing(whole, statement)
    assert "disk is full" in refused(lambda: store.add([game(0)]))
    store.connection = whole
    assert list(store.games()) == []
    store.add([game(0)])
    assert list(store.games()) == [game(0)]
    store.close()


def test_a_disk_that_is_full_from_the_beginning(path, monkeypatch):
    connect = sqlite3.connect
    monkeypatch.setattr(module.sqlite3, "connect", lambda *a, **k: Failing(connect(*a, **k), "COMMIT"))
    assert "disk is full" in refused(lambda: Store.create(path, SETTINGS, []))
    monkeypatch.undo()
    assert "is empty" in refused(lambda: Store.open(path))
