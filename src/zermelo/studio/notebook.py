"""Notebooks: a position as a picture, and a recorded search as a live widget.

    Board(game, state)      shows itself as SVG; nothing to install
    trace_widget(trace)     the player of the studio's Watch view, under the extra `jupyter` (anywidget)

A `Trace` shows itself in a frame without either.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.search.trace import Trace
from zermelo.studio.rooms.board import draw


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


def trace_widget(trace: Trace) -> Any:
    """A widget that plays `trace`, made of the same module as the page."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise OptionError("a live trace needs anywidget: pip install 'zermelo[jupyter]', or show the trace") from None
    own = files("zermelo.search.trace")
    style = "".join((own / name).read_text(encoding="utf-8") for name in ("tree.css", "view.css"))
    script = (own / "view.js").read_text(encoding="utf-8")
    members = {"_esm": script, "_css": style, "trace": traitlets.Dict().tag(sync=True)}
    return type("TraceWidget", (anywidget.AnyWidget,), members)(trace=trace.view())
