"""Making a book: from searches, from games, and from other books.

    builder = BookBuilder(game, plies=16)
    builder.add_book(read_book("old.book", game))   to go on with a book
    builder.add_games(games, least=2)               positions that games have reached, with their results
    builder.search(minutes=10)                      the most urgent position, again and again
    builder.play(games=200)                         the engine plays on from the ends of the book's lines
    builder.write("new.book")

Every step can be left out, and each can be ended at any time: what there is so far is a book.
"""

from __future__ import annotations

import math
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.analysis import Analysis, Limits
from zermelo.book.book import Book, BookMove, check_game, share_of, shares, sort_moves
from zermelo.book.file import ROW, StoredBook, contents_of, write_contents
from zermelo.book.keys import position_key
from zermelo.book.tree import BookTree, Edge, Node
from zermelo.engine.searcher import Searcher
from zermelo.errors import ActionError
from zermelo.game.contract import A, Game, S
from zermelo.options import check_fields, number, whole
from zermelo.version import own_version

MEASURED_EVERY = 32
"""Searches after which the margin is measured again."""
NODES_SPREAD = 0.5
"""By which share the nodes of a move vary in the engine's games, so that they are not copies of each other."""


@dataclass(frozen=True, slots=True)
class BookSettings:
    """How a book is made."""

    plies: int = 16
    """How far from the start a position may be to have an entry."""
    width: int = 4
    """Moves of a position that are searched for their values."""
    variety: float = 1.0
    """How far from the best a move may be to be played, as a multiple of the usual distance to the next best one."""
    nodes: int = 50_000
    """Of the search of a position."""
    threads: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(
            self,
            {
                "plies": whole(1, 10_000),
                "width": whole(1, 256),
                "variety": number(0.01, 100),
                "nodes": whole(1, 1 << 40),
                "threads": whole(1, 1024),
                "seed": whole(0, (1 << 64) - 1),
            },
        )


class PlayedGame(NamedTuple, Generic[S, A]):
    """A game from which a book is made."""

    start: S
    actions: Sequence[A]
    utilities: Sequence[float] | None
    """What each player got; `None` if nobody knows."""


@dataclass(slots=True)
class Tally(Generic[S, A]):
    """A position that games have reached, and what was played there."""

    state: S
    ply: int
    games: int = 0
    moves: dict[A, list[float]] = field(default_factory=dict)
    """For each action the games, those with a result, and the sum of what the mover got."""


class BookBuilder(Generic[S, A]):
    """A book that grows."""

    def __init__(self, game: Game[S, A], settings: BookSettings | None = None):
        check_game(game)
        self.game = game
        self.settings = settings or BookSettings()
        self.tree = BookTree(game, self.settings.plies, self.settings.variety)
        self.searched = self.played = 0
        """Positions that were searched, and games that were read or played."""
        self.minutes = 0.0
        """That the searches took."""
        self.kept: NDArray[Any] = np.zeros(0, ROW)
        """Moves of positions that the book went on with cannot be reached from the start."""
        self.sources: list[str] = []
        """The files that went into it, as the caller calls them."""
        self.searcher: Searcher[S, A] | None = None

    # From other books.

    def add_book(self, book: Book[S, A], source: str = "") -> None:
        """All that `book` knows: its games are added, its values and weights are taken over."""
        for state, ply, moves in positions(book):
            node = self.tree.add(state, ply)
            numbers = self._numbers(state)
            for move in moves:
                edge = self.tree.edge(node, numbers[move.action], move.action)
                self._take(node, edge, move, isinstance(book, StoredBook))
        self.sources += [*book.record.get("sources", []), *([source] if source else [])]
        if isinstance(book, StoredBook):
            searched, played, minutes = (amount_of(book.record, name) for name in ("searched", "games", "minutes"))
            self.searched += int(searched)
            self.played += int(played)
            self.minutes += minutes
            self.kept = np.concatenate([self.kept, book.rows[~np.isin(book.keys, list(self.tree.nodes))]])
        self.tree.measure()

    def _take(self, node: Node[S, A], edge: Edge[A], move: BookMove[A], own: bool) -> None:
        edge.games += move.games
        if move.score is not None:
            edge.results += move.games
            edge.total += move.games * move.score
        if move.value is not None:
            edge.value, node.searched = self._shared(move.value, node), True
        counted = self._points(move.games, move.score) if own else 0
        edge.weight += max(move.weight - counted, 0)

    def _numbers(self, state: S) -> dict[A, int]:
        """The actions of a position with their numbers."""
        return {action: at for at, action in enumerate(self.game.actions(state))}

    def _shared(self, value: float, node: Node[S, A]) -> float:
        """A value for the mover as one for player 0, or the other way round."""
        return value if node.mover == 0 else 2 * self.game.neutral - value

    # From games.

    def add_games(self, games: Iterable[PlayedGame[Any, Any]], least: int | None = 1, source: str = "") -> None:
        """Counts what was played, within the plies of the book, in the positions that it has, and in those that `least`
        games have reached; `None` for no others."""
        tallies: dict[int, Tally[S, A]] = {}
        count = 0
        for count, game in enumerate(games, 1):  # noqa: B007
            self._tally(tallies, game)
        known = {node.key for node in self.tree.walk()}
        often = [each for key, each in tallies.items() if key in known or (least is not None and each.games >= least)]
        found = sorted(often, key=lambda each: each.ply)
        for tally in found:
            self._count(tally)
        self.played += count
        self.sources += [source] if source else []
        self.tree.settle_all()

    def _tally(self, tallies: dict[int, Tally[S, A]], game: PlayedGame[Any, Any]) -> None:
        state, utilities = game.start, game.utilities
        for ply, action in enumerate(game.actions[: self.settings.plies]):
            tally = tallies.setdefault(position_key(self.game, state), Tally(state, ply))
            tally.ply = min(tally.ply, ply)
            tally.games += 1
            sums = tally.moves.setdefault(action, [0, 0, 0.0])
            sums[0] += 1
            if utilities is not None:
                sums[1] += 1
                sums[2] += utilities[self.game.player(state)]
            state = self.game.result(state, action)

    def _count(self, tally: Tally[S, A]) -> None:
        node = self.tree.add(tally.state, tally.ply)
        numbers = self._numbers(tally.state)
        for action, (games, results, total) in tally.moves.items():
            if action not in numbers:
                raise ActionError(
                    f"{action!r} is not a legal action in {self.game.write(tally.state)}: check the games"
                )
            edge = self.tree.edge(node, numbers[action], action)
            edge.games += int(games)
            edge.results += int(results)
            edge.total += total

    # From searches.

    def search(self, seconds: float, tell: Callable[[BookBuilder[S, A]], None] = lambda _: None) -> None:
        """Searches the most urgent positions until the time is up, or nothing is left; `tell` hears of each."""
        number(0).check("seconds", seconds)
        begun, before = time.monotonic(), self.minutes
        while (left := begun + seconds - time.monotonic()) > 0:
            node = self.tree.next()
            if node is None or not self._expand(node, left):
                return
            self.searched += 1
            self.minutes = before + (time.monotonic() - begun) / 60
            if self.searched % MEASURED_EVERY == 1:
                self.tree.measure()
            tell(self)

    def _expand(self, node: Node[S, A], seconds: float) -> bool:
        """Searches a position for the values of its best moves; whether there was time for it."""
        values = self._values(node.state, seconds)
        if not values:
            return False
        numbers = self._numbers(node.state)
        found = [(self.tree.edge(node, numbers[action], action), self._shared(value, node)) for action, value in values]
        for edge, value in found:  # at once, should Ctrl-C come
            edge.value = value
        node.searched = True
        self.tree.settle(node)
        return True

    def _values(self, state: S, seconds: float) -> list[tuple[A, float]]:
        """The best actions of `state` with what a search says of them; none if the time was up before."""
        if self.searcher is None:
            self.searcher = Searcher(self.game, threads=self.settings.threads, quiet=True)
        limits, lines = Limits(nodes=self.settings.nodes, seconds=seconds), self.settings.width
        best: list[tuple[A, float]] = []
        for found in self.searcher.think(state, limits, lines=lines):
            if found.stopped == "interrupt":
                raise KeyboardInterrupt
            values = judged(found, lines)
            if found.stopped == "seconds" and not best:
                return []
            if len(values) >= len(best):
                best = values
        return best

    # From games of the engine with itself.

    def play(self, games: int, stop: Callable[[], bool] | None = None) -> None:
        """Games that follow the book to the end of a line, and then the engine's searches to the end."""
        from zermelo.learn.records import RecordedGames, RecordWriter
        from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

        dice = random.Random(self.settings.seed)
        lines = [self._line(dice) for _ in range(games)]
        options: SelfPlayOptions[Any] = SelfPlayOptions(
            player=SearchPlayer(nodes=max(self.settings.nodes // 10, 1)),
            games=games,
            seed=self.settings.seed,
            threads=self.settings.threads,
            nodes_spread=NODES_SPREAD,
            starts=[state for state, _ in lines],
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games"
            try:
                with RecordWriter(path, self.game) as writer:
                    for block in SelfPlay(self.game, options).blocks(stop):
                        writer.write(block)
            finally:
                recorded: Iterable[Any] = RecordedGames(path, self.game) if path.exists() else ()
                start = self.game.initial()
                self.add_games(
                    (PlayedGame(start, (*lines[each.number][1], *each.actions), each.utilities) for each in recorded),
                    least=None,
                )

    def _line(self, dice: random.Random) -> tuple[S, tuple[A, ...]]:
        """A line of the book, as players would choose it: where it ends, and its moves."""
        node, actions = self.tree.root, list[A]()
        while True:
            known = shares(self.moves(node), 1.0, self.tree.margin)
            choices = [(move, share) for move, share in known if share]
            if not choices:
                return node.state, tuple(actions)
            move = dice.choices([each for each, _ in choices], [share for _, share in choices])[0]
            after = self.game.result(node.state, move.action)
            if self.game.is_terminal(after):
                return node.state, tuple(actions)
            actions.append(move.action)
            child = self.tree.nodes.get(position_key(self.game, after))
            if child is None or child.ply <= node.ply:
                return after, tuple(actions)
            node = child

    # The book.

    def shares(self) -> Iterator[tuple[S, list[tuple[BookMove[A], float]]]]:
        """Every position, its moves, and how likely each is played."""
        return ((node.state, shares(self.moves(node), 1.0, self.tree.margin)) for node in self.tree.walk())

    def moves(self, node: Node[S, A]) -> list[BookMove[A]]:
        """The moves of a position as the book gives them, the best first."""
        found = []
        for edge in node.edges.values():
            value = self.tree.worth(node, edge)
            score = edge.total / edge.results if edge.results else None
            weight = edge.weight + self._points(edge.games, score)
            known = None if math.isnan(value) else self._shared(value, node)
            found.append(BookMove(edge.action, weight, edge.games, score, known))
        return sort_moves(found)

    def _points(self, games: int, score: float | None) -> int:
        """Twice the points of games, as Polyglot weighs a move: one whose result is unknown counts as drawn."""
        return games if score is None else round(2 * games * share_of(self.game, score))

    def write(self, path: str | os.PathLike[str], **record: Any) -> None:
        """Writes the file completely or not at all, with a `record` of its making."""
        self.tree.measure()
        made = {
            "made_by": f"zermelo {own_version()}",
            "searched": self.searched,
            "minutes": round(self.minutes, 1),
            "games": self.played,
            **asdict(self.settings),
            "sources": self.sources,
            **record,
        }
        rows = np.concatenate([self._rows(), self.kept])
        write_contents(path, contents_of(self.game, rows, self.tree.margin, made))

    def _rows(self) -> NDArray[Any]:
        rows = []
        for node in self.tree.walk():
            numbers = {edge.action: edge.number for edge in node.edges.values()}
            for move in self.moves(node):
                score = math.nan if move.score is None else move.score
                value = math.nan if move.value is None else move.value
                rows.append((node.key, numbers[move.action], move.weight, move.games, score, value))
        return np.array(rows, ROW)

    def __len__(self) -> int:
        """The number of positions."""
        return sum(1 for _ in self.tree.walk())


def amount_of(record: Mapping[str, Any], name: str) -> float:
    """A number of the record of a book; 0 if it is none there."""
    found = record.get(name)
    return found if isinstance(found, (int, float)) and 0 <= found < math.inf else 0


def judged(found: Analysis, lines: int) -> list[tuple[Any, float]]:
    """The best actions that a search has valued, with their values: a bound of alpha-beta is none."""
    if found.lines:
        return [(line[0], value) for value, line in found.lines[:lines] if line]
    if found.visits:
        most = sorted(found.visits, key=lambda action: -found.visits[action])[:lines]
        return [(action, found.actions[action]) for action in most if action in found.actions]
    return [] if found.action is None else [(found.action, found.value)]


def positions(book: Book[S, A]) -> Iterator[tuple[S, int, list[BookMove[A]]]]:
    """Every position of `book` that can be found from the start, with its ply and moves: the nearest ones first."""
    game = book.game
    seen, waiting = set(), [(game.initial(), 0)]
    for state, ply in waiting:
        key = position_key(game, state)
        if key in seen:
            continue
        seen.add(key)
        known = book.moves(state)
        if known:
            yield state, ply, known
        played = {move.action for move in known}
        for action in book.ways_on(state):
            after = game.result(state, action)
            if action in played or book.moves(after):
                waiting.append((after, ply + 1))
