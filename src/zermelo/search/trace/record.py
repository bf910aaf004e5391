"""A trace: what a search did, step by step."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import TraceError
from zermelo.search.trace.packed import Event, Packed
from zermelo.search.trace.schema import Checker, check_header, encode


@dataclass
class Trace:
    """The header and the events of one search, as `docs/reference/trace-format.md` describes them.

    Step k is the k-th event, counted from 1; step 0 is the moment before the search begins. Events that were recorded,
    or read from a file, are `Packed`: a sequence that makes a record when one asks for it.
    """

    header: dict[str, Any] = field(default_factory=dict)
    events: list[Event] | Packed = field(default_factory=list)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.events)

    def __repr__(self) -> str:
        what = " of ".join(str(self.header[name]) for name in ("algorithm", "game") if self.header.get(name))
        return f"<Trace{' of ' + what if what else ''}: {len(self.events):,} steps>"

    # Files and JSON.

    def to_json(self) -> list[Event]:
        """The header and the events in what JSON can hold: infinite numbers are the texts "inf" and "-inf"."""
        try:
            return [encode({"trace": 1} | self.header), *map(encode, self.events)]
        except RecursionError:
            raise TraceError("a skipped subtree is too deep to be written as JSON; trace a shallower tree") from None

    @classmethod
    def from_json(cls, lines: Iterable[object]) -> Trace:
        """The trace that `to_json` made `lines` from; raises `TraceError` if they are not a trace."""
        return _check(((f"item {place}", line) for place, line in enumerate(lines, start=1)), "the list")

    def save(self, path: str | Path) -> None:
        """Writes the trace as JSON lines: the header, then one event per line."""
        with Path(path).open("wb") as file:
            for line in self._encoded():
                # Half of a surrogate pair cannot be encoded; `\udXXX`, which the handler makes of it, is JSON's escape.
                file.write(f"{line}\n".encode("utf-8", "backslashreplace"))

    def _encoded(self) -> Iterator[str]:
        try:
            yield json.dumps(encode({"trace": 1} | self.header), ensure_ascii=False)
            for event in self.events:
                yield json.dumps(encode(event), ensure_ascii=False)
        except RecursionError:
            raise TraceError("a skipped subtree is too deep to be written as JSON; trace a shallower tree") from None

    @classmethod
    def load(cls, path: str | Path) -> Trace:
        """Reads a file of JSON lines; raises `TraceError`, with the line, on anything that is not a trace."""
        try:
            with Path(path).open("rb") as file:
                return _check(_lines(file, str(path)), str(path))
        except TraceError:
            raise
        except (OSError, ValueError) as error:
            raise TraceError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None

    # Pictures. The drawing modules are imported on first use: a search that records must start fast.

    def text(self) -> str:
        """The run for a terminal: one line per step, indented by ply."""
        from zermelo.search.trace.text import tell

        return tell(self.header, self.events)

    def svg(self, step: int | None = None) -> str:
        """The tree after `step` steps (after all of them if `None`), as an SVG drawing."""
        from zermelo.search.trace.svg import draw

        return draw(self.header, self.events, step)

    def view(self) -> dict[str, object]:
        """What `view.js` needs in order to show the run: `model.get("trace")` in a studio view or a widget."""
        from zermelo.search.trace.html import view

        return view(self.header, self.events)

    def html(self) -> str:
        """The run as one web page that needs no network."""
        from zermelo.search.trace.html import page

        return page(self.header, self.events)

    def save_html(self, path: str | Path) -> None:
        Path(path).write_text(self.html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        from zermelo.search.trace.html import frame

        return frame(self.header, self.events)


def _lines(file: Iterable[bytes], name: str) -> Iterator[tuple[str, object]]:
    """Each non-blank line as a pair: its place, and its parsed value."""
    for number, written in enumerate(file, start=1):
        line = written.removesuffix(b"\n")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # the byte order mark that some editors write
        if not line.strip():
            continue
        place = f"{name}, line {number}"
        try:
            yield place, json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
        except UnicodeDecodeError:
            raise TraceError(f"{place}: not UTF-8 text") from None
        except (ValueError, RecursionError) as error:
            raise TraceError(f"{place}: not JSON ({getattr(error, 'msg', error)})") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number; write infinite ones as the texts inf and -inf")


def _check(lines: Iterable[tuple[str, object]], source: str) -> Trace:
    """The trace in `lines`; raises `TraceError` with the place of the first fault."""
    trace = None
    checker = Checker()
    for place, line in lines:
        try:
            if trace is None:
                trace = Trace(check_header(line), Packed())
            else:
                trace.events.append(checker.check(line))
        except TraceError as error:
            raise TraceError(f"{place}: {error}") from None
    if trace is None:
        raise TraceError(f'{source}: empty; the first line of a trace is its header, as in {{"trace": 1}}')
    return trace
