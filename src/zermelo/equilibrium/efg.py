"""EFG, Gambit's text format of extensive games: read and written. Nodes are in prefix order, one per line.

EFG 2 R "title" { "Ann" "Bob" } "comment"
c "" 1 "deal" { "red" 1/2 "black" 1/2 } 0                 chance: set, its name, actions and probabilities, outcome
p "" 1 1 "Ann's red" { "up" "down" } 0                    a player: player, set, its name, actions, outcome
t "" 1 "Ann wins" { 1, -1 }                               an end: outcome, its name, payoffs

A set or an outcome is described where it first occurs, and need not be described again. An outcome at
an inner node is added to all below it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import MOST_INTERPRETED, ExtensiveForm, ExtensiveGame, Node, extensive_form
from zermelo.equilibrium.form import NormalForm
from zermelo.equilibrium.nfg import Reader, load_text, quote, unlike
from zermelo.equilibrium.numbers import LARGEST, read_number
from zermelo.errors import InputError, MethodError
from zermelo.game.contract import CHANCE, Game

MOST_PLAYERS = 64
MAX_DENOMINATOR_BITS = 4096


@dataclass(slots=True)
class _Set:
    number: int
    name: str
    actions: list[str]
    chances: list[Fraction]


def load_efg(path: str | Path) -> ExtensiveGame:
    """The game in a file."""
    return read_efg(load_text(path, "EFG"))


def read_efg(text: str) -> ExtensiveGame:
    """The game that `text` describes."""
    return _Reader(text, "EFG").game()


class _Reader(Reader):
    """The parts of an EFG file."""

    def game(self) -> ExtensiveGame:
        self.expect("EFG", "2")
        if self.next("R or D").upper() not in ("R", "D"):
            raise InputError("an EFG file begins with EFG 2 R or EFG 2 D")
        title = self.string("the title")
        self.names = self.strings("the players' names")
        if not 1 <= len(self.names) <= MOST_PLAYERS:
            raise InputError(f"an EFG file has 1 to {MOST_PLAYERS} players")
        if self.peek().startswith('"'):
            self.string("a comment")
        self.sets: dict[tuple[int, int], _Set] = {}
        self.set_names: list[str] = []
        self.outcomes: dict[int, tuple[Fraction, ...]] = {0: (Fraction(0),) * len(self.names)}
        nodes = self.tree()
        self.end()
        return ExtensiveGame(title, unlike(self.names), nodes, self.set_names)

    def tree(self) -> list[Node]:
        """All nodes; those whose children are still to come wait on a stack, so that depth is not limited."""
        nodes: list[Node] = []
        waiting: list[int] = []
        gained: list[tuple[Fraction, ...]] = []
        while not nodes or waiting:
            node, outcome = self.node()
            number = len(nodes)
            nodes.append(node)
            if waiting:
                parent = waiting[-1]
                nodes[parent].children.append(number)
                outcome = checked(tuple(a + b for a, b in zip(gained[parent], outcome, strict=True)))
                if len(nodes[parent].children) == len(nodes[parent].actions):
                    waiting.pop()
            gained.append(outcome)
            if node.actions:
                waiting.append(number)
            else:
                node.payoffs = checked(outcome)
        return nodes

    def node(self) -> tuple[Node, tuple[Fraction, ...]]:
        kind = self.next("a node: c, p or t").lower()
        if kind not in ("c", "p", "t"):
            raise InputError(f"the EFG file has {kind[:40]!r} where a node should begin, with c, p or t")
        self.string("the name of a node")
        if kind == "t":
            return Node(), self.outcome()
        player = CHANCE
        if kind == "p":
            player = self.whole("the number of a player") - 1
            if not 0 <= player < len(self.names):
                raise InputError(f"the EFG file names player {player + 1}, and there are {len(self.names)}")
        here = self.information_set(player)
        number = here.number if kind == "p" else -1
        return Node(player, number, here.actions, here.chances), self.outcome()

    def information_set(self, player: int) -> _Set:
        key = (player, self.whole("the number of an information set"))
        name = self.string("the name of an information set") if self.peek().startswith('"') else ""
        known = self.sets.get(key)
        if self.peek() == "{":
            actions, chances = self.actions(player == CHANCE)
            if known is not None and (known.actions, known.chances) != (actions, chances):
                raise InputError(f"information set {key[1]} has other actions at another node")
        elif known is None:
            raise InputError(f"information set {key[1]} has no actions where it is first named")
        if known is None:
            known = self.sets[key] = _Set(len(self.set_names), name, actions, chances)
            self.set_names.append(name or f"set {key[1]}")
        return known

    def actions(self, chance: bool) -> tuple[list[str], list[Fraction]]:
        self.expect("{")
        names, chances = [], []
        while self.peek() != "}":
            names.append(self.string("the name of an action"))
            if chance:
                chances.append(read_number(self.next("a probability")))
        self.expect("}")
        if not names:
            raise InputError("the EFG file has a node without actions: an end begins with t")
        total = sum(chances, Fraction(0))
        if any(share < 0 for share in chances):
            raise InputError(f"the EFG file has a negative probability, {float(min(chances))}")
        if chance and abs(total - 1) > Fraction(1, 10**9):
            raise InputError(f"the probabilities of a chance node sum to {float(total)}, not to 1")
        return unlike(names), chances

    def outcome(self) -> tuple[Fraction, ...]:
        number = self.whole("the number of an outcome")
        if self.peek().startswith('"'):
            self.string("the name of an outcome")
        if self.peek() == "{":
            self.expect("{")
            payoffs = tuple(read_number(self.next("a payoff")) for _ in self.names)
            self.expect("}")
            if number == 0 or self.outcomes.setdefault(number, payoffs) != payoffs:
                raise InputError(f"outcome {number} has other payoffs elsewhere; 0 is nothing for anybody")
        if number not in self.outcomes:
            raise InputError(f"outcome {number} has no payoffs where it is first named")
        return self.outcomes[number]


def checked(payoffs: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Payoffs that a double can hold, with denominators that have not grown out of hand on the way."""
    if any(abs(u) > LARGEST or u.denominator.bit_length() > MAX_DENOMINATOR_BITS for u in payoffs):
        raise InputError("the EFG file has payoffs that are too large, or that add up to endless fractions")
    return payoffs


def write_efg(game: Game | ExtensiveForm | NormalForm) -> str:
    """The tree of any game as text, from which `read_efg` makes it again, with the same numbers."""
    form = extensive_form(tree_of(game) if isinstance(game, NormalForm) else game)
    arrays, source = form.arrays, form.game
    infoset, first, count = (column.tolist() for column in arrays[:3])
    payoffs, chance = form.exact
    players = unlike([source.player_name(p) for p in range(form.players)])
    lines = [f"EFG 2 R {quote(source.name)} {{ {' '.join(map(quote, players))} }}"]
    numbers = _set_numbers(form)
    outcomes: dict[tuple[Fraction, ...], int] = {}
    labels = _chance_labels(form)
    pending = [0]
    while pending:
        node = pending.pop()
        if infoset[node] == END_NODE:
            place = first[node] * form.players
            end = tuple(payoffs[place : place + form.players])
            number = outcomes.setdefault(end, len(outcomes) + 1)
            lines.append(f't "" {number} "" {{ {", ".join(map(str, end))} }}')
            continue
        children = range(first[node], first[node] + count[node])
        if infoset[node] == CHANCE_NODE:
            odds = [chance[child] for child in children]
            total = 1 if isinstance(source, ExtensiveGame) else sum(odds)
            named = " ".join(f"{quote(a)} {o / total}" for a, o in zip(labels(node), odds, strict=True))
            lines.append(f'c "" {node + 1} "" {{ {named} }} 0')
        else:
            here = form.sets[infoset[node]]
            named = " ".join(map(quote, here.actions))
            lines.append(f'p "" {here.player + 1} {numbers[infoset[node]]} {quote(here.name)} {{ {named} }} 0')
        pending += reversed(children)
    return "\n".join([*lines, ""])


def tree_of(form: NormalForm) -> ExtensiveGame:
    """A game in normal form as a tree: the players choose in turn, and nobody sees what the others have chosen."""
    sizes = [math.prod(form.shape[:p]) for p in range(len(form.shape) + 1)]
    if sum(sizes) > MOST_INTERPRETED:
        raise MethodError(f"the tree of {' × '.join(map(str, form.shape))} actions is too large: save it as .nfg")
    nodes: list[Node] = []
    for p, (size, names) in enumerate(zip(sizes, form.actions, strict=False)):
        first = len(nodes) + size
        for i in range(size):
            children = range(first + i * len(names), first + (i + 1) * len(names))
            nodes.append(Node(p, p, list(names), [], list(children)))
    ends = zip(*(table.ravel().tolist() for table in form.exact), strict=True)
    nodes += [Node(payoffs=payoffs) for payoffs in ends]
    players = unlike(list(form.players))
    return ExtensiveGame(form.title, players, nodes, list(players))


def _set_numbers(form: ExtensiveForm) -> list[int]:
    """Each player's information sets, numbered from 1."""
    taken = [0] * form.players
    numbers = []
    for p in form.arrays.owner.tolist():
        taken[p] += 1
        numbers.append(taken[p])
    return numbers


def _chance_labels(form: ExtensiveForm) -> Callable[[int], list[str]]:
    """Node → the names of chance's actions there, found by playing to the node."""
    parents: dict[int, tuple[int, int]] = {}
    for node, (start, width) in enumerate(zip(form.arrays.first.tolist(), form.arrays.count.tolist(), strict=True)):
        for i in range(width):
            parents[start + i] = (node, i)
    game = form.game

    def names(node: int) -> list[str]:
        way = []
        here = node
        while here:
            here, i = parents[here]
            way.append(i)
        s = form.root
        for i in reversed(way):
            actions = [a for a, _ in game.chances(s)] if game.player(s) == CHANCE else list(game.actions(s))
            s = game.result(s, actions[i])
        return unlike([game.show_action(s, a) for a, _ in game.chances(s)])

    return names
