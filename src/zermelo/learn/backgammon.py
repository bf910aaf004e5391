"""Networks for backgammon: `zermelo train backgammon`.

That of contact is learned in games against itself (`contact`), that of the race from the bear-off tables (`races`)."""

from __future__ import annotations

import os
from collections.abc import Callable

from zermelo.learn.contact import ContactRun
from zermelo.learn.networks import File, Progress, Settings
from zermelo.learn.races import RaceRun

__all__ = ["Progress", "Settings", "train"]


def train(
    out: str | os.PathLike[str],
    settings: Settings,
    start: str | os.PathLike[str] | None = None,
    report: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Progress:
    """Learns, and writes the networks to `out` from time to time; goes on from the file `start` if there is one."""
    settings.check()
    kind = ContactRun if settings.network == "contact" else RaceRun
    return kind(File(out, settings, start), settings, report or (lambda _: None), stop or (lambda: False)).go()
