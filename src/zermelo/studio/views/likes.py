"""What a network likes, on the board: each of its inputs is drawn on the place of the picture that shows it.

Nobody says which bit of a state is which place. It is seen in positions of random games: an input belongs to the one
place whose looks, with the player to move, always tell whether it is on. What is known of one board of bits holds for
another one of the same game, unless something speaks against it. Inputs without a place are listed.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from zermelo.engine.influence import Influence, Input, NetworkInputs, influences, policy
from zermelo.game import AnyGame
from zermelo.play.notation import show_action
from zermelo.studio.views.board import TOP, draw, find_moves

SAMPLED_POSITIONS = 500
EVERY_PLY = 3
"""Positions of one game that are looked at lie so many plies apart, as neighbours tell little."""
MOST_PLIES = 400
MOST_SECONDS = 6.0
"""For drawing the positions; fewer of them tell less."""
LEAST_SEEN = 2
"""An input must have been seen so often on, and off."""
MOST_LISTED = 16
STANDING = "what stands there"


class Place(NamedTuple):
    """An element of a picture: the name of its place, and which of several elements there it is."""

    at: str
    number: int


Places = Mapping[int, Place]
"""The places of inputs, by their numbers."""


# Which input is which place.


def sample_positions(game: AnyGame, stop: Callable[[], bool], seed: int = 0) -> list[Any]:
    """Positions of random games."""
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < SAMPLED_POSITIONS and not stop():
        state, first = game.initial(), chance.randrange(EVERY_PLY)
        for ply in range(MOST_PLIES):
            if game.is_terminal(state) or stop():
                break
            if ply % EVERY_PLY == first:
                found.append(state)
            state = game.result(state, chance.choice(list(game.actions(state))))
    return found


def looks_of(picture: str) -> dict[str, list[str]]:
    """What the elements of each place look like, in the order in which they are drawn; nothing if it is no SVG."""
    found: dict[str, list[str]] = defaultdict(list)
    try:
        for each in ElementTree.fromstring(picture).iter():
            if "data-at" in each.attrib:
                found[each.attrib["data-at"]].append(ElementTree.tostring(each, "unicode"))
    except ElementTree.ParseError:
        return {}
    return found


def list_looks(pictures: Iterable[str]) -> dict[Place, list[str]]:
    """The looks of every place in each of the pictures: element by element where these are always as many."""
    seen = [looks_of(picture) for picture in pictures]
    found: dict[Place, list[str]] = {}
    for at in dict.fromkeys(chain(*seen)):
        columns = [looks.get(at, []) for looks in seen]
        count = len(columns[0])
        if count > 1 and all(len(each) == count for each in columns):
            found |= {Place(at, i): [each[i] for each in columns] for i in range(count)}
        else:
            found[Place(at, TOP)] = ["".join(each) for each in columns]
    return found


def find_input_places(inputs: NetworkInputs, seconds: float = MOST_SECONDS) -> Places:
    """The place of each input that has one."""
    game = inputs.game
    end = time.monotonic() + seconds
    states: list[Any] = []
    pictures: list[str] = []
    for state in sample_positions(game, lambda: time.monotonic() > end):
        pictures.append(draw(game, state))
        states.append(state)
        if time.monotonic() > end:
            break
    if not states or inputs.own:  # inputs as a player sees them belong to no place
        return {}
    movers = [game.player(state) for state in states]
    on = np.array([inputs.active(state) for state in states], np.float64)
    seen = np.minimum(on.sum(0), len(on) - on.sum(0)) >= LEAST_SEEN
    told: dict[int, list[Place]] = defaultdict(list)
    for place, looks in list_looks(pictures).items():
        numbers: dict[tuple[int, str], int] = {}
        kinds = np.array([numbers.setdefault(each, len(numbers)) for each in zip(movers, looks, strict=True)])
        which = np.eye(len(numbers))[kinds]
        counts, totals = which.T @ on, which.sum(0)[:, None]
        for i in np.flatnonzero(seen & ((counts == 0) | (counts == totals)).all(0)):
            told[int(i)].append(place)
    return boards_only(inputs.all, {i: places[0] for i, places in told.items() if len(places) == 1})


def share_places(inputs: Sequence[Input], found: dict[int, Place]) -> Places:
    """Adds the places of inputs that were hardly seen: those of the same index in other groups, if these agree."""
    by_index: dict[str, set[Place]] = defaultdict(set)
    for each in inputs:
        if each.index and each.number in found:
            by_index[each.index].add(found[each.number])
    groups = {each.group for each in inputs if each.number in found}
    for each in inputs:
        places = by_index.get(each.index, set())
        if each.number not in found and each.group in groups and len(places) == 1:
            found[each.number] = next(iter(places))
    return found


def boards_only(inputs: Sequence[Input], found: dict[int, Place]) -> Places:
    """The places of groups that are mostly found on the board; a few hits in another group are accidents."""
    sizes = Counter(each.group for each in inputs)
    hits = Counter(each.group for each in inputs if each.number in found)
    boards = {group for group, count in hits.items() if 2 * count >= sizes[group]}
    return share_places(
        inputs, {each.number: found[each.number] for each in inputs if each.group in boards and each.number in found}
    )


# What a page shows of it.


def show_likes(inputs: NetworkInputs, places: Places, state: Any) -> dict[str, object]:
    """What a sum network thinks of `state`, for a page: maps to be drawn on the board, and a list of the other inputs.

    A mark of a map is a place, the number of its element, and what is drawn there: a gain of player 0.
    """
    found = influences(inputs, state)
    standing: dict[Place, float] = defaultdict(float)
    groups: dict[str, list[tuple[Place, float]]] = defaultdict(list)
    listed: list[Influence] = []
    for each in found:
        place = places.get(each.input.number)
        if place is None:
            listed.append(each)
            continue
        groups[each.input.group].append((place, each.gain))
        if each.on:
            standing[place] += each.gain
    # A group of which several inputs belong to one place, as the bits of a count do, is no map of its own.
    alone = {name: dict(marks) for name, marks in groups.items() if len(dict(marks)) == len(marks)}
    maps = {STANDING: standing, **alone} if standing else alone
    listed.sort(key=lambda each: -abs(each.gain))
    return {
        "maps": [show_map(name, marks) for name, marks in maps.items()],
        "inputs": [{"name": each.input.name, "on": each.on, "gain": each.gain} for each in listed[:MOST_LISTED]],
        "more": max(0, len(listed) - MOST_LISTED),
    }


def show_map(name: str, marks: Mapping[Place, float]) -> dict[str, object]:
    return {"name": name, "marks": [[place.at, place.number, gain] for place, gain in marks.items()]}


def show_policy(game: AnyGame, state: Any) -> dict[str, object] | None:
    """The probabilities of actions by a network with a policy, each on the last place that is clicked for it, and the
    likeliest as a list; `None` if the network of `game` has none."""
    shares = policy(game, state)
    if not shares:
        return None
    moves = find_moves(game, state, [a for a, _ in shares], draw(game, state))
    marks: dict[Place, float] = defaultdict(float)
    for move, (_, share) in zip(moves, shares, strict=True):
        if move.ways:
            marks[Place(move.ways[0][-1][-1], TOP)] += share
    best = sorted(shares, key=lambda each: -each[1])[:MOST_LISTED]
    return {
        "map": show_map("moves", marks),
        "moves": [{"notation": show_action(game, state, a), "share": share} for a, share in best],
    }
