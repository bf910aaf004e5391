"""The games of a tournament, for a page: a list of them, one of them move by move, and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.arena.export import export, from_record
from zermelo.errors import InputError
from zermelo.game import AnyGame
from zermelo.play.words import name_player
from zermelo.search.trace.words import clean
from zermelo.studio.views.board import draw, find_touched
from zermelo.studio.views.files import formats, write_game

if TYPE_CHECKING:
    from zermelo.arena.scheduled import PlayedGame
    from zermelo.arena.tournament import Tournament

MAX_LISTED = 200
"""Games in one list; of more, the newest."""
FAULTS = ("crash", "hang", "time", "illegal move", "garbage", "left")
"""Reasons for which a player has lost a game that it was not beaten in."""
REASONS = {
    "": "by the rules",
    "crash": "crashed",
    "hang": "did not answer",
    "time": "ran out of time",
    "illegal move": "made an illegal move",
    "garbage": "gave no proper answer",
    "left": "left the game",
}


def list_games(tournament: Tournament, names: Mapping[str, str], entrants: Sequence[str]) -> dict[str, object]:
    """The games between `entrants`, or all, the newest first."""
    wanted = {name for name in entrants if name}
    found = []
    for scheduled, outcome in sorted(tournament.ended.values(), key=lambda each: -each[0].number):
        players = [tournament.plan.entrants[each] for each in scheduled.seats]
        if wanted <= set(players):
            found.append(show_row(scheduled.number, players, outcome.points, outcome.record, names))
    return {"games": found[:MAX_LISTED], "count": len(found)}


def show_row(
    number: int, players: Sequence[str], points: Sequence[float], record: Any, names: Mapping[str, str]
) -> dict[str, object]:
    culprit = None if record.culprit is None else names.get(players[record.culprit], players[record.culprit])
    said = REASONS.get(record.reason, record.reason)
    return {
        "number": number,
        "players": [names.get(each, each) for each in players],
        "points": list(points),
        "plies": len(record.actions),
        "reason": said if culprit is None or record.reason == "" else f"{culprit} {said}",
        "fault": record.reason in FAULTS,
        "detail": clean(record.detail),
    }


def list_faults(tournament: Tournament, names: Mapping[str, str]) -> list[dict[str, object]]:
    """For every entrant that failed: how often, and what happened the first time."""
    found: dict[int, dict[str, Any]] = {}
    for scheduled, outcome in sorted(tournament.ended.values(), key=lambda each: each[0].number):
        record = outcome.record
        if record.culprit is None or record.reason not in FAULTS:
            continue
        entrant = scheduled.seats[record.culprit]
        name = tournament.plan.entrants[entrant]
        row = found.setdefault(
            entrant,
            {
                "name": names.get(name, name),
                "count": 0,
                "what": REASONS[record.reason],
                "detail": clean(record.detail),
                "number": scheduled.number,
            },
        )
        row["count"] += 1
    return [found[each] for each in sorted(found)]


def find_game(tournament: Tournament, number: int) -> PlayedGame:
    if number not in tournament.ended:
        raise InputError(f"game {number + 1} has not been played")
    return tournament.ended[number]


def show_game(tournament: Tournament, number: int, names: Mapping[str, str]) -> dict[str, object]:
    """One game: its moves, who played, and how it ended."""
    scheduled, outcome = find_game(tournament, number)
    game, states = tournament.game, reach(tournament, number)
    players = [tournament.plan.entrants[each] for each in scheduled.seats]
    record = outcome.record
    opening = len(states) - 1 - len(record.actions)
    moves = [
        {"notation": notation, "player": game.player(state)}
        for state, notation in zip(states[opening:], record.moves, strict=False)
    ]
    return {
        **show_row(number, players, outcome.points, record, names),
        "seats": [name_player(game, p) for p in range(game.players)],
        "colours": list(game.player_colours[: game.players]),
        "moves": moves,
        "formats": formats(game, record),
    }


def reach(tournament: Tournament, number: int) -> list[Any]:
    """Every position of a game, those of its opening included."""
    scheduled, outcome = find_game(tournament, number)
    game = tournament.game
    state, history = tournament.opening(scheduled).reach(game)
    states = [*history, state]
    for action in outcome.record.actions:
        state = game.result(state, action)
        states.append(state)
    return states


def show_position(tournament: Tournament, number: int, ply: int) -> dict[str, object]:
    """The board after `ply` moves of a game."""
    _, outcome = find_game(tournament, number)
    game: AnyGame = tournament.game
    states, actions = reach(tournament, number), outcome.record.actions
    opening = len(states) - 1 - len(actions)
    if ply > len(actions):
        raise InputError(f"the game has {len(actions)} moves")
    state = states[opening + ply]
    picture = draw(game, state)
    before = [(states[opening + i], game.player(states[opening + i]), actions[i]) for i in range(ply)]
    return {"picture": picture, "text": game.show(state), "last": find_touched(game, reversed(before), picture)}


def write_one(tournament: Tournament, number: int, form: str) -> dict[str, object]:
    """A game as a file, in the format `form`, or the usual one."""
    _, outcome = find_game(tournament, number)
    record = outcome.record
    return write_game(tournament.game, record, tournament.plan.game, form or formats(tournament.game, record)[0])


def write_all(tournament: Tournament, form: str) -> dict[str, object]:
    """All games as one file."""
    games = [
        from_record(
            tournament.game,
            outcome.record,
            tournament.opening(scheduled),
            spec=tournament.plan.game,
            round=str(scheduled.round + 1),
            detail=outcome.record.detail,
            started=outcome.started,
        )
        for scheduled, outcome in (tournament.ended[number] for number in sorted(tournament.ended))
    ]
    return {"name": f"tournament.{form}", "content": "".join(export(form, games, tournament.game))}
