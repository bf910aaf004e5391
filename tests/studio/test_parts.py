"""What a line of play loses, and when."""

from __future__ import annotations

from typing import Any

from zermelo.game import Game
from zermelo.games.chess import Chess
from zermelo.studio.views.parts import LineParts, find_part, follows_mover


def read_moves(game: Game, state: Any, text: str) -> list[Any]:
    line = []
    for word in text.split():
        line.append(game.read_action(state, word))
        state = game.result(state, line[-1])
    return line


def test_a_part_is_lost_at_the_ply_after_which_it_stays_lost() -> None:
    game = Chess()
    start = game.read("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    worse = read_moves(game, start, "Qh4 Nxh4 Nf6 d3 d6 O-O")
    better = read_moves(game, start, "Nf6 d3 Be7 O-O O-O Nc3")
    part = find_part(game, start, worse, better, 1000.0)
    assert part is not None
    assert (part.name, part.ply, part.missed) == ("material", 2, 0.0)
    assert part.lost > 900
    back = find_part(game, start, better, worse, 1000.0)
    assert back is None


def test_what_an_exchange_takes_and_gives_back_is_not_lost() -> None:
    game = Chess()
    start = game.read("r3k2r/ppp2ppp/4p3/3n4/8/2N5/PPPP1PPP/R3K2R w - - 0 1")
    course = LineParts(game, start, read_moves(game, start, "Nxd5 exd5 d4 Kd7"))
    material = [points["material"] for points in course.points]
    assert material[1] > material[0] + 200
    assert course.ply_of("material") == 0


def test_ends_that_contradict_the_difference_explain_nothing() -> None:
    game = Chess()
    start = game.initial()
    worse, better = read_moves(game, start, "a3 e5 e4"), read_moves(game, start, "e4 e5 Nf3")
    assert find_part(game, start, worse, better, 900.0) is None


def test_the_worth_of_a_tempo_follows_the_mover() -> None:
    game = Chess()
    course = LineParts(game, game.initial(), read_moves(game, game.initial(), "e4 e5 Nf3 Nc6 Bb5"))
    assert follows_mover([course], "to move")
    assert not follows_mover([course], "squares")
    assert not follows_mover([course], "material")
