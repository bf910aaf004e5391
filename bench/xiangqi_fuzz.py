"""Chinese chess against an oracle: legal moves, checks, ends, repetitions and notation, on random positions.

    pip install pyffish
    python bench/xiangqi_fuzz.py --positions 100000 --seed 1       exit 1, with the position, at the first difference

Half of the positions come from random games, with what each move leads to; the other half are pieces strewn over the
board, in which checks, pins and screens are common. Both are compared with Fairy-Stockfish's rules (pyffish, an oracle
that the package never imports).
"""

from __future__ import annotations

import importlib
import random
import sys
from collections import Counter
from typing import Any

from tools import answer, arguments, table

from zermelo.errors import PositionError
from zermelo.games import load
from zermelo.play.notation import repetition_utilities

VARIANT = "xiangqi"
MOST = {"a": 2, "b": 2, "n": 2, "r": 2, "c": 2, "p": 5}
CLOSELY = 0.2
"""Which share of the positions is compared in more than its legal moves: each question to the oracle takes 1.4 ms."""
WXF = str.maketrans(
    "帅将仕士相象马车炮兵卒前后进退平一二三四五六七八九１２３４５６７８９", "KKAAEEHRCPP+-+-=123456789123456789"
)
"""The letters of the World Xiangqi Federation."""


class DifferenceError(Exception):
    """We and the oracle do not agree; says on what."""


class Fuzz:
    """Random positions, each compared as soon as it is made."""

    def __init__(self, seed: int):
        self.game: Any = load("xiangqi")
        self.oracle: Any = importlib.import_module("pyffish")
        self.dice = random.Random(seed)
        self.counts: Counter[str] = Counter()

    def run(self, positions: int) -> None:
        while self.counts["positions"] < positions:
            if self.counts["strewn"] <= self.counts["played"]:
                self.strewn()
            else:
                self.play(positions)

    def play(self, positions: int) -> None:
        """One game; every second one takes whenever it can, and so gets to the end."""
        s = self.game.initial()
        greedy = self.dice.random() < 0.5
        while not self.game.is_terminal(s) and self.counts["positions"] < positions:
            self.compare(s, "played")
            actions = self.game.actions(s)
            noisy = [a for a in actions if self.game.is_noisy(s, a)] if greedy else []
            a = self.dice.choice(noisy or actions)
            child = self.game.result(s, a)
            if self.dice.random() < CLOSELY:
                name = self.game.show_action(s, a)
                self.agree(s, f"the result of {name}", self.game.write(child), self.oracle_result(s, name))
            s = child
        if self.game.is_terminal(s):
            self.compare(s, "played")

    def strewn(self) -> None:
        """Pieces where they may stand, with few of them more often than many."""
        fen = strew(self.dice)
        try:
            s = self.game.read(fen)
        except PositionError as error:
            self.counts["refused"] += 1
            if "could take the king" not in str(error):
                raise DifferenceError(f"refused: {error}") from None
            return
        self.compare(s, "strewn")
        if self.dice.random() < CLOSELY:
            self.compare_repetition(s)

    def compare(self, s: Any, kind: str) -> None:
        fen = self.game.write(s)
        board = " ".join(fen.split()[:4]) + " 0 1"
        is_drawn = self.game.is_terminal(s) and self.game.utility(s, 0) == 0
        actions = [] if is_drawn else self.game.actions(s)
        moves = sorted(self.oracle.legal_moves(VARIANT, board, []))
        if not is_drawn:
            self.agree(s, "the legal moves", sorted(self.game.show_action(s, a) for a in actions), moves)
        self.agree(s, "text and back", self.game.write(self.game.read(fen)), fen)
        self.agree(s, "the estimate", self.game.evaluate(self.game.read(fen), 0), self.game.evaluate(s, 0))
        if not is_drawn and not actions:
            lost = self.oracle.game_result(VARIANT, board, []) < 0
            self.agree(s, "a loss", self.game.utility(s, self.game.player(s)) == -1, lost)
            self.counts["lost"] += 1
        if self.dice.random() < CLOSELY:
            self.agree(s, "check", self.game.is_check(s), bool(self.oracle.gives_check(VARIANT, board, [])))
            if actions:
                self.compare_notation(s, board, self.dice.choice(actions))
        self.counts.update({"positions": 1, kind: 1, "in check": int(self.game.is_check(s)), "drawn": int(is_drawn)})

    def compare_notation(self, s: Any, board: str, a: int) -> None:
        ours = self.game.chinese(s, a)
        self.agree(s, f"{ours} read again", self.game.read_action(s, ours), a)
        self.agree(s, "ICCS read again", self.game.read_action(s, self.game.iccs(s, a)), a)
        if ours[1] in "兵卒":
            return  # the federation numbers pawns in another way
        letters = ours.translate(WXF)
        name = letters if ours[0] not in "前后" else letters[1] + letters[0] + letters[2:]
        move = self.game.show_action(s, a)
        theirs = self.oracle.get_san(VARIANT, board, move, False, self.oracle.NOTATION_XIANGQI_WXF)
        if ours[0] in "前后" and theirs[1] not in "+-":
            return  # the oracle tells like pieces apart only where both could make the move
        self.agree(s, f"the name of {move}", name, theirs)
        self.counts["named"] += 1

    def compare_repetition(self, s: Any) -> None:
        """Both sides go and come back, with checks where they can, until a position stands there for the third time."""
        game, path, words = self.game, [s], list[str]()
        plan: list[int] = []
        while [game.recurrence(each) for each in path].count(game.recurrence(path[-1])) < game.occurrences:
            if game.is_terminal(path[-1]):
                return
            choice = [a for a in game.actions(path[-1]) if not game.is_irreversible(path[-1], a)]
            if len(words) >= 2:
                there = plan[len(words) % 2]
                wanted = there if len(words) % 4 < 2 else there >> 7 | (there & 127) << 7
                choice = [a for a in choice if a == wanted]
            if not choice:
                return
            checks = [a for a in choice if game.is_check(game.result(path[-1], a))]
            plan.append(self.dice.choice(checks or choice))
            words.append(game.show_action(path[-1], plan[-1]))
            path.append(game.result(path[-1], plan[-1]))
        ours = repetition_utilities(game, path[-1], path[:-1])[game.player(path[-1])]
        over, theirs = self.oracle.is_optional_game_end(VARIANT, game.write(s), words)
        if ours == 0 and theirs != 0:
            self.counts["chased"] += 1  # the oracle also knows who chases a piece for ever
            return
        self.agree(s, f"the repetition by {' '.join(words)}", (True, ours), (over, (theirs > 0) - (theirs < 0)))
        self.counts["perpetual" if ours else "repeated"] += 1

    def oracle_result(self, s: Any, move: str) -> str:
        return str(self.oracle.get_fen(VARIANT, self.game.write(s), [move]))

    def agree(self, s: Any, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise DifferenceError(f"{self.game.write(s)}: {what}: ours {ours}, theirs {theirs}")


def strew(dice: random.Random) -> str:
    """A position with random pieces, each on a square where it may stand."""
    board: dict[int, str] = {}
    scarcity = dice.random()
    kinds = [kind for kind, most in MOST.items() for _ in range(most)]
    others = [(kind, red) for red in (True, False) for kind in kinds if dice.random() > scarcity]
    for kind, red in [("k", True), ("k", False), *others]:
        free = [square for square in range(90) if may_stand(kind, square, red) and square not in board]
        if free:
            board[dice.choice(free)] = kind.upper() if red else kind
    rows = ["".join(board.get(9 * row + column, " ") for column in range(9)) for row in range(9, -1, -1)]
    text = "/".join(rows)
    for empty in range(9, 0, -1):
        text = text.replace(" " * empty, str(empty))
    return f"{text} {dice.choice('wb')}"


def may_stand(kind: str, square: int, red: bool) -> bool:
    row, column = square // 9 if red else 9 - square // 9, square % 9
    if kind in "ka" and not (row <= 2 and 3 <= column <= 5):
        return False
    if kind == "a":
        return (row + column) % 2 == 1
    if kind == "b":
        return (row, column) in {(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)}
    return kind != "p" or row >= 5 or (row >= 3 and column % 2 == 0)


def main() -> None:
    asked = arguments(
        __doc__, positions=(100_000, "how many positions to compare"), seed=(1, "of the random positions")
    )
    try:
        fuzz = Fuzz(asked.seed)
    except ModuleNotFoundError:
        answer(asked, {"skipped": "pyffish"}, "skipped: the oracle is not installed: pip install pyffish", timed=False)
        return
    try:
        fuzz.run(asked.positions)
    except DifferenceError as difference:
        sys.exit(f"seed {asked.seed}, after {fuzz.counts['positions']} positions: {difference}")
    counts = dict(fuzz.counts)
    answer(
        asked, {"seed": asked.seed, "counts": counts}, table(["compared", "count"], list(counts.items())), timed=False
    )


if __name__ == "__main__":
    main()
