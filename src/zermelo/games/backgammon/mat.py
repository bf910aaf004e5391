"""Match files of backgammon (.mat, as Jellyfish and GNU Backgammon write them), to matches and back.

    read_match(write_match(m)) is m again.

A file is a length, and games of lines with two columns, a player each: rolls with their plays, words about the cube,
and who wins how many points. A game that ends before its time has been resigned. What cannot be played, or contradicts
what stands before it, raises an `InputError` with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from zermelo.engine.native import Bytes
from zermelo.errors import ActionError, InputError
from zermelo.games.backgammon.board import (
    DOUBLE,
    DROP,
    ROLL,
    TAKE,
    BackgammonPosition,
    Phase,
    read_position,
    with_score,
)
from zermelo.games.backgammon.rules import MOST_MATCH, Backgammon

COLUMN = 28
"""The width of the left column."""
MOST_LINES = 1_000_000
MOST_SCORE = (1 << 15) - 1
"""The most points that a player of games for money has won before one of them."""

LENGTH = re.compile(r"\s*(\d{1,5})\s+point match", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+\d+\s*", re.IGNORECASE)
_SCORE = re.compile(r":\s*(\d{1,5})(?!\S)")
_ENTRY = re.compile(r"(?<!\S)(?:\d\d:|Doubles|Takes|Drops|Beavers|Raccoons|Wins)", re.IGNORECASE)
_WINS = re.compile(r"Wins\s+(\d{1,4})\s+point", re.IGNORECASE)


class MatGame(NamedTuple):
    """One game: all its actions from the opening roll on, and how it ended."""

    score: tuple[int, int]
    crawford: bool
    actions: tuple[int, ...]
    winner: int | None = None
    """Nobody yet in a game that was broken off."""
    points: int = 0


class MatMatch(NamedTuple):
    """A match, or games for money if its length is 0."""

    length: int
    players: tuple[str, str]
    games: tuple[MatGame, ...]


def rules_of(length: int) -> Backgammon:
    """The rules of such a match."""
    return Backgammon(match=length, cube=True)


def start_of(rules: Backgammon, game: MatGame) -> Bytes:
    """The state in which a game of a match begins."""
    return with_score(rules.initial(), game.score, game.crawford)


# Reading.


def read_match(text: str) -> MatMatch:
    """The match in the text of a file."""
    reader = _Reader()
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise InputError(f"a match has fewer than {MOST_LINES:,} lines: give one .mat file at a time")
    for number, line in enumerate(lines, 1):
        try:
            reader.take(line)
        except (ActionError, _ProblemError) as error:
            raise InputError(f"line {number} of the match, {line.strip()[:60]!r}: {error}") from None
    return reader.finish()


class _ProblemError(Exception):
    """What is wrong with a line."""


class _Reader:
    """Takes a file line by line."""

    def __init__(self) -> None:
        self.length: int | None = None
        self.players: tuple[str, str] | None = None
        self.games: list[MatGame] = []
        self.rules: Backgammon | None = None
        self.waiting = False  # for the score of a game
        self.begun = False

    def take(self, line: str) -> None:
        line = line.expandtabs()
        if self.length is None:
            if found := LENGTH.match(line):
                self.length = int(found[1])
                if self.length > MOST_MATCH:
                    raise _ProblemError(f"matches go up to {MOST_MATCH} points here")
                self.rules = rules_of(self.length)
        elif _GAME.fullmatch(line):
            self.end_game()
            self.waiting = True
        elif self.waiting and line.strip():
            self.take_names(line.rstrip())
        elif self.begun:
            self.take_entries(line)

    def take_names(self, line: str) -> None:
        scores = list(_SCORE.finditer(line))
        if len(scores) < 2 or scores[-1].end() != len(line):
            raise _ProblemError("a game begins with names and scores, as in `Ann : 0    Bob : 0`")
        left, right = scores[0], scores[-1]
        between = line[left.end() : right.start()]
        self.players = self.players or (line[: left.start()].strip(), between.strip())
        # Long names reach beyond their column, whereas no entries of the right one begin before the cap: a left play of
        # a double takes as much.
        begins = left.end() + len(between) - len(between.lstrip())
        self.middle = min(max(begins - 4, 12), COLUMN - 4)
        self.begin_game((int(left[1]), int(right[1])))

    def begin_game(self, score: tuple[int, int]) -> None:
        assert self.rules is not None
        self.waiting, self.begun = False, True
        length = self.rules.match
        if max(score) >= (length or MOST_SCORE + 1):
            raise _ProblemError("the match is over at this score")
        # The first game at which somebody is a point away is the Crawford game.
        last = length - 1
        crawford = length > 1 and max(score) == last and not any(max(game.score) == last for game in self.games)
        # For money the score is kept for people only.
        self.game = MatGame(score, crawford, ())
        self.state = start_of(self.rules, self.game if length else self.game._replace(score=(0, 0)))
        self.actions: list[int] = []
        self.number = 0
        if self.games and length and self.games[-1].winner is not None and score != _score_after(self.games[-1]):
            left, right = _score_after(self.games[-1])
            raise _ProblemError(f"after the game before, the score is {left} to {right}")

    def take_entries(self, line: str) -> None:
        if numbered := re.match(r"\s*(\d{1,9})\)", line):
            if int(numbered[1]) != self.number + 1:
                raise _ProblemError(f"the line after number {self.number} is number {self.number + 1}")
            self.number += 1
        body = re.sub(r"^\s*\d+\)", lambda found: " " * len(found[0]), line)
        starts = [found.start() for found in _ENTRY.finditer(body)]
        for start, end in zip(starts, [*starts[1:], len(body)], strict=False):
            self.take_entry(body[start:end].strip(), int(start >= self.middle), len(starts))

    def take_entry(self, entry: str, column: int, together: int) -> None:
        found = _ENTRY.match(entry)
        assert found is not None
        word = found[0].casefold()
        if word == "wins":
            if points := _WINS.match(entry):
                self.check_end(column, int(points[1]))
                self.end_game(column, int(points[1]))
        elif word in ("beavers", "raccoons"):
            raise _ProblemError(f"{word} are not played here: leave the game out")
        elif word in ("doubles", "takes", "drops"):
            self.act({"doubles": DOUBLE, "takes": TAKE, "drops": DROP}[word])
        else:
            if not set(entry[:2]) <= set("123456"):
                raise _ProblemError(f"{entry[:2]} is no roll of two dice")
            self.roll(int(entry[0]), int(entry[1]), column if together == 1 else 0)
            play = entry[3:].strip()
            assert self.rules is not None
            self.act(self.rules.read_action(self.state, play or "no-play"))

    def roll(self, first: int, second: int, column: int) -> None:
        high, low = max(first, second), min(first, second)
        if read_position(self.state.data).phase == Phase.DECIDE:
            self.act(ROLL)
        opening = read_position(self.state.data).phase == Phase.OPENING
        if opening and self.actions:
            raise _ProblemError("the game is over before this roll")
        self.act(low << 3 | high if opening and column else high << 3 | low)

    def act(self, action: int) -> None:
        assert self.rules is not None
        if action not in self.rules.actions(self.state):
            raise _ProblemError(f"this cannot be done in {self.rules.write(self.state)}")
        self.state = self.rules.result(self.state, action)
        self.actions.append(action)

    def check_end(self, winner: int, points: int) -> None:
        """Refuses points that cannot be won now: a game that is given up counts once, twice or three times the cube."""
        at = read_position(self.state.data)
        if at.phase == Phase.OVER or (at.phase == Phase.OPENING and self.actions):
            won = won_by(self.game, at)
            if won != (winner, points):
                raise _ProblemError(f"the player in the {'right' if won[0] else 'left'} column has won {won[1]}")
        elif points not in (at.cube, 2 * at.cube, 3 * at.cube):
            raise _ProblemError(f"with the cube on {at.cube}, nobody wins {points}")

    def end_game(self, winner: int | None = None, points: int = 0) -> None:
        if self.begun:
            self.games.append(self.game._replace(actions=tuple(self.actions), winner=winner, points=points))
        self.begun = False

    def finish(self) -> MatMatch:
        self.end_game()
        if self.length is None:
            raise InputError("this is no match file: it begins with the length, as in `7 point match`, and has games")
        if self.players is None:
            raise InputError("this match has no games: each begins with a line `Game 1`, and one of names and scores")
        return MatMatch(self.length, self.players, tuple(self.games))


def won_by(game: MatGame, at: BackgammonPosition) -> tuple[int, int]:
    """Who has won `game`, which has led to `at`, and how many points."""
    if at.phase == Phase.OVER:
        return at.turn, at.points
    won = [after - before for after, before in zip(at.score, game.score, strict=True)]
    return 0 if won[0] else 1, max(won)


def _score_after(game: MatGame) -> tuple[int, int]:
    assert game.winner is not None
    left, right = game.score
    return (left + game.points, right) if game.winner == 0 else (left, right + game.points)


# Writing.


def write_match(match: MatMatch) -> str:
    """The match as the text of a file."""
    rules = rules_of(match.length)
    starts = [start_of(rules, game if match.length else game._replace(score=(0, 0))) for game in match.games]
    return write_games(rules, match, starts)


def write_games(rules: Backgammon, match: MatMatch, starts: Iterable[Bytes]) -> str:
    """The match, each game of it played by `rules` from its start."""
    games = enumerate(zip(match.games, starts, strict=True), 1)
    written = (write_game(rules, match.players, number, game, start) for number, (game, start) in games)
    return write_head(match.length) + "".join(written)


def write_head(length: int) -> str:
    """What stands above the games of a match."""
    return f" {length} point match\n\n"


def write_game(
    rules: Backgammon, players: tuple[str, str], number: int, game: MatGame, start: Bytes, turned: bool = False
) -> str:
    """One game. If it is `turned`, player 0 of its actions stands in the right column; all else goes by columns."""
    left, right = (f"{name} : {score}" for name, score in zip(players, game.score, strict=True))
    entries = [(column ^ turned, text) for column, text in _entries(rules, start, game.actions)]
    lines = [f" Game {number}", f" {left:<{COLUMN + 3}} {right}", *_lines(entries, rules.match, game)]
    return "\n".join(lines) + "\n\n"


def _lines(entries: Iterable[tuple[int, str]], length: int, game: MatGame) -> Iterable[str]:
    number, row = 1, ["", ""]
    for column, text in entries:
        if row[column] or (column == 0 and row[1]):
            yield _line(number, row)
            number, row = number + 1, ["", ""]
        row[column] = text
    if any(row):
        yield _line(number, row)
    if game.winner is not None:
        many = "s" if game.points != 1 else ""
        over = bool(length) and game.score[game.winner] + game.points >= length
        yield " " * (6 + COLUMN * game.winner) + f"Wins {game.points} point{many}{' and the match' if over else ''}"


def _line(number: int, row: list[str]) -> str:
    return f"{number:>3}) {row[0]:<{COLUMN - 1}} {row[1]}".rstrip()


def _entries(rules: Backgammon, s: Bytes, actions: Iterable[int]) -> list[tuple[int, str]]:
    """Each thing that is said, with whose column it stands in."""
    entries = []
    for action in actions:
        at = read_position(s.data)
        if at.phase == Phase.PLAY:
            play = rules.notation(s, action).replace("bar", "25").replace("off", "0")
            entries.append((at.turn, f"{at.dice[0]}{at.dice[1]}: {play}".rstrip()))
        elif action == DOUBLE and at.phase == Phase.DECIDE:
            entries.append((at.turn, f" Doubles => {2 * at.cube}"))
        elif at.phase == Phase.ANSWER:
            entries.append((1 - at.turn, " Takes" if action == TAKE else " Drops"))
        s = rules.result(s, action)
    return entries
