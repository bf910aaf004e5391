"""How many games the same luck for both sides, and taking luck off, are worth: the variance of a pair's mean payoff.

    python bench/luck.py                 all games, 300 pairs each
    python bench/luck.py --pairs 50      a few, to see that it works

Three ways to share luck: none, the n-th chance event of the game, and the n-th event of each seat, which is what
tournaments do. Then, with the last, the rules of `--adjust`. Numbers are variances over that without sharing: with a
quarter of it a match needs a quarter of the games.
"""

from __future__ import annotations

import statistics
import zlib
from collections.abc import Sequence
from typing import Any

from tools import answer, arguments, machine, table

from zermelo.arena.adjust import Adjuster
from zermelo.arena.players import make_player
from zermelo.game import AnyGame, Game
from zermelo.games import load
from zermelo.play import Chooser, Gambler, LiveGame, Luck

MATCHES: tuple[tuple[str, tuple[str, str], str], ...] = (
    ("kuhn", ("cfr:iterations=1000", "random"), "solved"),
    ("leduc", ("cfr:iterations=200", "random"), "solved"),
    ("leduc", ("cfr:iterations=200", "mcts:simulations=30"), "solved"),
    ("goofspiel:cards=6,points=yes", ("mcts:simulations=50", "random"), ""),
    ("pig", ("expectiminimax:depth=3", "expectiminimax:depth=1"), "evaluate"),
    ("backgammon:cube=yes", ("engine:depth=1", "expectiminimax:depth=1,noise=0.2"), "evaluate"),
)
"""Games, players, and the rule of `--adjust` that fits."""


class ByNumber(Luck):
    """The n-th event is the same whoever's it is."""

    def owner(self, game: Game, s: Any, pairs: Sequence[Any], last: int) -> int:
        return 0


def play(game: AnyGame, players: Sequence[Chooser], luck: Luck, seed: int, adjuster: Adjuster | None) -> float:
    """What seat 0 got."""
    for seat, player in enumerate(players):
        if isinstance(player, Gambler):
            player.reseed(64 * seed + seat)
    live = LiveGame(game, players=players, luck=luck)
    paid = live.play().utilities
    assert paid is not None
    return paid[0] if adjuster is None else adjuster.adjust(live, paid, players, seed)[0]


def pair(game: AnyGame, sides: Sequence[Sequence[Chooser]], way: str, seed: int, adjuster: Adjuster | None) -> float:
    """What the first player got a game, once in each seat."""
    kind = ByNumber if way == "number" else Luck
    seeds = (2 * seed, 2 * seed + 1) if way == "none" else (2 * seed, 2 * seed)
    found = [play(game, side, kind(each), each, adjuster) for side, each in zip(sides, seeds, strict=True)]
    return (found[0] - found[1]) / 2


def measure(text: str, names: Sequence[str], rule: str, pairs: int) -> list[str]:
    game, first = load(text), zlib.crc32(text.encode())
    sides = [[make_player(name) for name in order] for order in (names, names[::-1])]

    def variance(way: str, rule: str = "none") -> float:
        adjuster = None if rule == "none" else Adjuster(game, rule)
        return statistics.variance(pair(game, sides, way, first + i, adjuster) for i in range(pairs))

    alone = variance("none")
    shared = [variance(way) / alone for way in ("number", "seat")]
    adjusted = f"{variance('seat', rule) / alone:.2f} ({rule})" if rule else ""
    return [f"{text}: {' – '.join(names)}", f"{alone:.3g}", *(f"{each:.2f}" for each in shared), adjusted]


def main() -> None:
    asked = arguments(__doc__, pairs=(300, "pairs of each match"), game=("", "only this game"))
    rows = [measure(*each, asked.pairs) for each in MATCHES if asked.game in ("", each[0])]
    head = ("match", "variance of a pair", "same n-th event", "same n-th event of a seat", "and luck taken off")
    facts = {"machine": machine(), "pairs": asked.pairs, "rows": rows}
    answer(asked, facts, table(head, rows), timed=False)


if __name__ == "__main__":
    main()
