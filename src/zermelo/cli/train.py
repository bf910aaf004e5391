"""`zermelo train`: the weights of an evaluation, learnt from games."""

from __future__ import annotations

import math
import shlex
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress, say, wants_json
from zermelo.cli._options import game_argument
from zermelo.cli._runs import run_resumable
from zermelo.cli._values import SUFFIX, settings_kind, train_values
from zermelo.errors import OptionError

if TYPE_CHECKING:
    from zermelo.game import Game
    from zermelo.game.contract import Trainer
    from zermelo.game.weights import Weights
    from zermelo.learn import Fit, FitSettings, Samples
    from zermelo.train import Moment, Summary
    from zermelo.train.places import Place

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
@click.option("--on", "where", metavar="WHERE", help="Play with --minutes on processes, ray or ray://HOST:PORT.")
@click.option("--concurrency", type=int, help="Workers there, at most.  [default: as many as this machine has cores]")
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
    where: str | None,
    concurrency: int | None,
    **given: Any,
) -> Answer:
    """Learn to play GAME: a network, or weights of features.

    With --minutes the game plays itself, learns a network, tests it against what was there before, and keeps it if it
    is stronger, again and again until the time is up; it needs nothing but the rules. Two families of networks are
    tried, for alpha-beta and for Monte Carlo tree search, and the better one goes on. A game that hides cards learns
    what hands are worth, given what both may hold: from random situations, solved. With --data or --games it learns
    weights for the `features` of GAME (logistic regression). Either goes to a file, with the record of how it was made.
    """
    from zermelo.games import load, network_file

    made, seed = load(game), given["seed"]
    asks_values = minutes is not None or networks or not made.can("features")
    hides = made.kind.hidden and made.kind.adversarial and not made.kind.simultaneous
    if made.can("own_resolving") or (hides and asks_values):
        if data or games is not None or old is not None or where:
            raise OptionError(f"values of {made.name} are learned from situations: leave out --data, --games and --on")
        kind = settings_kind(made)
        wanted = training_settings(kind, networks, {"minutes": minutes, "seed": seed or None})
        return train_values(game, made, out or new_file(game, SUFFIX), wanted)
    if concurrency is not None and where is None:
        raise OptionError("--concurrency counts the workers of --on ray: say --on, too, or --threads")
    if made.can("trainer") or minutes is not None:
        if data:
            raise OptionError(f"a network of {made.name} learns from games that it plays itself: leave out --data")
        settings = {"minutes": minutes, "threads": threads, "seed": seed}
        if made.can("trainer"):
            if where:
                raise OptionError(f"{made.name} learns from games that it plays in this process: leave out --on")
            file = network_file(game)
            goes_on = (file.with_suffix(".training") / "state.json").is_file()
            own = out or (str(file) if goes_on else new_file(game, file.suffix))
            return train_own(game, made.trainer(), own, old, networks, {**settings, "games": games})
        if games is not None or old is not None:
            raise OptionError("a network learns from its own games, from nothing: leave out --games and --from")
        with closing(make_place(game, where, concurrency)) as place:
            return train_network(game, out or str(network_file(game)), networks, settings, place)
    if networks or where:
        wrong = "--networks are the settings" if networks else "--on is where the games are played"
        raise OptionError(f"{wrong} of a network: say --minutes 30, too")
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


def make_place(game: str, where: str | None, concurrency: int | None) -> Place:
    """Where the games of a training are played: by threads of this process, unless something else is said."""
    from zermelo.arena.executors import available_cores, make_executor
    from zermelo.learn.grid.learning import has_gpu
    from zermelo.train.places import Here, WithGpu, Workers

    if where in (None, "here"):
        return WithGpu() if has_gpu() else Here()
    return Workers(game, make_executor(where, available_cores() if concurrency is None else concurrency))


def train_network(game: str, out: str, options: str, given: Mapping[str, float | None], place: Place) -> Answer:
    """A network for the game: of the family that is named, or of whichever of both plays better."""
    from zermelo.arena.executors import available_cores
    from zermelo.games import load
    from zermelo.options import take_option
    from zermelo.train import AutoSettings, AutoTraining, Training, settings_of
    from zermelo.train.folder import SUFFIX, folder_beside

    family, options = take_option(options, "family")
    suited = dict(load(game).training)
    own = suited.pop("family", None)
    family = family or own
    given = {**given, "threads": given["threads"] or available_cores()}
    if family is None and not options and not folder_beside(out, SUFFIX).joinpath("state.json").exists():
        wanted = training_settings(AutoSettings, options, given)

        def make_both(told: Callable[[Moment], None]) -> AutoTraining:
            training = AutoTraining(game, out, wanted, told, place)
            say_how_to_watch(game, training.current.folder.path)
            return training

        both = run_resumable(make_both, f"zermelo train {game}", "compiling the rules")
        facts = {"family": both.winner or None, "contest": list(both.counts)}
        return network_answer(game, out, both.last, both.line(), facts)
    options = with_defaults(options, suited if family == own else {})
    made = training_settings(settings_of(family or "sum"), options, given)

    def make(told: Callable[[Moment], None]) -> Training:
        training = Training(game, out, made, told, place)
        say_how_to_watch(game, training.folder.path)
        return training

    summary = run_resumable(make, f"zermelo train {game}", "compiling the rules")
    return network_answer(game, out, summary, summary.line(), {"family": family or "sum"})


def network_answer(game: str, out: str, summary: Summary, line: str, facts: Mapping[str, object]) -> Answer:
    from zermelo.games import with_option

    elo = summary.elo
    data = {
        "out": None if summary.network is None else str(summary.network),
        "elo": None if elo is None else {"elo": elo.elo, "low": elo.low, "high": elo.high},
        "games": summary.games,
        "positions": summary.positions,
        "generations": summary.generations,
        "kept": summary.kept,
        "curve": str(summary.curve),
        **facts,
    }
    play = f"\nplay against it: zermelo play {with_option(game, 'network', out)}" if summary.network else ""
    return Answer(data, lambda: f"{line}\nthe curve is in {summary.curve}{play}")


def say_how_to_watch(game: str, folder: Path) -> None:
    """A first line for the person at the terminal; a game in a file must be named to the studio, too."""
    from zermelo.games import runs_code

    if not wants_json():
        own = f" {shlex.quote(game)}" if runs_code(game) else ""
        say(f"watch it learn: `zermelo studio{own}`, view Training, folder {folder}", err=True)


def train_own(
    game: str, trainer: Trainer, out: str, old: str | None, options: str, given: Mapping[str, float | None]
) -> Answer:
    """Networks of the game's own kind."""
    from zermelo.games import with_option
    from zermelo.train import OwnTraining

    made = training_settings(trainer.settings, options, given)

    def make(told: Callable[[Moment], None]) -> OwnTraining:
        return OwnTraining(trainer, game, out, made, old, told)

    summary = run_resumable(make, f"zermelo train {game}", "the first games")
    data = {
        "out": str(summary.network),
        "points": None if summary.points is None else {"points": summary.points, "error": summary.error},
        "matched": summary.matched,
        "games": summary.games,
        "positions": summary.positions,
        "seconds": round(summary.seconds, 1),
    }
    play = f"play against them: zermelo play {with_option(game, trainer.option, out)}"
    return Answer(data, lambda: f"{summary.line()}\nthe networks are in {out}\n{play}")


def with_defaults(options: str, suited: Mapping[str, Any]) -> str:
    """`options`, and those that suit a game where nothing else is said."""
    from zermelo.options import read_options

    said = read_options(options)
    added = [f"{name}={value}" for name, value in suited.items() if name not in said]
    return ",".join([options, *added] if options else added)


def training_settings(kind: Callable[..., Any], options: str, given: Mapping[str, float | None]) -> Any:
    """The settings in `options`, and those that have options of their own on the command line."""
    from zermelo.options import call_with_options, read_options

    twice = next((name for name in given if name in read_options(options)), None)
    if twice:
        raise OptionError(f"{twice} has an option of its own: --{twice} N")
    said = [f"{name}={value}" for name, value in given.items() if value is not None]
    return call_with_options(kind, ",".join([options, *said] if options else said), "the training")


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
