"""`zermelo train`: the weights of an evaluation, learnt from games."""

from __future__ import annotations

import math
import shlex
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress, wants_json
from zermelo.cli._options import game_argument
from zermelo.errors import OptionError

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.game.contract import Trainer
    from zermelo.game.weights import Weights
    from zermelo.learn import Fit, FitSettings, Samples

PLAYER = "engine:nodes=2000"
NAMED_WEIGHTS = 10
"""Weights that are named, of those that changed most."""


@click.command()
@game_argument
@click.option("--minutes", type=float, help="Learn a network by self-play for so long; run it again to go on.")
@click.option("--data", multiple=True, metavar="PATH", help="Files of `zermelo selfplay`, or their folder; repeatable.")
@click.option("--games", type=int, help="Play so many games now, to learn from them.")
@click.option("--player", default=PLAYER, metavar="PLAYER", help=f"Who plays these.  [default: {PLAYER}]")
@click.option("--openings", default="plies=6", metavar="TEXT", help="How these begin.  [default: plies=6]")
@click.option("--from", "old", metavar="FILE", help="Weights to begin with.  [default: the game's own, if any]")
@click.option("--out", metavar="FILE", help="Where the weights go.  [default: a new file here, named after the game]")
@click.option("--mix", type=float, default=0.0, help="Share of the search's opinion in what is learnt.  [default: 0]")
@click.option("--l2", type=float, default=1e-4, help="The price of leaving the old weights.  [default: 1e-4]")
@click.option("--holdout", type=float, default=0.1, help="Share of games that only test the weights.  [default: 0.1]")
@click.option("--rounds", type=int, default=300, help="Of the descent, at most.  [default: 300]")
@click.option("--seed", type=int, default=0, help="Settles the games and which are held out.  [default: 0]")
@click.option("--all-positions", is_flag=True, help="Learn from positions that are not quiet, too.")
@click.option("--undecided", type=float, help="Leave out positions valued further from a draw.  [default: none]")
@click.option("--networks", default="", metavar="TEXT", help="Settings of a network: as in width=128,nodes=800.")
@click.option("--threads", type=int, help="That play and learn at once.  [default: all cores]")
@answers
def command(
    game: str,
    minutes: float | None,
    data: tuple[str, ...],
    games: int | None,
    player: str,
    openings: str,
    old: str | None,
    out: str | None,
    all_positions: bool,
    undecided: float | None,
    networks: str,
    threads: int | None,
    **given: Any,
) -> Answer:
    """Learn to play GAME: a network, or weights of features.

    With --minutes the game plays itself, learns a network, tests it against what was there before, and keeps it if it
    is stronger, again and again until the time is up; it needs nothing but the rules. With --data or --games it learns
    weights for the `features` of GAME (logistic regression). Either goes to a file, with the record of how it was made.
    """
    from zermelo.games import load, network_file

    made, seed = load(game), given["seed"]
    if made.can("trainer"):
        if data:
            raise OptionError(f"{made.name} learns from games that it plays itself: leave out --data")
        seconds = "" if minutes is None else f",seconds={60 * minutes:g}"
        out = out or new_file(game, ".safetensors")
        return train_networks(made.trainer(), out, old, games, seed, networks + seconds)
    if minutes is not None:
        if data or games is not None or old is not None:
            raise OptionError("a network learns from its own games: leave out --data, --games and --from")
        return train_network(game, out or str(network_file(game)), minutes, threads, networks, seed)
    if networks:
        raise OptionError("--networks are the settings of a network: say --minutes 30, too")
    limit = math.inf if undecided is None else undecided
    source = WeightsSource(data, games, player, openings, not all_positions, limit)
    return train_weights(game, made, out or new_file(game, ".json"), old, source, given)


@dataclass(frozen=True, slots=True)
class WeightsSource:
    """The games that weights are learned from, and which of their positions."""

    data: tuple[str, ...]
    games: int | None
    player: str
    openings: str
    quiet: bool
    undecided: float


def train_weights(
    game: str, made: Game, out: str, old: str | None, source: WeightsSource, given: Mapping[str, Any]
) -> Answer:
    """The weights of a game's features, from games that are there or are played now."""
    from zermelo.learn import FitSettings, Samples, fit
    from zermelo.learn.samples import check_fit

    settings = FitSettings(**given)
    check_fit(made)
    before, points = old_weights(made, old)
    settings.check(points)
    if bool(source.data) == (source.games is not None):
        raise OptionError(
            "say what to learn: --minutes 30 for a network, or the weights of features by --data FOLDER with games, "
            "or --games 1000 to play them now"
        )
    with ExitStack() as stack:
        paths = list(source.data)
        if source.games is not None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="zermelo-train-"))
            paths = [f"{folder}/games"]
            play(game, source.player, source.openings, source.games, settings.seed, paths[0])
        with progress("reading positions") as bar:

            def told(count: int) -> None:
                bar.text = f"reading positions: {count:,}"

            samples = Samples.read(made, paths, quiet=source.quiet, undecided=source.undecided, told=told)
    with progress("learning") as bar:

        def round_told(number: int, train: float, held: float) -> None:
            bar.text = f"round {number}: loss {train:.5f}, of the games held out {held:.5f}"

        fitted = fit(samples, before, settings, points=points, progress=round_told)
    weights = name_weights(game, made, before, fitted, record(samples, settings, fitted, source))
    weights.write(out)
    return report(out, samples, before, fitted, weights)


def train_network(game: str, out: str, minutes: float, threads: int | None, options: str, seed: int) -> Answer:
    """A network for the game; Ctrl-C ends the training, and the same command goes on with it."""
    from zermelo.arena.executors import available_cores
    from zermelo.games import with_option
    from zermelo.options import call_with_options
    from zermelo.train import Moment, Training, TrainingSettings

    if "minutes=" in options or "threads=" in options or "seed=" in options:
        raise OptionError("minutes, threads and seed have options of their own: --minutes N, --threads N, --seed N")
    text = f"{options},minutes={minutes},threads={threads or available_cores()},seed={seed}"
    settings = call_with_options(TrainingSettings, text, "the training")
    with progress("compiling the rules") as bar:
        shown: list[str] = []

        def told(moment: Moment) -> None:
            bar.text = moment.line()
            if moment.phase not in shown[-1:]:
                shown.append(moment.phase)
                report_line(moment.line())

        training = Training(game, out, settings, told)
        try:
            summary = training.run()
        except KeyboardInterrupt:
            summary = training.summary()
            report_line(f"stopped; `zermelo train {game} --minutes {minutes:g}` goes on")
    data = {
        "out": None if summary.network is None else str(summary.network),
        "elo": None
        if summary.elo is None
        else {"elo": summary.elo.elo, "low": summary.elo.low, "high": summary.elo.high},
        "games": summary.games,
        "positions": summary.positions,
        "generations": summary.generations,
        "kept": summary.kept,
        "curve": str(summary.curve),
    }
    play = f"\nplay against it: zermelo play {with_option(game, 'network', out)}" if summary.network else ""
    return Answer(data, lambda: f"{summary.line()}\nthe curve is in {summary.curve}{play}")


def report_line(text: str) -> None:
    """A line for a log, where no progress bar is shown."""
    if not sys.stderr.isatty() and not wants_json():
        click.echo(text, err=True)


def new_file(game: str, suffix: str) -> str:
    """The file in this folder that is named after the game; it must not exist, so that nothing is overwritten."""
    path = Path(Path(game.partition(":")[0]).stem + suffix)
    if path.exists() or path.is_symlink():
        raise OptionError(f"{path} is there already: give --out {path} to write over it, or --out another file")
    return str(path)


def old_weights(game: Game, path: str | None) -> tuple[list[float] | None, float | None]:
    """The weights to begin with, and how many of their points make a unit of utility."""
    from zermelo.game.weights import Weights

    own = game.feature_weights()
    if path is not None:
        return Weights.read(path).arranged(game.feature_names(), path), game.scale if own is not None else None
    return (None, None) if own is None else (list(own), game.scale or 1.0)


def play(game: str, player: str, openings: str, games: int, seed: int, folder: str) -> None:
    """Games to learn from, in files in `folder`."""
    from zermelo.arena.executors import make_executor
    from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings

    settings = SelfPlaySettings(game, player, games=games, openings=openings, seed=seed, format="jsonl")
    with (
        closing(make_executor("processes", 1)) as executor,
        SelfPlay.begin(settings, folder) as selfplay,
        progress("the first game") as bar,
    ):

        def tell(of: SelfPlay, _: object) -> None:
            bar.text = f"playing: {len(of.ended)} of {games} games"

        selfplay.run(executor, tell)


def record(samples: Samples, settings: FitSettings, fitted: Fit, source: WeightsSource) -> dict[str, object]:
    """How weights were made."""
    from dataclasses import asdict

    from zermelo.arena.host import versions

    played = {"player": source.player, "openings": source.openings} if source.games is not None else dict(samples.facts)
    return {
        "command": shlex.join(["zermelo", *sys.argv[1:]]),
        **versions(),
        "games": int(samples.games.max()) + 1,
        "positions": len(samples),
        "played": played,
        **asdict(settings),
        "rounds": fitted.rounds,
        "unit": fitted.unit,
        "losses": {name: round(loss, 6) for name, loss in fitted.losses.items()},
    }


def name_weights(name: str, game: Game, old: list[float] | None, fitted: Fit, made: dict[str, object]) -> Weights:
    """Whole numbers where the old ones are, else as many digits as are worth keeping."""
    from zermelo.game.weights import Weights

    whole = old is not None and all(value == round(value) for value in old)
    values = [round(value) if whole else float(f"{value:.6g}") for value in fitted.weights.tolist()]
    return Weights(name.partition(":")[0], dict(zip(game.feature_names(), values, strict=True)), made)


def report(out: str, samples: Samples, old: list[float] | None, fitted: Fit, weights: Weights) -> Answer:
    losses = fitted.losses
    before = dict(zip(weights.values, old or [0.0] * len(weights.values), strict=True))
    moved = sorted(weights.values, key=lambda name: -abs(weights.values[name] - before[name]))[:NAMED_WEIGHTS]

    def text() -> str:
        width = max(len(name) for name in moved) + 2
        lines = [
            f"{len(samples):,} positions of {int(samples.games.max()) + 1:,} games, {fitted.rounds} rounds",
            "",
            f"{'loss':<16}{'before':>10}{'after':>10}",
        ]
        for which, of in (("train", "learnt from"), ("validation", "held out")):
            lines.append(f"{of:<16}{losses[f'{which} before']:>10.5f}{losses[f'{which} after']:>10.5f}")
        lines += ["", f"{'weight':<{width}}{'before':>12}{'after':>12}"]
        lines += [f"{name:<{width}}{before[name]:>12g}{weights.values[name]:>12g}" for name in moved]
        return "\n".join([*lines, "", f"written to {out}"])

    data = {"out": out, "game": weights.game, "weights": dict(weights.values), "record": dict(weights.record)}
    return Answer(data, text)


def train_networks(trainer: Trainer, out: str, old: str | None, games: int | None, seed: int, options: str) -> Answer:
    """Learns until the time or the games are over; Ctrl-C ends it, and keeps what has been learned by then."""
    from zermelo.options import call_with_options

    if "games=" in options or "seed=" in options:
        raise OptionError("games and seed of a training have options of their own: --games N, --seed N")
    settings = call_with_options(trainer.settings, f"{options},games={games or 0},seed={seed}", "the training")
    with progress("the first games") as bar:

        def tell(found: Any) -> None:
            losses = ", ".join(f"{name} {loss:.3f}" for name, loss in found.losses.items())
            bar.text = f"{found.share:.0%}, {found.games:,} games, loss: {losses}"

        found = trainer.train(out, settings, old, tell)
    facts = {"games": found.games, "seconds": round(found.seconds, 1), "losses": found.losses, "out": out}
    return Answer(facts, lambda: f"{found.games:,} games in {found.seconds:.0f} s; the networks are in {out}")
