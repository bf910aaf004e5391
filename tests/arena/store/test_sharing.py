"""A store that many read and one writes, at once and under any name."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

from tests.arena.store.stored import SETTINGS, game, refused

from zermelo.arena.plan import Plan
from zermelo.arena.store import APPLICATION, Store
from zermelo.arena.tournament import Tournament


def test_two_writers_of_one_file_in_this_process(written):
    store = Store.open(written, True)
    assert "another tournament" in refused(lambda: Store.open(written, True))
    store.add([game(2)])
    store.close()
    store = Store.open(written, True)
    assert len(list(store.games())) == 3
    store.close()


OTHER = """
import sys
from zermelo.arena.store import Store
from zermelo.errors import InputError
try:
    store = Store.open(sys.argv[1], sys.argv[2] == "write")
except InputError as error:
    print(error)
else:
    print(len(list(store.games())))
"""


def ask_another(path, what):
    done = subprocess.run([sys.executable, "-c", OTHER, path, what], capture_output=True, text=True, check=True)
    return done.stdout.strip()


SWITCH = """
import sqlite3, sys
try:
    print(sqlite3.connect(sys.argv[1], timeout=0).execute("PRAGMA journal_mode = DELETE").fetchone()[0])
except sqlite3.OperationalError as error:
    print(error)
"""


def test_a_second_writer_that_is_refused_does_not_open_the_file_to_others(written):
    """Closing any descriptor of a file drops the locks that SQLite has on it in this process."""
    store = Store.open(written, True)
    assert list(store.games())
    refused(lambda: Store.open(written, True))
    refused(lambda: Store.create(written, SETTINGS, []))
    done = subprocess.run([sys.executable, "-c", SWITCH, written], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "database is locked"
    store.add([game(2)])
    store.close()


def test_another_process_may_read_but_not_write(written):
    store = Store.open(written, True)
    store.add([game(2)])
    assert "another tournament" in ask_another(written, "write")
    assert ask_another(written, "read") == "3"
    store.add([game(3)])
    store.close()
    assert ask_another(written, "write") == "4"


def test_a_game_is_stored_once(written):
    store = Store.open(written, True)
    assert "UNIQUE" in refused(lambda: store.add([game(2), game(1)]))
    assert [fixture.number for fixture, _ in store.games()] == [0, 1]
    store.close()


def test_readers_see_whole_games_while_a_writer_writes(written):
    store = Store.open(written, True)
    seen, done = [], threading.Event()

    def read():
        while not done.is_set():
            reader = Store.open(written)
            seen.append([fixture.number for fixture, _ in reader.games()])
            reader.close()

    thread = threading.Thread(target=read)
    thread.start()
    for number in range(2, 60, 2):
        store.add([game(number), game(number + 1)])
    done.set()
    thread.join()
    store.close()
    assert all(numbers == list(range(len(numbers))) and len(numbers) % 2 == 0 for numbers in seen)


def test_a_reader_that_stays_does_not_stop_the_writer(written):
    reader, store = Store.open(written), Store.open(written, True)
    rows = reader.games()
    next(rows)
    store.add([game(2)])
    assert [fixture.number for fixture, _ in rows] == [1]
    assert len(list(reader.games())) == 3
    reader.close()
    store.close()


def test_files_with_strange_names(tmp_path):
    for name in ("100% sure?.db", "a#b&c=d.db", "ναι 🏆.db", "file:x.db"):
        store = Store.create(tmp_path / name, SETTINGS, [])
        store.close()
        assert (tmp_path / name).is_file()
        Store.open(tmp_path / name).close()


def test_a_file_is_marked_as_ours(written):
    connection = sqlite3.connect(written)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    (text,) = connection.execute("SELECT settings FROM tournament").fetchone()
    connection.close()
    assert json.loads(text) == SETTINGS


def test_a_tournament_whose_player_has_gone_is_not_gone_on_with_and_can_still_be_read(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text("class Bot:\n    def choose(self, game, state, history): return next(iter(game.actions(state)))\n")
    plan = Plan("tictactoe", (f"python:{bot}:Bot", "random"))
    Tournament.begin(plan, tmp_path / "cup.db").store.close()
    bot.unlink()
    assert "there is no file" in refused(lambda: Tournament.resume(tmp_path / "cup.db", trust=True))
    with Tournament.resume(tmp_path / "cup.db", writes=False) as tournament:
        assert tournament.plan == plan
    assert Path(tmp_path / "cup.db").is_file()
