"""Notebooks: a position as a picture, and the studio's views as live widgets.

    Board(game, state)         shows itself as SVG; nothing to install
    studio_widget("play")      a view of the studio in a cell, under the extra `jupyter` (anywidget)
    trace_widget(trace)        the player of the Watch view alone, under the same extra

Games, traces, analyses, payoff tables and equilibria show themselves without any of these.
"""

from __future__ import annotations

import json
import posixpath
import re
import threading
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from zermelo.errors import InputError, OptionError
from zermelo.game import Game
from zermelo.search.trace import Trace
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.messages import read_request, write
from zermelo.studio.recordings import RecordingCache
from zermelo.studio.session import StudioSession
from zermelo.studio.views import make_views
from zermelo.studio.views.board import draw
from zermelo.studio.workers import WorkerJob, WorkerPool, search_threads

VIEWS = ("play", "watch", "analyse", "theory", "arena", "training")
IMPORT = re.compile(r'(?<=from )"([^"]+)"')
TRACE_PATH = "/trace/"
"""Where the page finds the player of recorded searches."""
SCRIPT = Template("""const addresses = {};
function add(name, source) {
  const linked = source.replace(/from "module:([^"]+)"/g, (_all, each) => `from "$${addresses[each]}"`);
  addresses[name] = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
}
$modules
export default {
  async render(context) {
    const { mount } = await import(addresses["/notebook.js"]);
    const view = await import(addresses["/views/$view.js"]);
    return mount(view, "$view", context);
  },
};
""")


class Board:
    """One position of a game; the initial one if none is given."""

    def __init__(self, game: Game, state: Any = None, viewer: int | None = None):
        self.game = game
        self.state = game.initial() if state is None else state
        self.viewer = viewer
        """The player who looks at it, in a game of hidden information."""

    def __repr__(self) -> str:
        return f"<Board of {self.game.name}>"

    def _repr_svg_(self) -> str:
        return draw(self.game, self.state, self.viewer)


def studio_widget(view: str = "play", *games: str | Game) -> Any:
    """A view of the studio as a widget; `games` of your own can be chosen beside those of the package."""
    anywidget, traitlets = _anywidget("a view of the studio")
    if view not in VIEWS:
        raise OptionError(f"no view is called {view!r}; there are {', '.join(VIEWS)}")
    connection = WidgetSession(Catalogue(games))

    def close(self: Any) -> None:
        connection.close()
        anywidget.AnyWidget.close(self)

    style = traitlets.Unicode(make_style()).tag(sync=True)
    members = {"_esm": make_script(view), "style": style, "connection": connection, "close": close}
    widget = type("StudioWidget", (anywidget.AnyWidget,), members)()
    connection.join(widget)
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
def _pools() -> tuple[WorkerPool, WorkerPool]:
    """The threads of all widgets of a kernel: for requests, and for searches."""
    return WorkerPool(2, "request"), WorkerPool(search_threads(), "search", background=True)


@cache
def _recordings() -> RecordingCache:
    """The recordings of all widgets of a kernel."""
    return RecordingCache()


class WidgetSession:
    """A session of the studio whose page is a widget: texts travel as messages of the kernel."""

    def __init__(self, catalogue: Catalogue):
        self.requests, searches = _pools()
        self.session = StudioSession(catalogue, searches, make_views, _recordings())
        self.widget: Any = None
        self.sending = threading.Lock()
        """Held from when messages are taken until they are sent, or later ones could overtake them."""

    def join(self, widget: Any) -> None:
        self.widget = widget
        widget.on_msg(self.receive)
        self.session.notify = self.send_messages

    def receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Handles a request of the view on another thread, so that the kernel is free."""
        try:
            request = read_request(content.get("text") if isinstance(content, dict) else None)
        except InputError as error:
            self.send({"id": None, "error": str(error)})
            return

        def answer(_job: WorkerJob) -> bool:
            self.send(self.session.handle(request))
            return True

        self.requests.submit(WorkerJob(answer))

    def close(self) -> None:
        """Stops what runs, and drops games and engines, which the widget's class would keep."""
        self.session.stop()
        self.session.views.clear()

    def send_messages(self) -> None:
        with self.sending:
            for message in self.session.take_messages():
                self.send(message)

    def send(self, message: dict[str, object]) -> None:
        self.widget.send({"text": write(message)})


# The page's modules as one script, since a notebook loads no files: each becomes a blob with an address of its own.
# Modules are listed before those that import them, so every import can be replaced by the address of what it names.


def read_module(path: str) -> str:
    """The file that the page finds under `path`."""
    if path.startswith(TRACE_PATH):
        return (files("zermelo.search.trace") / path.removeprefix(TRACE_PATH)).read_text(encoding="utf-8")
    return (files("zermelo.studio") / "static").joinpath(*path.strip("/").split("/")).read_text(encoding="utf-8")


def collect(path: str, found: dict[str, str]) -> None:
    """Adds the module at `path` to `found`, after all that it imports; imports then name modules from the root on."""
    if path in found:
        return
    source = read_module(path)
    names = {name: posixpath.join(posixpath.dirname(path), name) for name in IMPORT.findall(source)}
    places = {name: posixpath.normpath(place) for name, place in names.items()}
    for place in places.values():
        collect(place, found)
    found[path] = IMPORT.sub(lambda match: f'"module:{places[match[1]]}"', source)


def make_script(view: str) -> str:
    """The script of a widget that shows `view`."""
    found: dict[str, str] = {}
    for path in ("/notebook.js", f"/views/{view}.js"):
        collect(path, found)
    modules = "\n".join(f"add({json.dumps(path)}, {json.dumps(source)});" for path, source in found.items())
    return SCRIPT.substitute(modules=modules, view=view)


def trace_style() -> str:
    return "".join(read_module(f"{TRACE_PATH}{name}") for name in ("tree.css", "view.css"))


def make_style() -> str:
    """The page's style sheet for a shadow tree, which has no root element, no `html` and no `body`."""
    own = read_module("/studio.css")
    for tag, inside in (("html", ":host"), ("body", ".studio"), (":root", ":host")):
        own = re.sub(rf"(?m)^(\s*){tag} {{", rf"\g<1>{inside} {{", own)
    return trace_style() + own
