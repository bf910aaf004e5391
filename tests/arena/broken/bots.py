"""Bots for `rules.py`, each of which fails in its own way."""

import os


class Sound:
    def choose(self, game, state, history):
        print("a bot may print", flush=True)
        return 1


class Looping:
    def choose(self, game, state, history):
        while len(history) >= 2:
            pass
        return 1


class Leaving:
    def choose(self, game, state, history):
        if len(history) >= 2:
            os._exit(7)
        return 1


class Unmakeable:
    def __init__(self):
        raise ValueError("not today")

    def choose(self, game, state, history):
        return 1


class Unready:
    """Fails when a game begins."""

    def begin(self, game, seat):
        raise RuntimeError("not ready")

    def close(self):
        pass

    def choose(self, game, state, history):
        return 1


class Unwilling:
    """Ends its process when a game begins."""

    def begin(self, game, seat):
        os._exit(5)

    def close(self):
        pass

    def choose(self, game, state, history):
        return 1
