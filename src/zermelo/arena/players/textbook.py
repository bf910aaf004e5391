"""Players who take the action that a search of the textbook recommends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import UnionType
from typing import Any, get_args, get_type_hints

from zermelo.analysis import Clock
from zermelo.arena.players._kind import Kind
from zermelo.arena.players._limits import DEFAULT_SECONDS, LIMITS, SAID, agreed_limits, choice_of
from zermelo.arena.players._noise import SAID as NOISE_SAID
from zermelo.arena.players._noise import Noise
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.options import read_options
from zermelo.play import PlayerMove
from zermelo.search import Options
from zermelo.search.algorithms import ALGORITHMS

UNHURRIED = {"brs", "maxn", "paranoid", "search", "star1", "star2"}
"""Those that have no use for `quick`, or settle it themselves; the others prefer the quicker win."""
PLAIN = (bool, int, float, str)


def written_options() -> dict[str, tuple[type, ...]]:
    """The options of a search that can be written as text, each with the types that it takes."""
    found = {}
    for name, hint in get_type_hints(Options).items():
        types = tuple(t for t in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if t in PLAIN)
        if types and name != "trace":
            found[name] = (*types, int) if float in types else types
    return found


class Textbook:
    """A search as a player. Without a limit it deepens for a second a move."""

    def __init__(self, kind: str, text: str = ""):
        self.name = f"{kind}:{text}" if text else kind
        self.algorithm = ALGORITHMS[kind]
        options = read_options(text)
        self.noise = Noise(kind, options)
        self.options = self._check(kind, options)
        self.own = {name: value for name, value in self.options.items() if name in LIMITS}
        if not self.own:
            self.options |= {"seconds": DEFAULT_SECONDS, "deepen": True}
        if kind not in UNHURRIED:
            self.options.setdefault("quick", True)

    @staticmethod
    def _check(kind: str, options: dict[str, Any]) -> dict[str, Any]:
        """`options`, if each exists and has a value of its type; lists are written `killers/history`."""
        known = written_options()
        for name, value in options.items():
            if name not in known:
                takes = dict.fromkeys((*known, *NOISE_SAID))
                raise OptionError(f"{kind} has no option {name!r}; it takes: {', '.join(takes)}")
            if not isinstance(value, known[name]) or (isinstance(value, bool) and bool not in known[name]):
                wanted = " or ".join(t.__name__ for t in known[name])
                raise OptionError(f"{kind}: {name} must be of type {wanted}, not {value!r}")
            if isinstance(value, str):
                options[name] = value.replace("/", ",")
        return options

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        slip = self.noise.instead(game, state, history)
        if slip is not None:
            return slip
        limits = agreed_limits(self.own, clock, game.player(state))
        options = {name: value for name, value in self.options.items() if name not in LIMITS} | limits
        if set(limits) - set(self.own) - {"stop"}:  # a search that the clock may end has to have an answer by then
            options.setdefault("deepen", True)
        return choice_of(self.algorithm(game, state, history=history, **options))

    def reseed(self, seed: int) -> None:
        self.noise.reseed(seed)


SUMMARIES = {
    "alphabeta": "Alpha-beta: minimax that leaves out what cannot matter.",
    "brs": "Best-reply search: of all opponents the most dangerous one answers.",
    "expectiminimax": "Minimax with the average over dice.",
    "h-minimax": "Minimax to a cut-off, with estimates below it.",
    "maxn": "max^n: any number of players, each for itself.",
    "minimax": "Minimax, every position of it.",
    "mtdf": "MTD(f): alpha-beta with nothing but zero windows.",
    "negamax": "Minimax written for one side.",
    "paranoid": "Any number of players, all the others against it.",
    "pvs": "Principal variation search.",
    "search": "The search of the textbook that fits the game, with all its sound techniques.",
    "star1": "Expectiminimax that prunes by bounds (Star1).",
    "star2": "Expectiminimax that prunes by probing (Star2).",
}


def describe(kind: str) -> Kind:
    """The kind of player that the algorithm called `kind` makes."""
    techniques = {name: "/".join(t.__name__ for t in types) for name, types in written_options().items()}
    options = {name: SAID.get(name, f"{types}; see Techniques") for name, types in techniques.items()} | NOISE_SAID
    summary = SUMMARIES.get(kind, "A search of the textbook.")
    return Kind(partial(Textbook, kind), summary, f"{kind}:depth=4", options, harmless=True)


NATIVE_TOO = {"brs", "expectiminimax", "maxn", "paranoid", "star1", "star2"}
"""Those that have a player of their own, which asks the engine where it can."""

KINDS = {kind: describe(kind) for kind in ALGORITHMS if kind not in NATIVE_TOO}
