"""Endgame tables that are built: what they say of a position, and of the actions there."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
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
from zermelo.tables.slice_file import SUFFIX, SliceFacts, read_codes, read_facts

SAMPLES = 500
"""Positions of each slice that are checked against the rules when tables are loaded."""


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
        """The slices in the core, loaded at the first call; an `InputError` if one is damaged, or of other rules."""
        if self._native is None:
            native = _core.Tables()
            for facts in self.slices.values():
                self._load(native, facts)
            for facts in self.slices.values():
                self._check(native, facts)
            self._native = native
        return self._native

    def add(self, facts: SliceFacts, codes: bytes) -> None:
        """Adds a slice that was just built."""
        native = self.native
        native.add(facts.material, list(facts.palette), codes)
        self.slices[facts.material] = facts

    def _load(self, native: _core.Tables, facts: SliceFacts) -> None:
        path = self.path(facts.name)
        try:
            native.add(facts.material, list(facts.palette), read_codes(path, facts))
        except (TypeError, ValueError) as error:
            raise error if isinstance(error, InputError) else InputError(f"{path} cannot be used: {error}") from None

    def _check(self, native: _core.Tables, facts: SliceFacts) -> None:
        try:
            agrees = native.agrees(self.compiled.handle, facts.material, SAMPLES)
        except _core.RuleError:
            agrees = False
        if not agrees:
            raise InputError(
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

    def _before(self, mover: int, result: int, distance: int) -> Outcome:
        """The outcome after an action of `mover`, by the verdict before it."""
        return self._outcome(mover, result, distance - 1)

    def _outcome(self, mover: int, result: int, distance: int) -> Outcome:
        low, high = self.game.bounds
        value = (self.game.neutral, high, low)[result]
        other = 2 * self.game.neutral - value
        return Outcome(mover, (value, other) if mover == 0 else (other, value), distance if result else None)


def read_tables(folder: str | Path, game: Game[S, int]) -> Tables[S]:
    """The tables of `game` in `folder`; an `InputError` if there are none, or of another game."""
    folder = Path(folder)
    rules = bare(game)
    found = [read_facts(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]
    if not found:
        raise InputError(f"{folder} has no endgame tables: build some with `zermelo tables`")
    for facts in found:
        if why := why_another(facts.game, rules):
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
