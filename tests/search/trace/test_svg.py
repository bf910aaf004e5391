"""The drawing: well-formed, complete, and harmless whatever a label says."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo as z
from tests.search.trace.streams import STREAMS, chance, eight_steps, header, research, three_players, two_ply
from tests.search.trees import trees
from zermelo.errors import OptionError
from zermelo.search.trace import Trace
from zermelo.search.trace.scene import PICTURE_LIMIT, Scene

SVG = "{http://www.w3.org/2000/svg}"


def groups(drawing: str, kind: str) -> list[list[str]]:
    """The classes of every node (or edge) that is drawn."""
    root = ElementTree.fromstring(drawing)
    return [group.get("class", "").split() for group in root.iter(f"{SVG}g") if group.get(f"data-{kind}") is not None]


def count(drawing: str, name: str, kind: str = "node") -> int:
    return sum(name in classes for classes in groups(drawing, kind))


def wide(children: int) -> Trace:
    """A root with so many skipped actions, of which nothing is known."""
    skipped = [{"action": each, "label": str(each)} for each in range(children)]
    cut = {"event": "cutoff", "node": 0, "reason": "beta", "value": 1, "bound": 0, "skipped": skipped}
    return Trace(header("wide"), [{"event": "enter", "node": 0, "kind": "max"}, cut])


@pytest.mark.parametrize("stream", STREAMS)
def test_every_step_is_well_formed_and_described(stream: Callable[[], Trace]) -> None:
    trace = stream()
    for step in range(len(trace) + 1):
        root = ElementTree.fromstring(trace.svg(step))
        assert root.get("role") == "img"
        assert root.get("aria-label") == root.findtext(f"{SVG}title")


def test_the_two_ply_tree_has_its_shapes_and_two_strikes() -> None:
    drawing = two_ply().svg()
    assert [count(drawing, kind) for kind in ("max", "min", "leaf")] == [1, 3, 9]
    assert count(drawing, "struck", "edge") == 2
    assert count(drawing, "pruned") == 2
    assert count(drawing, "line") == 3


def test_a_pruned_subtree_is_drawn_whole_and_struck_once() -> None:
    drawing = eight_steps().svg()
    assert count(drawing, "struck", "edge") == 2
    assert count(drawing, "pruned") == 1 + 3  # the leaf 9; G and its two leaves
    assert drawing.count('class="strike"') == 2


def test_chance_and_players_have_shapes_of_their_own() -> None:
    assert chance().svg().count("<circle") == 1
    assert "low · 0.9" in chance().svg()
    assert count(three_players().svg(), "player") == 1


def test_nothing_is_drawn_before_it_is_seen() -> None:
    trace = two_ply()
    seen = [len(groups(trace.svg(step), "node")) for step in range(len(trace) + 1)]
    assert seen[0] == 0
    assert all(earlier <= later for earlier, later in pairwise(seen))
    assert seen[-1] == 13


def test_all_steps_share_one_frame() -> None:
    trace = eight_steps()
    assert len({re.search(r'viewBox="[^"]*"', trace.svg(step))[0] for step in range(len(trace) + 1)}) == 1  # type: ignore[index]


def test_only_the_current_node_has_a_ring() -> None:
    assert two_ply().svg(5).count('class="halo"') == 1
    assert 'class="halo"' not in two_ply().svg()


@pytest.mark.parametrize("step", [-1, 41, True, 1.5])
def test_a_step_that_is_none_is_refused(step: Any) -> None:
    with pytest.raises(OptionError, match="step must be"):
        two_ply().svg(step)


def test_bounds_are_shown_as_bounds() -> None:
    drawing = eight_steps().svg()
    assert "≥ 5" in drawing
    assert "≤ 1" in drawing


def test_an_earlier_search_pales_and_its_strikes_go() -> None:
    trace = research()
    again = next(i for i, event in enumerate(trace.events) if event["event"] == "enter" and i > 12)
    drawing = trace.svg(again + 1)
    assert count(drawing, "stale") == 2
    assert count(drawing, "struck") == 0


@given(label=st.text(max_size=30))
def test_no_label_can_break_the_drawing(label: str) -> None:
    entry = {"event": "enter", "node": 0, "kind": "max", "name": label}
    child = {"event": "enter", "node": 1, "parent": 0, "label": label, "kind": "leaf"}
    root = ElementTree.fromstring(Trace({"trace": 1, "game": label}, [entry, child]).svg())
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "style", "rect", "g", "path", "text", "tspan",
    }  # fmt: skip


@pytest.mark.parametrize("label", ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"&'", "]]>"])
def test_markup_in_labels_is_text(label: str) -> None:
    trace = Trace({"trace": 1, "game": label}, [{"event": "enter", "node": 0, "kind": "max", "name": label}])
    assert label not in trace.svg().replace("&amp;", "")
    assert ElementTree.fromstring(trace.svg()).findtext(f"{SVG}title") == label


def test_many_skipped_actions_become_one_marker() -> None:
    drawing = wide(30).svg()
    assert len(groups(drawing, "node")) == 2
    assert "30 more" in drawing


def test_a_large_tree_is_folded_and_says_so() -> None:
    trace = z.alphabeta(z.Tree([[[[i * j % 7 for i in range(5)] for j in range(5)]] * 5] * 5), trace=True).trace
    drawing = trace.svg()
    assert len(groups(drawing, "node")) <= PICTURE_LIMIT
    scene = Scene(trace.header, trace.events, PICTURE_LIMIT)
    assert len(scene.nodes) + scene.folded == len(scene.tree.positions)
    assert f"{scene.folded:,} positions are folded" in drawing


def test_a_line_a_thousand_plies_deep_is_drawn() -> None:
    chain = [{"event": "enter", "node": node, "parent": node - 1 if node else None} for node in range(1500)]
    assert len(groups(Trace({"trace": 1}, chain).svg(), "node")) == PICTURE_LIMIT


@given(data=trees(most_leaves=20))
def test_boxes_of_one_level_do_not_overlap(data: Any) -> None:
    trace = z.alphabeta(z.Tree(data), trace=True).trace
    scene = Scene(trace.header, trace.events)
    rows: dict[float, list[tuple[float, float]]] = {}
    for node in scene.nodes:
        left, right = scene.reach(node)
        rows.setdefault(node.y, []).append((node.x - left, node.x + right))
    for row in rows.values():
        assert all(first[1] <= second[0] for first, second in pairwise(sorted(row)))
