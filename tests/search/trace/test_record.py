"""Files: what was saved comes back, and what is no trace is refused with its line."""

import contextlib
import json
from collections.abc import Callable
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.search.trace.streams import STREAMS, header, two_ply
from zermelo.errors import TraceError
from zermelo.search.trace import Trace

ROOT_ENTRY = {"event": "enter", "node": 0, "parent": None}
CHILD_ENTRY = {"event": "enter", "node": 1, "parent": 0, "action": 3}


@pytest.mark.parametrize("stream", STREAMS)
def test_what_is_saved_comes_back(stream: Callable[[], Trace], tmp_path: Path) -> None:
    trace = stream()
    trace.save(tmp_path / "run.jsonl")
    assert Trace.load(tmp_path / "run.jsonl") == trace
    assert Trace.from_json(trace.to_json()) == trace


def test_a_file_is_json_lines_with_infinities_as_texts(tmp_path: Path) -> None:
    two_ply().save(tmp_path / "run.jsonl")
    first, second, *_ = (tmp_path / "run.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(first)["trace"] == 1
    assert (json.loads(second)["alpha"], json.loads(second)["beta"]) == ("-inf", "inf")


def test_a_label_that_reads_inf_stays_a_label(tmp_path: Path) -> None:
    trace = Trace({"trace": 1}, [ROOT_ENTRY | {"label": "inf", "name": "-inf", "alpha": -inf}])
    trace.save(tmp_path / "run.jsonl")
    (event,) = Trace.load(tmp_path / "run.jsonl").events
    assert (event["label"], event["name"], event["alpha"]) == ("inf", "-inf", -inf)


def test_odd_labels_survive_a_file(tmp_path: Path) -> None:
    labels = ["\u2028", "中炮", "\ud800", '"', "\n", "</script>"]
    events = [
        ROOT_ENTRY,
        *({"event": "enter", "node": i, "parent": 0, "label": each} for i, each in enumerate(labels, 1)),
    ]
    Trace({"trace": 1}, events).save(tmp_path / "run.jsonl")
    assert [event.get("label") for event in Trace.load(tmp_path / "run.jsonl").events[1:]] == labels


def test_actions_that_json_does_not_know_are_written_as_text() -> None:
    trace = Trace({"trace": 1}, [ROOT_ENTRY, CHILD_ENTRY | {"action": (1, 2)}])
    assert trace.to_json()[2]["action"] == "(1, 2)"
    assert "(1, 2)" in trace.text()


def test_a_value_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(TraceError, match="not a number"):
        Trace({"trace": 1}, [ROOT_ENTRY, {"event": "leaf", "node": 0, "value": nan}]).to_json()


def test_blank_lines_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"trace": 1}\r\n\n{"event": "enter", "node": 0}\n\n')
    assert Trace.load(path).events == [{"event": "enter", "node": 0}]


MALFORMED: list[tuple[int, list[Any]]] = [
    (1, [ROOT_ENTRY]),
    (1, [{"trace": 2}]),
    (1, [{"trace": True}]),
    (1, [[]]),
    (1, [{"trace": 1, "view": "min"}]),
    (2, [header("x"), 3]),
    (2, [header("x"), {"event": "jump", "node": 0}]),
    (2, [header("x"), {"event": ["enter"], "node": 0}]),
    (2, [header("x"), {"event": "enter"}]),
    (2, [header("x"), {"event": "enter", "node": 0.0}]),
    (2, [header("x"), {"event": "enter", "node": 0, "parent": 0}]),
    (2, [header("x"), {"event": "enter", "node": 1, "parent": 0}]),
    (2, [header("x"), {"event": "leaf", "node": 0, "value": 3}]),
    (2, [header("x"), ROOT_ENTRY | {"alpha": "infinite"}]),
    (2, [header("x"), ROOT_ENTRY | {"kind": "mean"}]),
    (2, [header("x"), ROOT_ENTRY | {"label": 7}]),
    (2, [header("x"), ROOT_ENTRY | {"action": [1, 2]}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "enter", "node": 1}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "enter", "node": 2, "parent": 0}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "leaf", "node": 0}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "leaf", "node": 0, "value": None}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "leaf", "node": 0, "value": []}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "leaf", "node": 0, "value": 10**400}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "leave", "node": 0, "value": 1, "bound": "about"}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "cutoff", "node": 0, "bound_from": 4}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "cutoff", "node": 0, "skipped": ["c2"]}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "cutoff", "node": 0, "skipped": [{"label": "c2", "tree": {"odd": 1}}]}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "result", "node": 1, "value": 3}]),
    (3, [header("x"), ROOT_ENTRY, {"event": "iteration", "node": 0, "depth": -1}]),
    (4, [header("x"), ROOT_ENTRY, {"event": "result", "node": 0, "value": 3}, ROOT_ENTRY]),
    (4, [header("x"), ROOT_ENTRY, CHILD_ENTRY, {"event": "value", "node": 1, "child": 0, "value": 3}]),
    (4, [header("x"), ROOT_ENTRY, CHILD_ENTRY, {"event": "enter", "node": 1, "parent": 1}]),
]


@pytest.mark.parametrize(("line", "content"), MALFORMED)
def test_what_is_malformed_is_refused_with_its_line(line: int, content: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(map(json.dumps, content)), encoding="utf-8")
    with pytest.raises(TraceError, match=rf"odd\.jsonl, line {line}: ."):
        Trace.load(path)
    with pytest.raises(TraceError, match=f"item {line}: ."):
        Trace.from_json(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"not json",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"trace": 1}\n{"event": "enter", "node": 0, "alpha": NaN}',
        b'{"trace": 1}\n{"event": "enter", "node": 0, "alpha": 1e999}',
        b'{"trace": ' + b"1" * 10_000 + b"}",
    ],
)
def test_what_is_not_even_json_lines_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_bytes(content)
    with pytest.raises(TraceError, match=r"odd\.jsonl"):
        Trace.load(tmp_path / "odd.jsonl")


def test_a_file_that_is_not_there_is_a_trace_error(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be read"):
        Trace.load(tmp_path / "nowhere.jsonl")
    with pytest.raises(TraceError, match="cannot be read"):
        Trace.load(tmp_path)


@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_file_loads_or_is_refused(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "odd.jsonl"
    path.write_bytes(content)
    with contextlib.suppress(TraceError):
        Trace.load(path)


JUNK: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(allow_nan=False),
    st.sampled_from(["inf", "", "max", "alpha", "a1"]),
    st.lists(st.integers(0, 3), max_size=2),
    st.just({}),
    st.just([{"label": "c2", "tree": {"max": {"x": [1, 2]}}}]),
)


@st.composite
def mutated(draw: st.DrawFn) -> list[Any]:
    """A valid trace, with lines dropped, repeated or moved, and fields dropped or filled with junk."""
    lines: list[Any] = [dict(line) for line in draw(st.sampled_from(STREAMS))().to_json()]
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(1, len(lines) - 1))
        act = draw(st.sampled_from(["drop", "repeat", "swap", "field", "field", "without", "without"]))
        names = sorted(lines[place])
        if act == "drop" and len(lines) > 2:
            del lines[place]
        elif act == "repeat":
            lines.insert(place, dict(lines[place]))
        elif act == "swap":
            other = draw(st.integers(1, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
        elif act == "field":
            lines[place][draw(st.sampled_from([*names, "label", "name", "probability"]))] = draw(JUNK)
        elif names:
            del lines[place][draw(st.sampled_from(names))]
    return lines


@given(lines=mutated())
def test_a_damaged_trace_is_refused_or_can_be_shown(lines: list[Any]) -> None:
    try:
        trace = Trace.from_json(lines)
    except TraceError:
        return
    assert trace.text() is not None
    assert trace.svg(step=len(trace) // 2).startswith("<svg")
    assert len(trace.view()["steps"]) == len(trace)
