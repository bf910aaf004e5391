"""One file per view: the requests that a page may make, and what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.studio.views.analyse import AnalyseView
from zermelo.studio.views.arena import ArenaView
from zermelo.studio.views.cards import CardsView
from zermelo.studio.views.home import HomeView
from zermelo.studio.views.learn import LearnView
from zermelo.studio.views.play import PlayView
from zermelo.studio.views.theory import TheoryView
from zermelo.studio.views.training import TrainingView
from zermelo.studio.views.tree import TreeView
from zermelo.studio.views.watch import WatchView

if TYPE_CHECKING:
    from zermelo.studio.session import StudioSession, View


def make_views(session: StudioSession) -> dict[str, View]:
    """Every view, by the name that requests use."""
    return {
        "home": HomeView(session),
        "play": PlayView(session),
        "watch": WatchView(session),
        "analyse": AnalyseView(session),
        "cards": CardsView(session),
        "theory": TheoryView(session),
        "learn": LearnView(session),
        "tree": TreeView(session),
        "arena": ArenaView(session),
        "training": TrainingView(session),
    }
