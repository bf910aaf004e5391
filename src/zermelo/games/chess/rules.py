"""Chess as a game of the package: the native rules, and its moves and positions as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from zermelo.engine.native import Bytes, CoreGame
from zermelo.errors import ActionError
from zermelo.games.chess import slices
from zermelo.games.chess.board import (
    FILES,
    draw,
    in_check,
    is_bare,
    material,
    read_board,
    square_name,
    start_fen,
    turn_of,
)
from zermelo.games.chess.notation import find_moves, write_coordinates, write_san
from zermelo.games.chess.polyglot import write_key, write_move
from zermelo.options import flag, takes, text, whole

STANDARD = 518
NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")


class Chess(CoreGame, core="chess"):
    """Checkmate your opponent's king."""

    player_colours = ("#fffdf7", "#2c2620")

    player_below = 0
    occurrences = 3
    input_count, stage_count = 768, 8
    training: ClassVar[Mapping[str, Any]] = {
        "family": "sum",
        "width": 128,
        "nodes": 300,
        "taught_share": 0.5,
        "generations": 4,
        "score_share": 0.85,
        "window_share": 1.0,
        "passes": 8.0,
        "rate": 0.003,
        "batch": 8192,
    }
    pawn = 0.01
    win_rate = (0.0118, 0.0146)
    tables_ignore = ("start", "chess960")
    key_omits = "the plies that count towards the draw by fifty moves"

    @takes(
        start=whole(0, 959, about="the start of Chess960 of that number; 518 is the usual one"),
        chess960=flag(about="castling as in Chess960"),
        weights=text(),
    )
    def __init__(self, start: int = STANDARD, chess960: bool = False, weights: str = ""):
        super().__init__(weights)
        self.start = start
        self.chess960 = chess960 or start != STANDARD

    def initial(self) -> Bytes:
        return super().initial() if self.start == STANDARD else self.read(start_fen(self.start))

    def player(self, s: Bytes) -> int:
        return turn_of(s.data)

    def player_name(self, p: int) -> str:
        return ("white", "black")[p]

    def slices(self, pieces: int) -> Iterable[int]:
        return slices.slices(pieces)

    def slice_name(self, m: int) -> str:
        return slices.name(m)

    def show(self, s: Bytes) -> str:
        board = read_board(s.data)
        lines = []
        for rank in range(7, -1, -1):
            lines.append(f"{rank + 1}  {' '.join(board.letter(8 * rank + file) for file in range(8))}")
        check = ", in check" if in_check(s.data) else ""
        return "\n".join([*lines, f"   {' '.join(FILES)}", f"{self.player_name(board.turn)} to move{check}"])

    def picture(self, s: Bytes) -> str:
        return draw(read_board(s.data))

    def decisive(self, s: Bytes) -> list[tuple[str, int]]:
        board = read_board(s.data)
        king = next(square for square in range(64) if board.letter(square) == "Kk"[board.turn])
        return [(square_name(king), -1)] if in_check(s.data) else []

    def say_end(self, s: Bytes) -> str:
        board = read_board(s.data)
        if any(self.utilities(s)):
            return "checkmate"
        if board.clock >= 100:
            return "fifty moves without a capture or a pawn's move"
        return "too little material to mate" if is_bare(board) else "stalemate"

    def count_pieces(self, s: Bytes, p: int) -> dict[str, int]:
        board = read_board(s.data)
        own = board.black if p else board.white
        counts = {name: (squares & own).bit_count() for name, squares in zip(NAMES, board.pieces, strict=True)}
        return {name: counts[name] for name in reversed(NAMES[:-1])}

    def tally(self, s: Bytes, p: int) -> str:
        ahead = material(read_board(s.data)) * (1 - 2 * p)
        return f"+{ahead}" if ahead > 0 else ""

    # Moves: SAN for people, coordinates for programs; either is read.

    def show_action(self, s: Bytes, a: int) -> str:
        """The move in SAN."""
        step = self.native.step(s, a)
        check = "" if not in_check(step.state.data) else "#" if any(step.utilities) else "+"
        return write_san(read_board(s.data), a, self.native.actions(s), check)

    def write_action(self, s: Bytes, a: int) -> str:
        """The move in coordinates, as UCI has it."""
        return write_coordinates(a, self.chess960)

    def read_action(self, s: Bytes, text: str) -> int:
        """The legal move that `text` names, in SAN or in coordinates."""
        found = find_moves(text, self.actions(s))
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(self.show_action(s, a) for a in found)
            raise ActionError(f"{text!r} names {len(found)} actions here; say which of: {names}")
        return super().read_action(s, text)

    # Books of other programs.

    def polyglot_key(self, s: Bytes) -> int:
        return write_key(read_board(s.data))

    def polyglot_move(self, s: Bytes, a: int) -> int:
        return write_move(a)
