"""A run as a page to step through: one file, no network, no framework.

Everything that needs thought is done here (what each step changes, in which words, where nodes stand); `view.js` only
shows it. What it is given is `view`: the drawing, and for every step the new looks of the nodes that it changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from zermelo.search.trace.excerpt import OUTSIDE, Excerpt
from zermelo.search.trace.model import Event, Replay
from zermelo.search.trace.narrate import Narrator
from zermelo.search.trace.scene import NODE_LIMIT, Look, Scene
from zermelo.search.trace.schema import TERMS
from zermelo.search.trace.svg import Drawing, read, title
from zermelo.search.trace.words import clean, plural, shorten, term

STEP_LIMIT = 20_000


def view(
    header: Mapping[str, object], events: Sequence[Event], steps: int = STEP_LIMIT, nodes: int = NODE_LIMIT
) -> dict[str, Any]:
    """What `view.js` shows, in what JSON can hold. At most `steps` steps, from the beginning on, and `nodes` nodes."""
    found = show(header, Excerpt(events[:steps], total=len(events)), nodes)
    if steps < len(events):
        found["notices"].insert(0, f"Only the first {steps:,} of {len(events):,} steps are shown.")
        found["total"] = steps
    return found


def show(header: Mapping[str, object], excerpt: Excerpt, nodes: int = NODE_LIMIT) -> dict[str, Any]:
    """What `view.js` shows of an excerpt, in at most `nodes` nodes."""
    scene = Scene(header, [*excerpt.before, *excerpt.events], nodes, excerpt.closed, excerpt.sizes)
    replay = Replay(scene.tree)
    for event in excerpt.before:
        replay.apply(event)
    picture = Drawing(scene).write(replay, title(header), unseen=True)
    return {
        "title": shorten(clean(header.get("game") or "A search"), 80),
        "subtitle": _subtitle(header),
        "notices": _notices(header, scene),
        "kinds": sorted({node.position.kind for node in scene.nodes if node.position.kind}),
        "windows": scene.tree.windows,
        "svg": picture,
        "nodes": [[node.x, node.y] for node in scene.nodes],
        "numbers": _numbers(scene),
        "hidden": [node.hidden for node in scene.nodes],
        "parents": [node.parent for node in scene.nodes],
        "inner": [place for place, node in enumerate(scene.nodes) if node.children],
        "steps": _steps(scene, replay, excerpt.events),
        "first": excerpt.first,
        "total": excerpt.total,
        "counts": list(excerpt.counts),
        "next_cut": excerpt.next_cut,
    }


def _numbers(scene: Scene) -> list[int | None]:
    """What the trace calls each drawn node; `None` for those that were never entered."""
    numbers = {index: number for number, index in scene.tree.indices.items()}
    return [numbers.get(node.position.index) for node in scene.nodes]


def _steps(scene: Scene, replay: Replay, events: Sequence[Event]) -> list[dict[str, Any]]:
    """For every step: its kind, its words, the node it is about, and the looks that it changes."""
    narrator = Narrator(replay)
    looks: list[Look | None] = [scene.look(place, replay) for place in range(len(scene.nodes))]
    steps = []
    for event in events:
        step = _tell(narrator, event)
        changed = {scene.places[index] for index in replay.apply(event)}
        known = replay.current >= 0
        step["at"] = scene.places[replay.current] if known else -1
        step["ply"] = scene.tree.positions[replay.current].ply if known else 0
        step["shape"] = scene.tree.positions[replay.current].kind if known else ""
        step["looks"] = []
        for place in sorted(changed):
            look = scene.look(place, replay)
            if look != looks[place]:
                looks[place] = look
                step["looks"].append([place, look.classes, look.value, look.alpha, look.beta, look.note])
        steps.append(step)
    return steps


def _tell(narrator: Narrator, event: Event) -> dict[str, Any]:
    """A step in words; a step outside an excerpt's tree gets only a note that it is outside."""
    kind = event["event"]
    if event["node"] not in narrator.tree.indices and kind not in OUTSIDE:
        return {"kind": kind, "says": "This step is at a node that is not drawn here.", "brief": f"{kind} elsewhere"}
    told: dict[str, Any] = {"kind": kind, "says": narrator.sentence(event), "brief": narrator.brief(event)}
    if event.get("compared"):
        told["scores"] = _scores(event["compared"])
    return told


def _scores(compared: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The table of a choice among siblings: columns that say something, a row each, and the place of the chosen one."""
    columns = [name for name in TERMS if any(each.get(name) is not None for each in compared)]
    rows = [
        [shorten(clean(each["label"]), 16), *("" if each.get(name) is None else term(each[name]) for name in columns)]
        for each in compared
    ]
    chosen = next((place for place, each in enumerate(compared) if each["chosen"]), -1)
    heads = ["explore" if name == "exploration" else name for name in columns]
    return {"columns": ["", *heads], "rows": rows, "chosen": chosen}


def _subtitle(header: Mapping[str, object]) -> str:
    told = [shorten(clean(header.get("algorithm") or ""), 80)]
    if header.get("view") == "mover":
        told.append("values in the view of the player who moves")
    return " · ".join(filter(None, told))


def _notices(header: Mapping[str, object], scene: Scene) -> list[str]:
    """Notices about what is not shown."""
    notices = []
    if header.get("truncated"):
        notices.append("The search had more steps than its recorder kept; the end is missing.")
    if scene.folded:
        notices.append(f"{plural(scene.folded, 'position is', 'positions are')} folded into the +N markers.")
    return notices


def page(header: Mapping[str, object], events: Sequence[Event]) -> str:
    """A whole page that shows the run."""
    return Template(read("page.html")).substitute(
        title=escape(title(header)),
        palette=read("tree.css"),
        style=read("view.css"),
        script=read("view.js"),
        data=embed(view(header, events)),
    )


def frame(header: Mapping[str, object], events: Sequence[Event]) -> str:
    """The page inside a frame of its own, for an output cell of a notebook."""
    return (
        f'<iframe title="{escape(title(header))}" srcdoc="{escape(page(header, events))}" sandbox="allow-scripts" '
        'style="width: 100%; height: 620px; border: 0; border-radius: 8px"></iframe>'
    )


def embed(data: object) -> str:
    """JSON that can stand inside a `script` element: no label in it can end the element or open a comment."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
