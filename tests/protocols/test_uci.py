"""The UCI server answers every line it understands, survives those it does not, and owes one `bestmove` a `go`."""

from __future__ import annotations

import inspect
import io
import sys
import threading
import time
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.protocols.peer import Peer, infos

from zermelo.engine import Engine
from zermelo.errors import MethodError
from zermelo.game import Game
from zermelo.games import load
from zermelo.games.nim.rules import Nim
from zermelo.protocols.score import read_info
from zermelo.protocols.session import Session
from zermelo.protocols.uci import LONGEST_LINE_BYTES, UciServer

needs_only = pytest.mark.skipif(
    "only" not in inspect.signature(Engine.think).parameters, reason="this engine cannot be kept to some actions"
)


@pytest.fixture
def peer():
    made = Peer(load("tictactoe"))
    yield made
    made.server.session.stop()


def test_the_introduction_ends_with_uciok_and_compiles_nothing(peer):
    said = peer.tell("uci")
    assert said[0] == "id name Zermelo TicTacToe"
    assert said[-1] == "uciok"
    assert {line.split(" type ")[0] for line in said if line.startswith("option")} == {
        f"option name {name}"
        for name in (
            *("Hash", "Threads", "MultiPV", "Move Overhead", "Clear Hash", "Ponder", "UCI_AnalyseMode"),
            *("UCI_ShowWDL", "OwnBook", "BookFile", "Book Variety"),
            "UCI_EngineAbout",
        )
    }
    assert peer.server.session._searcher is None
    assert peer.tell("isready") == ["readyok"]
    assert peer.server.session._searcher is not None


def test_a_search_tells_each_depth_and_ends_with_the_best_move(peer):
    said = peer.tell("position fen oo./xx./...", "go depth 3")
    assert "score mate 1" in said[-2]
    assert said[-2].endswith("pv c2")
    assert said[-1] == "bestmove c2"


def test_moves_go_on_from_the_start_or_from_a_text_and_need_not_be_sent_at_once(peer):
    for moves in ("b2", "b2 a1", "b2 a1 c3", "b2 c3"):
        assert peer.tell(f"position startpos moves {moves}") == []
        assert len(peer.server.session.position.history) == len(moves.split())
    peer.tell("position fen oo./xx./... moves a1 b1")
    assert peer.server.game.write(peer.server.session.position.state) == "oo./xx./xo."


def test_a_text_with_blanks_is_one_position():
    peer = Peer(load("hexapawn"))
    assert peer.tell("position fen bbb/.../www  w moves a1a2") == []
    assert peer.tell("d")[-1] == "position: bbb/w../.ww b"


def test_the_board_can_be_shown(peer):
    assert peer.tell("position startpos moves b2", "d") == [
        *["3  . . .", "2  . x .", "1  . . .", "   a b c", "position: .../.x./..."]
    ]


@pytest.mark.parametrize(
    "line",
    [
        "position startpos moves z9",
        "position startpos moves b2 b2",
        "position startpos b2",
        "position fen",
        "position fen nonsense",
        "position",
        "position middle",
        "setoption",
        "setoption name",
        "setoption name Colour value blue",
        "setoption name Hash value much",
        "setoption name Hash value 0",
        "setoption name Threads value 99999999999999999999",
        "setoption name Ponder value perhaps",
        "setoption name UCI_Elo value 800",
        "setoption name UCI_Chess960 value true",
        "joho debug on",
        "\x1b[2J",
    ],
)
def test_a_line_that_makes_no_sense_is_answered_and_changes_nothing(peer, line):
    peer.tell("position startpos moves b2 a1")
    position = peer.server.session.position
    said = peer.tell(line)
    assert len(said) == 1
    assert said[0].startswith("info string ")
    assert said[0].isprintable()
    assert peer.server.session.position == position


@pytest.mark.parametrize("line", ["", "   ", "stop", "ponderhit", "debug on", "debug off", "ucinewgame"])
def test_a_line_that_needs_no_answer_gets_none(peer, line):
    assert peer.tell(line) == []


def test_limits_that_are_no_numbers_are_passed_over(peer):
    said = peer.tell("position fen oo./xx./...", "go wtime x movetime 50 depth 2 soon")
    assert [line for line in said if line.startswith("info string")] == [
        "info string go: wtime wants a whole number",
        "info string go: 'x' means nothing",
        "info string go: 'soon' means nothing",
    ]
    assert said[-1].startswith("bestmove")


def test_every_limit_ends_a_search(peer):
    for limit in ("depth 2", "nodes 50", "movetime 1", "wtime 100 btime 100", "wtime -5 btime 1", "mate 1"):
        assert peer.best(f"go {limit}") in ("a1", "b2", "c3", "a3", "c1", "b1", "a2", "c2", "b3")


def test_where_the_game_is_over_there_is_no_best_move(peer):
    assert peer.best("position fen ooo/xx./x..", "go depth 3") == "(none)"


def test_where_chance_moves_there_is_no_best_move():
    assert Peer(load("pig")).best("position startpos moves roll", "go depth 2") == "(none)"


@pytest.mark.parametrize("wait", ["infinite", "ponder movetime 5", "ponder"])
def test_an_answer_waits_for_stop_even_if_the_search_is_over(peer, wait):
    peer.tell("position fen oo./xx./...", f"go {wait}")
    peer.server.session.search.join(0.2)
    assert not any(line.startswith("bestmove") for line in peer.said)
    assert peer.best("stop") == "c2"


def test_ponderhit_starts_the_clock():
    peer = Peer(load("connect4"))
    peer.tell("position startpos moves 4 4", "go ponder movetime 20", "ponderhit", "ponderhit")
    peer.server.session.search.join()
    assert sum(line.startswith("bestmove") for line in peer.said) == 1


def test_a_go_during_a_go_ends_the_first_with_its_own_answer():
    peer = Peer(load("connect4"))
    peer.tell("go infinite", "position startpos moves 1 1 2 2 3", "isready", "go depth 1", "ucinewgame", "stop")
    assert sum(line.startswith("bestmove") for line in peer.said) == 2
    assert "readyok" in peer.said


def test_several_lines_are_numbered_from_the_best_on():
    peer = Peer(load("connect4"))
    peer.tell("setoption name multipv value 3")
    last = infos(peer.tell("go depth 4"))[-3:]
    assert [line.split()[5:7] for line in last] == [["multipv", "1"], ["multipv", "2"], ["multipv", "3"]]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


@pytest.mark.parametrize("name", [pytest.param("connect4", marks=needs_only), "race:steps=2"])
def test_a_search_may_be_kept_to_some_moves(name):
    peer = Peer(load(name))
    game = peer.server.game
    if game.can("chances"):
        peer.tell("position startpos moves 1-2")
    position = peer.server.session.position
    last = [game.show_action(position.state, a) for a in game.actions(position.state)][-1]
    assert peer.best(f"go depth 2 searchmoves {last}") == last
    said = peer.tell("go depth 1 searchmoves nonsense")
    assert said[0].startswith("info string searchmoves")


@needs_only
def test_the_moves_of_the_game_count_for_perpetual_check():
    peer = Peer(load("xiangqi:tables=no"))
    start = "position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1 moves a1a10 d10d9 a10a9 d9d10"
    once = infos(peer.tell(start, "go depth 1 searchmoves a9a10"))[-1]
    assert "score mate" not in once
    thrice = infos(peer.tell(f"{start} a9a10 d10d9 a10a9 d9d10", "go depth 1 searchmoves a9a10"))[-1]
    assert "score mate -1 " in thrice


def test_options_count_from_the_next_search_on(peer):
    peer.tell("setoption name Hash value 2", "setoption name Threads value 2", "setoption name Move Overhead value 30")
    settings_ = peer.server.session.settings
    assert (settings_.table_mb, settings_.threads, settings_.overhead) == (2, 2, 0.03)
    assert peer.best("go depth 2")
    method = peer.server.session._searcher.method
    peer.tell("setoption name Clear Hash", "setoption name Ponder value true")
    assert peer.best("go depth 2")
    assert peer.server.session._searcher.method is method


class Fool:
    """Weakened play that always takes the last legal action, and remembers whom it was asked to be."""

    levels = 4

    def __init__(self, elos=(100, 900)):
        self.asked, self.games, self.elos = [], 0, elos

    def new_game(self):
        self.games += 1

    def choose(self, game, state, history, *, level=1, elo=None):
        self.asked.append(level if elo is None else elo)
        return list(game.actions(state))[-1]


def test_a_level_is_weakened_play_and_the_one_above_them_all_is_full_strength():
    fool = Fool(elos=None)
    peer = Peer(load("tictactoe"), fool)
    offered = "\n".join(peer.tell("uci"))
    assert "option name Skill Level type spin default 5 min 1 max 5" in offered
    assert "Elo" not in offered
    assert peer.best("position fen oo./xx./...", "go depth 3") == "c2"
    assert peer.best("setoption name Skill Level value 2", "go depth 3") == "c3"
    assert peer.best("setoption name Skill Level value 5", "go depth 3") == "c2"
    assert fool.asked == [2]
    for level in ("0", "6", "two"):
        (said,) = peer.tell(f"setoption name Skill Level value {level}")
        assert "from 1 to 5" in said


def test_limited_strength_is_play_of_that_rating_but_not_analysis():
    fool = Fool()
    peer = Peer(load("tictactoe"), fool)
    offered = "\n".join(peer.tell("uci"))
    assert "option name UCI_LimitStrength type check default false" in offered
    assert "option name UCI_Elo type spin default 900 min 100 max 900" in offered
    peer.tell("ucinewgame", "setoption name UCI_Elo value 300", "position fen oo./xx./...")
    assert peer.best("go depth 3") == "c2"
    peer.tell("setoption name UCI_LimitStrength value true")
    weak = peer.best("go wtime 1000 btime 1000")
    assert (weak, fool.asked, fool.games) == ("c3", [300], 1)
    assert peer.best("go movetime 5 searchmoves c2 c3") == "c2"
    peer.tell("setoption name UCI_AnalyseMode value true")
    assert peer.best("go depth 3") == "c2"
    peer.tell("setoption name UCI_AnalyseMode value false", "go infinite")
    assert peer.best("stop") == "c2"
    assert "UCI_Elo must be" in peer.tell("setoption name UCI_Elo value 1000")[0]


@pytest.mark.parametrize(("name", "repetition"), [("race", None), ("kingmaker", None), ("kingmaker", "draw")])
def test_games_that_the_engine_does_not_serve_are_searched_by_the_textbook(name, repetition):
    game = load(name)
    game.repetition = repetition
    peer = Peer(game)
    if game.can("chances"):
        peer.tell("position startpos moves 1-2")
    said = peer.tell("go depth 2", "go depth 2")
    assert sum(line.startswith("bestmove") for line in said) == 2
    assert sum("textbook" in line for line in said) == (repetition is not None)


def test_there_is_no_engine_for_hidden_information():
    with pytest.raises(MethodError, match="hides information"):
        Session(load("blind-tictactoe"))


class Broken(Game):
    """Rules that raise what the text says, in Python."""

    class State(NamedTuple):
        plies: int
        text: str

    def initial(self):
        return self.State(0, "")

    def player(self, s):
        return s.plies % 2

    def actions(self, s):
        if s.text == "actions":
            raise KeyError("none")
        return [1, 2]

    def result(self, s, a):
        if s.text == "result":
            raise SystemExit(3)
        return self.State(s.plies + 1, s.text)

    def is_terminal(self, s):
        return s.plies > 5

    def utility(self, s, p):
        return 1 / 0 if s.text == "utility" else 1.0

    def read(self, text):
        return self.State(0, text)


@pytest.mark.parametrize("fault", ["actions", "result", "utility"])
def test_rules_that_raise_still_get_an_answer(fault):
    peer = Peer(Broken())
    said = peer.tell(f"position fen {fault}", "go depth 9")
    assert said[-1].split()[:2] == ["bestmove", "(none)" if fault == "actions" else "1"]
    assert any("Error" in line or "SystemExit" in line for line in said)
    assert peer.tell("isready")[-1] == "readyok"


def test_with_debug_on_errors_have_a_traceback_on_standard_error(peer, capsys):
    peer.tell("debug on", "position fen nonsense")
    assert "Traceback" in capsys.readouterr().err


# What arrives as bytes.


def serve(game, data):
    said = []
    UciServer(Session(game), said.append).serve(io.BytesIO(data))
    return said


def test_the_end_of_the_input_is_an_end_even_in_the_middle_of_a_line():
    said = serve(load("tictactoe"), b"isready\ngo infinite\nisre")
    assert said[0] == "readyok"
    assert "info string no command is called 'isre'" in "\n".join(said)
    assert sum(line.startswith("bestmove") for line in said) == 1


def test_quit_is_an_end_with_an_answer_to_the_search_under_way():
    said = serve(load("tictactoe"), b"go infinite\nquit\nisready\n")
    assert "readyok" not in said
    assert said[-1].startswith("bestmove")


def test_a_line_that_is_too_long_is_passed_over():
    said = serve(
        load("tictactoe"), b"x" * (3 * LONGEST_LINE_BYTES) + b"\nisready\n" + b"position startpos moves " + b"z" * 9999
    )
    assert "not read" in said[0]
    assert said[1] == "readyok"
    assert all(len(line) < 1000 for line in said)


def test_bytes_that_are_no_text_are_no_trouble():
    said = serve(load("tictactoe"), b"\xff\xfe\x00\x00\n\x00isready\x00\r\nposition fen \xff\x00\n")
    assert "readyok" in said


VOCABULARY = st.sampled_from(
    [
        *(
            "uci",
            "isready",
            "ucinewgame",
            "position",
            "startpos",
            "fen",
            "moves",
            "go",
            "stop",
            "ponderhit",
            "debug",
            "d",
        ),
        *("setoption", "name", "value", "Hash", "MultiPV", "Move", "Overhead", "Clear", "Ponder", "1", "2", "-1", "on"),
        *(
            "depth",
            "nodes",
            "movetime",
            "wtime",
            "btime",
            "winc",
            "infinite",
            "ponder",
            "mate",
            "movestogo",
            "a1",
            "b2",
        ),
        *("c3", ".../.../...", "xx./oo./...", "xxx/oo./...", "99999999999999999999", "\x00", "é", "\u2028"),
    ]
)
LINE = st.lists(VOCABULARY, max_size=8).map(lambda words: " ".join(words).encode()) | st.binary(max_size=40)
shared = Session(load("tictactoe"))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINE, max_size=12))
def test_no_input_is_fatal_and_every_go_has_one_answer(lines):
    said = []
    server = UciServer(shared, said.append)
    server.serve(io.BytesIO(b"\n".join(lines)))
    data = [
        line.decode("utf-8", errors="replace").replace("\0", " ").split() for line in b"\n".join(lines).split(b"\n")
    ]
    commands = [words[0] for words in data if words]
    asked = commands[: commands.index("quit")] if "quit" in commands else commands
    assert sum(line.startswith("bestmove ") for line in said) == asked.count("go")
    assert not shared.search or not shared.search.is_alive()
    assert all("\n" not in line for line in said)


def test_another_program_can_shake_hands_with_it():
    engine = pytest.importorskip("chess.engine", reason="python-chess is not installed")
    with engine.SimpleEngine.popen_uci([sys.executable, "-m", "zermelo", "engine", "tictactoe"], timeout=60) as peer:
        assert peer.id["name"] == "Zermelo TicTacToe"
        peer.configure({"Hash": 2})
        peer.ping()


def test_a_search_that_is_stopped_while_its_rules_compile_is_answered_by_itself(peer, monkeypatch):
    monkeypatch.setattr("zermelo.protocols.session.STOP_TIMEOUT_SECONDS", 0.01)
    prepare = peer.server.session.prepare
    monkeypatch.setattr(peer.server.session, "prepare", lambda: time.sleep(0.5) or prepare())
    peer.server.handle("go infinite")
    while not peer.server.session.search._preparing.is_set():
        time.sleep(0.001)
    assert [line.split()[0] for line in peer.tell("stop") if line.startswith("bestmove")] == ["bestmove"]


class Hanging(Nim):
    """Rules that do not come back before they are released, and do not compile."""

    released = threading.Event()

    def result(self, s, a):
        if threading.current_thread().name == "search":
            self.released.wait(60)
        return super().result(s, a)


def test_a_search_whose_rules_hang_is_answered_once_all_the_same(monkeypatch):
    monkeypatch.setattr("zermelo.protocols.session.STOP_TIMEOUT_SECONDS", 0.05)
    peer = Peer(Hanging())
    peer.server.handle("go depth 3")
    while not peer.server.session.search.legal:
        time.sleep(0.001)
    assert [line.split()[0] for line in peer.tell("stop") if line.startswith("bestmove")] == ["bestmove"]
    Hanging.released.set()
    peer.server.session.search.join()
    assert sum(line.startswith("bestmove") for line in peer.said) == 1


def test_a_depth_says_how_deep_it_looked_and_how_full_the_table_is():
    peer = Peer(load("chess"))
    told = [read_info(line) for line in infos(peer.tell("go depth 7"))]
    assert all(each.depth <= each.seldepth for each in told)
    assert any(each.depth < each.seldepth for each in told)
    filled = [each.hashfull for each in told]
    assert filled == sorted(filled)
    assert 0 <= filled[0] <= filled[-1] <= 1000
