"""The game of teams as a game of sides: one player for each team, who acts for all of its members.

    PLAYER(s)       = the side whose member acts in s
    UTILITY(s, t)   = what any member of side t gets

Two teams with a constant sum become two players, so that minimax and all its relatives search the game as any other of
two, node for node. States and actions stay as they are. It is right where nothing is hidden: partners share their
utility, and not what they see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import MethodError
from zermelo.game.contract import CHANCE, AnyGame, Game

OF_PLAYERS = (
    *("team", "view", "sample", "show_view", "view_picture", "judge", "learned_as", "trainer"),
    *("write_record", "write_records", "read_record"),
)
"""Methods that only the players of the game itself have a use for."""
ABOUT_A_PLAYER = ("utility", "evaluate", "upper_bound", "inputs", "with_turn")
"""Methods that take a state and a player: the first member of a side answers for all."""
OWN_FACTS = ("players", "player_below", "optional")


class Sides(Game[Any, Any]):
    """A game as its teams play it, made by `sides`. Its players are the teams, in the order of their first members."""

    def __init__(self, seated: AnyGame):
        self.seated = seated
        """The game with all its players."""
        self.members = seated.teams
        for name, fact in vars(Game).items():
            if not name.startswith("_") and name not in OWN_FACTS and not callable(fact) and not is_property(fact):
                setattr(self, name, getattr(seated, name))
        self.players = len(self.members)
        self.side = seated.side_of
        """The side of each player of that game."""

    @property
    def name(self) -> str:
        return self.seated.name

    @property
    def neutral(self) -> float:
        return self.seated.neutral

    @property
    def board_size(self) -> tuple[int, int] | None:
        return self.seated.board_size

    def player(self, s: Any) -> int:
        p = self.seated.player(s)
        return self.side[p] if 0 <= p < self.seated.players else p if p == CHANCE else self.players

    def player_name(self, p: int) -> str:
        return name_team(self.seated, self.members[p])


def sides(game: AnyGame) -> AnyGame:
    """`game` with one player for each of its teams; the game itself if everybody plays alone."""
    if not game.kind.teams:
        return game
    if game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information, and partners do not see each other's: "
            "take zermelo.sides(zermelo.revealed(game)) for open cards"
        )
    methods = {
        name: forward(name)
        for name, method in vars(Game).items()
        if callable(method) and not name.startswith("_") and name not in vars(Sides) and name not in OF_PLAYERS
        if name not in Game.optional or game.can(name)
    }
    # The class is called as before: games are told apart by their names.
    kind = type(game)
    made: AnyGame = type(kind.__name__, (Sides,), {"__doc__": kind.__doc__, **methods})(game)
    return made


def searched(game: AnyGame) -> AnyGame:
    """What a search of `game` searches: its sides; the game itself where players see different things."""
    return game if game.kind.hidden else sides(game)


def for_players(game: AnyGame, found: Analysis) -> Analysis:
    """What a search of `searched(game)` has found, told of the players of `game`."""
    if len(found.values) == game.players:
        return found
    values = tuple(found.values[side] for side in game.side_of)
    return replace(found, values=values, origin=found.origin and (game, found.origin[1]))


def for_sides(game: AnyGame, utilities: Iterable[float]) -> tuple[float, ...]:
    """Of what every player of `game` has, what every side has."""
    own = tuple(utilities)
    return tuple(own[team[0]] for team in game.teams)


def name_team(game: AnyGame, team: tuple[int, ...]) -> str:
    """What people call the members of a team together."""
    return " and ".join(game.player_name(p) for p in team)


def forward(name: str) -> Callable[..., Any]:
    """The method of that name, which the game itself answers."""
    if name in ABOUT_A_PLAYER:
        return lambda self, s, p: getattr(self.seated, name)(s, self.members[p][0])
    if name == "utilities":
        return lambda self, s: for_sides(self.seated, self.seated.utilities(s))
    return lambda self, *given, **named: getattr(self.seated, name)(*given, **named)


def is_property(fact: object) -> bool:
    return isinstance(fact, (property, staticmethod, classmethod))
