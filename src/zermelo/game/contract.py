"""The contract between a game and everything that plays, searches or draws it.

A game is (s0, PLAYER, ACTIONS, RESULT, TERMINAL-TEST, UTILITY): six methods over immutable states. Each
further method is optional and switches on what it makes possible; `Game.can` says whether a game has it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, NewType, Protocol, TypeAlias

from zermelo.errors import ActionError, ContractError
from zermelo.game.kind import FACTS, Kind, is_integer, no_number, real, wrong_fact
from zermelo.game.text import freeze, read_fields, text_picture, write_fields

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from numpy.typing import ArrayLike
    from typing_extensions import TypeVar  # with defaults, which typing has only from Python 3.13 on

    S = TypeVar("S", default=Any)
    A = TypeVar("A", default=Any)
else:
    from typing import TypeVar

    S = TypeVar("S")
    A = TypeVar("A")

CHANCE = -1
"""The player who rolls the dice and deals the cards."""

U64 = NewType("U64", int)
"""The annotation of a state's field that holds 64 bits without a sign; plain `int` fields hold 64 with one."""

Repetition = Literal["draw", "forbidden", "loses", "perpetual"] | None


class NetworkRun(Protocol):
    """Networks of a game's own kind that are being learned, step by step; `zermelo.train` keeps time and files."""

    games: int
    """Played so far."""
    positions: int
    """Learned from so far."""
    steps: int
    loss: float | None
    """Of the last step."""

    @property
    def share(self) -> float:
        """Of the whole run that is over; 1 at its end."""

    def step(self) -> None:
        """Learns for a while."""

    def save(self, path: Path) -> None:
        """Writes all that `load` needs to go on from here."""

    def load(self, path: Path) -> None: ...

    def write(self, path: Path, record: Mapping[str, Any]) -> None:
        """Writes the networks as they are now, with the record of their making."""

    def match(self, pairs: int, first: int, stop: Callable[[], bool]) -> list[float]:
        """Plays pairs of games against what was there before; the points a game of each, numbered from `first`."""

    def close(self) -> None:
        """Ends what it has begun."""


class Trainer(NamedTuple):
    """How networks of a game are learned, where these are of the game's own kind."""

    settings: Callable[..., Any]
    """Makes the settings of a run from options; `minutes`, `games`, `threads` and `seed` are among them."""
    begin: Callable[..., NetworkRun]
    """`begin(settings, start, elapsed)`: `start` is a file of networks to go on from, or `None`; `elapsed()` says the
    seconds that were spent on learning so far."""
    option: str
    """The option of the game that names a file of networks."""


class OwnResolving(NamedTuple):
    """How a game is re-solved as it is played, where its tree is too large and it does that itself."""

    player: Callable[..., Any]
    """`player(seat, iterations, safe, seconds, values)`: has `policy(state, history)` and `choose(state, history,
    random)`; `values` is a file of values of hands, or `None`."""
    settings: Callable[..., Any]
    """Makes the settings of learning these values from options."""
    learn: Callable[..., Any]
    """`learn(settings, told, stop)`: a `zermelo.learn.situations.Learned`."""
    measure: Callable[..., Any]
    """`measure(players, opponent, hands, seed)`: yields after each hand what a simple opponent has won so far."""
    opponents: Sequence[str]
    """Those that it is measured against."""


class Proof(NamedTuple, Generic[A]):
    """What a game's own solver proves of a position."""

    values: Mapping[A, float]
    """The utility of the player to move after every legal action, if all play their best."""
    line: tuple[A, ...]
    """Actions of best play to the end."""
    nodes: int


class Overview(NamedTuple):
    """All that a game's own solver says of the game as a whole."""

    data: Mapping[str, Any]
    text: str


class Count(NamedTuple):
    """How people count the end of a game, once what is dead is taken off the board."""

    dead: frozenset[str]
    """The places of what is dead, by their names in the picture."""
    owners: Mapping[str, int]
    """Whose each place is on which nothing lives; places of nobody are left out."""
    said: str
    """The score, as `black 45, white 43.5: black wins by 1.5 points`."""
    utilities: tuple[float, ...]


class Game(Generic[S, A]):
    """The rules of a game. Write the first six methods; the rest is yours to choose.

    Players are 0 … `players` − 1. A state is an immutable NamedTuple (called `State` inside the class if the
    game is to be compiled) and an action is anything hashable (an int if the game is to be compiled).
    """

    players: int = 2
    utility_sum: float | None = 0.0
    """The sum of all players' utilities at every end, partners counted once; `None` if it varies (general-sum)."""
    bounds: tuple[float, float] = (-1.0, 1.0)
    """The least and the greatest utility that any player can get."""
    repetition: Repetition = None
    """What a position repeated on the path means: nothing, a draw, an illegal action, a loss for who repeats, or a
    draw that is a loss for whoever alone gave check all the time (`is_check`)."""
    occurrences: int = 2
    """How often a position must have stood on the board for that rule: at its second occurrence, its third, …"""
    key_omits: str = ""
    """What `key` leaves out on purpose, in words: something that can end a game and does nothing else, as a count of
    moves does after which a game is drawn. Positions that differ in it count as repeated, and share what is known."""
    simultaneous: bool = False
    """Whether consecutive actions are meant as simultaneous ones (`view` hides the earlier)."""
    scale: float | None = None
    """Points per unit of utility, if utilities and estimates are whole points divided by this."""
    pawn: float | None = None
    """What a pawn is worth in utility, in a game whose players count in pawns: other programs are told centipawns."""
    win_rate: tuple[float, float] | None = None
    """(a, b), as measured: a player to whom estimates give v wins with probability 1 / (1 + exp((a − v) / b))."""

    input_count: int = 0
    stage_count: int = 1
    """How many inputs and stages there are, of a game with `inputs` or `stage`."""
    input_planes: int = 0
    """Of a game with `board = (rows, columns)` and `inputs`, how many planes of the board they begin with; those left
    over concern the whole board."""
    inputs_are_patterns: bool = False
    """Whether `inputs` are patterns, of which there are very many: a network of width 0 adds up their weights, and one
    that is given twice counts twice; all other networks read the state instead."""

    symmetry_count: int = 1
    """How many symmetries the rules have, of a game with `symmetric`; the first changes nothing."""

    unit: str = ""
    """What payoffs count, as `chips` or `discs`, in a game about more than to win, draw or lose: tournaments then tell
    the mean payoff in place of Elo. If it says nothing, utilities beyond ±1, or of no constant sum, are `points`."""
    big_blind: float | None = None
    """The chips of a big blind, in poker with blinds: payoffs are told in thousandths of it, too."""

    title: str = ""
    """What people call the game, as `Connect Four`; without it the words of the class's name."""
    shelf: Literal["board", "dice", "cards", "theory"] = "board"
    """Where a gallery of games has it."""
    cover: str = ""
    """A position, as `write` gives it, that shows in a gallery what the game is about; without it the start."""
    player_colours: tuple[str, ...] = ()
    """The colours of the players' pieces, as `#b3261e`; without it a page has colours of its own."""
    player_below: int | None = None
    """Which of two players sits at the lower edge of the picture; it is turned for the other. `None` if nobody does."""
    protocol: str = "uci"
    """What programs that play this game speak: `uci` or `gtp`."""
    record_format: str = "pgn"
    """How files of its games end: one of the arena's formats, or its own (`write_record`, `read_record`)."""

    simulation: ClassVar[Mapping[str, Any]] = {}
    """Settings of Monte Carlo tree search that suit the game, if it suits the game better than alpha-beta does."""

    tables_ignore: ClassVar[tuple[str, ...]] = ()
    """Options that make no difference to endgame tables: where a game begins, or a count of moves (`plies_left`)."""

    networks_ignore: ClassVar[tuple[str, ...]] = ()
    """Options that make no difference to networks: where a game begins, or what `inputs` tell them."""

    training: ClassVar[Mapping[str, Any]] = {}
    """Settings of `zermelo train` that suit the game; `family` among them says which family of networks does."""

    optional: ClassVar[tuple[str, ...]] = (
        "team",
        "chances",
        "view",
        "sample",
        "evaluate",
        "priority",
        "is_noisy",
        "target",
        "pass_turn",
        "is_irreversible",
        "is_check",
        "exchange",
        "remaining_plies",
        "upper_bound",
        "ending_priority",
        "features",
        "inputs",
        "stage",
        "owners",
        "training_starts",
        "symmetric",
        "symmetric_action",
        "material",
        "rank",
        "slice_size",
        "unrank",
        "plies_left",
        "slices",
        "learned_as",
        "trainer",
        "prove",
        "overview",
        "own_resolving",
        "explain",
        "picture",
        "view_picture",
        "clicks",
        "touched",
        "decisive",
        "read_record",
        "write_record",
    )

    # The six that make a game.

    def initial(self) -> S:
        """The state in which a game begins."""
        raise self._missing("initial(self)")

    def player(self, s: S) -> int:
        """Who acts in `s`: 0 … players − 1, or `CHANCE`. Never asked of a terminal state."""
        raise self._missing("player(self, s)")

    def actions(self, s: S) -> Iterable[A]:
        """The legal actions in `s`, always in the same order: at least one, and none if the game is over."""
        raise self._missing("actions(self, s)")

    def result(self, s: S, a: A) -> S:
        """The state that action `a` leads to. `s` itself stays as it is."""
        raise self._missing("result(self, s, a)")

    def is_terminal(self, s: S) -> bool:
        """Whether the game is over in `s`."""
        raise self._missing("is_terminal(self, s)")

    def utility(self, s: S, p: int) -> float:
        """What the end `s` is worth to player `p`."""
        raise self._missing("utility(self, s, p)")

    # Optional: each switches on what it makes possible.

    def team(self, p: int) -> int:
        """The team of player `p`, a number below `players`: partners get the same, and do not see the same."""
        return p

    def chances(self, s: S) -> Iterable[tuple[A, float]]:
        """(action, probability) pairs where `player(s) == CHANCE`, in the order of `actions`."""
        raise self._missing("chances(self, s)")

    def view(self, s: S, p: int) -> Any:
        """What player `p` sees of `s`. Two states with equal views may still differ in what `p` remembers."""
        return s

    def sample(self, view: Any, p: int, random: Random) -> S:
        """A full state consistent with `view` of player `p`, drawn with `random`."""
        raise self._missing("sample(self, view, p, random)")

    def evaluate(self, s: S, p: int) -> float:
        """An estimate of `utility(s, p)` in a state that is not terminal, strictly inside `bounds`."""
        raise self._missing("evaluate(self, s, p)")

    def priority(self, s: S, a: A) -> float:
        """How early `a` should be tried: a greater number first (say, 10 × value taken − value moved)."""
        raise self._missing("priority(self, s, a)")

    def is_noisy(self, s: S, a: A) -> bool:
        """Whether `a` changes the evaluation abruptly (a capture), so that one should not stop before it."""
        raise self._missing("is_noisy(self, s, a)")

    def target(self, s: S, a: A) -> int:
        """The square that `a` lands on: a noisy action that answers a noisy one on its square is a recapture."""
        raise self._missing("target(self, s, a)")

    def pass_turn(self, s: S) -> S:
        """The state with the other player to move and nothing else changed (for the null move); not asked in check."""
        raise self._missing("pass_turn(self, s)")

    def is_irreversible(self, s: S, a: A) -> bool:
        """Whether no position before `a` can ever come back after it."""
        raise self._missing("is_irreversible(self, s, a)")

    def is_check(self, s: S) -> bool:
        """Whether the player to move is attacked and has to answer that: nobody passes or stops to estimate there."""
        raise self._missing("is_check(self, s)")

    def exchange(self, s: S, a: A) -> float:
        """What `a` wins, as utility, or loses (below 0), if both go on taking on its square for as long as it pays."""
        raise self._missing("exchange(self, s, a)")

    def remaining_plies(self, s: S) -> int:
        """About how many plies the game can still take, as the cells left to fill: so the engine knows endings."""
        raise self._missing("remaining_plies(self, s)")

    def upper_bound(self, s: S, p: int) -> float:
        """The most that player `p` can still get: no end that `s` leads to is worth more to `p`."""
        raise self._missing("upper_bound(self, s, p)")

    def ending_priority(self, s: S, a: A) -> float:
        """What speaks for `a` in an ending beside the few replies that it leaves, as a number of replies."""
        raise self._missing("ending_priority(self, s, a)")

    def features(self, s: S) -> Sequence[float]:
        """Numbers that describe `s` as player 0 sees it, always as many, for a learned evaluation."""
        raise self._missing("features(self, s)")

    def inputs(self, s: S, p: int) -> Iterable[int]:
        """The inputs of a network that are on in `s` as player `p` sees it: numbers below `input_count`, distinct ones
        unless they are those of patterns."""
        raise self._missing("inputs(self, s, p)")

    def stage(self, s: S) -> int:
        """How far the game has come, a number below `stage_count`: a network has other weights in each stage."""
        raise self._missing("stage(self, s)")

    def training_starts(self) -> Sequence[S]:
        """The states in which the games of a training begin, in turn, if it is to know more than `initial`: as Go with
        other komi."""
        raise self._missing("training_starts(self)")

    def owners(self, s: S) -> Iterable[int]:
        """At the end of a game, the player who has each cell of the board, row by row, or −1 where nobody has. Networks
        of a game whose result is counted in cells learn more from it than from who won."""
        raise self._missing("owners(self, s)")

    def judge(self, states: Sequence[S]) -> tuple[Sequence[object], Sequence[object]]:
        """A policy: for each position a probability for each action, in order, and the utility of the player to move,
        or every player's; Monte Carlo tree search asks it in place of playouts."""
        raise self._missing("judge(self, states)")

    def symmetric(self, s: S, k: int) -> S:
        """The state that `s` becomes under symmetry `k`, a number below `symmetry_count`: the same game, with the same
        players, for who turns or mirrors the board."""
        raise self._missing("symmetric(self, s, k)")

    def symmetric_action(self, a: A, k: int) -> A:
        """The action that does in `symmetric(s, k)` what `a` does in `s`."""
        raise self._missing("symmetric_action(self, a, k)")

    # Endgame tables: the positions of a game in slices, and those of a slice as numbers.

    def slices(self, pieces: int) -> Iterable[int]:
        """The slices with `pieces` pieces, each after those that it leads to; as many pieces as people count them.

        By default the number of a slice is that of its pieces, and a game without `material` has one slice, 0.
        """
        return [pieces] if self.can("material") else [0] if pieces == 1 else []

    def slice_name(self, m: int) -> str:
        """What people and files call slice `m`, as in `KRK`: letters, digits, `-` and `_`."""
        return str(m)

    def material(self, s: S) -> int:
        """The slice of `s`, a number from 0 on, or below 0 if it is in none.

        An action leads to the same slice, to one from which there is no way back, or to a position of none. By default
        all positions are in one slice.
        """
        return 0

    def rank(self, s: S) -> int:
        """The number of `s` in its slice. Positions that share one are worth the same to their player to move."""
        raise self._missing("rank(self, s)")

    def slice_size(self, m: int) -> int:
        """How many numbers slice `m` has, from 0 on."""
        raise self._missing("slice_size(self, m)")

    def unrank(self, m: int, i: int) -> S:
        """A position of number `i` in slice `m`: `rank` gives `i` again. If none has that number, any other one."""
        raise self._missing("unrank(self, m, i)")

    def plies_left(self, s: S) -> int:
        """How many plies may pass before a rule that `rank` leaves out can end the game, as a count of moves does."""
        raise self._missing("plies_left(self, s)")

    def explain(self, s: S) -> Sequence[tuple[str, float]]:
        """The parts of the estimate for player 0, each with its name and its points; they add up to the whole."""
        raise self._missing("explain(self, s)")

    def learned_as(self) -> Game[S, A]:
        """The game that networks of this one learn: the same states and actions, and ends that say more, as by how many
        points a player wins. Its estimates become chances to win."""
        raise self._missing("learned_as(self)")

    def trainer(self) -> Trainer:
        """What learns networks for this game by playing it (`zermelo train`); import what it needs when it is asked."""
        raise self._missing("trainer(self)")

    def own_resolving(self) -> OwnResolving:
        """How this game is re-solved while it is played; import what it needs when it is asked."""
        raise self._missing("own_resolving(self)")

    def prove(self, s: S, stop: Callable[[], bool] | None = None) -> Proof[A]:
        """What a solver of the game's own proves of `s`, which is not terminal: searches ask it in place of their own.

        Ends early once `stop`, asked some fifty times a second, says so: by `zermelo.engine.Stopped`.
        """
        raise self._missing("prove(self, s, stop=None)")

    def overview(self, threads: int = 1, stop: Callable[[], bool] | None = None) -> Overview:
        """More than one position says: in bridge the results of a deal in all strains, which `solve --all` shows."""
        raise self._missing("overview(self, threads=1, stop=None)")

    # What goes with features: these have defaults, too.

    def feature_names(self) -> Sequence[str]:
        """What people call the features, in their order."""
        return [f"feature {i}" for i in range(len(self.features(self.initial())))]

    def feature_weights(self) -> Sequence[float] | None:
        """What `evaluate` multiplies the features with, if it does so: where training starts."""
        return None

    def features_of(self, states: Sequence[S]) -> ArrayLike:
        """The features of many states, a row each."""
        return [self.features(s) for s in states]

    # Identity and text: these have defaults that work for every game.

    def key(self, s: S) -> Hashable:
        """Two states are the same position if and only if their keys are equal."""
        return freeze(s)

    def recurrence(self, s: S) -> Hashable:
        """What the rule of repetition looks at: the position, unless the rules look at less, as at the stones of Go."""
        return self.key(s)

    def show(self, s: S) -> str:
        """The position as a person wants to see it in a terminal, in as many lines as it takes."""
        return self.write(s)

    def show_view(self, view: Any, p: int) -> str:
        """What player `p` sees, as that player wants to see it."""
        return str(view)

    def show_seat(self, view: Any, p: int) -> str:
        """What player `p` sees, for that player at a terminal, in as many lines as it takes."""
        return self.show_view(view, p)

    def told(self, s: S, a: A, p: int) -> str:
        """What player `p` is told of action `a` of anybody in `s`, as in `player 1 calls 20`; empty if nothing.

        It is for games that hide something: else all is seen.
        """
        return ""

    def player_name(self, p: int) -> str:
        """What people call player `p`."""
        return f"player {p}"

    def show_action(self, s: S, a: A) -> str:
        """The action as a person writes it, in one word."""
        return str(a)

    def write_action(self, s: S, a: A) -> str:
        """The action as programs write it to each other, where that differs from what people write."""
        return self.show_action(s, a)

    def read_action(self, s: S, text: str) -> A:
        """The legal action that `text` names; raises `ActionError` if there is none, or more than one."""
        wanted = text.strip().casefold()
        legal = {a: self.show_action(s, a) for a in self.actions(s)}
        exact = [a for a, name in legal.items() if name == text.strip()]
        found = exact or [a for a, name in legal.items() if name.casefold() == wanted]
        if len(found) == 1:
            return found[0]
        names = list(legal.values())
        choice = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        if found:
            raise ActionError(f"{text!r} names {len(found)} actions here; say which of: {choice}")
        raise ActionError(f"{text!r} is not a legal action here; the legal ones are: {choice}")

    def write(self, s: S) -> str:
        """The whole position as one line of text, from which `read` makes it again."""
        return write_fields(s)

    def read(self, text: str) -> S:
        """The position that `text` describes; raises `PositionError` if it describes none."""
        return read_fields(text, self.initial())

    def picture(self, s: S) -> str:
        """The position as an SVG drawing.

        An element with `data-at="b3"` is a place: a person acts by clicking places, as `clicks` says; without it in the
        order in which their names stand in what `write_action` gives, as in `b3` or `e2e4`.
        There `data-is="white king"` says what stands in the place, to those who do not see it.
        """
        return text_picture(self.show(s))

    def view_picture(self, view: Any, p: int) -> str:
        """What player `p` sees, as an SVG drawing with places: nothing else of a state reaches that player's page."""
        return text_picture(self.show_view(view, p))

    def clicks(self, s: S, a: A) -> Iterable[Sequence[Sequence[str]]]:
        """The ways in which a person makes `a` on the picture; none if by a button only.

        A way is a sequence of steps, and a step the places that are clicked for it, as in `[("9", "18"), ("25",)]`.
        Each step but the last is shown when it is made (`halfway`) and can be taken back.
        """
        raise self._missing("clicks(self, s, a)")

    def halfway(self, s: S, steps: Sequence[Sequence[str]]) -> str:
        """The picture of `s` once `steps`, the first of a way that goes on, have been made."""
        return self.picture(s)

    def touched(self, s: S, a: A) -> Iterable[tuple[str, int]]:
        """The places of the picture after `a` by which a page marks `a` as the last move.

        Each is a name with the number of one of its elements: from 0 on, or −1 for the one that is drawn last. Without
        it the places that are clicked for `a` are marked; write it where they are called otherwise after `a`, or where
        something else than the last element is new.
        """
        raise self._missing("touched(self, s, a)")

    def decisive(self, s: S) -> Iterable[tuple[str, int]]:
        """The places of the picture that decide `s`, named as by `touched`: a king in check, the line that has won."""
        raise self._missing("decisive(self, s)")

    def say_end(self, s: S) -> str:
        """Why the game is over in `s`, or with which score, in a few words, as `checkmate` or `34 : 30`."""
        return ""

    def count_pieces(self, s: S, p: int) -> Mapping[str, int]:
        """What player `p` has that can be lost or won, by name, the most valuable first: `{"queen": 1, "pawn": 8}`."""
        raise self._missing("count_pieces(self, s, p)")

    def count_end(self, s: S, dead: Collection[str] | None = None, turned: str = "") -> Count:
        """How people count the end `s`; `dead` are the places of what they agree is dead, by default what the game
        thinks is. What stands at the place `turned` is dead if it was alive, and alive if it was dead."""
        raise self._missing("count_end(self, s)")

    def tally(self, s: S, p: int) -> str:
        """What player `p` has got so far, in a few words that everybody may read, as `3 prisoners` or `12 discs`."""
        return ""

    def say_worth(self, s: S, value: float) -> str:
        """A utility of the player to move in `s` as people of the game say it, as `10 tricks`."""
        return f"{value:g}"

    # What the protocols ask of the games that are played over them.

    def gtp_vertex(self, s: S, a: A) -> str:
        """The action as programs that speak GTP write it, where that differs from `write_action`."""
        raise self._missing("gtp_vertex(self, s, a)")

    def xboard_move(self, s: S, a: A) -> str:
        """The action as programs that speak XBoard's protocol write it, where that differs from `write_action`."""
        raise self._missing("xboard_move(self, s, a)")

    def with_turn(self, s: S, p: int) -> S:
        """The position `s` with player `p` to move, where the rules let anybody move at any time, as in GTP's Go."""
        raise self._missing("with_turn(self, s, p)")

    def colours(self, s: S) -> str:
        """One character per point of the board: `X` or `O` for a stone of player 0 or 1, and `.` if it is empty."""
        raise self._missing("colours(self, s)")

    # What the books of other programs ask.

    def polyglot_key(self, s: S) -> int:
        """The key of the position in books in Polyglot's format: 64 bits."""
        raise self._missing("polyglot_key(self, s)")

    def polyglot_move(self, s: S, a: A) -> int:
        """The action as such books write it: 16 bits, and never 0."""
        raise self._missing("polyglot_move(self, s, a)")

    # Files of whole games, where the game has a format of its own.

    def write_record(
        self, start: S, actions: Sequence[A], players: Sequence[str], utilities: Sequence[float] | None
    ) -> str:
        """A game as the text of a file in the `record_format`; `InputError` if the format cannot hold it.

        It begins in `start`; `players` are names; `utilities` is `None` if the game was left unfinished.
        """
        raise self._missing("write_record(self, start, actions, players, utilities)")

    def write_records(
        self, games: Iterable[tuple[S, Sequence[A], Sequence[str], Sequence[float] | None]]
    ) -> Iterator[str]:
        """The text of a file of several games, piece by piece, each given as `write_record` takes it.

        They stand one after the other, unless the format has a better way to hold them.
        """
        for game in games:
            yield self.write_record(*game)

    def read_record(self, text: str) -> tuple[S, list[A]] | None:
        """Where the first game of a file begins, and its actions; `None` if `text` is not in the `record_format`.

        `InputError` says what is wrong with a text that is, or which options of this game it needs.
        """
        raise self._missing("read_record(self, text)")

    # What others ask about a game.

    @property
    def name(self) -> str:
        """The name for headings: the class's."""
        return type(self).__name__

    def can(self, method: str) -> bool:
        """Whether this game has the optional method called `method`."""
        return inspect.getattr_static(self, method) is not inspect.getattr_static(Game, method)

    @property
    def kind(self) -> Kind:
        """What kind of game this is, which decides the methods that apply; `ContractError` if a fact is impossible."""
        for name in FACTS:
            value = getattr(self, name)
            wrong = wrong_fact(name, value)
            if wrong:
                raise ContractError(f"`{name}` of {self.name} is {value!r:.60}; {wrong}")
        return Kind(
            self.players,
            self.utility_sum is not None,
            self.can("chances"),
            self.can("view"),
            bool(self.simultaneous),
            len(self.teams) if self.can("team") and len(self.teams) < self.players else 0,
        )

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """The players of each team, in the order of their first members; `ContractError` if `team` names none."""
        found: dict[int, list[int]] = {}
        for p in range(self.players):
            found.setdefault(checked_team(self, p), []).append(p)
        return tuple(map(tuple, found.values()))

    @property
    def side_of(self) -> tuple[int, ...]:
        """The place of each player's team in `teams`."""
        places = {p: place for place, team in enumerate(self.teams) for p in team}
        return tuple(places[p] for p in range(self.players))

    @property
    def board_size(self) -> tuple[int, int] | None:
        """The columns and rows of the board, for files of games and for GTP; `None` if it is not a grid."""
        return None

    @property
    def neutral(self) -> float:
        """The utility of a draw: an equal share of the sum, or the middle of the bounds in a general-sum game."""
        if self.utility_sum is not None:
            alone = type(self).team is Game.team
            return self.utility_sum / (self.players if alone else len(self.teams))
        low, high = self.bounds
        return (low + high) / 2 if high - low < float("inf") else 0.0

    def utilities(self, s: S) -> tuple[float, ...]:
        """Every player's utility at the end `s`."""
        found = []
        for p in range(self.players):
            utility = self.utility(s, p)
            value = real(utility)
            if value is None:
                raise no_number(self.name, "utility", utility, self.write(s))
            found.append(value)
        return tuple(found)

    def _repr_svg_(self) -> str:
        """The start of the game, for a notebook."""
        return self.picture(self.initial())

    def _missing(self, signature: str) -> ContractError:
        return ContractError(f"{self.name} has no `{signature.split('(')[0]}`: write `def {signature}` in the class")


def checked_team(game: Game[S, A], p: int) -> int:
    """What `team` says of player `p`, if it is a team."""
    team = game.team(p)
    if not is_integer(team) or not 0 <= team < game.players:
        raise ContractError(
            f"`team` of {game.name} gives {team!r:.60} for player {p}; return a whole number from 0 to "
            f"{game.players - 1}, the same for partners"
        )
    return int(team)


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose states and actions may be anything: what searches, players and pages take."""
