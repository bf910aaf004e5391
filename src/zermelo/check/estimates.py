"""What guides a search: estimates, orderings, quiet and irreversible actions, the null move, features."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

from zermelo.check.facts import Facts
from zermelo.check.moves import Position, whose_turn
from zermelo.check.rules import Rules, Unanswered, describe
from zermelo.check.shape import Shape
from zermelo.game import CHANCE
from zermelo.game.kind import is_finite, is_integer, is_number, is_truth

TOLERANCE = 1e-9


class Estimates:
    """The methods that promise something about a position without deciding the game."""

    def __init__(self, rules: Rules, facts: Facts, shape: Shape):
        self.rules = rules
        self.facts = facts
        self.shape = shape
        self._features: int | None = None

    def check(self, position: Position) -> None:
        """Asks each method that the game has; each fails alone. A search asks none of them at the end of a game."""
        if position.terminal:
            return
        steps = {
            "evaluate": self._evaluate,
            "priority": self._of_actions,
            "is_noisy": self._of_actions,
            "is_irreversible": self._of_actions,
            "target": self._of_actions,
            "exchange": self._of_actions,
            "is_check": self._is_check,
            "pass_turn": self._pass_turn,
            "features": self._check_features,
        }
        for method, step in steps.items():
            if method in self.facts.methods:
                with suppress(Unanswered):
                    step(position, method)

    def _evaluate(self, position: Position, rule: str) -> None:
        low, high = self.facts.bounds
        estimates = []
        for p in range(self.facts.players):
            estimate = self.rules.ask_twice(rule, position.state, p)
            if not is_number(estimate) or math.isinf(estimate):
                message = f"returns {describe(estimate)} for player {p}; return a finite number"
                self.rules.breach(rule, "number", message, position.state)
                return
            if not low < estimate < high:
                message = (
                    f"returns {estimate:g} for player {p}, which is not strictly inside `bounds` {low:g} … {high:g}; "
                    "only ends are worth the bounds themselves: scale the estimate down, or widen `bounds`"
                )
                self.rules.breach(rule, "bounds", message, position.state)
            estimates.append(float(estimate))
        total = math.fsum(estimates)
        if self.facts.players == 2 and self.facts.utility_sum is not None:
            slack = TOLERANCE * max(1.0, *(abs(estimate) for estimate in estimates))
            if abs(total - self.facts.utility_sum) > slack:
                message = (
                    f"adds up to {total:g} over both players, and utilities to {self.facts.utility_sum:g}; "
                    "estimate for player 0, and give player 1 what is left"
                )
                self.rules.breach(rule, "sum", message, position.state)

    def _of_actions(self, position: Position, rule: str) -> None:
        """The methods of a state and an action, each with one kind of answer."""
        fits, wanted = {
            "priority": (is_number, "a number"),
            "exchange": (is_finite, "a finite number"),
            "target": (is_integer, "the number of a square"),
        }.get(rule, (is_truth, "True or False"))
        if position.player == CHANCE and rule != "is_irreversible":
            return
        for place in position.children:
            a = position.actions[place]
            answer = self.rules.ask_twice(rule, position.state, a)
            if not fits(answer):
                message = f"returns {describe(answer)}; return {wanted}"
                self.rules.breach(rule, "type", message, position.state, a)
                return

    def _is_check(self, position: Position, rule: str) -> None:
        answer = self.rules.ask_twice(rule, position.state)
        if not is_truth(answer):
            self.rules.breach(rule, "type", f"returns {describe(answer)}; return True or False", position.state)

    def _pass_turn(self, position: Position, rule: str) -> None:
        s = position.state
        if position.player == CHANCE or ("is_check" in self.facts.methods and self.rules.ask("is_check", s)):
            return
        passed = self.rules.ask_twice(rule, s)
        if passed is None or not self.shape.check(self.rules, passed, rule, s):
            message = "returns no state; return the state with the other player to move"
            self.rules.breach(rule, "state", message, s)
            return
        over = self.rules.ask("is_terminal", passed)
        if not over and whose_turn(self.rules, self.facts, passed) == position.player:
            message = "leaves the same player to move; return the state with the other player to move"
            self.rules.breach(rule, "player", message, s)

    def _check_features(self, position: Position, rule: str) -> None:
        answer = self.rules.ask_twice(rule, position.state)
        with self.rules.guarding(rule, position.state):
            features: list[Any] = list(answer)
            wrong = [x for x in features if not is_number(x) or math.isinf(x)]
        if wrong:
            message = f"holds {describe(wrong[0])}; give finite numbers only"
            self.rules.breach(rule, "number", message, position.state)
        if self._features is None:
            self._features = len(features)
            self._check_names(position, "feature_names")
        elif len(features) != self._features:
            message = f"gives {len(features)} numbers here and {self._features} at first; give the same ones always"
            self.rules.breach(rule, "length", message, position.state)

    def _check_names(self, position: Position, rule: str) -> None:
        answer = self.rules.call(rule, ())
        with self.rules.guarding(rule):
            names: list[Any] = list(answer)
            fits = len({name for name in names if isinstance(name, str)}) == len(names) == self._features
        if not fits:
            message = f"gives {describe(answer)} for {self._features} features; give each a name of its own, a text"
            self.rules.breach(rule, "names", message, position.state)
