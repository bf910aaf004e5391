"""Events in little memory: a sequence of records that are made when one asks for them.

A search of a million nodes has some three million events, half a kilobyte each as Python's dicts. Here the newest
stay as they are, and every `BLOCK` of them that is full is turned into columns, one for each field of each shape of
event, and compressed: some 5 to 10 bytes an event. What comes out equals what went in, in every type and in the order
of fields; it is a copy, so that to change one is to change nothing here. A trace shorter than one block is a list in
all but name.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias, overload

Event: TypeAlias = dict[str, Any]

MOST_EVENTS = 10_000_000
"""Events of a recording, if nobody says otherwise: two to three million nodes, in some 100 MB."""
BLOCK = 128
"""Events that are packed together: to read one is to unpack so many, in less than 0.1 ms."""
LEVEL = 1
"""Of zlib: higher ones are slower and gain little on columns."""
LOOSE = 500
"""About what an event takes that is not packed, in bytes."""
KEPT = 128
"""Blocks that stay unpacked after they were asked for."""


class Columns(NamedTuple):
    """A block of events by their shapes: the names of the fields, and a column of values for each."""

    order: list[int]
    """The shape of each event."""
    shapes: list[tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]]

    def events(self) -> list[Event]:
        """All of them, in their order."""
        rows = [_rows(*shape) for shape in self.shapes]
        return [next(rows[shape]) for shape in self.order]

    def event(self, place: int) -> Event:
        shape = self.order[place]
        row = self.order[:place].count(shape)
        names, columns = self.shapes[shape]
        return {name: _copy(column[row]) for name, column in zip(names, columns, strict=True)}


def _copy(value: object) -> Any:
    """`value`, or another like it if it can be changed; however deep it is, it has been pickled before."""
    return pickle.loads(pickle.dumps(value, 5)) if isinstance(value, (list, dict)) else value


def _rows(names: tuple[str, ...], columns: tuple[tuple[Any, ...], ...]) -> Iterator[Event]:
    return (dict(zip(names, row, strict=True)) for row in (zip(*columns, strict=True) if columns else repeat(())))


def _sort(events: Iterable[Event]) -> Columns:
    """`events` by their shapes."""
    shapes: dict[tuple[str, ...], tuple[int, list[Iterable[Any]]]] = {}
    order = []
    for event in events:
        names = tuple(event)
        found = shapes.get(names)
        if found is None:
            found = shapes[names] = (len(shapes), [])
        order.append(found[0])
        found[1].append(event.values())
    return Columns(order, [(names, tuple(zip(*rows, strict=True))) for names, (_, rows) in shapes.items()])


class Packed(Sequence[Event]):
    """Grows at its end; whatever lies in it is read by place, by slice, or from its beginning to its end."""

    def __init__(self, events: Iterable[Event] = (), most: int = MOST_EVENTS):
        self.most = most
        """How many a recorder may put here; what comes after that, but for the result, is not kept."""
        self._blocks: list[bytes | list[Event]] = []
        self._open: list[Event] = []
        self._kept: dict[int, Columns] = {}
        self._packed_bytes = 0
        for event in events:
            self.append(event)

    def append(self, event: Event) -> None:
        self._open.append(event)
        if len(self._open) == BLOCK:
            self._close()

    def _close(self) -> None:
        """Packs the newest events. Those that cannot be (a tree too deep, an object of one's own) stay as they are."""
        try:
            block: bytes | list[Event] = zlib.compress(pickle.dumps(tuple(_sort(self._open)), 5), LEVEL)
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            block = self._open
        self._packed_bytes += len(block) if isinstance(block, bytes) else LOOSE * BLOCK
        self._blocks.append(block)
        self._open = []

    @property
    def nbytes(self) -> int:
        """About how much memory all this takes."""
        return self._packed_bytes + LOOSE * len(self._open)

    # Reading.

    def __len__(self) -> int:
        return BLOCK * len(self._blocks) + len(self._open)

    def __iter__(self) -> Iterator[Event]:
        for block in self._blocks:
            yield from block if isinstance(block, list) else _unpack(block).events()
        yield from self._open

    def common(self, other: Packed, stop: Callable[[], bool] = lambda: False) -> int:
        """How many events at the beginning are those of `other`, in whole blocks; `stop` ends the count early."""
        for number, (block, its) in enumerate(zip(self._blocks, other._blocks, strict=False)):
            if stop() or not _same(block, its):
                return number * BLOCK
        if len(self) == len(other) and self._open == other._open:
            return len(self)
        return min(len(self._blocks), len(other._blocks)) * BLOCK

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> list[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | list[Event]:
        if isinstance(place, slice):
            start, stop, step = place.indices(len(self))
            return self._stretch(start, stop) if step == 1 else self.pick(range(start, stop, step))
        return self.pick((range(len(self))[place],))[0]

    def pick(self, places: Iterable[int]) -> list[Event]:
        """The events at `places`, of which those in one block should stand together."""
        found = []
        for place in places:
            number, within = divmod(place, BLOCK)
            if number == len(self._blocks):
                found.append(self._open[within])
                continue
            block = self._blocks[number]
            found.append(block[within] if isinstance(block, list) else self._columns(number, block).event(within))
        return found

    def _stretch(self, start: int, stop: int) -> list[Event]:
        found: list[Event] = []
        for number in range(start // BLOCK, -(-stop // BLOCK)):
            first = number * BLOCK
            block = self._blocks[number] if number < len(self._blocks) else self._open
            events = block if isinstance(block, list) else _unpack(block).events()
            found += events[max(0, start - first) : max(0, stop - first)]
        return found

    def columns(self) -> Iterator[Columns]:
        """All events as columns, block by block: to look at one field of all is quicker so."""
        for block in self._blocks:
            yield _sort(block) if isinstance(block, list) else _unpack(block)
        yield _sort(self._open)

    def _columns(self, number: int, block: bytes) -> Columns:
        found = self._kept.get(number)
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            found = self._kept[number] = _unpack(block)
        return found

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Packed):
            return len(self) == len(other) == self.common(other)
        if not isinstance(other, list):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} events>"


def _same(one: bytes | list[Event], other: bytes | list[Event]) -> bool:
    """Whether two blocks hold the same: mostly their bytes tell, though equal texts may have been packed otherwise."""
    if isinstance(one, bytes) and isinstance(other, bytes):
        return one == other or _unpack(one) == _unpack(other)
    return one == other


def _unpack(block: bytes) -> Columns:
    # Only what `_close` has made in this process comes here, never a file or a message.
    return Columns(*pickle.loads(zlib.decompress(block)))
