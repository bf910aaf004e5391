"""Bots that fail, each in its own way, at their second move; and one that does not."""

import ctypes
import os
import sys

from zermelo.play import PlayerMove, Wish


class First:
    """Plays the first legal action, talks to the terminal and listens to it."""

    def __init__(self, option: int = 1):
        print("hello from the bot")
        self.option = option
        self.heard = sys.stdin.read()

    def choose(self, game, state, history):
        print("thinking", flush=True)
        os.write(1, b"and writing\n")
        return next(iter(game.actions(state)))


class Thinking:
    def think(self, game, state, history, clock):
        return PlayerMove(next(iter(game.actions(state))), 0.25, len(history), clock.nodes)


class Watching:
    """Plays the action whose number is how often it has been told that a game begins."""

    begun = 0

    def begin(self, game, seat):
        self.begun += 1

    def close(self):
        pass

    def choose(self, game, state, history):
        return list(game.actions(state))[self.begun]


class Resigning:
    def choose(self, game, state, history):
        return Wish.RESIGN


class Failing(First):
    def choose(self, game, state, history):
        return self.fail() if len(history) >= 2 else super().choose(game, state, history)


class Looping(Failing):
    def fail(self):
        while True:
            pass


class Leaving(Failing):
    def fail(self):
        os._exit(7)


class Exiting(Failing):
    def fail(self):
        raise SystemExit(9)


class Crashing(Failing):
    def fail(self):
        ctypes.string_at(0)


class Greedy(Failing):
    def fail(self):
        return bytearray(1 << 40)


class Raising(Failing):
    def fail(self):
        raise LookupError("lost")


class Cheating(Failing):
    def fail(self):
        return 99


class Silent(Failing):
    def fail(self):
        return None


class Incapable:
    pass


class Unmakeable:
    def __init__(self):
        raise ValueError("not today")

    def choose(self, game, state, history):
        return None
