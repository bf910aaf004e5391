"""Go. Its rules are native (`native/games/go`); positions and moves as text are here.

A point is size · row + column, row 0 the lowest; an action is a point, or size² to pass. Black is player 0. That no
board comes back is the rule of repetition: with the history, ask `zermelo.play.notation.legal_actions`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Literal

from zermelo.engine.native import Bytes, CoreGame, point_shares
from zermelo.errors import ActionError, InputError, OptionError, PositionError
from zermelo.game import Game
from zermelo.game.contract import Count
from zermelo.games._sgf import decode
from zermelo.games.go.board import (
    LARGEST,
    PLAYERS,
    beside,
    draw,
    groups,
    handicap_points,
    point_name,
    read_point,
    shared_groups,
    surrounded,
)
from zermelo.options import choice, number, takes, whole
from zermelo.search.trace.words import plural

CAPACITIES = (9, 13, LARGEST)
"""Lines of the boards for which the core has tables."""
PLANES, FACTS = 12, 42
"""Of a network's inputs: the points of a plane, and those that concern the whole board."""
MOVES = slice(20, 24)
"""Where a state says how many moves have been made."""
DEAD = -1 / 3
"""A group whose points are its owner's less often than this says is dead."""


class Go(CoreGame, core="go9"):
    """Surround more of the board than your opponent."""

    player_colours = PLAYERS
    cover = "........./..X...O../..XO..XO./...O...../....X..../..X...O../..XO.X.O./...O...../......... b - 0 0 0"

    record_format = "sgf"
    simulation: ClassVar[Mapping[str, Any]] = {"c": 0.0, "rave": 1000.0}
    protocol = "gtp"
    """What programs of its world speak."""

    training: ClassVar[Mapping[str, Any]] = {
        "family": "grid",
        "channels": 64,
        "blocks": 6,
        "batch": 1024,
        "exploration": 0.6,
        "quick_share": 0.0,
    }
    input_planes = PLANES
    networks_ignore: ClassVar[tuple[str, ...]] = ("komi", "handicap", "playouts", "setting")

    explain: Any = Game.explain  # there is no estimate to be taken apart

    @takes(
        size=whole(2, LARGEST, about="lines of the board: 9, 13 or 19"),
        komi=number(-500, 500, about="points for white, who moves second"),
        handicap=whole(0, about="stones that black begins with"),
        scoring=choice("area", "territory", about="area: stones and what they surround; territory: that and prisoners"),
        playouts=choice("skilled", "sensible", "uniform", about="how simulations choose moves"),
    )
    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        handicap: int = 0,
        scoring: Literal["area", "territory"] = "area",
        playouts: Literal["skilled", "sensible", "uniform"] = "skilled",
    ):
        if komi * 2 != int(komi * 2):
            raise OptionError(f"komi must be a whole or half number, as in komi=7.5; not {komi:g}")
        if handicap != 0 and not handicap_points(size, handicap):
            raise OptionError(f"a board of {size} lines has no place for a handicap of {handicap} stones")
        self.core = f"go{next(capacity for capacity in CAPACITIES if size <= capacity)}"
        super().__init__()
        self.size, self.komi, self.handicap = size, komi, handicap
        self.scoring, self.playouts = scoring, playouts
        self.setting = f"{int(2 * komi)} {scoring} {playouts}"
        """The facts of the game, as the core writes them behind a position."""
        self.start = self._start()

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process makes its own table."""
        return type(self), (self.size, self.komi, self.handicap, self.scoring, self.playouts)

    def _start(self) -> Bytes:
        black = set(handicap_points(self.size, self.handicap))
        return self.setup(black, set(), 1 if black else 0)

    @property
    def board_size(self) -> tuple[int, int]:
        return self.size, self.size

    # What networks see (`native/games/go/inputs.hpp`): planes of points, and facts of the whole game behind them.

    @property
    def board(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def input_count(self) -> int:  # type: ignore[override]
        return PLANES * self.size**2 + FACTS

    @property
    def symmetry_count(self) -> int:  # type: ignore[override]
        return 8 if self.size in CAPACITIES else 1

    def training_starts(self) -> list[Bytes]:
        """Half of the games have the own komi, the others up to three points more or less."""
        nearby = [self.komi + step / 2 for step in range(-6, 7) if step]
        return [self.with_komi(komi).initial() for other in nearby for komi in (self.komi, other)]

    def with_komi(self, komi: float) -> Go:
        """The same game with another komi."""
        return Go(self.size, komi, self.handicap, self.scoring, self.playouts)

    def initial(self) -> Bytes:
        return self.start

    def setup(self, black: set[int], white: set[int], turn: int, prisoners: tuple[int, int] = (0, 0)) -> Bytes:
        """The position with these stones; `PositionError` if some of them have no liberties."""
        rows = []
        for row in range(self.size - 1, -1, -1):
            points = range(self.size * row, self.size * (row + 1))
            rows.append("".join("X" if p in black else "O" if p in white else "." for p in points))
        return self.read(f"{'/'.join(rows)} {'bw'[turn]} - 0 {prisoners[0]} {prisoners[1]}")

    def with_turn(self, s: Bytes, p: int) -> Bytes:
        """The stones and moves of `s` with player `p` to move, as if nobody had passed and there were no ko."""
        words = self.write(s).split()
        data = self.read(f"{words[0]} {'bw'[p]} - 0 {words[4]} {words[5]}").data
        return Bytes(data[: MOVES.start] + s.data[MOVES] + data[MOVES.stop :])

    def player(self, s: Bytes) -> int:
        return s.data[0]

    def player_name(self, p: int) -> str:
        return ("black", "white")[p]

    # What a position holds.

    def stones(self, s: Bytes) -> list[str]:
        """The rows from the top, in `.`, `X` for black and `O` for white."""
        return self.write(s).split(" ", 1)[0].split("/")

    def colours(self, s: Bytes) -> str:
        """The same point by point, from the lower left on."""
        return "".join(reversed(self.stones(s)))

    def passes(self, s: Bytes) -> int:
        """How many passes in a row led here."""
        return int(self.write(s).split()[3])

    def prisoners(self, s: Bytes) -> tuple[int, int]:
        """The stones that black has taken, and white."""
        black, white = self.write(s).split()[4:6]
        return int(black), int(white)

    # Who has what.

    def ownership(self, s: Bytes) -> list[float]:
        """For each point how surely it will be black's (1) or white's (−1) once all is played out, by playouts. A
        network says it better, where there is one."""
        return point_shares(self, s)

    def lead(self, s: Bytes) -> float:
        """The points by which black is likely to be ahead in the end, komi counted: those of the playouts."""
        return sum(self.ownership(s)) - self.komi

    def dead(self, s: Bytes) -> set[int]:
        """The points of the stones that will not stay on the board, group by group."""
        return self._lost(s, self.ownership(s))

    def _lost(self, s: Bytes, shares: Sequence[float]) -> set[int]:
        """The points of the groups that will be the other player's."""
        colours = self.colours(s)
        lost: set[int] = set()
        for group in groups(colours, self.size):
            sign = 1 if colours[min(group)] == "X" else -1
            if sign * sum(shares[p] for p in group) / len(group) < DEAD:
                lost |= group
        return lost

    def liberties(self, s: Bytes, points: set[int]) -> set[int]:
        """The empty points beside `points`."""
        colours = self.colours(s)
        return {near for p in points for near in beside(p, self.size) if colours[near] == "."}

    def seki(self, s: Bytes, dead: set[int] | frozenset[int] = frozenset()) -> set[int]:
        """The points of living stones that have fewer than two points of their own and share their liberties."""
        colours = self.colours(s)
        living = "".join("." if p in dead else colour for p, colour in enumerate(colours))
        return shared_groups(living, self.size) - dead

    def margin(self, s: Bytes, dead: set[int] | frozenset[int] = frozenset()) -> float:
        """The points by which black is ahead, komi counted, once the stones of `dead` are taken off."""
        black, white = self.points(s, dead)
        return black - white - self.komi

    def points(self, s: Bytes, dead: set[int] | frozenset[int] = frozenset()) -> tuple[int, int]:
        """What black and white have on the board, once the stones of `dead` are taken off; prisoners, if they count."""
        colours = self.colours(s)
        living = "".join("." if p in dead else colour for p, colour in enumerate(colours))
        territory = surrounded(living, self.size)
        points = [len(territory[0]), len(territory[1])]
        for p, mark in enumerate("XO"):
            if self.scoring == "area":
                points[p] += living.count(mark)
            else:
                points[p] += self.prisoners(s)[p] + sum(colours[d] == "OX"[p] for d in dead)
        return points[0], points[1]

    def count_end(self, s: Bytes, dead: Collection[str] | None = None, turned: str = "") -> Count:
        """What is dead is so by playouts, unless the players say otherwise; whole groups are."""
        colours = self.colours(s)
        named = None if dead is None else {read_point(each, self.size) for each in dead}
        found = self.dead(s) if named is None else {p for p in named if p is not None and p < len(colours)}
        stones = groups(colours, self.size)
        lost = {p for group in stones if group & found for p in group}
        point = read_point(turned, self.size)
        lost ^= next((group for group in stones if point in group), set())
        living = "".join("." if p in lost else colour for p, colour in enumerate(colours))
        owners = {
            point_name(p, self.size): owner for owner, own in enumerate(surrounded(living, self.size)) for p in own
        }
        black, white = self.points(s, lost)
        ahead = black - white - self.komi
        komi = f" and {self.komi:g} of komi" if self.komi else ""
        outcome = f"{self.player_name(int(ahead < 0))} wins by {abs(ahead):g}" if ahead else "nobody is ahead"
        said = f"black has {black}, white {white}{komi}: {outcome}"
        won = float((ahead > 0) - (ahead < 0))
        return Count(frozenset(point_name(p, self.size) for p in lost), owners, said, (won, 0.0 - won))

    def final_margin(self, s: Bytes) -> float:
        """The same as the rules count at the end, so that its sign is the winner: of territory without dead stones."""
        is_territory = self.scoring == "territory"
        return self.margin(s, self._lost(s, point_shares(self, s)) if is_territory else frozenset())

    # Moves and positions as text, for the protocols too.

    def handicap_points(self, stones: int) -> list[int]:
        """Where that many handicap stones stand; empty if the board has no such handicap."""
        return handicap_points(self.size, stones)

    def point_of(self, text: str) -> int | None:
        """The point that `text` names, size² for a pass."""
        return read_point(text, self.size)

    def load_sgf(self, data: bytes, move: int | None) -> tuple[Go, list[tuple[int, int]], list[Bytes]]:
        """The first game of an SGF file up to before that move: its rules, who played what; the first state, and that
        after each move, with the stones that were set up behind it."""
        from zermelo.games.go.sgf import main_moves, read_record

        return main_moves(read_record(decode(data)), move)

    def write_record(
        self, start: Bytes, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        from zermelo.games.go.sgf import make_record, write_records, write_result

        colours = self.colours(start)
        black, white = ({p for p, colour in enumerate(colours) if colour == mark} for mark in "XO")
        if start not in (self.initial(), self.setup(black, white, self.player(start))):
            raise InputError("an SGF file begins without prisoners, a ko or passes: save this game as jsonl")
        moves, state = [], start
        for action in actions:
            moves.append((self.player(state), action))
            state = self.result(state, action)
        info = {"PB": players[0], "PW": players[1], "RE": write_result(self, state, utilities)}
        return write_records([make_record(self, moves, info, start)])

    def read_record(self, text: str) -> tuple[Bytes, list[int]] | None:
        """The main line of an SGF file, with its handicap; komi and rules are those chosen here, not the file's."""
        if not text.lstrip().startswith("("):
            return None
        played, moves, states = self.load_sgf(text.encode(errors="replace"), None)
        if played.size != self.size:
            raise InputError(f"the file is of a board of {played.size} lines: choose the option size={played.size}")
        start = state = self.read(played.write(states[0]))
        actions: list[int] = []
        for mover, action in moves:
            if self.is_terminal(state) or self.player(state) != mover or action not in self.actions(state):
                raise InputError(f"move {len(actions) + 1} of the file cannot be played by the rules chosen here")
            actions.append(action)
            state = self.result(state, action)
            if self.stones(state) != played.stones(states[len(actions)]):
                raise InputError(f"stones are set up after move {len(actions)} of the file, which no game here can do")
        return start, actions

    def write_sgf(self, moves: list[tuple[int, int]], base: Bytes, states: list[Bytes]) -> str:
        """The moves since `base`, with the states after them, as an SGF file."""
        from zermelo.games.go.sgf import make_record, write_records

        return write_records([make_record(self, moves, base=base, states=states)])

    def show_action(self, s: Bytes, a: int) -> str:
        return point_name(a, self.size)

    def read_action(self, s: Bytes, text: str) -> int:
        point = read_point(text, self.size)
        if point is not None and not self.is_terminal(s) and point in self.native.actions(s):
            return point
        if point is not None:
            raise ActionError(f"{point_name(point, self.size)} is not legal here: it is taken, suicide or a ko")
        return super().read_action(s, text)

    def write(self, s: Bytes) -> str:
        """Rows, who is to move, the point of a ko, passes in a row, and the prisoners of black and of white."""
        return " ".join(super().write(s).split()[:6])

    def read(self, text: str) -> Bytes:
        words = text.split()
        if len(words) != 6 or words[0].count("/") != self.size - 1:
            start = "/".join(["." * self.size] * self.size) + " b - 0 0 0"
            raise PositionError(f"{text!r} is not a position of Go on {self.size} lines; one is written {start!r}")
        return super().read(f"{' '.join(words)} {self.setting}")

    def show(self, s: Bytes) -> str:
        width = len(str(self.size))
        names = " " * (width + 2) + " ".join(point_name(column, self.size)[0] for column in range(self.size))
        rows = [f"{self.size - i:>{width}}  {' '.join(row)}" for i, row in enumerate(self.stones(s))]
        black, white = self.prisoners(s)
        taken = f"prisoners: black {black}, white {white}"
        turn = "the game is over" if self.is_terminal(s) else f"{self.player_name(self.player(s))} to move"
        return "\n".join([*rows, names, f"{turn}; {taken}"])

    def picture(self, s: Bytes) -> str:
        return draw(self.stones(s))

    def say_end(self, s: Bytes) -> str:
        ahead = self.margin(s)
        return f"{self.player_name(int(ahead < 0))} is ahead by {abs(ahead):g} points" if ahead else "as many points"

    def tally(self, s: Bytes, p: int) -> str:
        return plural(self.prisoners(s)[p], "prisoner", "prisoners")
