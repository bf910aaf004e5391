"""Extensions: a line in which play is forced is searched one ply deeper.

The horizon effect is a loss that a search pushes past its depth by delaying moves. Where there is little choice, a
ply more costs little; a node is extended by at most one ply, and no line grows beyond twice the nominal depth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from zermelo.errors import MethodError, OptionError
from zermelo.game import Game
from zermelo.search.ordering import is_recapture
from zermelo.search.threats import in_check

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node

Extension: TypeAlias = tuple[str, Callable[[Game, "Node"], bool]]
"""A name for the trace, and the question whether it applies to a node."""


def check(game: Game, node: Node) -> bool:
    """The player to move must meet a threat to win at once."""
    return in_check(game, node.state)


def single_reply(game: Game, node: Node) -> bool:
    """There is exactly one legal action."""
    return len(list(islice(game.actions(node.state), 2))) == 1


def recapture(game: Game, node: Node) -> bool:
    """The action that led here took back where the one before it took."""
    return node.parent is not None and is_recapture(game, node.parent, node.action)


EXTENSIONS: dict[str, tuple[Callable[[Game, Node], bool], tuple[str, ...]]] = {
    "check": (check, ("pass_turn",)),
    "single": (single_reply, ()),
    "recapture": (recapture, ("is_noisy", "target")),
}
"""Each by name, with the optional methods that it needs of a game."""


def extend(loop: Loop, node: Node) -> None:
    """Adds a ply to `node` for the first extension that applies."""
    if node.ply >= 2 * loop.depth or node.depth == float("inf"):
        return
    for name, applies in loop.recipe.extensions:
        if applies(loop.game, node):
            node.depth += 1
            if loop.recorder:
                loop.recorder.extend(node, name)
            return


def make_extensions(names: str | Sequence[str], game: Game) -> tuple[Extension, ...]:
    """The extensions that `names` lists, as in `"check,single"`."""
    wanted = [n.strip() for n in (names.split(",") if isinstance(names, str) else names) if n.strip()]
    for name in wanted:
        if name not in EXTENSIONS:
            raise OptionError(f"there is no extension {name!r}; there are {', '.join(EXTENSIONS)}, singular")
        missing = [m for m in EXTENSIONS[name][1] if not game.can(m)]
        if missing:
            raise MethodError(f"the {name} extension needs `{missing[0]}`, which {game.name} does not have")
    return tuple((name, EXTENSIONS[name][0]) for name in wanted)
