"""The Universal Chess Interface, for any game: an engine that reads lines and answers with lines.

Nothing that is read can end it but `quit` and the end of the input. A line that makes no sense is answered with
`info string …`; every `go` is answered with exactly one `bestmove`. Positions are what the game's `write` gives, moves
what its `show_action` gives, each as one word.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from zermelo.analysis import Analysis, Clock, Progress
from zermelo.errors import InputError
from zermelo.play.notation import read_action, write_action, write_line
from zermelo.protocols.score import Info, Odds, read_number, write_odds, write_score
from zermelo.protocols.session import SearchThread, Session
from zermelo.protocols.settings import SearchRequest
from zermelo.protocols.uci_options import offered
from zermelo.search.trace.words import clean

LONGEST_LINE_BYTES = 1 << 20
"""Bytes; a longer line is not read."""
LONGEST_COMMENT_CHARS = 500
"""Characters of an `info string`."""
GREATEST_NUMBER = 10**9
"""The greatest number that is accepted: seconds, nodes and depths beyond it are as good as no limit."""
EFFORT_SECONDS = 1.0
"""How often a long search tells its nodes and its time."""
GO_WORDS = {"wtime", "btime", "winc", "binc", "movestogo", "movetime", "nodes", "depth", "mate"}
GO_FLAGS = {"infinite", "ponder", "searchmoves"}


def read_lines(stream: BinaryIO) -> Iterator[str | None]:
    """The lines of `stream`, whatever bytes they are made of; `None` for one that is too long."""
    while True:
        line = stream.readline(LONGEST_LINE_BYTES)
        if not line:
            return
        if len(line) < LONGEST_LINE_BYTES or line.endswith(b"\n"):
            yield line.decode("utf-8", errors="replace").replace("\0", " ")
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE_BYTES)
        yield None


@dataclass(slots=True)
class Told:
    """What a peer knows of the depth that a search is in the middle of."""

    best: tuple[object, ...] = ()
    move: tuple[int, int] = (0, 0)
    """The depth, and the number of the move."""
    seconds: float = 0.0
    """When the effort was told."""


class UciServer:
    """A session that speaks UCI; `say` is given one line at a time, from two threads but never from both at once."""

    def __init__(self, session: Session, say: Callable[[str], None]):
        self.session = session
        self.game = session.game
        self.options = offered(session)
        self.debug = False
        self._say = say
        self._lock = threading.Lock()
        self._told = ""
        self._last = Told()
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.introduce,
            "debug": self.set_debug,
            "isready": self.get_ready,
            "setoption": self.set_option,
            "register": lambda _: None,
            "ucinewgame": lambda _: self.session.new_game(),
            "position": self.set_position,
            "go": self.go,
            "stop": lambda _: self.session.stop(),
            "ponderhit": self.ponder_hit,
            "d": self.show,
        }

    def serve(self, stream: BinaryIO) -> None:
        """Answers `stream` until it ends or says `quit`."""
        try:
            for line in read_lines(stream):
                if line is None:
                    self.comment(f"a line of more than {LONGEST_LINE_BYTES:,} bytes is not read")
                elif not self.handle(line):
                    break
        finally:
            self.session.stop()

    def handle(self, line: str) -> bool:
        """Answers one line; returns whether there may be more."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self.commands.get(words[0])
        if command is None:
            self.comment(f"no command is called {words[0]!r}; there are {', '.join(self.commands)}, quit")
            return True
        try:
            command(words[1:])
        except Exception as error:  # also from the game's own rules: a peer must not be able to end the engine
            self.complain(error)
        return True

    # What is said.

    def say(self, *lines: str) -> None:
        with self._lock:
            for line in lines:
                self._say(line)

    def comment(self, text: str) -> None:
        line = clean(text)
        self.say(f"info string {line if len(line) <= LONGEST_COMMENT_CHARS else line[:LONGEST_COMMENT_CHARS] + ' …'}")

    def complain(self, error: BaseException) -> None:
        if self.debug:
            traceback.print_exception(error, file=sys.stderr)
        self.comment(str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}")

    # The commands, each given the words after its name.

    def introduce(self, words: list[str]) -> None:
        self.say(f"id name Zermelo {clean(self.game.name)}", "id author the authors of Zermelo")
        self.say(*(f"option name {option.name} {option.describe()}" for option in self.options.values()), "uciok")

    def set_debug(self, words: list[str]) -> None:
        self.debug = words != ["off"]

    def get_ready(self, words: list[str]) -> None:
        """Compiles the rules, if no search is doing that already."""
        search = self.session.search
        if search is None or not search.is_alive():
            try:
                searcher = self.session.prepare()
                self.excuse(self.session.excuse)
                searcher.warm_up()
            except Exception as error:
                self.complain(error)
        self.say("readyok")

    def set_option(self, words: list[str]) -> None:
        folded = [word.casefold() for word in words]
        end = folded.index("value") if "value" in folded else len(words)
        name, value = " ".join(folded[1:end]), " ".join(words[end + 1 :])
        if not name or folded[0] != "name":
            raise InputError("write `setoption name NAME value VALUE`")
        if name not in self.options:
            known = ", ".join(option.name for option in self.options.values())
            raise InputError(f"no option is called {' '.join(words[1:end])!r}; there are {known}")
        self.options[name].set(value)

    def set_position(self, words: list[str]) -> None:
        if not words or words[0] not in ("startpos", "fen"):
            raise InputError("write `position startpos moves …` or `position fen TEXT moves …`")
        end = words.index("moves") if "moves" in words else len(words)
        start = " ".join(words[1:end])
        if bool(start) != (words[0] == "fen"):
            raise InputError("after `startpos` come `moves`; after `fen` comes the text of a position")
        self.session.set_position(start or None, words[end + 1 :])

    def go(self, words: list[str]) -> None:
        request = self.read_request(words)
        self.session.stop()
        self._last = Told()
        self.session.go(request, self.tell, self.answer, self.look)

    def ponder_hit(self, words: list[str]) -> None:
        if self.session.search is not None:
            self.session.search.ponder_hit()

    def show(self, words: list[str]) -> None:
        state = self.session.position.state
        self.say(*(clean(line) if not line.isprintable() else line for line in self.game.show(state).splitlines()))
        self.say(f"position: {clean(self.game.write(state))}")

    # `go`, from its words to its answer.

    def read_request(self, words: list[str]) -> SearchRequest:
        """What the words after `go` ask for; those that make no sense are reported and ignored."""
        numbers: dict[str, int] = {}
        flags: set[str] = set()
        named: list[str] = []
        at = 0
        while at < len(words):
            word = words[at]
            at += 1
            if word in GO_WORDS:
                number = read_number(words[at]) if at < len(words) else None
                if number is None:
                    self.comment(f"go: {word} wants a whole number")
                    continue
                numbers[word] = min(max(number, 0), GREATEST_NUMBER)
                at += 1
            elif word in GO_FLAGS:
                flags.add(word)
            elif "searchmoves" in flags:
                named.append(word)
            else:
                self.comment(f"go: {word!r} means nothing")
        limited = {"wtime", "btime", "movetime", "nodes", "depth", "mate"} & set(numbers)
        return SearchRequest(
            clock=self.read_clock(numbers),
            nodes=numbers.get("nodes"),
            depth=max(numbers["depth"], 1) if "depth" in numbers else None,
            mate=max(numbers["mate"], 1) if "mate" in numbers else None,
            infinite="infinite" in flags or not limited,
            ponder="ponder" in flags,
            only=self.read_moves(named) if named else None,
        )

    def read_clock(self, numbers: dict[str, int]) -> Clock:
        """What the clocks show to the player to move; UCI has two, however many players there are."""
        state = self.session.position.state
        second = not self.game.is_terminal(state) and self.game.player(state) > 0
        left, other = ("btime", "wtime") if second else ("wtime", "btime")
        remaining = None
        if left in numbers:
            mine, theirs = numbers[left] / 1000, numbers.get(other, numbers[left]) / 1000
            remaining = (theirs, mine) if second else (mine, theirs)
        return Clock(
            remaining,
            increment=numbers.get("binc" if second else "winc", 0) / 1000,
            move_seconds=numbers["movetime"] / 1000 if "movetime" in numbers else None,
            moves_to_go=numbers.get("movestogo"),
        )

    def read_moves(self, words: list[str]) -> tuple[object, ...] | None:
        """The legal ones among the moves that a search is to be kept to; `None` if there are none."""
        position = self.session.position
        found = []
        for word in words:
            try:
                found.append(read_action(self.game, position.state, word, position.history))
            except InputError as error:
                self.comment(f"searchmoves: {error}")
        return tuple(found) or None

    def tell(self, search: SearchThread, found: Analysis) -> None:
        """One `info` line for each of the best lines of a depth."""
        self.excuse(self.session.excuse)
        effort = replace(measure(found), depth=depth_of(found))
        if (found.stopped and not found.actions) or (found.partial and found.bounds == self.game.bounds):
            self.say(str(effort))  # nothing is known of the value
            return
        state = search.position.state
        several = found.lines[: search.lines] if search.lines > 1 and found.lines else ((found.value, found.line),)
        ends = [*found.plies_to_end, *(0 for _ in several)]
        for rank, (value, line) in enumerate(several, start=1):
            self.say(
                str(
                    replace(
                        effort,
                        multipv=rank,
                        score=write_score(self.game, state, value, line, ends[rank - 1]),
                        bound=bound_of(found) if rank == 1 else "",
                        wdl=self.odds(value, found.exact),
                        line=tuple(write_line(self.game, state, line, write_action)),
                    )
                )
            )

    def odds(self, value: float, exact: bool) -> Odds | None:
        return write_odds(self.game, value, exact) if self.session.settings.shows_odds else None

    def look(self, search: SearchThread, now: Progress) -> None:
        """In the middle of a long depth: a better line, the move that is searched, and the effort once a second."""
        found, state = now.found, search.position.state
        last = self._last
        if found.partial and (found.value, found.line[:1], found.bounds) != last.best:
            last.best = found.value, found.line[:1], found.bounds
            self.tell(search, found)
        depth = (found.depth or 0) + 1
        if now.action is not None and (depth, now.number) != last.move:
            last.move = depth, now.number
            move = write_action(self.game, state, now.action)
            self.say(str(Info(depth=depth, currmove=move, currmovenumber=now.number)))
        if found.seconds >= last.seconds + EFFORT_SECONDS:
            last.seconds = found.seconds
            self.say(str(replace(measure(found), depth=depth)))

    def excuse(self, text: str) -> None:
        """Reports, once, why the engine does not search."""
        if text and text != self._told:
            self._told = text
            self.comment(text)

    def answer(self, search: SearchThread) -> None:
        """The one `bestmove` of a search, even if it failed."""
        words = ["(none)"]
        with contextlib.suppress(BrokenPipeError):
            if search.error is not None:
                self.complain(search.error)
            if search.mated is False:
                self.comment(f"there is no win in {search.request.mate} moves")
            try:
                words = self.best_words(search)
            except Exception as error:
                self.complain(error)
            self.say(" ".join(["bestmove", *words]))

    def best_words(self, search: SearchThread) -> list[str]:
        """The move, and the reply that it is worth pondering on."""
        if search.action is None:
            return ["(none)"]
        state, best = search.position.state, search.best
        if best is not None and best.action == search.action and len(best.line) > 1:
            move, reply = write_line(self.game, state, best.line[:2], write_action)
            return [move, "ponder", reply]
        return [write_action(self.game, state, search.action)]


def measure(found: Analysis) -> Info:
    """What a search has spent."""
    return Info(
        seldepth=found.deepest or None,
        nodes=found.nodes,
        nps=int(found.nodes / found.seconds) if found.seconds >= 0.001 else None,
        hashfull=None if found.table_used is None else round(1000 * found.table_used),
        tbhits=found.probed or None,
        time=int(1000 * found.seconds),
    )


def depth_of(found: Analysis) -> int | None:
    """The depth that the value is from."""
    return None if found.depth is None else found.depth + found.partial


def bound_of(found: Analysis) -> str:
    """`lowerbound` or `upperbound` if no more is known of the value; empty if it is the value."""
    low, high = found.bounds
    if low == found.value < high:
        return "lowerbound"
    return "upperbound" if low < found.value == high else ""
