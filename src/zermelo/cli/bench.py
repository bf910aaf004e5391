"""`zermelo bench`: how fast we are, as ratios measured in one run; and the fingerprint of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from zermelo.cli._answer import Answer, answers
from zermelo.cli._epd import epd

if TYPE_CHECKING:
    from zermelo.engine import CompiledGame
    from zermelo.engine.benchmark import Rate
    from zermelo.game import Game

TEXTBOOK_DEPTH = 7
"""Plies of Connect Four that the textbook searches in about a second."""
PERFT_POSITIONS = 1_000_000
"""A tree that is large enough to be counted natively; one for Python is a hundred times smaller."""
MAX_PLIES = 1000
"""Random games that take longer are given up."""

SIGNATURE = (
    ("tictactoe", "", 9),
    ("nim:heaps=3/4/5", "", 12),
    ("hex:size=4", "", 7),
    ("hex:size=5", "c3 b2", 6),
    ("hexapawn:columns=5,rows=5", "", 10),
    ("hexapawn:columns=6,rows=6", "a1a2 b6b5", 12),
    ("connect4", "", 13),
    ("connect4", "4 4 4 4 4 2 2", 12),
    ("connect4", "4 3 3 5 2 2 5 4 6", 13),
    ("connect4:columns=6,rows=5", "3 3 3 3 4", 12),
    ("othello", "", 9),
    ("othello", "f5 d6 c3 d3 c4", 9),
    ("checkers", "", 9),
    ("checkers", "9-13 23-18 11-16 24-20 16-19 18-14", 8),
    ("kalah", "", 13),
    ("breakthrough", "", 6),
    ("breakthrough", "c2c3 d7e6 a2b3 g7g6 e2d3 g6f5", 5),
    ("morris", "g4 e3 d5 a1 f4 f6", 8),
)
"""What the engine searches for its signature, each with a fresh table: a game, moves from its start, and plies."""
SIGNATURE_TABLE_MB = 16


class Row(NamedTuple):
    """One figure, and what it is measured against."""

    name: str
    rate: Rate
    to: Rate
    """The rate that the ratio refers to, from the same run."""
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.rate.per_second / self.to.per_second


class Effort(NamedTuple):
    """How long to measure."""

    depth: int
    rounds: int
    seconds: float


Table = tuple[str, list[Row]]
"""A heading and its rows."""


class Bench(click.Group):
    """A group in which whatever is not the name of a command is a section to measure."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, "-h", "--help"):
            args = ["measure", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Bench)
def command() -> None:
    """Measure speeds, each as a ratio to another in the same run.

    `zermelo bench [SECTION]...` measures; `zermelo bench measure --help` lists the sections and options. `zermelo bench
    epd FILE` counts the positions of a test suite that the engine solves.
    """


command.add_command(epd)


@command.command()
@click.argument("sections", nargs=-1, metavar="[SECTION]...")
@click.option("--depth", type=click.IntRange(1, 42), default=13, show_default=True, help="Plies of Connect Four.")
@click.option("--rounds", type=click.IntRange(1, 1000), default=3, show_default=True, help="The best of these counts.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, 3600),
    default=0.2,
    show_default=True,
    help="The least processor time of a round.",
)
@click.option("--signature", is_flag=True, help="Only the node count of the engine over a fixed set of positions.")
@answers
def measure(sections: tuple[str, ...], signature: bool, **effort: Any) -> Answer:
    """Measure speeds, each as a ratio to another in the same run.

    The sections are limit (compiled Python rules against the same by hand in C++, and against the textbook), perft,
    playouts and engine; all of them by default. Times are processor time, the best of some rounds, in turns.
    """
    from zermelo.cli._answer import progress
    from zermelo.errors import OptionError

    if signature:
        if sections:
            raise OptionError("--signature searches a fixed set of positions: leave out the sections")
        counted = node_counts()
        total = sum(counted.values())
        return Answer({"signature": total, "nodes": counted}, lambda: str(total))
    unknown = sorted(set(sections) - set(SECTIONS))
    if unknown:
        raise OptionError(f"there is no section {unknown[0]!r}; there are {', '.join(SECTIONS)}")
    tables: list[Table] = []
    with progress("measuring") as shown:
        for section in sections or SECTIONS:
            shown.text = f"measuring: {section}"
            tables += SECTIONS[section](Effort(**effort))
    return Answer({"tables": [describe(*table) for table in tables], **effort}, lambda: tell(tables))


# The fingerprint.


def node_counts() -> dict[str, int]:
    """The engine's nodes in each position of the signature, on one thread."""
    from zermelo.cli._options import find_start
    from zermelo.engine.engine import Engine

    counted = {}
    for name, moves, depth in SIGNATURE:
        start = find_start(name, moves, None)
        engine = Engine(start.game, threads=1, table_mb=SIGNATURE_TABLE_MB)
        found = engine.search(start.state, depth=depth, history=start.history)
        counted[f"{name} {moves or 'start'} to {depth} plies"] = found.nodes
    return counted


# The sections.


def measure_limit(effort: Effort) -> Iterator[Table]:
    """Plain alpha-beta on Connect Four: the rules by hand, compiled, and under the textbook."""
    from zermelo.engine import compile_game
    from zermelo.engine.benchmark import connect4_limit, race, rules_only
    from zermelo.games import load
    from zermelo.search import alphabeta

    game = rules_only(load("connect4"))
    s = game.initial()
    compiled = compile_game(game)
    shallow = min(effort.depth, TEXTBOOK_DEPTH)
    rates = race(
        {
            "limit": lambda: connect4_limit(effort.depth)[1],
            "compiled": lambda: compiled.alphabeta(s, effort.depth).nodes,
            "textbook": lambda: alphabeta(game, s, depth=shallow).nodes,
        },
        effort.rounds,
        effort.seconds,
    )
    rows = [
        Row("rules and search by hand in C++ (the limit)", rates["limit"], rates["limit"]),
        Row("Python rules, compiled; native search", rates["compiled"], rates["limit"]),
    ]
    yield f"Connect Four, plain alpha-beta, {effort.depth} plies: ratio to the limit", rows
    rows = [
        Row(f"the textbook, {shallow} plies", rates["textbook"], rates["textbook"]),
        Row("Python rules, compiled; native search", rates["compiled"], rates["textbook"]),
    ]
    yield "The same rules: ratio to the textbook", rows


def measure_perft(effort: Effort) -> Iterator[Table]:
    """Whole trees of every game that compiles, against counting them in Python."""
    from zermelo.engine.benchmark import race
    from zermelo.engine.interpreted import interpreted_perft

    def measure(name: str, game: Game, compiled: CompiledGame) -> Row:
        s = game.initial()
        deep, shallow = depth_for(compiled, s, PERFT_POSITIONS), depth_for(compiled, s, PERFT_POSITIONS // 100)
        rates = race(
            {
                "native": lambda: compiled.perft(s, deep).positions,
                "python": lambda: interpreted_perft(game, s, shallow).positions,
            },
            effort.rounds,
            effort.seconds,
        )
        return Row(name, rates["native"], rates["python"], f"depth {deep}")

    rows = [measure(*each) for each in compiled_games()]
    yield "Perft, no bulk counting: ratio to the same rules in Python", rows


def depth_for(compiled: CompiledGame, state: Any, positions: int) -> int:
    """The depth at which a tree reaches this number of positions, or ends."""
    depth = 1
    while True:
        counted = compiled.perft(state, depth)
        if counted.positions >= positions or counted.leaves == 0:
            return depth
        depth += 1


def measure_playouts(effort: Effort) -> Iterator[Table]:
    """Random games of every game that compiles, against playing them in Python."""
    from zermelo.engine.benchmark import race

    def measure(name: str, game: Game, compiled: CompiledGame) -> Row:
        s = game.initial()
        rates = race(
            {
                "native": lambda: compiled.playouts(s, 100, max_plies=MAX_PLIES).games,
                "python": lambda: play_at_random(game),
            },
            effort.rounds,
            effort.seconds,
        )
        return Row(name, rates["native"], rates["python"])

    rows = [measure(*each) for each in compiled_games()]
    yield "Random games a second: ratio to the same rules in Python", rows


def play_at_random(game: Game) -> int:
    """One random game in Python."""
    import random

    choose = random.Random(0)
    s = game.initial()
    for _ in range(MAX_PLIES):
        if game.is_terminal(s):
            break
        if game.player(s) < 0:
            actions, weights = zip(*game.chances(s), strict=True)
            s = game.result(s, choose.choices(actions, weights)[0])
        else:
            s = game.result(s, choose.choice(list(game.actions(s))))
    return 1


def measure_engine(effort: Effort) -> Iterator[Table]:
    """The engine beside plain alpha-beta on the same game: what a node costs it, and how many it saves."""
    from zermelo.engine import compile_game
    from zermelo.engine.benchmark import Rate, race
    from zermelo.engine.engine import Engine
    from zermelo.games import load

    game = load("connect4")
    s = game.initial()
    compiled = compile_game(game)
    engine = Engine(game, table_mb=SIGNATURE_TABLE_MB)

    def search() -> int:
        engine.clear()
        return engine.search(s, depth=effort.depth).nodes

    searches = {"plain alpha-beta": lambda: compiled.alphabeta(s, effort.depth).nodes, "engine": search}
    rates = race(searches, effort.rounds, effort.seconds)
    plain = rates["plain alpha-beta"]
    yield (
        f"Connect Four with its `evaluate`, {effort.depth} plies, nodes: ratio to plain alpha-beta",
        [Row(name, rate, plain) for name, rate in rates.items()],
    )
    whole = {name: Rate(1, search() / rates[name].per_second) for name, search in searches.items()}
    yield (
        f"The same, whole searches to {effort.depth} plies",
        [Row(name, rate, whole["plain alpha-beta"]) for name, rate in whole.items()],
    )


def compiled_games() -> Iterator[tuple[str, Game, CompiledGame]]:
    """Every built-in game whose rules compile."""
    from zermelo.engine import compile_game
    from zermelo.errors import CompileError
    from zermelo.games import games

    for name, cls in games().items():
        game = cls()
        try:
            yield name, game, compile_game(game)
        except CompileError:
            continue


SECTIONS: dict[str, Callable[[Effort], Iterator[Table]]] = {
    "limit": measure_limit,
    "perft": measure_perft,
    "playouts": measure_playouts,
    "engine": measure_engine,
}


# Output.


def describe(title: str, rows: list[Row]) -> dict[str, object]:
    """A table as JSON."""
    return {
        "title": title,
        "rows": [
            {
                "name": row.name,
                "work": row.rate.work,
                "seconds": row.rate.seconds,
                "per_second": row.rate.per_second,
                "ratio": row.ratio,
                "note": row.note,
            }
            for row in rows
        ],
    }


def tell(tables: list[Table]) -> str:
    lines = []
    for title, rows in tables:
        lines += [click.style(title, bold=True), f"  {'':<46}{'a second':>14}{'ratio':>10}"]
        lines += [
            f"  {row.name:<46}{say_rate(row.rate.per_second):>14}{say_ratio(row.ratio):>10}  {row.note}".rstrip()
            for row in rows
        ]
        lines.append("")
    return "\n".join([*lines, "Processor time, best of the rounds, in turns. Only ratios mean something elsewhere."])


def say_rate(rate: float) -> str:
    for size, unit in ((1e6, " M"), (1e3, " k")):
        if rate >= size:
            return f"{rate / size:,.1f}{unit}"
    return f"{rate:,.1f}"


def say_ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.3g}" if ratio < 10 else f"{ratio:.1f}"
