"""`zermelo analyse`: the best move in a position, and what each technique saves in finding it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers
from zermelo.cli._options import (
    Start,
    algorithm_option,
    find_start,
    game_argument,
    is_sampled,
    limit_options,
    looks_through,
    position_options,
    sampled_options,
    search_options,
    simulations_option,
    technique_options,
    world_options,
)

if TYPE_CHECKING:
    from zermelo.search.ablation import AblationRow


@click.command()
@game_argument
@position_options
@limit_options
@algorithm_option
@simulations_option
@world_options
@technique_options
@click.option("--ablate", is_flag=True, help="A table of the nodes with each technique, at --depth.")
@click.option("--explain", is_flag=True, help="The evaluation of the position, part by part, without a search.")
@answers
def command(
    game: str,
    moves: str | None,
    position: str | None,
    revealed: bool,
    algorithm: str | None,
    ablate: bool,
    explain: bool,
    **given: Any,
) -> Answer:
    """Find the best move in a position of GAME.

    Without a limit the search that fits the game deepens for one second. Ctrl-C ends a search and keeps
    what it has found.
    """
    from zermelo.cli._analysis import analysis_data, analysis_text
    from zermelo.cli._answer import progress, warnings_said
    from zermelo.engine import mcts
    from zermelo.engine import search as best_search
    from zermelo.engine.imagined import find_algorithm

    if explain:
        return take_apart(find_start(game, moves, position, revealed))
    if ablate:
        return compare(find_start(game, moves, position, revealed), algorithm, search_options(given))
    search = best_search if algorithm is None else mcts if is_sampled(algorithm) else find_algorithm(algorithm)
    start = find_start(game, moves, position, revealed if revealed or looks_through(algorithm) else None)
    with warnings_said(), progress(f"searching {start.game.name}", given["seconds"]):
        found = search(start.game, start.state, history=start.history, **sampled_options(given, algorithm))
    narrow = given["window"] is not None or given["bound"] is not None
    return Answer(analysis_data(start, found), lambda: analysis_text(start, found, narrow=narrow))


def take_apart(start: Start) -> Answer:
    """The hand-made evaluation of a position, part by part: a network has no parts."""
    from zermelo.engine.network import without_network
    from zermelo.errors import MethodError
    from zermelo.play.words import name_player

    game = without_network(start.game)
    if not game.can("explain"):
        raise MethodError(f"{game.name} does not take its evaluation apart: write `def explain(self, s)` in the class")
    parts = [(name, float(points)) for name, points in game.explain(start.state)]
    total = sum(points for _, points in parts)
    width = max(len(name) for name, _ in parts) + 2

    def text() -> str:
        lines = [f"{game.show(start.state)}", "", f"points for {name_player(game, 0)}"]
        lines += [f"  {name:<{width}}{points:>+9.1f}" for name, points in parts if points]
        return "\n".join([*lines, f"  {'all':<{width}}{total:>+9.1f}"])

    data = {"game": game.name, "position": game.write(start.state), "parts": [list(part) for part in parts]}
    return Answer(data | {"points": total}, text)


def compare(start: Start, algorithm: str | None, options: dict[str, Any]) -> Answer:
    """The ablation table of a position."""
    from dataclasses import asdict

    from zermelo.cli._answer import progress
    from zermelo.cli.perft import Counter
    from zermelo.errors import OptionError
    from zermelo.game import Tree
    from zermelo.search.ablation import ablate, trials

    depth = options.pop("depth", None)
    if options or algorithm is not None:
        name = next(iter(options), "algorithm").replace("_", "-")
        raise OptionError(f"--ablate tries every technique by itself: leave out --{name}, give only --depth")
    if depth is None and not isinstance(start.game, Tree):
        raise OptionError("--ablate compares searches of the same depth: add one, as in --depth 6")
    count = None
    if depth is not None and start.game.repetition is None and start.game.players == 2:
        # Minimax enters every position of the tree, so that perft knows its nodes without searching them.
        count = lambda: Counter(start.game).count(start.state, depth).positions  # noqa: E731
    rows = []
    with progress("comparing") as shown:
        total = len(trials(start.game))
        for row in ablate(start.game, start.state, depth, history=start.history, minimax_nodes=count):
            rows.append(row)
            shown.text = f"comparing: {len(rows)} of about {total} searches"
    data = {"game": start.game.name, "position": start.game.write(start.state), "depth": depth}
    return Answer(data | {"rows": [asdict(row) for row in rows]}, lambda: tell(start, depth, rows))


def tell(start: Start, depth: int | None, rows: list[AblationRow]) -> str:
    from zermelo.search.trace.words import plural

    to = "to the end" if depth is None else f"to a depth of {plural(depth, 'ply', 'plies')}"
    lines = [f"{start.game.name}, {to}", "", f"{'technique':<29}{'value':>9}{'nodes':>12}{'ratio':>10}{'seconds':>8}"]
    lines += [tell_row(row) for row in rows]
    lines += ["", "ratio: nodes per node of the plain search; >: given up, it does not pay here."]
    lines += ["A risky technique may change the value (≠)."]
    odd = [row.technique for row in rows if not (row.agrees or row.risky)]
    if odd:
        lines.append(
            f"Sound, yet of another value than the plain search: {', '.join(odd)}.\n"
            f"A table may know a position from a deeper search than the depth asks for."
        )
    return "\n".join(lines)


def tell_row(row: Any) -> str:
    from zermelo.play.words import say_number

    searched = row.value is not None and not row.stopped
    value = say_number(row.value) if searched else ""
    seconds = f"{row.seconds:.2f}" if searched else ""
    nodes = f"{'> ' if row.stopped else ''}{row.nodes:,}"
    ratio = f"{'> ' if row.stopped else ''}{row.ratio:.3f}"
    notes = [note for note, holds in (("risky", row.risky), ("≠", not row.agrees)) if holds]
    return f"{row.technique:<29}{value:>9}{nodes:>12}{ratio:>10}{seconds:>8}  {' '.join(notes)}".rstrip()
