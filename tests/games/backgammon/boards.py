"""Boards of backgammon, as tests set them up."""

from __future__ import annotations

import base64


def board_id(own, other):
    """The position ID of a board given as {point: chequers}, the bar being 25."""
    bits = ""
    for side in (other, own):
        for point in range(1, 26):
            bits += "1" * side.get(point, 0) + "0"
    data = int(bits[::-1], 2).to_bytes(10, "little")
    return base64.b64encode(data).decode().rstrip("=")


def rolled(game, own, other, dice):
    """The state of white with these chequers and this roll."""
    return game.result(game.read(board_id(own, other)), game.read_action(game.read(board_id(own, other)), dice))


def names(game, own, other, dice):
    s = rolled(game, own, other, dice)
    return sorted(game.show_action(s, a) for a in game.actions(s))


def after(game, s, *words):
    for word in words:
        s = game.result(s, game.read_action(s, word))
    return s
