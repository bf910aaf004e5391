"""Brute force, small enough to be believed: every position of a small game, its tree and its value."""

from __future__ import annotations

from functools import cache

import pytest

from zermelo.game import CHANCE


@pytest.fixture(scope="session")
def positions():
    """All positions that can be reached from the start of a game."""

    def reachable(game):
        start = game.initial()
        found, waiting = {game.key(start): start}, [start]
        while waiting:
            s = waiting.pop()
            for a in game.actions(s):
                child = game.result(s, a)
                if game.key(child) not in found:
                    found[game.key(child)] = child
                    waiting.append(child)
        return list(found.values())

    return reachable


@pytest.fixture(scope="session")
def tree_size():
    """(nodes, complete games) of the whole tree; transpositions are counted each time, but walked once."""

    def measure(game):
        @cache
        def below(s):
            children = [below(game.result(s, a)) for a in game.actions(s)]
            return 1 + sum(n for n, _ in children), sum(g for _, g in children) if children else 1

        return below(game.initial())

    return measure


@pytest.fixture(scope="session")
def value_of():
    """What a position is worth to player 0 if both play their best: minimax, with expectations at chance."""

    def solver(game):
        @cache
        def value(s):
            if game.is_terminal(s):
                return game.utility(s, 0)
            mover = game.player(s)
            if mover == CHANCE:
                return sum(chance * value(game.result(s, a)) for a, chance in game.chances(s))
            return (max if mover == 0 else min)(value(game.result(s, a)) for a in game.actions(s))

        return value

    return solver


@pytest.fixture(scope="session")
def play():
    """The position after actions given as text, from the start."""

    def after(game, text):
        s = game.initial()
        for word in text.split():
            s = game.result(s, game.read_action(s, word))
        return s

    return after


@pytest.fixture(scope="session")
def board():
    """A board as text, as `show` gives it, out of an indented literal."""

    def clean(text):
        lines = text.strip("\n").splitlines()
        margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
        return "\n".join(line[margin:] for line in lines).rstrip()

    return clean
