"""The state of one page. A session outlives its connection: a page that reconnects finds everything as it was.

When a connection is lost, searches go on for `GRACE_SECONDS` and are then stopped; the session itself is kept for
`KEEP_SECONDS`. Answers are kept for a while, so that a request that is sent twice, because its answer was lost, is
done once.

A view is pushed as a snapshot, and sent as what has changed since the last one that this connection got.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from zermelo.check.report import of_error
from zermelo.errors import InputError, ZermeloError
from zermelo.studio.messages import PageRequest
from zermelo.studio.recordings import RecordingCache
from zermelo.studio.workers import WorkerJob, WorkerPool

if TYPE_CHECKING:
    from zermelo.studio.catalogue import Catalogue

GRACE_SECONDS = 5.0
KEEP_SECONDS = 3600.0
MAX_SESSIONS = 256
MAX_ANSWERS = 64
"""Answers of a session that are kept for requests that are sent again."""
MAX_ERROR_CHARS = 700
SHORT_TEXT_CHARS = 1_000
"""Texts that are shorter are sent whole."""

Verb = Callable[[Mapping[str, object]], dict[str, object]]
"""What a page may ask of a view: takes the arguments of a request, returns its answer."""


class UncachedAnswer(dict[str, object]):
    """An answer that changes nothing and may be long: it is not kept, but computed again if it gets lost."""


class View:
    """The server's half of a view: the verbs that a page may ask for, and what the view shows."""

    verbs: dict[str, Verb]
    incremental = True
    """Whether the page is sent what has changed; then its last snapshot stays in memory."""

    def snapshot(self) -> dict[str, object] | None:
        """All that the view shows; `None` if nothing is open."""
        return None

    def stop(self) -> None:
        """Stops what runs: the page is gone."""

    def resume(self) -> None:
        """Continues what `stop` ended: the page is back."""


class StudioSession:
    """The views of one page, and the messages on their way to it."""

    def __init__(
        self,
        catalogue: Catalogue,
        searches: WorkerPool,
        make_views: Callable[[StudioSession], dict[str, View]],
        recordings: RecordingCache | None = None,
    ):
        self.key = secrets.token_urlsafe(16)
        self.catalogue = catalogue
        self.searches = searches
        self.recordings = recordings or RecordingCache()
        """The recordings of all pages."""
        self.lock = threading.RLock()
        """Held while rules run for this page, which may be forever."""
        self.turn = asyncio.Lock()
        """Held by the connection whose request is handled now."""
        self.lost = False
        """Whether its rules have not returned in time."""
        self.outbox_lock = threading.Lock()
        """Held only for a moment, since the event loop takes it."""
        self.answers: OrderedDict[int, dict[str, object]] = OrderedDict()
        self.outbox: dict[str, dict[str, object]] = {}
        """The newest snapshot of each view that has not been sent."""
        self.events: dict[str, Mapping[str, object]] = {}
        """Other events that have not been sent."""
        self.sent: dict[str, dict[str, object]] = {}
        """The snapshot of each view that the page has."""
        self.pending: set[str] | None = None
        """Views to be pushed when the request that is handled now is done; `None` between requests."""
        self.notify: Callable[[], None] | None = None
        """Notifies the connection, if there is one, that there is something to send; may be called from any thread."""
        self.connection: object = None
        """The connection that serves the page now."""
        self.left = time.monotonic()
        """When the page was last seen."""
        self.views = make_views(self)

    # Called on worker threads.

    def handle(self, request: PageRequest) -> dict[str, object]:
        """The answer to `request`; whatever goes wrong in the rules is reported, not raised."""
        with self.lock:
            if request.number in self.answers:
                return self.answers[request.number]
            try:
                answer = {"id": request.number, "ok": self._call(request)}
            except (Exception, SystemExit) as error:  # rules are anybody's code
                answer = {"id": request.number, "error": describe_error(error)}
            if not isinstance(answer.get("ok"), UncachedAnswer):
                self.answers[request.number] = answer
            while len(self.answers) > MAX_ANSWERS:
                self.answers.popitem(last=False)
            return answer

    def _call(self, request: PageRequest) -> dict[str, object]:
        """Calls the verb, then takes one snapshot of each view that it has pushed, however often."""
        view = self.views.get(request.view)
        verb = None if view is None else view.verbs.get(request.verb)
        if verb is None:
            raise InputError(f"nothing is called {request.view}.{request.verb}")
        pending: set[str] = set()
        self.pending = pending
        try:
            return verb(request.given)
        finally:
            self.pending = None
            for name in pending:
                self.push(name)

    def search(self, work: Callable[[WorkerJob], bool], seconds: float = 60.0, yields: bool = False) -> WorkerJob:
        """Runs `work` on a thread for searches."""
        return self.searches.submit(WorkerJob(work, seconds, yields))

    def push(self, name: str) -> None:
        """Sends what the view `name` shows now, in place of an older snapshot that has not been sent."""
        with self.lock:
            if self.pending is None:
                self._update(name)
            else:
                self.pending.add(name)

    def _update(self, name: str) -> None:
        with self.lock:  # until it is in the outbox, or an older snapshot could overtake a newer one
            data = self.views[name].snapshot()
            if data is None:
                return
            with self.outbox_lock:
                self.outbox[name] = data
        self._wake()

    def send(self, name: str, data: Mapping[str, object]) -> None:
        """Sends an event that belongs to no view and is not sent again after a reconnect."""
        with self.outbox_lock:
            self.events[name] = data
        self._wake()

    def _wake(self) -> None:
        notify = self.notify
        if notify is not None:
            notify()

    # Called by connections.

    def take_messages(self) -> list[dict[str, object]]:
        """The messages to send: the changes of each view, or all of it if the page has nothing yet."""
        with self.outbox_lock:
            outbox, self.outbox = self.outbox, {}
            events, self.events = self.events, {}
            messages: list[dict[str, object]] = [{"event": name, "data": data} for name, data in events.items()]
            for name, data in outbox.items():
                before = self.sent.get(name)
                if name in self.views and self.views[name].incremental:
                    self.sent[name] = data
                if before is None or before.keys() != data.keys():
                    messages.append({"event": name, "data": data})
                elif changes := find_changes(before, data):
                    messages.append({"event": name, "changes": changes})
        return messages

    def refresh(self) -> None:
        """Sends everything: a page has connected, or a widget was drawn again."""
        with self.outbox_lock:
            self.sent.clear()
        for name, view in self.views.items():
            # An error of a game is shown when it is played; here it would keep all other views from the page.
            with contextlib.suppress(Exception, SystemExit):
                with self.lock:
                    view.resume()
                self._update(name)

    def stop(self) -> None:
        """Stops all searches: the page is gone."""
        with self.outbox_lock:
            self.sent.clear()
        for view in self.views.values():
            view.stop()


def find_changes(before: dict[str, object], after: dict[str, object]) -> dict[str, object]:
    """What has changed between two snapshots with the same names: `{"moves": [60, ["e4"]], "turn": [1]}`.

    A value that has changed is alone in its list. A list that grows is given as the number of entries that stay and the
    new ones; a long text as the number of characters that stay at its beginning, the new ones, and the number of those
    that stay at its end.
    """
    changes: dict[str, object] = {}
    for name, new in after.items():
        old = before[name]
        if old is new:
            continue
        if isinstance(old, list) and isinstance(new, list):
            keep = common_length(old, new)
            if keep < max(len(old), len(new)):
                changes[name] = [keep, new[keep:]] if keep else [new]
        elif not (type(old) is type(new) and old == new):
            changes[name] = edit_text(old, new) if isinstance(old, str) and isinstance(new, str) else [new]
    return changes


def edit_text(old: str, new: str) -> list[str | int]:
    """The edit that turns `old` into `new`: all of `new`, unless both are long and most of the text stays."""
    short = min(len(old), len(new))
    # A page counts the characters beyond the basic plane twice.
    if short < SHORT_TEXT_CHARS or ord(max(max(old), max(new))) > 0xFFFF:
        return [new]
    start = count_common(short, lambda count: old[:count] == new[:count])
    end = count_common(short - start, lambda count: old[len(old) - count :] == new[len(new) - count :])
    return [new] if start + end < short / 4 else [start, new[start : len(new) - end], end]


def count_common(most: int, is_common: Callable[[int], bool]) -> int:
    """The greatest count up to `most` for which `is_common` holds, as it does for all smaller ones."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if is_common(middle) else (low, middle - 1)
    return low


def common_length(old: Sequence[object], new: Sequence[object]) -> int:
    """The length of the common prefix of two lists."""
    keep = 0
    for one, other in zip(old, new, strict=False):
        if one is not other and one != other:
            break
        keep += 1
    return keep


def describe_error(error: BaseException) -> str:
    """One line for the person at the page."""
    if isinstance(error, ZermeloError):
        return " ".join(str(error).split())[:MAX_ERROR_CHARS]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    place = of_error(error)
    return f"the rules raised {what[:300]}{f', at {place}' if place else ''}"


class SessionStore:
    """The sessions of all pages, disconnected ones included."""

    def __init__(self, make: Callable[[], StudioSession]):
        self.make = make
        self.known: OrderedDict[str, StudioSession] = OrderedDict()

    def join(self, key: str) -> StudioSession:
        """The session called `key`, if it still exists, else a new one."""
        session = self.known.get(key)
        if session is None:
            session = self.make()
            self.known[session.key] = session
        self.known.move_to_end(session.key)
        self.prune()
        return session

    def prune(self) -> None:
        """Drops sessions that have been disconnected for long, and the oldest disconnected ones of too many."""
        now = time.monotonic()
        for key, session in list(self.known.items()):
            away = session.notify is None
            if away and (now - session.left > KEEP_SECONDS or len(self.known) > MAX_SESSIONS):
                session.stop()
                del self.known[key]

    def close(self) -> None:
        for session in self.known.values():
            session.stop()
