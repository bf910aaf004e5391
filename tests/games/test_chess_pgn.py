"""PGN: what we write python-chess reads as the same tree, the other way round, and no text can do harm."""

from __future__ import annotations

import io
import random

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import InputError
from zermelo.games.chess.pgn import new_game, read_games, write_game

WORDS = ["sharp", "book", "(novelty)", "[%clk 0:01:02]", "1. e4", "; so what", "$", "½"]


def random_game(seed):
    """A game of python-chess with variations in variations, comments and marks anywhere."""
    chance = random.Random(seed)
    start = chess.Board.from_chess960_pos(chance.randrange(960)) if seed % 3 == 0 else chess.Board()
    game = chess.pgn.Game()
    game.setup(start)
    game.headers["Annotator"] = "somebody"
    game.comment = "before all" if chance.random() < 0.5 else ""
    nodes = [game]
    for _ in range(chance.randrange(60)):
        node = nodes[-1] if chance.random() < 0.7 else chance.choice(nodes)
        moves = [m for m in node.board().legal_moves if not node.has_variation(m)]
        if moves:
            child = node.add_variation(chance.choice(moves))
            child.comment = " ".join(chance.sample(WORDS, 2)) if chance.random() < 0.2 else ""
            child.nags = set(chance.sample(range(1, 140), 1)) if chance.random() < 0.2 else set()
            if len(node.variations) > 1 and chance.random() < 0.3:
                child.starting_comment = "instead"
            nodes.append(child)
    return game


def compare(node, theirs, rules):
    """Asserts that two trees are the same, node by node, comments up to their blanks."""
    waiting = [(node, theirs)]
    while waiting:
        node, theirs = waiting.pop()
        assert rules.write(node.state) == theirs.board().fen()
        assert (node.comment, set(node.nags)) == (" ".join(theirs.comment.split()), theirs.nags)
        if theirs.parent is not None:
            assert node.opening == theirs.starting_comment
        waiting += zip(node.children, theirs.variations, strict=True)


@pytest.mark.parametrize("seed", range(60))
def test_what_others_write_is_read_as_the_same_tree_and_written_back(seed):
    theirs = random_game(seed)
    (ours,) = read_games(str(theirs))
    assert ours.problems == []
    compare(ours.root, theirs, ours.rules)
    assert ours.tags == dict(theirs.headers)
    back = chess.pgn.read_game(io.StringIO(write_game(ours)))
    assert back is not None
    assert back.errors == []
    compare(ours.root, back, ours.rules)
    (again,) = read_games(write_game(ours))
    assert write_game(again) == write_game(ours)


def test_a_file_holds_many_games():
    text = "".join(write_game(next(read_games(str(random_game(seed))))) for seed in range(10))
    assert [len(game.line()) for game in read_games(text)] == [len(list(random_game(n).mainline())) for n in range(10)]


def test_a_move_that_makes_no_sense_ends_its_line_and_no_other():
    first, second = read_games('1. e4 e5 (1... c4 2. Nf3) (1... c5 2. Nc3) 2. Qh9 Nc6 1-0 [White "x"]\n1. d4 *')
    assert [len(first.line()), len(second.line())] == [2, 1]
    assert [len(child.children) for child in first.root.children[0].children] == [0, 1]
    assert ["'c4' is no move" in first.problems[0], "'Qh9' is no move" in first.problems[1]] == [True, True]
    assert first.result == "1-0"


def test_a_game_goes_on_past_fifty_moves_that_nobody_claimed():
    (game,) = read_games('[FEN "7k/8/6K1/8/8/8/8/R7 b - - 120 90"]\n\n90... Kg8 91. Ra8# 1-0')
    assert (len(game.line()), game.problems) == (2, [])


def test_a_position_that_is_none_is_a_problem_of_its_game():
    (game,) = read_games('[FEN "nonsense"]\n\n1. e4 *')
    assert (game.line(), "nonsense" in game.problems[0]) == ([], True)


def test_variations_may_be_nested_without_end():
    depth = 3000
    text = "1. Nf3 Nf6 " + "(1... Nc6 " * depth + ")" * depth + " *"
    (game,) = read_games(text)
    assert len(list(read_games(write_game(game)))) == 1


@pytest.mark.parametrize("value", ['a "quoted" name', "back\\slash", '"]', "", "é"])
def test_the_value_of_a_tag_is_kept_whatever_it_holds(value):
    game = new_game()
    game.tags["White"] = value
    (again,) = read_games(write_game(game))
    assert again.tags == game.tags


def test_a_tag_has_a_name_of_letters():
    game = new_game()
    game.tags["two words"] = "x"
    with pytest.raises(InputError, match="name of a tag"):
        write_game(game)


PIECES = [
    "e4",
    "1.",
    "Nf3",
    "e5",
    "O-O",
    "--",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    "\n",
    "%",
    ";",
    "$1",
    "$999",
    "!?",
]
PIECES += ["1-0", "*", '[Event "x"]\n', '[FEN "8/8"]\n', " ", "\0", "é"]
pieces_of_text = st.lists(st.sampled_from(PIECES))


@settings(max_examples=200, deadline=None)
@given(pieces_of_text.map(" ".join) | pieces_of_text.map("".join) | st.text(max_size=200))
def test_any_text_can_be_read_and_what_is_read_can_be_written(text):
    for game in read_games(text):
        (again,) = read_games(write_game(game))
        assert len(again.line()) == len(game.line())


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        '[A "' * 20_000,
        "e4" + "+" * 100_000 + "x",
        "{" * 100_000,
        "1. e4 " + "(1. d4 " * 2_000,
        "1" * 99_999,
    ],
    ids=["brackets", "tags", "marks", "braces", "variations", "digits"],
)
def test_a_hostile_text_is_read_in_time_that_grows_with_it(text):
    """A deep nest must not end the process, nor a long line take an hour; nothing here measures time."""
    games = list(read_games(text))
    assert len(games) <= 1
    assert all(read_games(write_game(game)) for game in games)
