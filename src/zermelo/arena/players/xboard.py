"""A program that speaks the Chess Engine Communication Protocol of XBoard, version 2: `xboard:gnuchess --xboard`.

Moves are in the game's own notation, or as its `xboard_move(s, a)` writes them where XBoard's programs have another, so
this is for games whose notation the program shares.

The protocol counts the seconds of a move in whole ones. A fractional limit is sent as the clock of a game, which
gains that much per move, so that a program spends it on average, whatever share of its clock it takes for a move.
"""

from __future__ import annotations

import re
import time
from typing import Any

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.arena.players._outside import OWN, OutsidePlayer
from zermelo.arena.supervisor import Program
from zermelo.errors import MethodError, PlayerError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play import PlayerMove, Wish
from zermelo.play.notation import legal_actions, read_action, write_action
from zermelo.protocols.score import Score, read_score
from zermelo.search.trace.words import clean

FEATURES_TIMEOUT_SECONDS = 2.0
"""Seconds after which a program that has named no feature is one of version 1."""
MOST_FEATURES = 1000
"""The maximum number of features of a program; each is answered, so an endless list must be cut off."""
FEATURE = re.compile(r'\b(\w+)=(?:"([^"]*)"|(\S+))')
ACCEPTED = {"ping", "setboard", "usermove", "time", "colors", "reuse", "myname", "variants", "done", "option", "memory"}
REFUSED = ("Illegal move", "Error")
MOVE = re.compile(r"(?:move|\d+\s*\.\s*(?:\.\.\.)?)\s+(\S+)")
RESULT = re.compile(r"(1-0|0-1|1/2-1/2)\b")
LOSSES = ("0-1", "1-0")
"""The result with which the first player, and the second, gives up."""
TAKES = {name: meaning for name, meaning in OWN.items() if name != "nodes"}
MOVES_AHEAD = 40
"""The number of moves that the clock of a fractional limit has time for at first."""
MATE_SCORE = 100_000
"""A score of MATE_SCORE + n is a mate in n moves."""


class XboardPlayer(OutsidePlayer):
    """Keeps an XBoard engine running from game to game; between our moves it is in force mode."""

    protocol = "xboard"
    takes = TAKES

    def shake_hands(self, program: Program) -> None:
        self.features: dict[str, str] = {}
        self.sent: list[str] = []
        self.pings = 0
        program.send("xboard", self.soon())
        program.send("protover 2", self.soon())
        self.negotiate(program)
        for name, value in self.options.items():
            own = name if name in ("memory", "cores") else f"option {name}"
            program.send(f"{own} {value}" if own == name else f"{own}={value}", self.soon())

    def negotiate(self, program: Program) -> None:
        """Reads the program's features until it is done, or silent."""
        deadline, patient, named = time.monotonic() + FEATURES_TIMEOUT_SECONDS, self.soon(), 0
        while self.features.get("done") != "1":
            try:
                line = program.read_line(deadline)
            except PlayerError as error:
                if error.kind == "hang" and self.features.get("done") != "0":
                    return
                raise
            if not line.startswith("feature"):
                continue
            for name, quoted, plain in FEATURE.findall(line):
                named += 1
                if named > MOST_FEATURES:
                    raise PlayerError(f"{self.name} names more than {MOST_FEATURES:,} features", "garbage")
                self.features[name] = quoted or plain
                program.send(f"{'accepted' if name in ACCEPTED else 'rejected'} {name}", self.soon())
            if self.features.get("done") == "0":
                deadline = patient

    def begin_game(self, program: Program, game: Game) -> None:
        if game.players != 2:
            raise MethodError(f"{game.name} is for {game.players} players, and XBoard's protocol for two")
        if self.sent:
            program.send("result * {the game is over}", self.soon())
        for line in ("new", "post", "easy", "force"):
            program.send(line, self.soon())
        if "depth" in self.limits:
            program.send(f"sd {self.limits['depth']}", self.soon())
        self.sent = []
        self.start = ""
        self.control = ""
        self.saved = 0.0
        self.synchronise(program)

    def synchronise(self, program: Program) -> None:
        """Waits until the program has processed all commands, if it supports `ping`."""
        if self.features.get("ping") != "1":
            return
        self.pings += 1
        program.send(f"ping {self.pings}", self.soon())
        deadline = self.soon()
        while program.read_line(deadline) != f"pong {self.pings}":
            pass

    def ask(self, program: Program, state: object, mover: int, clock: Clock) -> PlayerMove:
        assert self.sheet is not None
        self.catch_up(program)
        deadline = self.deadline(clock, mover) + self.tell_time(program, clock, mover)
        started = time.monotonic()
        program.send("go", deadline)
        choice = self.listen(program, state, deadline)
        self.saved += (self.move_seconds(clock, mover) or 0.0) - (time.monotonic() - started)
        if not isinstance(choice.action, Wish):
            after = self.sheet.game.result(state, choice.action)
            self.sent.append(self.sheet.move_between(state, after) or "")
        program.send("force", deadline)
        return choice

    def catch_up(self, program: Program) -> None:
        """Sends the moves that the program has not seen, or the whole game if it went another way."""
        assert self.sheet is not None
        start = "" if self.sheet.from_the_beginning else self.sheet.start
        moves = self.sheet.moves
        if start != self.start or moves[: len(self.sent)] != self.sent:
            if start and self.features.get("setboard") != "1":
                raise MethodError(f"{self.name}: the program cannot set up a position; begin at the start of the game")
            for line in ("new", "post", "easy", "force", *([f"setboard {start}"] if start else [])):
                program.send(line, self.soon())
            self.sent, self.start, self.control = [], start, ""
        named = "usermove " if self.features.get("usermove") == "1" else ""
        for before, move in zip(self.sheet.states[len(self.sent) :], moves[len(self.sent) :], strict=False):
            program.send(f"{named}{self.own_word(before, move)}", self.soon())
        self.sent = list(moves)

    def own_word(self, before: object, move: str) -> str:
        """What XBoard's programs call the `move` of our notation."""
        assert self.sheet is not None
        game = self.sheet.game
        return xboard_move(game, before, read_action(game, before, move)) if has_dialect(game) else move

    def read_move(self, state: object, word: str) -> Any:
        assert self.sheet is not None
        game = self.sheet.game
        if not has_dialect(game):
            return super().read_move(state, word)
        for action in legal_actions(game, state, self.sheet.states[:-1]):
            if xboard_move(game, state, action) == word:
                return action
        raise PlayerError(f"{self.name} plays {clean(word)[:60]!r}, which is not legal here", "illegal move")

    def tell_time(self, program: Program, clock: Clock, mover: int) -> float:
        """Sends the time limit; returns the seconds that the program may take beyond its limit per move."""
        seconds = self.move_seconds(clock, mover)
        control = self.control
        if seconds is not None and seconds == round(seconds):
            control = f"st {seconds:g}"
        elif seconds is not None:
            return self.tell_average(program, seconds)
        elif clock.remaining is not None and not self.control:
            minutes, rest = divmod(int(max(clock.remaining)), 60)
            control = f"level 0 {minutes}:{rest:02} {clock.increment:g}"
        if control != self.control:
            program.send(control, self.soon())
            self.control = control
        if clock.remaining is not None and self.features.get("time") != "0":
            mine, theirs = clock.remaining[mover], clock.remaining[1 - mover]
            program.send(f"time {max(int(100 * mine), 0)}", self.soon())
            program.send(f"otim {max(int(100 * theirs), 0)}", self.soon())
        return 0.0

    def tell_average(self, program: Program, seconds: float) -> float:
        """Updates the clock, which gains `seconds` per move and loses what the program takes; returns its time."""
        if not self.control:
            minutes, rest = divmod(max(round(MOVES_AHEAD * seconds), 1), 60)
            self.control = f"level 0 {minutes}:{rest:02} 0"
            program.send(self.control, self.soon())
        left = max(int(100 * (MOVES_AHEAD * seconds + self.saved)), 1)
        program.send(f"time {left}", self.soon())
        program.send(f"otim {left}", self.soon())
        return left / 100

    def listen(self, program: Program, state: object, deadline: float) -> PlayerMove:
        """The program's move, with the thinking it reported."""
        assert self.sheet is not None
        value: float | None = None
        depth: int | None = None
        nodes: int | None = None
        while True:
            line = program.read_line(deadline)
            thought = re.match(r"(\d{1,6})[.+]?\s+(-?\d{1,9})\s+\d+\s+(\d{1,18})(?:\s|$)", line)
            if thought:
                depth, nodes = int(thought[1]), int(thought[3])
                value = read_score(self.sheet.game, score_of(int(thought[2])))
            elif line.startswith(REFUSED):
                raise PlayerError(f"{self.name} does not play on: {line[:120]!r}", "garbage")
            elif line.startswith(("resign", "tellics resign", LOSSES[self.sheet.game.player(state)])):
                return PlayerMove(Wish.RESIGN, value, depth, nodes)
            elif RESULT.match(line):
                raise PlayerError(f"{self.name} claims that the game is over: {line[:120]!r}", "garbage")
            elif match := MOVE.match(line):
                return PlayerMove(self.read_move(state, match[1]), value, depth, nodes)


def has_dialect(game: Game) -> bool:
    """Whether XBoard's programs use another notation for `game` than its own."""
    return game.can("xboard_move")


def xboard_move(game: Game[S, A], state: S, action: A) -> str:
    """`action` as XBoard's programs write it."""
    return game.xboard_move(state, action) if has_dialect(game) else write_action(game, state, action)


def score_of(number: int) -> Score:
    """A score of the protocol: centipawns, or 100,000 and the moves to the mate."""
    if abs(number) <= MATE_SCORE:
        return Score("cp", number)
    moves = abs(number) - MATE_SCORE
    return Score("mate", moves if number > 0 else -moves)


KINDS = {
    "xboard": Kind(
        XboardPlayer,
        "A program that speaks XBoard's protocol, version 2, in the game's own notation.",
        "xboard:gnuchess --xboard?depth=6",
        {**TAKES, "memory": "megabytes", "cores": "processor cores", "others": "options of the program"},
    )
}
