"""Best-reply search (Schadd and Winands, 2011): of all your opponents only one answers, the most dangerous one.

    V(s) = the utility of MAX                          at an end
    V(s) = max over a of V(RESULT(s, a))               where MAX moves
    V(s) = min over replies r of V(AFTER(s, r))        where an opponent does

A reply is an action of one of the opponents who are to move before MAX is again, and AFTER lets the others pass; where
the game has no `pass_turn` they take their first action, or the first by `priority` (the variant called BRS+). So a
round takes two plies however many players there are, and MAX looks further ahead, at positions that may never arise.
The value is a guide for play, and no proof: `Analysis.exact` is never true before the end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Unpack

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.game.sides import for_players, searched
from zermelo.game.validation import who_moves
from zermelo.search.composable import SearchRecipe
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.scores import Bounded
from zermelo.search.star import star1


def best_reply(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """The value for the player to move if one opponent a round answers; the line is its own action alone."""
    state = game.initial() if state is None else state
    seated, game = game, searched(game)
    rounds = Rounds(game, 0 if game.is_terminal(state) else max(who_moves(game, state), 0))
    found = run(rounds, state, SearchRecipe("brs", one_against_all=True, scores=Bounded, expect=star1), options)
    found = replace(found, line=found.line[:1], exact=found.exact and game.is_terminal(state))
    return for_players(seated, found)


class Reply(NamedTuple):
    """What the opponents do in one round: `quiet` turns pass, and then an opponent acts."""

    quiet: int
    action: object


class Rounds(Game):
    """`game` with the turns of all opponents of `maximiser` made into one."""

    def __init__(self, game: Game, maximiser: int):
        self.game = game
        self.maximiser = maximiser
        self.players, self.utility_sum, self.bounds = game.players, game.utility_sum, game.bounds
        self.repetition, self.scale = game.repetition, game.scale
        self.player, self.is_terminal, self.utility = game.player, game.is_terminal, game.utility  # type: ignore[method-assign]
        self.evaluate, self.chances, self.key = game.evaluate, game.chances, game.key  # type: ignore[method-assign]
        self.view, self.write, self.initial = game.view, game.write, game.initial  # type: ignore[method-assign]
        self.is_check = game.is_check  # type: ignore[method-assign]

    @property
    def name(self) -> str:
        return self.game.name

    def can(self, method: str) -> bool:
        return method in ("evaluate", "chances", "view", "is_check") and self.game.can(method)

    def opponent_moves(self, s: object) -> bool:
        return not self.is_terminal(s) and self.player(s) not in (self.maximiser, CHANCE)

    def actions(self, s: object) -> Iterator[Any]:
        if not self.opponent_moves(s):
            yield from self.game.actions(s)
            return
        for quiet in range(self.players - 1):
            yield from (Reply(quiet, action) for action in self.game.actions(s))
            s = self.quiet(s)
            if not self.opponent_moves(s):
                return

    def result(self, s: object, a: object) -> Any:
        if not isinstance(a, Reply):
            return self.game.result(s, a)
        for _ in range(a.quiet):
            s = self.quiet(s)
        s = self.game.result(s, a.action)
        for _ in range(self.players - 1):
            if not self.opponent_moves(s):
                break
            s = self.quiet(s)
        return s

    def quiet(self, s: object) -> Any:
        """The state after a turn without a reply."""
        game = self.game
        if game.can("pass_turn") and not (game.can("is_check") and game.is_check(s)):
            return game.pass_turn(s)
        actions = list(game.actions(s))
        return game.result(s, max(actions, key=lambda a: game.priority(s, a)) if game.can("priority") else actions[0])

    def show_action(self, s: object, a: object) -> str:
        if not isinstance(a, Reply):
            return self.game.show_action(s, a)
        for _ in range(a.quiet):
            s = self.quiet(s)
        return self.game.show_action(s, a.action)
