"""Which weakened players there are for a game: one search, under ever wider limits, each with any share of noise."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.errors import CompileError, MethodError, OptionError
from zermelo.game import Game
from zermelo.game.aima import AimaGame

FIRST_NODES = 128
FACTOR = 4
"""Each limit allows so many times the nodes of the one before."""
ENGINE_NODES = 32_768
TEXTBOOK_NODES = 2_048
"""What the strongest player of a ladder may take for a move, if nobody says: some hundredths of a second."""
FEWEST, MOST = 1, 1_000_000_000


class Strength(NamedTuple):
    """A player of a family: which of its limits, and how much noise."""

    limit: int
    noise: float


class Family:
    """The search called `kind` under each of `limits`, the narrowest first."""

    def __init__(self, kind: str, limits: tuple[str, ...]):
        self.kind = kind
        self.limits = limits

    def text(self, strength: Strength) -> str:
        """The text that names a player; with nothing but noise it is the random one, whatever its limit."""
        if strength.noise == 1:
            return "random"
        noise = f",noise={strength.noise:g}" if strength.noise else ""
        return f"{self.kind}:{self.limits[strength.limit]}{noise}"


def find_family(game: Game, nodes: int | None = None) -> Family:
    """The family for `game`, whose strongest member enters `nodes` positions a move."""
    if game.players < 2:
        raise OptionError(f"{game.name} is for one player, so there is no opponent to calibrate")
    if game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information, and the searches that are weakened here would look through it: "
            f"play against `mcts`, `cfr` or `random` instead"
        )
    if nodes is not None and (isinstance(nodes, bool) or not FEWEST <= nodes <= MOST):
        raise OptionError(f"nodes must be a whole number from {FEWEST} to {MOST:,}, not {nodes!r}")
    native = serves(game)
    most = nodes or (ENGINE_NODES if native else TEXTBOOK_NODES)
    steps = []
    allowed = FIRST_NODES
    while allowed < most:
        steps.append(allowed)
        allowed *= FACTOR
    limits = ("depth=1", *(f"nodes={step}" for step in (*steps, most)))
    return Family("engine" if native else "search", limits)


def serves(game: Game) -> bool:
    """Whether the native engine plays `game`."""
    from zermelo.engine.compiled import compile_game
    from zermelo.engine.engine import check_fit

    if isinstance(game, AimaGame):
        return False
    try:
        check_fit(game)
        compile_game(game)
    except (MethodError, CompileError):
        return False
    return True
