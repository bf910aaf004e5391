"""`zermelo trace`: a search step by step; `zermelo trace diff`: where two of them part ways."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, wants_json, writing
from zermelo.cli._options import (
    algorithm_option,
    find_start,
    game_argument,
    is_imagined,
    limit_options,
    position_options,
    sampled_options,
    simulations_option,
    technique_options,
    world_options,
)

if TYPE_CHECKING:
    from zermelo.search.trace import Trace

FILE = click.Path(dir_okay=False, path_type=Path)


class TraceCommand(click.Command):
    """`zermelo trace GAME`, and, as no game is called so, `zermelo trace diff A B`."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if args[:1] == ["diff"]:
            return diff.make_context(f"{info_name} diff", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(cls=TraceCommand, epilog="`zermelo trace diff A B` compares two traces that --save has kept.")
@game_argument
@position_options
@limit_options
@algorithm_option
@simulations_option
@world_options
@technique_options
@click.option(
    "--limit", metavar="N", type=click.IntRange(min=1), default=10_000, show_default=True, help="Steps to keep at most."
)
@click.option("--html", type=FILE, metavar="FILE", help="Write a page that plays the run step by step.")
@click.option("--svg", type=FILE, metavar="FILE", help="Draw the tree.")
@click.option("--save", type=FILE, metavar="FILE.jsonl", help="Keep the trace, for `zermelo trace diff`.")
@answers
def command(
    game: str,
    moves: str | None,
    position: str | None,
    revealed: bool,
    algorithm: str | None,
    limit: int,
    html: Path | None,
    svg: Path | None,
    save: Path | None,
    **given: Any,
) -> Answer:
    """Print what a search of GAME does, step by step.

    As in the lecture: zermelo trace "[[3,12,8],[2,4,6],[14,5,2]]" --algorithm alphabeta
    """
    from zermelo.cli._answer import progress
    from zermelo.engine.imagined import find_algorithm
    from zermelo.play.notation import write_line
    from zermelo.search.algorithms import plain_algorithm

    start = find_start(game, moves, position, None if is_imagined(algorithm) and not revealed else revealed)
    search = find_algorithm(algorithm or plain_algorithm(start.game))
    with progress(f"tracing {start.game.name}", given["seconds"]):
        found = search(start.game, start.state, history=start.history, trace=limit, **sampled_options(given, algorithm))
        written = write_files(found.trace, html, svg, save)
    line = write_line(start.game, start.state, found.line)
    data = {
        "value": found.value,
        "action": line[0] if line else None,
        "line": line,
        "nodes": found.nodes,
        "leaves": found.leaves,
        "cutoffs": found.cutoffs,
        "exact": found.exact,
        "method": found.method,
        "stopped": found.stopped,
        "truncated": bool(found.trace.header.get("truncated")),
    }
    if wants_json():
        data["events"] = found.trace.to_json()[1:]
    return Answer(data, lambda: "\n".join([found.trace.text(), *written]))


def write_files(trace: Trace, html: Path | None, svg: Path | None, save: Path | None) -> list[str]:
    """Writes the requested files; returns one line about each."""
    if html is not None:
        with writing(html):
            trace.save_html(html)
    if svg is not None:
        with writing(svg):
            svg.write_text(trace.svg(), encoding="utf-8")
    if save is not None:
        with writing(save):
            trace.save(save)
    return [f"written: {file}" for file in (html, svg, save) if file is not None]


@click.command()
@click.argument("a", type=FILE)
@click.argument("b", type=FILE)
@answers
def diff(a: Path, b: Path) -> Answer:
    """Find the first step at which the traces in the files A and B differ.

    The exit code is 1 if they do.
    """
    from zermelo.search.trace import Trace
    from zermelo.search.trace import diff as compare

    first, second = Trace.load(a), Trace.load(b)
    found = compare(first, second)
    if found is None:
        return Answer({"equal": True}, lambda: f"The two searches agree in all of their {len(first):,} steps.")
    data = {
        "equal": False,
        "field": found.field,
        "step_a": found.step_a,
        "step_b": found.step_b,
        "path": found.path,
        "path_b": found.path_b,
        "a": found.a,
        "b": found.b,
        "text": str(found),
    }
    return Answer(data, lambda: str(found), 1)
