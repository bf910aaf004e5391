"""The tree at one moment as an SVG drawing, in the notation of the lectures.

MAX is a triangle that points up, MIN one that points down, chance a circle, a leaf a square with its value; a branch
that was cut off is struck through twice. The drawing brings its own paper, so that it can be read on any background.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files

from zermelo.errors import OptionError
from zermelo.search.trace.model import Event, Replay
from zermelo.search.trace.narrate import describe
from zermelo.search.trace.scene import LABEL_AT, PICTURE_LIMIT, Drawn, Look, Scene
from zermelo.search.trace.words import clean, plural, shorten

TOPS = {"max": -17.0, "min": -14.0, "chance": -15.5, "player": -17.0}
BOTTOMS = {"max": 14.0, "min": 17.0, "chance": 15.5, "player": 14.0}
NAME_LINES = {"max": 10.0, "min": 2.0, "chance": 4.0, "player": 5.0}
BOX = 13.0
STRIKE_AT = 0.42
"""Where on its edge a cut branch is struck, from parent (0) to child (1)."""


def draw(header: Mapping[str, object], events: Sequence[Event], step: int | None = None) -> str:
    """The tree after `step` events, or after all of them."""
    if step is not None and (not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= len(events)):
        raise OptionError(f"step must be a whole number from 0 to {len(events)}, not {step!r}")
    scene = Scene(header, events, PICTURE_LIMIT)
    replay = Replay(scene.tree)
    told = events[:step]
    for event in told:
        replay.apply(event)
    finished = not told or told[-1]["event"] == "result" or replay.current < 0
    current = -1 if finished else scene.places[replay.current]
    moment = "" if step is None or step == len(events) else f"after step {step} of {len(events)}"
    return Drawing(scene).write(replay, title(header, moment), current)


def title(header: Mapping[str, object], moment: str = "") -> str:
    """What the picture shows, in a line."""
    told = [shorten(clean(header[name]), 60) for name in ("game", "algorithm") if header.get(name)]
    return " · ".join(filter(None, [*told, moment])) or "A search"


class Drawing:
    """Writes a scene as SVG. Each node is two groups, one for its edge and one for its shape, edges below shapes."""

    def __init__(self, scene: Scene):
        self.scene = scene

    def write(self, replay: Replay, caption: str, current: int = -1, unseen: bool = False) -> str:
        """The moment of `replay`; with `unseen`, also what is still to come, to be shown by a script."""
        edges, shapes = [], []
        for place, node in enumerate(self.scene.nodes):
            look = self.scene.look(place, replay)
            if look.classes.startswith("unseen") and not unseen:
                continue
            if node.parent >= 0:
                edges.append(self._edge(place, node, look))
            shapes.append(self._node(place, node, look, current == place))
        width, height = math.ceil(self.scene.width), math.ceil(self.scene.height)
        notice = "" if unseen else self._notice(height)
        height += 20 if notice else 0
        heading = "" if unseen else f"<title>{escape(caption)}</title>"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="zermelo-tree" role="img" aria-label="{escape(caption)}" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">{heading}'
            f"<style>{read('tree.css')}</style>"
            f'<rect class="paper" width="{width}" height="{height}" rx="6"/>'
            f'<g class="edges">{"".join(edges)}</g><g class="nodes">{"".join(shapes)}</g>{notice}</svg>'
        )

    def _notice(self, height: int) -> str:
        if not self.scene.folded:
            return ""
        folded = plural(self.scene.folded, "position is", "positions are")
        return f'<text class="notice" x="24" y="{height}">{folded} folded into the +N markers.</text>'

    def _edge(self, place: int, node: Drawn, look: Look) -> str:
        above = self.scene.nodes[node.parent]
        start = above.x, above.y + BOTTOMS.get(above.position.kind, BOX)
        end = node.x, node.y + (-BOX if node.bundle else TOPS.get(node.position.kind, -BOX))
        edge = Edge(start, end)
        label = self.scene.label(node)
        text = ""
        if label:
            x, y = edge.at(LABEL_AT)
            text = f'<text class="label" x="{x:.1f}" y="{y + 4:.1f}">{escape(label)}</text>'
        strike = f'<path class="strike" d="{edge.strike()}"/>' if node.ever_struck else ""
        return f'<g class="{look.classes}" data-edge="{place}"><path class="edge" d="{edge.path()}"/>{strike}{text}</g>'

    def _node(self, place: int, node: Drawn, look: Look, now: bool) -> str:
        position = node.position
        kind = "box" if node.bundle else position.kind or "box"
        outline = self._outline(node, kind)
        # The ring around the current node is its own outline once more, below it and much thicker.
        parts = [outline.replace('"shape"', '"halo"'), outline] if now else [outline]
        if kind in ("leaf", "box"):
            parts.append(f'<text class="value inside" y="4.5">{escape(look.value)}</text>')
        else:
            parts.extend(self._texts(node, look))
        if node.hidden:
            foot = BOTTOMS.get(kind, BOX)
            parts.append(
                f'<path class="fan" d="M-3 {foot + 3}l-7 9M0 {foot + 3}v10M3 {foot + 3}l7 9"/>'
                f'<text class="more" y="{foot + 25}">+{node.hidden:,}</text>'
            )
        about = describe(position) if not node.bundle else f"{node.bundle} actions that were not tried"
        parts.append(f"<title>{escape(about)}</title>")
        place_at = f'data-node="{place}" transform="translate({node.x} {node.y})"'
        return f'<g class="{kind} {look.classes}" {place_at}>{"".join(parts)}</g>'

    def _outline(self, node: Drawn, kind: str) -> str:
        if kind in ("leaf", "box"):
            half = self.scene.half_width(node)
            return f'<rect class="shape" x="{-half:.1f}" y="{-BOX}" width="{2 * half:.1f}" height="{2 * BOX}" rx="2"/>'
        if kind == "chance":
            return '<circle class="shape" r="15.5"/>'
        return f'<path class="shape" d="{SHAPES[kind]}"/>'

    def _texts(self, node: Drawn, look: Look) -> list[str]:
        """Name, value, window and note of an inner node."""
        position = node.position
        line = NAME_LINES[position.kind]
        inside = self.scene.name(position) if self.scene.name_fits(position) else ""
        if position.kind == "player":
            inside = "" if position.player is None else str(position.player)
        parts = [f'<text class="name inside" y="{line}">{escape(inside)}</text>'] if inside else []
        if position.name and inside != position.name:
            parts.append(f'<text class="name beside" x="-25" y="-3">{escape(self.scene.name(position))}</text>')
        rows = (-11.0, 1.0, 12.0) if self.scene.tree.windows else (5.0, 0.0, 0.0)
        parts.append(f'<text class="value" x="28" y="{rows[0]}">{escape(look.value)}</text>')
        if self.scene.tree.windows:
            parts.extend(
                f'<text class="bound" x="28" y="{y}"><tspan class="greek">{letter if text else ""}</tspan> '
                f'<tspan class="{name}">{escape(text)}</tspan></text>'
                for letter, name, text, y in (("α", "alpha", look.alpha, rows[1]), ("β", "beta", look.beta, rows[2]))
            )
        if node.note_width:
            parts.append(f'<text class="note" x="-25" y="9">{escape(look.note)}</text>')
        return parts


def _pentagon(radius: float) -> str:
    corners = [(math.pi * (0.4 * corner - 0.5)) for corner in range(5)]
    points = " ".join(f"{radius * math.cos(each):.1f} {radius * math.sin(each):.1f}" for each in corners)
    return f"M{points}Z"


SHAPES = {"max": "M0 -17L18.5 14L-18.5 14Z", "min": "M0 17L18.5 -14L-18.5 -14Z", "player": _pentagon(17)}


class Edge:
    """A branch: straight, or bent where it is so flat that it would run through the texts beside its child."""

    def __init__(self, start: tuple[float, float], end: tuple[float, float]):
        self.start, self.end = start, end
        self.across, self.down = end[0] - start[0], end[1] - start[1]
        self.bent = abs(self.across) > 2 * self.down
        self.turn = end[0], start[1] + 0.35 * self.down

    def path(self) -> str:
        (x1, y1), (x2, y2) = self.start, self.end
        bend = f"Q{self.turn[0]:.1f} {self.turn[1]:.1f} " if self.bent else "L"
        return f"M{x1:.1f} {y1:.1f}{bend}{x2:.1f} {y2:.1f}"

    def at(self, part: float) -> tuple[float, float]:
        """The point at `part` of the way from parent (0) to child (1)."""
        rest = 1 - part
        if not self.bent:
            return self.start[0] + part * self.across, self.start[1] + part * self.down
        weights = rest * rest, 2 * rest * part, part * part
        corners = self.start, self.turn, self.end
        x, y = (sum(w * corner[axis] for w, corner in zip(weights, corners, strict=True)) for axis in (0, 1))
        return x, y

    def strike(self) -> str:
        """Two short strokes across the edge, as drawn by hand: slanting alike wherever edges are steep."""
        (x1, y1), (x2, y2) = self.at(STRIKE_AT - 0.02), self.at(STRIKE_AT + 0.02)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
        slant_x, slant_y = (6.0, -2.0) if along_y >= abs(along_x) else (-6 * along_y, 6 * along_x)
        path = ""
        for offset in (-2.6, 2.6):
            x, y = (x1 + x2) / 2 + offset * along_x, (y1 + y2) / 2 + offset * along_y
            path += f"M{x - slant_x:.1f} {y - slant_y:.1f}L{x + slant_x:.1f} {y + slant_y:.1f}"
        return path


def read(name: str) -> str:
    """A file that lies beside this one in the package."""
    return files("zermelo.search.trace").joinpath(name).read_text(encoding="utf-8")
