"""Numbers of 64 bits without a sign mean in compiled rules what they mean in Python."""

import random
from typing import NamedTuple

import numpy

import zermelo
from zermelo import U64
from zermelo.engine import CompiledGame

TOP = 1 << 63
FULL = (1 << 64) - 1


def lowest(x: int) -> int:
    return x & -x


class Scramble(zermelo.Game):
    """No game to play: every operator there is, on every mixture of words and ints."""

    class State(NamedTuple):
        word: U64
        number: int
        words: numpy.ndarray
        turn: int

    def __init__(self) -> None:
        self.masks = tuple(0x9E3779B97F4A7C15 * (i + 1) & FULL for i in range(40))
        self.few = self.masks[:3]

    def initial(self):
        return self.State(U64(TOP | 1), 5, numpy.array([1, TOP, 3], numpy.uint64), 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for i in range(40):
            if self.masks[i] & s.word or i < 3:
                yield i

    def result(self, s, a):
        x = 0
        for mask in self.few:
            if mask > s.word:
                x |= mask
            else:
                x ^= lowest(mask)
        for k in range(3):
            x ^= s.words[k]
        y = s.word ^ self.masks[a]
        if y % 3 == 1:
            y = y // 7 + 5
        elif y & TOP:
            y >>= 3
        y |= (1 << a) | (y << 60) & FULL
        y = (y * 3) & FULL if y < TOP // 2 else y
        words = s.words.copy()
        words[a % 3] = y ^ x
        z = int(y) % 1000 - 500
        if y >> 64 != 0 or not y:
            z = 1
        y = max(y, 17) if a % 2 else min(y, self.masks[y >> 60])
        inverted = ~y & FULL
        number = (z + s.number) // 2 + y.bit_count() + (-z).bit_length() + (1 if y > -1 else 0)
        return self.State(inverted, number, words, 1 - s.turn)

    def is_terminal(self, s):
        return s.number > 10_000 or s.word == 0

    def utility(self, s, p):
        return 1.0 if p == s.turn else -1.0

    def evaluate(self, s, p):
        return float(s.word) / 2.0**65 if p == 0 else -(s.word / 2.0**65)

    def key(self, s):
        return (s.word, s.number % 7)


def plain(s) -> tuple[int, ...]:
    return (int(s.word), int(s.number), *map(int, s.words), s.turn)


def test_every_operator_on_words_gives_pythons_result() -> None:
    game = Scramble()
    compiled = CompiledGame(game)
    chooser = random.Random(3)
    for _ in range(20):
        s = game.initial()
        for _ply in range(40):
            actions = list(game.actions(s))
            assert compiled.actions(s) == actions
            for a in actions:
                assert plain(compiled.step(s, a).state) == plain(game.result(s, a))
            assert [compiled.ask("evaluate", s, p) for p in (0, 1)] == [game.evaluate(s, p) for p in (0, 1)]
            assert game.is_terminal(s) == (compiled.info(s)[1] != ())
            s = compiled.unpack(compiled.pack(game.result(s, chooser.choice(actions))))


def test_a_key_of_the_games_own_is_hashed_as_a_whole() -> None:
    compiled = CompiledGame(Scramble())
    s = compiled.game.initial()
    assert compiled.ask("key", s) == compiled.ask("key", s._replace(number=5 + 7, turn=1))
    assert compiled.ask("key", s) != compiled.ask("key", s._replace(number=6))
    assert compiled.ask("key", s) != compiled.ask("key", s._replace(word=U64(TOP)))
