"""`zermelo tables`: endgame tables, built, listed and asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress, writing
from zermelo.cli._options import Start, find_start, game_argument

if TYPE_CHECKING:
    from zermelo.tables import SliceFacts, SliceProgress, Tables


@click.command()
@game_argument
@click.option("--pieces", metavar="N", type=click.IntRange(1, 64), help="Build the tables with up to N pieces.")
@click.option("--probe", metavar="POSITION", help="What the tables say of a position.")
@click.option("--list", "listed", is_flag=True, help="The slices that are built, with counts and longest wins.")
@click.option("--out", metavar="DIR", type=click.Path(file_okay=False), help="The folder of the tables.")
@click.option("--threads", metavar="N", type=click.IntRange(1, 1024), help="To build with (all cores).")
@click.option("--memory", metavar="MB", type=click.IntRange(1, 1 << 24), default=4096, help="For one slice (4096).")
@click.option("--only", metavar="NAMES", default="", help="Build these of the slices only, as in KBNK,KBBK.")
@click.option("--exact", metavar="N", type=click.IntRange(0, 64), help="Exact distances up to N pieces only (all).")
@click.option("--step", metavar="PLIES", type=click.IntRange(2, 32767), help="Of the other distances (8).")
@click.option(
    "--from", "starts", metavar="POSITION", multiple=True, help="A position to hold, of a game without `rank`."
)
@click.option("--check-all", is_flag=True, help="Check every position after building, not a sample of them.")
@answers
def command(
    game: str,
    pieces: int | None,
    probe: str | None,
    listed: bool,
    out: str | None,
    threads: int | None,
    memory: int,
    only: str,
    exact: int | None,
    step: int | None,
    starts: tuple[str, ...],
    check_all: bool,
) -> Answer:
    """Build endgame tables of GAME, or ask those that are built.

    Slices that are in the folder already are kept, so that a command that was ended goes on where it was. Without --out
    the folder is the one beside the rules of GAME, or GAME.tables here. Slices with more than --exact pieces keep wins,
    losses, draws and a bound of the distance in steps of --step plies, which takes a fraction of the bytes.

    Of a game that does not number its positions the tables hold those that can be reached from where random games come
    to a slice, and from each POSITION of --from.
    """
    if sum((pieces is not None, probe is not None, listed)) != 1:
        raise click.UsageError("say one of --pieces N, --probe POSITION and --list")
    start = find_start(game, None, probe)
    if pieces is None:
        tables = find_tables(game, start, out)
        return answer_list(tables) if probe is None else answer_probe(tables, start)
    from zermelo.games import tables_folder
    from zermelo.tables.build import STEP, build_tables

    if step is not None and exact is None:
        raise click.UsageError("--step needs --exact N: up to how many pieces distances are exact")
    folder = Path(out or tables_folder(game))
    with writing(folder), progress(f"building tables of {start.game.name}") as shown:

        def tell(now: SliceProgress) -> None:
            shown.text = f"building {now.name}: {now.stage} {now.done / max(now.numbers, 1):.0%}"

        names = [name.strip() for name in only.split(",") if name.strip()]
        options: dict[str, Any] = {"threads": threads or os.cpu_count() or 1, "memory_mb": memory, "progress": tell}
        options |= {"exact": exact, "step": step or STEP, "check_all": check_all}
        options["starts"] = [find_start(game, None, each).state for each in starts]
        tables = build_tables(start.game, pieces, folder, only=names, **options)
    return answer_list(tables, hint(game, folder))


def hint(game: str, folder: Path) -> str:
    """How to play with the tables in `folder`; empty if they are found by themselves."""
    from zermelo.games import runs_code, tables_folder, with_option

    found = runs_code(game) and folder.absolute() == tables_folder(game).absolute()
    return "" if found else f"play with them: zermelo play {with_option(game, 'tables', str(folder))}"


def find_tables(game: str, start: Start, out: str | None) -> Tables[Any]:
    """The tables in the folder `out`, in that of `tables=`, in the game's usual folder, or those that it comes with."""
    from zermelo.games import tables_folder
    from zermelo.tables import read_tables, tables_of

    own = tables_of(start.game) if out is None else None
    usual = tables_folder(game)
    if own is None or ("tables=" not in game and usual.is_dir()):
        return read_tables(out or usual, start.game)
    return own


def answer_list(tables: Tables[Any], hint: str = "") -> Answer:
    slices = sorted(tables.slices.values(), key=lambda facts: (len(facts.name), facts.name))
    sizes = {facts.name: tables.path(facts.name).stat().st_size for facts in slices}
    kept = ("name", "numbers", "won", "drawn", "lost", "ended", "longest", "listed")
    data = {
        "game": tables.game.name,
        "folder": str(tables.folder),
        "slices": [
            {**{name: getattr(facts, name) for name in kept}, "positions": facts.positions, "bytes": sizes[facts.name]}
            for facts in slices
        ],
    }
    return Answer(data, lambda: "\n".join([list_text(tables, slices, sizes), *([hint] if hint else [])]))


def list_text(tables: Tables[Any], slices: list[SliceFacts], sizes: dict[str, int]) -> str:
    """A row for each slice, and their sum."""
    from zermelo.search.trace.words import plural

    rows: list[tuple[str, ...]] = [("slice", "positions", "won", "drawn", "lost", "ended", "longest win", "bytes")]
    for facts in slices:
        counts = (facts.positions, facts.won, facts.drawn, facts.lost, facts.ended, facts.longest, sizes[facts.name])
        rows.append((facts.name, *(f"{count:,}" for count in counts)))
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(pairs))
        for pairs in (zip(row, widths, strict=True) for row in rows)
    ]
    positions, used = sum(facts.positions for facts in slices), sum(sizes.values())
    total = f"{plural(len(slices), 'slice', 'slices')}, {positions:,} positions, {used:,} bytes"
    listed = "; of these positions alone anything is known" if any(facts.listed for facts in slices) else ""
    return "\n".join([*lines, "", f"{tables.folder}: {total}; wins are counted in plies{listed}"])


def answer_probe(tables: Tables[Any], start: Start) -> Answer:
    from zermelo.cli._analysis import probe_data, probe_text

    return Answer(probe_data(start, tables), lambda: probe_text(start, tables))
