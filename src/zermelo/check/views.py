"""What players see. An information set of p is p's own sequence of views and actions:

    equal sequences  ⇒  equal actions             (else the view forgets what p needs to know)
    view(s·a, q) = view(s·b, q)                   for all actions a, b of p, if q chooses at the same time as p
    view(sample(view(s, p), p), p) = view(s, p)

Whether a view gives away a hidden card is not decidable in general: nothing in the rules says what is hidden.
"""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

from zermelo.check.facts import Facts, Shape
from zermelo.check.moves import ExaminedPosition, is_over, whose_turn
from zermelo.check.rules import Rules, Unanswered, describe, frozen
from zermelo.game import CHANCE
from zermelo.game.text import freeze

REMEMBERED_VIEWS = 200_000
"""Information sets kept for comparison."""

ALTERNATIVE_STATES = 4
"""The number of other choices tried for each player who has chosen in a round."""

FORGETS = "shows player {p} the same in two states with different actions (the other: {other}); show what they rest on"


class Views:
    """What was seen in the games so far; `begin` starts a new one."""

    def __init__(self, rules: Rules, facts: Facts, shape: Shape, seed: int):
        self.rules = rules
        self.facts = facts
        self.shape = shape
        self.random = random.Random(seed)
        self._numbers: dict[Hashable, int] = {}
        self._offered: dict[int, tuple[object, object]] = {}
        self.begin()

    def begin(self) -> None:
        """A new game: nobody has seen anything, nobody has chosen."""
        self._seen = [self._number(("player", p)) for p in range(self.facts.players)]
        self._round: list[tuple[ExaminedPosition, int]] = []

    def check(self, position: ExaminedPosition) -> None:
        """Looks at one position through the eyes of all players."""
        if "view" not in self.facts.methods:
            return
        views = {p: self._view(position.state, p) for p in range(self.facts.players)}
        if position.terminal:
            return
        self._check_alternatives(position)
        p = position.player
        if p == CHANCE:
            return
        self._compare(position, self._number((self._seen[p], views[p])))
        if self.facts.simultaneous and p not in self._chosen():
            self._check_round(position, views[p])
        if "sample" in self.facts.methods:
            self._check_sample(position, views[p])

    def acted(self, position: ExaminedPosition, place: int) -> None:
        """Remembers the action that was chosen, before the next position is looked at."""
        p = position.player
        # A player who moves again begins a new round of simultaneous choices, and so does chance.
        if p == CHANCE or p in self._chosen():
            self._round.clear()
        if "view" not in self.facts.methods or p == CHANCE:
            return
        self._round.append((position, place))
        view = self._view(position.state, p)
        self._seen[p] = self._number((self._number((self._seen[p], view)), freeze(position.actions[place])))

    def _chosen(self) -> set[int]:
        """The players who have chosen in this round."""
        return {position.player for position, _ in self._round}

    def _view(self, s: object, p: int) -> Hashable:
        view = self.rules.ask_twice("view", s, p)
        with self.rules.guarding("view", s):
            try:
                return freeze(view)
            except TypeError:
                message = f"returns {describe(view)}, which cannot be compared; return numbers, tuples or arrays"
                self.rules.breach("view", "freeze", message, s)
                raise Unanswered("view") from None

    def _number(self, seen: Hashable) -> int:
        """A number for what a player has seen: equal numbers if and only if equal sequences."""
        known = self._numbers.get(seen)
        if known is None:
            known = len(self._numbers)
            if known < REMEMBERED_VIEWS:
                self._numbers[seen] = known
            else:
                # Beyond the limit new sequences get no number, so nothing may be compared.
                return -1
        return known

    def _compare(self, position: ExaminedPosition, infoset: int) -> None:
        if infoset < 0:
            return
        actions = frozen(position.actions)
        first = self._offered.setdefault(infoset, (position.state, actions))
        with self.rules.guarding("actions", position.state):
            same = first[1] == actions
        if not same:
            self._forgets(position.state, position.player, first[0])

    def _forgets(self, s: object, p: int, other: object) -> None:
        message = FORGETS.format(p=p, other=self.rules.describe_state(other))
        self.rules.breach("view", "forgets", message, s)

    def _check_alternatives(self, position: ExaminedPosition) -> None:
        """Compares the children: a next mover who cannot distinguish two of them must have the same actions."""
        groups: dict[Hashable, tuple[object, object]] = {}
        for child in position.children.values():
            if is_over(self.rules, child):
                continue
            p = whose_turn(self.rules, self.facts, child)
            if p in (CHANCE, position.player):
                continue
            actions = frozen(self.rules.ask("actions", child))
            other, offered = groups.setdefault((p, self._view(child, p)), (child, actions))
            if offered != actions:
                self._forgets(child, p, other)

    def _check_round(self, position: ExaminedPosition, view: Hashable) -> None:
        """Varies the earlier choices of this round: the player who chooses now must not see a difference."""
        for turn, (earlier, place) in enumerate(self._round):
            others = [other for other in earlier.children if other != place]
            for other in others[:: max(1, len(others) // ALTERNATIVE_STATES)]:
                s = earlier.children[other]
                for later, kept in self._round[turn + 1 :]:
                    s = self._replay(s, later, kept)
                if self._replay(s, position) is not None and self._view(s, position.player) != view:
                    self._leaks(position, earlier, place, other)
                    return

    def _replay(self, s: object, like: ExaminedPosition, place: int | None = None) -> Any:
        """`s`, or what the action at `place` makes of it; `None` unless the same player can act so there."""
        if s is None or is_over(self.rules, s) or whose_turn(self.rules, self.facts, s) != like.player:
            return None
        if place is None:
            return s
        a = like.actions[place]
        return self.rules.ask("result", s, a) if a in self.rules.ask("actions", s) else None

    def _leaks(self, position: ExaminedPosition, earlier: ExaminedPosition, place: int, other: int) -> None:
        chosen, not_chosen = earlier.actions[place], earlier.actions[other]
        message = (
            f"shows player {position.player} that player {earlier.player} chose {describe(chosen)} and not "
            f"{describe(not_chosen)} in the same round of a simultaneous game; hide choices until all have chosen"
        )
        self.rules.breach("view", "leaks", message, position.state)

    def _check_sample(self, position: ExaminedPosition, view: Hashable) -> None:
        rules, s, p = self.rules, position.state, position.player
        seen = rules.ask("view", s, p)
        drawn = rules.call("sample", (seen, p, self.random), s)
        if drawn is None or not self.shape.check(rules, drawn, "sample", s):
            rules.breach("sample", "state", "returns no state of the game; return a full state", s)
            return
        if self._view(drawn, p) != view:
            message = f"draws a state that looks different to player {p}; keep everything that the view shows"
            rules.breach("sample", "view", message, s)
        elif is_over(rules, drawn) or whose_turn(rules, self.facts, drawn) != p:
            rules.breach("sample", "player", f"draws a state in which player {p}, who is to move, is not", s)
        elif frozen(rules.ask("actions", drawn)) != frozen(position.actions):
            message = f"draws a state in which player {p} has other actions; draw only what fits the actions seen"
            rules.breach("sample", "actions", message, s)
