"""The engine against the textbook's best search, at equal time and at equal nodes: how deep each comes, and who wins.

    python bench/engine_vs_textbook.py                    depths in midgame positions
    python bench/engine_vs_textbook.py --games 10         and a match at equal time, each opening played twice

The textbook's best is principal variation search with iterative deepening, a table and the best ordering. Both search
the same Python rules; at equal nodes the difference is technique alone, at equal time it is the native search as
well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tools import Place, answer, arguments, known, midgame, table

import zermelo as z
from zermelo.engine.engine import Engine
from zermelo.game import Game

PLIES = {"connect4": (6, 12), "othello": (10, 30), "checkers": (8, 24), "hexapawn:columns=6,rows=6": (2, 8)}
TEXTBOOK: dict[str, Any] = {"deepen": True, "table": True, "order": "best", "quick": True}


def textbook(place: Place, **limits: Any) -> z.Analysis:
    quiet = {"quiescence": True} if place.game.can("is_noisy") else {}
    return z.pvs(place.game, place.state, history=place.history, **TEXTBOOK, **quiet, **limits)


def engine(place: Place, **limits: Any) -> z.Analysis:
    return Engine(place.game, table_mb=64).search(place.state, history=place.history, **limits)


def compare(places: Sequence[Place], **limits: Any) -> dict[str, Any]:
    """Mean depths over the positions, and in how many of them the two choose the same action."""
    pairs = [(textbook(place, **limits), engine(place, **limits)) for place in places]
    open_ended = [(book, ours) for book, ours in pairs if not (book.exact or ours.exact)]
    return {
        "positions": len(pairs),
        "proved_by_textbook": sum(book.exact for book, _ in pairs),
        "proved_by_engine": sum(ours.exact for _, ours in pairs),
        "textbook": mean([book.depth or 0 for book, _ in open_ended]),
        "engine": mean([ours.depth or 0 for _, ours in open_ended]),
        "agree": sum(book.action == ours.action for book, ours in pairs),
        "values_that_differ": sum(book.value != ours.value for book, ours in pairs if book.exact and ours.exact),
    }


def mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


class Searcher:
    """A search that plays."""

    def __init__(self, name: str, search: Any, **limits: Any):
        self.name = name
        self.search = search
        self.limits = limits

    def choose(self, game: Game, state: Any, history: Sequence[Any]) -> Any:
        return self.search(Place(game, game.name, state, tuple(history)), **self.limits).action


def match(places: Sequence[Place], seconds: float) -> dict[str, int]:
    """Each position played twice, with seats changed; the score is the engine's."""
    score = {"won": 0, "drawn": 0, "lost": 0}
    for place in places:
        for seat in (0, 1):
            players = [Searcher("textbook", textbook, seconds=seconds), Searcher("engine", engine, seconds=seconds)]
            record = z.play(place.game, players[:: 1 if seat else -1], place.state, history=place.history, longest=300)
            mine = 0.0 if record.utilities is None else record.utilities[seat] - place.game.neutral
            score["won" if mine > 0 else "lost" if mine < 0 else "drawn"] += 1
    return score


def depths(count: int, **limits: Any) -> dict[str, dict[str, Any]]:
    """The comparison within one limit, for every game."""
    return {name: compare(midgame(name, count, PLIES[name]), **limits) for name in known(list(PLIES))}


def render(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """What `depths` found within each limit, as a table in Markdown and a line about it."""
    rows = []
    for limit, games in found.items():
        for name, each in games.items():
            proved = f"{each['proved_by_textbook']} / {each['proved_by_engine']}"
            same = f"{each['agree']} of {each['positions']}"
            rows.append([name, limit, each["textbook"], each["engine"], proved, same])
    text = table(["game", "equal", "plies, textbook", "plies, engine", "proved", "same action"], rows)
    return f"{text}\n\nMean depths where neither search proves the value; proved: by the textbook / by the engine."


def main() -> None:
    asked = arguments(
        __doc__,
        count=(6, "positions a game"),
        seconds=(1.0, "time for a position"),
        nodes=(20_000, "nodes for a position"),
        games=(0, "games of a match, per game; an even number"),
        move_seconds=(0.1, "time for a move of the match"),
    )
    found: dict[str, Any] = {
        f"{asked.seconds:g} s": depths(asked.count, seconds=asked.seconds),
        f"{asked.nodes:,} nodes": depths(asked.count, nodes=asked.nodes),
    }
    text = render(found)
    if asked.games:
        openings = {name: midgame(name, asked.games // 2, PLIES[name], seed=2) for name in known(list(PLIES))}
        found["match"] = {name: match(places, asked.move_seconds) for name, places in openings.items()}
        head = [f"engine, {asked.move_seconds:g} s a move", "won", "drawn", "lost"]
        text += f"\n\n{table(head, [[name, *score.values()] for name, score in found['match'].items()])}"
    answer(asked, found, text)


if __name__ == "__main__":
    main()
