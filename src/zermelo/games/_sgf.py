"""SGF, the file format of board games (FF[4]): trees of nodes with properties, as text and back.

    parse(serialise(roots)) has the same nodes, properties and values again.

What the properties mean is for a game to say. Trees may be as deep as they like: nothing here calls itself.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from zermelo.errors import InputError

LARGEST = 1 << 26
"""Characters of a file; a longer one is not read."""


@dataclass(slots=True, eq=False, repr=False)
class SgfNode:
    """One node: what is said there, and how it goes on; the first child is the main line."""

    properties: dict[str, list[str]] = field(default_factory=dict)
    """Values as they are meant, without escapes, in the order of the file."""
    parent: SgfNode | None = None
    children: list[SgfNode] = field(default_factory=list)

    def get(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        values = self.properties.get(name)
        return values[0] if values else default

    def add(self, properties: dict[str, list[str]] | None = None) -> SgfNode:
        """A further child."""
        child = SgfNode({} if properties is None else properties, self)
        self.children.append(child)
        return child

    def main_line(self) -> Iterator[SgfNode]:
        """This node, its first child, that one's first child, and so on."""
        node: SgfNode | None = self
        while node is not None:
            yield node
            node = node.children[0] if node.children else None

    def path(self) -> list[SgfNode]:
        """The nodes from the root to this one."""
        nodes, node = [], self
        while node is not None:
            nodes.append(node)
            node = node.parent  # type: ignore[assignment]
        return nodes[::-1]

    def walk(self) -> Iterator[SgfNode]:
        """All nodes from here on, a line to its end before the next one."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))


_TOKENS = re.compile(r"(?P<mark>[();])|(?P<name>[A-Za-z][A-Za-z0-9]*)|\[(?P<value>(?:[^\]\\]|\\.)*)\]|\s+", re.DOTALL)


def decode(data: bytes) -> str:
    """The text of a file, in the encoding that its property CA names, else in UTF-8 or Latin-1."""
    named = re.search(rb"CA\s*\[([\w.:-]{1,40})\]", data[:10_000])
    for name in ([named[1].decode("ascii")] if named else []) + ["utf-8-sig"]:
        try:
            if not codecs.lookup(name)._is_text_encoding:
                continue
            return data.decode(name).removeprefix("\ufeff")
        except (LookupError, UnicodeError):
            continue
    return data.decode("latin-1")


def parse(text: str) -> list[SgfNode]:
    """The roots of the game trees of a file; what comes before the first is passed over."""
    if len(text) > LARGEST:
        raise InputError(f"the SGF file has {len(text):,} characters; the most that is read are {LARGEST:,}")
    start = re.search(r"\(\s*;", text)
    if start is None:
        raise InputError("this is not an SGF file: it has no game, which begins with `(;`")
    reader = _Reader(text)
    at = start.start()
    while at < len(text) and not reader.done(at):
        token = _TOKENS.match(text, at)
        if token is None:
            raise reader.complain(at, "a property is letters and values in brackets")
        reader.take(token)
        at = token.end()
    if reader.branches:
        raise reader.complain(len(text), "a game or variation is not closed with `)`")
    return reader.roots


class _Reader:
    """Grows trees token by token."""

    def __init__(self, text: str):
        self.text = text
        self.roots: list[SgfNode] = []
        self.branches: list[SgfNode | None] = []
        """Where each open parenthesis began."""
        self.node: SgfNode | None = None
        self.name = ""

    def done(self, at: int) -> bool:
        """Whether the rest of the file, between or behind games, is no game."""
        return bool(self.roots) and not self.branches and re.compile(r"\s*\(\s*;").match(self.text, at) is None

    def complain(self, at: int, what: str) -> InputError:
        return InputError(f"the SGF file makes no sense in line {self.text.count(chr(10), 0, at) + 1}: {what}")

    def take(self, token: re.Match[str]) -> None:
        if token["mark"] is not None:
            self.name = ""
            self.branch(token["mark"], token.start())
        elif token["name"] is not None:
            # Old files write names out, as in `White`: the capitals are the name.
            self.name = re.sub(r"[^A-Z0-9]", "", token["name"])
            if not self.name:
                raise self.complain(token.start(), f"{token['name']!r} is no property: names are capitals")
        elif token["value"] is not None:
            if not self.name or self.node is None:
                raise self.complain(token.start(), "a value needs a property before it")
            self.node.properties.setdefault(self.name, []).append(_unescape(token["value"]))

    def branch(self, mark: str, at: int) -> None:
        if mark == "(":
            self.branches.append(self.node)
            if len(self.branches) > 1 and self.node is None:
                raise self.complain(at, "a game begins with a node, `;`")
        elif not self.branches:
            raise self.complain(at, f"{mark!r} stands outside of a game")
        elif mark == ")":
            self.node = self.branches.pop()
        elif self.node is not None:
            self.node = self.node.add()
        else:
            self.node = SgfNode()
            self.roots.append(self.node)


def _unescape(value: str) -> str:
    """Without escapes; a line break behind a backslash is none, and other blanks are spaces."""
    plain = re.sub(r"\\(?:\r\n|\n\r|\n|\r)", "", value)
    plain = re.sub(r"\r\n|\n\r|\r", "\n", re.sub(r"\\(.)", r"\1", plain, flags=re.DOTALL))
    return re.sub(r"[\t\v\f]", " ", plain)


def escape(value: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", value)


def serialise(roots: Iterable[SgfNode]) -> str:
    """The trees as text, a node with its properties a line."""
    lines: list[str] = []
    for root in roots:
        pending: list[SgfNode | str] = [")", root, "("]
        while pending:
            each = pending.pop()
            if isinstance(each, str):
                lines.append(each)
                continue
            lines.append(_write_node(each))
            if len(each.children) == 1:
                pending.append(each.children[0])
            else:
                for child in reversed(each.children):
                    pending += [")", child, "("]
    return "\n".join(lines) + "\n"


def _write_node(node: SgfNode) -> str:
    parts = (f"{name}{''.join(f'[{escape(v)}]' for v in values)}" for name, values in node.properties.items() if values)
    return ";" + "".join(parts)
