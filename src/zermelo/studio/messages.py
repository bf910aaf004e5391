"""Messages between a page and the studio: JSON texts of a limited size, at a limited rate.

{"id": 7, "do": "play.move", "with": {"move": "e4"}}     a request of a page
{"id": 7, "ok": {…}}   {"id": 7, "error": "…"}           its answer, one for each id
{"event": "play", "data": {…}}                           what a view shows now, whole
{"event": "play", "changes": {"turn": [1], "moves": [60, ["e4"]]}}
                                                         what has changed in it (`session.find_changes`)
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zermelo.errors import InputError
from zermelo.options import flag, whole

MAX_MESSAGE_CHARS = 200_000
"""Enough for a tree that is typed in, or for a file of a game."""
BURST_MESSAGES, MESSAGES_PER_SECOND = 60, 30.0
"""Messages that a page may send at once, and in the long run."""
VERB = re.compile(r"[a-z]{1,20}\.[a-z]{1,20}")


class PageRequest(NamedTuple):
    """What a page asks for: a verb of a view, and its arguments."""

    number: int
    view: str
    verb: str
    given: Mapping[str, object]


def read_request(text: str | None) -> PageRequest:
    """Parses a message; `text` is `None` for a binary frame. Raises an `InputError` if anything is wrong."""
    if text is None:
        raise InputError("a message is text")
    if len(text) > MAX_MESSAGE_CHARS:
        raise InputError(f"a message has at most {MAX_MESSAGE_CHARS:,} characters")
    try:
        found = json.loads(text, parse_constant=_refuse)
        if "\\u" in text:  # replaces lone surrogates, which could not be sent back
            found = json.loads(json.dumps(found, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError):
        raise InputError("a message is JSON") from None
    if not isinstance(found, dict):
        raise InputError("a message is a record")
    number, do, given = found.get("id"), found.get("do"), found.get("with", {})
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 2**53:
        raise InputError("a message has an id, a whole number")
    if not isinstance(do, str) or not VERB.fullmatch(do) or not isinstance(given, dict):
        raise InputError("a message says what to do, as in play.move, with a record of what that needs")
    view, _, verb = do.partition(".")
    return PageRequest(number, view, verb, given)


def _refuse(name: str) -> None:
    raise ValueError(name)


class RateLimit:
    """A token bucket: lets `BURST_MESSAGES` through at once, and `MESSAGES_PER_SECOND` after that."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self.now = now
        self.left = float(BURST_MESSAGES)
        self.filled = now()

    def take(self) -> bool:
        """Whether one more message may pass."""
        moment = self.now()
        self.left = min(float(BURST_MESSAGES), self.left + MESSAGES_PER_SECOND * (moment - self.filled))
        self.filled = moment
        if self.left < 1:
            return False
        self.left -= 1
        return True


def plain(value: Any) -> object:
    """`value` as JSON can hold it: without infinities, tuples and NumPy numbers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (str, int, bool)) else str(value)


def write(message: Mapping[str, object]) -> str:
    return json.dumps(plain(message), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# Arguments of a request, each checked where it is used.


def text_of(given: Mapping[str, object], name: str, default: str | None = None, most: int = MAX_MESSAGE_CHARS) -> str:
    value = given.get(name, default)
    if not isinstance(value, str) or len(value) > most:
        raise InputError(f"{name} must be a text of at most {most:,} characters")
    return value


def number_of(given: Mapping[str, object], name: str, low: int, high: int, default: int | None = None) -> int:
    value = given.get(name, default)
    checked: int = whole(low, high).check(name, value)
    return checked


def flag_of(given: Mapping[str, object], name: str, default: bool = False) -> bool:
    value = given.get(name, default)
    checked: bool = flag().check(name, value)
    return checked


def texts_of(given: Mapping[str, object], name: str, most: int = 32) -> list[str]:
    value = given.get(name)
    if not isinstance(value, list) or len(value) > most or not all(isinstance(v, str) and len(v) < 500 for v in value):
        raise InputError(f"{name} must be a list of at most {most} short texts")
    return value


def paths_of(given: Mapping[str, object], name: str, most: int = 64) -> list[tuple[str, ...]]:
    """A list of lists of texts."""
    value = given.get(name)
    if not isinstance(value, list) or len(value) > most:
        raise InputError(f"{name} must be a list of at most {most} lists of short texts")
    return [tuple(texts_of({name: each}, name)) for each in value]


def numbers_of(given: Mapping[str, Any], name: str, most: int, high: int = 2**40) -> list[int]:
    """A list of whole numbers from 0 on, which may be left out."""
    value = given.get(name, [])
    whole = isinstance(value, list) and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    if not whole or len(value) > most or not all(0 <= v <= high for v in value):
        raise InputError(f"{name} must be a list of at most {most} whole numbers from 0 on")
    return list(value)
