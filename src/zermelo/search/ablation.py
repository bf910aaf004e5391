"""Ablation: what each technique is worth, in nodes, on one position at one depth.

A sound technique gives the value of the plain search from fewer nodes. A risky one may change the value, since it looks
deeper in places (quiescence, extensions) or assumes something (the null move). A search that takes ten times the nodes
of the plain one is stopped, since it clearly does not pay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.algorithms import ALGORITHMS
from zermelo.search.extensions import EXTENSIONS
from zermelo.search.ordering import RULES

MAX_NODE_RATIO = 10
"""A search is stopped at this multiple of the plain search's nodes."""
MIN_NODE_LIMIT = 50_000
"""The least limit on nodes, so that on small trees nothing is stopped."""


@dataclass(frozen=True, slots=True)
class AblationTrial:
    """One search to be tried."""

    technique: str
    algorithm: str
    options: dict[str, Any] = field(default_factory=dict)
    risky: bool = False


@dataclass(frozen=True, slots=True)
class AblationRow:
    """The result of one search."""

    technique: str
    value: float | None
    """`None` if its nodes were counted without searching."""
    nodes: int
    ratio: float
    """Nodes per node of the plain search."""
    seconds: float
    risky: bool
    """Whether the technique may change the value."""
    agrees: bool
    """Whether the value is the plain search's, as far as the search got to one."""
    stopped: str
    """What ended the search before its depth was finished, if anything did."""


def ablate(
    game: Game,
    state: object = None,
    depth: int | None = None,
    *,
    history: Sequence[object] = (),
    minimax_nodes: Callable[[], int] | None = None,
) -> Iterator[AblationRow]:
    """Yields a row for each technique that fits `game`; the first is the plain search.

    `minimax_nodes`, if given, counts the nodes of minimax without searching them.
    """
    state = game.initial() if state is None else state
    plain, *others = trials(game)
    limits: dict[str, Any] = {"depth": depth, "history": history}
    base = _search(game, state, limits, plain)
    yield _row(plain, base, base)
    if base.stopped:
        return
    limits["nodes"] = max(MIN_NODE_LIMIT, MAX_NODE_RATIO * base.nodes)
    if plain.algorithm == "alphabeta":
        minimax = AblationTrial("minimax", "minimax")
        if minimax_nodes is None:
            others.insert(0, minimax)
        else:
            nodes = minimax_nodes()
            yield AblationRow("minimax", None, nodes, nodes / base.nodes, 0.0, False, True, "")
    for trial in others:
        found = _search(game, state, limits, trial)
        yield _row(trial, found, base)
        if found.stopped == "interrupt":
            return


def trials(game: Game) -> list[AblationTrial]:
    """What can be tried on `game`, the plain search first."""
    if not game.kind.scalar:
        return [AblationTrial("maxn", "maxn"), AblationTrial("+ table", "maxn", {"table": True})]
    rules = [name for name, rule in RULES.items() if all(game.can(method) for method in rule.needs)]
    if game.kind.chance:
        return [
            AblationTrial("expectiminimax", "expectiminimax"),
            AblationTrial("+ table", "expectiminimax", {"table": True}),
            AblationTrial("star1", "star1"),
            AblationTrial("star2", "star2"),
            AblationTrial("star2 + table", "star2", {"table": True}),
            *(AblationTrial(f"star2 + order by {rule}", "star2", _ordered(rule)) for rule in rules),
            AblationTrial("all together", "star2", {"table": True, "order": "best", "deepen": True}),
        ]
    return [
        AblationTrial("alphabeta", "alphabeta"),
        AblationTrial("pvs", "pvs"),
        AblationTrial("mtdf (has a table)", "mtdf"),
        AblationTrial("+ table", "alphabeta", {"table": True}),
        AblationTrial("+ deepening", "alphabeta", {"deepen": True}),
        *(AblationTrial(f"+ order by {rule}", "alphabeta", _ordered(rule)) for rule in rules),
        *_together(),
        *_risky(game),
    ]


def _ordered(rule: str) -> dict[str, Any]:
    """Ordering by one rule; there is no previous iteration without deepening."""
    return {"order": rule} | ({"deepen": True} if rule in ("previous", "scores") else {})


def _together() -> Iterator[AblationTrial]:
    """All sound techniques, and all but one of them."""
    techniques = {"table": True, "order": "best", "deepen": True}
    yield AblationTrial("all of these", "pvs", techniques)
    yield AblationTrial("all but pvs", "alphabeta", techniques)
    for name, word in (("table", "the table"), ("order", "ordering"), ("deepen", "deepening")):
        yield AblationTrial(f"all but {word}", "pvs", {k: v for k, v in techniques.items() if k != name})


def _risky(game: Game) -> list[AblationTrial]:
    """The techniques that may change the value, each alone and then all on top of the sound ones."""
    options: dict[str, Any] = {}
    if game.can("pass_turn"):
        options["null_move"] = True
    if game.can("evaluate"):
        options["probcut"] = True
    if game.can("is_noisy"):
        options["quiescence"] = True
    names = [name for name, (_, needs) in EXTENSIONS.items() if all(game.can(method) for method in needs)]
    alone = [AblationTrial(f"+ {name.replace('_', ' ')}", "alphabeta", {name: True}, True) for name in options]
    alone += [AblationTrial(f"+ extension: {name}", "alphabeta", {"extensions": name}, True) for name in names]
    alone.append(
        AblationTrial("+ table, extension: singular", "alphabeta", {"table": True, "extensions": "singular"}, True)
    )
    everything = {"table": True, "order": "best", "deepen": True, "extensions": ",".join([*names, "singular"])}
    return [*alone, AblationTrial("all of these, too", "pvs", everything | options, True)]


def _search(game: Game, state: object, limits: dict[str, Any], trial: AblationTrial) -> Analysis:
    return ALGORITHMS[trial.algorithm](game, state, **limits, **trial.options)


def _row(trial: AblationTrial, found: Analysis, base: Analysis) -> AblationRow:
    agrees = bool(found.stopped) or abs(found.value - base.value) <= 1e-9 * max(1.0, abs(base.value))
    ratio = found.nodes / base.nodes
    return AblationRow(
        trial.technique, found.value, found.nodes, ratio, found.seconds, trial.risky, agrees, found.stopped
    )
