"""Notebooks: a position as a picture, and the studio's views as live widgets.

    Board(game, state)         shows itself as SVG; nothing to install
    studio_widget("play")      a view of the studio in a cell, under the extra `jupyter` (anywidget)
    trace_widget(trace)        the player of the Watch view alone, under the same extra

Games, traces, analyses, payoff tables and equilibria show themselves without any of these.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from zermelo.errors import InputError, OptionError
from zermelo.game import Game
from zermelo.search.trace import Trace
from zermelo.studio.bundle import make_script, make_style, trace_style
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.desk import Desk, Job, search_threads
from zermelo.studio.rooms import make_rooms
from zermelo.studio.rooms.board import draw
from zermelo.studio.session import Session
from zermelo.studio.shelf import Shelf
from zermelo.studio.wire import read_request, write

VIEWS = ("play", "watch", "analyse", "theory", "arena")


class Board:
    """One position of a game; the initial one if none is given."""

    def __init__(self, game: Game, state: Any = None, viewer: int | None = None):
        self.game = game
        self.state = game.initial() if state is None else state
        self.viewer = viewer
        """Whose eyes look at a game of hidden information."""

    def __repr__(self) -> str:
        return f"<Board of {self.game.name}>"

    def _repr_svg_(self) -> str:
        return draw(self.game, self.state, self.viewer)


def studio_widget(view: str = "play", *games: str | Game) -> Any:
    """A view of the studio as a widget; `games` of your own can be chosen beside those of the package."""
    anywidget, traitlets = _anywidget("a view of the studio")
    if view not in VIEWS:
        raise OptionError(f"no view is called {view!r}; there are {', '.join(VIEWS)}")
    bridge = Bridge(Catalogue(games))

    def close(self: Any) -> None:
        bridge.close()
        anywidget.AnyWidget.close(self)

    style = traitlets.Unicode(make_style()).tag(sync=True)
    members = {"_esm": make_script(view), "style": style, "bridge": bridge, "close": close}
    widget = type("StudioWidget", (anywidget.AnyWidget,), members)()
    bridge.join(widget)
    return widget


def trace_widget(trace: Trace) -> Any:
    """A widget that plays `trace`, made of the same module as the page."""
    anywidget, traitlets = _anywidget("a live trace")
    script = (files("zermelo.search.trace") / "view.js").read_text(encoding="utf-8")
    members = {"_esm": script, "_css": trace_style(), "trace": traitlets.Dict().tag(sync=True)}
    return type("TraceWidget", (anywidget.AnyWidget,), members)(trace=trace.view())


def _anywidget(what: str) -> tuple[Any, Any]:
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise OptionError(f"{what} needs anywidget: pip install 'zermelo[jupyter]'") from None
    return anywidget, traitlets


@cache
def _desks() -> tuple[Desk, Desk]:
    """The threads of all widgets of a kernel: for errands, and for searches."""
    return Desk(2, "errand"), Desk(search_threads(), "search", patient=True)


@cache
def _shelf() -> Shelf:
    """The room for recordings of all widgets of a kernel."""
    return Shelf()


class Bridge:
    """A session of the studio whose page is a widget: texts go to and fro over the kernel's own messages."""

    def __init__(self, catalogue: Catalogue):
        self.errands, searches = _desks()
        self.session = Session(catalogue, searches, make_rooms, _shelf())
        self.widget: Any = None

    def join(self, widget: Any) -> None:
        self.widget = widget
        widget.on_msg(self.hear)
        self.session.notify = self.tell

    def hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """A question of the view; it is answered on another thread, for the kernel has its own work."""
        try:
            request = read_request(content.get("text") if isinstance(content, dict) else None)
        except InputError as error:
            self.send({"id": None, "error": str(error)})
            return

        def answer(_job: Job) -> bool:
            self.send(self.session.handle(request))
            return True

        self.errands.submit(Job(answer))

    def close(self) -> None:
        """Ends what runs, and lets go of games and engines, which the widget's class would keep."""
        self.session.stop()
        self.session.rooms.clear()

    def tell(self) -> None:
        for message in self.session.take_news():
            self.send(message)

    def send(self, message: dict[str, Any]) -> None:
        self.widget.send({"text": write(message)})
