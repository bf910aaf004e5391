"""Perfect-information Monte Carlo: averaging over clairvoyance.

    w1 … wn   worlds that look to MAX as this one does, drawn by the game's `sample`
    V(a)      = 1/n Σ value(RESULT(wi, a)), as if everybody saw everything from then on
    play the a with the greatest V(a), or with `choose="vote"` the one that is best in most worlds

MAX is the player to move. Each world is a game of perfect information, and alpha-beta solves it: so good bridge
programs have played their cards since GIB (Ginsberg, 1999). It errs in two ways. Strategy fusion: in every world MAX
is taken to know later which world it is, and to play another strategy in each; so it puts off a choice that it will
have to guess. Non-locality: what the others, who know more, did on the way here says which worlds are likely, and V
looks only at what comes below. αμ (`alphamu`) cures the first.
"""

from __future__ import annotations

from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.imagined import CHOOSE, WORLD_OPTIONS, Judge, WorldSearch
from zermelo.search.open_cards import Halted, OpenCards


def pimc(game: Game[S, A], state: S | None = None, *, judge: Judge = OpenCards, **options: Any) -> Analysis:
    """The action that is best on average over worlds with open cards; `Analysis.visits` has each action's votes.

    It takes `worlds`, `depth`, `seconds`, `seed`, `choose`, `stop`, `only` and `trace`; `judge` solves the worlds.
    """
    return WorldSearch(game, state, "pimc", options, WORLD_OPTIONS | CHOOSE, judge).run(average)


def average(search: WorldSearch) -> tuple[dict[Any, float], dict[Any, int]]:
    """The mean value of each action, and the number of worlds in which none is better."""
    total = dict.fromkeys(search.actions, 0.0)
    votes = dict.fromkeys(search.actions, 0)
    watch = Watched(search)
    for world in search.draw():
        try:
            verdicts = search.open.verdicts(world.state, search.mover, search.actions)
        except Halted as reason:
            search.stopped = search.stopped or str(reason)
            break
        search.solved += 1
        best = max(verdicts.values())
        for a, value in verdicts.items():
            total[a] += value
            votes[a] += value == best
        watch.judged(world, verdicts, votes)
    means = {a: total[a] / search.solved for a in search.actions} if search.solved else {}
    watch.counted(means)
    return means, votes


class Watched:
    """Writes down what happens: below the root a chance node for each action, and below it a leaf for each world."""

    def __init__(self, search: WorldSearch):
        self.search, self.recorder = search, search.recorder
        self.nodes: dict[Any, int] = {}
        self.sums = dict.fromkeys(search.actions, 0.0)
        if self.recorder is not None:
            self.recorder.enter("max", 0, None, "", player=search.mover)

    def judged(self, world: Any, verdicts: dict[Any, float], votes: dict[Any, int]) -> None:
        """A world, the verdict on each action there, and its vote."""
        recorder = self.recorder
        if recorder is None:
            return
        share = None if self.search.goes_on else 1 / self.search.count
        recorder.world(world)
        for a, value in verdicts.items():
            if a not in self.nodes:
                self.nodes[a] = recorder.enter("chance", 1, 0, recorder.name(a))
            node = self.nodes[a]
            leaf = recorder.enter("leaf", 2, node, f"world {world.number}", probability=share)
            recorder.note("leaf", leaf, value=value, reason="open cards")
            self.sums[a] += value
            recorder.note("value", node, child=leaf, value=value, best=self.sums[a] * (share or 1 / world.number))
        best = [a for a, value in verdicts.items() if value == max(verdicts.values())]
        tally = [{"label": recorder.name(a), "votes": count} for a, count in votes.items()]
        recorder.note("vote", 0, count=world.number, labels=recorder.names(best), tally=tally)

    def counted(self, means: dict[Any, float]) -> None:
        """The mean of each action, at the root."""
        if self.recorder is None:
            return
        best: float | None = None
        for a, node in self.nodes.items():
            improved = best is None or means[a] > best
            best = means[a] if improved else best
            self.recorder.note("leave", node, value=means[a], bound="exact")
            self.recorder.note("value", 0, child=node, value=means[a], best=best, improved=improved)
