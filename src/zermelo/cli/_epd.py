"""`zermelo bench epd`: how many positions of a test suite are solved, and how soon."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers
from zermelo.errors import InputError
from zermelo.search.trace.words import plural

if TYPE_CHECKING:
    from zermelo.protocols.epd import BadLine, Finding

LARGEST_FILE_BYTES = 1 << 24
"""Larger files are refused."""


@click.command()
@click.argument("file")
@click.option("--game", default="chess", show_default=True, help="The game whose positions these are.")
@click.option("--seconds", metavar="S", type=click.FloatRange(0, 3600), help="Time for a position.  [default: 1]")
@click.option("--nodes", metavar="N", type=click.IntRange(min=1), help="Positions to enter at most, for each.")
@click.option("--depth", metavar="N", type=click.IntRange(1, 250), help="Plies to search at most.")
@click.option("--threads", type=click.IntRange(1, 1024), default=1, show_default=True, help="Cores to use.")
@click.option("--table-mb", type=click.IntRange(1, 1 << 20), default=64, show_default=True, help="Size of the table.")
@answers
def epd(file: str, game: str, threads: int, table_mb: int, **given: Any) -> Answer:
    """Solve the positions of FILE, one a line in EPD, and say which were solved and how soon.

    `bm` names the best moves of a position, `am` those to avoid, `dm` the moves to a win, `id` its name. Lines that
    make no sense are named and left out; then the exit code is 1.
    """
    from zermelo.analysis import Limits
    from zermelo.cli._answer import progress
    from zermelo.games import load
    from zermelo.protocols.epd import BadLine, Task, read_suite, run_suite

    if not any(given.values()):
        given["seconds"] = 1.0
    rules, text = load(game), read_text(Path(file))
    read = list(read_suite(text, rules))
    tasks, bad = [each for each in read if isinstance(each, Task)], [each for each in read if isinstance(each, BadLine)]
    if not tasks:
        raise InputError(f"{file}, line {bad[0].line}: {bad[0].problem}" if bad else f"{file} has no positions")
    findings = []
    with progress(f"0 of {len(tasks)}") as shown:
        for found in run_suite(rules, tasks, Limits(**given), threads, table_mb):
            findings.append(found)
            solved = sum(each.solved for each in findings)
            shown.text = f"{solved} of {len(findings)} solved, {len(tasks)} in all"
    data = {"file": file, "game": game, **given, "threads": threads, **describe(findings, bad)}
    return Answer(data, lambda: tell(file, findings, bad), 1 if bad else 0)


def read_text(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"there is no file {path}; name one with a position a line, in EPD")
    try:
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise InputError(f"{path} has more than {LARGEST_FILE_BYTES:,} bytes; cut it into smaller files")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def describe(findings: list[Finding], bad: list[BadLine]) -> dict[str, object]:
    """All of it, for programs."""
    return {
        "positions": len(findings),
        "solved": sum(each.solved for each in findings),
        "results": [
            {
                "line": each.task.line,
                "id": each.task.name,
                "move": each.move,
                "solved": each.solved,
                "depth": each.depth,
                "nodes": each.nodes,
                "seconds": each.seconds,
                "since": each.since,
            }
            for each in findings
        ],
        "problems": [{"line": each.line, "problem": each.problem} for each in bad],
    }


def tell(file: str, findings: list[Finding], bad: list[BadLine]) -> str:
    """One line per position, and the totals."""
    names = max(len(each.task.name) for each in findings)
    lines = [
        f"{each.task.name:<{names}}  {each.move:<8} {'solved' if each.solved else '—':<6}  depth {each.depth:>3}"
        + ("" if each.since is None else f"  after {each.since:.2f} s")
        for each in findings
    ]
    lines += [f"{file}, line {each.line}: {each.problem}" for each in bad]
    solved = sum(each.solved for each in findings)
    left = f"; {plural(len(bad), 'line makes', 'lines make')} no sense" if bad else ""
    return "\n".join([*lines, f"{solved} of {len(findings)} solved{left}"])
