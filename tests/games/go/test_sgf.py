"""Games of Go as SGF: trees, escapes, setup stones, and files that make no sense."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import InputError
from zermelo.games._sgf import SgfNode, decode, parse, serialise
from zermelo.games.go import Go
from zermelo.games.go.sgf import (
    main_moves,
    make_record,
    read_move,
    read_points,
    read_record,
    read_records,
    write_point,
    write_records,
)


def outline(node: SgfNode) -> list:
    """All properties of a tree, with how deep they stand."""
    return [(len(each.path()), each.properties) for each in node.walk()]


VARIATIONS = r"""
   some words before (;FF[4]GM[1]SZ[9]KM[7.5]PB[Ho \] no \\ \: yes]
   C[two
lines and a soft\
 break];B[ee](;W[ec];B[gd]C[main])(;W[gc](;B[cc])(;B[tt])))
   (;GM[1]SZ[5];B[aa];W[]) words behind
"""


def test_a_file_is_read_with_its_variations_and_escapes():
    first, second = read_records(VARIATIONS)
    assert first.root.get("PB") == r"Ho ] no \ : yes"
    assert first.root.get("C") == "two\nlines and a soft break"
    assert first.game.komi == 7.5
    assert [len(node.children) for node in first.root.walk()] == [1, 2, 1, 0, 2, 0, 0]
    assert len(first.states()) == 4
    passing = list(first.root.walk())[-1]
    assert first.game.passes(first.states(passing)[-1]) == 1
    assert second.game.size == 5
    assert second.game.passes(second.states()[-1]) == 1


def test_what_is_written_is_read_again():
    roots = parse(VARIATIONS)
    again = parse(serialise(roots))
    assert [outline(root) for root in again] == [outline(root) for root in roots]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 20), st.text(alphabet=r"a]\:[( );", max_size=8)), min_size=1, max_size=20))
def test_any_tree_comes_back(growth):
    nodes = [SgfNode({"GM": ["1"]})]
    for where, comment in growth:
        nodes.append(nodes[where % len(nodes)].add({"C": [comment], "N": ["x"]}))
    assert outline(parse(serialise(nodes[:1]))[0]) == outline(nodes[0])


def test_a_line_of_a_hundred_thousand_nodes_is_no_trouble():
    text = "(" + ";B[aa]" * 100_000 + ")"
    (root,) = parse(text)
    assert sum(1 for _ in root.walk()) == 100_000
    deep = "(;" * 50_000 + ")" * 50_000
    assert len(serialise(parse(deep))) > 100_000


@pytest.mark.parametrize("seed", range(3))
def test_a_game_becomes_a_record_and_a_game_again(seed):
    game, chance = Go(size=9, handicap=2 * seed, komi=0.5), random.Random(seed)
    states, moves = [game.initial()], []
    for _ in range(60):
        if game.is_terminal(states[-1]):
            break
        action = chance.choice(game.actions(states[-1]))
        moves.append((game.player(states[-1]), action))
        states.append(game.result(states[-1], action))
    record = read_record(write_records([make_record(game, moves, {"PB": "ours"})]))
    assert [game.write(s) for s in record.states()] == [game.write(s) for s in states]
    assert (record.game.size, record.game.komi, record.root.get("PB")) == (9, 0.5, "ours")


def test_stones_are_set_up_one_by_one_and_as_rectangles():
    record = read_record("(;SZ[5]AB[aa:ba][ea]AW[cc]PL[W];AE[ba])")
    first, second = record.states()
    assert record.game.stones(first) == ["XX..X", ".....", "..O..", ".....", "....."]
    assert record.game.player(first) == 1
    assert record.game.stones(second)[0] == "X...X"


def test_whoever_moves_out_of_turn_moves():
    record = read_record("(;SZ[5];B[aa];B[bb];W[];W[cc])")
    assert record.game.colours(record.states()[-1]).count("X") == 2


TERRITORY = "Japanese, japanese, JP, jp, Japan, Korean, korea, kr, 日本, 韩国, koSIMPLEscoreTERRITORYtaxSEKIsui0"
AREA = "Chinese, cn, AGA, BGA, NZ, New Zealand, Tromp-Taylor, Ing, GOE, 中国, koPOSITIONALscoreAREAtaxNONEsui0, ?"


@pytest.mark.parametrize(
    ("rules", "scoring"),
    [(name, "territory") for name in TERRITORY.split(", ")] + [(name, "area") for name in ["", *AREA.split(", ")]],
)
def test_rules_by_name_say_how_to_count(rules, scoring):
    assert read_record(f"(;SZ[5]RU[{rules}])").game.scoring == scoring


@pytest.mark.parametrize(
    ("size", "text", "komi"),
    [
        (19, "6.5", 6.5),
        (19, "6,5", 6.5),
        (19, " 7.50 ", 7.5),
        (19, "", 0),
        (19, "0", 0),
        (19, "-5.5", -5.5),
        (19, "375", 7.5),
        (19, "325", 6.5),
        (19, "650", 6.5),
        (19, "750", 7.5),
        (19, "-650", -6.5),
        (19, "3.75", 7.5),
        (19, "2.75", 5.5),
        (19, "0.25", 0.5),
        (19, "100", 100),
        (9, "75", 75),
        (9, "200", 2),
        (9, "99", 99),
    ],
)
def test_komi_is_read_as_other_programs_write_it(size, text, komi):
    assert read_record(f"(;SZ[{size}]KM[{text}])").game.komi == komi


@pytest.mark.parametrize("komi", [-375, -0.5, 0, 7.5, 375, 500])
def test_any_komi_of_ours_comes_back(komi):
    assert read_record(write_records([make_record(Go(size=5, komi=komi), [])])).game.komi == komi


def test_the_name_of_the_rules_is_true():
    game, handicap = Go(size=9), Go(size=9, handicap=2)
    assert make_record(game, []).root.get("RU") == "Chinese"
    assert make_record(Go(size=9, scoring="territory"), []).root.get("RU") == "Japanese"
    # By Chinese rules white has points for them.
    assert "RU" not in make_record(handicap, []).root.properties


def test_stones_that_are_set_up_between_moves_are_written_and_read_again():
    text = "(;SZ[5]RU[Japanese];B[aa];W[ba];B[cc];W[ab];AB[dd]AE[ba]PL[W];W[ee];AW[ec])"
    record = read_record(text)
    game, moves, states = main_moves(record)
    assert [len(moves), len(states)] == [5, 6]
    assert game.stones(states[4]) == [".....", "O....", "..X..", "...X.", "....."]
    assert game.prisoners(states[4]) == (0, 1)
    assert game.stones(states[-1]) == [".....", "O....", "..X.O", "...X.", "....O"]
    written = make_record(game, moves, base=states[0], states=states[1:])
    again = main_moves(read_record(write_records([written])))
    assert [game.write(s) for s in again[2]] == [game.write(s) for s in states]
    assert again[1] == moves


def test_a_move_in_the_root_is_a_move():
    game, moves, states = main_moves(read_record("(;SZ[5]AW[ee]B[aa];W[bb])"))
    assert moves == [(0, 20), (1, 16)]
    assert game.stones(states[0]) == [".....", ".....", ".....", ".....", "....O"]


def test_what_comes_after_the_move_that_is_asked_for_need_not_make_sense():
    record = read_record("(;SZ[5];B[aa];W[bb];B[aa];W[zz])")
    assert [len(main_moves(record, before)[1]) for before in (0, 1, 2, 3)] == [0, 0, 1, 2]
    for before in (4, None):
        with pytest.raises(InputError, match="node 3"):
            main_moves(record, before)


def test_the_result_counts_dead_stones_as_the_rules_do():
    game = Go(size=5, komi=0.5, scoring="territory")
    moves = ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "A3", "pass", "pass"]
    # A white stone in black's corner: dead, so that it is a prisoner and black's point beside.
    start = game.read("....O/...../...../...../O.... b - 0 0 0")
    state, actions = start, []
    for move in moves:
        actions.append(game.read_action(state, move))
        state = game.result(state, actions[-1])
    assert game.is_terminal(state)
    dead = game.dead(state)
    assert dead == {0}
    text = game.write_record(start, actions, ("one", "two"), game.utilities(state))
    assert f"RE[B+{game.margin(state, dead):g}]" in text
    assert game.margin(state) != game.margin(state, dead) > 0


def test_a_game_with_stones_set_up_later_cannot_be_played_on_here():
    game = Go(size=5)
    assert game.read_record("(;SZ[5];B[aa];W[bb])") is not None
    with pytest.raises(InputError, match="set up after move 1"):
        game.read_record("(;SZ[5];B[aa];AB[cc]PL[W];W[bb])")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "()",
        "(;B[aa]",
        "(;[aa])",
        "(;B[aa)",
        "(;lower[x])",
        "(;GM[2])",
        "(;SZ[0])",
        "(;SZ[40])",
        "(;SZ[9:13])",
        "(;SZ[x])",
        "(;KM[much])",
        "(;KM[nan])",
        "(;KM[inf])",
        "(;KM[1e999])",
        "(;KM[6.5.5])",
        "(;KM[0.1])",
        "(;KM[99999999])",
        "(;SZ[9]\x00)",
    ],
)
def test_files_that_make_no_sense_are_refused(text):
    with pytest.raises(InputError):
        read_records(text)


@pytest.mark.parametrize(
    "moves", [";B[zz]", ";B[a]", ";B[aaa]", ";B[aa];W[aa]", ";AB[aa:zz]", ";AB[cc:aa]", ";AB[aa:ii]"]
)
def test_moves_that_make_no_sense_are_refused_with_their_node(moves):
    with pytest.raises(InputError, match="node"):
        read_record(f"(;SZ[9]{moves})").states()


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="(;)[]\\BWAEaz:09 SZGKM\n", max_size=60))
def test_any_text_is_a_record_or_refused(text):
    try:
        for record in read_records(text):
            record.states()
    except InputError:
        pass


@given(st.binary(max_size=200))
def test_any_bytes_are_text(data):
    assert isinstance(decode(data), str)


def test_the_encoding_is_what_the_file_says():
    assert "é" in decode("(;CA[ISO-8859-1]PB[é])".encode("latin-1"))
    assert "棋" in decode("(;CA[gb2312]PB[棋])".encode("gb2312"))
    assert "é" in decode(b"(;CA[rot13]PB[\xe9])")


@given(st.integers(2, 19), st.data())
def test_points_have_letters_that_are_read_again(size, data):
    action = data.draw(st.integers(0, size * size))
    assert read_move(write_point(action, size), size) == action


def test_letters_count_from_the_upper_left():
    assert read_points("aa", 9) == [72]
    assert read_points("ii", 9) == [8]


@pytest.mark.parametrize("wrong", ["KM[7\x07\n.5]", "SZ[\x7f9\n9]"])
def test_what_is_wrong_with_a_number_is_one_printable_line(wrong):
    with pytest.raises(InputError) as caught:
        read_record(f"(;GM[1]{wrong};B[ee])")
    assert str(caught.value).isprintable()
