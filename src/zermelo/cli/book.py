"""`zermelo book`: opening books, made and shown."""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, Progress, answers, progress, writing
from zermelo.cli._options import Start, find_start, game_argument, position_options
from zermelo.errors import InputError, OptionError
from zermelo.play.notation import show_action, write_line
from zermelo.play.words import say_points
from zermelo.search.trace.words import plural

if TYPE_CHECKING:
    from zermelo.book import Book, BookBuilder, BookMove

USUAL_MINUTES = 1.0
SAVED_EVERY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Work:
    """What a book is made of."""

    files: tuple[str, ...]
    minutes: float
    games: int
    least: int


@click.command()
@game_argument
@click.option("--minutes", type=click.FloatRange(0, 1e6), help="Search so long.  [default: 1, or 0 with --from]")
@click.option("--games", type=click.IntRange(0, 10**7), default=0, help="Let the engine play so many games.")
@click.option("--from", "files", multiple=True, metavar="PATH", help="A book, or games to count; repeatable.")
@click.option("--least", type=click.IntRange(1), default=2, help="Games that must reach a position.  [default: 2]")
@click.option("--plies", type=int, default=16, help="Moves from the start, of both sides.  [default: 16]")
@click.option("--width", type=int, default=4, help="Moves of a position to search.  [default: 4]")
@click.option("--variety", type=float, default=1.0, help="How far from the best moves may be.  [default: 1]")
@click.option("--nodes", type=int, default=50_000, help="Of the search of a position.  [default: 50000]")
@click.option("--threads", type=int, default=1, help="To search on.  [default: 1]")
@click.option("--seed", type=int, default=0, help="Settles the games.  [default: 0]")
@click.option("--out", metavar="FILE", help="Where the book goes.  [default: beside the rules, or a new file here]")
@click.option("--polyglot", metavar="FILE", help="Write it for other programs, too (chess).")
@click.option("--show", is_flag=True, help="Print the moves of a position.")
@position_options
@answers
def command(
    game: str,
    files: tuple[str, ...],
    minutes: float | None,
    games: int,
    least: int,
    out: str | None,
    polyglot: str | None,
    show: bool,
    moves: str | None,
    position: str | None,
    **settings: Any,
) -> Answer:
    """Make an opening book of GAME, or show what one says.

    A book that is there already goes on to grow; Ctrl-C ends it, and nothing is lost. chess:book=FILE plays from it,
    and so does a game whose book lies beside its rules.
    """
    from zermelo.book import BookBuilder, BookSettings
    from zermelo.games import book_file

    if not show and (moves is not None or position is not None):
        raise OptionError("--moves and --position say what to show: add --show")
    start = find_start(game, moves, position)
    target = Path(out) if out is not None else book_file(game)
    if show:
        return show_moves(start, find_book(start, files, target))
    builder = BookBuilder(start.game, BookSettings(**settings))
    if polyglot is not None:
        from zermelo.book.polyglot import check_format

        check_format(start.game)
    usual = 0.0 if files or games or polyglot else USUAL_MINUTES
    work = Work(files, usual if minutes is None else minutes, games, least)
    return Making(builder, game, target).run(work, polyglot, keeps=out is not None or polyglot is None)


class Making:
    """A book under way, and its file."""

    def __init__(self, builder: BookBuilder[Any, Any], text: str, target: Path):
        self.builder = builder
        self.text = text
        self.target = target
        self.game = builder.game
        self.saved = -math.inf
        self.interrupted = False

    def run(self, work: Work, polyglot: str | None, keeps: bool) -> Answer:
        """Does the work, until it is done or Ctrl-C; writes what there is."""
        with progress(f"a book of {self.game.name}", 60 * work.minutes) as shown:
            try:
                self.do(work, shown, keeps)
            except KeyboardInterrupt:
                self.interrupted = True
            if not len(self.builder):
                if self.interrupted:
                    raise KeyboardInterrupt
                raise InputError(self.why_empty(work))
            if keeps:
                self.save()
        entries = None if polyglot is None else self.export(polyglot)
        return self.answer(keeps, polyglot, entries)

    def do(self, work: Work, shown: Progress, keeps: bool) -> None:
        old = self.old(work, keeps)
        if old is not None:
            self.builder.add_book(old)
        for file in work.files:
            shown.text = f"reading {file}"
            self.read(Path(file), work.least)

        def tell(builder: BookBuilder[Any, Any]) -> None:
            shown.text = f"a book of {self.game.name}: {plural(len(builder.tree.nodes), 'position', 'positions')}"
            if keeps and time.monotonic() - self.saved > SAVED_EVERY_SECONDS:
                self.save()

        self.builder.search(60 * work.minutes, tell)
        if work.games:
            if keeps and len(self.builder):
                self.save()
            shown.text = f"playing {plural(work.games, 'game', 'games')}"
            self.builder.play(work.games)

    def old(self, work: Work, keeps: bool) -> Book[Any, Any] | None:
        """The book to go on with; for a file of another format the game's own, if no other is named or lies here."""
        from zermelo.book import book_of, given_book, read_book

        if keeps and self.target.resolve() in [Path(file).resolve() for file in work.files]:
            return None
        if keeps or work.files:
            return read_book(self.target, self.game) if keeps and self.target.exists() else None
        given = given_book(self.game)
        return given or (read_book(self.target, self.game) if self.target.exists() else book_of(self.game))

    def read(self, path: Path, least: int) -> None:
        """Adds a book, or games from a file."""
        from zermelo.arena.recorded import read_games
        from zermelo.book import is_book, read_book

        source = name_source(path)
        if source in self.builder.sources:
            raise InputError(f"{path} is part of {self.target} already: leave it out")
        if path.is_file() and (is_book(path) or (path.suffix.lower() == ".bin" and self.game.can("polyglot_key"))):
            self.builder.add_book(read_book(path, self.game), source)
        else:
            plies = self.builder.settings.plies
            self.builder.add_games(read_games(path, self.game, plies), least, source)

    def save(self) -> None:
        with writing(self.target):
            self.builder.write(self.target)
        self.saved = time.monotonic()

    def export(self, path: str) -> int:
        from zermelo.book import write_polyglot

        with writing(path):
            return write_polyglot(path, self.game, self.builder.shares())

    def why_empty(self, work: Work) -> str:
        if self.builder.played:
            return f"no position occurs in {work.least} of these games: say fewer, as in --least 1"
        return "there was no time to search a position: give more --minutes, or fewer --nodes"

    def answer(self, keeps: bool, polyglot: str | None, entries: int | None) -> Answer:
        builder = self.builder
        line = self.best_line()
        data = {
            "game": self.game.name,
            "book": str(self.target) if keeps else None,
            "positions": len(builder),
            "searched": builder.searched,
            "games": builder.played,
            "margin": builder.tree.margin,
            "line": line,
            "polyglot": polyglot,
            "entries": entries,
            "interrupted": self.interrupted,
        }

        def text() -> str:
            counted = f"{plural(len(builder), 'position', 'positions')}, {builder.searched:,} of them searched"
            games = f", {plural(builder.played, 'game', 'games')}" if builder.played else ""
            lines = [f"{self.target if keeps else self.game.name}: {counted}{games}", f"best line: {' '.join(line)}"]
            if polyglot is not None:
                lines.append(f"{polyglot}: {plural(entries, 'entry', 'entries')}")
            if keeps:
                lines.append(f"next: zermelo book {self.text} --show --from {self.target}")
            return "\n".join(lines)

        return Answer(data, text)

    def best_line(self) -> list[str]:
        """How the book goes on from the start with its best moves."""
        tree, state, line = self.builder.tree, self.game.initial(), list[str]()
        node = tree.root
        while node.edges and len(line) < self.builder.settings.plies:
            best = self.builder.moves(node)[0].action
            line.append(show_action(self.game, state, best))
            state = self.game.result(state, best)
            edge = next(each for each in node.edges.values() if each.action == best)
            child = tree.child(node, edge)
            if child is None:
                break
            node = child
        return line


def name_source(path: Path) -> str:
    """A file by its name and a digest of what it holds; a folder by its name."""
    try:
        with path.open("rb") as file:
            return f"{path.name} {hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"
    except IsADirectoryError:
        return path.name
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


# What a book says.


def find_book(start: Start, files: tuple[str, ...], target: Path) -> Book[Any, Any]:
    """The book to show: the one that is named, or else one that the user has given the game, one that was made here, or
    that of the package."""
    from zermelo.book import book_of, given_book, read_book

    if len(files) > 1:
        raise OptionError("--show shows one book: leave all but one --from out")
    given = given_book(start.game)
    if files or (given is None and target.is_file()):
        return read_book(files[0] if files else target, start.game)
    own = given or book_of(start.game)
    if own is None:
        raise OptionError(f"{start.game.name} has no book here: name one by --from FILE, or make one by --minutes 1")
    return own


def show_moves(start: Start, book: Book[Any, Any]) -> Answer:
    """The moves of the position."""
    known = book.shares(start.state)
    rows = [describe(start, book, move, share) for move, share in known]
    data = {
        "game": start.game.name,
        "book": book.where,
        "position": start.game.write(start.state),
        "moves": rows,
        "record": book.record,
    }

    def text() -> str:
        board = start.game.show(start.state)
        return f"{board}\n\n{tabulate(start, known, rows) if rows else f'{book.where} does not know this position'}"

    return Answer(data, text)


def describe(start: Start, book: Book[Any, Any], move: BookMove[Any], share: float) -> dict[str, Any]:
    """A move as data."""
    from zermelo.book import share_of

    return {
        "move": show_action(start.game, start.state, move.action),
        "played": share,
        "weight": move.weight,
        "games": move.games,
        "score": None if move.score is None else share_of(start.game, move.score),
        "value": move.value,
        "line": write_line(start.game, start.state, book.line(start.state, move.action)),
    }


def tabulate(start: Start, known: list[tuple[BookMove[Any], float]], rows: list[dict[str, Any]]) -> str:
    """The moves as a table; what nobody knows is a dash."""
    table = [("move", "played", "games", "score", "value", "line")]
    for (move, share), row in zip(known, rows, strict=True):
        score = "–" if row["score"] is None else f"{row['score']:.0%}"
        value = "–" if move.value is None else say_points(start.game, move.value)
        table.append(
            (row["move"], f"{share:.0%}", f"{move.games:,}" if move.games else "–", score, value, " ".join(row["line"]))
        )
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = (
        "  ".join([row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5)), row[5]]).rstrip()
        for row in table
    )
    return "\n".join(lines)
