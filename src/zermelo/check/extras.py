"""The optional methods: what guides a search (estimates, orderings, the null move, inputs), and what people read."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from html import unescape
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from zermelo.check.facts import Facts, Shape
from zermelo.check.moves import ExaminedPosition, read_key, whose_turn
from zermelo.check.rules import Rules, Unanswered, describe, frozen
from zermelo.check.slices import check_material, check_numbering
from zermelo.errors import PositionError
from zermelo.game import CHANCE
from zermelo.game.kind import is_finite, is_integer, is_number, is_truth

TOLERANCE = 1e-9
SYMMETRIC_CHILDREN = 4
"""The number of children per state and symmetry that are compared with their images."""


class Estimates:
    """The methods that promise something about a position without deciding the game."""

    def __init__(self, rules: Rules, facts: Facts, shape: Shape):
        self.rules = rules
        self.facts = facts
        self.shape = shape
        self._features: int | None = None

    def check(self, position: ExaminedPosition) -> None:
        """Calls each method that the game has; failures are independent. At the end of a game only one is."""
        if position.terminal:
            if "owners" in self.facts.methods:
                with suppress(Unanswered):
                    self._check_owners(position, "owners")
            return
        steps = {
            "evaluate": self._evaluate,
            "priority": self._of_actions,
            "is_noisy": self._of_actions,
            "is_irreversible": self._of_actions,
            "target": self._of_actions,
            "exchange": self._of_actions,
            "ending_priority": self._of_actions,
            "remaining_plies": self._check_remaining,
            "upper_bound": self._check_upper_bound,
            "is_check": self._is_check,
            "pass_turn": self._pass_turn,
            "features": self._check_features,
            "inputs": self._check_inputs,
            "stage": self._check_stage,
            "symmetric": self._check_symmetric,
            "material": self._check_material,
            "rank": self._check_numbering,
        }
        for method, step in steps.items():
            if method in self.facts.methods:
                with suppress(Unanswered):
                    step(position, method)

    def _evaluate(self, position: ExaminedPosition, rule: str) -> None:
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

    def _of_actions(self, position: ExaminedPosition, rule: str) -> None:
        """The methods of a state and an action, each with one kind of answer."""
        fits, wanted = {
            "priority": (is_number, "a number"),
            "exchange": (is_finite, "a finite number"),
            "ending_priority": (is_finite, "a finite number"),
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

    def _is_check(self, position: ExaminedPosition, rule: str) -> None:
        answer = self.rules.ask_twice(rule, position.state)
        if not is_truth(answer):
            self.rules.breach(rule, "type", f"returns {describe(answer)}; return True or False", position.state)

    def _check_remaining(self, position: ExaminedPosition, rule: str) -> None:
        answer = self.rules.ask_twice(rule, position.state)
        if not is_integer(answer):
            message = f"returns {describe(answer)}; return a whole number of plies, below 0 where it is not known"
            self.rules.breach(rule, "number", message, position.state)

    def _check_upper_bound(self, position: ExaminedPosition, rule: str) -> None:
        """A number that no end right after the position exceeds."""
        for p in range(self.facts.players):
            bound = self.rules.ask_twice(rule, position.state, p)
            if not is_number(bound):
                self.rules.breach(rule, "number", f"returns {describe(bound)}; return a number", position.state)
                return
            for place, child in position.children.items():
                if not self.rules.ask("is_terminal", child):
                    continue
                got = self.rules.ask("utility", child, p)
                if (
                    is_number(got) and got > bound + TOLERANCE
                ):  # what else it may be is told where utilities are checked
                    message = f"returns {bound:g} for player {p}, who gets {got:g} at an end that follows"
                    self.rules.breach(rule, "exceeded", message, position.state, position.actions[place])
                    return

    def _pass_turn(self, position: ExaminedPosition, rule: str) -> None:
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

    def _check_features(self, position: ExaminedPosition, rule: str) -> None:
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

    def _check_inputs(self, position: ExaminedPosition, rule: str) -> None:
        most = self.rules.game.input_count
        for p in range(self.facts.players):
            answer = self.rules.ask_twice(rule, position.state, p)
            with self.rules.guarding(rule, position.state):
                inputs: list[Any] = list(answer)
                wrong = [i for i in inputs if not is_integer(i) or not 0 <= i < most]
                repeated = not self.rules.game.inputs_are_patterns and len(set(inputs)) < len(inputs)
            if wrong or repeated:
                what = f"holds {describe(wrong[0])}" if wrong else "holds a number twice"
                distinct = "" if self.rules.game.inputs_are_patterns else "distinct "
                message = f"{what} for player {p}; give {distinct}whole numbers below `input_count`, which is {most}"
                self.rules.breach(rule, "inputs", message, position.state)
                return

    def _check_owners(self, position: ExaminedPosition, rule: str) -> None:
        answer = self.rules.ask_twice(rule, position.state)
        with self.rules.guarding(rule, position.state):
            owners: list[Any] = list(answer)
        wrong = [p for p in owners if not is_integer(p) or not -1 <= p < self.facts.players]
        if wrong:
            message = f"holds {describe(wrong[0])}; give the number of a player for each cell, or -1 for nobody"
            self.rules.breach(rule, "owners", message, position.state)

    def _check_stage(self, position: ExaminedPosition, rule: str) -> None:
        answer, most = self.rules.ask_twice(rule, position.state), self.rules.game.stage_count
        if not is_integer(answer) or not 0 <= answer < most:
            message = f"returns {describe(answer)}; return a whole number below `stage_count`, which is {most}"
            self.rules.breach(rule, "stage", message, position.state)

    def _check_material(self, position: ExaminedPosition, _rule: str) -> None:
        check_material(self.rules, position)

    def _check_numbering(self, position: ExaminedPosition, _rule: str) -> None:
        check_numbering(self.rules, self.facts, position)

    def _check_symmetric(self, position: ExaminedPosition, rule: str) -> None:
        count = self.rules.game.symmetry_count
        if not is_integer(count) or count < 1 or "symmetric_action" not in self.facts.methods:
            what = "`symmetric_action`" if is_integer(count) and count >= 1 else "a whole number as `symmetry_count`"
            self.rules.breach(rule, "count", f"comes without {what}; write both, and `symmetric(s, 0)` gives `s`")
            return
        for k in range(count):
            image = self.rules.ask_twice(rule, position.state, k)
            if image is None or not self.shape.check(self.rules, image, rule, position.state):
                self.rules.breach(rule, "state", f"returns no state for symmetry {k}", position.state)
                return
            if wrong := self._asymmetry(position, image, k):
                self.rules.breach(rule, "differs", f"{wrong} under symmetry {k}", position.state)
                return

    def _asymmetry(self, position: ExaminedPosition, image: object, k: int) -> str:
        """What is another game after symmetry `k`, which leads to `image`; empty if all is the same."""
        rules = self.rules
        if k == 0:
            return "" if read_key(rules, image) == position.key else "changes the position"
        if rules.ask("is_terminal", image):
            return "ends the game"
        if whose_turn(rules, self.facts, image) != position.player:
            return "changes who is to move"
        moved = [rules.call("symmetric_action", (a, k), position.state) for a in position.actions]
        with rules.guarding("symmetric_action", position.state):
            same = sorted(moved) == sorted(rules.ask("actions", image))
        if not same:
            return "gives a position with other actions than those of `symmetric_action`"
        for place in islice(position.children, SYMMETRIC_CHILDREN):
            after, child = rules.ask("result", image, moved[place]), position.children[place]
            if read_key(rules, rules.ask("symmetric", child, k)) != read_key(rules, after):
                a, b = position.actions[place], moved[place]
                return f"gives a position in which {b!r} leads elsewhere than {a!r} did"
            over = rules.ask("is_terminal", child)
            if rules.ask("is_terminal", after) != over or (over and self._worth(after) != self._worth(child)):
                return "changes what an end is worth"
        return ""

    def _worth(self, end: object) -> list[object]:
        return [self.rules.ask("utility", end, p) for p in range(self.facts.players)]

    def _check_names(self, position: ExaminedPosition, rule: str) -> None:
        answer = self.rules.call(rule, ())
        with self.rules.guarding(rule):
            names: list[object] = list(answer)
            fits = len({name for name in names if isinstance(name, str)}) == len(names) == self._features
        if not fits:
            message = f"gives {describe(answer)} for {self._features} features; give each a name of its own, a text"
            self.rules.breach(rule, "names", message, position.state)


PLACE = re.compile(r'\bdata-at="([^"]+)"')
READ_ACTIONS = 8
"""The number of actions per state that are read back; the default `read_action` scans all actions each time."""


class Texts:
    """The methods for people."""

    def __init__(self, rules: Rules, facts: Facts):
        self.rules = rules
        self.facts = facts

    def check(self, position: ExaminedPosition) -> None:
        """Checks each kind of text; failures are independent."""
        steps = [self._check_show, self._check_write]
        if "picture" in self.facts.methods:
            steps.append(self._check_picture)
        if not position.terminal:
            steps.append(self._check_actions)
        if not position.terminal and "clicks" in self.facts.methods:
            steps.append(self._check_clicks)
        for step in steps:
            with suppress(Unanswered):
                step(position)

    def _text(self, rule: str, s: object, *rest: object) -> str:
        text = self.rules.ask(rule, s, *rest)
        if not isinstance(text, str):
            a = rest[0] if rest else None
            self.rules.breach(rule, "text", f"returns {describe(text)}; return a str", s, a)
            raise Unanswered(rule)
        return text

    def _check_show(self, position: ExaminedPosition) -> None:
        self._text("show", position.state)

    def _check_write(self, position: ExaminedPosition) -> None:
        s = position.state
        own = bool({"write", "read"} & self.facts.methods)
        text = self._text("write", s)
        if not own and not self._reads_by_default(text):
            return
        if len(text.splitlines()) > 1:
            self.rules.breach(
                "write", "lines", "writes more than one line; `show` is for boards, `write` for one line", s
            )
        read = self.rules.call("read", (text,), s)
        key = self.rules.call("key", (read,), s)
        with self.rules.guarding("key", s):
            same = key == position.key
        if not same:
            message = f"makes another state of {text!r} than the one that `write` wrote so; write all that matters"
            self.rules.breach("read", "other", message, s)

    def _reads_by_default(self, text: str) -> bool:
        """Whether the default text works for this game: if not, that is worth a note, but no breach."""
        try:
            self.rules.game.read(text)
        except (PositionError, TypeError):
            note = "positions of this game cannot be read back from text; define `write` and `read` to type them"
            self.rules.ledger.note(note)
            return False
        return True

    def _check_picture(self, position: ExaminedPosition) -> None:
        picture = self._text("picture", position.state)
        try:
            root = ElementTree.fromstring(picture)
        except (ElementTree.ParseError, ValueError) as error:
            message = f"is not well-formed XML ({error}); close every tag, and pass texts through html.escape"
            self.rules.breach("picture", "xml", message, position.state)
            return
        if root.tag.rpartition("}")[2] != "svg":
            self.rules.breach(
                "picture", "svg", f"is a <{root.tag}>, not an <svg>; return an SVG drawing", position.state
            )

    def _check_clicks(self, position: ExaminedPosition) -> None:
        s = position.state
        if position.player == CHANCE:
            return
        places = {unescape(name) for name in PLACE.findall(self._text("picture", s))}
        for place in list(position.children)[:READ_ACTIONS]:
            a = position.actions[place]
            with self.rules.guarding("clicks", s, a):
                steps = [tuple(step) for way in self.rules.game.clicks(s, a) for step in way]
                unknown = [name for step in steps for name in step if name not in places]
            if not all(steps):
                self.rules.breach("clicks", "empty", "gives a step without places; leave such a step out", s, a)
            elif unknown:
                message = f"names {describe(unknown[0])}, which is no `data-at` of the picture; mark the place there"
                self.rules.breach("clicks", "place", message, s, a)

    def _check_actions(self, position: ExaminedPosition) -> None:
        s = position.state
        names: dict[str, object] = {}
        for place in position.children:
            a = position.actions[place]
            name = self._text("show_action", s, a)
            if name in names:
                message = f"writes {name!r} for {describe(names[name])} as well as for {describe(a)}; tell them apart"
                self.rules.breach("show_action", "double", message, s, a)
            names[name] = a
        step = max(1, len(names) // READ_ACTIONS)
        for name in list(names)[::step]:
            a = names[name]
            read = self.rules.call("read_action", (s, name), s, a)
            with self.rules.guarding("read_action", s, a):
                same = frozen(read) == frozen(a)
            if not same:
                message = f"reads {name!r} as {describe(read)}, not as {describe(a)}, which is shown so"
                self.rules.breach("read_action", "other", message, s, a)
