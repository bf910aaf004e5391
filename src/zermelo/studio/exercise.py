"""A recorded search as an exercise on paper: the tree with empty lines for what is to be found out, and a key.

What that is depends on the search: the values of all nodes; expected values where there are chance nodes; with a
window also α, β and the branches that are cut off. The first page shows every node that the search knows of, those at
which it ends with their values. The key is the tree at the end, and the run step by step.
"""

from __future__ import annotations

from html import escape
from string import Template

from zermelo.errors import InputError
from zermelo.search.trace import Trace
from zermelo.search.trace.model import Replay
from zermelo.search.trace.scene import PICTURE_LIMIT, Scene
from zermelo.search.trace.svg import Drawing, title

PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>$title</title>
<style>
body { font: 12pt/1.5 Georgia, "DejaVu Serif", serif; color: #000; background: #fff; }
body { max-width: 190mm; margin: 12mm auto; }
h1 { font-size: 16pt; } svg { max-width: 100%; height: auto; }
.sheet .unseen, .sheet .unseen .value { opacity: 1 !important; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 1px solid #777; padding: 1.5mm 2mm; text-align: left; }
td.blank { width: 22%; } pre { font: 9pt/1.35 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
.key { break-before: page; } @media print { body { margin: 0 auto; } }
</style></head><body>
<section><h1>$title</h1><p>Name: ______________________________</p>
<p>$task</p><div class="sheet">$blank</div>
<table><thead><tr><th>node</th>$columns</tr></thead><tbody>$rows</tbody></table>
$cuts</section>
$key</body></html>
""")
CUTS = "<p>Branches that are cut off: ____________________________________________</p>"
WINDOWS = (
    "Write α, β and the value beside each node as they are when the search leaves it, and strike out every branch that "
    "is never looked at."
)
CHANCES = (
    "Write the value beside each node: at a circle it is the expected value, each branch weighted with its probability."
)
PLAYERS = "Write beside each node what it is worth to every player."
VALUES = "Write the value beside each node."


def set_task(scene: Scene) -> tuple[str, tuple[str, ...]]:
    """The task, and the columns to fill in."""
    kinds = {node.position.kind for node in scene.nodes}
    if scene.tree.windows:
        return WINDOWS, ("α", "β", "value")
    task = CHANCES if "chance" in kinds else PLAYERS if "player" in kinds else VALUES
    return task, ("value",)


def make_exercise(trace: Trace, with_key: bool = True) -> str:
    """The exercise as one page of HTML, to be printed."""
    if any(event["event"] in ("playout", "backup", "world") for event in trace.events):
        raise InputError(
            "a search by simulations or imagined worlds is no exercise on paper; choose minimax, alphabeta or another"
        )
    scene = Scene(trace.header, trace.events, PICTURE_LIMIT)
    inner = [node.position for node in scene.nodes if node.position.children and not node.bundle]
    names = [position.name or position.label or "root" for position in inner]
    task, columns = set_task(scene)
    blank = '<td class="blank"></td>'
    key = ""
    if with_key:
        key = f'<section class="key"><h1>Key</h1>{trace.svg()}<pre>{escape(trace.text())}</pre></section>'
    algorithm = escape(str(trace.header.get("algorithm") or "the search"))
    return PAGE.substitute(
        title=escape(title(trace.header)),
        task=f"Search this tree with {algorithm}, from left to right. {task}",
        columns="".join(f"<th>{column}</th>" for column in columns),
        cuts=CUTS if scene.tree.windows else "",
        blank=draw_blank(trace, scene),
        rows="".join(f"<tr><td>{escape(name)}</td>{blank * len(columns)}</tr>" for name in names),
        key=key,
    )


def draw_blank(trace: Trace, scene: Scene) -> str:
    """The tree before the search: shapes and names, and where the search ends what it finds there."""
    final = Replay(scene.tree)
    for event in trace.events:
        final.apply(event)
    leaves = {
        node.position.index: final.standings[node.position.index].value
        for node in scene.nodes
        if not node.position.children
    }
    before = Replay(scene.tree)
    for index, value in leaves.items():
        payoff = scene.tree.positions[index].payoff
        before.standings[index].value = value if payoff is None else payoff
    return Drawing(scene).write(before, "The tree of the exercise", unseen=True)
