"""The three-move openings of checkers, from the rules alone: those in which no side has lost a man by the search below.

    python bench/ballots.py            derives them, and compares them with the file that the game brings
    python bench/ballots.py --depth 5

Every line of three moves is played; lines to one position count once. A search whose evaluation is material alone, with
captures played out, says whether a side is a man down for good: from depth 5 on the answer is the same at every depth.
"""

from __future__ import annotations

from typing import Any

from tools import answer, arguments, table

from zermelo.arena.openings import read_openings
from zermelo.engine.engine import Engine
from zermelo.games import load
from zermelo.games.checkers import Checkers

MAN = 1 / 24
"""The worth of a man, so that all men of both sides are less than a win."""


class Material(Checkers):
    """Checkers, of which only men and kings count."""

    def evaluate(self, s: Any, p: int) -> float:
        ahead = self.count(s.mine, s.kings) - self.count(s.theirs, s.kings)
        return (ahead if p == s.turn else -ahead) / 48.0

    def count(self, pieces: int, kings: int) -> int:
        """2 a man, 3 a king."""
        return 2 * pieces.bit_count() + (pieces & kings).bit_count()


def main() -> None:
    asked = arguments(__doc__, depth=(7, "plies of the deepest search"))
    game = Material()
    lines = [()]
    for _ in range(3):
        lines = [(*line, a) for line in lines for a in game.actions(reach(game, line))]
    positions = {reach(game, line) for line in lines}
    rows, engine, even = [], Engine(game), positions
    for depth in range(1, asked.depth + 1):
        even = {s for s in positions if abs(engine.search(s, depth=depth).value) < MAN * 0.99}
        rows.append([depth, len(even), len(positions) - len(even)])
    rules = load("checkers:tables=no,network=no,book=no")
    book = read_openings("all-ballots", rules, 1)
    kept = {tuple(opening.reach(rules)[0]) for opening in book.openings}
    same = kept == {tuple(s) for s in even}
    text = f"{len(lines)} lines, {len(positions)} positions\n\n{table(['depth', 'even', 'a man is lost'], rows)}\n\n"
    found = {"lines": len(lines), "positions": len(positions), "depths": rows, "same": same}
    answer(asked, found, text + f"all-ballots has {len(kept)} positions, {'the same' if same else 'not the same'}")


def reach(game: Checkers, line: tuple[int, ...]) -> Any:
    s = game.initial()
    for a in line:
        s = game.result(s, a)
    return s


if __name__ == "__main__":
    main()
