"""Zero-sum extensive games by one linear program over sequences (Koller, Megiddo and von Stengel 1994).

maximise q_0   s.t.  E x = e,  x ≥ 0                        x is a realisation plan of the first player
                     q_set(t) − Σ q_k over the sets k after t  ≤  (Aᵀx)_t      for each sequence t of the second

q is what the second player's best answer leaves. The program's size is that of the tree, not of the normal form.
"""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.engine.regret import Side
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.linear_program import maximise
from zermelo.equilibrium.reduction import START, Decision, Sequences, sequences
from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Strategy, from_merged_plans, from_plans
from zermelo.errors import MethodError, UnsolvedError

MOST_SEQUENCES = 20_000
"""Of both players, after merging, in floating point."""
MOST_EXACT = 160


def sequence_form(form: ExtensiveForm, exact: bool = False) -> ExtensiveEquilibrium:
    """An equilibrium of a zero-sum game of two players: in doubles by HiGHS, or in fractions if it is small."""
    if not (form.is_exactly_zero_sum if exact else form.is_zero_sum):
        other = "lemke" if form.players == 2 else "cfr"
        raise MethodError(
            f"the sequence form is solved by a linear program in zero-sum games of two players: use {other}"
        )
    start = time.perf_counter()
    strategy = _solve_exactly(form) if exact else _solve_by_highs(form)
    return ExtensiveEquilibrium(strategy, "sequence", exact, seconds=time.perf_counter() - start)


def _solve_exactly(form: ExtensiveForm) -> Strategy:
    known = sequences(form)
    if sum(known.counts) > MOST_EXACT:
        raise MethodError(
            f"{form.game.name} has {sum(known.counts):,} sequences, and fractions do for {MOST_EXACT}: leave out exact"
        )
    return from_plans(form, [_plan_exactly(known, p) for p in (0, 1)])


def _plan_exactly(known: Sequences, p: int) -> list[Fraction]:
    """The maximin plan of player `p`; q is split in two, since it may be negative."""
    mine, theirs = known.decisions[p], known.decisions[1 - p]
    width, extra = known.counts[p], len(theirs) + 1
    columns = width + 2 * extra

    def with_q(row: list[Fraction | int], place: int, sign: int) -> None:
        row[width + place] += sign
        row[width + extra + place] -= sign

    below = []
    owner = {s: k + 1 for k, here in enumerate(theirs) for s in here.sequences}
    for t in range(known.counts[1 - p]):
        row: list[Fraction | int] = [0] * columns
        for own, payoffs in known.ends.items():
            if own[1 - p] == t:
                row[own[p]] -= payoffs[p]
        with_q(row, owner.get(t, 0), 1)
        for k, here in enumerate(theirs):
            if here.after == t:
                with_q(row, k + 1, -1)
        below.append(row)
    equal = _flow(mine, columns)
    objective: list[Fraction | int] = [0] * columns
    with_q(objective, 0, 1)
    found = maximise(objective, below, [0] * len(below), equal, [1] + [0] * len(mine))
    assert found is not None  # any plan is feasible
    return found.point[:width]


def _flow(decisions: list[Decision], columns: int) -> list[list[int]]:
    """x[0] = 1, and what goes into an information set comes out of it."""
    rows = [[int(column == START) for column in range(columns)]]
    for here in decisions:
        rows.append([(column in here.sequences) - (column == here.after) for column in range(columns)])
    return rows


def _solve_by_highs(form: ExtensiveForm) -> Strategy:
    """On the merged form; the second player's plan is the dual's solution."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    sides = [form.form.side(p, merged=True) for p in (0, 1)]
    counts = [int(side.first[-1]) for side in sides]
    if sum(counts) > MOST_SEQUENCES:
        raise MethodError(f"{form.game.name} has {sum(counts):,} sequences, too many for a linear program: use cfr")
    side = sides[0]
    rows = np.repeat(np.arange(counts[0]), np.diff(side.start))
    payoffs = csr_array((side.payoff, (side.others[:, 0], rows)), shape=(counts[1], counts[0]))
    flows = [_flow_matrix(each) for each in sides]
    sets = flows[1].shape[0]
    found: Any = linprog(
        np.concatenate([np.zeros(counts[0]), [-1.0], np.zeros(sets - 1)]),
        A_ub=hstack([-payoffs, flows[1].T]),
        b_ub=np.zeros(counts[1]),
        A_eq=hstack([flows[0], csr_array((flows[0].shape[0], sets))]),
        b_eq=np.concatenate([[1.0], np.zeros(flows[0].shape[0] - 1)]),
        bounds=[(0, None)] * counts[0] + [(None, None)] * sets,
        method="highs",
    )
    if found.status != 0:
        raise UnsolvedError(f"HiGHS gave up on the linear program ({found.message}): use cfr")
    return from_merged_plans(form, [found.x[: counts[0]], -found.ineqlin.marginals])


def _flow_matrix(side: Side) -> Any:
    """The rows x[0] and, for each information set, Σ x[choices] − x[after]."""
    from scipy.sparse import csr_array

    sets, count = len(side.after), int(side.first[-1])
    rows = np.concatenate([[0], np.repeat(np.arange(1, sets + 1), np.diff(side.first)), np.arange(1, sets + 1)])
    columns = np.concatenate([[0], np.arange(1, count), side.after])
    entries = np.concatenate([np.ones(count), -np.ones(sets)])
    return csr_array((entries, (rows, columns)), shape=(sets + 1, count))
