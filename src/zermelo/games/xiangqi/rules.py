"""Chinese chess. Its rules are native (`native/games/xiangqi`); text, notation and picture are here.

A square is 9 · row + column: row 0 is red's own, column 0 is `a` on red's left. An action is from + 128 · to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from zermelo.engine.native import Bytes, CoreGame
from zermelo.games.xiangqi import notation, slices
from zermelo.games.xiangqi.picture import draw, place_name

NAMED = {"R": "chariot", "C": "cannon", "N": "horse", "B": "elephant", "A": "advisor", "P": "soldier"}
FROM_FEN = {str(n): "." * n for n in range(1, 10)}


class Xiangqi(CoreGame, core="xiangqi"):
    """Chinese chess: two armies on either side of a river; whoever has no legal move has lost."""

    title = "Chinese chess (xiangqi)"
    player_colours = ("#b3382c", "#2e2a24")

    player_below = 0
    occurrences = 3
    pawn = 0.005
    win_rate = (0.0148, 0.0165)
    input_count, stage_count = 1280, 8
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
    symmetry_count = 2
    tables_ignore = ("characters",)

    def __init__(self, characters: bool = False):
        super().__init__()
        self.characters = characters
        """Whether boards are written in Chinese characters, instead of the letters of FEN."""

    def player(self, s: Bytes) -> int:
        return s.data[0]

    def slices(self, pieces: int) -> Iterable[int]:
        return slices.slices(pieces)

    def slice_name(self, m: int) -> str:
        return slices.name(m)

    def pieces(self, s: Bytes) -> str:
        """What stands on each square, from square 0 on: a letter of FEN, capital for red, or a dot."""
        rows = self.write(s).split()[0].split("/")
        return "".join("".join(FROM_FEN.get(letter, letter) for letter in row) for row in reversed(rows))

    def count_pieces(self, s: Bytes, p: int) -> dict[str, int]:
        board = self.pieces(s)
        return {name: board.count(letter.lower() if p else letter) for letter, name in NAMED.items()}

    # Positions and moves as text.

    def show(self, s: Bytes) -> str:
        pieces = self.pieces(s)
        show, columns = (notation.NAMES, "ａｂｃｄｅｆｇｈｉ") if self.characters else ({}, "abcdefghi")
        between = "" if self.characters else " "
        lines = []
        for row in range(9, -1, -1):
            marks = (show.get(piece, piece) for piece in pieces[9 * row : 9 * row + 9])
            lines.append(f"{row + 1:>2}  {between.join(marks)}")
            if row == 5:
                lines.append("    " + "~" * len(between.join(columns)) * (2 if self.characters else 1))
        check = ", in check" if self.is_check(s) else ""
        return "\n".join([*lines, "    " + between.join(columns), f"{self.player_name(self.player(s))} to move{check}"])

    def player_name(self, p: int) -> str:
        return ("red", "black")[p]

    def show_action(self, s: Bytes, a: int) -> str:
        """As UCI engines write it: rows are 1 to 10."""
        return notation.square_name(a & 127, 1) + notation.square_name(a >> 7, 1)

    def iccs(self, s: Bytes, a: int) -> str:
        """As in `H2-E2`: rows are 0 to 9."""
        return f"{notation.square_name(a & 127, 0)}-{notation.square_name(a >> 7, 0)}".upper()

    def xboard_move(self, s: Bytes, a: int) -> str:
        """As in `h2e2`: programs that speak XBoard's protocol count rows from 0 to 9."""
        return notation.square_name(a & 127, 0) + notation.square_name(a >> 7, 0)

    def chinese(self, s: Bytes, a: int) -> str:
        """As people write it in Chinese: 炮二平五."""
        return notation.chinese_names(self.pieces(s), a & 127, a >> 7)[0]

    def read_action(self, s: Bytes, text: str) -> int:
        """Reads `h3e3` (UCI), `H2-E2` (ICCS, known by its dash) and 炮二平五, in simple or traditional characters."""
        word = text.strip()
        found: list[int] = []
        if re.fullmatch(r"[a-iA-I][0-9]-[a-iA-I][0-9]", word):
            found = [a for a in self.actions(s) if self.iccs(s, a) == word.upper()]
        elif len(word) == 4 and not word.isascii():
            pieces, wanted = self.pieces(s), notation.simple(word)
            names = {a: notation.chinese_names(pieces, a & 127, a >> 7) for a in self.actions(s)}
            found = [a for a in names if any(notation.simple(name) == wanted for name in names[a])]
        return found[0] if len(found) == 1 else super().read_action(s, text)

    def write_record(
        self, start: Bytes, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        """PGN as programs of Chinese chess write it, with moves in ICCS; what `read_action` reads needs no reader."""
        from zermelo.games.xiangqi.notation import write_game

        moves, state = [], start
        for action in actions:
            moves.append(self.iccs(state, action))
            state = self.result(state, action)
        position = None if start == self.initial() else self.write(start)
        return write_game(moves, players, utilities, position, self.player(start))

    def picture(self, s: Bytes) -> str:
        return draw(self.pieces(s))

    def decisive(self, s: Bytes) -> list[tuple[str, int]]:
        king = self.pieces(s).index("Kk"[self.player(s)])
        return [(place_name(king), -1)] if self.is_check(s) else []
