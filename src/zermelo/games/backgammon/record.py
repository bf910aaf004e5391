"""Match files by the rules that somebody has chosen: one game, or all games of a match, as a course of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zermelo.engine.native import Bytes
from zermelo.errors import InputError
from zermelo.games.backgammon.board import ROLL, Phase, read_position, with_score
from zermelo.games.backgammon.mat import (
    COLUMN,
    LENGTH,
    MOST_SCORE,
    MatGame,
    MatMatch,
    read_match,
    rules_of,
    start_of,
    won_by,
    write_game,
    write_games,
    write_head,
)
from zermelo.games.backgammon.rules import Backgammon

MOST_HEAD = 200
"""Lines before the length of the match: comments, if anything."""


def write_record(
    rules: Backgammon, start: Bytes, actions: Sequence[int], players: Sequence[str], utilities: Sequence[float] | None
) -> str:
    """The actions since `start`, game by game; a roll that nobody has played yet is left out."""
    games, starts = split(rules, start, actions, utilities)
    return write_games(rules, MatMatch(rules.match, written_names(players), tuple(games)), starts)


def write_records(
    rules: Backgammon, games: Iterable[tuple[Bytes, Sequence[int], Sequence[str], Sequence[float] | None]]
) -> Iterator[str]:
    """Matches one after the other; games for money between the same two players as one session, with a running score.

    Whoever is player 0 in the first game of a session stands on the left in all of them.
    """
    seated: tuple[str, ...] = ()
    score, number = [0, 0], 0
    for start, actions, players, utilities in games:
        if rules.match:
            yield write_record(rules, start, actions, players, utilities)
            continue
        if sorted(players) != sorted(seated) or max(score) > MOST_SCORE:
            seated, score, number = tuple(players), [0, 0], 0
        turned, number = tuple(players) != seated, number + 1
        ((game,), _) = split(rules, start, actions, utilities)
        winner = None if game.winner is None else game.winner ^ turned
        game = game._replace(score=(score[0], score[1]), winner=winner)
        head = write_head(0) if number == 1 else ""
        yield head + write_game(rules, written_names(seated), number, game, start, turned)
        if winner is not None:
            score[winner] += game.points


def split(
    rules: Backgammon, start: Bytes, actions: Sequence[int], utilities: Sequence[float] | None
) -> tuple[list[MatGame], list[Bytes]]:
    """The games of a match, or the one for money, and where each begins."""
    at = read_position(start.data)
    if start != with_score(rules.initial(), at.score, at.crawford):
        raise InputError("a .mat file begins with the first roll of a game: save this one as jsonl")
    starts, games, state = [start], [MatGame(at.score, at.crawford, ())], start
    for action in actions:
        games[-1] = games[-1]._replace(actions=(*games[-1].actions, action))
        state = rules.result(state, action)
        now = read_position(state.data)
        if now.phase == Phase.OPENING:
            winner, points = won_by(games[-1], now)
            games[-1] = games[-1]._replace(winner=winner, points=points)
            games.append(MatGame(now.score, now.crawford, ()))
            starts.append(state)
    end = read_position(state.data)
    if utilities is not None and utilities[0] != utilities[1]:
        winner = 0 if utilities[0] > utilities[1] else 1
        games[-1] = games[-1]._replace(winner=winner, points=end.points if end.phase == Phase.OVER else end.cube)
    return games, starts


def written_names(players: Sequence[str]) -> tuple[str, str]:
    """Names without what a reader would stumble over: a long one would move the right column, a colon end too soon."""
    first, second = (" ".join(name.replace(":", " ").split())[: COLUMN - 8] or "?" for name in players)
    return first, second


def read_record(rules: Backgammon, text: str) -> tuple[Bytes, list[int]] | None:
    """The first game of a file, or its match up to a game that was resigned; `None` of another text."""
    if not any(LENGTH.match(line) for line in text.splitlines()[:MOST_HEAD]):
        return None
    match = read_match(text)
    if match.length != rules.match:
        wanted = f"match={match.length},cube=yes" if match.length else "cube=yes"
        raise InputError(f"the file is of a match to {match.length} points: choose the options {wanted}")
    if not match.games:
        raise InputError("there is no game in the file")
    score = match.games[0].score if match.length else (0, 0)
    start = state = with_score(rules.initial(), score, match.games[0].crawford)
    actions: list[int] = []
    for game in match.games if match.length else match.games[:1]:
        now = read_position(state.data)
        if now.phase != Phase.OPENING or (match.length and (now.score, now.crawford) != (game.score, game.crawford)):
            break
        for action in _by(rules, match.length, game):
            actions.append(action)
            state = rules.result(state, action)
    return start, actions


def _by(rules: Backgammon, length: int, game: MatGame) -> Iterable[int]:
    """The actions of a game, without the cube's where `rules` have none: then nobody says that he rolls."""
    theirs = rules_of(length)
    state = start_of(theirs, game if length else game._replace(score=(0, 0)))
    for action in game.actions:
        if rules.cube or read_position(state.data).phase not in (Phase.DECIDE, Phase.ANSWER):
            yield action
        elif action != ROLL:
            raise InputError("the players of the file use the cube: choose the option cube=yes")
        state = theirs.result(state, action)
