"""Why not? What a search has against an action: the reply that refutes it, played out, and the reason in words.

An action is rejected because, after it, the opponent has a reply that leaves less than another action gives. That is a
cut-off of alpha-beta in one sentence, and it is true of every rejected action, whatever search rejected it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.arena.words import name_player, say_points, write_line
from zermelo.engine import search
from zermelo.game import CHANCE, Game
from zermelo.search.trace.words import clean, plural

SECONDS = 1.0
"""For each of the two searches, of the action and of the alternative."""
LEAST_PART = 0.5
"""Of the loss: a smaller part of the evaluation does not explain it."""


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
    told = [say_end(game, state, mover, this) or say_part(game, state, mover, this) or ""]
    reply = write_line(game, state, this.line)[1:2]
    after = game.result(state, this.line[0])
    replies = not game.is_terminal(after) and game.player(after) not in (CHANCE, mover)
    if replies and reply:
        told.append(
            f"Pruned: {name_player(game, game.player(after))} already has a reply, {reply[0]}, that leaves you "
            f"{'=' if this.exact else 'about'} {worth(game, this)}, and you have {worth(game, other)} elsewhere, "
            f"with {rival}."
        )
    else:
        told.append(f"It is worth {worth(game, this)} to you; {rival} is worth {worth(game, other)}.")
    return " ".join(filter(None, told)).replace("leaves you = ", "leaves you ")


def say_end(game: Game, state: Any, mover: int, this: Prospect) -> str:
    """`After this, o wins in 3 plies: …`, where the end of the game is in sight."""
    low, high = game.bounds
    if not this.exact or not low < game.neutral < high:
        return ""
    plies = plural(len(this.line) - 1, "ply", "plies")
    line = " ".join(write_line(game, state, this.line)[1:])
    last = state
    for action in this.line:
        last = game.result(last, action)
    seen = f" in {plies}: {line}" if game.is_terminal(last) and line else ""
    if this.value == low and game.players == 2:
        return f"After this, {name_player(game, 1 - mover)} wins{seen}."
    if this.value == game.neutral and game.utility_sum is not None:
        return "After this it is only a draw."
    return ""


def say_part(game: Game, state: Any, mover: int, this: Prospect) -> str:
    """`After this, Black wins 5 of material in 3 plies: …`, where the game takes its evaluation apart."""
    if not game.can("explain"):
        return ""
    last = state
    for action in this.line:
        following = game.result(last, action)
        if game.is_terminal(following):
            return ""
        last = following
    before, after = dict(game.explain(state)), dict(game.explain(last))
    sign = 1 if mover == 0 else -1
    losses = {name: sign * (before[name] - after.get(name, 0.0)) for name in before}
    whole = sum(losses.values())
    part = max(losses, key=lambda each: losses[each])
    if whole <= 0 or losses[part] < LEAST_PART * whole:
        return ""
    winner = name_player(game, 1 - mover) if game.players == 2 else "somebody else"
    plies = plural(len(this.line) - 1, "ply", "plies")
    line = " ".join(write_line(game, state, this.line)[1:9])
    return f"After this, {winner} wins {losses[part]:.0f} points of {part} in {plies}: {line}."


def name(game: Game, state: Any, action: Any) -> str:
    return clean(game.show_action(state, action))


def worth(game: Game, prospect: Prospect) -> str:
    return say_points(game, prospect.value)
