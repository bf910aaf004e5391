"""Games written down as data: the trees on a lecture's slides.

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]             MAX to move, then MIN; numbers are MAX's utility
    {"min": [3, 12]}                                a node whose mover is said
    {"max": {"left": 3, "right": {"min": [1, 2]}}}  actions with names
    {"chance": [[0.9, 2], [0.1, 3]]}                probabilities; also {"chance": {"heads": [0.5, 1], …}}
    {"player": 2, "children": [...]}                more than two players
    {"payoffs": [1, 2, 3]}                          an end with a utility for each player
    {"name": "B", "estimate": 4, "min": […]}        a node's own name; its evaluation; `"noisy": ["x"]` its captures

A list is a node whose mover takes turns with its parent's: MAX (player 0) at the root, then MIN (player 1). Nodes and
actions that have no name get the lectures' ones: A, B, C … level by level, and a1, a2, a3 for the actions of A.
"""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.errors import MethodError, PositionError, TreeError
from zermelo.game.contract import CHANCE, AnyGame, Game
from zermelo.game.kind import are_points

NODE_LIMIT = 1_000_000
GREATEST_PAYOFF = 1e300
"""Sums and differences of a few numbers of a tree fit a float."""
MOVERS = {"max": 0, "min": 1, "chance": CHANCE}


@dataclass(slots=True)
class Branch:
    """One node as it was written down, before numbering."""

    mover: int | None
    """Who moves; `None` at an end."""
    name: str = ""
    labels: list[str] | None = None
    """The names of the actions, if they have any."""
    children: list[Any] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)
    payoffs: tuple[float, ...] = ()
    estimate: float | None = None
    noisy: tuple[str, ...] = ()


class Tree(Game["Tree.State", int]):
    """A game given as a tree. Nodes are numbered level by level, so that the children of one are neighbours."""

    class State(NamedTuple):
        node: int

    def __init__(self, data: Any, bounds: tuple[float, float] | None = None):
        self.data = read_tree(data) if isinstance(data, str) else data
        self._number(self.data)
        ends = [u for end in self._payoffs for u in end]
        self.bounds = bounds or (min(ends), max(ends))
        known = [e for e in self.estimates if not math.isnan(e)]
        # Searches ask for these at every node: a large tree is not looked through each time.
        self.has_estimates, self.has_noise, self.has_chance = bool(known), any(self.noisy), CHANCE in self.movers
        values = ends + known
        self.draw = self.neutral
        self.scale = 1.0 if all(are_points(v, 1.0) for v in values) else None

    @property
    def name(self) -> str:
        try:
            text = json.dumps(self.data, ensure_ascii=False, separators=(",", ":"), default=list)
        except RecursionError:
            return f"a tree of {len(self.movers):,} nodes"
        return text if len(text) <= 60 else f"{text[:57]}…"

    def _number(self, data: Any) -> None:
        """Fills the flat tables of the tree, one entry a node, breadth first."""
        queue: list[tuple[Any, int, str, float]] = [(data, 0, "", 1.0)]
        self.movers: list[int] = []
        self.first: list[int] = []
        self.count: list[int] = []
        self.probabilities: list[float] = []
        self.names: list[str] = []
        self.labels: list[str] = []
        self.estimates: list[float] = []
        self.noisy: list[bool] = [False]
        ends: list[tuple[float, ...] | None] = []
        inner = 0
        for written, turn, label, probability in queue:
            branch = read_branch(written, turn)
            inner += branch.mover is not None
            self.movers.append(0 if branch.mover is None else branch.mover)
            self.first.append(len(queue))
            self.count.append(len(branch.children))
            self.probabilities.append(probability)
            unnamed = branch.mover is not None and branch.labels is None
            self.names.append(branch.name or (_letters(inner) if unnamed else ""))
            self.labels.append(label)
            self.estimates.append(math.nan if branch.estimate is None else branch.estimate)
            ends.append(branch.payoffs if branch.mover is None else None)
            chances = branch.probabilities or [1.0] * len(branch.children)
            following = 1 - branch.mover if branch.mover in (0, 1) else turn
            stem = self.names[-1].lower()
            labels = branch.labels or [f"{stem}{i + 1}" for i in range(len(branch.children))]
            for child, name, chance in zip(branch.children, labels, chances, strict=True):
                queue.append((child, following, name, chance))
                self.noisy.append(name in branch.noisy)
            if len(queue) > NODE_LIMIT:
                raise TreeError(f"the tree has more than {NODE_LIMIT:,} nodes; write its rules as a game instead")
        self._count_players(ends)

    def _count_players(self, ends: list[tuple[float, ...] | None]) -> None:
        """Settles players, payoffs and their sum from what stands at the ends."""
        lengths = {len(end) for end in ends if end}
        self.players = max([2, *(m + 1 for m in self.movers), *lengths])
        if self.players > 2 and lengths != {self.players}:
            raise TreeError(f"with {self.players} players every end needs {self.players} payoffs, as in (1, 0, 2)")
        whole = [end if end is None or len(end) > 1 else (end[0], -end[0]) for end in ends]
        self._payoffs = [end for end in whole if end is not None]
        sums = [math.fsum(end) for end in self._payoffs]
        self.utility_sum = sums[0] if max(sums) - min(sums) < 1e-9 else None
        nothing = (0.0,) * self.players
        self.payoffs: list[float] = [u for end in whole for u in (end or nothing)]

    def initial(self) -> State:
        return self.State(0)

    def player(self, s: State) -> int:
        return self.movers[s.node]

    def actions(self, s: State) -> Iterator[int]:
        for a in range(self.count[s.node]):
            yield a

    def result(self, s: State, a: int) -> State:
        return self.State(self.first[s.node] + a)

    def is_terminal(self, s: State) -> bool:
        return self.count[s.node] == 0

    def utility(self, s: State, p: int) -> float:
        return self.payoffs[s.node * self.players + p]

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        for a in range(self.count[s.node]):
            yield a, self.probabilities[self.first[s.node] + a]

    def evaluate(self, s: State, p: int) -> float:
        estimate = self.estimates[s.node]
        if math.isnan(estimate):
            return self.draw
        return estimate if p == 0 else 2 * self.draw - estimate

    def is_noisy(self, s: State, a: int) -> bool:
        return self.noisy[self.first[s.node] + a]

    def can(self, method: str) -> bool:
        if method == "evaluate":
            return self.has_estimates
        if method == "is_noisy":
            return self.has_noise
        if method == "chances":
            return self.has_chance
        return super().can(method)

    def subtree(self, s: State, most: int = 200) -> Any:
        """The tree from `s` on as data, movers and names spelled out; `None` if it has more than `most` nodes."""
        below = [s.node]
        for node in below:
            below.extend(range(self.first[node], self.first[node] + self.count[node]))
            if len(below) > most:
                return None
        data: dict[int, Any] = {}
        for node in reversed(below):
            data[node] = self._record(node, [data[self.first[node] + a] for a in range(self.count[node])])
        return data[s.node]

    def _record(self, node: int, children: list[Any]) -> Any:
        """What is written down at `node`, above the `children` already written down."""
        if not children:
            own = self.payoffs[node * self.players : (node + 1) * self.players]
            return own[0] if self.players == 2 and self.utility_sum == 0 else {"payoffs": own}
        places = range(self.first[node], self.first[node] + self.count[node])
        mover = self.movers[node]
        record: dict[str, Any] = {"name": self.names[node]} if self.names[node] else {}
        if mover == CHANCE:
            pairs = zip(places, children, strict=True)
            return record | {"chance": {self.labels[i]: [self.probabilities[i], c] for i, c in pairs}}
        named = {self.labels[i]: child for i, child in zip(places, children, strict=True)}
        if self.players == 2:
            return record | {("max", "min")[mover]: named}
        return record | {"player": mover, "children": named}

    def node_name(self, s: State) -> str:
        """The name that the tree gives to `s`, or nothing."""
        return self.names[s.node]

    def show(self, s: State) -> str:
        if self.is_terminal(s):
            return f"the end: {', '.join(f'{u:g}' for u in self.utilities(s))}"
        name = self.names[s.node] or f"node {s.node}"
        mover = self.movers[s.node]
        return f"{name}: {'chance' if mover == CHANCE else self.player_name(mover)} to move"

    def player_name(self, p: int) -> str:
        return ("MAX", "MIN")[p] if self.players == 2 else super().player_name(p)

    def show_action(self, s: State, a: int) -> str:
        return self.labels[self.first[s.node] + a]

    def write(self, s: State) -> str:
        return str(s.node)

    def read(self, text: str) -> State:
        if text.strip().isdecimal() and int(text) < len(self.movers):
            return self.State(int(text))
        if text.strip() and text.strip() in self.names:
            return self.State(self.names.index(text.strip()))
        raise PositionError(f"{text!r} is no node of the tree: give its name, or a number below {len(self.movers)}")


def read_tree(text: str) -> Any:
    """The tree that `text` describes, as JSON or as a Python literal."""
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except TreeError:
        raise
    except (ValueError, RecursionError):
        pass
    try:
        written = ast.parse(text.strip(), mode="eval")
        for node in ast.walk(written):
            if isinstance(node, ast.Dict):
                _without_repeats([(ast.literal_eval(key), None) for key in node.keys if key is not None])
        return ast.literal_eval(written)
    except TreeError:
        raise
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        why = getattr(error, "msg", "") or "it is neither JSON nor a Python literal"
        raise TreeError(f"not a tree: {why}; write nested lists of numbers, as in [[3,12,8],[2,4,6]]") from None


def _without_repeats(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """A record as it was written down: of two entries with one name, a `dict` keeps the last alone."""
    seen: set[str] = set()
    for name in (str(name) for name, _ in pairs):
        if name in seen:
            raise TreeError(f"{name!r:.60} is there twice in one record: give each entry a name of its own")
        seen.add(name)
    return dict(pairs)


def read_branch(written: Any, turn: int) -> Branch:
    """What stands written at one node; `turn` is the mover where none is said."""
    if isinstance(written, (int, float)) and not isinstance(written, bool):
        return Branch(None, payoffs=(_finite(written),))
    if isinstance(written, tuple):
        return Branch(None, payoffs=_payoffs(written))
    if isinstance(written, list):
        return _with_children(Branch(turn), written)
    if isinstance(written, dict):
        return _read_record(written, turn)
    raise TreeError(f"a node must be a number, a list or a record, not {written!r}")


def _read_record(written: dict[Any, Any], turn: int) -> Branch:
    known = {"max", "min", "chance", "player", "children", "payoffs", "name", "estimate", "noisy"}
    unknown = [key for key in written if key not in known]
    if unknown:
        raise TreeError(f"a node has no field {unknown[0]!r}; it may have {', '.join(sorted(known))}")
    kinds = [key for key in (*MOVERS, "children", "payoffs") if key in written]
    if len(kinds) != 1:
        raise TreeError(f"a node needs exactly one of max, min, chance, children, payoffs; not {kinds or 'none'}")
    kind = kinds[0]
    name = str(written.get("name", ""))
    if kind == "payoffs":
        return Branch(None, name, payoffs=_payoffs(written["payoffs"]))
    mover = MOVERS.get(kind, written.get("player", turn))
    if not isinstance(mover, int) or isinstance(mover, bool) or not CHANCE <= mover < 16:
        raise TreeError(f"player must be a number from 0 to 15, not {mover!r}")
    estimate = written.get("estimate")
    noisy = written.get("noisy", [])
    if not isinstance(noisy, (list, tuple)):
        raise TreeError(f"noisy must list names of actions, not {noisy!r}")
    branch = Branch(mover, name, noisy=tuple(str(n) for n in noisy))
    branch.estimate = None if estimate is None else _finite(estimate)
    return _with_children(branch, written[kind])


def _with_children(branch: Branch, written: Any) -> Branch:
    """`branch` with the children in `written`: a list, or a record of named ones; pairs below chance."""
    if not isinstance(written, (list, tuple, dict)) or not written:
        raise TreeError(f"a node needs at least one child, in a list or a record; not {written!r}")
    if isinstance(written, dict):
        written = _without_repeats([(str(name), child) for name, child in written.items()])
        branch.labels, branch.children = list(written), list(written.values())
    else:
        branch.children = list(written)
    if branch.mover == CHANCE:
        for pair in branch.children:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise TreeError(f"below chance each child is a pair [probability, node], not {pair!r}")
        branch.probabilities = [_finite(pair[0]) for pair in branch.children]
        branch.children = [pair[1] for pair in branch.children]
        if min(branch.probabilities) <= 0 or abs(math.fsum(branch.probabilities) - 1) > 1e-9:
            raise TreeError(f"probabilities must be positive and add up to 1, not {branch.probabilities}")
    return branch


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, … for 1, 2, …"""
    text = ""
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(65 + letter) + text
    return text


def _payoffs(written: Any) -> tuple[float, ...]:
    if not isinstance(written, (list, tuple)) or not written:
        raise TreeError(f"payoffs must be a list of numbers, one a player, not {written!r}")
    return tuple(_finite(u) for u in written)


def _finite(number: Any) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise TreeError(f"{number!r:.60} is not a number")
    if not abs(number) <= GREATEST_PAYOFF:
        shown = "a whole number of that length" if isinstance(number, int) else repr(number)
        raise TreeError(f"{shown} is not a finite number: numbers of a tree are at most {GREATEST_PAYOFF:g}")
    return number


def tree(game: AnyGame, depth: int | None = None, state: Any = None, *, limit: int = 100_000) -> Tree:
    """The tree of `game` from `state` on, `depth` plies deep (to the end if `None`), as a `Tree`.

    A position at the depth limit becomes an end that is worth its evaluation, or a draw if the game has none.
    """
    root = game.initial() if state is None else state
    holder: list[Any] = [None]
    pending: list[tuple[Any, int, Any, Any]] = [(root, 0, holder, 0)]
    for nodes, (s, ply, parent, place) in enumerate(pending, start=1):
        if nodes > limit:
            raise MethodError(f"the tree has more than {limit:,} nodes: give a smaller depth, or a greater limit")
        if game.is_terminal(s):
            parent[place] = _end(game, game.utilities(s))
        elif depth is not None and ply >= depth:
            estimates = [game.evaluate(s, p) if game.can("evaluate") else game.neutral for p in range(game.players)]
            parent[place] = _end(game, tuple(estimates))
        else:
            parent[place] = record = _record(game, s)
            inner = record["children"] if "children" in record else next(iter(record.values()))
            for a in game.actions(s):
                label = game.show_action(s, a)
                child = (inner[label], 1) if game.player(s) == CHANCE else (inner, label)
                pending.append((game.result(s, a), ply + 1, *child))
    return Tree(holder[0])


def _end(game: AnyGame, utilities: tuple[float, ...]) -> Any:
    if game.players == 2 and game.utility_sum == 0:
        return utilities[0]
    return {"payoffs": list(utilities)}


def _record(game: AnyGame, s: Any) -> dict[str, Any]:
    """The node of `s`, with a place for each child."""
    mover = game.player(s)
    if mover == CHANCE:
        return {"chance": {game.show_action(s, a): [p, None] for a, p in game.chances(s)}}
    labels = {game.show_action(s, a): None for a in game.actions(s)}
    if game.players == 2:
        return {("max", "min")[mover]: labels}
    return {"player": mover, "children": labels}
