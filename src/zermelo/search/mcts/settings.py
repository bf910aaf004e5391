"""What a caller of Monte Carlo tree search may choose, and what an evaluator answers, checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from zermelo.analysis import LONGEST_SECONDS
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame, Game
from zermelo.options import check_fields, choice, flag, number, whole

Evaluator: TypeAlias = Callable[[list[Any]], tuple[Sequence[object], Sequence[object]]]
"""From a list of states to (priors, values). For each state `priors` has a number for each of the game's actions, in
their order or as a dict (an action that it leaves out has 0), or `None` for all alike, as they also are where no action
has more than 0; `values` has the utility of the player to move, or every player's."""

UCT_EXPLORATION = 1.4
PUCT_EXPLORATION = 1.0
MOST = 1 << 62
SETTINGS = {
    "playout": choice("own", "uniform", "evaluate"),
    "rave": number(0, 1e12),
    "widening": number(0, 1),
    "temperature": number(0, 1e6),
    "c": number(0, 1e12, optional=True),
    "mix": number(0, 1),
    "judged_from": whole(0, MOST),
    "plies": whole(0, MOST),
    "seed": whole(-(1 << 64), 1 << 64),
    "solver": flag(),
}
BUDGET = {
    "simulations": whole(1, MOST, optional=True),
    "nodes": whole(1, MOST, optional=True),
    "seconds": number(0, optional=True),
}


@dataclass(frozen=True, slots=True)
class MctsSettings:
    """How a tree grows."""

    selection: str = ""
    """`uct`, or `puct` with prior probabilities; without a word `puct` if there is an evaluator."""
    c: float | None = None
    """How much to explore, in units of the width of the game's utilities; 1.4 with UCT, 1 with PUCT."""
    rave: float = 0.0
    """Visits at which all moves as first (AMAF) and an action's own mean weigh alike; 0 to do without AMAF."""
    widening: float = 0.0
    """The exponent w of progressive widening: after n visits the nʷ most promising actions are tried; 0 for all."""
    solver: bool = True
    """Whether to back up what is proved, in games of one player or of two with a constant sum."""
    playout: str = "own"
    """`own`, the game's own way of playing at random where it has one; `uniform`; or `evaluate`, a rollout in which
    each player takes the action with the best estimate, as in backgammon."""
    plies: int = 1000
    """The length of a playout at most, unless it is the game's own; after it the game's estimate stands for the end.
    0 for no playout."""
    evaluator: Evaluator | None = field(default=None, compare=False)
    """Judges new positions in place of playouts."""
    mix: float = 0.0
    """The weight of a playout beside the judgement of an evaluator, the λ of AlphaGo: a new position is worth
    (1 − mix) · judgement + mix · playout."""
    judged_from: int = 0
    """The visits from which an evaluator judges a position; until then it is played out. 0 to judge new positions."""
    noise: tuple[float, float] | None = None
    """(alpha, share): Dirichlet noise that is mixed into the root's priors by this share, for self-play with PUCT."""
    temperature: float = 0.0
    """The action is drawn with probabilities that go with visits ^ (1 / temperature); 0 for the best."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.selection:
            choice("uct", "puct").check("selection", self.selection)
        check_fields(self, SETTINGS)
        if self.evaluator is not None and not callable(self.evaluator):
            raise OptionError("evaluator must be a function from a list of states to (priors, values)")
        if self.noise is not None:
            self._check_noise(self.noise)

    def _check_noise(self, noise: object) -> None:
        if not isinstance(noise, (tuple, list)) or len(noise) != 2:
            raise OptionError(f"noise must be a pair (alpha, share), as in (0.3, 0.25), not {noise!r}")
        number(1e-6, 1e6).check("the alpha of noise", noise[0])
        number(0, 1).check("the share of noise", noise[1])
        if not self.puct:
            raise OptionError("noise is mixed into priors, which only puct has: add selection='puct'")

    def check_game(self, game: AnyGame) -> None:
        """Refuses rollouts of a game that cannot estimate, or whose estimates would look at what is hidden."""
        if self.playout == "evaluate" and not game.can("evaluate"):
            raise MethodError(
                f"{game.name} has no estimate to roll out by: write `def evaluate(self, s, p)` in the class"
            )
        if self.playout == "evaluate" and game.kind.hidden:
            raise MethodError(
                f"{game.name} hides information, at which a rollout by estimates would look; play uniformly"
            )

    @property
    def puct(self) -> bool:
        return self.selection == "puct" or (self.selection == "" and self.evaluator is not None)

    @property
    def exploration(self) -> float:
        """c, or the usual one."""
        return (PUCT_EXPLORATION if self.puct else UCT_EXPLORATION) if self.c is None else float(self.c)

    def solves(self, game: Game) -> bool:
        """Whether proofs are backed up: with more players, or other sums, a value is not the only one there is, and
        nothing is proved by what one imagines behind hidden cards."""
        return self.solver and game.kind.scalar and game.kind.perfect_information

    def method(self, game: Game) -> str:
        """The name of the search, with what is on."""
        parts = ["mcts", "puct" if self.puct else "uct"]
        parts += ["rave"] * (self.rave > 0) + ["widening"] * (self.widening > 0)
        parts += ["rollouts"] * (self.playout == "evaluate")
        parts += ["playouts"] * (self.evaluator is not None and (self.mix > 0 or self.judged_from > 0))
        return "+".join(
            [*parts, *(["evaluator"] if self.evaluator else []), *(["solver"] if self.solves(game) else [])]
        )


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a search goes on; whichever limit is reached first ends it, and a second if there is none."""

    simulations: int | None = None
    """Simulations to run."""
    nodes: int | None = None
    """Positions to enter at most, in the tree and in playouts."""
    seconds: float | None = None
    """Thirty years at most (`LONGEST_SECONDS`), which stand for infinity, too."""
    stop: Callable[[], bool] | None = field(default=None, compare=False)
    """Asked from time to time; a true answer ends the search with the best so far."""
    only: Iterable[Any] | None = None
    """The actions to choose from; all if none is named."""
    early: bool = False
    """Whether to end before `seconds` are over, once no other action can become the most visited one."""

    def __post_init__(self) -> None:
        if isinstance(self.seconds, (int, float)) and self.seconds >= LONGEST_SECONDS:
            object.__setattr__(self, "seconds", LONGEST_SECONDS)
        check_fields(self, BUDGET)

    @property
    def time(self) -> float | None:
        """Seconds to take at most; a second where there is no limit at all."""
        return 1.0 if self.seconds is self.simulations is self.nodes is None else self.seconds


def suited(game: Game, options: Mapping[str, object]) -> dict[str, object]:
    """`options` on top of the game's own settings, which are left out if the caller brings priors; a game that can
    judge positions is the evaluator, unless the caller asks for UCT."""
    if options.get("evaluator") is not None:
        return dict(options)
    judging = {"evaluator": game.judge} if game.can("judge") and options.get("selection") != "uct" else {}
    brings = not judging and options.get("selection") == "puct"
    return {**({} if brings else game.simulation), **options, **judging}


def read_options(options: Mapping[str, object], others: Sequence[str] = ()) -> tuple[MctsSettings, Budget]:
    """Settings and budget from a caller's `options`; an unknown one raises `OptionError`, which lists `others`, too."""
    chosen: list[dict[str, Any]] = []
    left = dict(options)
    for kind in (MctsSettings, Budget):
        names = [each.name for each in fields(kind)]
        chosen.append({name: left.pop(name) for name in names if name in left})
    if left:
        known = ", ".join([*(each.name for kind in (MctsSettings, Budget) for each in fields(kind)), *others])
        raise OptionError(f"mcts has no option {next(iter(left))!r}; it takes: {known}")
    return MctsSettings(**chosen[0]), Budget(**chosen[1])


ROUNDING = 1e-4
"""The tolerance for values outside the game's bounds: networks compute in single precision."""


def judge(game: Game, evaluator: Evaluator, state: object) -> tuple[list[float], list[float]]:
    """What `evaluator` thinks of one position: a probability for each action, and every player's utility."""
    return judge_all(game, evaluator, [state])[0]


def judge_all(game: Game, evaluator: Evaluator, states: list[object]) -> list[tuple[list[float], list[float]]]:
    """The same for several positions, in one call."""
    answer = evaluator(states)
    if not isinstance(answer, tuple) or len(answer) != 2 or any(len(part) != len(states) for part in answer):
        raise OptionError(
            f"an evaluator gives (priors, values) with one of each for each of {len(states)} states, not {answer!r:.80}"
        )
    priors, values = answer
    return [
        (read_priors(list(game.actions(s)), prior), read_values(game, s, value))
        for s, prior, value in zip(states, priors, values, strict=True)
    ]


def read_priors(actions: list[object], prior: object) -> list[float]:
    """The probabilities of `actions`, made to add up to 1."""
    if prior is None:
        return [1.0 / len(actions)] * len(actions)
    if isinstance(prior, Mapping):
        if prior and {*map(type, prior)}.isdisjoint(map(type, actions)):
            raise OptionError(f"priors are of actions such as {actions[0]!r:.80}, not of {next(iter(prior))!r:.80}")
        prior = [prior.get(action, 0.0) for action in actions]
    shares = read_numbers(prior)
    if shares is None or len(shares) != len(actions) or not all(share >= 0 for share in shares):
        raise OptionError(f"priors must be {len(actions)} numbers, 0 or more, one an action, not {prior!r:.80}")
    total = sum(shares)
    return [share / total for share in shares] if total > 0 else [1.0 / len(actions)] * len(actions)


def read_numbers(given: Any) -> list[float] | None:
    """The numbers as floats, or `None` unless all are finite."""
    try:
        found = [float(each) for each in given]
    except (TypeError, ValueError):
        return None
    return found if all(map(math.isfinite, found)) else None


def read_values(game: Game, state: object, value: object) -> list[float]:
    """Every player's utility; derived from the mover's where the sum is constant."""
    if isinstance(value, Sequence) or len(getattr(value, "shape", ())) > 0:
        utilities = read_numbers(value)
    else:
        (mine,) = read_numbers([value]) or (math.nan,)
        if not game.kind.scalar:
            raise OptionError(f"values must have a number for each of the {game.players} players, not {value!r:.80}")
        other = 2 * game.neutral - mine
        utilities = [mine] if game.kind.single else [mine, other] if game.player(state) == 0 else [other, mine]
    if utilities is None or len(utilities) != game.players or math.isnan(utilities[0]):
        raise OptionError(f"values must be {game.players} finite numbers, one a player, not {value!r:.80}")
    low, high = game.bounds
    if not all(low - ROUNDING <= each <= high + ROUNDING for each in utilities):
        raise OptionError(f"values must be utilities of {game.name}, from {low:g} to {high:g}, not {value!r:.80}")
    return utilities
