"""Endgame tables that are built: what they say of a position, and of the actions there."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from zermelo.analysis import Analysis
from zermelo.engine.compiled import CompiledGame, native_rules
from zermelo.engine.core import _core
from zermelo.engine.equipped import EquippedGame
from zermelo.engine.identity import why_another
from zermelo.engine.outcomes import Outcomes
from zermelo.errors import InputError, PositionError
from zermelo.game.contract import AnyGame, Game, S
from zermelo.search.retrograde import Outcome
from zermelo.tables.slice_file import SUFFIX, SliceFacts, check_whole, read_facts, read_slice

SAMPLES = 100
"""Positions of each slice that are checked against the rules when it is loaded."""
CHECKED_FIRST = 1 << 16
"""Slices with up to so many numbers are loaded and checked at once, the others when a position of theirs is asked."""
KEPT_LOADED = 128
"""Slices that stay in memory for other objects of the same game."""


class Tables(Outcomes[S, int]):
    """The endgame tables of a game in a folder. The slices are loaded when they are first asked."""

    def __init__(self, game: Game[S, int], folder: Path, slices: Iterable[SliceFacts]):
        self.game = game
        self.root = game.initial()
        self.folder = folder
        self.slices: dict[int, SliceFacts] = {facts.material: facts for facts in slices}
        """The slices by their numbers."""
        self._compiled: CompiledGame[S] | None = None
        self._native: _core.Tables | None = None
        self._is_own = False

    def __repr__(self) -> str:
        positions = sum(facts.positions for facts in self.slices.values())
        return f"<Tables of {self.game.name}: {len(self.slices)} slices, {positions:,} positions>"

    def __reduce__(self) -> tuple[Any, ...]:
        return read_tables, (self.folder, self.game)

    def path(self, name: str) -> Path:
        """The file of the slice of that name."""
        return self.folder / f"{name}{SUFFIX}"

    @property
    def compiled(self) -> CompiledGame[S]:
        """The rules, made at the first call."""
        if self._compiled is None:
            self._compiled = native_rules(self.game)
        return self._compiled

    @property
    def native(self) -> _core.Tables:
        """The slices in the core, of which large ones are loaded when a position of theirs is first asked.

        An `InputError` if a file is damaged, or of other rules.
        """
        if self._native is None:
            native = _core.Tables()
            for facts in self.slices.values():
                check_whole(self.path(facts.name))
                if facts.listed and len(facts.root) != 2 * self.compiled.handle.state_size:
                    raise self._changed(facts)
                native.add_later(facts.material, partial(self._load, facts))
            for facts in self.slices.values():
                if facts.numbers <= CHECKED_FIRST:
                    self._check(native, facts)
            self._native = native
        return self._native

    def _load(self, facts: SliceFacts) -> _core.Slice:
        """A slice, which agrees with the rules as far as it tells by itself."""
        loaded, alone = load_slice(self.path(facts.name)), _core.Tables()
        alone.add(facts.material, loaded)
        self._check(alone, facts)
        return loaded

    def add(self, facts: SliceFacts, loaded: _core.Slice) -> None:
        """Adds a slice that was just built, to tables of one's own."""
        self.own.add(facts.material, loaded)
        self.slices[facts.material] = facts

    def remove(self, material: int) -> None:
        """Forgets a slice, of tables of one's own."""
        self.own.remove(material)
        self.slices.pop(material, None)

    @property
    def own(self) -> _core.Tables:
        """The slices in the core, shared with nobody from now on."""
        if not self._is_own:
            self._native, self._is_own = self.native.copy(), True
        return self.native

    def _check(self, native: _core.Tables, facts: SliceFacts) -> None:
        try:
            agrees = native.agrees(self.compiled.handle, facts.material, SAMPLES)
        except _core.RuleError:
            agrees = False
        if not agrees:
            raise self._changed(facts)

    def _changed(self, facts: SliceFacts) -> InputError:
        return InputError(
            f"{self.path(facts.name)} does not agree with the rules of {self.game.name}, which have changed: "
            "delete the tables and build them again"
        )

    def probe(self, s: S) -> Outcome | None:
        """What best play from `s` leads to; `None` if the tables do not know it."""
        if self.game.is_terminal(s):
            return Outcome(None, self.game.utilities(s), 0)
        found = self.compiled.guard(self.native.look, self.compiled.handle, self.compiled.pack(s))
        return None if found is None else self._outcome(self.game.player(s), *found)

    def outcome(self, s: S | None = None) -> Outcome:
        s = self.root if s is None else s
        found = self.probe(s)
        if found is None:
            raise PositionError(
                f"{self.game.write(s)} is not in the {len(self.slices)} slices of {self.folder}: build more, or "
                "search it"
            )
        return found

    def children(self, s: S) -> list[tuple[int, Outcome | None]]:
        found = self.compiled.guard(self.native.children, self.compiled.handle, self.compiled.pack(s))
        mover = self.game.player(s)
        return [(action, None if verdict is None else self._before(mover, *verdict)) for action, verdict in found]

    def longest(self, s: S) -> int | None:
        """Plies to the end at most, of a position that is won or lost; exactly that where `distance` tells, too."""
        found = self.compiled.guard(self.native.look, self.compiled.handle, self.compiled.pack(s))
        return None if found is None or not found[0] else int(found[1])

    def best(self, s: S | None = None) -> int | None:
        """As ever; where distances are bounds, the action with the least one if it wins, the greatest if it loses."""
        s = self.root if s is None else s
        if self.outcome(s).mover is None:
            return None
        found = self.compiled.guard(self.native.children, self.compiled.handle, self.compiled.pack(s))
        ranked = []
        for action, verdict in found:
            if verdict is None:
                raise PositionError(f"{self.game.write(self.game.result(s, action))} is not known here")
            result, distance, _ = verdict
            ranked.append(((result, -result * distance), action))
        return max(ranked, key=lambda each: each[0])[1]

    def line(self, s: S | None = None) -> tuple[int, ...]:
        """As ever; where distances are bounds, one action."""
        s = self.root if s is None else s
        outcome = self.outcome(s)
        if outcome.mover is None or outcome.distance is not None or outcome.value == self.game.neutral:
            return super().line(s)
        best = self.best(s)
        return () if best is None else (best,)

    def analyse(self, s: S) -> Analysis:
        """What the tables say of `s`, as an `Analysis`."""
        started = time.perf_counter()
        outcome, line = self.outcome(s), self.line(s)
        return Analysis(
            action=line[0] if line else None,
            value=outcome.value,
            values=outcome.values,
            line=line,
            depth=None,
            nodes=1,
            leaves=1,
            cutoffs=0,
            probed=1,
            seconds=time.perf_counter() - started,
            exact=True,
            bounds=(outcome.value, outcome.value),
            method="endgame tables",
            actions={action: choice.value for action, choice in self.actions(s).items()},
            origin=(self.game, s),
        )

    def _before(self, mover: int, result: int, distance: int, exact: bool) -> Outcome:
        """The outcome after an action of `mover`, by the verdict before it."""
        return self._outcome(mover, result, distance - 1, exact)

    def _outcome(self, mover: int, result: int, distance: int, exact: bool) -> Outcome:
        low, high = self.game.bounds
        value = (self.game.neutral, high, low)[result]
        other = 2 * self.game.neutral - value
        return Outcome(mover, (value, other) if mover == 0 else (other, value), distance if result and exact else None)


def load_slice(path: Path) -> _core.Slice:
    """The slice in this file, unpacked; the one that stayed in memory, if the file is as it was."""
    try:
        found = path.stat()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return _load_stamped(path.absolute(), (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(KEPT_LOADED)
def _load_stamped(path: Path, _stamp: tuple[int, int, int]) -> _core.Slice:
    facts = read_facts(path)
    try:
        return core_slice(facts, *read_slice(path, facts))
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, InputError) else InputError(f"{path} cannot be used: {error}") from None


def core_slice(facts: SliceFacts, codes: bytes, rows: bytes) -> _core.Slice:
    """A slice in the core; `codes` are those of the numbers that are held, `rows` the positions that are listed."""
    listing = _core.Listing(bytes.fromhex(facts.root), list(facts.places), rows) if facts.listed else None
    return _core.Slice(facts.numbers, facts.first, facts.step, list(facts.palette), codes, listing)


def read_tables(folder: str | Path, game: Game[S, int]) -> Tables[S]:
    """The tables of `game` in `folder`; an `InputError` if there are none, or of another game."""
    folder = Path(folder)
    rules = bare(game)
    found = [read_facts(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]
    if not found:
        raise InputError(f"{folder} has no endgame tables: build some with `zermelo tables`")
    for facts in found:
        if why := why_another(facts.game, rules, rules.tables_ignore):
            raise InputError(f"the tables in {folder} are another game's: {why}")
    return Tables(rules, folder, found)


def kept_identity(folder: Path) -> Mapping[str, Any] | None:
    """Which game the tables in `folder` are of; `None` if there are none."""
    first = min(folder.glob(f"*{SUFFIX}"), default=None)
    return None if first is None else read_facts(first).game


def bare(game: AnyGame) -> AnyGame:
    """`game` without what was made for it."""
    while isinstance(game, EquippedGame):
        game = game.rules
    return game
