"""State by state: who acts, what may be done, where it leads, what an end is worth, and which states are equal."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from zermelo.check.facts import Facts, Shape, check_action, read_teams
from zermelo.check.rules import SHARED, Rules, Unanswered, describe, duplicate, frozen, rebuilt
from zermelo.game import CHANCE
from zermelo.game.kind import is_integer, is_number, is_truth

EXAMINED_ACTIONS = 64
"""In states with more actions, this many of them, evenly spread, are followed."""


@dataclass(slots=True)
class ExaminedPosition:
    """A state and what the rules say of it."""

    state: object
    key: Hashable
    terminal: bool
    player: int = 0
    """Who acts; meaningless in a terminal state."""
    actions: list[object] = field(default_factory=list)
    children: dict[int, object] = field(default_factory=dict)
    """The states that the actions lead to, by the place of the action in `actions`."""
    returned: dict[int, object] = field(default_factory=dict)
    """The same objects as returned by `result`; `children` holds copies, which the rules cannot reach."""


def examine(rules: Rules, facts: Facts, shape: Shape, s: object) -> ExaminedPosition:
    """Examines the position `s`, calling each rule twice; raises `Unanswered` if one of them fails."""
    key = read_key(rules, s)
    position = ExaminedPosition(s, key, is_over(rules, s))
    if position.terminal:
        _check_end(rules, s)
        return position
    position.player = whose_turn(rules, facts, s)
    position.actions = _offered(rules, s)
    for place in _spread(len(position.actions)):
        follow(rules, shape, position, place)
    _check_children(rules, position)
    return position


def read_key(rules: Rules, s: object) -> Hashable:
    """The key of `s`, which must be hashable."""
    key: Hashable = rules.ask_twice("key", s)
    _check_hash(rules, "key", key, s, "return a tuple")
    return key


def _check_hash(rules: Rules, rule: str, value: object, s: object, remedy: str) -> None:
    """Raises `Unanswered` unless `value`, which `rule` returned for `s`, can be hashed."""
    with rules.guarding(rule, s):
        try:
            hash(value)
        except TypeError:
            rules.breach(rule, "hash", f"gives {describe(value)}, which cannot be hashed; {remedy}", s)
            raise Unanswered(rule) from None


def is_over(rules: Rules, s: object) -> bool:
    """Whether the game is over in `s`."""
    over = rules.ask_twice("is_terminal", s)
    if not is_truth(over):
        rules.breach("is_terminal", "truth", f"returns {describe(over)}; return True or False", s)
        raise Unanswered("is_terminal")
    return bool(over)


def whose_turn(rules: Rules, facts: Facts, s: object) -> int:
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


def _offered(rules: Rules, s: object) -> list[object]:
    """The actions in `s`, called twice and checked for duplicates."""
    actions: list[object] = rules.ask("actions", s)
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
    if count <= EXAMINED_ACTIONS:
        return list(range(count))
    return [i * count // EXAMINED_ACTIONS for i in range(EXAMINED_ACTIONS)]


def follow(rules: Rules, shape: Shape, position: ExaminedPosition, place: int) -> Any:
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


def _check_children(rules: Rules, position: ExaminedPosition) -> None:
    """Checks the children for shared mutable parts and, by calling `result` again, for hidden randomness."""
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


def _check_end(rules: Rules, s: object) -> None:
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


TOLERANCE = 1e-9


def check_utilities(rules: Rules, facts: Facts, s: object) -> tuple[float, ...]:
    """Every player's utility at the end `s`."""
    low, high = facts.bounds
    utilities = []
    for p in range(facts.players):
        utility = rules.ask_twice("utility", s, p)
        if not is_number(utility):
            message = f"returns {describe(utility)} for player {p}; return a number, as in 1.0, 0.0 or -1.0"
            rules.breach("utility", "number", message, s)
            raise Unanswered("utility")
        utility = float(utility)
        if math.isinf(utility) or not low - TOLERANCE <= utility <= high + TOLERANCE:
            message = f"returns {utility:g} for player {p}, outside of `bounds` {low:g} … {high:g}; correct one of them"
            rules.breach("utility", "bounds", message, s)
        utilities.append(utility)
    if "team" in facts.methods and read_teams(rules, facts.players) != facts.teams:
        rules.breach("team", "changes", "gives other teams than before; partners stay partners for the whole game", s)
    for team in facts.teams:
        if len({utilities[p] for p in team}) > 1:
            told = " and ".join(f"{utilities[p]:g} for player {p}" for p in team)
            message = f"returns {told}, who are partners; return the same for a whole `team`"
            rules.breach("utility", "team", message, s)
    # Not `fsum`, which refuses to add up infinities.
    total = sum(utilities[team[0]] for team in facts.teams)
    if facts.utility_sum is not None and not abs(total - facts.utility_sum) <= TOLERANCE:
        message = (
            f"adds up to {total:g} over all {facts.counted}, and `utility_sum` is {facts.utility_sum:g}; "
            "correct one of them, or state `utility_sum = None`"
        )
        rules.breach("utility", "sum", message, s)
    return tuple(utilities)


def check_chances(rules: Rules, facts: Facts, s: object, actions: list[object]) -> list[float]:
    """The probabilities of the actions in a state where chance acts."""
    if "chances" not in facts.methods:
        message = "is missing, and `player` is zermelo.CHANCE here; write `def chances(self, s)`, which yields pairs"
        rules.breach("chances", "missing", message, s)
        raise Unanswered("chances")
    pairs = rules.ask_twice("chances", s)
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        rules.breach("chances", "pairs", "does not give (action, probability) pairs throughout; yield `a, 1 / 6`", s)
        raise Unanswered("chances")
    with rules.guarding("chances", s):
        same = frozen([a for a, _ in pairs]) == frozen(actions)
    if not same:
        message = "does not list the same actions as `actions`, in the same order; yield one pair for each of them"
        rules.breach("chances", "actions", message, s)
    for a, probability in pairs:
        if not is_number(probability) or not 0 < probability <= 1 + TOLERANCE:
            message = (
                f"gives the probability {describe(probability)}; leave out what cannot happen, and divide by the sum"
            )
            rules.breach("chances", "probability", message, s, a)
            raise Unanswered("chances")
    total = math.fsum(float(probability) for _, probability in pairs)
    if abs(total - 1) > TOLERANCE:
        message = f"gives probabilities that add up to {total:.12g}, not to 1; divide each by the sum"
        rules.breach("chances", "sum", message, s)
    if not same:
        raise Unanswered("chances")
    return [float(probability) for _, probability in pairs]


REMEMBERED_POSITIONS = 20_000
"""Positions kept for comparison; a longer check compares with the first ones."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the rules said when a position was first met."""

    state: object
    answers: dict[str, object]


class Identity:
    """A table of the positions met, by key."""

    def __init__(self, rules: Rules):
        self.rules = rules
        self._met: dict[Hashable, Behaviour] = {}

    def check(self, position: ExaminedPosition, utilities: tuple[float, ...]) -> None:
        """Compares the position with the first one of the same key."""
        rules, s = self.rules, position.state
        self._check_copy(position)
        answers: dict[str, object] = {"is_terminal": position.terminal, "utility": utilities}
        if not position.terminal:
            answers["player"] = position.player
            answers["actions"] = frozen(position.actions)
            answers["result"] = self._keys(position)
        with rules.guarding("key", s):
            first = self._met.get(position.key)
            if first is None:
                if len(self._met) < REMEMBERED_POSITIONS:
                    self._met[position.key] = Behaviour(duplicate(s), answers)
                return
            same_state = frozen(first.state) == frozen(s)
            differing = [rule for rule in answers if first.answers.get(rule) != answers[rule]]
        if not differing:
            return
        omits = rules.game.key_omits
        if omits and "is_terminal" in differing and not same_state:
            rules.ledger.note(f"positions with the same key differ in whether the game is over: `key` omits {omits}")
            return
        rule = differing[0]
        if same_state:
            message = "answers differently in the same state at another time; let it depend on its arguments alone"
            rules.breach(rule, "time", message, s)
        else:
            other = rules.describe_state(first.state)
            message = (
                f"is the same for two states that differ in `{rule}` (the other one is {other}); put into it, "
                "and so into the state, all that the rules depend on"
            )
            rules.breach("key", "same", message, s)

    def _check_copy(self, position: ExaminedPosition) -> None:
        """Detects keys made of memory addresses, by a copy of the state."""
        rules, s = self.rules, position.state
        copied = rules.call("key", (rebuilt(s),), s)
        with rules.guarding("key", s):
            same = copied == position.key
        if not same:
            message = "differs for two equal states; make it of the state's values, not of objects' identities"
            rules.breach("key", "copy", message, s)

    def _keys(self, position: ExaminedPosition) -> dict[int, object]:
        """The keys of the children, by the place of the action."""
        keys = {}
        for place, child in position.children.items():
            try:
                keys[place] = self.rules.ask("key", child)
            except Unanswered:
                keys[place] = None
        return keys
