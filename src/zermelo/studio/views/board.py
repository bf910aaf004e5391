"""A position as a page shows it: its picture, the places in it, the legal moves, and where the last move went."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import unescape
from itertools import chain
from typing import Any, Generic, NamedTuple

from zermelo.errors import ActionError, ContractError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.game.text import text_picture
from zermelo.play.notation import read_action, show_action
from zermelo.play.words import name_player, show_for
from zermelo.search.trace.words import clean
from zermelo.studio.session import describe_error

PLACE = re.compile(r'\bdata-at="([^"]+)"')
MAX_PICTURE_CHARS = 400_000
"""A game that draws more is shown as text."""
MAX_LINE_PLIES = 24
"""Moves of a line that are shown."""
TOP = -1
"""The element of a place that is drawn last."""

Steps = Sequence[tuple[str, ...]]
"""What is clicked for an action: each step a tuple of places."""


class LegalMove(NamedTuple, Generic[A]):
    """A legal action, its notation, and the ways in which a person makes it by clicking."""

    action: A
    notation: str
    ways: list[list[tuple[str, ...]]]


def draw(game: Game[S, Any], state: S, viewer: int | None = None) -> str:
    """The picture of `state`; in a game of hidden information, what `viewer` sees of it.

    If the game's picture fails, its text is drawn, with the error below it.
    """
    seat = viewer if game.kind.hidden else None
    text = game.show(state) if seat is None else show_for(game, state, seat)
    try:
        picture = game.picture(state) if seat is None else game.view_picture(game.view(state, seat), seat)
        return check_picture(game, picture, text)
    except (Exception, SystemExit) as error:  # rules are anybody's code
        return text_picture(f"{text}\n{describe_error(error)}")


def check_picture(game: AnyGame, picture: object, text: str) -> str:
    """`picture`, if it is one; a drawing of `text` if it is too large."""
    if not isinstance(picture, str) or not picture.lstrip().startswith("<"):
        raise ContractError(f"`picture` of {game.name} must give SVG text; leave it out to have `show` drawn")
    return picture if len(picture) <= MAX_PICTURE_CHARS else text_picture(text)


# Places.


def list_places(picture: str) -> frozenset[str]:
    """The names of the places in `picture`."""
    return frozenset(map(unescape, PLACE.findall(picture)))


@lru_cache(maxsize=256)
def match_places(names: frozenset[str]) -> re.Pattern[str]:
    """Matches the names of places in a text, the longest that fits each time."""
    return re.compile("|".join(map(re.escape, sorted(names, key=lambda name: (-len(name), name)))) or r"(?!)")


def find_places(text: str, names: Iterable[str]) -> list[str]:
    """The places whose names occur in `text`, in that order."""
    return match_places(names if isinstance(names, frozenset) else frozenset(names)).findall(text)


def clicked_ways(game: Game[S, A], state: S, action: A, names: frozenset[str]) -> list[list[tuple[str, ...]]]:
    """The ways in which the game says that `action` is made, on a picture that has places of these names."""
    ways = [[tuple(step) for step in way] for way in game.clicks(state, action)]
    return [way for way in ways if way and all(way) and names.issuperset(chain(*way))]


def written_way(game: Game[S, A], state: S, action: A, names: frozenset[str]) -> list[list[tuple[str, ...]]]:
    """The way through the places that the notation of `action` names."""
    places = tuple(find_places(str(game.write_action(state, action)), names))
    return [[places]] if places else []


# Legal moves.


def find_moves(game: Game[S, A], state: S, actions: Iterable[A], picture: str) -> list[LegalMove[A]]:
    """How each of `actions` is made by clicking: as the game says, else by the places that its notation names."""
    names = list_places(picture)
    ways_of = clicked_ways if game.can("clicks") else written_way
    return [LegalMove(a, show_action(game, state, a), ways_of(game, state, a, names)) for a in actions]


def list_moves(moves: Iterable[LegalMove]) -> list[dict[str, object]]:
    """For a page: each move with its notation and the places that are clicked for it, in the first of several ways."""
    return [{"notation": each.notation, "at": list(chain(*each.ways[0])) if each.ways else []} for each in moves]


def next_steps(moves: Iterable[LegalMove], made: Steps = ()) -> list[dict[str, object]]:
    """The steps that can follow those `made`: the moves that each completes, and whether some go on after it."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    count = len(made)
    for _, notation, ways in moves:
        for way in ways:
            if len(way) > count and way[:count] == list(made):
                step = found.setdefault(way[count], {"at": way[count], "done": [], "more": False})
                if len(way) > count + 1:
                    step["more"] = True
                elif notation not in step["done"]:
                    step["done"].append(notation)
    return list(found.values())


def show_halfway(
    game: Game[S, A], state: S, actions: Iterable[A], made: Steps, viewer: int | None = None
) -> dict[str, object]:
    """The picture after the steps `made` of a move have been clicked, and the steps that can follow."""
    steps = next_steps(find_moves(game, state, actions, draw(game, state, viewer)), made)
    if not made or not steps or not game.can("clicks"):
        raise ActionError("no action goes on from these steps")
    return {"picture": check_picture(game, game.halfway(state, made), game.show(state)), "steps": steps}


def find_action(game: Game[S, A], state: S, history: Sequence[S], moves: Iterable[LegalMove[A]], notation: str) -> A:
    """The legal action called `notation`, as the list of `moves` writes it or as a person does."""
    for move in moves:
        if move.notation == notation:
            return move.action
    return read_action(game, state, notation, history)


# The whole board.


def legal_moves(
    game: Game[S, A], state: S, actions: Iterable[A], picture: str, viewer: int | None = None
) -> list[LegalMove[A]]:
    """The moves that `viewer` may see in `state`, made of the legal `actions`."""
    if game.is_terminal(state) or (mover := game.player(state)) == CHANCE:
        return []
    # The legal actions of another player would reveal what it holds.
    is_other = game.kind.hidden and viewer is not None and viewer != mover
    return [] if is_other else find_moves(game, state, actions, picture)


def show(
    game: Game[S, Any], state: S, picture: str, moves: Sequence[LegalMove], viewer: int | None = None
) -> dict[str, object]:
    """All that a board needs; `viewer` is the player who looks at it, `None` for nobody in particular."""
    mover = None if game.is_terminal(state) else game.player(state)
    return {
        "picture": picture,
        "text": show_for(game, state, viewer),
        "position": "" if game.kind.hidden else game.write(state),
        "turn": mover,
        "faces": game.player_below is not None,
        "mover": "" if mover is None else name_player(game, mover),
        "legal": list_moves(moves),
        "steps": next_steps(moves) if game.can("clicks") else None,
        "decisive": find_decisive(game, state),
        "tallies": list_tallies(game, state),
    }


def find_decisive(game: Game[S, Any], state: S) -> list[tuple[str, int]]:
    """The places that decide the position, where everybody sees it: a king in check, the line that has won."""
    return list(game.decisive(state)) if game.can("decisive") and not game.kind.hidden else []


def list_tallies(game: Game[S, Any], state: S) -> list[str]:
    """What each player has got so far."""
    return [clean(game.tally(state, p)) for p in range(game.players)]


# The last move.


def find_touched(game: Game[S, A], plies: Iterable[tuple[S, int, A]], picture: str) -> list[tuple[str, int]]:
    """The places in `picture` that the last of `plies` touched, each with the number of the element that is meant.

    `plies` are states, who acted there, and the actions, the last one first. Dice that touch no place leave the mark of
    the action before them; an action of a player that touches none, such as a pass, is not marked.
    """
    names = list_places(picture)
    if not names:
        return []
    for state, mover, action in plies:
        touched = touched_by(game, state, action, names)
        if touched or mover != CHANCE:
            return [(name, number) for name, number in touched if name in names]
    return []


def touched_by(game: Game[S, A], state: S, action: A, names: frozenset[str]) -> list[tuple[str, int]]:
    """The places that `action` touches: as the game says, else what lies on top where it is clicked or written."""
    if game.can("touched"):
        return list(game.touched(state, action))
    if game.can("clicks"):
        way = next(iter(game.clicks(state, action)), ())
        return [(name, TOP) for name in dict.fromkeys(chain(*way))]
    return [(name, TOP) for name in dict.fromkeys(find_places(str(game.write_action(state, action)), names))]


def draw_line(game: Game[S, A], state: S, line: tuple[A, ...]) -> list[dict[str, object]]:
    """The position after each action of `line`."""
    steps: list[dict[str, object]] = []
    plies: list[tuple[S, int, A]] = []
    for action in line[:MAX_LINE_PLIES]:
        plies.append((state, game.player(state), action))
        notation = show_action(game, state, action)
        state = game.result(state, action)
        picture = draw(game, state)
        last = find_touched(game, reversed(plies), picture)
        steps.append({"notation": notation, "picture": picture, "text": game.show(state), "last": last})
    return steps


# Prospects.


def share(game: AnyGame, value: float) -> float:
    """`value`, a utility, between −1 (the worst) and 1 (the best), the neutral one being 0."""
    low, high = game.bounds
    way = high - game.neutral if value >= game.neutral else game.neutral - low
    part = max(-1.0, min(1.0, (value - game.neutral) / way)) if 0 < way < float("inf") else 0.0
    # A lead in points is a small part of a win: drawn in proportion, it would be invisible.
    return math.copysign(abs(part) ** (1 / 3), part) if game.scale and game.scale > 1 else part
