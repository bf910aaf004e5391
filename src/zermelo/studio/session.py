"""What one page has open. A session outlives its connection: a page that comes back finds everything as it was.

When a connection is lost, searches go on for `GRACE` seconds and are then stopped; what was reached stays for `KEEP`
seconds. Answers are kept for a while, so that a request sent twice, because its answer was lost, is done once.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.check.where import of_error
from zermelo.errors import InputError, ZermeloError
from zermelo.studio.desk import Desk, Job
from zermelo.studio.shelf import Shelf
from zermelo.studio.wire import Request

if TYPE_CHECKING:
    from zermelo.studio.catalogue import Catalogue

GRACE = 5.0
KEEP = 3600.0
MOST_SESSIONS = 256
MOST_ANSWERS = 64


class Fleeting(dict[str, Any]):
    """An answer that changes nothing and may be long: it is not kept, and worked out again if it gets lost."""


class Room:
    """One view's half on this side: verbs that a page may ask for, and what to show."""

    verbs: dict[str, Callable[[dict[str, Any]], dict[str, Any]]]

    def snapshot(self) -> dict[str, Any] | None:
        """All that the view shows; `None` if nothing is open."""
        return None

    def stop(self) -> None:
        """Ends whatever runs: the page is gone."""

    def resume(self) -> None:
        """Goes on with what the view needs: the page is back."""


class Session:
    """The rooms of one page, and what is on its way there."""

    def __init__(
        self,
        catalogue: Catalogue,
        searches: Desk,
        make_rooms: Callable[[Session], dict[str, Room]],
        shelf: Shelf | None = None,
    ):
        self.key = secrets.token_urlsafe(16)
        self.catalogue = catalogue
        self.searches = searches
        self.shelf = shelf or Shelf()
        """Where recordings are kept, those of other pages too."""
        self.lock = threading.RLock()
        """Held while rules run for this page, which may be forever."""
        self.turn = asyncio.Lock()
        """Held by the connection whose errand is done now."""
        self.lost = False
        """Whether its rules have not come back in time."""
        self.mail = threading.Lock()
        """Held for a moment: the event loop takes it."""
        self.answers: OrderedDict[int, dict[str, Any]] = OrderedDict()
        self.news: dict[str, dict[str, Any]] = {}
        """The newest snapshot of each room that has not been sent."""
        self.notify: Callable[[], None] | None = None
        """Tells the connection, if there is one, that there is something to send; may be called from any thread."""
        self.connection: object = None
        """Whatever serves the page now."""
        self.left = time.monotonic()
        """When the page was last seen."""
        self.rooms = make_rooms(self)

    # Called on worker threads.

    def handle(self, request: Request) -> dict[str, Any]:
        """The answer to `request`; whatever goes wrong in a rule is said, not raised."""
        with self.lock:
            if request.number in self.answers:
                return self.answers[request.number]
            try:
                answer = {"id": request.number, "ok": self._do(request)}
            except (Exception, SystemExit) as error:  # rules are anybody's code
                answer = {"id": request.number, "error": say_error(error)}
            if not isinstance(answer.get("ok"), Fleeting):
                self.answers[request.number] = answer
            while len(self.answers) > MOST_ANSWERS:
                self.answers.popitem(last=False)
            return answer

    def _do(self, request: Request) -> dict[str, Any]:
        room = self.rooms.get(request.room)
        verb = None if room is None else room.verbs.get(request.verb)
        if verb is None:
            raise InputError(f"nothing is called {request.room}.{request.verb}")
        return verb(request.given)

    def search(self, work: Callable[[Job], bool], seconds: float = 60.0, turns: bool = False) -> Job:
        """Has `work` done on a thread for searches."""
        return self.searches.submit(Job(work, seconds, turns))

    def push(self, room: str) -> None:
        """Sends what `room` shows now; an older picture of it that has not been sent is left out."""
        with self.lock:  # until it is in the mail, or an older picture could get there after a newer one
            data = self.rooms[room].snapshot()
            if data is not None:
                with self.mail:
                    self.news[room] = data
        notify = self.notify
        if notify is not None:
            notify()

    def tell(self, name: str, data: dict[str, Any]) -> None:
        """Sends a word that nobody needs to hear again, under a name of its own."""
        with self.mail:
            self.news[name] = data
        notify = self.notify
        if notify is not None:
            notify()

    # Called by connections.

    def take_news(self) -> list[dict[str, Any]]:
        with self.mail:
            news, self.news = self.news, {}
        return [{"event": name, "data": data} for name, data in news.items()]

    def refresh(self) -> None:
        """A page has come, or come back: it is shown everything."""
        for name, room in self.rooms.items():
            # What a game does wrong is said when it is played; here it would take all other views with it.
            with contextlib.suppress(Exception, SystemExit):
                with self.lock:
                    room.resume()
                self.push(name)

    def stop(self) -> None:
        """The page is gone: nothing is searched for it any more."""
        for room in self.rooms.values():
            room.stop()


def say_error(error: BaseException) -> str:
    """One line for the person at the page."""
    if isinstance(error, ZermeloError):
        return " ".join(str(error).split())[:700]
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    place = of_error(error)
    return f"the rules raised {what[:300]}{f', at {place}' if place else ''}"


class Sessions:
    """All pages, those that are away too."""

    def __init__(self, make: Callable[[], Session]):
        self.make = make
        self.known: OrderedDict[str, Session] = OrderedDict()

    def join(self, key: str) -> Session:
        """The session called `key`, if it is still there, else a new one."""
        session = self.known.get(key)
        if session is None:
            session = self.make()
            self.known[session.key] = session
        self.known.move_to_end(session.key)
        self.forget()
        return session

    def forget(self) -> None:
        """Drops sessions that nobody has come back to for long, and the oldest of too many."""
        now = time.monotonic()
        for key, session in list(self.known.items()):
            away = session.notify is None
            if away and (now - session.left > KEEP or len(self.known) > MOST_SESSIONS):
                session.stop()
                del self.known[key]

    def close(self) -> None:
        for session in self.known.values():
            session.stop()
