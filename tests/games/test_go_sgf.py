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


@pytest.mark.parametrize(
    ("rules", "scoring"), [("Japanese", "territory"), ("Chinese", "area"), ("AGA", "area"), ("", "area")]
)
def test_rules_by_name_say_how_to_count(rules, scoring):
    assert read_record(f"(;SZ[5]RU[{rules}])").game.scoring == scoring


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
