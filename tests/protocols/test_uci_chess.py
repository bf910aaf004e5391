"""Chess over UCI: other programs play whole games with it, in chess and Chess960, and get their mates."""

from __future__ import annotations

import random
import re
import sys

import pytest
from tests.protocols.peer import Peer, infos

from zermelo.arena.calibrate.weakened import find_weakened
from zermelo.games import load

chess = pytest.importorskip("chess", reason="python-chess is not installed")
engine = pytest.importorskip("chess.engine", reason="python-chess is not installed")

MATES = [
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, "d1d8"),
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2, "g3g6"),
    ("8/6pp/3q1p2/3n1k2/1P6/3NQ2P/5PP1/6K1 w - - 0 1", 3, "g2g4"),
    ("r3r2k/2R3pp/pp1q1p2/8/3P3R/7P/PP3PP1/3Q2K1 w - - 0 1", 4, "h4h7"),
]
"""Positions, the moves to the quickest mate, and its first one."""


@pytest.fixture
def peer():
    made = Peer(load("chess"))
    yield made
    made.server.session.stop()


@pytest.fixture(scope="module")
def program():
    with engine.SimpleEngine.popen_uci([sys.executable, "-m", "zermelo", "engine", "chess"], timeout=60) as running:
        running.configure({"Hash": 4})
        yield running


def test_a_whole_game_with_another_program_has_no_illegal_move(program):
    board, dice = chess.Board(), random.Random(3)
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        if board.turn == chess.WHITE:
            played = program.play(board, engine.Limit(nodes=400))
            assert played.move in board.legal_moves
            board.push(played.move)
        else:
            board.push(dice.choice(list(board.legal_moves)))
    assert board.outcome(claim_draw=True).winner == chess.WHITE


def test_moves_on_a_clock_with_pondering(program):
    board = chess.Board()
    clock = engine.Limit(white_clock=0.5, black_clock=0.5, white_inc=0.01, black_inc=0.01)
    for _ in range(8):
        played = program.play(board, clock, ponder=True)
        board.push(played.move)
    assert board.is_valid()


def test_analysis_has_as_many_lines_as_were_asked_for(program):
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    found = program.analyse(board, engine.Limit(depth=4), multipv=3)
    assert [each["multipv"] for each in found] == [1, 2, 3]
    assert len({each["pv"][0] for each in found}) == 3
    scores = [each["score"].relative for each in found]
    assert scores == sorted(scores, reverse=True)


def test_another_program_reads_the_chances_the_mate_and_the_effort(program):
    program.configure({"UCI_ShowWDL": True})
    board = chess.Board("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    found = program.analyse(board, engine.Limit(depth=6))
    chances = found["wdl"].relative
    assert chances.wins + chances.draws + chances.losses == 1000
    assert chances.wins > chances.losses
    assert {"nodes", "nps", "hashfull", "time", "seldepth", "depth", "pv"} <= set(found)
    mate = program.analyse(chess.Board(MATES[1][0]), engine.Limit(depth=8))
    assert mate["score"].relative == engine.Mate(2)
    program.configure({"UCI_ShowWDL": False})


def test_elo_is_offered_where_it_was_measured_and_refused_beyond():
    rules = load("chess")
    limited = Peer(rules, find_weakened(rules))
    (offered,) = [line for line in limited.tell("uci") if " UCI_Elo " in line]
    least, most = (int(number) for number in re.findall(r" (?:min|max) (\d+)", offered))
    assert 1000 < least < most < 3000
    for elo in (least - 1, most + 1):
        assert "UCI_Elo must be" in limited.tell(f"setoption name UCI_Elo value {elo}")[0]
    limited.tell("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {(least + most) // 2}")
    assert limited.best("position startpos", "go wtime 1000 btime 1000") in {m.uci() for m in chess.Board().legal_moves}
    connect4 = load("connect4")
    assert not any("Elo" in line for line in Peer(connect4, find_weakened(connect4)).tell("uci"))


def test_a_level_below_full_strength_is_played_and_not_analysed(program):
    program.configure({"Skill Level": 1})
    board = chess.Board(MATES[0][0])
    assert program.play(board, engine.Limit(time=0.1)).move in board.legal_moves
    assert program.analyse(board, engine.Limit(depth=3), root_moves=[chess.Move.from_uci("d1d8")])["score"].is_mate()
    program.configure({"Skill Level": 13})


@pytest.mark.parametrize("number", [0, 518, 959])
def test_a_game_of_chess960_castles_as_the_king_that_takes_its_rook(program, number):
    board = chess.Board.from_chess960_pos(number)
    for _ in range(16):
        board.push(program.play(board, engine.Limit(nodes=300)).move)
    assert board.is_valid()


def test_castling_is_written_and_read_in_both_ways(peer):
    place = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert peer.best(place, "go depth 1 searchmoves e1g1") == "e1g1"
    peer.tell("setoption name UCI_Chess960 value true")
    assert peer.best("go depth 1 searchmoves e1h1") == "e1h1"
    assert peer.tell(f"{place} moves e1h1 e8c8") == []
    assert peer.server.game.write(peer.server.session.position.state) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    peer.tell("setoption name UCI_Chess960 value false")
    assert peer.best(place, "go depth 1 searchmoves e1a1") == "e1c1"


@pytest.mark.parametrize(("fen", "moves", "first"), MATES)
def test_a_mate_that_is_asked_for_is_found(peer, fen, moves, first):
    said = peer.tell(f"position fen {fen}", f"go mate {moves}")
    assert f" score mate {moves} " in said[-2]
    assert said[-1].split()[1] == first


@pytest.mark.parametrize(("fen", "moves", "first"), [each for each in MATES if each[1] > 1])
def test_where_there_is_no_mate_so_soon_that_is_said(peer, fen, moves, first):
    said = peer.tell(f"position fen {fen}", f"go mate {moves - 1}")
    assert f"info string there is no win in {moves - 1} moves" in said
    assert said[-1].startswith("bestmove ")


@pytest.mark.parametrize("limit", ["nodes 50", "movetime 1", "depth 1", "nodes 0"])
def test_a_search_for_a_mate_heeds_other_limits(peer, limit):
    fen = MATES[3][0]
    assert peer.best(f"position fen {fen}", f"go mate 3 {limit}") != "(none)"


def test_a_mate_may_be_asked_for_without_end_and_stopped(peer):
    peer.tell("position startpos")
    peer.server.handle("go mate 30 ponder")
    assert peer.best("stop") != "(none)"


def test_the_best_lines_keep_to_the_moves_that_are_named(peer):
    peer.tell("setoption name MultiPV value 5", "position startpos")
    last = infos(peer.tell("go depth 3 searchmoves a2a3 h2h4 g1f3"))[-3:]
    assert {line.split(" pv ")[1].split()[0] for line in last} == {"a2a3", "h2h4", "g1f3"}


def test_registration_is_not_needed_and_not_complained_about(peer):
    assert peer.tell("register later", "register name Stefan code 4711") == []


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "kk6/8/8/8/8/8/8/K7 w - - 0 1",
        "k7/8/8/8/8/8/8/K6R b KQkq e9 -1 99999999999999999999",
        "PPPPPPPP/8/8/8/8/8/8/K1k5 w - - 0 1",
        "x" * 10_000,
        "\ufffd\u2028",
    ],
)
def test_a_bad_position_is_refused_in_one_line(peer, fen):
    before = peer.server.session.position
    said = peer.tell(f"position fen {fen}")
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert peer.server.session.position == before


def test_garbled_lines_are_survived_and_every_go_is_answered(peer):
    """Three thousand lines: of the protocol's words in any order, of absurd numbers, and of bytes."""
    dice = random.Random(11)
    numbers = ["-1", "0", "1", "99999999999999999999", "1e9", "NaN", "0x10", "-9223372036854775808"]
    vocabulary = [
        *("uci", "isready", "ucinewgame", "position", "startpos", "fen", "moves", "stop", "ponderhit", "debug", "d"),
        *("setoption", "name", "value", "Hash", "MultiPV", "Threads", "UCI_Chess960", "Clear", "Ponder", "true", "on"),
        *(
            "wtime",
            "btime",
            "winc",
            "movestogo",
            "searchmoves",
            "mate",
            "e2e4",
            "e7e8q",
            "0000",
            "(none)",
            "O-O",
            "e1g1",
        ),
        *("8/8/8/8/8/8/8/8", "w", "KQkq", "-", "register", "\0", "é", "\ud800".encode(errors="replace").decode()),
        *numbers,
    ]
    gos = 0
    for _ in range(3000):
        words = dice.choices(vocabulary, k=dice.randrange(9))
        if dice.random() < 0.05:
            words = ["go", "nodes", "20", *dice.choices(vocabulary, k=dice.randrange(5))]
        line = bytes(dice.choices(range(256), k=30)) if dice.random() < 0.2 else " ".join(words).encode()
        text = line.decode("utf-8", errors="replace")
        if text.split()[:1] in (["quit"], ["setoption"]):
            continue  # tables of a terabyte are tried elsewhere
        gos += text.split()[:1] == ["go"]
        assert peer.server.handle(text)
    peer.server.session.stop()
    assert sum(line.startswith("bestmove ") for line in peer.said) == gos > 20
    assert all("\n" not in line and len(line) < 2000 for line in peer.said)
    assert peer.tell("isready")[-1] == "readyok"
