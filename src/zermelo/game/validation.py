"""What a game promises, checked where it is relied on: a cheap look at first use, probabilities, utilities, actions.

`zermelo check` looks much closer; what is checked here costs next to nothing and prevents answers that look proved.
"""

from __future__ import annotations

import math
import time
from collections.abc import Container, Iterable
from itertools import islice
from random import Random
from typing import Any
from weakref import WeakValueDictionary

from zermelo.errors import ContractError, OptionError
from zermelo.game.contract import CHANCE, A, AnyGame, Game, S
from zermelo.game.kind import are_points, is_integer
from zermelo.game.sides import for_sides

SUM_TOLERANCE = 1e-6
VALIDATION_SECONDS = 0.02
VALIDATION_PLIES = 200
CONSIDERED_ACTIONS = 64
_validated: WeakValueDictionary[int, AnyGame] = WeakValueDictionary()


def check_is_game(game: object) -> None:
    """Refuses what is no game, such as the name of one."""
    if not isinstance(game, Game):
        raise ContractError(f"{game!r:.60} is not a game: derive it from zermelo.Game, or use zermelo.load or adapt")


def validate(game: AnyGame) -> None:
    """Refuses a game whose facts are impossible, or whose ends contradict them in the first few random games.

    The games are played once per game object and take at most a few milliseconds. A rule that raises is left to the
    search, which meets it, too, and says where.
    """
    check_is_game(game)
    _ = game.kind
    if _validated.get(id(game)) is game:
        return
    ends, odd = _some_positions(game)
    if odd is not None:
        who_moves(game, odd)
    check_points(game, (bound for bound in game.bounds if math.isfinite(bound)), "a bound")
    for end in ends:
        check_points(game, end_utilities(game, end, whose=(0,) if game.kind.adversarial else None), "an end")
    _validated[id(game)] = game


def who_moves(game: Game[S, A], s: S) -> int:
    """PLAYER(s): one of the game's players, or chance."""
    p = game.player(s)
    if not is_mover(game, p):
        raise ContractError(
            f"player({game.write(s)}) is {p!r:.60}, which is no player of {game.name}: return a whole number from 0 to "
            f"{game.players - 1}, or zermelo.CHANCE"
        )
    return p


def is_mover(game: AnyGame, p: object) -> bool:
    """Whether `p` is one of the game's players, or chance; a bool may number two players."""
    return (type(p) in (int, bool) or is_integer(p)) and CHANCE <= p < game.players  # type: ignore[operator]


def _some_positions(game: AnyGame) -> tuple[list[Any], Any]:
    """A few positions in which a game is over, found at random, and one in which nobody of the players moves."""
    ends: list[Any] = []
    dice, latest = Random(0), time.perf_counter() + VALIDATION_SECONDS
    try:
        state = start = game.initial()
        for _ in range(VALIDATION_PLIES):
            if game.is_terminal(state):
                ends.append(state)
                state = start
                if game.is_terminal(start):
                    break
            if not is_mover(game, game.player(state)):
                return ends, state
            state = game.result(state, dice.choice(list(islice(game.actions(state), CONSIDERED_ACTIONS))))
            if time.perf_counter() > latest:
                break
    except Exception:
        pass
    return ends, None


def legal_actions(game: Game[S, A], s: S) -> list[A]:
    """The actions of a position that is not terminal: at least one."""
    actions = list(game.actions(s))
    if not actions:
        raise ContractError(f"{game.name} offers no action in {game.write(s)}, which is not terminal")
    return actions


def check_key(game: Game[S, A], s: S) -> None:
    """Refuses keys that no table can look up."""
    key = game.key(s)
    try:
        hash(key)
    except TypeError:
        raise ContractError(
            f"`key` of {game.name} gives {key!r:.60}, which no table can look up: "
            "return numbers, text or tuples of them"
        ) from None


def missing_chances(game: Game[S, A], s: S) -> ContractError:
    """The error for a game in which chance moves and nobody says how."""
    return ContractError(f"chance moves in {game.write(s)}: write `def chances(self, s)` in the class")


def fair_chances(game: Game[S, A], s: S) -> list[tuple[A, float]]:
    """What chance can do in `s`, with the probabilities: none below 0, and 1 in all."""
    found = [(a, float(p)) for a, p in game.chances(s)]
    total = math.fsum(p for _, p in found)
    if not abs(total - 1) < 1e-6 or any(p < 0 for _, p in found):
        wrong = "are negative" if abs(total - 1) < 1e-6 else f"do not add up to 1 but to {total:g}"
        raise ContractError(f"the probabilities in {game.write(s)} {wrong}: run `zermelo check` on the game")
    return found


def end_utilities(game: Game[S, A], s: S, whose: Container[int] | None = None) -> tuple[float, ...]:
    """What the end `s` is worth to each player: finite, within the game's bounds, and with the sum that it states.

    `whose` names the players whose utilities must lie within the bounds; all of them without it. A tree written down
    may have bounds that are true of MAX alone.
    """
    low, high = map(float, game.bounds)
    found = tuple(game.utilities(s))
    for p, utility in enumerate(found):
        if not math.isfinite(utility):
            raise ContractError(f"an end of {game.name} is worth {utility}, which is no utility: {game.write(s)}")
        if (whose is None or p in whose) and not low <= utility <= high:
            raise ContractError(
                f"an end of {game.name} is worth {utility:g}, outside its bounds ({low:g}, {high:g}): "
                f"widen `bounds` in the class"
            )
    for team in game.teams if game.kind.teams else ():
        if len({found[p] for p in team}) > 1:
            shares = ", ".join(f"{found[p]:g}" for p in team)
            raise ContractError(
                f"partners of {game.name} get {shares} at an end: `utility` must be the same for a whole `team`, "
                f"in {game.write(s)}"
            )
    total = game.utility_sum
    counted = for_sides(game, found) if game.kind.teams else found
    if (
        total is not None
        and len(counted) > 1
        and abs(math.fsum(counted) - total) > SUM_TOLERANCE * max(1.0, *map(abs, found))
    ):
        shares = ", ".join(f"{utility:g}" for utility in found)
        raise ContractError(
            f"the utilities at an end of {game.name}, {shares}, do not add up to its `utility_sum`, {total:g}: "
            f"does `utility` look at `p`? For a general-sum game write `utility_sum = None`"
        )
    return found


def check_points(game: AnyGame, utilities: Iterable[float], what: str) -> None:
    """Refuses a `scale` under which a utility is no whole number of points: the engine would round it away."""
    for utility in utilities:
        if game.scale is not None and not are_points(utility, game.scale):
            raise ContractError(
                f"{what} of {game.name} is worth {utility:g}, which is no whole number of points with `scale` = "
                f"{game.scale:g}: utilities are whole points divided by `scale`, or leave it out"
            )


def legal_only(game: Game[S, A], state: S, only: Iterable[A] | None) -> list[A]:
    """The actions of `only` in the game's order, none if that is `None`; an error if some are not legal in `state`."""
    if only is None:
        return []
    if isinstance(only, str) or not isinstance(only, Iterable):
        raise OptionError(f"only must be a list of actions to choose from, not {only!r:.80}")
    named = list(only)
    if not named:
        raise OptionError("only must name an action to choose from: leave it out, to choose from all")
    chooses = not game.is_terminal(state) and game.player(state) != CHANCE
    legal = list(game.actions(state)) if chooses else []
    known = set(legal)
    try:
        wrong = [action for action in named if action not in known]
    except TypeError:  # a list, or what holds one, is no action
        wrong = named
    if wrong:
        raise OptionError(f"only may name legal actions of the position, not {wrong!r:.80}")
    chosen = set(named)
    return [action for action in legal if action in chosen]


def unlike_actions(game: Game[S, A], player: int, state: S) -> ContractError:
    """The error for a player who sees the same in two states and has other actions there."""
    seen = f"player {player} of {game.name} sees the same in two states and has other actions"
    return ContractError(f"{seen}, as in {game.write(state)}; see `view`")
