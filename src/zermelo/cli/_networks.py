"""`zermelo train` of a game that learns networks by playing against itself (`Game.trainer`)."""

from __future__ import annotations

from typing import Any

from zermelo.cli._answer import Answer
from zermelo.cli._progress import progress
from zermelo.errors import OptionError
from zermelo.game.contract import Trainer


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
