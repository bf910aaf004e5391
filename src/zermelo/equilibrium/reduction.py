"""Any finite game of the contract in normal form: its reduced normal form.

A simultaneous game of one round becomes its payoff table. In general a player's strategy says what to do at every
information set that can still be reached after the own earlier choices; an information set is the player's own
sequence of views and actions. Chance is averaged out.

The sequence form of a game in fractions: every player's own choices in order, and what the ends are worth.

A sequence is a player's own choices so far, numbered by player; 0 is the empty one, and later sequences have greater
numbers. Chance is multiplied into the ends.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.form import Array, NormalForm
from zermelo.errors import MethodError
from zermelo.game.contract import Game

MOST_NODES = 500_000
MOST_STRATEGIES = 20_000
MOST_ENTRIES = 1_000_000
INSTEAD = "take its tree, by solve_extensive or as an .efg file"
"""What to do with a game whose table would be too large."""


def normal_form(game: Game, state: Any = None) -> NormalForm:
    """The reduced normal form of `game` from `state` on (its start if `None`)."""
    if game.players < 2:
        raise MethodError(f"{game.name} has one player, and a normal form needs two: search it instead")
    try:
        form = extensive_form(game, state, MOST_NODES)
    except MethodError as error:
        raise MethodError(f"{error}: {INSTEAD}") from None
    if int(form.offsets[-1]) > 2 * game.players * MOST_STRATEGIES:  # each set adds at least half as many as choices
        raise MethodError(f"the players of {game.name} have more than {MOST_STRATEGIES:,} strategies: {INSTEAD}")
    walk = sequences(form)
    strategies = []
    for p in range(game.players):
        if count_strategies(walk.decisions[p]) > MOST_STRATEGIES:
            raise MethodError(f"player {p} of {game.name} has more than {MOST_STRATEGIES:,} strategies: {INSTEAD}")
        strategies.append(list(plans(walk.decisions[p])))
    shape = tuple(map(len, strategies))
    if math.prod(shape) * game.players > MOST_ENTRIES:
        raise MethodError(f"the normal form of {game.name} would be of size {' × '.join(map(str, shape))}: {INSTEAD}")
    names = [[name_plan(plan, walk.decisions[p]) for plan in strategies[p]] for p in range(game.players)]
    players = unlike_players([game.player_name(p) for p in range(game.players)])
    return NormalForm(fill(walk, strategies, shape), players, names, game.name)


def count_strategies(sets: list[Decision]) -> int:
    """How many reduced strategies there are, counted from the end."""
    ways: dict[int, int] = defaultdict(lambda: 1)
    for here in reversed(sets):  # a set is met before those that follow it
        ways[here.after] *= sum(ways[sequence] for sequence in here.sequences)
    return ways[START]


def plans(sets: list[Decision]) -> Iterator[frozenset[int]]:
    """Every reduced strategy, as the set of own sequences that it allows."""
    following: dict[int, list[Decision]] = defaultdict(list)
    for here in sets:
        following[here.after].append(here)
    made: dict[int, list[frozenset[int]]] = {}

    def after(sequence: int) -> list[frozenset[int]]:
        choices = [
            [plan | {chosen} for chosen in here.sequences for plan in made.get(chosen, [frozenset()])]
            for here in following[sequence]
        ]
        return [frozenset().union(*chosen) for chosen in product(*choices)]

    for sequence in sorted(following, reverse=True):  # later sequences have greater numbers
        made[sequence] = after(sequence)
    for plan in made.get(START, [frozenset()]):
        yield plan | {START}


def name_plan(plan: frozenset[int], sets: list[Decision]) -> str:
    """The choice at each information set, in the order met; a dot where the plan never gets there."""
    chosen = []
    for here in sets:
        names = [name for name, sequence in zip(here.names, here.sequences, strict=True) if sequence in plan]
        chosen.append(names[0] if names else "·")
    return "/".join(chosen) or "·"


def fill(walk: Sequences, strategies: list[list[frozenset[int]]], shape: tuple[int, ...]) -> list[Array]:
    """Adds each end to all combinations of strategies that allow it."""
    tables = []
    for _ in range(walk.players):
        table = np.empty(shape, dtype=object)
        table.fill(Fraction(0))
        tables.append(table)
    allowing = [
        {number: [i for i, plan in enumerate(own) if number in plan] for number in range(count)}
        for own, count in zip(strategies, walk.counts, strict=True)
    ]
    for own, shares in walk.ends.items():
        grid = np.ix_(*(allowing[p][number] for p, number in enumerate(own)))
        for table, share in zip(tables, shares, strict=True):
            if share:
                table[grid] += share
    return tables


def unlike_players(names: list[str]) -> list[str]:
    return names if len(set(names)) == len(names) else [f"{name} {p}" for p, name in enumerate(names)]


START = 0
"""The number of the empty sequence of own choices."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An information set of one player: its choices, and the sequence that each leads to."""

    number: int
    """Of the information set in the extensive form."""
    after: int
    """The player's own sequence of choices before it."""
    names: tuple[str, ...]
    sequences: range
    """The number of the sequence that each choice makes."""


@dataclass(frozen=True, slots=True)
class Sequences:
    """A game as its players see it."""

    players: int
    decisions: list[list[Decision]]
    """Each player's, in the order met: one comes before those that follow it."""
    counts: list[int]
    """How many sequences each player has."""
    ends: dict[tuple[int, ...], list[Fraction]]
    """Every player's expected utility, probabilities of chance included, by everybody's sequences of choices."""


def sequences(form: ExtensiveForm) -> Sequences:
    """The sequence form of a game; `MethodError` if a player forgets."""
    decisions: list[list[Decision]] = [[] for _ in range(form.players)]
    counts = [1] * form.players
    numbers = [START] * int(form.offsets[-1])
    before = form.before.tolist()
    for number, here in enumerate(form.sets):
        p, width, place = here.player, len(here.actions), int(form.offsets[number])
        made = range(counts[p], counts[p] + width)
        counts[p] += width
        numbers[place : place + width] = made
        after = START if before[number] < 0 else numbers[before[number]]
        decisions[p].append(Decision(number, after, here.actions, made))
    return Sequences(form.players, decisions, counts, _ends(form, numbers))


def _ends(form: ExtensiveForm, numbers: list[int]) -> dict[tuple[int, ...], list[Fraction]]:
    infoset, first, count, _, _, owner, _ = (column.tolist() for column in form.arrays)
    payoffs, chance = form.exact
    offsets = form.offsets.tolist()
    ways: list[tuple[tuple[int, ...], Fraction] | None] = [None] * form.nodes
    ways[0] = ((START,) * form.players, Fraction(1))
    ends: dict[tuple[int, ...], list[Fraction]] = {}
    for node in range(form.nodes):
        way = ways[node]
        assert way is not None  # parents come before children
        ways[node] = None
        own, reach = way
        if infoset[node] == END_NODE:
            shares = ends.setdefault(own, [Fraction(0)] * form.players)
            for p in range(form.players):
                shares[p] += reach * payoffs[first[node] * form.players + p]
            continue
        children = range(first[node], first[node] + count[node])
        if infoset[node] == CHANCE_NODE:
            total = sum(chance[child] for child in children)
            for child in children:
                ways[child] = (own, reach * chance[child] / total)
            continue
        p, place = owner[infoset[node]], offsets[infoset[node]]
        for i, child in enumerate(children):
            ways[child] = ((*own[:p], numbers[place + i], *own[p + 1 :]), reach)
    return ends
