"""Games that `zermelo train` has to refuse: in one line, with the reason."""

from __future__ import annotations

import pytest

RULES = '''
from typing import NamedTuple

import zermelo as z


class Take(z.Game):
    """Take stones in turn; whoever takes the last one wins."""

    length, most = 60, 1

    class State(NamedTuple):
        left: int
        turn: int

    def initial(self):
        return self.State(self.length, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in range(1, self.most + 1):
            if n <= s.left:
                yield n

    def result(self, s, a):
        return self.State(s.left - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.left == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


class OneAction(Take):
    """There is never a choice."""


class Forced(Take):
    """There is never a choice, for longer than any game that is recorded."""

    length = 5000


class Over(Take):
    """Over at once."""

    length = 0


class Short(Take):
    """Over after an action or two."""

    length, most = 2, 2


class Endless(Take):
    """Goes round for ever."""

    def actions(self, s):
        yield 1

    def result(self, s, a):
        return self.State((s.left + 1) % 7, 1 - s.turn)

    def is_terminal(self, s):
        return False


class Solitaire(Take):
    """One player."""

    players, utility_sum, most = 1, None, 3

    def player(self, s):
        return 0

    def result(self, s, a):
        return self.State(s.left - a, 0)

    def utility(self, s, p):
        return 1.0


class Boundless(Take):
    """Nobody says how much can be won."""

    length, most, bounds = 400, 3, (float("-inf"), float("inf"))
'''


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("kingmaker", "cannot be trained: networks learn games of two players with a constant sum"),
        ("kuhn:players=3", "cannot be trained: networks learn games of two players"),
        ("prisoners-dilemma", "cannot be trained: networks learn games of two players with a constant sum"),
        ("kuhn", "cannot be trained: it hides information"),
        ("OneAction", "has nothing to learn: a search of"),
        ("Forced", "gives too little to learn from"),
        ("Over", "has nothing to learn: a search of one node solves it"),
        ("Short", "has nothing to learn: a search of"),
        ("Endless", "gives too little to learn from"),
        ("Solitaire", "cannot be trained: networks learn games of two players"),
        ("Boundless", "cannot be trained: its `bounds` are not finite"),
    ],
)
def test_a_game_that_cannot_be_learned_is_one_line(zermelo, tmp_path, game, why):
    rules = tmp_path / "odd.py"
    rules.write_text(RULES)
    text = f"{rules}:{game}" if game[0].isupper() else game
    out = tmp_path / "net.safetensors"
    done = zermelo("train", text, "--minutes", "0.02", "--threads", "1", "--out", str(out))
    *progress, said = done.stderr.splitlines()
    assert done.exit_code == 2
    assert said.startswith("zermelo: ")
    assert why in said
    assert all(line.startswith(("watch it learn: ", "sum network, generation 1, ")) for line in progress)
    assert done.stdout == ""
    assert not out.exists()
