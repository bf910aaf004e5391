"""`zermelo play`: a game in the terminal."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from zermelo.cli._answer import Answer, answers, say, wants_json
from zermelo.cli._options import find_start, game_argument, position_options
from zermelo.errors import OptionError
from zermelo.game import AnyGame, Game

if TYPE_CHECKING:
    from zermelo.arena.calibrate.ladder import Ladder
    from zermelo.play import Record
    from zermelo.play.live import Move
    from zermelo.play.player import Chooser


@click.command()
@game_argument
@position_options
@click.option("--players", metavar="LIST", help="Who plays, seat by seat: human,alphabeta:depth=6.")
@click.option("--against", metavar="PLAYER", help="Your opponent in all other seats, as in search:seconds=1 or random.")
@click.option("--level", metavar="N", type=int, help="An opponent of this level, from 1 on: see `zermelo calibrate`.")
@click.option("--rating", metavar="N", type=float, help="An opponent of this rating on the ladder of the game.")
@click.option("--even", is_flag=True, help="An opponent that you beat about half the time; keeps a record of yours.")
@click.option("--second", is_flag=True, help="Let the opponent begin.")
@click.option("--seed", type=int, help="Settle the dice, and random players.")
@answers
def command(
    game: str,
    moves: str | None,
    position: str | None,
    players: str | None,
    against: str | None,
    level: int | None,
    rating: float | None,
    even: bool,
    second: bool,
    seed: int | None,
) -> Answer:
    """Play GAME against a player of the package, or watch two.

    While you play, `help` lists what you can type: moves, hint, undo, resign, quit.
    """
    from zermelo.arena import play
    from zermelo.arena.play import Announcer
    from zermelo.play.live import check_seats

    ways = {"players": players, "against": against, "level": level, "rating": rating}
    check_choice(**{name: value is not None for name, value in ways.items()}, even=even)
    check_whole(even, moves, position)
    start = find_start(game, moves, position)
    match = Even(start.game, game) if even else None
    against = match.player if match else against or choose_opponent(start.game, game, level, rating)
    second ^= match is not None and match.is_second
    seats = find_players(start.game, players, against, second, seed)
    check_seats(start.game, seats)
    announcer = Announcer(start.game, seats, say)
    silent = wants_json() and not announcer.humans
    if match:
        say(match.announce())
    if not silent:
        announcer.begin(start.state)
    last = start.state

    def watch(move: Move) -> None:
        nonlocal last
        last = move.after
        if match:
            match.watch(move)
        if not silent:
            announcer.tell(move)

    record = play(start.game, seats, start.state, history=start.history, seed=seed, watch=watch)
    judged = f"\n{match.end(record, announcer.humans[0])}" if match else ""
    return Answer(asdict(record), lambda: announcer.end(record, last) + judged)


def check_whole(even: bool, moves: str | None, position: str | None) -> None:
    """Refuses games for the record that begin in the middle."""
    if even and (moves is not None or position is not None):
        raise OptionError("--even plays whole games, so leave out --moves and --position")


def find_players(
    game: AnyGame, players: str | None, against: str | None, second: bool, seed: int | None
) -> list[Chooser]:
    """One player per seat: those named, or a person and the opponent."""
    from zermelo.arena import make_player, make_players
    from zermelo.arena.players.search import with_book
    from zermelo.engine.searcher import is_simulated
    from zermelo.games import players_of

    if players is not None:
        if against is not None or second:
            raise OptionError("--players names every seat, so leave out --against and --second")
        return [settle(player, seed, seat) for seat, player in enumerate(make_players(players))]
    # No other search may look through hidden information, so chance has to be the opponent where nobody can imagine it.
    own = [text for each in players_of(game).values() for text in each.strengths]
    usual = (
        own[0]
        if own
        else "mcts:seconds=1"
        if is_simulated(game)
        else "random"
        if game.kind.hidden
        else "search:seconds=1"
    )
    opponent = against or with_book(usual, game)
    seats = [make_player(opponent) for _ in range(game.players - 1)]
    seats.insert(1 if second else 0, make_player("human"))
    return [settle(player, seed, seat) for seat, player in enumerate(seats)]


def settle(player: Chooser, seed: int | None, seat: int) -> Chooser:
    """`player`, with a seed of its own if it throws dice and has none."""
    from zermelo.arena.players.random import Random
    from zermelo.play import Gambler

    if seed is not None and player.name == "random":
        return Random(seed + seat)
    if seed is not None and isinstance(player, Gambler):
        player.reseed(seed + seat)
    return player


# The opponent's strength: a level, a rating, or as strong as the person who plays.


def choose_opponent(game: Game, text: str, level: int | None, rating: float | None) -> str | None:
    """The text of the opponent that `--level` or `--rating` asks for; `None` if neither is given."""
    if level is None and rating is None:
        return None
    from zermelo.arena.calibrate.ladder import find_ladder

    ladder = find_ladder(game, text)
    if level is not None:
        return ladder.level(level).player
    assert rating is not None
    ladder.blend(rating)
    return f"rated:{rating:g}"


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

    def watch(self, move: Move) -> None:
        from zermelo.play import Wish

        self.taken_back |= move.action is Wish.UNDO and move.before is not move.after

    def end(self, record: Record, seat: int) -> str:
        """Enters the game in the person's record, which is read again: another game may have ended meanwhile."""
        from zermelo.arena.calibrate.person import RatedPerson, keep_person, read_person
        from zermelo.arena.scheduled import seat_points, seat_points_without

        resigned = record.reason == "resignation" and record.culprit is not None
        if record.utilities is None and not resigned:
            return "The game does not count for your record, as it has not ended."
        if self.taken_back:
            return "The game does not count for your record, as a move was taken back."
        if record.utilities is not None:
            points = seat_points(self.game, record.utilities)
        else:
            assert record.culprit is not None
            points = seat_points_without(self.game, record.culprit)
        before = read_person(self.game) or RatedPerson.newcomer(self.ladder)
        person = before.after(self.opponent, self.ladder.deviation(self.opponent), points[seat], seat)
        keep_person(self.game, person)
        return f"You now play at about {person.elo:.0f} (±{1.96 * person.deviation:.0f})."
