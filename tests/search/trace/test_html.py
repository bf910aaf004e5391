"""The page: self-contained, harmless, and showing at each step what the drawing of that step shows."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import zermelo as z
from tests.search.trace.streams import STREAMS, header, two_ply
from tests.search.trees import trees
from zermelo.search.trace import Trace, html
from zermelo.search.trace.model import Replay
from zermelo.search.trace.scene import Scene
from zermelo.search.trace.svg import read

NASTY = "</script><img src=x onerror=alert(1)><!-- ]]> & \" ' \u2028"


class Outline(HTMLParser):
    """The elements of a page, and the attributes that could fetch something."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.sources: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "data", "srcdoc")]

    def handle_data(self, data: str) -> None:
        self.text += data


def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    parser.close()
    return parser


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def nasty() -> Trace:
    names = {"name": NASTY, "label": NASTY, "mode": NASTY}
    child = {"event": "enter", "node": 1, "parent": 0, "kind": "leaf", **names}
    cut = {"event": "cutoff", "node": 0, "reason": NASTY, "skipped": [{"action": NASTY, "label": NASTY}]}
    return Trace(header(NASTY, NASTY), [{"event": "enter", "node": 0, "kind": "max", **names}, child, cut])


@pytest.mark.parametrize("trace", [two_ply(), nasty()], ids=["two ply", "nasty"])
def test_a_page_fetches_nothing_and_has_only_its_own_elements(trace: Trace) -> None:
    page = outline(trace.html())
    assert page.elements == [
        "html",
        "head",
        *["meta"] * 4,
        "title",
        "style",
        "body",
        "main",
        "noscript",
        "script",
        "script",
    ]
    assert page.sources == []
    assert "http:" not in trace.html().replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in trace.html()


def test_labels_reach_the_page_as_they_are() -> None:
    data = data_of(nasty().html())
    assert data["title"].startswith("</script><img")
    assert "<img" not in data["svg"]


def test_a_notebook_gets_a_frame_with_the_whole_page_inside() -> None:
    frame = outline(nasty()._repr_html_())
    assert frame.elements == ["iframe"]
    assert frame.sources == [nasty().html()]


def test_a_page_can_be_saved(tmp_path: Path) -> None:
    two_ply().save_html(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == two_ply().html()


@pytest.mark.parametrize("stream", STREAMS)
def test_the_looks_of_each_step_add_up_to_the_drawing(stream: Callable[[], Trace]) -> None:
    check_looks(stream())


@given(data=trees(most_leaves=12))
def test_the_looks_add_up_for_searches_with_everything_on(data: Any) -> None:
    trace = z.pvs(z.Tree(data), depth=4, deepen=True, table=True, trace=True).trace
    check_looks(trace)


def check_looks(trace: Trace) -> None:
    """Dresses every node as `view.js` does, and compares with how it should look."""
    scene, view = Scene(trace.header, trace.events), trace.view()
    replay = Replay(scene.tree)
    places = range(len(scene.nodes))
    worn = [scene.look(place, replay) for place in places]
    for event, step in zip(trace.events, view["steps"], strict=True):
        replay.apply(event)
        for place, *look in step["looks"]:
            worn[place] = type(worn[place])(*look)
        assert worn == [scene.look(place, replay) for place in places]


def test_long_runs_are_cut_and_say_so() -> None:
    view = html.view(two_ply().header, two_ply().events, steps=10, nodes=3)
    assert len(view["steps"]) == 10
    assert len(view["nodes"]) == 2
    assert view["notices"] == [
        "Only the first 10 of 40 steps are shown.",
        "3 positions are folded into the +N markers.",
    ]


def test_a_step_inside_a_folded_subtree_is_shown_at_its_marker() -> None:
    view = html.view(two_ply().header, two_ply().events, nodes=4)
    assert {step["at"] for step in view["steps"]} == {0, 1, 2, 3}


def test_a_truncated_trace_says_so() -> None:
    view = Trace(header("x", truncated=True), two_ply().events).view()
    assert "recorder" in view["notices"][0]


def test_a_trace_of_nothing_is_a_page_too() -> None:
    assert data_of(Trace({"trace": 1}, []).html())["steps"] == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_is_a_well_formed_module(tmp_path: Path) -> None:
    node = shutil.which("node")
    assert node
    (tmp_path / "view.mjs").write_text(read("view.js"), encoding="utf-8")
    check = 'import("./view.mjs").then((view) => console.log(typeof view.render, typeof view.default.render))'
    done = subprocess.run([node, "-e", check], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "function function\n", done.stderr
