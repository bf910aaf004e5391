"""Players who take the action that a search recommends.

    engine:seconds=1,threads=2           the native engine
    mcts:simulations=1000,c=1.4          Monte Carlo tree search
    expectiminimax:depth=3,width=5       dice and many players: maxn, paranoid, brs, star1, star2
    alphabeta:depth=6,order=best         a search of the textbook, with its options
    engine:depth=2,noise=0.3             with mistakes
    engine:book=chess.book,variety=0     with an opening book, and always its best move
    engine:search=chess.search.json      with other margins and coefficients than those that came with the game

All of them ask a `Searcher`, which they keep for as long as they play one game and clear when another begins, so that
what they play does not depend on the games before.

Books: `engine`, `mcts` and `search` play the book that the user has given the game, and others a book that they name.
What makes mistakes plays no book that it does not name: its strength was measured without. So was that of all others,
and nobody plays a book of the package who does not say `book=yes`: tournaments, ladders and trainings measure searches.

Weaker play: with the probability `noise` a move is any legal one. Why this and not a choice among the better moves by
their values: alpha-beta knows bounds of most moves and not their values, and what a difference of values means differs
from game to game. A blunder now and then means the same in all of them; more noise is never stronger play, and noise 1
is the random player, so that one option leads from there to the search at its best.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import UnionType
from typing import Any, get_args, get_type_hints

from zermelo.analysis import Analysis, Clock, Limits
from zermelo.arena.players import Kind
from zermelo.book import Book, book_of, given_book, read_book
from zermelo.book.book import VARIETY
from zermelo.engine.methods import TextbookMethod
from zermelo.engine.parameters import read_tuning
from zermelo.engine.searcher import DEFAULT_SECONDS, NATIVE_ALGORITHMS, Searcher
from zermelo.errors import OptionError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.options import Option, check_options, choice, flag, number, read_options, whole
from zermelo.play import PlayerMove, Wish
from zermelo.play.notation import legal_actions
from zermelo.search import Options
from zermelo.search.algorithms import ALGORITHMS

TABLE_MB = 16
"""The default table: enough for one move, and soon emptied for the next game."""
TREE_MB = 256
"""The default for a tree of simulations."""
GREATEST_LIMIT = 1 << 62
LIMITS = {
    "depth": whole(1, about="plies to search"),
    "nodes": whole(0, about="positions to enter at most"),
    "seconds": number(0, about=f"time for a move; {DEFAULT_SECONDS:g} if there is no other limit"),
}
NOISE = {
    "noise": number(0, 1, default=0.0, about="how often, from 0 to 1, it plays any legal move instead of its best"),
    "seed": whole(about="a whole number; with it, the same noise every time"),
}
BOOK = {
    "book": Option(
        (bool, str), "yes, no or a file", about="an opening book to play from; yes for the game's own, if any"
    ),
    "variety": VARIETY,
}
BOOKISH = ("engine", "mcts", "search")
"""Who plays the book that a game was given without being asked to."""
ROOM = {
    "threads": whole(1, 1024, about="processor cores to use"),
    "table_mb": whole(1, 1 << 24, about=f"megabytes for its table; {TABLE_MB}"),
}
PARAMETERS = {
    "search": Option(
        (bool, str), "yes, no or a file", about="parameters of alpha-beta, of `zermelo tune`; no for the defaults"
    )
}
WIDTHS = {
    "width": whole(0, about="actions searched below the root, by first sight; all if 0"),
    "samples": whole(0, about="outcomes that a roll of the dice is sampled to; all if 0"),
}
NATIVE_WIDTHS = {
    "root_width": whole(0, about="actions of the root that go on from one depth to the next; all if 0"),
    "root_margin": number(0, about="what these may be worse than the best, in utility"),
    "stride": whole(1, about="plies by which it deepens; 1"),
}
"""What only the engine takes."""
SIMULATION = {
    "simulations": whole(1, GREATEST_LIMIT, about="simulations for a move"),
    "nodes": whole(1, GREATEST_LIMIT, about=LIMITS["nodes"].about),
    "seconds": LIMITS["seconds"],
    "selection": choice("uct", "puct", about="uct or puct"),
    "c": number(0, 1e12, about="how much to explore; 1.4"),
    "rave": number(0, 1e12, about="visits at which all moves as first and an action's own mean weigh alike; 0: none"),
    "widening": number(0, 1, about="the exponent of progressive widening; 0 for all actions at once"),
    "solver": flag(about="whether to back up what is proved; yes"),
    "playout": choice("own", "uniform", about="own, the game's way of playing at random where it has one, or uniform"),
    "plies": whole(0, GREATEST_LIMIT, about="the length of a uniform playout at most"),
    "temperature": number(0, 1e6, about="0 for the most visited action; above it, others now and then"),
    "threads": ROOM["threads"],
    "memory_mb": whole(1, 1 << 20, about=f"megabytes for its tree; {TREE_MB}"),
}
NOT_QUICK = {"brs", "maxn", "paranoid", "search", "star1", "star2"}
"""Searches of the textbook that have no use for `quick`, or set it themselves; the others prefer the quicker win."""
SUMMARIES = {
    "alphabeta": "Alpha-beta: minimax that leaves out what cannot matter.",
    "brs": "Best-reply search: of all opponents the most dangerous one answers.",
    "engine": "The native engine: strong at any game without hidden information.",
    "expectiminimax": "Minimax with the average over dice.",
    "h-minimax": "Minimax to a cut-off, with estimates below it.",
    "maxn": "max^n: any number of players, each for itself.",
    "mcts": "Monte Carlo tree search: any game, also with dice, more players or hidden cards; needs no evaluation.",
    "minimax": "Minimax, every position of it.",
    "mtdf": "MTD(f): alpha-beta with nothing but zero windows.",
    "negamax": "Minimax written for one side.",
    "paranoid": "Any number of players, all the others against it.",
    "pvs": "Principal variation search.",
    "search": "The search of the textbook that fits the game, with all its sound techniques.",
    "star1": "Expectiminimax that prunes by bounds (Star1).",
    "star2": "Expectiminimax that prunes by probing (Star2).",
}
EXAMPLES = {"engine": "engine:seconds=0.5,threads=2", "mcts": "mcts:seconds=0.5,c=1.4"}


def textbook_options() -> dict[str, Option]:
    """The options of the textbook's searches that can be written as text."""
    found: dict[str, Option] = {}
    for name, hint in get_type_hints(Options).items():
        parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        types = tuple(each for each in parts if each in (bool, int, float, str))
        if types and name != "trace":
            taken = (*types, int) if float in types else types
            described = " or ".join(each.__name__ for each in taken)
            about = LIMITS[name].about if name in LIMITS else f"{'/'.join(t.__name__ for t in taken)}; see Techniques"
            found[name] = Option(taken, f"of type {described}", about=about)
    return found


def options_of(kind: str) -> dict[str, Option]:
    """The options of a player of this kind."""
    if kind == "engine":
        return {**LIMITS, **ROOM, **PARAMETERS, **NOISE, **BOOK}
    if kind == "mcts":
        return {**SIMULATION, **NOISE, **BOOK}
    if kind in NATIVE_ALGORITHMS:
        own = {**LIMITS, **WIDTHS, **NATIVE_WIDTHS, "table_mb": ROOM["table_mb"], **NOISE}
        return {**textbook_options(), **own, **BOOK}
    return {**textbook_options(), "depth": LIMITS["depth"], **NOISE, **BOOK}


class SearchPlayer:
    """Keeps one searcher for as long as it plays one game, and with it, within a game, what it has learnt."""

    def __init__(self, kind: str, text: str = ""):
        self.kind = kind
        self.name = f"{kind}:{text}" if text else kind
        given = read_options(text)
        check_options(options_of(kind), given, kind)
        self.noise: float = given.pop("noise", 0.0)
        self.seed: int | None = given.pop("seed", None)
        self.dice = random.Random(self.seed)
        self.asked = given.get("book") is True
        self.wanted: bool | str = given.pop("book", kind in BOOKISH and self.noise == 0)
        self.variety: float = given.pop("variety", 1.0)
        self.book: Book[Any, Any] | None = None
        self.limits = Limits(**{name: given.pop(name) for name in (*LIMITS, "simulations") if name in given})
        own = read_parameters(given.pop("search", True)) if kind == "engine" else {}
        self.options = {**self._defaults(), **own, **{name: listed(value) for name, value in given.items()}}
        self.searcher: Searcher | None = None

    def _defaults(self) -> dict[str, Any]:
        """Options of the searcher beside those that the player's text gives."""
        if self.kind == "mcts":
            return {"memory_mb": TREE_MB, "early": True, "seed": self.seed or 0}
        if self.kind == "engine":
            return {"table_mb": TABLE_MB}
        quick = {} if self.kind in NOT_QUICK else {"quick": True}
        native = {"table_mb": TABLE_MB, "seed": abs(self.seed or 0)} if self.kind in NATIVE_ALGORITHMS else {}
        return {**quick, **native}

    @property
    def varies(self) -> bool:
        """Whether it draws: by mistakes or from a book, or simulations from another seed in each game."""
        by_book = self.asked or isinstance(self.wanted, str)
        return self.noise > 0 or by_book or (self.kind == "mcts" and self.seed is None)

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        if self.searcher is None or self.searcher.game is not game:
            self.begin(game, game.player(state))
        assert self.searcher is not None
        if self.noise > 0 and self.dice.random() < self.noise:
            return PlayerMove(self.dice.choice(legal_actions(game, state, history)))
        known = None if self.book is None else self.book.choose(state, self.dice, self.variety, history)
        if known is not None:
            return PlayerMove(known.action, known.value)
        return choice_of(self.searcher.search(state, self.limits, clock=clock, history=history))

    def reseed(self, seed: int) -> None:
        """Seeds the dice, unless the player's text does."""
        if self.seed is None:
            self.dice.seed(seed)
            if self.kind == "mcts":
                self.options["seed"] = seed
                self.searcher = None

    def begin(self, game: AnyGame, seat: int) -> None:
        """Compiles the rules before a clock runs, and forgets the game before."""
        if self.searcher is not None and self.searcher.game is game:
            self.searcher.clear()
            return
        searcher = Searcher(game, algorithm=self.kind, **self.options)
        native = sorted(set(self.options) & set(NATIVE_WIDTHS))
        if native and isinstance(searcher.method, TextbookMethod):
            raise OptionError(f"{self.kind}: {native[0]} needs the engine, which does not serve {game.name}")
        self.searcher = searcher
        self.book = self.find_book(game)

    def rehearse(self, game: AnyGame) -> None:
        """Refuses options that only a search itself can check, as those of the textbook's are."""
        if self.searcher is not None and isinstance(self.searcher.method, TextbookMethod):
            self.searcher.search(limits=replace(self.limits, nodes=1))

    def find_book(self, game: AnyGame) -> Book[Any, Any] | None:
        """The book to play from; none if there is none, or none is wanted."""
        if isinstance(self.wanted, str):
            return read_book(self.wanted, game)
        found = book_of(game) if self.asked else given_book(game) if self.wanted else None
        if found is None and self.asked:
            raise OptionError(f"{game.name} has no book: name a file, as in {self.kind}:book=FILE")
        return found

    def close(self) -> None:
        self.searcher = None


def with_book(text: str, game: AnyGame) -> str:
    """A player, with the book of `game` if it has one: for people, who would meet the same opening in every game."""
    return text if book_of(game) is None else f"{text},book=yes"


def choice_of(found: Analysis) -> PlayerMove:
    """What a search recommends; Ctrl-C goes on to the caller of the player."""
    if found.stopped == "interrupt":
        raise KeyboardInterrupt
    return PlayerMove(found.action, found.value, found.depth, found.nodes)


def read_parameters(wanted: bool | str) -> dict[str, Any]:
    """The option of the engine for the parameters of a file, or for none of the game's own."""
    if wanted is True:
        return {}
    return {"parameters": {} if wanted is False else dict(read_tuning(wanted).values)}


def listed(value: object) -> Any:
    """A list of words, which is written `killers/history` in the text of a player."""
    return value.replace("/", ",") if isinstance(value, str) else value


def describe(kind: str) -> Kind:
    """What there is to know about the players of a kind."""
    abouts: Mapping[str, str] = {name: option.about for name, option in options_of(kind).items()}
    example = EXAMPLES.get(kind, f"{kind}:depth=4")
    summary = SUMMARIES.get(kind, "A search of the textbook.")
    return Kind(partial(SearchPlayer, kind), summary, example, abouts, harmless=True)


KINDS = {kind: describe(kind) for kind in ("engine", "mcts", *ALGORITHMS)}
