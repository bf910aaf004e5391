"""A position as a page shows it: its picture, the places in it, and what may be played where."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import unescape
from itertools import chain
from typing import Any

from zermelo.errors import ActionError, ContractError
from zermelo.game import CHANCE, Game
from zermelo.game.text import text_picture
from zermelo.play.notation import legal_actions, read_action
from zermelo.play.words import name_player, show_for
from zermelo.search.trace.words import clean
from zermelo.studio.session import describe_error

PLACE = re.compile(r'\bdata-at="([^"]+)"')
MOST_PICTURE = 400_000
"""Characters of a picture; a game that draws more is shown as text."""


def draw(game: Game, state: Any, viewer: int | None = None) -> str:
    """The picture of `state`; in a game of hidden information, what `viewer` sees of it.

    A picture that fails is no reason not to play: then the text is drawn, with what went wrong.
    """
    eyes = viewer if game.kind.hidden else None
    text = game.show(state) if eyes is None else show_for(game, state, eyes)
    try:
        picture = game.picture(state) if eyes is None else game.view_picture(game.view(state, eyes), eyes)
        return check_picture(game, picture, text)
    except (Exception, SystemExit) as error:  # rules are anybody's code
        return text_picture(f"{text}\n{describe_error(error)}")


def check_picture(game: Game, picture: Any, text: str) -> str:
    """`picture`, if it is one; `text`, drawn, if it is too large."""
    if not isinstance(picture, str) or not picture.lstrip().startswith("<"):
        raise ContractError(f"`picture` of {game.name} must give SVG text; leave it out to have `show` drawn")
    return picture if len(picture) <= MOST_PICTURE else text_picture(text)


def find_places(text: str, names: Iterable[str]) -> list[str]:
    """The places whose names stand in `text`, one after the other, the longest that fits each time."""
    longest = sorted(names, key=len, reverse=True)
    if not longest:
        return []
    return re.findall("|".join(map(re.escape, longest)), text)


Ways = list[tuple[str, list[list[tuple[str, ...]]]]]
"""Each legal action's notation, with the ways in which a person makes it."""
Steps = Sequence[tuple[str, ...]]


def find_ways(game: Game, state: Any, history: Sequence[Any], picture: str) -> Ways:
    """How the legal actions are made by clicking: as the game says, else by the places that their texts name."""
    names = list_places(picture)
    return [
        (clean(game.show_action(state, action)), ways_of(game, state, action, names))
        for action in legal_actions(game, state, history)
    ]


def list_places(picture: str) -> set[str]:
    """The names of the places in `picture`."""
    return {unescape(name) for name in PLACE.findall(picture)}


def ways_of(game: Game, state: Any, action: Any, names: set[str]) -> list[list[tuple[str, ...]]]:
    """The ways in which `action` is made on a picture that has places of these names."""
    if game.can("clicks"):
        ways = [[tuple(step) for step in way] for way in game.clicks(state, action)]
        return [way for way in ways if way and all(way) and names.issuperset(chain(*way))]
    places = tuple(find_places(str(game.write_action(state, action)), names))
    return [[places]] if places else []


def list_actions(ways: Ways) -> list[dict[str, Any]]:
    """The legal actions, each with its notation and the places that one clicks for it, the first way of several."""
    return [{"notation": say, "at": list(chain(*made[0])) if made else []} for say, made in ways]


def next_steps(ways: Ways, made: Steps = ()) -> list[dict[str, Any]]:
    """The steps that can follow those `made`: the actions that each completes, and whether some go on after it."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    count = len(made)
    for say, all_ways in ways:
        for way in all_ways:
            if len(way) > count and way[:count] == list(made):
                step = found.setdefault(way[count], {"at": way[count], "done": [], "more": False})
                if len(way) > count + 1:
                    step["more"] = True
                elif say not in step["done"]:
                    step["done"].append(say)
    return list(found.values())


def show_halfway(
    game: Game, state: Any, history: Sequence[Any], made: Steps, viewer: int | None = None
) -> dict[str, Any]:
    """The picture of an action that is half made, and how it can go on."""
    steps = next_steps(find_ways(game, state, history, draw(game, state, viewer)), made)
    if not made or not steps or not game.can("clicks"):
        raise ActionError("no action goes on from these steps")
    return {"picture": check_picture(game, game.halfway(state, made), game.show(state)), "steps": steps}


def show(game: Game, state: Any, history: Sequence[Any], viewer: int | None = None) -> dict[str, Any]:
    """All that a board needs; `viewer` is whose eyes look at it, `None` for nobody's in particular."""
    picture = draw(game, state, viewer)
    over = game.is_terminal(state)
    mover = None if over else game.player(state)
    hidden = game.kind.hidden
    # What another can do would tell what it holds.
    looks_on = hidden and viewer is not None and viewer != mover
    ways = [] if mover is None or mover == CHANCE or looks_on else find_ways(game, state, history, picture)
    return {
        "picture": picture,
        "text": show_for(game, state, viewer),
        "position": "" if hidden else game.write(state),
        "turn": mover,
        "faces": game.player_below is not None,
        "mover": "" if mover is None else name_player(game, mover),
        "legal": list_actions(ways),
        "steps": next_steps(ways) if game.can("clicks") else None,
    }


def find_action(game: Game, state: Any, history: Sequence[Any], say: str) -> Any:
    """The legal action that `say` names: as a list of actions writes it, or as a person does."""
    for action in legal_actions(game, state, history):
        if clean(game.show_action(state, action)) == say:
            return action
    return read_action(game, state, say, history)


def share(game: Game, value: float) -> float:
    """`value`, a utility, between −1 (the worst) and 1 (the best), the neutral one being 0."""
    low, high = game.bounds
    way = high - game.neutral if value >= game.neutral else game.neutral - low
    part = max(-1.0, min(1.0, (value - game.neutral) / way)) if 0 < way < float("inf") else 0.0
    # A lead in points is a small part of a win: drawn in proportion, nobody would see it.
    return math.copysign(abs(part) ** (1 / 3), part) if game.scale and game.scale > 1 else part
