"""What a UCI server tells while it searches: the effort, the move it is at, better lines, chances."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.protocols.peer import Peer, infos

from zermelo.engine import engine as engine_module
from zermelo.games import load
from zermelo.protocols import uci as uci_module
from zermelo.protocols.score import read_info


@pytest.fixture
def peer() -> Iterator[Peer]:
    made = Peer(load("chess"))
    yield made
    made.server.session.stop()


@pytest.fixture
def talkative(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search tells where it is from its beginning on."""
    monkeypatch.setattr(engine_module, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(uci_module, "EFFORT_SECONDS", 0.0)


@pytest.mark.usefixtures("talkative")
def test_a_long_search_tells_the_move_it_is_at_and_its_effort(peer: Peer):
    said = peer.tell("position startpos", "go nodes 400000")
    moves = [re.fullmatch(r"info depth (\d+) currmove ([a-h1-8]{4}) currmovenumber (\d+)", line) for line in said]
    numbers = [int(found[3]) for found in moves if found]
    assert numbers
    assert all(1 <= number <= 20 for number in numbers)
    efforts = [line for line in said if line.startswith("info depth") and "pv" not in line and "currmove" not in line]
    assert efforts
    assert all(re.search(r" seldepth \d+ nodes \d+ nps \d+ hashfull \d+ time \d+$", line) for line in efforts)
    assert said[-1].startswith("bestmove")
    told = [read_info(line).depth for line in said if line.startswith("info depth")][:-1]  # the last may be told again
    assert told == sorted(told)  # type: ignore[type-var]


@pytest.mark.usefixtures("talkative")
def test_a_better_line_is_told_in_the_middle_of_a_depth_as_a_bound(peer: Peer):
    said = infos(peer.tell("position startpos", "go nodes 600000"))
    bounds = [line for line in said if re.search(r" score cp -?\d+ (lower|upper)bound ", line)]
    assert bounds
    exact = [read_info(line).depth for line in said[:-1] if not read_info(line).bound]
    assert exact == sorted(set(exact))  # type: ignore[type-var]


def test_a_short_search_tells_its_depths_and_nothing_else(peer: Peer):
    said = peer.tell("position startpos", "go depth 4")
    assert len(said) == 5
    assert not any("currmove" in line for line in said)


def test_the_depth_is_never_deeper_than_the_selective_depth(peer: Peer):
    for line in infos(peer.tell("position startpos", "go depth 8")):
        told = read_info(line)
        assert told.seldepth is not None
        assert told.depth is not None
        assert told.seldepth >= told.depth


@pytest.mark.parametrize("nodes", [1, 40, 300, 700, 2500, 9000])
def test_the_last_line_names_the_move_that_is_played(peer: Peer, nodes: int):
    said = peer.tell("position startpos", f"go nodes {nodes}")
    last = infos(said)
    if last:
        assert last[-1].split(" pv ")[1].split()[0] == said[-1].split()[1]


def test_simulations_tell_their_last_line_too():
    peer = Peer(load("go:size=5"))
    said = peer.tell("go nodes 20000")
    assert " score cp " in said[-2]
    assert said[-2].split(" pv ")[1].split()[0] == said[-1].split()[1]


def test_chances_come_with_the_score_where_they_are_asked_for(peer: Peer):
    assert not any("wdl" in line for line in peer.tell("position startpos", "go depth 5"))
    peer.tell("setoption name UCI_ShowWDL value true")
    for line in infos(peer.tell("go depth 5")):
        found = re.search(r" score cp -?\d+ wdl (\d+) (\d+) (\d+) ", line)
        assert found
        assert sum(map(int, found.groups())) == 1000
    mate = infos(peer.tell("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 3"))[-1]
    assert " score mate 1 wdl 1000 0 0 " in mate


def test_where_more_than_a_win_can_be_had_no_chances_are_offered():
    assert not any("WDL" in line for line in Peer(load("backgammon")).tell("uci"))


def test_a_win_that_is_found_is_told_in_moves_whether_the_line_shows_it_or_not():
    peer = Peer(load("chess:network=no"))
    said = peer.tell("position fen r2r2k1/pb3ppp/1p1bp3/7q/3n2nP/PP1B2P1/1B1N1P2/RQ2NRK1 b - -", "go nodes 200000")
    assert not any(" score cp 10000 " in line for line in said)
    assert any(" score mate " in line for line in infos(said))
