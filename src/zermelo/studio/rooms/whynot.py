"""Why not? What a search has against an action: the reply that refutes it, played out, and the reason in words.

An action is rejected because, after it, the opponent has a reply that leaves less than another action gives. That is a
cut-off of alpha-beta in one sentence: where there are other replies, none of them needs a look. Beyond that, only what
the lines show is said: a win that is missed, the end that they lead to, or what is lost in them and when.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.arena.words import counts_points, name_player, say_number, say_points, write_line
from zermelo.engine import search
from zermelo.engine.choose import is_simulated
from zermelo.engine.engine import is_plain
from zermelo.game import CHANCE, Game
from zermelo.search.trace.words import clean, plural
from zermelo.studio.rooms.parts import find_part

SECONDS = 1.0
"""For each of the two searches, of the action and of the alternative."""
MOST_TOLD = 8
"""Actions of a line that a sentence holds."""


class Prospect(NamedTuple):
    """What an action leads to, for whoever takes it."""

    value: float
    line: tuple[Any, ...]
    """The action itself, and best play after it."""
    exact: bool


def explain(
    game: Game, state: Any, history: Sequence[Any], action: Any, found: Analysis | None, stop: Callable[[], bool]
) -> dict[str, Any]:
    """The line that refutes `action`, and in words what is wrong with it."""
    mover = game.player(state)
    this = look_at(game, state, history, action, stop)
    best = None if found is None or found.action is None else found
    if best is None:
        best = search(game, state, history=history, seconds=SECONDS, stop=stop)
    if best.action == action:
        said = f"{name(game, state, action)} is what the search itself would play: {worth(game, this)}."
        return {"says": said, "line": this.line, "better": False}
    other = look_at(game, state, history, best.action, stop)
    return {"says": say_why(game, state, mover, this, other), "line": this.line, "better": this.value >= other.value}


def look_at(game: Game, state: Any, history: Sequence[Any], action: Any, stop: Callable[[], bool]) -> Prospect:
    """What `action` is worth to whoever takes it."""
    mover = game.player(state)
    after = game.result(state, action)
    if game.is_terminal(after):
        return Prospect(game.utility(after, mover), (action,), True)
    found = search(game, after, history=[*history, state], seconds=SECONDS, stop=stop)
    return Prospect(found.values[mover], (action, *found.line), found.exact)


def say_why(game: Game, state: Any, mover: int, this: Prospect, other: Prospect) -> str:
    """The reason in a sentence or two."""
    move, rival = name(game, state, this.line[0]), name(game, state, other.line[0])
    if this.value >= other.value:
        return f"Nothing is wrong with {move}: it is worth {worth(game, this)}, as much as {rival}."
    missed = say_missed(game, state, this, other)
    if missed:
        return missed
    reason = say_end(game, state, mover, this) or say_part(game, state, mover, this, other)
    return " ".join(filter(None, (reason, say_reply(game, state, mover, this, other))))


def say_reply(game: Game, state: Any, mover: int, this: Prospect, other: Prospect) -> str:
    """`Then o has a reply, c2, that leaves you …`: the cut-off, where there is one."""
    rival = name(game, state, other.line[0])
    after = game.result(state, this.line[0])
    if game.is_terminal(after) or game.player(after) in (CHANCE, mover) or len(this.line) < 2:
        return f"It is worth {worth(game, this)} to you; {rival} is worth {worth(game, other)}."
    reply = name(game, after, this.line[1])
    said = (
        f"Then {name_player(game, game.player(after))} has a reply, {reply}, that leaves you {left(game, this)}, "
        f"and you have {worth(game, other)} elsewhere, with {rival}"
    )
    spared = len(list(game.actions(after))) - 1
    if not spared or not is_plain(game) or is_simulated(game):
        return f"{said}."
    return f"{said}: the {plural(spared, 'other reply', 'other replies')} can be pruned."


def say_missed(game: Game, state: Any, this: Prospect, other: Prospect) -> str:
    """`g3 misses the win by Rd8#`, where the alternative wins and this does not lose."""
    low, high = game.bounds
    if not low < game.neutral < high or other.value < high or this.value <= low:
        return ""
    move, rival = name(game, state, this.line[0]), name(game, state, other.line[0])
    plies = plural(len(other.line), "ply", "plies")
    longer = len(other.line) > 1 and game.is_terminal(end_of(game, state, other.line))
    way = f" in {plies} ({tell(game, state, other.line)})" if longer else ""
    drawn = this.exact and this.value == game.neutral and game.utility_sum is not None
    return f"{move} misses the win by {rival}{way}: it {'only draws' if drawn else 'leaves you ' + left(game, this)}."


def say_end(game: Game, state: Any, mover: int, this: Prospect) -> str:
    """`After this, o wins in 3 plies: …`, where the end of the game is in sight."""
    low, high = game.bounds
    over = game.is_terminal(end_of(game, state, this.line))
    if not low < game.neutral < high or not (this.exact or over):
        return ""
    plies = plural(len(this.line) - 1, "ply", "plies")
    seen = f" in {plies}: {tell(game, state, this.line, 1)}" if over and len(this.line) > 1 else ""
    if this.value == low and game.players == 2:
        return f"After this, {name_player(game, 1 - mover)} wins{seen}."
    if this.exact and this.value == game.neutral and game.utility_sum is not None:
        return "After this it is only a draw."
    return ""


def say_part(game: Game, state: Any, mover: int, this: Prospect, other: Prospect) -> str:
    """`After this, black wins 300 points of material in 1 ply: …`, or how much less the action is worth."""
    low, high = game.bounds
    if not counts_points(game) or not low < this.value < other.value < high:
        return ""
    move, rival = name(game, state, this.line[0]), name(game, state, other.line[0])
    gap = (other.value - this.value) * (game.scale or 1.0)
    part = find_part(game, state, this.line, other.line, gap) if game.can("explain") else None
    if part is not None and part.lost and part.ply == 1:
        return f"This gives up {say_number(round(part.lost))} points of {part.name} at once."
    if part is not None and part.lost:
        plies = plural(part.ply - 1, "ply", "plies")
        lost = f"{say_number(round(part.lost))} points of {part.name} in {plies}"
        return f"After this, {name_player(game, 1 - mover)} wins {lost}: {tell(game, state, this.line[: part.ply], 1)}."
    if part is not None and part.missed:
        won = f"{say_number(round(part.missed))} points of {part.name}"
        return f"{move} misses {won}, which {tell(game, state, other.line[: part.late])} wins."
    mostly = "" if part is None else f", mostly for {part.name}"
    return f"{move} is worth {say_number(round(gap, 2))} points less than {rival}{mostly}."


def end_of(game: Game, state: Any, line: Sequence[Any]) -> Any:
    """The position after `line`."""
    for action in line:
        state = game.result(state, action)
    return state


def tell(game: Game, state: Any, line: tuple[Any, ...], first: int = 0) -> str:
    """The actions of `line` from `first` on, as many as one reads."""
    shown = write_line(game, state, line)[first:]
    return " ".join([*shown[:MOST_TOLD], "…"] if len(shown) > MOST_TOLD else shown)


def left(game: Game, prospect: Prospect) -> str:
    """What is left, and whether that is an estimate."""
    low, high = game.bounds
    return (
        worth(game, prospect) if prospect.exact or not low < prospect.value < high else f"about {worth(game, prospect)}"
    )


def name(game: Game, state: Any, action: Any) -> str:
    return clean(game.show_action(state, action))


def worth(game: Game, prospect: Prospect) -> str:
    return say_points(game, prospect.value)
