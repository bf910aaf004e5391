"""`zermelo check`: whether a game keeps the contract, whether it compiles, and how fast it runs.

The rules are somebody's code: they may loop, print, exit or fill the memory. So they run in a process of their own,
which is this same command with a folder to write to; the parent waits, reads the folder and reports.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from zermelo import errors
from zermelo.cli._answer import Answer, answers
from zermelo.cli._options import game_argument

if TYPE_CHECKING:
    from zermelo.check import CheckReport
    from zermelo.check.process import CrashReport
    from zermelo.game import Game

IMPORT_PATIENCE = 4
"""How many times longer than a rule the import of a file may take."""
COMPILE_SECONDS = 120.0
SPARE_SECONDS = 60.0
"""How much longer the parent waits than the sum of the child's own limits."""
MEASURED_SECONDS = 0.2
"""How long compiled games are played to know their speed."""
UNTRIED = "not tried, as the rules did not get that far"


class Request(NamedTuple):
    """What is to be checked, and how long."""

    game: str
    games: int
    seconds: float
    seed: int
    patience: float
    memory: float


class Amount(click.FloatRange):
    """A number above a minimum; not NaN, which click's ranges accept."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


SECONDS = Amount(min=0, min_open=True, max=86_400)


@click.command()
@game_argument
@click.option("--games", type=click.IntRange(min=1), default=200, show_default=True, help="Games to play at random.")
@click.option("--seconds", type=SECONDS, default=5.0, show_default=True, help="Time for all games together.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed plays other games.")
@click.option("--patience", type=SECONDS, default=5.0, show_default=True, help="Seconds that one rule may take.")
@click.option("--memory", type=Amount(min=0.25), default=8.0, show_default=True, help="GiB that the rules may use.")
@click.option("--echo", is_flag=True, help="Show what the rules print, on standard error.")
@click.option("--folder", type=click.Path(path_type=Path), hidden=True)
@answers
def command(echo: bool, folder: Path | None, **request: Any) -> Answer:
    """Check that GAME keeps the contract, and how fast it runs.

    It is played at random, and every breach is reported with the state and the action that show it; the exit code is
    then 1.
    """
    asked = Request(**request)
    if folder is not None:
        run_child(asked, folder)
    tale = examine(asked, echo)
    return Answer(tale, lambda: tell(tale), 0 if tale["ok"] else 1)


# The parent.


def examine(asked: Request, echo: bool = False) -> dict[str, Any]:
    """The report on a game, made by a process of its own; raises what is wrong with the request."""
    from zermelo.check.process import run_process
    from zermelo.cli._answer import progress

    with tempfile.TemporaryDirectory(prefix="zermelo-check-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        limit = 2 * asked.seconds + COMPILE_SECONDS + 10 * asked.patience + SPARE_SECONDS
        with progress("playing at random and compiling", asked.seconds):
            outcome = run_process(_child_command(asked, folder), limit, echo)
        failure = folder / "failure"
        if failure.exists() or not (folder / "asked").exists():
            said = failure.read_text(encoding="utf-8") if failure.exists() else outcome.output
            raise RuntimeError(f"the check itself failed: {said}")
        report = folder / "report"
        tale: dict[str, Any] = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        if "error" in tale:
            kind, message = tale["error"]
            raise getattr(errors, kind, errors.InputError)(message)
        if tale.get("compiled") is None:
            tale = after_death(asked, folder, tale, outcome.returncode, outcome.timed_out)
    if outcome.lines:
        first = outcome.output.splitlines()[0][:80]
        tale["notes"].append(f"the rules print ({outcome.lines:,} lines; the first is {first!r}), which costs time")
    return {"game": asked.game, **tale}


def _child_command(asked: Request, folder: Path) -> list[str]:
    """This command again, with the same modules in reach, writing to `folder`."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from zermelo.cli.check import command; command()"
    options = [f"--{name}={value}" for name, value in asked._asdict().items() if name != "game"]
    return [sys.executable, "-P", "-c", code, *options, f"--folder={folder}", "--", asked.game]


def after_death(asked: Request, folder: Path, tale: dict[str, Any], returncode: int, timed_out: bool) -> dict[str, Any]:
    """The report of a process that died: while compiling, which is no breach, or before it had one."""
    from zermelo.check import CheckReport
    from zermelo.check.process import read_crash, read_problems

    death = read_crash(folder, returncode, timed_out)
    if tale:
        return {**tale, "compiled": False, "compile_message": f"compiling it {death.message(COMPILE_SECONDS)}"}
    patience = asked.patience * (IMPORT_PATIENCE if death.rule == "import" else 1)
    problems = (*read_problems(folder), death.problem(patience))
    # No figures: they died with the process.
    report = CheckReport(problems, (), 0, 0, 0.0, 0.0, 0, 0.0, 0.0)
    return {**_figures(report), "compiled": False, "compile_message": UNTRIED}


def tell(tale: dict[str, Any]) -> str:
    """The report for people."""
    count = len(tale["problems"])
    if count:
        ways = "1 way" if count == 1 else f"{count} ways"
        lines = [click.style(f"✗ {tale['game']} breaks the contract in {ways}", fg="red", bold=True), ""]
    else:
        lines = [click.style(f"✓ {tale['game']} keeps the contract", fg="green", bold=True)]
    for problem in tale["problems"]:
        times = f" (seen {problem['count']:,} times)" if problem["count"] > 1 else ""
        lines.append(f"  `{problem['rule']}` {problem['message']}{times}")
        lines += [f"    {name:<6}  {problem[name]}" for name in ("state", "action") if problem[name]]
        lines.append("")
    lines += [click.style(f"  note: {note}", fg="yellow") for note in tale["notes"]]
    if tale["positions"]:
        lines.append(
            f"  {tale['games']:,} games, {tale['positions']:,} positions; {tale['branching']:.1f} actions a position, "
            f"{tale['length']:.1f} plies a game (longest {tale['longest']:,})"
        )
    if tale["compiled"]:
        lines.append(f"  compiled: {tale['positions_per_second']:,.0f} positions/s")
    else:
        lines.append(click.style(f"  not compiled: {tale['compile_message']}", fg="yellow"))
    if tale["interpreted_positions_per_second"]:
        lines.append(f"  as Python: {tale['interpreted_positions_per_second']:,.0f} positions/s")
    if not count:
        lines.append(f"  next: zermelo play {shlex.quote(tale['game'])}")
    return "\n".join(lines)


# The child.


def run_child(asked: Request, folder: Path) -> NoReturn:
    """Loads, checks and compiles the game, writes what it learns to `folder`, and ends the process."""
    from zermelo.check.process import CrashReport, limit_memory

    words = CrashReport(folder, asked.patience)
    limit_memory(asked.memory)
    try:
        _check(asked, folder, words)
        sys.stdout.flush()
    except BaseException:
        (folder / "failure").write_text(traceback.format_exc(), encoding="utf-8")
    # Threads and exit handlers of the rules must not affect how this ends.
    os._exit(0)


def _check(asked: Request, folder: Path, words: CrashReport) -> None:
    from zermelo.check import check
    from zermelo.games import load

    words.begins("import", IMPORT_PATIENCE * asked.patience)
    try:
        game = load(asked.game)
    except errors.ZermeloError as error:
        _write(folder, {"error": [type(error).__name__, str(error)]})
        return
    except BaseException as error:
        message = f"{asked.game} raises {type(error).__name__} when it is loaded: {error}; run it with Python to see"
        _write(folder, {"error": ["InputError", message]})
        return
    report = check(game, games=asked.games, seconds=asked.seconds, seed=asked.seed, watch=words)
    tale = {**_figures(report), "compiled": None, "compile_message": ""}
    _write(folder, tale)
    words.begins("compiling", COMPILE_SECONDS)
    _write(folder, {**tale, **_compile(game, asked, tale["problems"])})


def _figures(report: CheckReport) -> dict[str, Any]:
    """The report as the command gives it, before the result of the compilation."""
    return {**report.to_json(), "interpreted_positions_per_second": report.positions_per_second}


def _compile(game: Game, asked: Request, problems: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether the game compiles, why not, whether it then says what it says in Python, and how fast it is."""
    try:
        from zermelo.engine.agreement import disagreement
        from zermelo.engine.compiled import native_rules
    except ImportError as error:
        return {"compiled": False, "compile_message": f"the native engine is missing ({error}); install it again"}
    try:
        compiled = native_rules(game)
        different = "" if problems else disagreement(compiled, asked.games, asked.seconds, asked.seed)
        if different:
            problem = {"rule": "compiled", "message": different, "count": 1, "state": "", "action": ""}
            return {
                "problems": [problem],
                "compiled": False,
                "compile_message": "its compiled rules say something else",
            }
        games, seconds, positions = 1, 0.0, 0
        while seconds < MEASURED_SECONDS and games < 1 << 30:
            played = compiled.playouts(game.initial(), games, asked.seed)
            games, seconds, positions = games * 4, played.seconds, played.positions
    except errors.CompileError as error:
        return {"compiled": False, "compile_message": str(error)}
    except BaseException as error:
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return {"compiled": False, "compile_message": f"compiling and playing them raises {what}"}
    speed = positions / max(seconds, 1e-9)
    return {"compiled": True, "compile_message": "", "positions_per_second": speed}


def _write(folder: Path, tale: dict[str, Any]) -> None:
    """Puts the report in place at once, so that no half of one is ever read."""
    draft = folder / "draft"
    draft.write_text(json.dumps(tale), encoding="utf-8")
    draft.replace(folder / "report")
