"""What players that are outside programs share: their text, their process, their deadlines and their failures.

    uci:stockfish --some-flag?Skill Level=3&Hash=64&depth=8

Before the `?` stands a command line, split as a shell would split it, though no shell runs it. After it stand options,
with `&` between them. `depth`, `nodes`, `seconds` and `patience`, in small letters, are the player's own; all others go
to the program, whose options are not case-sensitive: one of the program's that is called so is written `Depth`. `%26`
is an ampersand, `%2C` a comma.
"""

from __future__ import annotations

import contextlib
import shlex
import shutil
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import unquote

from zermelo.analysis import Clock
from zermelo.arena.supervisor import Program
from zermelo.engine.searcher import DEFAULT_SECONDS
from zermelo.engine.timeman import budget
from zermelo.errors import ActionError, MethodError, OptionError, PlayerError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.game.text import freeze
from zermelo.play import PlayerMove, Wish
from zermelo.play.notation import read_action, write_action
from zermelo.search.trace.words import clean

ANSWER_TIMEOUT_SECONDS = 60.0
"""Seconds that a program may take for an answer if there is no clock."""
LONGEST_WORD_CHARS = 400
"""The maximum number of characters of a move."""
GRACE_SECONDS = 1.0
"""Seconds beyond its time after which a program counts as hanging."""
OWN = {
    "depth": "plies to search",
    "nodes": "positions to enter at most",
    "seconds": f"time for a move; {DEFAULT_SECONDS:g} if there is no other limit",
    "patience": f"seconds to wait for an answer where no clock counts; {ANSWER_TIMEOUT_SECONDS:g}",
}


def read_command(protocol: str, text: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the options that `text` names."""
    command, _, query = text.partition("?")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"{protocol}: {command!r} is not a command line: {error}") from None
    if not words:
        raise OptionError(f"say which program to run, as in {protocol}:path/to/program")
    if shutil.which(words[0]) is None:
        raise OptionError(f"{protocol}: there is no program {words[0]!r}; give a path, or install it")
    options = {}
    for part in filter(None, query.split("&")):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            raise OptionError(f"{protocol}: {part!r} is not an option; write NAME=VALUE, with & between them")
        options[unquote(name).strip()] = unquote(value).strip()
    return words, options


def take_numbers(protocol: str, options: dict[str, str], names: Mapping[str, object]) -> dict[str, float]:
    """Those of `options` that `names` lists, taken out of them and read as numbers."""
    found: dict[str, float] = {}
    for name in names:
        if name not in options:
            continue
        text = options.pop(name)
        try:
            found[name] = int(text) if name in ("depth", "nodes") else float(text)
        except ValueError:
            raise OptionError(f"{protocol}: {name} must be a number, not {text!r}") from None
        if not 0 < found[name] < 1e9:
            raise OptionError(f"{protocol}: {name} must be more than 0, not {text!r}")
    return found


class Scoresheet:
    """A start and the moves from there, kept up to date with a game that goes on, goes back or starts again.

    A player is shown the states of its game, and an outside program wants moves: the sheet finds the action that leads
    from each state to the next, and only for those states that it has not seen yet.
    """

    def __init__(self, game: Game):
        self.game = game
        self.states: list[object] = []
        """From the start to the current one."""
        self.moves: list[str] = []
        """The moves between them, each as one word."""

    @property
    def from_the_beginning(self) -> bool:
        """Whether the first state is the one in which the game begins."""
        return self._same(self.states[0], self.game.initial())

    @property
    def start(self) -> str:
        """The first state, as the game writes it."""
        return self.game.write(self.states[0])

    def update(self, history: Sequence[object], state: object) -> None:
        """Makes `state`, after the states of `history`, the current one."""
        path = [*history, state]
        known = 0
        while known < min(len(path), len(self.states)) and self._same(path[known], self.states[known]):
            known += 1
        del self.states[known:]
        del self.moves[max(known - 1, 0) :]
        for each in path[known:]:
            self.add(each)

    def add(self, state: object) -> None:
        """Writes down the move that leads to `state`; where none does, the sheet begins again there."""
        if self.states:
            move = self.move_between(self.states[-1], state)
            if move is None:
                self.states.clear()
                self.moves.clear()
            else:
                self.moves.append(move)
        self.states.append(state)

    def move_between(self, before: object, after: object) -> str | None:
        game = self.game
        if game.is_terminal(before):
            return None
        results = [(action, game.result(before, action)) for action in game.actions(before)]
        wanted, key = freeze(after), game.key(after)
        exact = (action for action, result in results if freeze(result) == wanted)
        near = (action for action, result in results if game.key(result) == key)
        for action in (*exact, *near):
            return write_action(game, before, action)
        return None

    @staticmethod
    def _same(a: object, b: object) -> bool:
        return a is b or freeze(a) == freeze(b)


class OutsidePlayer:
    """A program that plays: started when a game begins, and again after it has failed."""

    protocol: ClassVar[str]
    takes: ClassVar[Mapping[str, str]] = OWN
    """Its own options, and what they mean; it need not have all of them."""

    def __init__(self, text: str):
        self.name = f"{self.protocol}:{text}"
        self.command, self.options = read_command(self.protocol, text)
        self.limits = take_numbers(self.protocol, self.options, self.takes)
        self.patience = self.limits.pop("patience", ANSWER_TIMEOUT_SECONDS)
        self.program: Program | None = None
        self.sheet: Scoresheet | None = None

    # What each protocol does in its own way.

    def shake_hands(self, program: Program) -> None:
        """Greets the program and sets its options."""
        raise NotImplementedError

    def begin_game(self, program: Program, game: Game) -> None:
        """Announces a new game to the program."""
        raise NotImplementedError

    def ask(self, program: Program, state: object, mover: int, clock: Clock) -> PlayerMove:
        """What the program does in the last position of `self.sheet`."""
        raise NotImplementedError

    # The player.

    def begin(self, game: Game, seat: int) -> None:
        if game.kind.hidden:
            raise MethodError(f"{game.name} hides information, of which {self.protocol} would tell a program too much")
        self.sheet = Scoresheet(game)
        old = self.program
        if old is not None and old.is_running:
            with contextlib.suppress(PlayerError):  # a program that failed between two games is started again
                self.begin_game(old, game)
                return
        self._drop()
        try:
            self.program = Program(self.command, self.name)
            self.shake_hands(self.program)
            self.begin_game(self.program, game)
        except (PlayerError, OptionError, MethodError):
            self._drop()
            raise

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        mover = game.player(state)
        if self.program is None or self.sheet is None or self.sheet.game is not game:
            self.begin(game, mover)
        assert self.sheet is not None
        assert self.program is not None
        self.sheet.update(history, state)
        try:
            return self.ask(self.program, state, mover, clock)
        except PlayerError:
            self._drop()
            raise

    def close(self) -> None:
        if self.program is not None:
            self.program.close("quit")
        self._drop()

    def _drop(self) -> None:
        """Ends the program at once; the next game gets a new one."""
        if self.program is not None:
            self.program.end()
        self.program = None

    # For the protocols.

    def soon(self) -> float:
        """The deadline for an answer that needs no thought."""
        return time.monotonic() + self.patience

    def deadline(self, clock: Clock, mover: int) -> float:
        """The time after which a program that has not answered counts as hanging."""
        limits = [] if clock.remaining is None else [clock.remaining[mover]]
        limits += [each for each in (clock.move_seconds, self.limits.get("seconds")) if each is not None]
        if not limits and not {"depth", "nodes"} & set(self.limits) and clock.nodes is None:
            limits = [DEFAULT_SECONDS]
        return time.monotonic() + (min(limits) + GRACE_SECONDS if limits else self.patience)

    def move_seconds(self, clock: Clock, mover: int) -> float | None:
        """Seconds for this move alone; `None` if the clock of the whole game, or depth or nodes, say enough."""
        fixed = [each for each in (clock.move_seconds, self.limits.get("seconds")) if each is not None]
        if clock.remaining is not None:
            allowed = usual_seconds(clock, mover)
            return min(fixed) if fixed and allowed is not None and min(fixed) <= allowed else None
        if fixed:
            return min(fixed)
        limited = {"depth", "nodes"} & set(self.limits) or clock.nodes is not None
        return None if limited else DEFAULT_SECONDS

    def read_move(self, state: object, word: str) -> Any:
        """The action that the program's `word` names."""
        assert self.sheet is not None
        if len(word) > LONGEST_WORD_CHARS:
            raise PlayerError(f"{self.name} plays a word of {len(word):,} characters", "garbage")
        try:
            return read_action(self.sheet.game, state, word, self.sheet.states[:-1])
        except ActionError as error:
            raise PlayerError(f"{self.name} plays {clean(word)[:60]!r}: {error}", "illegal move") from error


def usual_seconds(clock: Clock, p: int) -> float | None:
    """What player `p` usually takes for a move on this clock; `None` without a limit of time."""
    given = budget(clock, p)
    return given.hard if given.soft is None or given.hard is None else min(given.soft, given.hard)
