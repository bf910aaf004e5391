"""A game that declares its public and private parts, as streets of choices and boards of cards: its public form.

Every public choice is entered once, whatever the players hold, and what follows a deal is looked at once for all cards
after which the betting goes on alike. So the form of a hold'em endgame has tens of nodes where its tree has billions.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine import Stopped
from zermelo.engine.memory import available_bytes, say_bytes
from zermelo.engine.ranges import DEAL_NODE, FIXED_NODE, SHOWDOWN_NODE, Boards, PublicGame, Streets
from zermelo.engine.regret import Array, Stop
from zermelo.errors import ContractError, InputError, MethodError
from zermelo.game.contract import CHANCE
from zermelo.game.ranges import HIDDEN, RangeGame

MOST_NODES = 200_000
"""Of public choices, deals and ends on one board."""
MOST_BOARDS = 20_000
MOST_NUMBERS = 200_000_000
"""Of both players' strategies."""
BYTES_PER_NUMBER = 36
"""A run keeps three numbers for each, and the strategy that it gives is judged in doubles."""
CHECKED = 1024
"""Nodes between two looks at the clock."""


class Choice(NamedTuple):
    """A public choice on one board."""

    board: int
    node: int
    """Its number in the street."""


@dataclass
class Street:
    """The choices between two deals, parents before children; `paths` lead from a root to each node."""

    kind: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    payoffs: list[tuple[float, float, float]] = field(default_factory=list)
    paths: list[tuple[int, tuple[Any, ...]]] = field(default_factory=list)
    roots: int = 0

    places: list[int] = field(default_factory=list)
    """Of each choice: how many actions its player has before it."""
    actions: list[int] = field(default_factory=lambda: [0, 0])
    """Of each player."""

    @cached_property
    def deals(self) -> list[int]:
        return [node for node, kind in enumerate(self.kind) if kind == DEAL_NODE]

    def add(self, kind: int, first: int, count: int, payoffs: tuple[float, float, float]) -> None:
        self.kind.append(kind)
        self.first.append(first)
        self.count.append(count)
        self.payoffs.append(payoffs)
        self.places.append(self.actions[kind] if kind >= 0 else 0)
        if kind >= 0:
            self.actions[kind] += count


@dataclass
class Board:
    """Public cards, the street after them, and what each player can hold."""

    cards: tuple[int, ...]
    parent: int
    street: int
    probability: float
    roots: list[Any]
    """The public states that the street begins with."""
    order: tuple[Array, Array]
    level: tuple[Array, Array]
    base: tuple[int, int] = (0, 0)
    """Where this board begins in each player's part of a strategy."""


class PublicForm:
    """The public part of a game, walked once, and its handle in the core."""

    players = 2

    def __init__(self, game: RangeGame, stop: Stop = None):
        """`stop` is asked now and then; once it says so, building ends with `Stopped`."""
        if not game.kind.adversarial:
            raise MethodError(f"{game.name} is not a game of two players with a constant sum: ranges need one")
        self.game = game
        self.stop = stop
        self.hands = tuple(tuple(game.hands(p)) for p in (0, 1))
        if any(len(hand.cards) > 2 for own in self.hands for hand in own):
            raise MethodError(f"a hand of {game.name} has more than two cards: use extensive_form")
        self.streets: list[Street] = []
        self.boards: list[Board] = []
        self._known: dict[Hashable, int] = {}
        self._grow()
        self._check_size()

    # The walk.

    def _grow(self) -> None:
        root = self.game.public_start()
        pending: list[tuple[tuple[int, ...], int, float, list[Any]]] = [((), -1, 1.0, [root])]
        for cards, parent, probability, roots in pending:
            number = len(self.boards)
            street = self._street(roots)
            if self.stop is not None and self.stop():
                raise Stopped
            order, level = self._hands(cards, SHOWDOWN_NODE in self.streets[street].kind)
            self.boards.append(Board(cards, parent, street, probability, roots, order, level))
            if number >= MOST_BOARDS:
                raise MethodError(f"{self.game.name} has more than {MOST_BOARDS:,} boards")
            deals = [self.state(Choice(number, node)) for node in self.streets[street].deals]
            if deals:
                for card, share in self.game.public_deals(cards):
                    after = [self.game.result(s, card) for s in deals]
                    pending.append(((*cards, card), number, float(share), after))

    def _street(self, roots: list[Any]) -> int:
        key = tuple(self.game.betting(s) for s in roots)
        if key not in self._known:
            self._known[key] = len(self.streets)
            self.streets.append(self._walk(roots))
        return self._known[key]

    def _walk(self, roots: list[Any]) -> Street:
        game, street = self.game, Street(roots=len(roots))
        states = list(roots)
        street.paths = [(k, ()) for k in range(len(roots))]
        for s in states:  # grows as it goes
            (root, path), first = street.paths[len(street.kind)], len(states)
            actions: list[Any] = []
            payoffs = (0.0, 0.0, 0.0)
            if game.is_terminal(s):
                win, tie, lose = game.stakes(s)
                payoffs = (float(win), float(tie), float(lose))
                kind = FIXED_NODE if payoffs[0] == payoffs[1] == payoffs[2] else SHOWDOWN_NODE
            elif game.player(s) == CHANCE:
                kind = DEAL_NODE
            else:
                kind, actions = game.player(s), list(game.actions(s))
                if kind not in (0, 1) or not actions:
                    raise ContractError(f"{game.name} offers no action, or to nobody, in {game.write(s)}")
            if self.stop is not None and len(street.kind) % CHECKED == 0 and self.stop():
                raise Stopped
            states += [game.result(s, a) for a in actions]
            street.paths += [(root, (*path, a)) for a in actions]
            street.add(kind, first if actions else 0, len(actions), payoffs)
            if len(states) > MOST_NODES:
                raise MethodError(f"{game.name} has more than {MOST_NODES:,} public nodes on a board, or goes round")
        return street

    def _hands(self, cards: tuple[int, ...], compares: bool) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """The hands that `cards` leave to each player, the weakest first, and their levels."""
        blocked = set(cards)
        order, strength = [], []
        for p in (0, 1):
            free = np.array(
                [i for i, hand in enumerate(self.hands[p]) if not blocked & set(hand.cards)], dtype=np.int64
            )
            own = np.asarray(self.game.strengths(p, cards))[free] if compares else np.zeros(len(free), dtype=np.int64)
            sort = np.argsort(own, kind="stable")
            order.append(free[sort])
            strength.append(own[sort])
        _, levels = np.unique(np.concatenate(strength), return_inverse=True)
        return (order[0], order[1]), (levels[: len(order[0])], levels[len(order[0]) :])

    def _check_size(self) -> None:
        sums = [0, 0]
        for board in self.boards:
            street = self.streets[board.street]
            board.base = (sums[0], sums[1])
            for p in (0, 1):
                sums[p] += street.actions[p] * len(board.order[p])
        less = "take fewer bets or raises, or smaller ranges"
        if sum(sums) > MOST_NUMBERS:
            raise MethodError(
                f"{self.game.name} has {sum(sums):,} probabilities to find, and {MOST_NUMBERS:,} is the most: {less}"
            )
        needed, left = sum(sums) * BYTES_PER_NUMBER, available_bytes()
        if needed > left:
            raise MethodError(
                f"{self.game.name} needs {say_bytes(needed)} of memory, and {say_bytes(left)} are left: {less}"
            )
        self.room = (sums[0], sums[1])

    # Queries.

    @cached_property
    def form(self) -> PublicGame:
        """The same in the core."""
        streets = Streets([], [], [], [], [], [])
        for street in self.streets:
            streets.nodes.append(len(street.kind))
            streets.roots.append(street.roots)
            streets.kind.extend(street.kind)
            streets.first.extend(street.first)
            streets.width.extend(street.count)
            streets.payoffs.extend(street.payoffs)
        boards = Boards(
            [board.parent for board in self.boards],
            [board.street for board in self.boards],
            [board.probability for board in self.boards],
            ([board.order[0] for board in self.boards], [board.order[1] for board in self.boards]),
            ([board.level[0] for board in self.boards], [board.level[1] for board in self.boards]),
        )
        held, weights = [], []
        for own in self.hands:
            held.append(np.array([(*hand.cards, -1, -1)[:2] for hand in own], dtype=np.int64).ravel())
            weights.append(np.array([hand.weight for hand in own], dtype=float))
        cards = 1 + max(int(each.max(initial=-1)) for each in held)
        total = self.game.utility_sum or 0.0
        return PublicGame(cards, total, (held[0], held[1]), (weights[0], weights[1]), streets, boards)

    @property
    def nodes(self) -> int:
        """Public nodes, on all boards."""
        return sum(len(self.streets[board.street].kind) for board in self.boards)

    def choices(self, board: int | None = None) -> list[Choice]:
        """The public choices, on one board or on all."""
        wanted = range(len(self.boards)) if board is None else [board]
        return [
            Choice(number, node)
            for number in wanted
            for node, kind in enumerate(self.streets[self.boards[number].street].kind)
            if kind >= 0
        ]

    def owner(self, choice: Choice) -> int:
        return self.streets[self.boards[choice.board].street].kind[choice.node]

    def state(self, choice: Choice) -> Any:
        """The public state of a node."""
        board = self.boards[choice.board]
        root, path = self.streets[board.street].paths[choice.node]
        s = board.roots[root]
        for a in path:
            s = self.game.result(s, a)
        return s

    def name(self, choice: Choice, hand: int) -> str:
        """What a player with that hand sees at a choice of its own, as the game writes it."""
        p = self.owner(choice)
        return self.game.show_view(self.game.view(self.game.hold(self.state(choice), p, hand), p), p)

    def rows(self, choice: Choice) -> tuple[int, int, int]:
        """Where the probabilities of a choice begin in a strategy, how many actions and how many hands there are."""
        board = self.boards[choice.board]
        street, p = self.streets[board.street], self.owner(choice)
        hands = len(board.order[p])
        return board.base[p] + street.places[choice.node] * hands + p * self.room[0], street.count[choice.node], hands

    def find(self, history: list[Any]) -> Choice:
        """The public choice at the last state of `history`, which begins at the root."""
        game, dealt = self.game, [s for s in history if min(self.game.hand(s, 0), self.game.hand(s, 1)) >= 0]
        public = [game.hold(game.hold(s, 0, HIDDEN), 1, HIDDEN) for s in dealt]
        if not public or game.key(public[0]) != game.key(self.boards[0].roots[0]):
            raise InputError("the game did not begin where this strategy does: solve it from its own start")
        at = Choice(0, 0)
        for s, after in pairwise(public):
            wanted = game.key(after)
            street = self.streets[self.boards[at.board].street]
            if street.kind[at.node] == DEAL_NODE:
                root = street.deals.index(at.node)
                children = [b for b, board in enumerate(self.boards) if board.parent == at.board]
                steps = [Choice(b, root) for b in children if game.key(self.boards[b].roots[root]) == wanted]
            else:
                found = [i for i, a in enumerate(game.actions(s)) if game.key(game.result(s, a)) == wanted]
                steps = [Choice(at.board, street.first[at.node] + i) for i in found]
            if not steps:
                raise InputError(f"no action leads from {game.write(s)} to {game.write(after)}")
            at = steps[0]
        return at

    def identify(self) -> str:
        """What distinguishes this game from others."""
        digest = hashlib.sha256(f"ranges {self.game.utility_sum} {sys.byteorder}".encode())
        for own in self.hands:
            digest.update(repr([(hand.cards, hand.weight) for hand in own]).encode())
        for street in self.streets:
            digest.update(repr((street.kind, street.first, street.payoffs)).encode())
        for board in self.boards:
            digest.update(repr((board.parent, board.street, board.probability)).encode())
            digest.update(b"".join(np.asarray(each).tobytes() for each in (*board.order, *board.level)))
        return digest.hexdigest()
