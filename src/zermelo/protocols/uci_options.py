"""The options of a UCI engine: what it offers, and what setting one of them does to a session.

Those that every game has are always offered. `UCI_Chess960` is there for a game that can write castling either way,
`UCI_ShowWDL` where a win, a draw and a loss are all there is, `Skill Level` where the strength of weakened play has
been measured, and `UCI_LimitStrength` and `UCI_Elo` where that was against players whose Elo people know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from zermelo.errors import InputError
from zermelo.protocols.score import has_odds, read_number
from zermelo.protocols.session import Session

ABOUT = "Plays any game whose rules are a Python class; positions and moves are in the game's own notation"


class UciOption(Protocol):
    """Something that a peer may set."""

    @property
    def name(self) -> str: ...

    def describe(self) -> str:
        """Its type and range, in the words of UCI."""

    def set(self, value: str) -> None:
        """Takes the value that a peer has sent."""


@dataclass(frozen=True, slots=True)
class SpinOption:
    """A whole number."""

    name: str
    default: int
    least: int
    most: int
    take: Callable[[int], None]

    def describe(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def set(self, value: str) -> None:
        number = read_number(value)
        if number is None or not self.least <= number <= self.most:
            raise InputError(f"{self.name} must be a whole number from {self.least} to {self.most}, not {value!r}")
        self.take(number)


@dataclass(frozen=True, slots=True)
class CheckOption:
    """Yes or no."""

    name: str
    default: bool
    take: Callable[[bool], None]

    def describe(self) -> str:
        return f"type check default {str(self.default).lower()}"

    def set(self, value: str) -> None:
        if value.casefold() not in ("true", "false"):
            raise InputError(f"{self.name} must be true or false, not {value!r}")
        self.take(value.casefold() == "true")


@dataclass(frozen=True, slots=True)
class ButtonOption:
    """Something that happens when it is pressed."""

    name: str
    press: Callable[[], None]

    def describe(self) -> str:
        return "type button"

    def set(self, value: str) -> None:
        self.press()


@dataclass(frozen=True, slots=True)
class TextOption:
    """A line for people to read."""

    name: str
    text: str

    def describe(self) -> str:
        return f"type string default {self.text}"

    def set(self, value: str) -> None:
        """It stays as it is."""


@dataclass(frozen=True, slots=True)
class FileOption:
    """A file; none if its name is empty."""

    name: str
    take: Callable[[str], None]

    def describe(self) -> str:
        return "type string default <empty>"

    def set(self, value: str) -> None:
        self.take("" if value == "<empty>" else value)


@runtime_checkable
class WritesChess960(Protocol):
    """A game that can write castling either way."""

    chess960: bool


def offered(session: Session) -> dict[str, UciOption]:
    """The options of a session by their names in small letters, as UCI ignores case."""
    settings = session.settings

    def put(attribute: str, unit: int = 1) -> Callable[[int], None]:
        """Sets a number of the settings; `unit` of the peer's make one of theirs."""
        return lambda number: setattr(settings, attribute, number if unit == 1 else number / unit)

    options: list[UciOption] = [
        SpinOption("Hash", settings.table_mb, 1, 1 << 20, put("table_mb")),
        SpinOption("Threads", settings.threads, 1, 1024, put("threads")),
        SpinOption("MultiPV", settings.lines, 1, 256, put("lines")),
        SpinOption("Move Overhead", round(1000 * settings.overhead), 0, 10_000, put("overhead", unit=1000)),
        ButtonOption("Clear Hash", session.forget),
        CheckOption("Ponder", False, lambda _: None),
        CheckOption("UCI_AnalyseMode", settings.analysing, put("analysing")),
        *odds_options(session),
        *book_options(session),
        *notation_options(session),
        *strength_options(session),
        TextOption("UCI_EngineAbout", ABOUT),
    ]
    return {option.name.casefold(): option for option in options}


def odds_options(session: Session) -> list[UciOption]:
    settings = session.settings

    def show(value: bool) -> None:
        settings.shows_odds = value

    return [CheckOption("UCI_ShowWDL", settings.shows_odds, show)] if has_odds(session.game) else []


def book_options(session: Session) -> list[UciOption]:
    """Where a game can have a book."""
    settings = session.settings
    if not session.game.kind.combinatorial:
        return []

    def use(value: bool) -> None:
        settings.own_book = value

    def vary(percent: int) -> None:
        settings.variety = percent / 100

    return [
        CheckOption("OwnBook", settings.own_book, use),
        FileOption("BookFile", session.open_book),
        SpinOption("Book Variety", round(100 * settings.variety), 0, 1000, vary),
    ]


def notation_options(session: Session) -> list[UciOption]:
    """Chess960 castles as the king that takes its rook; the rules are those of chess, so only the writing changes."""
    game = session.game
    if not isinstance(game, WritesChess960):
        return []
    return [CheckOption("UCI_Chess960", game.chess960, lambda value: setattr(game, "chess960", value))]


def strength_options(session: Session) -> list[UciOption]:
    settings, weakened = session.settings, session.weakened
    if weakened is None:
        return []

    full = weakened.levels + 1

    def choose(level: int) -> None:
        settings.level = level if level < full else None

    def limit(value: bool) -> None:
        settings.limited = value

    def rate(elo: int) -> None:
        settings.elo = elo

    options: list[UciOption] = [SpinOption("Skill Level", full, 1, full, choose)]
    if weakened.elos is not None:
        options.append(CheckOption("UCI_LimitStrength", settings.limited, limit))
        options.append(SpinOption("UCI_Elo", settings.elo, *weakened.elos, rate))
    return options
