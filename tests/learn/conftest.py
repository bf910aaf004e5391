"""What the tests of learning share: a game whose true weights are known, and files of its positions."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo as z

TRUE = (1.5, -0.75, 0.25)


class Drawn(z.Game):
    """Three numbers lie on the table; chance has decided who wins, by odds that follow from them."""

    class State(NamedTuple):
        a: int
        b: int
        c: int
        over: bool

    def initial(self):
        return self.State(0, 0, 0, False)

    def player(self, s):
        return 0

    def actions(self, s):
        if not s.over:
            yield 1

    def result(self, s, a):
        return self.State(s.a, s.b, s.c, True)

    def is_terminal(self, s):
        return s.over

    def utility(self, s, p):
        return 1.0 if (s.a > 0) == (p == 0) else -1.0

    def features(self, s):
        return [s.a, s.b / 100, s.c * 10]

    def is_noisy(self, s, a):
        return a == 7


def drawn_rows(count: int, seed: int = 0, action: int = 1) -> list[dict[str, object]]:
    dice = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(count):
        numbers = dice.randint(-2, 2), dice.randint(-200, 200), dice.randint(-2, 2)
        odds = TRUE[0] * numbers[0] + TRUE[1] * numbers[1] / 100 + TRUE[2] * numbers[2] * 10
        won = dice.random() < 1 / (1 + math.exp(-odds))
        mover = number % 2
        rows.append({
            "game": number // 3, "mover": mover, "action": action, "value": None,
            "position": Drawn().write(Drawn.State(*numbers, False)), "result": 1.0 if won == (mover == 0) else -1.0,
        })  # fmt: skip
    return rows


@pytest.fixture
def write_rows(tmp_path: Path):
    def write(rows: list[dict[str, object]], name: str = "positions-000000.jsonl") -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return write
