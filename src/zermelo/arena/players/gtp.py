"""A program that speaks the Go Text Protocol, version 2, as a player: `gtp:gnugo --mode gtp?komi=6.5`.

Player 0 is black. A vertex is the move in the game's own notation, unless the game has `gtp_vertex(s, a)`: the board of
Go skips the letter I, for example, and that of Hex does not.
"""

from __future__ import annotations

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.arena.players._outside import OWN, OutsidePlayer, take_numbers
from zermelo.arena.supervisor import Program
from zermelo.errors import MethodError, OptionError, PlayerError
from zermelo.game import Game
from zermelo.play import PlayerMove, Wish
from zermelo.play.notation import legal_actions, read_action, write_action
from zermelo.protocols.gtp.game import write_vertex
from zermelo.search.trace.words import clean

COLOURS = ("black", "white")
SETTINGS = {"komi": "points for the second player", "boardsize": "if the game does not say it itself"}
TAKES = {name: meaning for name, meaning in OWN.items() if name in ("seconds", "patience")}


class GtpPlayer(OutsidePlayer):
    """Keeps a GTP engine running from game to game."""

    protocol = "gtp"
    takes = TAKES

    def __init__(self, text: str):
        super().__init__(text)
        self.settings = take_numbers(self.protocol, self.options, SETTINGS)
        if self.options:
            name = next(iter(self.options))
            raise OptionError(f"gtp has no option {name!r}; it takes: {', '.join([*TAKES, *SETTINGS])}")

    def shake_hands(self, program: Program) -> None:
        self.known = set(self.request(program, "list_commands").split())
        for needed in ("play", "genmove", "clear_board"):
            if needed not in self.known:
                raise PlayerError(f"{self.name} does not know the command {needed}", "garbage")

    def request(self, program: Program, text: str, deadline: float | None = None) -> str:
        """The answer to one command: the text after `=`, all its lines as one."""
        deadline = self.soon() if deadline is None else deadline
        program.send(text, deadline)
        line = program.read_line(deadline)
        while not line.startswith(("=", "?")):  # skips output before the answer
            line = program.read_line(deadline)
        lines = [line]
        while line:  # an empty line ends the answer
            line = program.read_line(deadline)
            lines.append(line)
        answer = " ".join(lines)[1:].lstrip("0123456789").strip()
        if lines[0].startswith("?"):
            raise PlayerError(f"{self.name} refuses `{text}`: {clean(answer)[:120]}", "garbage")
        return answer

    def begin_game(self, program: Program, game: Game) -> None:
        if game.players != 2:
            raise MethodError(f"{game.name} is for {game.players} players, and GTP for two")
        columns, rows = game.board_size or (0, 0)
        size = self.settings.get("boardsize", columns if columns == rows else 0)
        if size and "boardsize" in self.known:
            self.request(program, f"boardsize {int(size)}")
        elif columns and "rectangular_boardsize" in self.known:
            self.request(program, f"rectangular_boardsize {columns} {rows}")
        self.clear(program)
        self.timed = False

    def clear(self, program: Program) -> None:
        self.request(program, "clear_board")
        if "komi" in self.settings and "komi" in self.known:
            self.request(program, f"komi {self.settings['komi']:g}")
        self.sent: list[str] = []

    def ask(self, program: Program, state: object, mover: int, clock: Clock) -> PlayerMove:
        assert self.sheet is not None
        game = self.sheet.game
        self.catch_up(program)
        self.tell_time(program, clock, mover)
        word = self.request(program, f"genmove {COLOURS[mover]}", self.deadline(clock, mover))
        if word.casefold() == "resign":
            return PlayerMove(Wish.RESIGN)
        legal = legal_actions(game, state, self.sheet.states[:-1])
        named = [a for a in legal if write_vertex(game, state, a).casefold() == word.casefold()]
        action = named[0] if named else self.read_move(state, word)
        self.sent.append(write_action(game, state, action))
        return PlayerMove(action)

    def catch_up(self, program: Program) -> None:
        """Plays the moves that the program has not seen, or the whole game if it went another way."""
        assert self.sheet is not None
        game, moves = self.sheet.game, self.sheet.moves
        if not self.sheet.from_the_beginning:
            raise MethodError("GTP cannot set up a position; begin at the start of the game")
        if moves[: len(self.sent)] != self.sent:
            self.clear(program)
        for number in range(len(self.sent), len(moves)):
            before = self.sheet.states[number]
            action = read_action(game, before, moves[number])
            colour = COLOURS[max(game.player(before), 0)]
            self.request(program, f"play {colour} {write_vertex(game, before, action)}")
        self.sent = list(moves)

    def tell_time(self, program: Program, clock: Clock, mover: int) -> None:
        """Sends a clock as absolute time, a limit per move as one stone per period."""
        seconds = self.move_seconds(clock, mover)
        if clock.remaining is None or seconds is not None:
            if "time_settings" in self.known and seconds is not None and not self.timed:
                self.request(program, f"time_settings 0 {max(round(seconds), 1)} 1")
                self.timed = True
            return
        if "time_settings" in self.known and not self.timed:
            self.request(program, f"time_settings {max(int(max(clock.remaining)), 1)} 0 0")
            self.timed = True
        if "time_left" in self.known:
            for colour, left in zip(COLOURS, clock.remaining, strict=True):
                self.request(program, f"time_left {colour} {max(int(left), 0)} 0")


KINDS = {
    "gtp": Kind(
        GtpPlayer,
        "A program that speaks GTP, version 2; player 0 is black.",
        "gtp:gnugo --mode gtp?komi=6.5",
        {**TAKES, **SETTINGS},
    )
}
