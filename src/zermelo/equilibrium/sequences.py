"""The sequence form of a game in fractions: every player's own choices in order, and what the ends are worth.

A sequence is a player's own choices so far, numbered by player; 0 is the empty one, and later sequences have greater
numbers. Chance is multiplied into the ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.numbers import rational

START = 0
"""The number of the empty sequence of own choices."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What one player can tell apart, once: the choices there, and what each leads to."""

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
    infoset, first, count, chance, payoffs, owner, _ = (column.tolist() for column in form.arrays)
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
                shares[p] += reach * rational(payoffs[first[node] * form.players + p])
            continue
        children = range(first[node], first[node] + count[node])
        if infoset[node] == CHANCE_NODE:
            odds = [rational(chance[child]) for child in children]
            total = sum(odds)
            for child, share in zip(children, odds, strict=True):
                ways[child] = (own, reach * share / total)
            continue
        p, place = owner[infoset[node]], offsets[infoset[node]]
        for i, child in enumerate(children):
            ways[child] = ((*own[:p], numbers[place + i], *own[p + 1 :]), reach)
    return ends
