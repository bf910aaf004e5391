"""Files of tables: found beside the rules, and refused if they are damaged or another game's."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from tests.tables import takeaway
from tests.tables.takeaway import Takeaway
from zermelo import Searcher
from zermelo.errors import InputError
from zermelo.games import load
from zermelo.tables import build_tables, read_tables, tables_of, with_tables
from zermelo.tables.slice_file import pack_slice, read_facts, read_slice, write_slice


@pytest.fixture
def built(tmp_path):
    build_tables(Takeaway(), 3, tmp_path / "rows")
    return tmp_path / "rows"


def test_tables_that_are_read_say_what_those_that_were_built_said(built):
    again = read_tables(built, Takeaway())
    assert {facts.name for facts in again.slices.values()} == {"from-0", "from-8", "from-16"}
    for matches in range(1, 24):
        assert again.value(Takeaway.State(matches, 1)) == (-1.0 if matches % 4 == 0 else 1.0)


def test_a_position_that_is_not_there_is_refused(built):
    tables = read_tables(built, Takeaway())
    assert tables.probe(Takeaway.State(24, 0)) is None
    with pytest.raises(InputError, match="is not in the 3 slices of"):
        tables.value(Takeaway.State(24, 0))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda data: data[:-1], "is damaged"),
        (lambda data: data[:20], "is damaged"),
        (lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:], "is damaged"),
        (lambda data: data.replace(b'"won": 6', b'"won": 7'), "is damaged"),
        (lambda data: data.replace(b'"won": 6', b'"won": "six"'), "is damaged"),
        (lambda data: data.replace(b'"name": "from-8"', b'"name": "../rows"'), "give the file its own name again"),
        (lambda data: b"zermelo tables 9" + data[16:], "is no slice of endgame tables of this version"),
        (lambda data: b"", "is no slice of endgame tables of this version"),
    ],
    ids=["truncated", "header only", "a bit", "the header", "a number", "a name", "another version", "empty"],
)
def test_a_damaged_file_is_refused(built, damage, says):
    path = built / "from-8.table"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=says):
        read_tables(built, Takeaway()).value(Takeaway.State(3, 0))


def test_tables_of_another_game_or_other_options_are_refused(built):
    with pytest.raises(InputError, match="another game's: its game was Takeaway, not Halves"):
        read_tables(built, takeaway.Halves())
    with pytest.raises(InputError, match="another game's: its options were"):
        read_tables(built, Takeaway(31))
    with pytest.raises(InputError, match="another game's"):
        with_tables(takeaway.Halves(), read_tables(built, Takeaway()))


def test_tables_of_rules_that_have_changed_are_refused(built):
    class Two(Takeaway):
        """The same, but who takes three may not."""

        def actions(self, s):
            for taken in range(1, min(2, s.matches) + 1):
                yield taken

    Two.__name__ = "Takeaway"
    tables = read_tables(built, Two())
    with pytest.raises(InputError, match="does not agree with the rules of Takeaway, which have changed"):
        tables.value(Two.State(3, 0))


def test_a_file_of_half_a_slice_says_nothing_of_what_does_not_follow_from_it(built):
    path = built / "from-0.table"
    facts = read_facts(path)
    held, data = pack_slice(facts, read_slice(path, facts)[0], (True, False))
    assert (held.first, held.held) == (4, 4)
    write_slice(path, held, data)
    tables = read_tables(built, Takeaway())
    assert tables.value(Takeaway.State(5, 0)) == 1.0
    assert tables.probe(Takeaway.State(2, 0)) is None


def test_a_file_with_more_codes_than_numbers_is_refused(built):
    path = built / "from-0.table"
    facts = read_facts(path)
    _, data = pack_slice(facts, read_slice(path, facts)[0], (False, False))
    write_slice(path, replace(facts, first=1), data)
    with pytest.raises(InputError, match=r"from-0\.table cannot be used: a slice has more codes than numbers"):
        read_tables(built, Takeaway()).value(Takeaway.State(3, 0))


def test_a_slice_serves_without_those_that_it_leads_to(built):
    (built / "from-0.table").unlink()
    tables = read_tables(built, Takeaway())
    assert tables.value(Takeaway.State(9, 0)) == 1.0
    assert tables.probe(Takeaway.State(7, 0)) is None


def test_tables_beside_the_rules_are_found_and_can_be_left_out(built, tmp_path):
    rules = tmp_path / "rows.py"
    shutil.copy(takeaway.__file__, rules)
    text = f"{rules}:Takeaway"
    shutil.move(built, tmp_path / "elsewhere")
    assert tables_of(load(text)) is None
    shutil.move(tmp_path / "elsewhere", tmp_path / "rows.tables")
    assert tables_of(load(text)) is not None
    assert tables_of(load(f"{text}:tables=no")) is None
    assert tables_of(load(f"{text}:matches=31")) is None
    assert tables_of(load(f"{text}:tables={tmp_path / 'rows.tables'}")) is not None
    with pytest.raises(InputError, match="another game's"):
        load(f"{text}:matches=31,tables={tmp_path / 'rows.tables'}")


def test_a_game_with_tables_is_the_same_game(built):
    game = Takeaway()
    tabled = with_tables(game, read_tables(built, game))
    assert (tabled.name, tabled.initial()) == (game.name, game.initial())
    again = pickle.loads(pickle.dumps(tabled))
    found = Searcher(again).search(Takeaway.State(23, 0))
    assert (found.value, found.exact, found.action, found.depth) == (1.0, True, 3, 1)
    assert found.probed > 0


def test_a_network_and_tables_go_together():
    game = load("checkers")
    tables = tables_of(game)
    assert tables is not None
    s = game.read("B:WK32:BK1,K5")
    found = Searcher(game).search(s)
    assert (found.value, found.exact, len(found.line)) == (1.0, True, 31)
    assert tables_of(with_tables(game, tables)) is tables


def test_a_process_that_is_killed_leaves_what_it_has_finished(tmp_path):
    command = [sys.executable, "-m", "zermelo", "tables", "checkers", "--pieces", "3", "--threads", "1", "--out"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    subprocess.run([*command, str(whole)], check=True, capture_output=True)
    files = sorted(path.name for path in whole.iterdir())
    for left in (1, 4):
        with subprocess.Popen([*command, str(killed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and len(list(killed.glob("*.table"))) < left:
                time.sleep(0.001)
            process.kill()
    finished = list(killed.glob("*.table"))
    assert all(path.read_bytes() == (whole / path.name).read_bytes() for path in finished)
    subprocess.run([*command, str(killed)], check=True, capture_output=True)
    assert sorted(path.name for path in killed.iterdir()) == files
    assert all((killed / name).read_bytes() == (whole / name).read_bytes() for name in files)
