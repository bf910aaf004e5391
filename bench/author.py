"""What an author's knowledge is worth to a network: `inputs`, `stage` and `symmetric`, each in turn.

    python bench/author.py kalah:seeds=6 breakthrough hex:size=7
    python bench/author.py games.py:Bridges --minutes 5 --pairs 200

A game plays itself for half of the time. From the same games one sum network is learned without any of the methods,
and one with each that the game has. Each of these plays against the first one, at equal time a move.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from learning import play
from tools import answer, arguments, table

from zermelo.engine.network import Network, with_network, without_network
from zermelo.game import AnyGame, Game
from zermelo.games import load
from zermelo.learn.learning import SumLearning
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.family import SumFamily
from zermelo.train.settings import TrainingSettings

METHODS = ("inputs", "stage", "symmetric")


def only_with(game: AnyGame, method: str) -> AnyGame:
    """The game without the `METHODS`, but for one."""
    others = {each: getattr(Game, each) for each in METHODS if each != method}
    made: AnyGame = object.__new__(type(type(game).__name__, (type(game),), others))
    vars(made).update(vars(game))
    return made


def play_itself(name: str, game: AnyGame, settings: TrainingSettings, path: Path) -> int:
    """Writes games of the player that the game has by hand; returns how many positions they have."""
    own = SumFamily(settings).selfplay(game)
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        **own, games=1 << 40, seed=settings.seed, threads=settings.threads, opening_plies=(0, settings.opening_plies)
    )
    selfplay, end = SelfPlay(game, options), time.monotonic() + settings.seconds / 2
    with RecordWriter(path, game, name) as writer:
        for block in selfplay.blocks(lambda: time.monotonic() > end):
            writer.write(block)
    return selfplay.positions


def learn(game: AnyGame, settings: TrainingSettings, path: Path, seconds: float) -> tuple[Network, float]:
    """A network for the game from games that were recorded, and its loss on those held out."""
    learning = SumLearning(game, settings.width, settings.batch, settings.threads, settings.seed)
    learning.read([(RecordedGames(path, game), False)], 1 << 40, (settings.first_share, settings.score_share))
    loss = learning.learn(settings.passes, settings.rate, seconds)
    return learning.network({}), loss


def measure(name: str, settings: TrainingSettings, asked: Any) -> dict[str, Any]:
    game = without_network(load(name))
    methods = [method for method in METHODS if game.can(method)]
    if not methods:
        sys.exit(f"{name} has none of {', '.join(METHODS)}")
    limits = {"seconds": asked.seconds}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.bin"
        found: dict[str, Any] = {"positions": play_itself(name, game, settings, path)}
        share = settings.seconds / 2 / (1 + len(methods))
        plain = only_with(game, "")
        network, found["loss"] = learn(plain, settings, path, share)
        plain = with_network(plain, network)
        for method in methods:
            other = only_with(game, method)
            network, loss = learn(other, settings, path, share)
            found[method] = play(with_network(other, network), plain, SearchPlayer(**limits), limits, asked)
            found[method]["loss"] = loss
    return found


def main() -> None:
    names = []
    while len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        names.append(sys.argv.pop(1))
    asked = arguments(
        __doc__,
        minutes=(6.0, "of playing and learning a game"),
        seconds=(0.02, "of a move in the matches"),
        pairs=(150, "pairs of games in each match"),
        least_plies=(2, "the least random plies of an opening"),
        most_plies=(6, "and the most"),
        threads=(1, "games at a time"),
        seed=(1, "of the games"),
    )
    settings = TrainingSettings(minutes=asked.minutes, threads=asked.threads, seed=asked.seed)
    data = {name: measure(name, settings, asked) for name in names or ("kalah:seeds=6", "breakthrough", "hex:size=7")}
    rows = [
        [
            name,
            f"`{method}`",
            f"{found['positions']:,}",
            f"{found['loss']:.4f} → {found[method]['loss']:.4f}",
            f"{found[method]['elo']:+.0f} ({found[method]['low']:+.0f} … {found[method]['high']:+.0f})",
        ]
        for name, found in data.items()
        for method in METHODS
        if method in found
    ]
    answer(asked, data, table(["game", "method", "positions", "loss held out", "Elo"], rows))


if __name__ == "__main__":
    main()
