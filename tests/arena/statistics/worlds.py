"""Worlds in which the truth is known: what a pair, a game or a pool would do, and the results drawn from it."""

from __future__ import annotations

import math

import numpy as np

NAT = 400 / math.log(10)


def game_law(elo, ties):
    """Chances of loss, draw and win for a player `elo` points ahead; without ties this is Elo's own formula."""
    half = elo / NAT / 2
    weights = np.array([math.exp(-half), ties, math.exp(half)])
    return weights / weights.sum()


def pair_law(elo, bias, ties):
    """Chances of 0, ½, 1, 1½, 2 in a pair whose opening favours whoever begins by ±`bias`: the games hang together."""
    pairs = [np.convolve(game_law(elo + b, ties), game_law(elo - b, ties)) for b in (-bias, 0, bias)]
    return np.mean(pairs, axis=0)


def score(law):
    """The expected score per game."""
    return float(law @ np.linspace(0, 1, len(law)))


def pool(random, truth, games, ties, first_move):
    """`games` results of every entrant, seated first, against every other; Davidson's model on the Elo scale."""
    stretch = 1 + ties / 2
    results = []
    for first in truth:
        for second in truth:
            if first != second:
                law = game_law(stretch * (truth[first] - truth[second] + first_move), ties)
                counts = random.multinomial(games, law)
                results += [(first, second, 0.5 * at, int(n)) for at, n in enumerate(counts) if n]
    return results
