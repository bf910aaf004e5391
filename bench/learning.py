"""What a network is worth: matches of the player that uses it against three others, at equal time a move.

    python bench/learning.py breakthrough --network breakthrough.safetensors
    python bench/learning.py games.py:Bridges --network bridges.safetensors --seconds 0.1 --pairs 100

The others are the engine without an evaluation, Monte Carlo tree search without one, and the player that the game has
by hand, if it has an evaluation or settings of simulation. Games come in pairs from one random opening that no short
search decides, with the seats swapped.
"""

from __future__ import annotations

import sys
from typing import Any

from tools import answer, arguments, play_match, table

from zermelo.engine.network import read_network, with_network, without_network
from zermelo.engine.searcher import is_simulated
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.learn.selfplay import SearchPlayer


def opponents(rules: AnyGame, limits: dict[str, Any]) -> dict[str, SearchPlayer]:
    """Those who play the game without the network."""
    found = {
        "engine without evaluation": SearchPlayer(evaluates=False, **limits),
        "MCTS without network": SearchPlayer("mcts", evaluates=False, **limits),
    }
    if is_simulated(rules):
        found["the game's own MCTS"] = SearchPlayer("mcts", **limits)
    elif rules.can("evaluate"):
        found["the game's own evaluation"] = SearchPlayer(**limits)
    return found


def play(player: AnyGame, rules: AnyGame, other: SearchPlayer, limits: dict[str, Any], asked: Any) -> dict[str, Any]:
    own = SearchPlayer("mcts" if is_simulated(player) else "auto", **limits)
    return play_match((player, rules), (own, other), asked)


def main() -> None:
    named = len(sys.argv) > 1 and not sys.argv[1].startswith("-")
    name = sys.argv.pop(1) if named else "breakthrough"
    asked = arguments(
        __doc__,
        network=("", "its network; by default the one that the game comes with"),
        seconds=(0.05, "of a move"),
        nodes=(0, "of a move, in place of seconds"),
        pairs=(100, "pairs of games in each match"),
        least_plies=(2, "the least random plies of an opening"),
        most_plies=(6, "and the most"),
        threads=(1, "games at a time"),
        seed=(1, "of the openings"),
    )
    loaded = load(name)
    rules = without_network(loaded)
    player = with_network(rules, read_network(asked.network)) if asked.network else loaded
    limits: dict[str, Any] = {"nodes": asked.nodes} if asked.nodes else {"seconds": asked.seconds}
    data = {who: play(player, rules, other, limits, asked) for who, other in opponents(rules, limits).items()}
    rows = [
        [
            who,
            2 * sum(each["pairs"]),
            f"{each['score']:.1%}",
            f"{each['elo']:+.0f}",
            f"{each['low']:+.0f} … {each['high']:+.0f}",
        ]
        for who, each in data.items()
    ]
    budget = f"{asked.nodes:,} nodes" if asked.nodes else f"{asked.seconds:g} s"
    head = [f"{name}, {budget} a move, against", "games", "score", "Elo", "95 %"]
    answer(asked, {"game": name, **limits, "matches": data}, table(head, rows))


if __name__ == "__main__":
    main()
