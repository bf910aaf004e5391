"""States and actions as text: what is shown can be read again, and nothing is shown twice.

read_action(s, show_action(s, a)) = a        key(read(write(s))) = key(s)
"""

from __future__ import annotations

import re
from contextlib import suppress
from html import unescape
from typing import Any
from xml.etree import ElementTree

from zermelo.check.facts import Facts
from zermelo.check.moves import Position
from zermelo.check.rules import Rules, Unanswered, describe
from zermelo.check.snapshot import frozen
from zermelo.errors import PositionError
from zermelo.game import CHANCE

PLACE = re.compile(r'\bdata-at="([^"]+)"')
READ = 8
"""Actions of a state that are read back; the usual `read_action` goes through all actions each time."""


class Texts:
    """The methods for people."""

    def __init__(self, rules: Rules, facts: Facts):
        self.rules = rules
        self.facts = facts

    def check(self, position: Position) -> None:
        """Each kind of text fails alone."""
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

    def _text(self, rule: str, s: Any, *rest: Any) -> str:
        text = self.rules.ask(rule, s, *rest)
        if not isinstance(text, str):
            a = rest[0] if rest else None
            self.rules.breach(rule, "text", f"returns {describe(text)}; return a str", s, a)
            raise Unanswered(rule)
        return text

    def _check_show(self, position: Position) -> None:
        self._text("show", position.state)

    def _check_write(self, position: Position) -> None:
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
        """Whether the usual text serves this game: if not, that is no breach, but worth knowing."""
        try:
            self.rules.game.read(text)
        except (PositionError, TypeError):
            note = "positions of this game cannot be read back from text; define `write` and `read` to type them"
            self.rules.ledger.note(note)
            return False
        return True

    def _check_picture(self, position: Position) -> None:
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

    def _check_clicks(self, position: Position) -> None:
        s = position.state
        if position.player == CHANCE:
            return
        places = {unescape(name) for name in PLACE.findall(self._text("picture", s))}
        for place in list(position.children)[:READ]:
            a = position.actions[place]
            with self.rules.guarding("clicks", s, a):
                steps = [tuple(step) for way in self.rules.game.clicks(s, a) for step in way]
                unknown = [name for step in steps for name in step if name not in places]
            if not all(steps):
                self.rules.breach("clicks", "empty", "gives a step without places; leave such a step out", s, a)
            elif unknown:
                message = f"names {describe(unknown[0])}, which is no `data-at` of the picture; mark the place there"
                self.rules.breach("clicks", "place", message, s, a)

    def _check_actions(self, position: Position) -> None:
        s = position.state
        names: dict[str, Any] = {}
        for place in position.children:
            a = position.actions[place]
            name = self._text("show_action", s, a)
            if name in names:
                message = f"writes {name!r} for {describe(names[name])} as well as for {describe(a)}; tell them apart"
                self.rules.breach("show_action", "double", message, s, a)
            names[name] = a
        step = max(1, len(names) // READ)
        for name in list(names)[::step]:
            a = names[name]
            read = self.rules.call("read_action", (s, name), s, a)
            with self.rules.guarding("read_action", s, a):
                same = frozen(read) == frozen(a)
            if not same:
                message = f"reads {name!r} as {describe(read)}, not as {describe(a)}, which is shown so"
                self.rules.breach("read_action", "other", message, s, a)
