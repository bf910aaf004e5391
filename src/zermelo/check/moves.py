"""Who acts, what may be done and where it leads: PLAYER, ACTIONS, RESULT and TERMINAL-TEST of one state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from zermelo.check.facts import Facts
from zermelo.check.rules import SHARED, Rules, Unanswered, describe
from zermelo.check.shape import Shape, check_action
from zermelo.check.snapshot import duplicate, frozen
from zermelo.game import CHANCE
from zermelo.game.kind import is_integer, is_truth

EXAMINED = 64
"""In states with more actions, that many of them, evenly spread, are followed."""


@dataclass(slots=True)
class Position:
    """A state and what the rules say of it."""

    state: Any
    key: Hashable
    terminal: bool
    player: int = 0
    """Who acts; meaningless in a terminal state."""
    actions: list[Any] = field(default_factory=list)
    children: dict[int, Any] = field(default_factory=dict)
    """The states that the actions lead to, by the place of the action in `actions`."""
    returned: dict[int, Any] = field(default_factory=dict)
    """The same as they came from `result`; the children are copies, which it cannot reach any more."""


def examine(rules: Rules, facts: Facts, shape: Shape, s: Any) -> Position:
    """The position `s`, its rules asked twice; raises `Unanswered` if one of them fails."""
    key = read_key(rules, s)
    position = Position(s, key, is_over(rules, s))
    if position.terminal:
        _check_end(rules, s)
        return position
    position.player = whose_turn(rules, facts, s)
    position.actions = _offered(rules, s)
    for place in _spread(len(position.actions)):
        follow(rules, shape, position, place)
    _check_children(rules, position)
    return position


def read_key(rules: Rules, s: Any) -> Hashable:
    """The key of `s`, which must be hashable."""
    key: Hashable = rules.ask_twice("key", s)
    _check_hash(rules, "key", key, s, "return a tuple")
    return key


def _check_hash(rules: Rules, rule: str, value: Any, s: Any, remedy: str) -> None:
    """Goes on only if `value`, which `rule` gave for `s`, can be hashed."""
    with rules.guarding(rule, s):
        try:
            hash(value)
        except TypeError:
            rules.breach(rule, "hash", f"gives {describe(value)}, which cannot be hashed; {remedy}", s)
            raise Unanswered(rule) from None


def is_over(rules: Rules, s: Any) -> bool:
    """Whether the game is over in `s`."""
    over = rules.ask_twice("is_terminal", s)
    if not is_truth(over):
        rules.breach("is_terminal", "truth", f"returns {describe(over)}; return True or False", s)
        raise Unanswered("is_terminal")
    return bool(over)


def whose_turn(rules: Rules, facts: Facts, s: Any) -> int:
    """The player to move in `s`."""
    player = rules.ask_twice("player", s)
    if not is_integer(player):
        message = f"returns {describe(player)}; return a whole number, 0 to {facts.players - 1}, or zermelo.CHANCE"
        rules.breach("player", "type", message, s)
        raise Unanswered("player")
    if not CHANCE <= player < facts.players:
        message = (
            f"returns {player}, but `players` is {facts.players}: return 0 to {facts.players - 1} or zermelo.CHANCE"
        )
        rules.breach("player", "range", message, s)
        raise Unanswered("player")
    return int(player)


def _offered(rules: Rules, s: Any) -> list[Any]:
    """The actions in `s`, asked twice, each there once."""
    actions: list[Any] = rules.ask("actions", s)
    again = rules.ask("actions", s)
    for a in actions:
        _check_hash(rules, "actions", a, s, "offer ints or tuples")
        check_action(rules, s, a)
    with rules.guarding("actions", s):
        same, distinct = frozen(actions) == frozen(again), len(set(actions))
        reordered = not same and set(actions) == set(again) and len(actions) == len(again)
    if reordered:
        message = "gives another order when asked twice; go through a list or a range, not through a set"
        rules.breach("actions", "order", message, s)
    elif not same:
        message = (
            "gives other actions when asked twice; let it depend on the state alone, and make a new iterator each time"
        )
        rules.breach("actions", "twice", message, s)
    if not actions:
        message = (
            "offers nothing in a state that is not terminal; offer a pass, or let `is_terminal` say that it is over"
        )
        rules.breach("actions", "none", message, s)
        raise Unanswered("actions")
    if distinct < len(actions):
        left = Counter(actions)
        double = next(a for a in actions if left[a] > 1)
        rules.breach("actions", "double", "offers the same action more than once; offer each once", s, double)
    return actions


def _spread(count: int) -> list[int]:
    """The places of the actions to follow: the same ones whenever there are `count`."""
    if count <= EXAMINED:
        return list(range(count))
    return [i * count // EXAMINED for i in range(EXAMINED)]


def follow(rules: Rules, shape: Shape, position: Position, place: int) -> Any:
    """The state that the action at `place` leads to, or `None` if it leads to none."""
    if place in position.children:
        return position.children[place]
    s, a = position.state, position.actions[place]
    try:
        child = rules.ask("result", s, a)
    except Unanswered:
        return None
    if child is None:
        rules.breach("result", "none", "returns None for an action that was offered; return the new state", s, a)
        return None
    if not shape.check(rules, child, "result", s, a):
        return None
    position.returned[place] = child
    position.children[place] = duplicate(child)
    return position.children[place]


def _check_children(rules: Rules, position: Position) -> None:
    """What children share with each other shows once all are there; what dice they took, when asked for again."""
    s = position.state
    for place, child in position.children.items():
        a = position.actions[place]
        with rules.guarding("result", s, a):
            kept = frozen(position.returned[place]) == frozen(child)
        if not kept:
            rules.breach("result", "shared", SHARED, s, a)
    for place in reversed(position.children):
        a = position.actions[place]
        with suppress(Unanswered):
            again = rules.ask("result", s, a)
            with rules.guarding("result", s, a):
                same = frozen(again) == frozen(position.children[place])
            if not same:
                message = "leads elsewhere when asked twice; let chance act (`player` → zermelo.CHANCE, and `chances`)"
                rules.breach("result", "twice", message, s, a)


def _check_end(rules: Rules, s: Any) -> None:
    """No action may be left where the game is over; a rule that raises there is never asked and does no harm."""
    nothing = object()
    rules.watch.asks("actions", s, None)
    try:
        left = next(iter(rules.game.actions(duplicate(s))), nothing)
    except BaseException:
        if rules.interrupted:
            raise
        left = nothing
    rules.compare_game("actions", s)
    if left is not nothing:
        message = (
            "offers actions in a terminal state; begin with `if not self.is_terminal(s)`, or correct `is_terminal`"
        )
        rules.breach("actions", "over", message, s, left)
