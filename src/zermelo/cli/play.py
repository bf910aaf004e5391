"""`zermelo play`: a game in the terminal."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from zermelo.cli._answer import Answer, answers, wants_json
from zermelo.cli._options import find_start, game_argument, position_options


@click.command()
@game_argument
@position_options
@click.option("--players", metavar="LIST", help="Who plays, seat by seat: human,alphabeta:depth=6.")
@click.option("--against", metavar="PLAYER", help="Your opponent in all other seats, as in search:seconds=1 or random.")
@click.option("--second", is_flag=True, help="Let the opponent begin.")
@click.option("--seed", type=int, help="Settle the dice, and random players.")
@answers
def command(
    game: str,
    moves: str | None,
    position: str | None,
    players: str | None,
    against: str | None,
    second: bool,
    seed: int | None,
) -> Answer:
    """Play GAME against a player of the package, or watch two.

    While you play, `help` lists what you can type: moves, hint, undo, resign, quit.
    """
    from zermelo.arena import play
    from zermelo.arena.announce import Announcer
    from zermelo.arena.play import check_seats

    start = find_start(game, moves, position)
    seats = find_players(start.game, players, against, second, seed)
    check_seats(start.game, seats)
    announcer = Announcer(start.game, seats, click.echo)
    silent = wants_json() and not announcer.humans
    if not silent:
        announcer.begin(start.state)
    last = start.state

    def watch(move: Any) -> None:
        nonlocal last
        last = move.after
        if not silent:
            announcer.tell(move)

    record = play(start.game, seats, start.state, history=start.history, seed=seed, watch=watch)
    return Answer(asdict(record), lambda: announcer.end(record, last))


def find_players(game: Any, players: str | None, against: str | None, second: bool, seed: int | None) -> list[Any]:
    """One player a seat: those named, or a person and the opponent."""
    from zermelo.arena import make_player, make_players
    from zermelo.errors import OptionError

    if players is not None:
        if against is not None or second:
            raise OptionError("--players names every seat, so leave out --against and --second")
        return [settle(player, seed, seat) for seat, player in enumerate(make_players(players))]
    # No search of the textbook may look through hidden information, so chance has to be the opponent there.
    opponent = against or ("random" if game.can("view") else "search:seconds=1")
    seats = [make_player(opponent) for _ in range(game.players - 1)]
    seats.insert(1 if second else 0, make_player("human"))
    return [settle(player, seed, seat) for seat, player in enumerate(seats)]


def settle(player: Any, seed: int | None, seat: int) -> Any:
    """`player`, with a seed of its own if it plays at random and has none."""
    from zermelo.arena.players.random import Random

    return Random(seed + seat) if seed is not None and player.name == "random" else player
