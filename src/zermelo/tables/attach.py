"""Games with endgame tables: the same rules, and the engine probes the tables."""

from __future__ import annotations

import copy
from typing import Any

from zermelo.engine.compiled import CompiledGame, native_rules
from zermelo.engine.equipped import EquippedGame, NetworkGame, equip
from zermelo.engine.identity import why_another
from zermelo.errors import InputError
from zermelo.game.contract import AnyGame, Game, S
from zermelo.tables.tables import Tables, bare


class Tabled(EquippedGame[S]):
    """The methods of a game with endgame tables."""

    tables: Tables[S]

    def compile(self) -> CompiledGame[S]:
        compiled = copy.copy(native_rules(self.rules))
        compiled.game = self
        compiled.tables = self.tables.native
        return compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return with_tables, (self.rules, self.tables)


def with_tables(game: Game[S, int], tables: Tables[S]) -> Game[S, int]:
    """`game` with `tables`, in place of those that it has; refuses tables of another game."""
    rules = bare(game)
    if why := why_another(next(iter(tables.slices.values())).game, rules, rules.tables_ignore):
        raise InputError(f"the tables in {tables.folder} are another game's: {why}")
    tabled = equip(rules, Tabled)
    tabled.tables = tables
    if not isinstance(game, NetworkGame):
        return tabled
    from zermelo.engine.network import network_of, with_network

    network = network_of(game)
    assert network is not None
    return with_network(tabled, network)


def tables_of(game: AnyGame) -> Tables[Any] | None:
    """The endgame tables of `game`, if it has any."""
    while isinstance(game, EquippedGame):
        if isinstance(game, Tabled):
            return game.tables
        game = game.rules
    return None
