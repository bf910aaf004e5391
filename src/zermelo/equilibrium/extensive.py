"""Any finite game of the contract as a tree with information sets: its extensive form.

An information set is a player's own sequence of views and actions, so that the tree has perfect recall by construction.

`ExtensiveGame` is a game given as a tree with information sets, as files have them; it keeps the contract of `Game`. It
defines its own information sets, so that a player may forget; building the sequence form detects that and raises
`MethodError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.engine import Stopped
from zermelo.engine.interpreted import compile_with_views, give_up
from zermelo.engine.memory import available_bytes
from zermelo.engine.regret import CHANCE_NODE, END_NODE, TYPES, Arrays, Form, Stop, TooLargeError, flatten
from zermelo.equilibrium.numbers import rational, table_fractions
from zermelo.errors import ContractError, InputError, MethodError, PositionError, RefusedError
from zermelo.game.contract import CHANCE, Game
from zermelo.game.sides import sides
from zermelo.game.text import freeze, write_fields
from zermelo.game.validation import fair_chances, unlike_actions

MOST_NODES = 40_000_000
INTERPRETED = 60_000
"""The number of nodes from which compiling the rules pays off."""
MOST_INTERPRETED = 3_000_000
"""The limit of nodes for rules that cannot be compiled."""
BYTES_PER_NODE = 160
"""Of the tree, its sequence form and a run of regret minimisation, about, where a tree is large."""
CHECKED = 4096
"""Nodes between two looks at the clock."""
MOST_PLIES = 100_000
"""Deeper rules, interpreted or compiled (`native/regret/flatten.hpp`), are taken to go round."""
MAX_NAME_CHARS = 120


class InformationSet(NamedTuple):
    """What a player knows at one of its choices."""

    player: int
    name: str
    actions: tuple[str, ...]


class Fractions(NamedTuple):
    """The numbers of a tree, exactly."""

    payoffs: list[Fraction]
    """Per end: one payoff per player."""
    chance: list[Fraction]
    """Per node: the probability of this outcome if chance moves before, as given; 1 otherwise."""


class ExtensiveForm:
    """The tree of a game below one state, flattened, and its information sets."""

    def __init__(self, game: Game, root: Any, arrays: Arrays, example: Callable[[int], Any]):
        self.game = game
        self.root = root
        self.players = game.players
        self.arrays = arrays
        self._example = example
        self.offsets = np.concatenate([[0], np.cumsum(arrays.width, dtype=np.int64)])
        """The place of each information set's first action in a strategy; the last is their number."""

    @cached_property
    def form(self) -> Form:
        """The sequence form, in the core; raises `MethodError` if a player forgets."""
        return Form(self.players, self.arrays)

    @property
    def nodes(self) -> int:
        return len(self.arrays.infoset)

    @cached_property
    def exact(self) -> Fractions:
        """Payoffs and probabilities as a file gave them; those of rules as the fractions that floats stand for."""
        if isinstance(self.game, ExtensiveGame):
            return self.game.fractions(self.root, self.arrays)
        payoffs = self.arrays.payoffs.tolist()
        for p in range(self.players):
            payoffs[p :: self.players] = table_fractions(payoffs[p :: self.players])
        return Fractions(payoffs, list(map(rational, self.arrays.chance.tolist())))

    @cached_property
    def is_exactly_zero_sum(self) -> bool:
        """Whether there are two players, and their payoffs, as fractions, always add up to the same number."""
        payoffs = self.exact.payoffs
        return self.players == 2 and len({a + b for a, b in zip(payoffs[::2], payoffs[1::2], strict=True)}) == 1

    @property
    def is_zero_sum(self) -> bool:
        """Whether there are two players, and their payoffs add up to the same number, within rounding."""
        if self.players != 2:
            return False
        sums = self.arrays.payoffs.reshape(-1, 2).sum(axis=1)
        scale = max(1.0, float(np.abs(self.arrays.payoffs).max()))
        return bool(np.abs(sums - sums[0]).max() <= 1e-12 * scale)

    def example(self, number: int) -> Any:
        """A state of an information set."""
        return self._example(number)

    @cached_property
    def sets(self) -> tuple[InformationSet, ...]:
        """The information sets with names for people, in the order met; the names of one player are distinct."""
        found = [self._describe(number) for number in range(len(self.arrays.owner))]
        for p in range(self.players):
            mine = [number for number, one in enumerate(found) if one.player == p]
            if len({found[number].name for number in mine}) < len(mine):
                for number in mine:
                    past = self._past(number, found)
                    found[number] = found[number]._replace(name=f"{past} | {found[number].name}".lstrip(" |"))
        taken: dict[tuple[int, str], int] = {}
        for number, one in enumerate(found):  # what still has the same name differs in earlier views only
            again = taken[one.player, one.name] = taken.get((one.player, one.name), 0) + 1
            if again > 1:
                found[number] = one._replace(name=f"{one.name} ({again})")
        return tuple(found)

    def _describe(self, number: int) -> InformationSet:
        game, s, p = self.game, self.example(number), int(self.arrays.owner[number])
        view = game.view(s, p)
        name = game.show_view(view, p) if game.kind.hidden else game.write(s)
        if "\n" in name or len(name) > MAX_NAME_CHARS:
            name = write_fields(view)
        return InformationSet(p, name, tuple(game.show_action(s, a) for a in game.actions(s)))

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """Of each information set: the place of its owner's last own action in a strategy, or −1."""
        found = np.full(len(self.arrays.owner), -1, dtype=np.int64)
        for p in range(self.players):
            side = self.form.side(p)
            sets = np.searchsorted(self.offsets, side.places[side.first[:-1]], side="right") - 1
            found[sets] = side.places[side.after]
        return found

    def _past(self, number: int, described: list[InformationSet]) -> str:
        """The player's own actions before an information set."""
        words: list[str] = []
        place = int(self.before[number])
        while place >= 0:
            number = int(np.searchsorted(self.offsets, place, side="right")) - 1
            words.append(described[number].actions[place - int(self.offsets[number])])
            place = int(self.before[number])
        return " ".join(reversed(words))

    def find(self, history: list[Any]) -> int:
        """The information set of the last state of `history`, which begins at the root."""
        return int(self.arrays.infoset[self.node(history)])

    def node(self, history: Sequence[Any]) -> int:
        """The node of the last state of `history`, which begins at the root."""
        game, arrays, node = self.game, self.arrays, 0
        if game.key(history[0]) != game.key(self.root):
            raise InputError("the game did not begin where this strategy does: solve it from its own start")
        for s, after in pairwise(history):
            wanted = game.key(after)
            children = [i for i, a in enumerate(game.actions(s)) if game.key(game.result(s, a)) == wanted]
            if not children:
                raise InputError(f"no action leads from {game.write(s)} to {game.write(after)}")
            node = int(arrays.first[node]) + children[0]
        return node


def extensive_form(
    game: Game | ExtensiveForm, state: Any = None, most: int = MOST_NODES, stop: Stop = None
) -> ExtensiveForm:
    """The tree of `game` from `state` on (its start if `None`), with at most `most` nodes; `Stopped` if `stop()`."""
    if isinstance(game, ExtensiveForm):
        return game
    if game.kind.teams:
        if game.kind.hidden:
            raise MethodError(
                f"{game.name} is played by teams, and a team whose members see different things is no player that "
                "remembers all it has seen, as equilibria need: play it by pimc, alphamu or mcts"
            )
        game = sides(game)
    if game.repetition is not None:
        raise MethodError(f"{game.name} has a rule of repetition, so its tree has no end: search it instead")
    root = game.initial() if state is None else state
    try:
        return _Walk(game, root, min(most, INTERPRETED), stop).run()
    except TooLargeError:
        pass
    fitting = available_bytes() // BYTES_PER_NODE
    why = ", as many as fit into memory" if fitting < most else ", or goes round"
    most = min(most, max(fitting, INTERPRETED))
    compiles = most > INTERPRETED and not isinstance(game, ExtensiveGame)
    compiled = compile_with_views(game) if compiles else None
    limit = min(most, MOST_INTERPRETED)
    try:
        if compiled is not None:
            try:
                arrays, examples = flatten(compiled, root, most, stop)
                return ExtensiveForm(game, root, arrays, lambda number: compiled.unpack(examples[number]))
            except RefusedError as error:
                give_up(compiled, error)
            except TooLargeError:
                limit = most
                raise
        return _Walk(game, root, limit, stop).run()
    except TooLargeError:
        raise MethodError(f"{game.name} has more than {limit:,} nodes in its tree{why}") from None


class _Walk:
    """Enters every node depth first, with an explicit stack; numbers them like `native/regret/flatten.hpp`."""

    def __init__(self, game: Game, root: Any, most: int, stop: Stop):
        self.game, self.root, self.most, self.stop = game, root, most, stop
        self.entered = 0
        self.infoset: list[int] = [END_NODE]
        self.first: list[int] = [0]
        self.count: list[int] = [0]
        self.chance: list[float] = [1.0]
        self.payoffs: list[float] = []
        self.owner: list[int] = []
        self.offsets: list[int] = [0]
        self.examples: list[Any] = []
        self.sets: dict[Hashable, tuple[int, list[Any]]] = {}
        self.named = game.information_set if isinstance(game, ExtensiveGame) else None
        self.hides = game.kind.hidden

    def run(self) -> ExtensiveForm:
        game = self.game
        pending: list[tuple[Any, Any, int, tuple[int, ...], int]] = [(self.root, None, 0, (-1,) * game.players, 0)]
        most_plies = math.inf if self.named is not None else MOST_PLIES  # a tree that is written down has an end
        while pending:
            s, a, node, last, ply = pending.pop()
            self.entered += 1
            if self.stop is not None and self.entered % CHECKED == 0 and self.stop():
                raise Stopped
            if ply >= most_plies:
                raise TooLargeError
            if node:
                s = game.result(s, a)
            if game.is_terminal(s):
                self.first[node] = len(self.payoffs) // game.players
                self.payoffs += self.utilities(s)
                continue
            p = game.player(s)
            if not CHANCE <= p < game.players:
                raise ContractError(f"player({game.write(s)}) is {p}, which is no player of {game.name}")
            actions = self.enter(s, p, node, last)
            first = self.first[node]
            offset = -1 if p == CHANCE else self.offsets[self.infoset[node]]
            for i in reversed(range(len(actions))):
                then = last if p == CHANCE else (*last[:p], offset + i, *last[p + 1 :])
                pending.append((s, actions[i], first + i, then, ply + 1))
        width = np.diff(self.offsets)
        columns = (self.infoset, self.first, self.count, self.chance, self.payoffs, self.owner, width)
        arrays = Arrays(*(np.array(column, dtype=kind) for column, kind in zip(columns, TYPES, strict=True)))
        return ExtensiveForm(game, self.root, arrays, self.examples.__getitem__)

    def enter(self, s: Any, p: int, node: int, last: tuple[int, ...]) -> list[Any]:
        """Fills in a node that is not an end; returns its actions."""
        if p == CHANCE:
            pairs = fair_chances(self.game, s)
            actions, shares = [a for a, _ in pairs], [share for _, share in pairs]
            self.infoset[node] = CHANCE_NODE
        else:
            actions = list(self.game.actions(s))
            shares = [1.0] * len(actions)
            if not actions:
                raise ContractError(f"{self.game.name} offers no action in {self.game.write(s)}, which is not terminal")
            self.infoset[node] = self.find(s, p, last[p], actions)
        self.first[node] = len(self.infoset)
        self.count[node] = len(actions)
        self.infoset += [END_NODE] * len(actions)
        self.first += [0] * len(actions)
        self.count += [0] * len(actions)
        self.chance += shares
        if len(self.infoset) > self.most:
            raise TooLargeError
        return actions

    def find(self, s: Any, p: int, last: int, actions: list[Any]) -> int:
        game = self.game
        if self.named is not None:
            key: Hashable = self.named(s)
        else:
            key = (p, last, freeze(game.view(s, p)) if self.hides else game.key(s))
        number, known = self.sets.setdefault(key, (len(self.owner), actions))
        if known != actions:
            raise unlike_actions(game, p, s)
        if number == len(self.owner):
            self.owner.append(p)
            self.offsets.append(self.offsets[-1] + len(actions))
            self.examples.append(s)
        return number

    def utilities(self, s: Any) -> list[float]:
        found = [float(self.game.utility(s, p)) for p in range(self.game.players)]
        if not all(map(math.isfinite, found)):
            raise ContractError(f"a utility of {self.game.name} is not finite in {self.game.write(s)}: {found}")
        return found


@dataclass(slots=True)
class Node:
    """One node; an end has no actions."""

    player: int = CHANCE
    set: int = -1
    """The number of its information set, unique among all players; −1 for chance."""
    actions: list[str] = field(default_factory=list)
    chances: list[Fraction] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    payoffs: tuple[Fraction, ...] = ()
    """Everybody's, at an end: of all outcomes on the way."""


class ExtensiveGame(Game["ExtensiveGame.State", int]):
    """A tree of `Node`s; the first is the root."""

    class State(NamedTuple):
        node: int

    def __init__(self, title: str, names: list[str], nodes: list[Node], set_names: list[str]):
        self.title = title
        self.names = names
        self.nodes = nodes
        self.set_names = set_names
        self.players = len(names)
        ends = [[float(u) for u in node.payoffs] for node in nodes if not node.actions]
        sums = [math.fsum(end) for end in ends]
        self.utility_sum = sums[0] if max(sums) - min(sums) < 1e-9 else None
        self.bounds = (min(min(end) for end in ends), max(max(end) for end in ends))

    @property
    def name(self) -> str:
        return self.title or "a game"

    def initial(self) -> State:
        return self.State(0)

    def player(self, s: State) -> int:
        return self.nodes[s.node].player

    def actions(self, s: State) -> Iterator[int]:
        yield from range(len(self.nodes[s.node].actions))

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        for i, share in enumerate(self.nodes[s.node].chances):
            yield i, float(share)

    def result(self, s: State, a: int) -> State:
        return self.State(self.nodes[s.node].children[a])

    def is_terminal(self, s: State) -> bool:
        return not self.nodes[s.node].actions

    def utility(self, s: State, p: int) -> float:
        return float(self.nodes[s.node].payoffs[p])

    def information_set(self, s: State) -> int:
        """The number of the information set of a node at which a player moves."""
        return self.nodes[s.node].set

    def view(self, s: State, p: int) -> int:
        node = self.nodes[s.node]
        return node.set if node.player == p else -1

    def fractions(self, root: State, arrays: Arrays) -> Fractions:
        """The numbers of the tree below `root`, exactly, in the order of its flat arrays."""
        first, count = arrays.first.tolist(), arrays.count.tolist()
        found = Fractions([Fraction(0)] * len(arrays.payoffs), [Fraction(1)] * len(first))
        places = [root.node] * len(first)
        for number, place in enumerate(places):  # parents come before children
            node, child = self.nodes[place], first[number]
            if not node.actions:
                found.payoffs[child * self.players : (child + 1) * self.players] = node.payoffs
                continue
            places[child : child + count[number]] = node.children
            if node.chances:
                found.chance[child : child + count[number]] = node.chances
        return found

    # Text.

    def player_name(self, p: int) -> str:
        return self.names[p]

    def show_view(self, view: int, p: int) -> str:
        return self.set_names[view] if view >= 0 else "not to move"

    def show_action(self, s: State, a: int) -> str:
        return self.nodes[s.node].actions[a]

    def read(self, text: str) -> State:
        s: ExtensiveGame.State = super().read(text)
        if not 0 <= s.node < len(self.nodes):
            raise PositionError(f"{text!r} is not a node; they are numbered (0,) to ({len(self.nodes) - 1},)")
        return s
