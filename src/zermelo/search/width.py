"""Forward pruning by width: below the root only the few best-looking actions are searched.

    H(s, d) = the best of H(RESULT(s, a), d − 1) over the k actions whose results have the greatest EVAL for the mover

as programs for backgammon do it. Where the results are leaves all are looked at, which costs no more; at the root
nothing is left out. It is risky: an action that looks bad and is good is missed, and so nothing below which an action
was left out is a proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node


def narrow(loop: Loop, node: Node, actions: list[Any]) -> list[Any]:
    """The `recipe.width` best of `actions` by what their results look like, best first; all where that is no limit."""
    width = loop.recipe.width
    if width == 0 or node.parent is None or node.depth <= 1 or len(actions) <= width:
        return actions
    node.estimated = True
    return sorted(actions, key=lambda action: -look(loop, node, action))[:width]


def look(loop: Loop, node: Node, action: Any) -> float:
    """What `action` seems to be worth to the mover of `node`, at first sight."""
    s = loop.game.result(node.state, action)
    return loop.game.utility(s, node.player) if loop.game.is_terminal(s) else loop.worth(s, node.player)
