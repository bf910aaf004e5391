"""Backward induction: subgame-perfect equilibria of games with perfect information, chance included, of any sum.

At each node, from the ends up, the mover takes an action with the greatest own utility. Where several are as good, each
choice makes another equilibrium; `subgame_perfect` lists them all, in pure strategies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Strategy
from zermelo.errors import MethodError, UnsolvedError
from zermelo.game.contract import Game

MOST_EQUILIBRIA = 10_000

Payoffs = tuple[Fraction, ...]
Found = dict[Payoffs, list[tuple[tuple[int, int], ...]]]
"""The possible payoffs of a subtree, each with the choices (information set, action) that lead to it."""


def backward_induction(game: Game | ExtensiveForm) -> ExtensiveEquilibrium:
    """One subgame-perfect equilibrium, exactly: the first of the best actions everywhere."""
    form = _perfect(game)
    infoset, first, count, _, _, owner, _ = (column.tolist() for column in form.arrays)
    payoffs, chance = form.exact
    values: list[Any] = [None] * form.nodes
    shares = [Fraction(0)] * int(form.offsets[-1])
    for node in reversed(range(form.nodes)):
        children = values[first[node] : first[node] + count[node]]
        if infoset[node] == END_NODE:
            place = first[node] * form.players
            values[node] = tuple(payoffs[place : place + form.players])
        elif infoset[node] == CHANCE_NODE:
            values[node] = _average(chance[first[node] : first[node] + count[node]], children)
        else:
            p = owner[infoset[node]]
            chosen = max(range(len(children)), key=lambda i: children[i][p])
            values[node] = children[chosen]
            shares[int(form.offsets[infoset[node]]) + chosen] = Fraction(1)
    return ExtensiveEquilibrium(Strategy(form, shares), "backward", True)


def subgame_perfect(game: Game | ExtensiveForm, limit: int = MOST_EQUILIBRIA) -> list[ExtensiveEquilibrium]:
    """All subgame-perfect equilibria in pure strategies; `UnsolvedError` if they are more than `limit`."""
    form = _perfect(game)
    infoset, first, count, _, _, owner, _ = (column.tolist() for column in form.arrays)
    payoffs, chance = form.exact
    found: list[Found] = [{} for _ in range(form.nodes)]
    for node in reversed(range(form.nodes)):
        children = found[first[node] : first[node] + count[node]]
        if infoset[node] == END_NODE:
            place = first[node] * form.players
            found[node] = {tuple(payoffs[place : place + form.players]): [()]}
            continue
        if math.prod(sum(map(len, child.values())) for child in children) > limit:
            raise UnsolvedError(
                f"there are more than {limit:,} equilibria below one node: ask for one, or raise `limit`"
            )
        for below, choices in _combine(children):
            if infoset[node] == CHANCE_NODE:
                worth = _average(chance[first[node] : first[node] + count[node]], below)
                found[node].setdefault(worth, []).append(choices)
                continue
            p = owner[infoset[node]]
            best = max(payoff[p] for payoff in below)
            for i, payoff in enumerate(below):
                if payoff[p] == best:
                    found[node].setdefault(payoff, []).append((*choices, (infoset[node], i)))
        if sum(map(len, found[node].values())) > limit:
            raise UnsolvedError(
                f"there are more than {limit:,} equilibria below one node: ask for one, or raise `limit`"
            )
        for child in range(first[node], first[node] + count[node]):
            found[child] = {}
    return [_pure(form, choices) for each in found[0].values() for choices in each]


def _perfect(game: Game | ExtensiveForm) -> ExtensiveForm:
    """The form of a game in which nothing is hidden."""
    form = extensive_form(game)
    if not is_perfect(form):
        raise MethodError(
            f"{form.game.name} hides information, so backward induction does not apply: use sequence, lemke or cfr"
        )
    return form


def is_perfect(form: ExtensiveForm) -> bool:
    """Whether nothing is hidden: an information set is one node, or one position that is reached in several ways."""
    return not form.game.kind.hidden or int((form.arrays.infoset >= 0).sum()) == len(form.arrays.owner)


def _average(odds: Sequence[Fraction], children: Sequence[Payoffs]) -> Payoffs:
    total = sum(odds)
    return tuple(sum(o * u for o, u in zip(odds, own, strict=True)) / total for own in zip(*children, strict=True))


def _combine(children: Sequence[Found]) -> Iterator[tuple[tuple[Payoffs, ...], tuple[tuple[int, int], ...]]]:
    """Every way to pick an equilibrium below each child; a position that is below several is played alike there."""
    listed = [[(payoff, way) for payoff, ways in child.items() for way in ways] for child in children]
    for picked in product(*listed):
        chosen = dict.fromkeys(step for _, way in picked for step in way)
        if len({number for number, _ in chosen}) == len(chosen):
            yield tuple(payoff for payoff, _ in picked), tuple(chosen)


def _pure(form: ExtensiveForm, choices: Sequence[tuple[int, int]]) -> ExtensiveEquilibrium:
    shares = [Fraction(0)] * int(form.offsets[-1])
    for number, i in choices:
        shares[int(form.offsets[number]) + i] = Fraction(1)
    return ExtensiveEquilibrium(Strategy(form, shares), "subgame-perfect", True)
