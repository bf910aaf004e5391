"""What is known about chess: counts, ends, the rules that programs get wrong, and its notation."""

from __future__ import annotations

import inspect
import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ActionError, ContractError, OptionError, PositionError
from zermelo.games import load
from zermelo.games.chess import Chess

GAME = Chess()
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

PERFT = {
    GAME.write(GAME.initial()): [20, 400, 8902, 197281, 4865609],
    KIWIPETE: [48, 2039, 97862, 4085603],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": [14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": [6, 264, 9467, 422333],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": [44, 1486, 62379, 2103487],
}


def moves(fen):
    s = GAME.read(fen)
    return {GAME.write_action(s, a) for a in GAME.actions(s)}


def play(s, text):
    for word in text.split():
        s = GAME.result(s, GAME.read_action(s, word))
    return s


def test_perft_goes_on_after_a_draw_by_rule_as_everywhere():
    state = GAME.read("8/k1P5/8/1K6/8/8/8/8 w - - 0 1")
    assert GAME.native.perft(state, 7).leaves == 567_584
    assert GAME.native.perft(state, 7, threads=2).leaves == 567_584


@pytest.mark.parametrize("fen", PERFT)
def test_the_tree_has_its_known_size(fen):
    s = GAME.read(fen)
    assert [GAME.native.perft(s, depth).leaves for depth in range(1, len(PERFT[fen]) + 1)] == PERFT[fen]


@pytest.mark.parametrize(
    ("fen", "utilities"),
    [
        ("r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", (1.0, -1.0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", (0.0, 0.0)),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", (0.0, 0.0)),
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 90", (1.0, -1.0)),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", (0.0, 0.0)),
        ("7k/8/6K1/8/8/8/8/N7 w - - 0 1", (0.0, 0.0)),
        ("b6k/8/6K1/8/8/8/8/7B w - - 0 1", (0.0, 0.0)),
    ],
)
def test_a_game_ends(fen, utilities):
    s = GAME.read(fen)
    assert GAME.is_terminal(s)
    assert GAME.utilities(s) == utilities
    assert list(GAME.actions(s)) == []


@pytest.mark.parametrize(
    "fen",
    [
        "7k/8/6K1/8/8/8/8/R7 b - - 99 90",
        "7k/8/6K1/8/8/8/8/NN6 w - - 0 1",
        "1b5k/8/6K1/8/8/8/8/7B w - - 0 1",
        "n6k/8/6K1/8/8/8/8/7N w - - 0 1",
    ],
)
def test_a_game_goes_on(fen):
    assert not GAME.is_terminal(GAME.read(fen))


def test_no_pawn_takes_in_passing_where_that_opens_its_king_to_a_rook():
    assert "e5d6" not in moves("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
    assert "e5d6" in moves("8/8/8/K2pP2n/8/8/8/7k w - d6 0 1")


def test_the_square_of_en_passant_is_part_of_a_position_only_where_a_pawn_may_take():
    start = GAME.initial()
    assert GAME.write(play(start, "e4")).split()[3] == "-"
    assert GAME.write(play(start, "e4 a6 e5 d5")).split()[3] == "d6"
    assert GAME.key(play(start, "Nf3 Nf6 Ng1 Ng8")) == GAME.key(start)
    assert GAME.key(play(start, "e4 e5 Ke2 Ke7 Ke1 Ke8")) != GAME.key(play(start, "e4 e5"))


def test_no_king_castles_out_of_check_or_through_it():
    assert {"e1g1", "e1c1"} <= moves("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert not {"e1g1", "e1c1"} & moves("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1")
    assert {"e1g1", "e1c1"} & moves("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1") == {"e1g1"}
    assert "e1c1" in moves("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")


def test_castling_in_chess960_takes_the_rook_and_minds_what_it_covers():
    game = load("chess:chess960=yes")
    s = game.read("4k3/8/8/8/8/8/8/5RKR w FH - 0 1")
    assert game.write(s).split()[2] == "KQ"
    names = {game.write_action(s, a) for a in game.actions(s)}
    assert {"g1h1", "g1f1"} & names == {"g1f1"}  # the one rook has its way, the other finds its new square taken
    s = game.read("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1")
    assert "d1b1" not in {game.write_action(s, a) for a in game.actions(s)}  # the rook shields the king's square
    s = game.read("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1")
    assert game.write(game.result(s, game.read_action(s, "O-O-O"))) == "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"


def test_who_passes_in_check_has_lost_the_king():
    s = GAME.read("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")
    passed = GAME.pass_turn(s)
    assert GAME.is_terminal(passed)
    assert GAME.utilities(passed) == (-1.0, 1.0)
    assert GAME.pass_turn(passed) == s


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "four to six fields"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "one king"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "no pawn stands"),
        ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "eight ranks"),
        ("4k3/8/8/8/8/8/8/4K4 w - - 0 1", "more than eight squares"),
        ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "PNBRQK"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "castling right H"),
        ("4k3/8/8/8/8/8/8/4K2R w z - 0 1", "castling rights are"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "can just have passed e6"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "sixth rank"),
        ("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1", "king of black could be taken"),
        ("4k3/4R3/3N1N2/8/B7/8/8/4K3 b - - 0 1", "three pieces"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "more than eight pawns"),
        ("4k3/pppppppp/8/8/8/8/8/qq2K3 w - - 0 1", "than its pawns could become"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "half-moves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "moves are counted"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "four to six fields"),
    ],
)
def test_what_cannot_be_a_position_is_refused_with_the_reason(text, why):
    with pytest.raises(PositionError, match=why):
        GAME.read(text)


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (KIWIPETE, "0-0-0", "O-O-O"),
        (KIWIPETE, "e1g1", "O-O"),
        (KIWIPETE, "e1h1", "O-O"),
        (KIWIPETE, "Nxg6!?", "Nxg6"),
        (KIWIPETE, "Ne5xg6", "Nxg6"),
        (KIWIPETE, "d5-e6", "dxe6"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p.", "exd6"),
        ("4k3/8/8/8/8/8/8/RN2K1NR w - - 0 1", "Nb1d2", "Nd2"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "N1c3", "N1c3"),
        ("8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1", "Qh4e1"),
    ],
)
def test_moves_are_read_in_many_ways_and_written_in_one(fen, text, name):
    s = GAME.read(fen)
    assert GAME.show_action(s, GAME.read_action(s, text)) == name


def test_a_move_that_two_pieces_could_make_is_asked_about():
    with pytest.raises(ActionError, match="names 2 actions here; say which of: Nbd2, Nfd2"):
        GAME.read_action(GAME.read("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"), "Nd2")


@pytest.mark.parametrize("text", ["e5", "Ke2", "O-O", "e2e5", "bxc3", "e7e8q", "Nf6", "--", "", "e4e"])
def test_what_is_no_legal_move_is_refused(text):
    with pytest.raises(ActionError, match="the legal ones are"):
        GAME.read_action(GAME.initial(), text)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**20 - 1) | st.integers(-(2**63), 2**63 - 1))
def test_a_number_that_is_no_move_does_no_harm(action):
    s = GAME.read(KIWIPETE)
    try:
        child = GAME.result(s, action)
    except ContractError:
        assert action not in GAME.actions(s)
    else:
        assert GAME.is_terminal(child) in (True, False)


@pytest.mark.parametrize("start", [-1, 960])
def test_a_start_that_chess960_does_not_have_is_refused(start):
    with pytest.raises(OptionError, match="from 0 to 959"):
        load(f"chess:start={start}")


def test_the_board_is_shown_from_whites_side(board):
    s = play(GAME.initial(), "e4 e5 Qh5 Ke7 Qxe5")
    assert GAME.show(s) == board(
        """
        8  r n b q . b n r
        7  p p p p k p p p
        6  . . . . . . . .
        5  . . . . Q . . .
        4  . . . . P . . .
        3  . . . . . . . .
        2  P P P P . P P P
        1  R N B . K B N R
           a b c d e f g h
        black to move, in check
        """
    )


@pytest.mark.parametrize("text", ["chess", "chess:start=3", "chess:chess960=yes", "xiangqi", "xiangqi:characters=yes"])
def test_a_native_game_goes_to_another_process_with_its_options(text):
    game = load(text)
    copied = pickle.loads(pickle.dumps(game))
    assert copied.write(copied.initial()) == game.write(game.initial())
    options = set(inspect.signature(type(game)).parameters)
    assert {name: getattr(copied, name) for name in options} == {name: getattr(game, name) for name in options}


@settings(max_examples=30, deadline=None)
@given(start=st.integers(0, 959), seed=st.integers(0, 2**32))
def test_that_a_move_gives_check_is_known_before_it_is_played(start, seed):
    game, random = load(f"chess:start={start}"), Random(seed)
    s = game.initial()
    for _ in range(60):
        if game.is_terminal(s):
            break
        for a in game.actions(s):
            assert game.native.ask("gives_check", s, a) == game.is_check(game.result(s, a)), game.show_action(s, a)
        s = game.result(s, random.choice(game.actions(s)))


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"),
        ("8/2P1k3/8/8/8/8/8/4K3 w - - 0 1", "c8=N"),
        ("7k/8/8/3Pp3/8/8/1B6/4K3 w - e6 0 1", "dxe6"),
        ("6k1/8/8/8/2N5/1B6/8/4K3 w - - 0 1", "Ne3"),
    ],
)
def test_checks_by_castling_by_new_pieces_and_through_opened_lines_are_known(fen, move):
    s = GAME.read(fen)
    assert GAME.native.ask("gives_check", s, GAME.read_action(s, move))
