"""A program that speaks UCI as a player: `uci:stockfish?Skill Level=3&depth=8`.

It gets the game as `position startpos|fen TEXT moves …` in the game's own notation, and the clocks as `go wtime …`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.arena.players._outside import GRACE_SECONDS, OWN, OutsidePlayer, usual_seconds
from zermelo.arena.supervisor import Program
from zermelo.errors import OptionError, PlayerError
from zermelo.game import Game
from zermelo.play import PlayerMove
from zermelo.protocols.score import Info, read_info, read_score
from zermelo.search.trace.words import clean, shorten

LONGEST_LIST_CHARS = 600
"""The maximum length, in characters, of the list of options in the error for an unknown one."""


class UciPlayer(OutsidePlayer):
    """Keeps a UCI engine running from game to game."""

    protocol = "uci"

    def shake_hands(self, program: Program) -> None:
        program.send("uci", self.soon())
        known: dict[str, str] = {}
        for words in self.answers(program, "uciok", self.soon()):
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                known[name.casefold()] = name
        for name, value in self.options.items():
            if name.casefold() not in known:
                has = shorten(clean(", ".join(known.values())), LONGEST_LIST_CHARS) or "none"
                raise OptionError(f"{self.name}: the program has no option {name!r}; it has: {has}")
            program.send(f"setoption name {known[name.casefold()]} value {value}", self.soon())

    def begin_game(self, program: Program, game: Game) -> None:
        program.send("ucinewgame", self.soon())
        program.send("isready", self.soon())
        for _ in self.answers(program, "readyok", self.soon()):
            pass

    def answers(self, program: Program, last: str, deadline: float) -> Iterator[list[str]]:
        """The words of each line up to and including the one that begins with `last`."""
        strange = 0
        while True:
            try:
                words = program.read_line(deadline).split()
            except PlayerError as error:
                if error.kind == "hang" and strange:
                    raise PlayerError(f"{self.name} has said much, but never {last}", "garbage") from error
                raise
            strange += bool(words) and words[0] not in ("id", "option", "info", "bestmove", last)
            if words:
                yield words
            if words[:1] == [last]:
                return

    def ask(self, program: Program, state: object, mover: int, clock: Clock) -> PlayerMove:
        deadline = self.deadline(clock, mover)
        program.send(self.position(), deadline)
        program.send(self.go(clock, mover), deadline)
        told = Info()
        try:
            for words in self.answers(program, "bestmove", deadline):
                if words[0] == "info":
                    told = merge(told, read_info(" ".join(words)))
        except PlayerError as error:
            if error.kind == "hang":
                self.insist(program)
            raise
        if len(words) < 2:
            raise PlayerError(f"{self.name} says `bestmove` and no move", "garbage")
        action = self.read_move(state, words[1])
        assert self.sheet is not None
        value = None if told.score is None else read_score(self.sheet.game, told.score)
        return PlayerMove(action, value, told.depth, told.nodes)

    def insist(self, program: Program) -> None:
        """Sends `stop` to a late program; if it then answers, it was late and does not hang."""
        program.send("stop", time.monotonic() + GRACE_SECONDS)
        for _ in self.answers(program, "bestmove", time.monotonic() + GRACE_SECONDS):
            pass
        raise PlayerError(f"{self.name} has not answered before it was told to stop", "time")

    def position(self) -> str:
        assert self.sheet is not None
        start = "startpos" if self.sheet.from_the_beginning else f"fen {self.sheet.start}"
        moves = f" moves {' '.join(self.sheet.moves)}" if self.sheet.moves else ""
        return f"position {start}{moves}"

    def go(self, clock: Clock, mover: int) -> str:
        """The `go` with what `clock` and the player's own limits allow."""
        words = ["go"]
        seconds = self.move_seconds(clock, mover)
        if seconds is None and clock.remaining is not None and len(clock.remaining) > 2:
            seconds = usual_seconds(clock, mover)  # UCI knows two clocks
        if seconds is None and clock.remaining is not None:
            for letter, left in zip("wb", clock.remaining, strict=False):
                words.append(f"{letter}time {max(int(1000 * left), 0)}")
            if clock.increment:
                words += [f"{letter}inc {int(1000 * clock.increment)}" for letter in "wb"]
        if seconds is not None:
            words.append(f"movetime {max(int(1000 * seconds), 1)}")
        nodes = [int(each) for each in (clock.nodes, self.limits.get("nodes")) if each is not None]
        words += [f"nodes {min(nodes)}"] if nodes else []
        words += [f"depth {self.limits['depth']}"] if "depth" in self.limits else []
        return " ".join(words)


def merge(old: Info, new: Info) -> Info:
    """What is known after `new`: of the best line only, and of a score no bounds."""
    if new.multipv not in (None, 1):
        return old
    sound = new.score is not None and not new.bound
    return Info(
        depth=old.depth if new.depth is None or not sound else new.depth,
        score=new.score if sound else old.score,
        nodes=old.nodes if new.nodes is None else new.nodes,
    )


KINDS = {
    "uci": Kind(
        UciPlayer,
        "A program that speaks UCI, in the game's own notation.",
        "uci:stockfish?Skill Level=3&depth=8",
        {**OWN, "others": "options of the program, with & between them"},
    )
}
