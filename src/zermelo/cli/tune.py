"""`zermelo tune`: the margins and coefficients of the search, fitted to a game by its own games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli._answer import Answer, answers
from zermelo.cli._options import game_argument
from zermelo.cli._runs import run_resumable

if TYPE_CHECKING:
    from zermelo.tune import Moment, ProbCutRun, ProbCutSummary, TuningRun, TuningSummary

SHOWN = 12
"""Parameters that are named, of those that changed most."""


@click.command()
@game_argument
@click.option("--minutes", type=float, default=30.0, help="Tune for so long; run it again to go on.  [default: 30]")
@click.option("--nodes", type=int, default=1000, help="Of a move, in all games.  [default: 1000]")
@click.option("--parameters", default="", metavar="NAMES", help="Which, with commas.  [default: all that matter]")
@click.option("--threads", type=int, help="That play at once.  [default: all cores]")
@click.option("--seed", type=int, default=0, help="Settles openings and perturbations.  [default: 0]")
@click.option("--out", metavar="FILE", help="Where they go.  [default: beside the rules, or a file here]")
@click.option("--probcut", is_flag=True, help="Measure what shallow searches foretell of deep ones, for Multi-ProbCut.")
@click.option("--list", "listed", is_flag=True, help="Print the parameters, their values here and what they mean.")
@answers
def command(
    game: str,
    minutes: float,
    nodes: int,
    parameters: str,
    threads: int | None,
    seed: int,
    out: str | None,
    probcut: bool,
    listed: bool,
) -> Answer:
    """Fit the margins and reductions of the search to GAME.

    The parameters of alpha-beta are varied, all at once, in pairs of games at equal nodes, and follow the results
    (SPSA). At the end what came of it plays what was there before, from other openings, and is written only if it is
    not weaker. Beside the rules the file is found by itself; search=FILE names another. Ctrl-C ends it, and nothing is
    lost.

    With --probcut positions of such games are searched at all depths instead, and the search learns to cut where a
    shallow one foretells the result; parameters that were tuned before stay.
    """
    from zermelo.arena.executors import available_cores
    from zermelo.games import search_file
    from zermelo.tune import ProbCutRun, TuningRun, TuningSettings

    if listed:
        return list_parameters(game)
    cores = available_cores() if threads is None else threads
    settings = TuningSettings(minutes, nodes, parameters, threads=cores, seed=seed)
    target = out or str(search_file(game))

    if probcut:

        def make_measurement(told: Callable[[Moment], None]) -> ProbCutRun:
            return ProbCutRun(game, target, settings, told)

        command = f"zermelo tune {game} --probcut"
        return probcut_answer(
            game, target, run_resumable(make_measurement, command, "measuring shallow and deep searches")
        )

    def make(told: Callable[[Moment], None]) -> TuningRun:
        return TuningRun(game, target, settings, told)

    return tuning_answer(game, target, run_resumable(make, f"zermelo tune {game}", "looking for what matters"))


def play_hint(game: str, target: str, out: Path) -> str:
    """How to play with the file `out`, which the user called `target`."""
    from zermelo.games import runs_code, search_file, with_option

    found = runs_code(game) and out.absolute() == search_file(game).absolute()
    return f"play with it: zermelo play {game if found else with_option(game, 'search', target)}"


def probcut_answer(game: str, target: str, summary: ProbCutSummary) -> Answer:
    """What was measured, a line for each pair of depths."""
    elo, pairs = summary.elo, summary.pairs
    data = {
        "out": None if summary.out is None else str(summary.out),
        "elo": None if elo is None else {"elo": elo.elo, "low": elo.low, "high": elo.high},
        "tested": 0 if elo is None else elo.games,
        "positions": summary.positions,
        "pairs": [asdict(pair) for pair in pairs],
    }

    def text() -> str:
        lines = [summary.line()]
        if pairs:
            lines += ["", f"{'stage':>5}{'depth':>7}{'shallow':>9}{'slope':>8}{'offset':>10}{'error':>10}"]
            lines += [
                f"{pair.stage:>5}{pair.depth:>7}{pair.shallow:>9}{pair.slope:>8.2f}{pair.offset:>10.3g}{pair.error:>10.3g}"
                for pair in pairs
            ]
        if summary.out is not None:
            lines += ["", play_hint(game, target, summary.out)]
        return "\n".join(lines)

    return Answer(data, text)


def tuning_answer(game: str, target: str, summary: TuningSummary) -> Answer:
    """What was tuned, and what came of it."""
    elo, before, after = summary.elo, summary.before, summary.after
    data = {
        "out": None if summary.out is None else str(summary.out),
        "elo": None if elo is None else {"elo": elo.elo, "low": elo.low, "high": elo.high},
        "tested": 0 if elo is None else elo.games,
        "games": summary.games,
        "steps": summary.steps,
        "parameters": {name: {"before": before[name], "after": value} for name, value in after.items()},
        "curve": str(summary.curve),
    }

    def text() -> str:
        changed = [name for name in after if after[name] != before[name]][:SHOWN]
        width = max([len(name) for name in changed], default=0) + 2
        lines = [summary.line()]
        if changed:
            lines += ["", f"{'parameter':<{width}}{'before':>12}{'after':>12}"]
            lines += [f"{name:<{width}}{before[name]:>12g}{after[name]:>12g}" for name in changed]
        lines += ["", f"the curve is in {summary.curve}"]
        if summary.out is not None:
            lines.append(play_hint(game, target, summary.out))
        return "\n".join(lines)

    return Answer(data, text)


def list_parameters(game: str) -> Answer:
    """The parameters, with the values that searches of the game have."""
    from zermelo.engine.parameters import PARAMETERS, parameters_for
    from zermelo.games import load

    own = parameters_for(load(game))
    rows = [
        {
            "name": name,
            "value": own.get(name, each.value),
            "default": each.value,
            "least": each.least,
            "most": each.most,
            "meaning": each.meaning,
        }
        for name, each in PARAMETERS.items()
    ]

    def text() -> str:
        width = max(map(len, PARAMETERS)) + 2
        bounds = {name: f"{each.least:g} to {each.most:g}" for name, each in PARAMETERS.items()}
        return "\n".join(
            f"{name:<{width}}{own.get(name, each.value):>8g}  {bounds[name]:<16}{each.meaning}"
            for name, each in PARAMETERS.items()
        )

    return Answer({"parameters": rows}, text)
