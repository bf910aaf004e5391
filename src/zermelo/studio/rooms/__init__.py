"""One file a view: what a page may ask there, and what it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.studio.rooms.analyse import AnalyseRoom
from zermelo.studio.rooms.arena import ArenaRoom
from zermelo.studio.rooms.home import HomeRoom
from zermelo.studio.rooms.learn import LearnRoom
from zermelo.studio.rooms.play import PlayRoom
from zermelo.studio.rooms.theory import TheoryRoom
from zermelo.studio.rooms.watch import WatchRoom

if TYPE_CHECKING:
    from zermelo.studio.session import Room, Session


def make_rooms(session: Session) -> dict[str, Room]:
    """Every view's room, by the name that requests use."""
    return {
        "home": HomeRoom(session),
        "play": PlayRoom(session),
        "watch": WatchRoom(session),
        "analyse": AnalyseRoom(session),
        "theory": TheoryRoom(session),
        "learn": LearnRoom(session),
        "arena": ArenaRoom(session),
    }
