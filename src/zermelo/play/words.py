"""Names of players, values and outcomes, for people to read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game, Tree
from zermelo.game.contract import A, S
from zermelo.game.sides import name_team
from zermelo.search.trace.words import clean, number, plural

MANY_POINTS = 1000
"""A win that is as many points or more is counted in whole ones."""


def name_game(game: Game | type[Game]) -> str:
    """What people call a game: its title or its name; that of a class is taken apart, as in `Connect four`."""
    kind = game if isinstance(game, type) else type(game)
    if not kind.title and isinstance(game, Game) and game.name != kind.__name__:
        return clean(game.name)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", kind.__name__).split()
    return clean(kind.title) or " ".join([*words[:1], *(word.lower() for word in words[1:])])


def name_player(game: Game, p: int) -> str:
    """What player `p` is called in one line of a terminal."""
    return "chance" if p == CHANCE else clean(game.player_name(p))


def name_seat(game: Game, p: int) -> str:
    """Player `p` where people are told who plays with whom: `North (with South)`."""
    partners = [q for q in range(game.players) if q != p and game.team(q) == game.team(p)]
    return (
        f"{name_player(game, p)} (with {clean(name_team(game, tuple(partners)))})" if partners else name_player(game, p)
    )


def show_for(game: Game[S, A], state: S, p: int | None) -> str:
    """The position as player `p` may see it; all of it for `None`, or if the game hides nothing."""
    if p is None or not game.kind.hidden:
        return game.show(state)
    return game.show_seat(game.view(state, p), p)


def say_number(value: float) -> str:
    """`value` in five digits, without rounding errors in the last ones or in place of 0."""
    return number(float(f"{round(value, 12):.12g}"))


def say_mean(value: float) -> str:
    """The mean of simulations, which is not known to more than three decimals."""
    return say_number(round(value, 3))


def say_points(game: Game, value: float) -> str:
    """An estimate for people: in points where the game counts in points, else the utility."""
    if not counts_points(game):
        return say_number(round(value, 4))
    low, high = game.bounds
    if not low < value < high:
        return "a win" if value >= high else "a loss"
    return say_number(round_points(game, value * (game.scale or 1.0)))


def say_score(game: Game, value: float) -> str:
    """How a position stands for a player, in what the game's players count in: pawns, points, chances or equity."""
    low, high = game.bounds
    if low < game.neutral < high and not game.kind.chance and value in (low, high):
        return "wins" if value == high else "loses"
    if game.pawn is not None:
        return _signed(value / game.pawn, 2)
    if game.kind.chance or not game.kind.scalar or (low, high) != (-1.0, 1.0):
        return _signed(value, 3)
    if counts_points(game):
        return _signed(round_points(game, value * (game.scale or 1.0)), 0)
    return "even" if value == game.neutral else f"{round(50 + 50 * value)}% to win"


def say_amount(game: Game, points: float) -> str:
    """A difference in the game's own points, in what its players count in."""
    if game.pawn is None:
        return f"{say_number(round_points(game, points))} points"
    return f"{points / (game.scale or 1.0) / game.pawn:.2f} pawns"


def _signed(value: float, digits: int) -> str:
    said = f"{value:+.{digits}f}".replace("-", "−")
    return said.replace("+", "").replace("−", "") if not said.strip("+−0.") else said


def round_points(game: Game, points: float) -> float:
    """Points as people are told them: a network has finer opinions than they care for."""
    return round(points, 0 if (game.scale or 1.0) >= MANY_POINTS else 2)


def counts_points(game: Game) -> bool:
    """Whether estimates are points; with chance they are expected utilities instead."""
    return bool(game.scale and game.scale > 1 and game.kind.sides == 2) and not game.kind.chance


def say_shares(game: Game, utilities: tuple[float, ...], say: Callable[[float], str] = say_number) -> str:
    """`player 0: 3, player 1: −3`; players whose utility a search does not know are left out."""
    return ", ".join(f"{name_player(game, p)}: {say(u)}" for p, u in enumerate(utilities) if not math.isnan(u))


def say_outcome(game: Game, utilities: tuple[float, ...]) -> str:
    """`x wins`, `a draw`, or the utilities of all players where that says more."""
    shares = say_shares(game, utilities)
    best = max(utilities)
    winners = [p for p, u in enumerate(utilities) if u == best]
    if isinstance(game, Tree) or game.kind.single:
        return shares
    # In a general-sum game, the outcome is the utility of every player.
    shared = game.kind.constant_sum
    teams = [team for team in game.teams if team[0] in winners]
    if len(winners) == game.players:
        return "a draw" if shared and best == game.neutral else f"a draw ({shares})"
    ordinary = shared and len(teams) == 1 and all(u in game.bounds for u in utilities)
    verb = "wins" if len(winners) == 1 else "win" if len(teams) == 1 else "share the win"
    names = clean(name_team(game, tuple(winners)))
    return f"{names} {verb}" if ordinary else f"{names} {verb} ({shares})"


def is_too_early(game: Game, found: Analysis) -> bool:
    """Whether a search was stopped before it found anything, so that its value is meaningless."""
    return bool(found.stopped) and found.bounds == game.bounds and not found.visits


def say_value(game: Game[S, A], state: S, found: Analysis) -> str:
    """What a search has found out about `state`, in words that claim no more than is proved."""
    if game.is_terminal(state):
        return f"the game is over: {say_outcome(game, game.utilities(state))}"
    if is_too_early(game, found):
        return "nothing yet: the search was stopped too early"
    proof = "proved" if found.exact else _doubt(found)
    say = say_mean if found.visits and not found.exact else say_number
    if not game.kind.scalar:
        return f"{say_shares(game, found.values, say)} ({proof})"
    mover = max(game.player(state), 0)
    if found.exact and not isinstance(game, Tree):
        said = _say_result(game, state, found, mover)
        if said:
            return said
    if not found.exact and not game.can("evaluate") and found.value == game.neutral:
        return f"undecided ({proof})"
    if not found.exact and not found.visits and counts_points(game):
        return f"{_say_estimate(game, found.value)} for {name_player(game, mover)} ({proof})"
    return f"{say(found.value)} for {name_player(game, mover)} ({proof})"


def _say_estimate(game: Game, value: float) -> str:
    points = say_points(game, value)
    return points if points.startswith("a ") else f"{points} point{'' if points in ('1', '−1') else 's'}"


def _say_result(game: Game[S, A], state: S, found: Analysis, mover: int) -> str:
    """`x wins in 5 plies`, `x wins` where the number is not proved, or `a draw`; nothing for other values."""
    low, high = game.bounds
    if not low < game.neutral < high:
        return ""
    if found.value == game.neutral and not game.kind.chance:
        return "a draw with best play"
    if found.value not in (low, high):
        return ""
    own = next(team for team in game.teams if mover in team)
    winners = own if found.value == high else next(team for team in game.teams if team != own)
    end = state
    for action in found.line:
        end = game.result(end, action)
    known = game.is_terminal(end) and (_is_length_proved(game, found) or _is_known(game, state, found))
    length = f" in {plural(len(found.line), 'ply', 'plies')}" if known else ""
    return f"{clean(name_team(game, winners))} {'wins' if len(winners) == 1 else 'win'}{length}"


def _is_known(game: Game[S, A], state: S, found: Analysis) -> bool:
    """Whether endgame tables say that the win takes as long as the line."""
    from zermelo.tables import tables_of

    tables = tables_of(game)
    known = None if tables is None else tables.probe(state)
    return known is not None and known.distance == len(found.line)


def _is_length_proved(game: Game, found: Analysis) -> bool:
    """Whether no win is quicker, and no resistance longer, than the line: the engine proves that with sound techniques
    alone, and not where results depend on the path (a rule of repetition)."""
    if found.visits or found.method.endswith("-quick"):
        return False
    if not found.method.startswith("engine") or len(found.line) == 1:
        return True
    return "+exact" in found.method and game.repetition is None


def _doubt(found: Analysis) -> str:
    """Why a value is not proved."""
    seen = "" if found.depth is None else f", {plural(found.depth, 'ply', 'plies')} deep"
    return f"not proved{seen}"
