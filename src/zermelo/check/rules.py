"""The rules of a game, asked under watch: whatever a rule does wrong by answering ends up in the ledger."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, NoReturn

from zermelo.check import where
from zermelo.check.report import Ledger, Problem
from zermelo.check.snapshot import GameSnapshot, duplicate, frozen, is_plain
from zermelo.errors import ContractError
from zermelo.game import Game

MOST_ACTIONS = 100_000
"""An `actions` that yields more is taken for one that never ends."""
FIRST_CALLS = 1_000
SNAPSHOT_SECONDS = 0.5
"""The game object is compared after each of the first calls, so that a change names its rule; then once a position."""

ANY = "the rules"
"""Who is to blame where it was not seen which rule it was."""
SHARED = "changes a state that it returned before; make a new array or list for each state"
OF_ACTIONS = {"result", "priority", "is_noisy", "target", "is_irreversible", "show_action"}
LISTED = {"actions", "chances"}


class Unanswered(Exception):  # noqa: N818 - it is a signal within this room, not an error
    """A rule gave no usable answer, the ledger says why, and what needs the answer cannot go on."""


class Finished(Exception):  # noqa: N818
    """The check ends here: a rule used up the memory, or all of them the time, in the middle of a position."""


class Watch:
    """Told what goes on. This one does nothing; the command's writes it down in case the process dies."""

    def asks(self, rule: str, s: Any, a: Any) -> None:
        """`rule` is about to be asked of the state `s` and the action `a`, if any."""

    def plays(self) -> None:
        """Positions are about to be played through with nothing checked; told now and then, not at each."""

    def found(self, problem: Problem) -> None:
        """A problem that was not known before."""


class Rules:
    """A game whose every answer is guarded: exceptions, changes of the state or the game, endless lists."""

    def __init__(self, game: Game, ledger: Ledger, watch: Watch, latest: float = math.inf):
        """`latest` is when to give up, on the clock of `time.perf_counter`."""
        self.game = game
        self.ledger = ledger
        self.watch = watch
        self.latest = latest
        self.interrupted = False
        self._state: Any = None
        self._before: Any = None
        self._snapshot = GameSnapshot(game)
        self._changed: set[str] = set()
        self._snapshots_left = FIRST_CALLS
        self._snapshot_seconds = 0.0

    def can(self, method: str) -> bool:
        """Whether the game brings `method` itself."""
        return bool(self.call("can", (method,)))

    def ask(self, rule: str, s: Any, *rest: Any) -> Any:
        """The answer of `rule` about the state `s`."""
        return self.call(rule, (s, *rest), s, rest[0] if rule in OF_ACTIONS else None)

    def ask_twice(self, rule: str, s: Any, *rest: Any) -> Any:
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

    def call(self, rule: str, arguments: tuple[Any, ...], s: Any = None, a: Any = None) -> Any:
        """The answer of `rule` to `arguments`; `s` and `a` are what a problem shows, and `s` must stay as it is."""
        if time.perf_counter() > self.latest:
            self.ledger.note("the rules are slow, and the time was over before every side was seen; give it more")
            raise Finished
        given = s
        if not is_plain(s):
            # The rule gets a copy: what it does to that is seen, and spoils nothing.
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

    def _hold(self, s: Any) -> None:
        """Remembers what `s` holds, unless it is remembered already or nothing can change it."""
        if s is not self._state:
            self._state = s
            self._before = None if is_plain(s) else frozen(s)

    def _spoilt(self, rule: str, s: Any, a: Any, copied: bool) -> None:
        """Blames `rule` for the change of its copy of `s`, unless `s` itself had changed since it was looked at."""
        now = frozen(s)
        if copied and now != self._before:
            self._before = now
            self.breach("result", "shared", SHARED, s)
            return
        message = "changes the state that it is given; make a copy of what you change (`board = s.board.copy()`)"
        self.breach(rule, "mutates", message, s, a)

    def _listed(self, rule: str, answer: Any, s: Any) -> list[Any]:
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

    def compare_game(self, rule: str, s: Any = None, a: Any = None) -> None:
        """Reports attributes of the game object that changed since the last time this was asked."""
        if self._snapshot_seconds > SNAPSHOT_SECONDS:
            self._snapshots_left = 0
        begin = time.perf_counter()
        changed = self._snapshot.changed()
        self._snapshot_seconds += time.perf_counter() - begin
        if changed and not (rule == ANY and changed in self._changed):
            self._changed.add(changed)
            message = f"changes the game object ({changed}); the rules may only read it: keep what changes in the state"
            self.breach(rule, "game", message, s, a)

    def failed(self, error: BaseException, rule: str, s: Any = None, a: Any = None) -> NoReturn:
        """Reports the exception of a rule, unless it is a person's Ctrl-C."""
        if self.interrupted:
            raise error
        place = where.of_error(error)
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

    def breach(self, rule: str, kind: Hashable, message: str, s: Any = None, a: Any = None) -> None:
        """Notes that `rule` breaks the contract; the same `kind` of breach is kept once, with a count."""
        if self.ledger.again((rule, kind)):
            return
        state = "" if s is None else self.describe_state(s)
        action = "" if a is None else self._text("show_action", s, a)
        problem = Problem(rule, message, state, action)
        self.ledger.add((rule, kind), problem)
        self.watch.found(problem)

    def describe_state(self, s: Any) -> str:
        """The text of `s` for a message."""
        return self._text("write", s)

    def _text(self, method: str, s: Any, *rest: Any) -> str:
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
    def guarding(self, rule: str, s: Any = None, a: Any = None) -> Iterator[None]:
        """Blames `rule` for an exception from what it returned: a comparison or a hash of the user's own."""
        try:
            yield
        except (Unanswered, Finished):
            raise
        except BaseException as error:
            self.failed(error, rule, s, a)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Tells a person's Ctrl-C from a KeyboardInterrupt that a rule raises."""
        previous = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(previous):
            yield
            return

        def interrupt(number: int, frame: Any) -> None:
            self.interrupted = True
            previous(number, frame)

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, previous)


def describe(value: Any) -> str:
    """`value` in a few words, for a message."""
    try:
        text = repr(value)
    except BaseException:
        text = "something"
    kind = type(value).__name__
    if value is None:
        return "None"
    return f"{text} ({kind})" if len(text) <= 60 else f"{text[:57]}… ({kind})"
