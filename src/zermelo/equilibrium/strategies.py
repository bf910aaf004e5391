"""Strategies of extensive games in their three shapes, what they are worth, and the best answers to them.

behaviour          a probability for each action at each information set
realisation plan   for each own sequence of choices the product of its probabilities: x[0] = 1, x[after] = Σ x[choices]
mixed              a probability for each pure strategy, i.e. each reduced plan of choices

With perfect recall each can be turned into the others (Kuhn 1953), and everybody's utility is the same.

exploitability = Σ_p (best answer of p − value of p) / players  ≥ 0,  and 0 exactly at an equilibrium
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.form import Array
from zermelo.equilibrium.numbers import Number
from zermelo.equilibrium.range_strategy import RangeStrategy
from zermelo.equilibrium.reduction import (
    MOST_STRATEGIES,
    START,
    Decision,
    Sequences,
    count_strategies,
    name_plan,
    plans,
    sequences,
)
from zermelo.errors import InputError, MethodError

if TYPE_CHECKING:
    from random import Random

Numbers = Any
"""A NumPy array of doubles, or a list of fractions."""


class Strategy:
    """Everybody's behaviour in a game: a table of probabilities by information set."""

    def __init__(self, form: ExtensiveForm, shares: Sequence[Number] | Array):
        self.form = form
        self.exact = not isinstance(shares, np.ndarray) and all(isinstance(share, (Fraction, int)) for share in shares)
        self.shares: Numbers = [Fraction(share) for share in shares] if self.exact else np.asarray(shares, dtype=float)
        """One probability for each action of each information set, in their order."""
        if len(self.shares) != int(form.offsets[-1]):
            raise InputError(f"a strategy of {form.game.name} needs {int(form.offsets[-1])} probabilities")
        if self.exact:
            self._check()

    def _check(self) -> None:
        for number in range(len(self.form.arrays.owner)):
            own = self._own(number)
            if min(own) < 0 or sum(own) != 1:
                raise InputError(f"the probabilities at information set {number + 1} are not 0 or more with sum 1")

    def _own(self, number: int) -> Numbers:
        return self.shares[int(self.form.offsets[number]) : int(self.form.offsets[number + 1])]

    def __getitem__(self, key: tuple[int, str]) -> dict[str, Number]:
        """What player p does at the information set of that name: `strategy[0, "K"]`."""
        number = self._numbers.get(key)
        if number is None:
            raise KeyError(f"player {key[0]} has no information set {key[1]!r}")
        return self.at(number)

    @cached_property
    def _numbers(self) -> dict[tuple[int, str], int]:
        return {(one.player, one.name): number for number, one in enumerate(self.form.sets)}

    def at(self, number: int) -> dict[str, Number]:
        """The probabilities at an information set, by the names of its actions."""
        number_type = Fraction if self.exact else float
        return {
            name: number_type(share)
            for name, share in zip(self.form.sets[number].actions, self._own(number), strict=True)
        }

    def rows(self) -> Iterator[tuple[int, str, dict[str, Any]]]:
        """(player, information set, probabilities) for all, in the order met."""
        for number, one in enumerate(self.form.sets):
            yield one.player, one.name, self.at(number)

    # What it is worth.

    @cached_property
    def _judgement(self) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
        return judge_exactly(self) if self.exact else self.form.form.judge(self.shares)

    @property
    def values(self) -> tuple[Number, ...]:
        """What every player gets."""
        return self._judgement[0]

    @property
    def best_values(self) -> tuple[Number, ...]:
        """What each player would get by the best answer to the others."""
        return self._judgement[1]

    @property
    def exploitability(self) -> Number:
        """How much a player gains by its best answer, on average over the players: NashConv / players."""
        gains = sum(best - value for value, best in zip(self.values, self.best_values, strict=True))
        return gains / self.form.players if self.exact else max(float(gains) / self.form.players, 0.0)

    def best_response(self, p: int) -> Strategy:
        """This strategy with the choices of player `p` replaced by a best answer to the others, in doubles."""
        return Strategy(self.form, self.form.form.best_response(np.array(self.shares, dtype=float), p))

    # Its other shapes.

    @cached_property
    def _sequences(self) -> Sequences:
        return sequences(self.form)

    def plan(self, p: int) -> list[Any]:
        """The realisation plan of player `p`: one number per sequence, the empty one first."""
        found = [Fraction(1) if self.exact else 1.0] * self._sequences.counts[p]
        for here in self._sequences.decisions[p]:
            for sequence, share in zip(here.sequences, self._own(here.number), strict=True):
                found[sequence] = found[here.after] * (share if self.exact else float(share))
        return found

    def mixed(self, p: int) -> dict[str, Number]:
        """The pure strategies that player `p` mixes, by name, each with its probability."""
        decisions = self._decisions(p)
        found: dict[str, Number] = {}
        for plan in plans(decisions):
            weight: Number = Fraction(1) if self.exact else 1.0
            for here in decisions:
                for sequence, share in zip(here.sequences, self._own(here.number), strict=True):
                    if sequence in plan:
                        weight *= share if self.exact else float(share)
            if weight:
                found[name_plan(plan, decisions)] = weight
        return found

    def _decisions(self, p: int) -> list[Decision]:
        decisions = self._sequences.decisions[p]
        if count_strategies(decisions) > MOST_STRATEGIES:
            raise MethodError(f"player {p} has more than {MOST_STRATEGIES:,} pure strategies: take `plan` instead")
        return decisions

    # As a player.

    def choose(self, state: Any, history: Sequence[Any], random: Random) -> Any:
        """An action in `state`, drawn with `random`; `history` holds the states before it, from the first on."""
        return random.choices(list(self.form.game.actions(state)), self.policy(state, history))[0]

    def policy(self, state: Any, history: Sequence[Any]) -> list[float]:
        """The probability of each action in `state`, after the states of `history`."""
        return [float(share) for share in self._own(self.form.find([*history, state]))]

    def node_values(self) -> Array:
        """What each node of the tree is worth, a row of everybody's utilities."""
        arrays, players = self.form.arrays, self.form.players
        infoset, first, count = arrays.infoset.tolist(), arrays.first.tolist(), arrays.count.tolist()
        payoffs = arrays.payoffs.reshape(-1, players)
        values = np.empty((len(infoset), players))
        shares = np.asarray([float(share) for share in self.shares])
        for node in reversed(range(len(infoset))):  # children come after parents
            here, child = infoset[node], first[node]
            if here == END_NODE:
                values[node] = payoffs[child]
                continue
            below = slice(child, child + count[node])
            place = 0 if here == CHANCE_NODE else int(self.form.offsets[here])
            weights = arrays.chance[below] if here == CHANCE_NODE else shares[place : place + count[node]]
            values[node] = weights @ values[below]
        return values


def uniform(form: ExtensiveForm) -> Strategy:
    """Every player chooses all actions with equal probability."""
    return Strategy(form, [Fraction(1, int(width)) for width in form.arrays.width for _ in range(int(width))])


def from_plans(form: ExtensiveForm, everybody: Sequence[Sequence[Number]]) -> Strategy:
    """The behaviour of realisation plans; uniform where a plan never gets to."""
    known = sequences(form)
    if [len(plan) for plan in everybody] != known.counts:
        raise InputError(f"the plans need {', '.join(map(str, known.counts))} numbers")
    exact = all(isinstance(x, (Fraction, int)) for plan in everybody for x in plan)
    shares: list[Any] = [None] * int(form.offsets[-1])
    for p, plan in enumerate(everybody):
        for here in known.decisions[p]:
            weights: list[Any] = [Fraction(plan[s]) if exact else float(plan[s]) for s in here.sequences]
            total = sum(weights)
            if min(weights) < 0 or abs(total - plan[here.after]) > (0 if exact else 1e-6):
                raise InputError(f"the plan of player {p} does not add up at information set {here.number + 1}")
            even = Fraction(1, len(weights)) if exact else 1.0 / len(weights)
            place = int(form.offsets[here.number])
            for i, weight in enumerate(weights):
                shares[place + i] = weight / total if total else even
    return Strategy(form, shares)


def from_merged_plans(form: ExtensiveForm, everybody: Sequence[Sequence[float] | Array]) -> Strategy:
    """The behaviour of realisation plans of the merged form, in doubles; even where a plan never gets."""
    shares = np.empty(int(form.offsets[-1]))
    for p, merged in enumerate(everybody):
        whole, classes = form.form.side(p), form.form.side(p, merged=True).places
        plan = np.maximum(np.asarray(merged)[classes], 0.0)
        sums = np.add.reduceat(plan, whole.first[:-1]) if len(whole.after) else np.empty(0)
        widths = np.diff(whole.first)
        total = np.repeat(sums, widths)
        even = 1.0 / np.repeat(widths, widths)
        shares[whole.places[1:]] = np.where(total > 0, plan[1:] / np.where(total > 0, total, 1.0), even)
    return Strategy(form, shares)


def from_mixed(form: ExtensiveForm, everybody: Sequence[Mapping[str, Number]]) -> Strategy:
    """The behaviour of mixed strategies, given as `Strategy.mixed` gives them (Kuhn's theorem)."""
    known = sequences(form)
    found = []
    for p, mixture in enumerate(everybody):
        if count_strategies(known.decisions[p]) > MOST_STRATEGIES:
            raise MethodError(f"player {p} has more than {MOST_STRATEGIES:,} pure strategies: give plans instead")
        named = {name_plan(plan, known.decisions[p]): plan for plan in plans(known.decisions[p])}
        weights: list[Number] = [Fraction(0)] * known.counts[p]
        for name, weight in mixture.items():
            if name not in named:
                raise InputError(f"player {p} has no pure strategy {name!r}; one is {next(iter(named))!r}")
            for sequence in named[name]:
                weights[sequence] += weight
        found.append(weights)
    return from_plans(form, found)


def judge_exactly(strategy: Strategy) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """What every player gets, and what each would get by the best answer, in fractions."""
    known = strategy._sequences
    everybody = [strategy.plan(p) for p in range(known.players)]
    values, best = [], []
    for p in range(known.players):
        worth = [Fraction(0)] * known.counts[p]
        for own, payoffs in known.ends.items():
            reach = payoffs[p]
            for q in range(known.players):
                if q != p:
                    reach *= everybody[q][own[q]]
            worth[own[p]] += reach
        values.append(sum((x * w for x, w in zip(everybody[p], worth, strict=True)), Fraction(0)))
        for here in reversed(known.decisions[p]):
            worth[here.after] += max(worth[s] for s in here.sequences)
        best.append(worth[START])
    return tuple(values), tuple(best)


class Point(NamedTuple):
    """One point of the curve of a run."""

    iterations: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class ExtensiveEquilibrium:
    """Everybody's strategy; `exploitability` is computed from it alone, however it was found."""

    strategy: Strategy | RangeStrategy
    method: str
    exact: bool
    """Whether all probabilities are fractions."""
    iterations: int = 0
    seconds: float = 0.0
    """Of the solver alone: building the tree and its sequence form is not counted."""
    stopped: str = ""
    """What ended a run before its target: `iterations`, `seconds`, `stop` or `interrupt`; empty if nothing did."""
    curve: tuple[Point, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        from zermelo.equilibrium.shown import show_extensive

        return show_extensive(self)

    @property
    def values(self) -> tuple[Number, ...]:
        """What every player gets."""
        return self.strategy.values

    @property
    def value(self) -> Number:
        """What the first player gets."""
        return self.values[0]

    @property
    def exploitability(self) -> Number:
        """How much a player gains by its best answer, on average over the players: 0 at an equilibrium."""
        return self.strategy.exploitability
