"""Which states are the same position: equal keys must mean equal behaviour, wherever in a game they come up."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zermelo.check.moves import Position
from zermelo.check.rules import Rules, Unanswered
from zermelo.check.snapshot import duplicate, frozen, rebuilt

REMEMBERED = 20_000
"""Positions kept for comparison; a longer check compares with the first ones."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the rules said when a position was first met."""

    state: Any
    answers: dict[str, Any]


class Identity:
    """A table of the positions met, by key."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self._met: dict[Hashable, Behaviour] = {}

    def check(self, position: Position, utilities: tuple[float, ...]) -> None:
        """Compares the position with the first one of the same key."""
        rules, s = self.rules, position.state
        self._check_copy(position)
        answers: dict[str, Any] = {"is_terminal": position.terminal, "utility": utilities}
        if not position.terminal:
            answers["player"] = position.player
            answers["actions"] = frozen(position.actions)
            answers["result"] = self._keys(position)
        with rules.guarding("key", s):
            first = self._met.get(position.key)
            if first is None:
                if len(self._met) < REMEMBERED:
                    self._met[position.key] = Behaviour(duplicate(s), answers)
                return
            same_state = frozen(first.state) == frozen(s)
            differing = [rule for rule in answers if first.answers.get(rule) != answers[rule]]
        if not differing:
            return
        omits = rules.game.key_omits
        if omits and "is_terminal" in differing and not same_state:
            rules.ledger.note(f"positions with the same key differ in whether the game is over: `key` omits {omits}")
            return
        rule = differing[0]
        if same_state:
            message = "answers differently in the same state at another time; let it depend on its arguments alone"
            rules.breach(rule, "time", message, s)
        else:
            other = rules.describe_state(first.state)
            message = (
                f"is the same for two states that differ in `{rule}` (the other one is {other}); put into it, "
                "and so into the state, all that the rules depend on"
            )
            rules.breach("key", "same", message, s)

    def _check_copy(self, position: Position) -> None:
        """A key made of memory addresses shows on a copy of the state."""
        rules, s = self.rules, position.state
        copied = rules.call("key", (rebuilt(s),), s)
        with rules.guarding("key", s):
            same = copied == position.key
        if not same:
            message = "differs for two equal states; make it of the state's values, not of objects' identities"
            rules.breach("key", "copy", message, s)

    def _keys(self, position: Position) -> dict[int, Any]:
        """The keys of the children, by the place of the action."""
        keys = {}
        for place, child in position.children.items():
            try:
                keys[place] = self.rules.ask("key", child)
            except Unanswered:
                keys[place] = None
        return keys
