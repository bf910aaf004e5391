"""Extensions: a line in which play is forced is searched one ply deeper.

The horizon effect is a loss that a search pushes past its depth by delaying moves. Where there is little choice, a
ply more costs little; a node is extended by at most one ply, and no line grows beyond twice the nominal depth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice

from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, Game
from zermelo.search.composable import Composable
from zermelo.search.node import SearchNode
from zermelo.search.ordering import is_recapture, wins_at_once


def in_check(game: Game, s: object) -> bool:
    """Whether the opponent of the player to move would win at once if that player passed.

    This is check in chess, an open three in tic-tac-toe, a stone to be blocked in Connect Four. A game may say so
    itself, by `is_check`; one with neither that nor `pass_turn` has no checks.
    """
    if game.can("is_check"):
        return bool(game.is_check(s))
    if not game.can("pass_turn"):
        return False
    passed = game.pass_turn(s)
    if game.is_terminal(passed) or game.player(passed) == CHANCE:
        return False
    return any(wins_at_once(game, passed, a) for a in game.actions(passed))


def check(game: Game, node: SearchNode) -> bool:
    """The player to move must meet a threat to win at once."""
    return in_check(game, node.state)


def single_reply(game: Game, node: SearchNode) -> bool:
    """There is exactly one legal action."""
    return len(list(islice(game.actions(node.state), 2))) == 1


def recapture(game: Game, node: SearchNode) -> bool:
    """The action that led here took back where the one before it took."""
    return node.parent is not None and is_recapture(game, node.parent, node.action)


EXTENSIONS: dict[str, tuple[Callable[[Game, SearchNode], bool], tuple[str, ...]]] = {
    "check": (check, ("pass_turn",)),
    "single": (single_reply, ()),
    "recapture": (recapture, ("is_noisy", "target")),
}
"""Each by name, with the optional methods that it needs of a game."""


class Extensions:
    """The extensions that `names` lists, as in `"check,single"`."""

    def __init__(self, names: Sequence[str], game: Game):
        self.names = [name.strip() for name in names if name.strip()]
        for name in self.names:
            if name not in EXTENSIONS:
                raise OptionError(f"there is no extension {name!r}; there are {', '.join(EXTENSIONS)}, singular")
            missing = [m for m in EXTENSIONS[name][1] if not game.can(m)]
            if missing:
                raise MethodError(f"the {name} extension needs `{missing[0]}`, which {game.name} does not have")

    def __call__(self, search: Composable, node: SearchNode) -> None:
        """Adds a ply to `node` for the first extension that applies."""
        if node.ply >= 2 * search.depth or node.depth == math.inf:
            return
        for name in self.names:
            if EXTENSIONS[name][0](search.game, node):
                node.depth += 1
                if search.recorder:
                    search.recorder.extend(node, name)
                return
