"""GTP: moves of its own, whichever command asks for them, and what the search thinks on the way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.protocols.gtp_engine import SPLIT, Engine

from zermelo.errors import InputError
from zermelo.games import load
from zermelo.protocols.gtp.report import describe, win_share
from zermelo.protocols.gtp.request import AnalysisRequest, read_request
from zermelo.protocols.session import Session
from zermelo.protocols.settings import SearchRequest

OWN_MOVES = ["genmove b", "lz-genmove_analyze b 10", "genmove_analyze 10 b"]


def moves_of(line: str) -> list[str]:
    return re.findall(r"info move (\S+)", line)


def analysed(engine: Engine, command: str) -> list[str]:
    """The lines of an analysis that is ended once it has spoken."""
    del engine.said[:]
    engine.server.handle(command)
    search = engine.server.board.session.search
    assert search is not None, engine.said
    while search.best is None and search.is_alive():
        search.join(0.01)
    engine.server.handle("name")
    return engine.said[1 : engine.said.index("")]


@pytest.mark.parametrize("command", OWN_MOVES)
def test_a_move_of_its_own_is_taken_from_the_clock(command):
    engine = Engine()
    engine.told("time_settings 0 2 10")
    engine.told(command)
    assert [stones for _, stones in engine.server.clock.left] == [9, 10]


def test_cleaning_up_is_taken_from_the_clock():
    engine = Engine("go:size=7,komi=0.5")
    engine.ask(*SPLIT)
    engine.told("time_settings 0 2 10")
    assert engine.told("kgs-genmove_cleanup b") != "pass"
    assert engine.server.clock.left[0][1] == 9


@pytest.mark.parametrize("command", OWN_MOVES)
def test_whoever_has_won_passes_after_a_pass(command):
    engine = Engine("go:size=5,komi=0.5")
    engine.ask("play b C3", "play w pass")
    assert engine.told(command).removeprefix("play ") == "pass"
    assert engine.told("move_history").splitlines()[0] == "black pass"


@pytest.mark.parametrize("command", OWN_MOVES)
def test_a_game_that_is_lost_beyond_hope_is_given_up(command):
    engine = Engine("go:size=5,komi=100", seconds=0.5)
    engine.ask(*(f"play {move}" for move in ("b C3", "w C4", "b B4", "w D3", "b B3", "w C2")))
    told = engine.told(command).splitlines()
    assert told[-1].removeprefix("play ") == "resign"
    assert len(engine.told("move_history").splitlines()) == 6


def test_dead_stones_are_cleaned_up_even_in_a_lost_game():
    engine = Engine("go:size=7,komi=100", seconds=0.3)
    engine.ask(*SPLIT)
    assert engine.told("kgs-genmove_cleanup b") not in ("resign", "pass")


def test_a_move_that_cannot_be_searched_is_refused_before_the_answer_begins():
    engine = Engine("tictactoe")
    assert engine.ask("7 lz-genmove_analyze w") == ["?7 illegal move: not its turn"]
    assert engine.said == ["?7 illegal move: not its turn", ""]


ASKED = [
    ("", AnalysisRequest(0)),
    ("w", AnalysisRequest(1)),
    ("b 5", AnalysisRequest(0, 0.05)),
    ("5 b", AnalysisRequest(0, 0.05)),
    ("interval 20 white", AnalysisRequest(1, 0.2)),
    ("b 5 interval 7", AnalysisRequest(0, 0.07)),
    ("b 0", AnalysisRequest(0, 0.0)),
    ("minmoves 4 b maxmoves 9 100", AnalysisRequest(0, 1.0, 4, 9)),
    ("maxmoves 0", AnalysisRequest(0, most=1)),
    ("minmoves 9 maxmoves 2", AnalysisRequest(0, least=9, most=9)),
    ("avoid b A1,b1,PASS 1", AnalysisRequest(0, only=tuple(range(2, 9)))),
    ("5 avoid b A1,B1,C1,A2,B2 1 avoid b pass 50 b", AnalysisRequest(0, 0.05, only=(5, 6, 7, 8))),
    ("b allow b A1,C3 10", AnalysisRequest(0, only=(0, 8))),
    ("allow b A1 1 allow b C3 1 interval 5", AnalysisRequest(0, 0.05, only=(0, 8))),
    ("allow b A1,C3,pass 1 avoid b C3 1", AnalysisRequest(0, only=(0, 9))),
    ("avoid w A1 1", AnalysisRequest(0)),
    ("w avoid w A1,B1,C1,A2,B2,C2,A3 1", AnalysisRequest(1, only=(7, 8, 9))),
]


@pytest.mark.parametrize(("words", "request_"), ASKED)
def test_words_of_an_analysis_stand_in_any_order(words, request_):
    table = Engine("go:size=3").server.board
    assert read_request(table, words.split()) == request_


@pytest.mark.parametrize(
    "words",
    [
        "dance",
        "b 5 ownership true",
        "interval",
        "interval x",
        "minmoves -1",
        "maxmoves",
        "b 9999999",
        "avoid",
        "avoid b",
        "avoid b A1",
        "avoid b A1 0",
        "avoid b A1 x",
        "avoid x A1 1",
        "avoid A1 b 1",
        "avoid b Z9 1",
        "allow b A1,,B1 1",
        "allow b A1,B1, 1",
        "avoid b A1,B1,C1,A2,B2,C2,A3,B3,C3,pass 1",
    ],
)
def test_words_that_make_no_sense_are_an_error(words):
    engine = Engine("go:size=3")
    for command in ("lz-analyze", "lz-genmove_analyze"):
        (answer,) = engine.ask(f"{command} {words}")
        assert re.match(r"\? (syntax error|bad vertex list|no legal move)", answer), answer
    assert not engine.server.analysis.under_way
    assert engine.told("move_history") == ""


VOCABULARY = "b w black 5 0 -1 007 interval minmoves maxmoves avoid allow A1 a1,b2 pass , Z9 é ٣ 99999999999"


@given(st.lists(st.one_of(st.sampled_from(VOCABULARY.split()), st.text(max_size=4)), max_size=9))
def test_any_words_are_a_request_or_an_error(words):
    table = Engine("go:size=3").server.board
    try:
        request = read_request(table, words)
    except InputError:
        return
    assert request.most >= 1
    assert request.least <= request.most
    assert request.only is None or set(request.only) < set(table.legal(request.player))


def test_a_point_that_is_taken_can_be_avoided():
    engine = Engine("go:size=3")
    engine.told("play b B2")
    assert read_request(engine.server.board, ["avoid", "w", "B2", "1"]).only is None
    with pytest.raises(InputError, match="no legal move"):
        read_request(engine.server.board, ["allow", "w", "B2", "1"])


@pytest.mark.parametrize("game", ["go:size=5", "othello", "hex:size=4"])
def test_only_moves_that_are_allowed_are_spoken_of_and_played(game):
    engine = Engine(game, seconds=0.1)
    first, second, *_ = engine.told("all_legal b").split()
    for line in analysed(engine, f"lz-analyze b 1 allow b {first},{second} 1"):
        assert set(moves_of(line)) <= {first, second}
        assert moves_of(line)
    told = engine.told(f"lz-genmove_analyze b 1 avoid b {first} 1 allow b {first},{second} 1")
    assert told.splitlines()[-1] == f"play {second}"


def test_as_many_moves_are_spoken_of_as_are_asked_for():
    engine = Engine("go:size=5")
    assert all(len(moves_of(line)) <= 2 for line in analysed(engine, "lz-analyze b 1 maxmoves 2"))
    lines = analysed(engine, "lz-analyze b 1 minmoves 26")
    assert lines
    assert all(len(set(moves_of(line))) == 26 for line in lines)


@pytest.mark.parametrize(
    ("game", "request_"), [("connect4", SearchRequest(depth=6, lines=3)), ("go:size=5", SearchRequest(nodes=200_000))]
)
def test_every_move_that_is_spoken_of_has_a_line_of_its_own(game, request_):
    session = Session(load(game))
    search = session.go(request_, lambda *_: None, lambda _: None)
    search.join()
    assert search.best is not None
    line = describe(session.game, session.position.state, search.best, AnalysisRequest(0, most=3), search.legal)
    lines = [words.split() for words in re.findall(r"pv (.*?)(?= info|$)", line)]
    assert len(lines) == 3
    assert all(len(each) > 1 for each in lines)
    assert [each[0] for each in lines] == moves_of(line)
    assert "prior" not in line


def test_any_value_is_a_share_of_a_win():
    game = load("nim")
    assert [win_share(game, value) for value in game.bounds] == [0.0, 1.0]
    game.bounds = (-float("inf"), float("inf"))
    shares = [win_share(game, value) for value in (-float("inf"), -1e6, -1.0, 0.0, 1.0, 1e6, float("inf"))]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[3] == 0.5
    assert shares[-1] == 1


def test_a_game_that_names_its_moves_otherwise_for_gtp_is_heard_and_answered_so():
    engine = Engine("tictactoe")
    game = engine.server.board.game
    game.gtp_vertex = lambda s, a: f"V-{game.show_action(s, a)}"
    assert engine.told("play b v-B2") == ""
    assert engine.told("move_history") == "black V-b2"
    (line, *_) = analysed(engine, "lz-analyze w 0")
    assert all(word.startswith("V-") for word in moves_of(line) + re.findall(r"pv (.*?)(?= info|$)", line)[0].split())
    assert engine.ask("play w V-b2")[0].startswith("? illegal move")


def kata_moves(line: str) -> list[dict[str, str]]:
    """The fields of each move that a line names, as KataGo's readers take them."""
    found = []
    for part in line.split(" ownership ")[0].split("info ")[1:]:
        words = part.split(" pv ")[0].split()
        found.append(dict(zip(words[::2], words[1::2], strict=True)) | {"pv": part.split(" pv ")[1].strip()})
    return found


def test_katagos_analysis_has_shares_points_and_owners():
    engine = Engine("go:size=7,komi=0.5", seconds=0.3)
    engine.ask(*SPLIT)
    lines = analysed(engine, "kata-analyze w 5 ownership true maxmoves 3")
    moves = kata_moves(lines[-1])
    assert 1 <= len(moves) <= 3
    for order, move in enumerate(moves):
        assert int(move["order"]) == order
        assert 0 <= float(move["lcb"]) <= float(move["winrate"]) <= 1
        assert float(move["utility"]) == pytest.approx(2 * float(move["winrate"]) - 1, abs=1e-4)
        assert move["pv"].split()[0] == move["move"]
    game, state = engine.server.board.game, engine.server.board.state
    owners = [float(word) for word in lines[-1].split(" ownership ")[1].split()]
    assert owners[:7] == pytest.approx(
        [-share for share in game.ownership(state)[-7:]], abs=1e-3
    )  # the upper row, white's
    after = game.result(game.with_turn(state, 1), game.point_of(moves[0]["move"]))
    assert float(moves[0]["scoreLead"]) == pytest.approx(-game.lead(after), abs=1e-4)


def test_katagos_analysis_counts_with_the_komi_of_now():
    engine = Engine("go:size=5,komi=0.5", seconds=0.2)
    leads = []
    for komi in (0.5, 10.5):
        engine.told(f"komi {komi}")
        leads.append(
            {move["move"]: float(move["scoreLead"]) for move in kata_moves(analysed(engine, "kata-analyze b 5")[-1])}
        )
    shared = set(leads[0]) & set(leads[1])
    assert shared
    assert all(leads[0][move] - leads[1][move] == pytest.approx(10, abs=1e-3) for move in shared)


def test_a_game_without_points_has_none_in_katagos_words():
    engine = Engine("tictactoe", seconds=0.2)
    (first, *_) = kata_moves(analysed(engine, "kata-analyze 5 ownership true")[-1])
    assert {"move", "visits", "winrate", "order"} <= set(first)
    assert "scoreLead" not in first


def test_katagos_own_move_ends_with_the_move():
    engine = Engine("go:size=5,komi=0.5", seconds=0.2)
    *reports, last = engine.told("kata-genmove_analyze b 5 ownership false").splitlines()
    assert last.startswith("play ")
    assert kata_moves(reports[-1])[0]["move"] == last.removeprefix("play ")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("ownership", "write `ownership true`"),
        ("ownership maybe", "write `ownership true`"),
        ("pvVisits true", "pvVisits is not known here"),
        ("banana", "is none of"),
    ],
)
def test_words_that_katagos_analysis_does_not_take(words, what):
    engine = Engine("go:size=5")
    (said,) = engine.ask(f"kata-analyze b {words}")
    assert said.startswith("?")
    assert what in said
    assert "is none of" in engine.ask("lz-analyze b ownership true")[0]
