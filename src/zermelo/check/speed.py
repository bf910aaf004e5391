"""How fast the rules run as plain Python: random games with nothing checked."""

from __future__ import annotations

import random
import time
from itertools import islice

from zermelo.check.facts import Facts
from zermelo.check.rules import MOST_ACTIONS, Rules

TELL_SECONDS = 0.01
"""How often the watch is told: telling it at every position would be measured, too."""
ENOUGH = 30_000
"""Positions after which the speed is known well enough."""
LONGEST = 10_000
"""Plies after which a game is taken for one that need not end."""
ENDLESS = f"a game at random did not end within {LONGEST:,} plies; searches to the end of the game will not end either"


def measure(rules: Rules, facts: Facts, seconds: float, seed: int) -> float:
    """Positions per second of random play, over `seconds` at most; 0 if the rules do not get that far."""
    game, watch = rules.game, rules.watch
    choose = random.Random(seed).choice
    positions = 0
    begin = now = time.perf_counter()
    told = 0.0
    try:
        while now - begin < seconds and positions < ENOUGH:
            s = game.initial()
            for _ in range(LONGEST):
                positions += 1
                now = time.perf_counter()
                if now - told > TELL_SECONDS:
                    told = now
                    watch.plays()
                if game.is_terminal(s) or now - begin > seconds:
                    break
                game.player(s)
                s = game.result(s, choose(list(islice(game.actions(s), MOST_ACTIONS))))
            else:
                if facts.repetition is None:
                    rules.ledger.note(ENDLESS)
    except BaseException:
        # The rules were blamed for it when they were checked, or will be in the next, longer check.
        if rules.interrupted:
            raise
    return positions / (now - begin) if now > begin else 0.0
