from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import ActionError, ContractError, PositionError
from zermelo.games.xiangqi import Xiangqi

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

COUNTS = {
    START: [44, 1920, 79666, 3290240],
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1": [38, 1128, 43929, 1339047],
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1": [7, 281, 8620, 326201],
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1": [25, 424, 9850, 202884],
}
"""What Fairy-Stockfish counts."""


@pytest.fixture(scope="module")
def game():
    return Xiangqi()


def legal(game, text, start=""):
    """The moves of a position, of the piece on `start` if one is named."""
    s = game.read(text)
    return sorted(name for name in (game.show_action(s, a) for a in game.actions(s)) if name.startswith(start))


def after(game, text, move):
    s = game.read(text)
    return game.result(s, game.read_action(s, move))


def random_position(game, seed, plies):
    dice = random.Random(seed)
    s = game.initial()
    for _ in range(plies):
        if game.is_terminal(s):
            break
        s = game.result(s, dice.choice(game.actions(s)))
    return s


def turned(text):
    """The same position with the colours swapped."""
    board, turn, *rest = text.split()
    return " ".join(["/".join(reversed(board.swapcase().split("/"))), "wb"[turn == "w"], *rest])


@pytest.mark.parametrize("text", COUNTS)
def test_perft(game, text):
    s = game.read(text)
    assert [game.native.perft(s, depth).leaves for depth in range(1, 5)] == COUNTS[text]


# The rules.


def test_a_horse_is_stopped_at_its_leg(game):
    assert legal(game, "4k4/9/9/9/9/4p4/4N4/9/9/3K5 w", "e4") == ["e4c3", "e4c5", "e4d2", "e4f2", "e4g3", "e4g5"]
    assert legal(game, "4k4/9/9/9/9/4P4/3CNp3/4p4/9/3K5 w", "e4") == []


def test_an_elephant_is_stopped_at_its_eye_and_never_crosses_the_river(game):
    assert legal(game, "4k4/9/9/9/9/2B6/9/9/9/3K5 w", "c5") == ["c5a3", "c5e3"]
    assert legal(game, "4k4/9/9/9/9/2B6/3p5/9/9/3K5 w", "c5") == ["c5a3"]


def test_a_cannon_takes_over_one_screen_only(game):
    text = "3k5/9/4c4/9/4p4/9/4C4/9/9/5K3 w"
    assert legal(game, text, "e4e") == ["e4e1", "e4e2", "e4e3", "e4e5", "e4e8"]


def test_a_pawn_goes_sideways_beyond_the_river_and_never_back(game):
    assert legal(game, "3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e5") == ["e5e6"]
    assert legal(game, "3k5/9/9/9/4P4/9/9/9/9/4K4 w", "e6") == ["e6d6", "e6e7", "e6f6"]
    assert legal(game, "P2k5/9/9/9/9/9/9/9/9/4K4 w", "a10") == ["a10b10"]


def test_king_and_advisors_stay_in_the_palace(game):
    assert legal(game, "3k5/9/9/9/9/9/9/5K3/4A4/9 w") == ["e2d1", "e2d3", "e2f1", "f3e3", "f3f2"]


def test_kings_may_not_face_each_other(game):
    assert legal(game, "4k4/9/9/9/9/9/9/9/9/3K5 w") == ["d1d2"]
    assert legal(game, "4k4/9/9/9/4N4/9/9/9/9/4K4 w", "e6") == []


def test_one_of_two_screens_is_pinned(game):
    assert legal(game, "3k5/4c4/9/4p4/9/4R4/9/9/9/4K4 w", "e5") == ["e5e2", "e5e3", "e5e4", "e5e6"]


def test_nothing_steps_before_a_cannon_that_faces_the_king(game):
    assert legal(game, "3k5/9/9/4c4/9/R8/9/9/9/4K4 w", "a5e5") == []


def test_a_screen_may_leave_to_end_a_check(game):
    text = "3k5/9/9/4c4/9/4N4/9/9/9/4K4 w"
    s = game.read(text)
    assert game.is_check(s)
    assert len(legal(game, text, "e5")) == 8
    assert legal(game, "5k3/9/9/4c4/9/4p4/9/9/9/4KA3 w") == ["e1d1", "f1e2"]


def test_a_leg_that_guards_the_king_stays(game):
    assert legal(game, "3k5/9/9/9/9/9/9/3n5/3N5/4K4 w", "d2") == []


@pytest.mark.parametrize("text", ["3k5/9/3R5/4R4/9/9/9/9/9/4K4 b", "3k5/4R4/9/9/9/9/9/9/9/4K4 b"])
def test_whoever_has_no_move_loses_in_check_or_not(game, text):
    s = game.read(text)
    assert game.is_terminal(s)
    assert game.actions(s) == []
    assert game.utilities(s) == (1.0, -1.0)


def test_a_game_without_captures_is_drawn(game):
    quiet = "3k5/9/9/9/4R4/9/9/9/9/4K4 w - - {} 90"
    assert not game.is_terminal(game.read(quiet.format(119)))
    drawn = game.read(quiet.format(120))
    assert game.is_terminal(drawn)
    assert game.utilities(drawn) == (0.0, 0.0)
    assert game.is_terminal(after(game, quiet.format(119), "e6e5"))
    mated = after(game, "3k5/9/R8/4R4/9/9/9/9/9/4K4 w - - 119 90", "a8d8")
    assert game.utilities(mated) == (1.0, -1.0)


# Positions as text.


def test_a_position_is_written_as_fen(game):
    assert game.write(game.initial()) == START
    assert game.write(game.read("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r")) == START
    assert game.write(after(game, START, "h3h10")).endswith(" b - - 0 1")
    assert game.write(after(game, START, "h3e3")).endswith(" b - - 1 1")
    assert game.write(after(game, START.replace("w", "b"), "h8e8")).endswith(" w - - 1 2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("3k5/9/9/9/9/9/9/9/9/4K4", "who is to move"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", "ten rows"),
        ("3k5/9/9/9/9/9/9/9/9/9/4K4 w", "ten rows"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", "more than nine"),
        ("3k4/9/9/9/9/9/9/9/9/4K4 w", "ten rows"),
        ("3k5/9/9/9/9/q8/9/9/9/4K4 w", "'q', which is no piece"),
        ("9/9/9/9/9/9/9/9/9/4K4 w", "black has no king"),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "too many"),
        ("3k5/9/9/9/9/RRR6/9/9/9/4K4 w", "too many"),
        ("3k5/9/9/9/9/4K4/9/9/9/9 w", "king cannot stand on e5"),
        ("3k5/9/9/9/9/9/9/9/4A4/3AK4 w - - 121 1", "0 to 120"),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", "advisor cannot stand on d2"),
        ("3k5/9/9/9/2B6/9/9/9/9/4K4 w", "elephant cannot stand on c6"),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "pawn cannot stand on b4"),
        ("3k5/p8/9/9/9/9/9/9/9/4K4 w", "pawn cannot stand on a9"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "could take the king"),
        ("3k5/3R5/9/9/9/9/9/9/9/4K4 w", "could take the king"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", "w .red. or b"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w KQ - 0 1", "must be '-'"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - zero 1", "0 to 120"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 0", "number of the move"),
        ("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 more", "who is to move"),
        ("3k5/9/9/9/9/é8/9/9/9/4K4 w", "no piece"),
    ],
)
def test_what_is_no_position_is_refused_with_a_reason(game, text, why):
    with pytest.raises(PositionError, match=why):
        game.read(text)


# Moves as text.


@pytest.mark.parametrize(
    ("text", "uci", "iccs", "chinese"),
    [
        (START, "h3e3", "H2-E2", "炮二平五"),
        (START, "b1c3", "B0-C2", "马八进七"),
        (START.replace("w", "b"), "h10g8", "H9-G7", "马８进７"),
        (START.replace("w", "b"), "b8b1", "B7-B0", "炮２进７"),
        (START, "f1e2", "F0-E1", "仕四进五"),
        ("3k5/9/4R4/9/4R4/9/9/9/9/4K4 w", "e8e7", "E7-E6", "前车退一"),
        ("3k5/9/4R4/9/4R4/9/9/9/9/4K4 w", "e6d6", "E5-D5", "后车平六"),
        ("3k5/9/9/4P4/4P4/4P4/9/9/9/4K4 w", "e6d6", "E5-D5", "中兵平六"),
        ("3k5/9/P8/P7P/P7P/9/9/9/9/4K4 w", "i6h6", "I5-H5", "二兵平二"),
        ("3k5/9/P8/P7P/P7P/9/9/9/9/4K4 w", "a7b7", "A6-B6", "四兵平八"),
        ("3k5/9/9/9/4p4/4p4/4p4/4p4/9/5K3 b", "e3d3", "E2-D2", "１卒平４"),
        ("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w", "c5e3", "C4-E2", "相七退五"),
        ("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w", "d1e2", "D0-E1", "仕六进五"),
    ],
)
def test_moves_are_read_and_written_in_three_notations(game, text, uci, iccs, chinese):
    s = game.read(text)
    a = game.read_action(s, uci)
    assert (game.show_action(s, a), game.iccs(s, a), game.chinese(s, a)) == (uci, iccs, chinese)
    assert game.read_action(s, iccs.lower()) == a
    assert game.read_action(s, f" {chinese} ") == a


def test_other_characters_and_numerals_are_read_as_well(game):
    s = game.initial()
    assert game.read_action(s, "砲2平5") == game.read_action(s, "炮二平五")
    assert game.read_action(s, "傌８進７") == game.read_action(s, "马八进七")
    mates = game.read("3k5/9/9/9/9/2B6/9/3A5/9/2BAK4 w")
    assert game.read_action(mates, "後仕進五") == game.read_action(mates, "d1e2")


@pytest.mark.parametrize(
    "text", ["h2-e2-", "H2-E3", "h2e3", "炮二平十", "炮二平", "车一平二", "相五进三", "j1j2", "a1a11"]
)
def test_what_is_no_move_is_refused(game, text):
    with pytest.raises(ActionError, match="the legal ones are"):
        game.read_action(game.initial(), text)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 250))
def test_every_legal_move_has_a_chinese_name_of_its_own(game, seed, plies):
    s = random_position(game, seed, plies)
    names = [game.chinese(s, a) for a in game.actions(s)]
    assert len(set(names)) == len(names)
    assert all(len(name) == 4 for name in names)
    for a, name in list(zip(game.actions(s), names, strict=True))[:5]:
        assert game.read_action(s, name) == a


def test_the_board_is_drawn_in_letters_or_characters(game):
    s = after(game, "3k5/9/9/9/9/9/9/4C4/9/4K4 w", "e3d3")
    assert game.show(s).splitlines() == [
        "10  . . . k . . . . .",
        " 9  . . . . . . . . .",
        " 8  . . . . . . . . .",
        " 7  . . . . . . . . .",
        " 6  . . . . . . . . .",
        "    ~~~~~~~~~~~~~~~~~",
        " 5  . . . . . . . . .",
        " 4  . . . . . . . . .",
        " 3  . . . C . . . . .",
        " 2  . . . . . . . . .",
        " 1  . . . . K . . . .",
        "    a b c d e f g h i",
        "black to move",
    ]
    characters = Xiangqi(characters=True).show(s).splitlines()
    assert characters[0] == "10  ．．．将．．．．．"
    assert characters[8] == " 3  ．．．炮．．．．．"
    assert game.show(game.read("3k5/9/9/9/9/3R5/9/9/9/4K4 b")).endswith("black to move, in check")


# Beyond the rules.


def test_equal_positions_have_equal_keys_whatever_the_counts(game):
    s = game.initial()
    for text in ("b1c3 b10c8 h1g3", "h1g3 b10c8 b1c3"):
        t = s
        for word in text.split():
            t = game.result(t, game.read_action(t, word))
        assert game.key(t) == game.key(game.read(game.write(t).replace("3 2", "0 1")))
        assert game.key(t) != game.key(game.pass_turn(t))
    assert len({game.key(game.result(s, a)) for a in game.actions(s)}) == 44


def test_a_pass_in_check_loses_the_king(game):
    s = game.read("3k5/9/9/9/9/3R5/9/9/9/4K4 b")
    passed = game.pass_turn(s)
    assert game.is_terminal(passed)
    assert game.utilities(passed) == (1.0, -1.0)
    assert not game.is_terminal(game.pass_turn(game.initial()))


def test_captures_are_noisy_and_captures_and_advances_final(game):
    s = game.read("3k5/9/9/p8/P8/9/9/9/9/R3K4 w")
    facts = {game.show_action(s, a): (game.is_noisy(s, a), game.is_irreversible(s, a)) for a in game.actions(s)}
    assert facts["a6a7"] == (True, True)
    assert facts["a6b6"] == (False, False)
    assert facts["a1a2"] == (False, False)
    assert legal(game, "3k5/9/9/9/P8/9/9/9/9/R3K4 w", "a6") == ["a6a7", "a6b6"]
    ahead = game.read("3k5/9/9/9/P8/9/9/9/9/R3K4 w")
    assert game.is_irreversible(ahead, game.read_action(ahead, "a6a7"))
    assert game.target(ahead, game.read_action(ahead, "a6a7")) == 54


def test_the_greatest_victim_comes_first_and_then_the_least_attacker(game):
    s = game.read("3k5/9/9/Rr3c3/1P3P3/9/9/9/9/4K4 w")
    order = sorted(game.actions(s), key=lambda a: -game.priority(s, a))
    assert [game.show_action(s, a) for a in order[:3]] == ["b6b7", "a7b7", "f6f7"]


@pytest.mark.parametrize(
    ("text", "move", "wins"),
    [
        ("3k5/9/9/p8/9/9/9/9/9/R3K4 w", "a1a7", True),  # nobody guards the pawn
        ("3k5/9/9/p8/9/1n7/9/9/9/R3K4 w", "a1a7", False),  # a horse does
        ("3k5/9/9/p8/1c7/1n7/9/9/9/R3K4 w", "a1a7", True),  # but its leg is blocked
        ("3k5/9/r8/p8/9/9/R8/9/9/4K4 w", "a4a7", False),  # a rook for a pawn
        ("3k5/9/r8/p8/9/9/R8/9/9/R3K4 w", "a4a7", True),  # a second rook looks through the first
        ("3k5/c8/r8/p8/9/9/R8/9/9/R3K4 w", "a4a7", False),  # the cannon takes over its rook, and the rook stays at home
        ("3k5/c8/9/p8/9/9/R8/9/9/4K4 w", "a4a7", True),  # no screen, no cannon
        ("4k4/4R4/9/9/9/9/9/9/3C5/3K5 b", "e10e9", True),  # a king takes what nobody guards
    ],
)
def test_a_capture_is_worth_what_it_wins_by_exchanging(game, text, move, wins):
    s = game.read(text)
    found = {game.show_action(s, a): a for a in game.actions(s)}
    assert game.is_noisy(s, found[move])
    assert (game.exchange(s, found[move]) >= 0) == wins
    quiet = [a for a in found.values() if game.pieces(s)[a >> 7] == "."]
    assert game.priority(s, found[move]) > max(game.priority(s, a) for a in quiet)
    assert not any(game.is_noisy(s, a) for a in quiet)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 250))
def test_the_parts_of_the_estimate_add_up(game, seed, plies):
    s = random_position(game, seed, plies)
    parts = game.explain(s)
    assert sum(points for _, points in parts) == pytest.approx(10_000 * game.evaluate(s, 0))
    assert {"material", "position", "central cannon", "river rook", "proper horse", "edge horse"} <= dict(parts).keys()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 250))
def test_the_rules_and_the_estimate_know_no_colour(game, seed, plies):
    s = random_position(game, seed, plies)
    other = game.read(turned(game.write(s)))
    assert len(game.actions(other)) == len(game.actions(s))
    assert game.is_check(other) == game.is_check(s)
    assert game.evaluate(other, 1) == game.evaluate(s, 0)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 250))
def test_what_is_kept_move_by_move_is_what_a_fresh_reading_finds(game, seed, plies):
    s = random_position(game, seed, plies)
    assert game.read(game.write(s)) == s


def test_pieces_are_scored_as_in_the_lectures(game):
    empty = game.evaluate(game.read("3k5/9/9/9/9/9/9/9/9/4K4 w"), 0)
    rook, horse, cannon, pawn = (
        (game.evaluate(game.read(f"3k5/9/9/9/9/9/{letter}8/9/9/4K4 w"), 0) - empty) * game.scale for letter in "RNCP"
    )
    assert 400 < rook < 600
    assert 200 < horse < 300
    assert 200 < cannon < 300
    assert 40 < pawn < 60


@pytest.mark.parametrize("a", [-1, 0, 1 << 40, 127, 90 << 7, 63 | 54 << 7])
def test_an_action_that_is_none_breaks_the_contract_and_nothing_else(game, a):
    with pytest.raises(ContractError):
        game.result(game.initial(), a)


@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("3k5/9/9/9/9/9/9/9/4A4/4KAB2 w", 0, 0),  # guards on one side alone
        ("3k5/4a4/9/9/9/9/9/9/4A4/3AK1B2 w", 0, 0),
        ("3k5/9/9/9/9/4p4/9/9/4A4/2BAK1B2 w", -300, 0),  # red has more, and nothing that attacks
        ("3k5/9/9/9/9/9/9/9/4A4/R2AK1B2 w", 300, 2000),
        ("3k5/9/4P4/9/9/9/9/9/9/4K4 w", 50, 2000),
    ],
)
def test_a_side_without_a_piece_that_crosses_the_river_leads_by_nothing(game, fen, least, most):
    s = game.read(f"{fen} - - 0 1")
    points = game.evaluate(s, 0) * 10_000
    assert least <= points <= most
    assert sum(value for _, value in game.explain(s)) == pytest.approx(points)
