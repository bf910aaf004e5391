"""Backgammon as a game of the package: the native rules, and its positions and plays as text.

Player 0 is white and moves its chequers down in its own count; both players count the points from their own home.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from zermelo.engine.native import Bytes, CoreGame, TableGame
from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.game.contract import Trainer
from zermelo.games.backgammon import networks as core
from zermelo.games.backgammon.board import (
    CHOICES,
    BackgammonPosition,
    Phase,
    Way,
    after,
    pip_count,
    read_position,
    touched_by,
    ways_to,
)
from zermelo.games.backgammon.notation import NO_PLAY, find_plays, write_play
from zermelo.games.backgammon.show import draw, write_board
from zermelo.options import flag, takes, text, whole

MOST_MATCH = 64
LABELLED = re.compile(r"(Position|Match) ID\s*:\s*([A-Za-z0-9+/]+)", re.IGNORECASE)
"""An ID as GNU Backgammon prints it above a board."""


class Backgammon(CoreGame, core="backgammon"):
    """Bring your fifteen chequers home and bear them off first, by the roll of two dice."""

    shelf = "dice"
    player_colours = ("#f7f4ec", "#2e2a24")

    player_below = 0
    record_format = "mat"

    @takes(
        match=whole(0, MOST_MATCH, about="points of the match; 0 for a single game"),
        cube=flag(about="whether players may double"),
        jacoby=flag(about="gammons count only once somebody has doubled"),
        weights=text(),
    )
    def __init__(self, match: int = 0, cube: bool = False, jacoby: bool = False, weights: str = ""):
        if jacoby and (match or not cube):
            raise OptionError("jacoby goes with cube=yes and without a match, for which it was not made")
        self.match = match
        self.cube = cube
        self.jacoby = jacoby
        self.weights = weights
        TableGame.__init__(self, core.make_table(match, cube, jacoby, core.networks_of(weights)))
        most = 1.0 if match else 192.0 if cube else 3.0
        self.bounds = (-most, most)
        self.unit = "equity of the match" if match else "points"

    def __reduce__(self) -> tuple[type[Backgammon], tuple[int, bool, bool, str]]:
        """Another process makes its own table."""
        return type(self), (self.match, self.cube, self.jacoby, self.weights)

    def position(self, s: Bytes) -> BackgammonPosition:
        """Board, dice, cube and score of a state."""
        return read_position(s.data)

    def player_name(self, p: int) -> str:
        return ("white", "black")[p]

    def match_chance(self, own: int, other: int, after_crawford: bool = False) -> float:
        """The chance to win the match for a player who needs `own` points, against one who needs `other`."""
        if not 0 <= own <= self.match or not 0 <= other <= self.match:
            raise OptionError(f"in a match to {self.match} players need 0 to {self.match} points")
        return core.match_chance(self.native.handle, own, other, after_crawford)

    # Positions as text: GNU Backgammon's IDs for programs, a board for people.

    def write(self, s: Bytes) -> str:
        return core.write_ids(self.native.handle, s.data)

    def read(self, text: str) -> Bytes:
        try:
            return Bytes(core.read_ids(self.native.handle, join_ids(text)))
        except ValueError as error:
            raise PositionError(f"{text!r} is not a position of {self.name}: {error}") from None

    def show(self, s: Bytes) -> str:
        return write_board(read_position(s.data), self)

    def picture(self, s: Bytes) -> str:
        return draw(read_position(s.data))

    def tally(self, s: Bytes, p: int) -> str:
        return f"{pip_count(read_position(s.data).sides[p])} pips"

    def clicks(self, s: Bytes, a: int) -> list[Way]:
        return ways_to(read_position(s.data), a)

    def touched(self, s: Bytes, a: int) -> list[tuple[str, int]]:
        way = next(iter(self.clicks(s, a)), ())
        return touched_by(way, turns=read_position(s.data).turn != read_position(self.result(s, a).data).turn)

    def halfway(self, s: Bytes, steps: Sequence[Sequence[str]]) -> str:
        position = read_position(s.data)
        half = after(position, steps)
        sides = (half.own, half.other) if position.turn == 0 else (half.other, half.own)
        return draw(position._replace(sides=sides), half.dice)

    def write_record(
        self, start: Bytes, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        from zermelo.games.backgammon import record

        return record.write_record(self, start, actions, players, utilities)

    def write_records(
        self, games: Iterable[tuple[Bytes, Sequence[int], Sequence[str], Sequence[float] | None]]
    ) -> Iterator[str]:
        from zermelo.games.backgammon import record

        return record.write_records(self, games)

    def read_record(self, text: str) -> tuple[Bytes, list[int]] | None:
        from zermelo.games.backgammon import record

        return record.read_record(self, text)

    def trainer(self) -> Trainer:
        from zermelo.games.backgammon import training

        return Trainer(training.TrainingSettings, training.begin, "weights")

    def explain(self, s: Bytes) -> list[tuple[str, float]]:
        return core.explain(self.native.handle, s.data)

    # Actions: rolls, plays, and what is said about the cube.

    def show_action(self, s: Bytes, a: int) -> str:
        """A roll as `31`, in the opening white's die first; a play as one word, as in `8/5,6/5`."""
        position = read_position(s.data)
        if position.phase in (Phase.OPENING, Phase.ROLL):
            return f"{a >> 3}{a & 7}"
        if position.phase != Phase.PLAY:
            return CHOICES[a]
        return self.notation(s, a).replace(" ", ",") if a else NO_PLAY

    def notation(self, s: Bytes, a: int) -> str:
        """A play with blanks between its parts, as books write it: `8/5 6/5`."""
        position = read_position(s.data)
        return write_play(a, position.sides[1 - position.turn])

    def read_action(self, s: Bytes, text: str) -> int:
        """The legal action that `text` names: plays in any usual way, rolls in either order, `take`, `drop`, …"""
        position = read_position(s.data)
        word = text.strip().casefold()
        if position.phase == Phase.ROLL and len(word) == 2:
            return super().read_action(s, max(word, word[::-1]))
        if position.phase == Phase.PLAY:
            own, other = position.sides[position.turn], position.sides[1 - position.turn]
            found = find_plays(word, self.native.actions(s), own, other)
            if len(found) == 1:
                return found[0]
            if found:
                names = ", ".join(self.show_action(s, a) for a in found)
                raise ActionError(f"{text!r} names {len(found)} actions here; say which of: {names}")
        return super().read_action(s, {"pass": "drop", "accept": "take"}.get(word, text))


def join_ids(text: str) -> str:
    """`Position ID: … Match ID: …`, in one line or two, as the IDs with a colon between; any other text as it is."""
    found = {label.casefold(): value for label, value in LABELLED.findall(text)}
    if "position" not in found:
        return text
    return ":".join(found[label] for label in ("position", "match") if label in found)
