"""Builds endgame tables slice by slice, each after those that it leads to; each is kept as soon as it is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import Stopped
from zermelo.engine.core import _core
from zermelo.engine.identity import identify
from zermelo.engine.solution import CHANCE, MEMORY, STAGES, STEPS
from zermelo.errors import ContractError, MethodError, OptionError, UnsolvedError
from zermelo.game.contract import AnyGame, Game, S
from zermelo.options import whole
from zermelo.search.retrograde import check_fit
from zermelo.tables.slice_file import SUFFIX, SliceFacts, pack_slice, read_slice, write_slice
from zermelo.tables.tables import Tables, bare, core_slice, read_tables

NUMBERING = ("rank", "slice_size", "unrank")
"""The methods of a game that numbers its positions itself; without them those are listed that are found."""
GAMES = 10_000
"""Random games that look for positions of a slice, where the game does not number them."""
CHECKED = 20_000
"""Positions of a slice that are checked after building, unless all are."""
STEP = 8
"""Plies of a step, where distances are not kept exactly: searches of endings look further."""
PART = 1 << 20
"""Numbers that are looked at together, for the sake of memory."""
NAME = re.compile(r"[A-Za-z0-9_-]+")


class SliceProgress(NamedTuple):
    """How far a slice is."""

    name: str
    stage: str
    """`exploring` (playing all actions), `linking` (turning them around) or `resolving` (from the ends back)."""
    numbers: int
    """Of the slice."""
    done: int
    """Of them, in this stage."""


Report = Callable[[SliceProgress], None]
Stop = Callable[[], bool]
T = TypeVar("T")


def build_tables(
    game: Game[S, int],
    pieces: int,
    folder: str | Path,
    *,
    threads: int = 1,
    memory_mb: int = 4096,
    only: Sequence[str] = (),
    exact: int | None = None,
    step: int = STEP,
    check_all: bool = False,
    starts: Sequence[S] = (),
    stop: Stop | None = None,
    progress: Report | None = None,
) -> Tables[S]:
    """The tables of `game` with up to `pieces` pieces in `folder`; slices that are there already are kept.

    `only` names some of these slices, which are then built with those that they lead to. Distances are exact in all
    slices, or in those with up to `exact` pieces: in the others they are bounds in whole steps of `step` plies, which
    takes a fraction of the bytes.

    A game that does not number its positions (`rank`) gets those that can be reached from where random games first come
    to a slice, and from `starts`: no action leads out of them, so what the tables say of them holds. Positions that
    were not found are in no slice.

    `UnsolvedError` if a slice does not fit `memory_mb`, or if `stop`, called about fifty times a second, returns true:
    what is finished stays. After building, each slice is checked against the positions after its own: a sample of them,
    or all with `check_all`.
    """
    whole(1, 64).check("pieces", pieces)
    whole(1, 1 << 24).check("memory_mb", memory_mb)
    whole(1, 1024).check("threads", threads)
    whole(2, 32767).check("step", step)
    whole(0, 64).check("exact", pieces if exact is None else exact)
    rules = bare(game)
    require_slices(rules)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    kept = any(place.glob(f"*{SUFFIX}"))
    tables: Tables[S] = read_tables(place, rules) if kept else Tables(rules, place, ())
    last = pieces if exact is None else exact
    steps = {material: step for count in range(last + 1, pieces + 1) for material in rules.slices(count)}
    builder = _Builder(tables, threads, memory_mb, steps, check_all, stop, progress)
    chosen = choose_slices(rules, pieces, only)
    if not numbers_itself(rules):
        chosen = builder.collect(chosen, starts)
    for material in chosen:
        builder.build(material)
    return tables


def choose_slices(game: AnyGame, pieces: int, only: Sequence[str]) -> list[int]:
    """The slices with up to `pieces` pieces, or those of them that `only` names."""
    found = [material for count in range(1, pieces + 1) for material in game.slices(count)]
    names = {game.slice_name(material): material for material in found}
    strange = [name for name in only if name not in names]
    if strange:
        known = ", ".join(list(names)[:12]) + (", …" if len(names) > 12 else "")
        raise OptionError(f"no slice with up to {pieces} pieces is called {strange[0]!r}; there are {known or 'none'}")
    return [names[name] for name in only] or found


def require_slices(game: AnyGame) -> None:
    """Refuses games that have no endgame tables."""
    check_fit(game, repetition=(None, "draw", "perpetual"))
    if game.players != 2:
        raise MethodError(f"{game.name} is a game for {game.players}, and endgame tables are for two players")
    missing = [method for method in NUMBERING if not game.can(method)]
    if 0 < len(missing) < len(NUMBERING):
        raise MethodError(
            f"{game.name} has no `{missing[0]}`: endgame tables take a game with {', '.join(NUMBERING)}, as the "
            "contract describes them, or with none of these"
        )


def numbers_itself(game: AnyGame) -> bool:
    """Whether the game says which number a position has."""
    return game.can("rank")


class _Builder:
    """Builds slices into one folder."""

    def __init__(
        self,
        tables: Tables[Any],
        threads: int,
        memory_mb: int,
        steps: Mapping[int, int],
        check_all: bool,
        stop: Stop | None,
        progress: Report | None,
    ):
        self.tables = tables
        self.game = tables.game
        self.threads = threads
        self.memory_mb = memory_mb
        self.steps = steps
        self.check_all = check_all
        self.stop = stop
        self.progress = progress
        self.identity = identify(self.game)
        self.listings: Mapping[int, _core.Listing] = {}
        """The positions of the slices that the game does not number."""
        self.begun: list[int] = []
        """Slices under way, each of which waits for the next."""

    def collect(self, materials: Sequence[int], starts: Sequence[Any]) -> list[int]:
        """Finds the positions of these slices, and of all that they lead to; returns the slices that are to be built:
        those in which there are any, and those that are here already and have got more."""
        compiled = self.tables.compiled
        builder = _core.SliceBuilder(compiled.handle, self.tables.own)
        known = []
        for facts in self.tables.slices.values():
            if facts.listed:
                _, rows = read_slice(self.tables.path(facts.name), facts)
                known.append(_core.Listing(bytes.fromhex(facts.root), list(facts.places), rows))
        name = ", ".join([self.game.slice_name(m) for m in materials[:4]] + ["…"] * (len(materials) > 4))
        self.listings = self._run(
            builder,
            name,
            builder.collect,
            [compiled.pack(s) for s in starts],
            known,
            list(materials),
            GAMES,
            self.memory_mb << 20,
            self.threads,
        )
        grown = [
            material
            for material, listing in self.listings.items()
            if material in self.tables.slices and self.tables.slices[material].numbers != len(listing)
        ]
        for material in grown:
            self.tables.remove(material)
        found = [material for material in materials if material in self.listings]
        if not found:
            raise UnsolvedError(
                f"no position of {name} was met in {GAMES:,} random games: say from which positions they can be reached"
            )
        return grown + found

    def build(self, material: int) -> None:
        """Builds a slice, and before it those that it leads to."""
        if material in self.tables.slices:
            return
        name = self._name(material)
        if material in self.begun:
            raise ContractError(
                f"the slices {self._name(self.begun[-1])} and {name} of {self.game.name} lead to each other: let "
                "`material` give both one number"
            )
        self.begun.append(material)
        while (missing := self._try(material, name)) is not None:
            self.tables.remove(missing)  # half of one whose own exits are gone
            self.build(missing)
        self.begun.pop()

    def _name(self, material: int) -> str:
        name = self.game.slice_name(material)
        taken = {facts.name for facts in self.tables.slices.values() if facts.material != material}
        if not NAME.fullmatch(name) or name in taken:
            raise ContractError(
                f"slice_name({material}) of {self.game.name} is {name!r}: give each slice a name of its own, of "
                "letters, digits, - and _"
            )
        return name

    def _try(self, material: int, name: str) -> int | None:
        """Builds a slice and keeps it; returns a slice that has to be there before."""
        compiled, native = self.tables.compiled, self.tables.own
        builder = _core.SliceBuilder(compiled.handle, native)

        step, listing = self.steps.get(material, 1), self.listings.get(material)
        try:
            cells = self._run(builder, name, builder.run, material, step, self.memory_mb << 20, self.threads, listing)
        except _core.SliceMissing as error:
            return int(error.args[0])
        facts, codes = summarise(
            self.identity,
            material,
            name,
            np.frombuffer(cells, np.uint16),
            builder.ended,
            step,
            np.frombuffer(builder.leaves, np.bool_) if step > 1 else None,
        )
        rows = b""
        if listing is not None:
            facts, rows = replace(facts, root=listing.root.hex(), places=tuple(listing.places)), listing.rows
        kept, data = pack_slice(facts, codes, builder.follows, rows)
        if step > 1:  # what a bound is, is what the file says, whether the slice was built just now or before
            facts, codes = kept, codes[kept.first * kept.code_bytes :][: kept.held * kept.code_bytes]
        self.tables.add(facts, core_slice(facts, codes, rows))
        samples = facts.numbers if self.check_all else CHECKED
        if not self._run(builder, name, native.agrees, compiled.handle, material, samples):
            raise ContractError(
                f"slice {name} of {self.game.name} does not agree with its own rules: does `unrank` give a position of "
                "the same `rank`, worth the same to its player to move?"
            )
        if self.game.repetition == "perpetual":
            self._check_draws(builder, material, name)
        path = self.tables.path(name)
        for left in path.parent.glob(f"{path.name}*.new"):  # of a process that was killed
            left.unlink()
        self.tables.slices[material] = kept
        write_slice(path, kept, data)
        return None

    def _check_draws(self, builder: _core.SliceBuilder, material: int, name: str) -> None:
        """Refuses a slice with a draw that perpetual check would lose, as far as is known."""
        compiled = self.tables.compiled
        found = self._run(builder, name, self.tables.own.find_checked_draw, compiled.handle, material)
        if found is not None:
            self.tables.remove(material)
            raise MethodError(
                f"{name} is not built: in {self.game.write(compiled.unpack(found))} only checks keep the draw, and "
                "whoever gives perpetual check loses"
            )

    def _run(self, builder: _core.SliceBuilder, name: str, work: Callable[..., T], *arguments: Any) -> T:
        """The result of `work` for slice `name`, which is told how to ask whether to stop."""

        def ask() -> bool:
            if self.progress is not None:
                now = builder.progress
                self.progress(SliceProgress(name, STAGES[now.stage], now.states, now.done))
            return self.stop is not None and self.stop()

        try:
            return self.tables.compiled.guard(work, *arguments, ask)
        except Stopped:
            raise UnsolvedError(f"{name} is not built: it was told to stop; build again to go on from there") from None
        except _core.SolveRefused as error:
            raise self._refusal(name, *error.args) from None

    def _refusal(self, name: str, reason: int, data: bytes) -> Exception:
        if reason == MEMORY:
            return UnsolvedError(
                f"{name} is not built: it does not fit {self.memory_mb:,} MB; give it more memory, or fewer pieces"
            )
        if reason == STEPS:
            return UnsolvedError(
                f"{name} is not built: it leads to slices that keep no exact distances; build it in steps, too, by "
                "fewer exact pieces, or into another folder"
            )
        s = self.tables.compiled.unpack(data)
        if reason == CHANCE:
            return MethodError(f"chance moves in {self.game.write(s)} of slice {name}, and endgame tables have no dice")
        low, high = self.game.bounds
        return MethodError(
            f"the utilities at the end {self.game.write(s)} of slice {name} are {self.game.utilities(s)}, and endgame "
            f"tables know {high:g}, {self.game.neutral:g} and {low:g} only"
        )


def summarise(
    game: Mapping[str, Any],
    material: int,
    name: str,
    cells: NDArray[np.uint16],
    ended: int,
    step: int = 1,
    leaves: NDArray[np.bool_] | None = None,
) -> tuple[SliceFacts, bytes]:
    """The facts about a slice with these cells, and its codes; `leaves` are numbers whose cells nobody looks up."""
    counts = np.zeros(1 << 16, np.int64)
    for first in range(0, len(cells), PART):
        counts += np.bincount(cells[first : first + PART], minlength=len(counts))
    found = np.flatnonzero(counts)
    palette = found[found != _core.EMPTY_CELL]
    decided = palette[palette != _core.DRAWN_CELL]
    won = decided[decided & 1 == 1]
    facts = SliceFacts(
        game=game,
        material=material,
        name=name,
        numbers=len(cells),
        first=0,
        held=len(cells),
        won=int(counts[won].sum()),
        drawn=int(counts[_core.DRAWN_CELL]),
        lost=int(counts[decided[decided & 1 == 0]].sum()),
        ended=ended,
        longest=int(won.max()) >> 1 if len(won) else 0,
        palette=tuple(int(cell) for cell in palette) or (_core.DRAWN_CELL,),
        step=step,
    )
    return facts, b"".join(_code_parts(facts, cells, leaves))


def _code_parts(facts: SliceFacts, cells: NDArray[np.uint16], leaves: NDArray[np.bool_] | None) -> Iterator[bytes]:
    """The codes; a cell that nobody looks up has that of the one before it."""
    code_of = np.zeros(1 << 16, "<u1" if facts.code_bytes == 1 else "<u2")
    code_of[list(facts.palette)] = np.arange(len(facts.palette))
    last = code_of[facts.palette[0]]
    for first in range(0, len(cells), PART):
        part = cells[first : first + PART]
        kept = part != _core.EMPTY_CELL
        if leaves is not None:
            kept &= ~leaves[first : first + PART]
        codes = np.concatenate(([last], code_of[part]))
        place = np.where(np.concatenate(([True], kept)), np.arange(len(codes)), 0)
        codes = codes[np.maximum.accumulate(place)]
        last = codes[-1]
        yield codes[1:].tobytes()
