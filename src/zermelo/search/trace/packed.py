"""A compact sequence of events, unpacked on access.

A search of a million nodes has about three million events, half a kilobyte each as Python dicts. Here the newest events
stay dicts, and every `BLOCK` of them is turned into columns, one for each field of each shape of event, and compressed:
5 to 10 bytes per event. What is read equals what was appended, including types and the order of fields; it is a copy,
so changing it does not change the sequence. A trace shorter than one block is effectively a list.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias, overload

Event: TypeAlias = dict[str, Any]

MOST_EVENTS = 10_000_000
"""The default limit on events in a recording: two to three million nodes, in about 100 MB."""
BLOCK = 128
"""Events per block; reading one event unpacks its block, in less than 0.1 ms."""
ZLIB_LEVEL = 1
"""The compression level; higher levels are slower and gain little on columns."""
LOOSE_EVENT_BYTES = 500
"""The approximate size of an event that is not packed."""
KEPT_BLOCKS = 128
"""The number of recently read blocks that stay unpacked."""


class Columns(NamedTuple):
    """A block of events grouped by shape: the names of the fields, and a column of values for each."""

    order: list[int]
    """The shape of each event."""
    shapes: list[tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]]

    def events(self) -> list[Event]:
        """All events, in order."""
        rows = [_rows(*shape) for shape in self.shapes]
        return [next(rows[shape]) for shape in self.order]

    def event(self, place: int) -> Event:
        shape = self.order[place]
        row = self.order[:place].count(shape)
        names, columns = self.shapes[shape]
        return {name: _copy(column[row]) for name, column in zip(names, columns, strict=True)}


def _copy(value: object) -> Any:
    """`value`, or a copy if it is mutable; pickling works at any depth, since the value has been pickled before."""
    return pickle.loads(pickle.dumps(value, 5)) if isinstance(value, (list, dict)) else value


def _rows(names: tuple[str, ...], columns: tuple[tuple[Any, ...], ...]) -> Iterator[Event]:
    return (dict(zip(names, row, strict=True)) for row in (zip(*columns, strict=True) if columns else repeat(())))


def _sort(events: Iterable[Event]) -> Columns:
    """`events` grouped by shape."""
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
    """An append-only sequence of events, read by index, by slice, or by iteration."""

    def __init__(self, events: Iterable[Event] = (), most: int = MOST_EVENTS):
        self.most = most
        """The number of events that a recorder may append; later ones, except the result, are dropped."""
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
        """Packs the newest events. Those that cannot be pickled (a tree too deep, a custom object) stay as they are."""
        try:
            block: bytes | list[Event] = zlib.compress(pickle.dumps(tuple(_sort(self._open)), 5), ZLIB_LEVEL)
        except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
            block = self._open
        self._packed_bytes += len(block) if isinstance(block, bytes) else LOOSE_EVENT_BYTES * BLOCK
        self._blocks.append(block)
        self._open = []

    @property
    def nbytes(self) -> int:
        """The approximate memory of all events, in bytes."""
        return self._packed_bytes + LOOSE_EVENT_BYTES * len(self._open)

    # Reading.

    def __len__(self) -> int:
        return BLOCK * len(self._blocks) + len(self._open)

    def __iter__(self) -> Iterator[Event]:
        for block in self._blocks:
            yield from block if isinstance(block, list) else _unpack(block).events()
        yield from self._open

    def common(self, other: Packed, stop: Callable[[], bool] = lambda: False) -> int:
        """The number of leading events shared with `other`, in whole blocks; `stop` ends the count early."""
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
        """The events at `places`; group places of the same block for speed."""
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
        """All events as columns, block by block: a faster way to read one field of all events."""
        for block in self._blocks:
            yield _sort(block) if isinstance(block, list) else _unpack(block)
        yield _sort(self._open)

    def _columns(self, number: int, block: bytes) -> Columns:
        found = self._kept.get(number)
        if found is None:
            if len(self._kept) >= KEPT_BLOCKS:
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
    """Whether two blocks are equal: usually their bytes are, but equal texts may have been packed differently."""
    if isinstance(one, bytes) and isinstance(other, bytes):
        return one == other or _unpack(one) == _unpack(other)
    return one == other


def _unpack(block: bytes) -> Columns:
    # Only what `_close` has made in this process comes here, never a file or a message.
    return Columns(*pickle.loads(zlib.decompress(block)))
