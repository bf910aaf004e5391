"""Any finite game of the contract in normal form: its reduced normal form.

A simultaneous game of one round becomes the table one expects. In general a player's strategy says what to do at every
information set that can still be reached after the own earlier choices; an information set is the player's own
sequence of views and actions. Chance is averaged out.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from zermelo.equilibrium.form import NormalForm
from zermelo.equilibrium.numbers import rational
from zermelo.errors import ContractError, InputError, MethodError
from zermelo.game.contract import CHANCE, Game
from zermelo.game.text import freeze

MOST_NODES = 500_000
MOST_STRATEGIES = 20_000
MOST_ENTRIES = 1_000_000

START = 0
"""The number of the empty sequence of own choices."""


@dataclass
class InformationSet:
    """What one player can tell apart, once: the choices there, and what each leads to."""

    after: int
    """The player's own sequence of choices before it."""
    names: list[str]
    sequences: list[int]
    """The number of the sequence that each choice makes."""


@dataclass
class Walk:
    """The tree of a game, seen by each player."""

    players: int
    sets: list[dict[Any, InformationSet]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    ends: dict[tuple[int, ...], list[Fraction]] = field(default_factory=dict)
    """Every player's expected utility, probabilities of chance included, by everybody's sequences of choices."""


def normal_form(game: Game, state: Any = None) -> NormalForm:
    """The reduced normal form of `game` from `state` on (its start if `None`)."""
    if game.players < 2:
        raise MethodError(f"{game.name} has one player, and a normal form needs two: search it instead")
    walk = walk_tree(game, game.initial() if state is None else state)
    strategies = []
    for p in range(game.players):
        sets = list(walk.sets[p].values())
        if count_strategies(sets) > MOST_STRATEGIES:
            raise MethodError(f"player {p} of {game.name} has more than {MOST_STRATEGIES:,} strategies: use cfr")
        strategies.append(list(plans(sets)))
    shape = tuple(map(len, strategies))
    if math.prod(shape) * game.players > MOST_ENTRIES:
        raise MethodError(f"the normal form of {game.name} would be of size {' × '.join(map(str, shape))}: use cfr")
    names = [[name_plan(plan, list(walk.sets[p].values())) for plan in strategies[p]] for p in range(game.players)]
    players = unlike_players([game.player_name(p) for p in range(game.players)])
    return NormalForm(fill(walk, strategies, shape), players, names, game.name)


def walk_tree(game: Game, state: Any) -> Walk:
    """Enters every position, with an own stack: the depth of a game is no matter."""
    walk = Walk(game.players, [{} for _ in range(game.players)], [1] * game.players)
    pending = [(state, (START,) * game.players, Fraction(1))]
    entered = 0
    while pending:
        s, sequences, chance = pending.pop()
        entered += 1
        if entered > MOST_NODES:
            raise MethodError(f"{game.name} has more than {MOST_NODES:,} positions in its tree, or goes round: use cfr")
        if game.is_terminal(s):
            shares = walk.ends.setdefault(sequences, [Fraction(0)] * game.players)
            for p in range(game.players):
                shares[p] += chance * rational(game.utility(s, p))
            continue
        p = game.player(s)
        if p == CHANCE:
            pending += [(game.result(s, a), sequences, chance * odds) for a, odds in read_chances(game, s)]
            continue
        here = information_set(game, walk, s, p, sequences[p])
        for a, sequence in zip(game.actions(s), here.sequences, strict=True):
            pending.append((game.result(s, a), (*sequences[:p], sequence, *sequences[p + 1 :]), chance))
    return walk


def read_chances(game: Game, s: Any) -> list[tuple[Any, Fraction]]:
    outcomes = [(a, rational(float(odds))) for a, odds in game.chances(s)]
    total = sum((odds for _, odds in outcomes), Fraction(0))
    if any(odds < 0 for _, odds in outcomes) or abs(total - 1) > Fraction(1, 10**9):
        raise InputError(f"the chances of {game.name} sum to {float(total)} in {game.write(s)}, not to 1")
    return [(a, odds / total) for a, odds in outcomes if odds]


def information_set(game: Game, walk: Walk, s: Any, p: int, sequence: int) -> InformationSet:
    key = (sequence, freeze(game.view(s, p)) if game.can("view") else game.key(s))
    names = [game.show_action(s, a) for a in game.actions(s)]
    found = walk.sets[p].get(key)
    if found is None:
        first = walk.counts[p]
        if first > 2 * MOST_STRATEGIES:  # each set adds at least half as many strategies as choices
            raise MethodError(f"player {p} of {game.name} has more than {MOST_STRATEGIES:,} strategies: use cfr")
        walk.counts[p] += len(names)
        found = InformationSet(sequence, names, list(range(first, first + len(names))))
        walk.sets[p][key] = found
    if found.names != names:
        raise ContractError(f"player {p} of {game.name} sees the same in two states and has other actions; see `view`")
    return found


def count_strategies(sets: list[InformationSet]) -> int:
    """How many reduced strategies there are, counted from the end."""
    ways: dict[int, int] = defaultdict(lambda: 1)
    for here in reversed(sets):  # a set is met before those that follow it
        ways[here.after] *= sum(ways[sequence] for sequence in here.sequences)
    return ways[START]


def plans(sets: list[InformationSet]) -> Iterator[frozenset[int]]:
    """Every reduced strategy, as the set of own sequences that it allows."""
    following: dict[int, list[InformationSet]] = defaultdict(list)
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


def name_plan(plan: frozenset[int], sets: list[InformationSet]) -> str:
    """The choice at each information set, in the order met; a dot where the plan never gets to."""
    chosen = []
    for here in sets:
        names = [name for name, sequence in zip(here.names, here.sequences, strict=True) if sequence in plan]
        chosen.append(names[0] if names else "·")
    return "/".join(chosen) or "·"


def fill(walk: Walk, strategies: list[list[frozenset[int]]], shape: tuple[int, ...]) -> list[Any]:
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
    for sequences, shares in walk.ends.items():
        grid = np.ix_(*(allowing[p][number] for p, number in enumerate(sequences)))
        for table, share in zip(tables, shares, strict=True):
            if share:
                table[grid] += share
    return tables


def unlike_players(names: list[str]) -> list[str]:
    return names if len(set(names)) == len(names) else [f"{name} {p}" for p, name in enumerate(names)]
