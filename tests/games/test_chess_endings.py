"""Known draws of chess count next to nothing: king and pawn against king whole, others by proof or example."""

from __future__ import annotations

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterator

import pytest

from zermelo import search
from zermelo.games import load

GAME = load("chess:network=no")
SQUARES = range(64)
NEIGHBOURS = [[t for t in SQUARES if t != s and abs(t % 8 - s % 8) <= 1 and abs(t // 8 - s // 8) <= 1] for s in SQUARES]
Place = tuple[int, int, int, bool]
"""White's king, its pawn, Black's king, and whether White moves."""


@functools.cache
def row(men: tuple[tuple[int, str], ...]) -> str:
    """One rank of a FEN, from the files of its men."""
    text = "".join(dict(men).get(file, "1") for file in range(8))
    for gap in range(8, 1, -1):
        text = text.replace("1" * gap, str(gap))
    return text


def fen(men: dict[int, str], white_moves: bool) -> str:
    ranks: list[list[tuple[int, str]]] = [[] for _ in range(8)]
    for square, letter in men.items():
        ranks[square // 8].append((square % 8, letter))
    return f"{'/'.join(row(tuple(rank)) for rank in reversed(ranks))} {'w' if white_moves else 'b'} - - 0 1"


def is_legal(king: int, pawn: int, other: int, white_moves: bool) -> bool:
    apart = len({king, pawn, other}) == 3 and other not in NEIGHBOURS[king]
    return apart and not (white_moves and other in guarded(pawn))


def guarded(pawn: int) -> list[int]:
    return [pawn + 8 + side for side in (-1, 1) if 0 <= pawn % 8 + side < 8]


def moves(place: Place) -> Iterator[Place | str]:
    """What each move leads to: a place, a `queen` that stays on the board, or a `draw`."""
    king, pawn, other, white_moves = place
    if not white_moves:
        for to in NEIGHBOURS[other]:
            if to not in NEIGHBOURS[king] and to not in guarded(pawn):
                yield "draw" if to == pawn else (king, pawn, to, True)
        return
    for to in NEIGHBOURS[king]:
        if to not in (pawn, *NEIGHBOURS[other]):
            yield (to, pawn, other, False)
    ahead = pawn + 8
    if ahead in (king, other):
        return
    if ahead >= 56:
        yield "draw" if ahead in NEIGHBOURS[other] and ahead not in NEIGHBOURS[king] else "queen"
        return
    yield (king, ahead, other, False)
    if pawn < 16 and pawn + 16 not in (king, other):
        yield (king, pawn + 16, other, False)


def solve_by_predecessors(places: list[Place]) -> set[Place]:
    """The places that White wins, found backwards from promotions, each move looked at once."""
    before: dict[Place, list[Place]] = defaultdict(list)
    open_replies: dict[Place, int] = {}
    won: list[Place] = []
    for place in places:
        found = list(moves(place))
        if place[3] and "queen" in found:
            won.append(place)
        open_replies[place] = len(found)
        for after in found:
            if isinstance(after, tuple):
                before[after].append(place)
    known = set(won)
    for place in won:
        for earlier in before[place]:
            open_replies[earlier] -= 1
            if earlier not in known and (earlier[3] or open_replies[earlier] == 0):
                known.add(earlier)
                won.append(earlier)
    return known


def is_drawn(positions: list[str]) -> list[bool]:
    """Whether a pawn counts next to nothing there."""
    features = GAME.features_of([GAME.read(text) for text in positions])
    pawns = abs(features[:, GAME.feature_names().index("pawn, endgame")])
    assert pawns.min() > 0
    return [bool(worth < 0.05) for worth in pawns]


@pytest.fixture(scope="module")
def pawn_endings() -> tuple[list[Place], set[Place]]:
    """All legal places with the pawn on the files a to d, and those that White wins."""
    every = itertools.product(SQUARES, range(8, 56), SQUARES, (True, False))
    places = [place for place in every if place[1] % 8 < 4 and is_legal(*place)]
    return places, solve_by_predecessors(places)


def test_king_and_pawn_against_king_is_solved_whole(pawn_endings: tuple[list[Place], set[Place]]) -> None:
    places, won = pawn_endings
    # As published: 124,960 and 97,604 wins with the pawn on any file, with the pawn's side to move or the other.
    assert [2 * sum(place[3] is moves for place in won) for moves in (True, False)] == [124_960, 97_604]
    texts = [fen({king: "K", pawn: "P", other: "k"}, white) for king, pawn, other, white in places]
    for text, place, drawn in zip(texts, places, is_drawn(texts), strict=True):
        assert drawn == (place not in won), text


def test_the_bitbase_is_the_same_on_the_other_files_and_for_black(
    pawn_endings: tuple[list[Place], set[Place]],
) -> None:
    places, won = pawn_endings
    sample = places[::97]
    mirrored = [fen({k ^ 7: "K", p ^ 7: "P", o ^ 7: "k"}, white) for k, p, o, white in sample]
    turned = [fen({k ^ 56: "k", p ^ 56: "p", o ^ 56: "K"}, not white) for k, p, o, white in sample]
    expected = [place not in won for place in sample]
    assert is_drawn(mirrored) == expected
    assert is_drawn(turned) == expected


def test_a_pawn_that_may_become_a_queen_that_stays_wins(pawn_endings: tuple[list[Place], set[Place]]) -> None:
    """Where the queen would stalemate, a rook does not, or else a move of the king wins as well."""
    places, won = pawn_endings
    for place in places:
        king, pawn, other, white = place
        if pawn < 48 or not white or "queen" not in (found := list(moves(place))):
            continue
        s = GAME.read(fen({king: "K", pawn: "P", other: "k"}, white))
        ends = [GAME.result(s, a) for a in GAME.actions(s) if GAME.show_action(s, a)[2:4] in ("=Q", "=R")]
        stays = any(not GAME.is_terminal(end) or any(GAME.utilities(end)) for end in ends)
        assert stays or any(after in won for after in found), GAME.write(s)


def test_the_wrong_bishop_never_drives_the_king_from_the_corner() -> None:
    """An invariant over all positions: the king stays in or beside the corner, or takes, or is stalemated."""
    corner = {48, 49, 56, 57}
    dark = [s for s in SQUARES if (s // 8 + s % 8) % 2 == 0]
    texts = []
    for king, bishop, pawn, other in itertools.product(SQUARES, dark, range(8, 56, 8), corner):
        if len({king, bishop, pawn, other}) < 4 or other in NEIGHBOURS[king]:
            continue
        text = fen({king: "K", bishop: "B", pawn: "P", other: "k"}, False)
        texts.append(text)
        s = GAME.read(text)
        if GAME.is_terminal(s):
            assert GAME.utilities(s) == (0, 0), text
            continue
        squares = {(a >> 6) & 63 for a in GAME.actions(s)}
        assert squares & (corner | {bishop, pawn}), text
    assert all(is_drawn(texts))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 0, 10),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 50, 1000),  # won: the king gets in front of its pawn
        ("4k3/8/8/8/8/8/NN6/4K3 w - - 0 1", 0, 20),
        ("k7/8/8/8/8/B7/P7/4K3 w - - 0 1", 0, 20),
        ("k7/8/8/8/8/1B6/P7/4K3 w - - 0 1", 200, 1000),  # the right bishop
        ("8/8/8/3k4/8/B7/P7/4K3 w - - 0 1", 200, 1000),  # the king is far from the corner
        ("k7/8/8/8/8/B7/P6P/4K3 w - - 0 1", 200, 1000),  # pawns on both edges
        ("k7/8/8/8/8/B7/PP6/4K3 w - - 0 1", 200, 1000),
        ("7K/8/8/8/8/8/1kp5/6Q1 w - - 0 1", 0, 250),  # the queen is held by a bishop's pawn
        ("7K/8/8/8/8/8/1k1p4/6Q1 w - - 0 1", 400, 2000),  # a central one does not hold it
        ("7K/8/8/8/8/1pk5/8/6R1 b - - 0 1", -100, 200),  # the rook is held
        ("8/8/8/8/8/1pk5/8/1K4R1 b - - 0 1", 200, 1000),  # its king stands before the pawn
    ],
)
def test_drawn_endings_are_not_believed_and_won_ones_are(text: str, least: float, most: float) -> None:
    s = GAME.read(text)
    points = GAME.evaluate(s, 0) * GAME.scale
    assert least <= points <= most
    assert sum(value for _, value in GAME.explain(s)) == pytest.approx(points, abs=1)


def test_a_search_of_a_drawn_pawn_ending_says_so_and_keeps_the_pawn() -> None:
    s = GAME.read("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1")
    found = search(GAME, s, depth=10)
    assert abs(found.value) * GAME.scale <= 10
    assert GAME.show_action(s, found.action).startswith("K")
    assert search(GAME, GAME.read("8/8/8/8/4p3/4k3/8/4K3 b - - 0 1"), depth=10).value * GAME.scale > 100
