"""Openings made for a game: random plies, kept where a small search sees neither side ahead.

    never terminal · no position twice · the same seed, the same openings

A position is balanced if the value of a search of a few thousand nodes is no further from a draw than a threshold.
Estimates differ from game to game, so the default threshold is the median of a first sample, and at most 0.3 of the way
to a win. Where too few are balanced, as in games without a draw, others are added: from each, every player has every
seat, so that none is unfair. An opening leaves most of a usual game to be played.

Dice, deals and hidden actions make every game a new one, so such games begin from the initial position, with random
plies, unfiltered, if their number is given.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Hashable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from zermelo.arena.openings.book import Opening, OpeningBook
from zermelo.engine import search
from zermelo.game import Game
from zermelo.options import number, whole
from zermelo.play import LiveGame, MoveRequest
from zermelo.search.trace.words import plural

BALANCE_NODES = 2000
"""The number of nodes of a search for balance: some milliseconds of the engine."""
OPENING_LENGTHS_PLIES = (4, 6, 8, 2, 10, 3, 1)
"""The default numbers of plies, in the order in which they are tried."""
GAME_TO_OPENING_RATIO = 3
"""The minimum ratio of the length of a usual game to that of its opening."""
PLAYOUT_GAMES, LONGEST_PLAYOUT_PLIES = 15, 300
"""Random games that measure the usual length, and the ply at which they are given up."""
MOST_OPENINGS = 1_000_000
"""Openings of a book, and plies or nodes for one: more are surely a mistake."""
SAMPLE_OPENINGS = 40
BARREN_WALKS = 200
"""The number of walks in a row without a new position after which no more are tried."""
TRIES_PER_OPENING = 10
"""The number of candidates searched per opening."""
FARTHEST_FROM_DRAW = 0.3
"""The part of the way from a draw to a win beyond which no position is balanced."""


class OpeningCandidate(NamedTuple):
    opening: Opening
    state: object
    history: list[object]


def make_openings(
    game: Game,
    count: int,
    seed: int = 0,
    plies: int | None = None,
    balance: float | None = None,
    nodes: int | None = None,
) -> OpeningBook:
    """A book of `count` openings, or of as many as there are; `balance` is in the unit of the game's utility."""
    _check(count, plies, balance, nodes)
    settings = (("plies", plies), ("balance", balance), ("nodes", nodes))
    said = ",".join(f"{name}={value}" for name, value in settings if value is not None)
    source = f"random:{said}" if said else "random"
    if plies is None and not _searchable(game):
        note = f"{game.name} begins from its initial position; for random ones say how many plies, as in random:plies=4"
        return OpeningBook((Opening(),), source, note)
    dice = random.Random(seed)
    walks = candidates(game, dice, usual_lengths(game, dice) if plies is None else (plies,))
    tried = list(islice(walks, SAMPLE_OPENINGS))
    if not tried:
        return OpeningBook((Opening(),), source, f"no opening of {game.name} leaves a game to play, so there is none")
    chosen = _balanced(game, count, tried, walks, balance, nodes or BALANCE_NODES) if _searchable(game) else []
    notes = []
    if len(chosen) < count:
        if _searchable(game):
            notes.append(f"{len(chosen) or 'none'} of {count} openings of {game.name} are balanced")
        taken = {id(candidate) for candidate in chosen}
        chosen += [candidate for candidate in tried if id(candidate) not in taken][: count - len(chosen)]
        chosen += islice(walks, count - len(chosen))
    if len(chosen) < count:
        notes.append(f"only {plural(len(chosen), 'opening', 'openings')} of {game.name} found, so that they come back")
    return OpeningBook(tuple(candidate.opening for candidate in chosen), source, "; ".join(notes))


def usual_lengths(game: Game, dice: random.Random) -> tuple[int, ...]:
    """The lengths to try, those first that leave most of a usual game to be played."""
    usual = statistics.median(_playout(game, dice) for _ in range(PLAYOUT_GAMES))
    short = [length for length in OPENING_LENGTHS_PLIES if GAME_TO_OPENING_RATIO * length <= usual]
    return (*short, *sorted({*OPENING_LENGTHS_PLIES} - {*short}))


def _playout(game: Game, dice: random.Random) -> int:
    """The plies of a random game."""
    state, plies = game.initial(), 0
    while not game.is_terminal(state) and plies < LONGEST_PLAYOUT_PLIES:
        state = game.result(state, dice.choice(list(game.actions(state))))
        plies += 1
    return plies


def _searchable(game: Game) -> bool:
    """Whether a search can tell who is ahead: not with dice or hidden actions, which can decide a game."""
    return not game.kind.chance and not game.kind.hidden


def _check(count: int, plies: int | None, balance: float | None, nodes: int | None) -> None:
    whole(1, MOST_OPENINGS).check("count", count)
    whole(1, MOST_OPENINGS, optional=True).check("plies", plies)
    whole(1, MOST_OPENINGS, optional=True).check("nodes", nodes)
    number(0, optional=True, unit="units of utility").check("balance", balance)


def candidates(game: Game, dice: random.Random, lengths: tuple[int, ...]) -> Iterator[OpeningCandidate]:
    """Positions after random plies, each once, until there seem to be no new ones."""
    seen: set[Hashable] = set()
    for length in lengths:
        idle = 0
        while idle < BARREN_WALKS:
            idle += 1
            found = walk(game, dice, length)
            if found is not None and game.key(found.state) not in seen:
                seen.add(game.key(found.state))
                idle = 0
                yield found


def walk(game: Game, dice: random.Random, plies: int) -> OpeningCandidate | None:
    """The opening of one random walk; nothing if the game ends on the way, or a position comes back."""
    live = LiveGame(game, dice=dice, longest_plies=plies + 1)
    for _ in range(plies):
        if isinstance(live.step(), MoveRequest):
            live.push(dice.choice(list(game.actions(live.state))))
    if live.is_over:
        return None
    moves = tuple(game.show_action(ply.state, ply.action) for ply in live.plies)
    return OpeningCandidate(Opening(None, moves), live.state, live.history)


def _balanced(
    game: Game,
    count: int,
    tried: list[OpeningCandidate],
    walks: Iterator[OpeningCandidate],
    balance: float | None,
    nodes: int,
) -> list[OpeningCandidate]:
    """The first `count` candidates that are balanced; further ones that are tried are added to `tried`."""
    leads = [lead(game, candidate, nodes) for candidate in tried]
    threshold = _usual_threshold(game, leads) if balance is None else balance
    chosen = [candidate for candidate, far in zip(tried, leads, strict=True) if far <= threshold]
    while len(chosen) < count and len(tried) < TRIES_PER_OPENING * count:
        candidate = next(walks, None)
        if candidate is None:
            break
        tried.append(candidate)
        if lead(game, candidate, nodes) <= threshold:
            chosen.append(candidate)
    return chosen[:count]


def _usual_threshold(game: Game, leads: list[float]) -> float:
    way = max(abs(bound - game.neutral) for bound in game.bounds)
    middle = statistics.median(leads)
    return middle if way == math.inf else min(middle, FARTHEST_FROM_DRAW * way)


def lead(game: Game, candidate: OpeningCandidate, nodes: int) -> float:
    """How far from a draw a small search sees the player who is furthest from it."""
    history: dict[str, Any] = {"history": candidate.history} if game.repetition is not None else {}
    found = search(game, candidate.state, nodes=nodes, table_mb=1, **history)
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    return max(abs(value - game.neutral) for value in found.values)
