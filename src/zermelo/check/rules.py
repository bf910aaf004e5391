"""Guarded rules: every call is guarded, repeated, and must leave its arguments and the game unchanged.

frozen(x) == frozen(y)   if x and y hold the same, however deep; never if an array, list or attribute differs
"""

from __future__ import annotations

import copy
import functools
import math
import random
import signal
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType, ModuleType
from typing import Any, NoReturn

from zermelo.check.report import Ledger, Problem, of_error
from zermelo.errors import ContractError
from zermelo.game import AnyGame, Game

DEEPEST_NESTING = 20
"""The depth to which nested values are inspected; a limit is needed for structures that contain themselves."""

PLAIN = (int, float, complex, bool, str, bytes, type(None))


def is_array(value: object) -> bool:
    """Whether `value` is a NumPy array or number, tested without importing NumPy."""
    return hasattr(value, "tobytes") and hasattr(value, "dtype")


def is_plain(value: object) -> bool:
    """Whether `value` is made of numbers, text and tuples alone, so that it is immutable."""
    if isinstance(value, tuple):
        return all(is_plain(part) for part in value)
    return type(value) in PLAIN


def frozen(value: Any, depth: int = 0) -> Any:
    """A stand-in for `value` that shares nothing mutable with it."""
    kind = type(value)
    if kind in PLAIN:
        return value if value == value else (kind, "nan")  # which is not equal to itself
    if callable(value) or isinstance(value, ModuleType):
        return (kind, id(value))
    if depth > DEEPEST_NESTING:
        return kind
    if is_array(value):
        if not value.shape:
            return frozen(value.item(), depth + 1)
        held = frozen(value.tolist(), depth + 1) if value.dtype.hasobject else value.tobytes()
        return (value.dtype.str, value.shape, held)
    if isinstance(value, (tuple, list)):
        return [frozen(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {k: frozen(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, random.Random):
        return value.getstate()
    own = attributes(value)
    if own:
        return (kind, {name: frozen(part, depth + 1) for name, part in own.items()})
    compares = any("__eq__" in vars(ancestor) for ancestor in kind.__mro__[:-1])
    return value if compares else kind


def attributes(value: object) -> dict[str, object]:
    """The attributes that an object holds itself, in its dictionary or in slots."""
    held = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                held[name] = getattr(value, name)
    return held


def duplicate(value: Any) -> Any:
    """A deep copy of `value`; `value` itself where it cannot be copied."""
    if is_plain(value):
        return value
    if is_array(value) and not value.dtype.hasobject:
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(map(duplicate, value))
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def rebuilt(value: object) -> Any:
    """A copy of `value`; a tuple is always copied to a new object, even if it is immutable."""
    copied = duplicate(value)
    if isinstance(copied, tuple):
        return copied._make(copied) if hasattr(copied, "_make") else (*copied,)
    return copied


def game_attributes(game: AnyGame) -> dict[str, object]:
    """The attributes of a game object and its own classes, without cached properties."""
    held: dict[str, object] = {}
    for kind in reversed(type(game).__mro__):
        if kind not in Game.__mro__:
            held.update((n, v) for n, v in vars(kind).items() if not n.startswith("__") and not hasattr(v, "__get__"))
    held.update(attributes(game))
    lazy = {n for kind in type(game).__mro__ for n, v in vars(kind).items() if isinstance(v, functools.cached_property)}
    return {name: value for name, value in held.items() if name not in lazy}


class GameSnapshot:
    """A snapshot of a game object. Immutable tables are compared by identity, so their size costs no time."""

    def __init__(self, game: AnyGame):
        self.game = game
        self._plain: dict[int, object] = {}
        self.held = self._freeze()

    def _freeze(self) -> dict[str, object]:
        return {name: self._part(value) for name, value in game_attributes(self.game).items()}

    def _part(self, value: object) -> Any:
        if self._plain.get(id(value)) is not None:
            return value
        if is_plain(value):
            # The reference keeps the id from being given to another object.
            self._plain[id(value)] = value
            return value
        return frozen(value)

    def changed(self) -> str:
        """The names of the attributes that changed since the last call, or an empty text."""
        now = self._freeze()
        before, self.held = self.held, now
        if now == before:
            return ""
        missing = object()
        names = [name for name in {**before, **now} if before.get(name, missing) != now.get(name, missing)]
        return ", ".join(names)


MOST_ACTIONS = 100_000
"""An `actions` that yields more is considered endless."""
FIRST_CALLS = 1_000
SNAPSHOT_SECONDS = 0.5
"""The game object is compared after each of the first calls, so that a change names its rule; then per position."""

ANY = "the rules"
"""The culprit where the rule is not known."""
SHARED = "changes a state that it returned before; make a new array or list for each state"
OF_ACTIONS = {"result", "priority", "is_noisy", "target", "is_irreversible", "show_action"}
LISTED = {"actions", "chances"}


class Unanswered(Exception):  # noqa: N818 - it is a signal within this room, not an error
    """A rule gave no usable answer, the ledger says why, and what needs the answer cannot go on."""


class Finished(Exception):  # noqa: N818
    """The check ends in the middle of a position: a rule ran out of memory, or the time is up."""


class Watch:
    """Receives progress. This one does nothing; the command's writes it down in case the process dies."""

    def asks(self, rule: str, s: object, a: object) -> None:
        """`rule` is about to be called on the state `s` and the action `a`, if any."""

    def plays(self) -> None:
        """Positions are about to be played without checks; called from time to time, not at each."""

    def found(self, problem: Problem) -> None:
        """A problem that was not known before."""


class Rules:
    """A game whose every answer is guarded: exceptions, changes of the state or the game, endless lists."""

    def __init__(self, game: AnyGame, ledger: Ledger, watch: Watch, latest: float = math.inf):
        """`latest` is when to give up, on the clock of `time.perf_counter`."""
        self.game = game
        self.ledger = ledger
        self.watch = watch
        self.latest = latest
        self.interrupted = False
        self._state: object = None
        self._before: object = None
        self._snapshot = GameSnapshot(game)
        self._changed: set[str] = set()
        self._snapshots_left = FIRST_CALLS
        self._snapshot_seconds = 0.0

    def can(self, method: str) -> bool:
        """Whether the game brings `method` itself."""
        return bool(self.call("can", (method,)))

    def ask(self, rule: str, s: object, *rest: object) -> Any:
        """The answer of `rule` about the state `s`."""
        return self.call(rule, (s, *rest), s, rest[0] if rule in OF_ACTIONS else None)

    def ask_twice(self, rule: str, s: object, *rest: object) -> Any:
        """The answer of `rule`, which must be the same when it is asked again."""
        answer = self.ask(rule, s, *rest)
        again = self.ask(rule, s, *rest)
        with self.guarding(rule, s):
            same = frozen(again) == frozen(answer)
        if not same:
            a = rest[0] if rule in OF_ACTIONS else None
            self.breach(
                rule, "twice", "answers differently when asked twice; let it depend on its arguments alone", s, a
            )
        return answer

    def call(self, rule: str, arguments: tuple[object, ...], s: object = None, a: object = None) -> Any:
        """The answer of `rule` to `arguments`; `s` and `a` are what a problem shows, and `s` must stay as it is."""
        if time.perf_counter() > self.latest:
            self.ledger.note("the rules are slow, and the time was over before every side was seen; give it more")
            raise Finished
        given = s
        if not is_plain(s):
            # The rule gets a copy, so that a mutation is detected and does no harm.
            given = duplicate(s)
            arguments = tuple(given if argument is s else argument for argument in arguments)
        self._hold(s)
        self.watch.asks(rule, s, a)
        try:
            answer = getattr(self.game, rule)(*arguments)
            if rule in LISTED:
                answer = self._listed(rule, answer, s)
            spoilt = self._before is not None and frozen(given) != self._before
        except Unanswered:
            raise
        except BaseException as error:
            self.failed(error, rule, s, a)
        if spoilt:
            self._spoilt(rule, s, a, given is not s)
        if self._snapshots_left > 0:
            self._snapshots_left -= 1
            self.compare_game(rule, s, a)
        return answer

    def _hold(self, s: object) -> None:
        """Remembers the content of `s`, unless it is remembered already or immutable."""
        if s is not self._state:
            self._state = s
            self._before = None if is_plain(s) else frozen(s)

    def _spoilt(self, rule: str, s: object, a: object, copied: bool) -> None:
        """Blames `rule` for the change of its copy of `s`, unless `s` itself has changed since it was frozen."""
        now = frozen(s)
        if copied and now != self._before:
            self._before = now
            self.breach("result", "shared", SHARED, s)
            return
        message = "changes the state that it is given; make a copy of what you change (`board = s.board.copy()`)"
        self.breach(rule, "mutates", message, s, a)

    def _listed(self, rule: str, answer: Any, s: object) -> list[object]:
        try:
            yielded = iter(answer)
        except TypeError:
            message = f"returns {describe(answer)}, which holds no actions; yield them one by one, or return a list"
            self.breach(rule, "not listed", message, s)
            raise Unanswered(rule) from None
        listed = list(islice(yielded, MOST_ACTIONS + 1))
        if len(listed) > MOST_ACTIONS:
            message = f"does not end: more than {MOST_ACTIONS:,} actions in one state; look for a loop without an end"
            self.breach(rule, "endless", message, s)
            raise Unanswered(rule)
        return listed

    def compare_game(self, rule: str, s: object = None, a: object = None) -> None:
        """Reports attributes of the game object that changed since the last call."""
        if self._snapshot_seconds > SNAPSHOT_SECONDS:
            self._snapshots_left = 0
        begin = time.perf_counter()
        changed = self._snapshot.changed()
        self._snapshot_seconds += time.perf_counter() - begin
        if changed and not (rule == ANY and changed in self._changed):
            self._changed.add(changed)
            message = f"changes the game object ({changed}); the rules may only read it: keep what changes in the state"
            self.breach(rule, "game", message, s, a)

    def failed(self, error: BaseException, rule: str, s: object = None, a: object = None) -> NoReturn:
        """Reports the exception of a rule, unless it is a user's Ctrl-C."""
        if self.interrupted:
            raise error
        place = of_error(error)
        kind = type(error).__name__
        if isinstance(error, ContractError):
            message = f"fails: {error}"
        else:
            try:
                said = " ".join(str(error).split())[:300]
            except BaseException:
                said = ""
            at = f" at {place}" if place else ""
            message = (
                f"raises {kind}{at}{f': {said}' if said else ''}; it must answer for every state and action reached"
            )
        self.breach(rule, (kind, place), message, s, a)
        if isinstance(error, MemoryError):
            raise Finished from None
        raise Unanswered(rule) from None

    def breach(self, rule: str, kind: Hashable, message: str, s: object = None, a: object = None) -> None:
        """Notes that `rule` breaks the contract; the same `kind` of breach is kept once, with a count."""
        if self.ledger.again((rule, kind)):
            return
        state = "" if s is None else self.describe_state(s)
        action = "" if a is None else self._text("show_action", s, a)
        problem = Problem(rule, message, state, action)
        self.ledger.add((rule, kind), problem)
        self.watch.found(problem)

    def describe_state(self, s: object) -> str:
        """The text of `s` for a message."""
        return self._text("write", s)

    def _text(self, method: str, s: object, *rest: object) -> str:
        """The game's own text if it has one that works, else Python's."""
        self.watch.asks(method, s, rest[0] if rest else None)
        for attempt in (lambda: getattr(self.game, method)(duplicate(s), *rest), lambda: repr(rest[0] if rest else s)):
            try:
                text = attempt()
            except BaseException:
                if self.interrupted:
                    raise
                continue
            if isinstance(text, str):
                return text if len(text) <= 2_000 else f"{text[:2_000]}…"
        return "(it has no text: its `__repr__` raises)"

    @contextmanager
    def guarding(self, rule: str, s: object = None, a: object = None) -> Iterator[None]:
        """Blames `rule` for an exception from what it returned: a comparison or a hash of the user's own."""
        try:
            yield
        except (Unanswered, Finished):
            raise
        except BaseException as error:
            self.failed(error, rule, s, a)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Distinguishes a user's Ctrl-C from a KeyboardInterrupt that a rule raises."""
        previous = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(previous):
            yield
            return

        def interrupt(number: int, frame: FrameType | None) -> None:
            self.interrupted = True
            previous(number, frame)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, previous)


def describe(value: object) -> str:
    """`value` in a few words, for a message."""
    try:
        text = repr(value)
    except BaseException:
        text = "something"
    kind = type(value).__name__
    if value is None:
        return "None"
    return f"{text} ({kind})" if len(text) <= 60 else f"{text[:57]}… ({kind})"
