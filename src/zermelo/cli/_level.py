"""The opponent's strength in `zermelo play`: a level, a rating, or as strong as the person who plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import OptionError
from zermelo.game import Game

if TYPE_CHECKING:
    from zermelo.arena.calibrate.ladder import Ladder
    from zermelo.play import Record


def choose_opponent(game: Game, text: str, level: int | None, elo: float | None) -> str | None:
    """The text of the opponent that `--level` or `--elo` asks for; `None` if neither is given."""
    if level is None and elo is None:
        return None
    from zermelo.arena.calibrate.ladder import find_ladder

    ladder = find_ladder(game, text)
    if level is not None:
        return ladder.level(level).player
    assert elo is not None
    ladder.blend(elo)
    return f"rated:{elo:g}"


def check_choice(**given: bool) -> None:
    """Refuses more than one way of naming the opponent."""
    named = [f"--{name}" for name, said in given.items() if said]
    if len(named) > 1:
        raise OptionError(f"{' and '.join(named)} both say who plays; leave all but one out")


class Even:
    """A game for the person's record, against an opponent of the person's own rating."""

    def __init__(self, game: Game, text: str):
        from zermelo.arena.calibrate.ladder import find_ladder
        from zermelo.arena.calibrate.person import RatedPerson, read_person

        self.game = game
        self.ladder: Ladder = find_ladder(game, text)
        found = read_person(game)
        self.person = found or RatedPerson.newcomer(self.ladder)
        self.opponent = self.ladder.nearest(round(self.person.elo, -1))
        self.taken_back = False

    @property
    def player(self) -> str:
        return f"rated:{self.opponent:g}"

    @property
    def is_second(self) -> bool:
        """Whether the opponent begins: in every other game."""
        return len(self.person.games) % 2 == 1

    def announce(self) -> str:
        if not self.person.games:
            return f"Your first game of {self.game.name} for your record; your opponent: {self.opponent:.0f}."
        return f"You play at about {self.person.elo:.0f}; your opponent: {self.opponent:.0f}."

    def watch(self, move: Any) -> None:
        from zermelo.play import Wish

        self.taken_back |= move.action is Wish.UNDO and move.before is not move.after

    def end(self, record: Record, seat: int) -> str:
        """Enters the game in the person's record, which is read anew: another game may have ended meanwhile."""
        from zermelo.arena.calibrate.person import RatedPerson, keep_person, read_person
        from zermelo.arena.scheduled import points_of, points_without

        resigned = record.reason == "resignation" and record.culprit is not None
        if record.utilities is None and not resigned:
            return "The game does not count for your record, as it has not ended."
        if self.taken_back:
            return "The game does not count for your record, as a move was taken back."
        if record.utilities is not None:
            points = points_of(record.utilities)
        else:
            assert record.culprit is not None
            points = points_without(self.game.players, record.culprit)
        before = read_person(self.game) or RatedPerson.newcomer(self.ladder)
        person = before.after(self.opponent, self.ladder.deviation(self.opponent), points[seat], seat)
        keep_person(self.game, person)
        return f"You now play at about {person.elo:.0f} (±{1.96 * person.deviation:.0f})."
