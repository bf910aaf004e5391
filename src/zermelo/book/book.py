"""What a book is: for a position the moves that it knows, and which of them to play.

    moves(s)          every move of the book, the best first
    shares(s)         how likely each of them is played
    choose(s, dice)   one of them

A move that was searched counts by its value: it is played the less, the further it is from the best one, and not at all
beyond `variety` times the book's `margin`. Where no move was searched, each counts by its weight.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple

from zermelo.errors import MethodError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.options import number

VARIETY = number(0, 1000, default=1.0, about="how far from the best a book move may be; 0 for always the best")
LINE_PLIES = 6
ATTRIBUTE = "__book__"
"""Of a game, with its book; what is called so is not part of the rules, for those that compile and compare them."""


class BookMove(NamedTuple, Generic[A]):
    """A move that a book knows in a position."""

    action: A
    weight: int
    """How often it is played where nothing was searched, against the other moves of the position."""
    games: int = 0
    """In which it was played."""
    score: float | None = None
    """The mean result of those whose result is known, for the player to move."""
    value: float | None = None
    """What searches of the positions behind it say, for the player to move."""


class Book(Generic[S, A]):
    """A book of `game`."""

    def __init__(self, game: Game[S, A], where: str, margin: float = 0.0, record: Mapping[str, Any] | None = None):
        self.game = game
        self.where = where
        """Its file, for people."""
        self.margin = margin
        """The usual distance between the best move of a position and the next one, as utility."""
        self.record = dict(record or {})
        """How it was made."""
        self.is_shipped = False
        """Whether it is the package's, and so is played only where somebody asks for a book."""

    def found(self, s: S) -> list[BookMove[A]]:
        """The moves of `s`, in any order."""
        raise NotImplementedError

    def moves(self, s: S) -> list[BookMove[A]]:
        """The moves of `s`, the best first; none if the book does not know the position."""
        return sort_moves(self.found(s))

    def ways_on(self, s: S) -> Iterable[A]:
        """The actions of `s` that may lead to further positions of the book."""
        return [move.action for move in self.found(s)]

    def shares(self, s: S, variety: float = 1.0) -> list[tuple[BookMove[A], float]]:
        """Every move of `s`, the best first, and the probability that it is played."""
        return shares(self.moves(s), variety, self.margin)

    def choose(self, s: S, dice: random.Random, variety: float = 1.0, history: Sequence[S] = ()) -> BookMove[A] | None:
        """The move to play in `s` after `history`; none if the book has none that is worth playing.

        No move leads to a position that would count as repeated: a book knows positions, not how they came about.
        """
        known = self.shares(s, variety)
        if not known:
            return None
        returns = self._returning(s, history)
        left = [(move, share) for move, share in known if share > 0 and not returns(move.action)]
        if not left:
            return None
        return dice.choices([move for move, _ in left], [share for _, share in left])[0]

    def _returning(self, s: S, history: Sequence[S]) -> Callable[[A], bool]:
        """Whether an action brings a position back, in a game where that matters."""
        game = self.game
        if game.repetition is None:
            return lambda _: False
        past = {game.recurrence(each) for each in (*history, s)}
        return lambda a: game.recurrence(game.result(s, a)) in past

    def line(self, s: S, a: A, plies: int = LINE_PLIES) -> tuple[A, ...]:
        """`a` in `s`, and how the book goes on with its best moves."""
        line = [a]
        while len(line) < plies:
            s = self.game.result(s, line[-1])
            known = self.moves(s)
            if not known:
                break
            line.append(known[0].action)
        return tuple(line)


def sort_moves(moves: Sequence[BookMove[A]]) -> list[BookMove[A]]:
    """The best first: by value, and where nothing was searched by weight."""
    best = sorted(moves, key=lambda move: (move.weight, move.games), reverse=True)
    return sorted(best, key=lambda move: -math.inf if move.value is None else move.value, reverse=True)


def shares(moves: Sequence[BookMove[A]], variety: float, margin: float) -> list[tuple[BookMove[A], float]]:
    """The probability of each of the `moves`, which are the best first."""
    if not moves:
        return []
    best = moves[0].value
    if not variety:
        weights = [1.0] + [0.0] * (len(moves) - 1)
    elif best is None:
        weights = [float(move.weight) for move in moves]
    else:
        # By the root, for the engine's own games follow these very probabilities.
        weights = [math.sqrt(1 + move.weight) * _nearness(best, move.value, variety * margin) for move in moves]
    total = sum(weights)
    return [(move, weight / total if total else 0.0) for move, weight in zip(moves, weights, strict=True)]


def _nearness(best: float, value: float | None, margin: float) -> float:
    """1 for the best value, 0 from `margin` below it on."""
    if value is None:
        return 0.0
    return 1.0 if value == best else max(0.0, 1 - (best - value) / margin) if margin else 0.0


def share_of(game: AnyGame, score: float) -> float:
    """A mean result as a share of the points, from 0 to 1."""
    low, high = game.bounds
    return (score - low) / (high - low) if math.isfinite(high - low) and high > low else 0.5


def check_game(game: AnyGame) -> None:
    """Refuses games that cannot have a book, with the reason."""
    kind, why = game.kind, ""
    if kind.hidden or kind.simultaneous:
        why = "hides information, so that a position alone does not say what to play"
    elif kind.chance:
        why = "has chance, and few positions come back in its games"
    elif not kind.adversarial:
        why = "is not a game of two players with a constant sum"
    if why:
        raise MethodError(f"{game.name} {why}: books are for games like chess, Go or Connect Four")


def attach_book(game: AnyGame, book: Book[Any, Any] | None) -> None:
    """Gives `game` the book that players of it use; `None` takes it away."""
    vars(game)[ATTRIBUTE] = book


def book_of(game: AnyGame) -> Book[Any, Any] | None:
    """The book that came with `game`, if one did."""
    found = vars(game).get(ATTRIBUTE)
    return found if isinstance(found, Book) else None


def given_book(game: AnyGame) -> Book[Any, Any] | None:
    """The book that the user has given `game`: named, or laid beside its rules. That of the package is none."""
    found = book_of(game)
    return None if found is None or found.is_shipped else found
