"""The folders of trainings that a page may look at, and what it is sent of them.

A page may type a path, so nothing but a training is ever read: a folder that ends in `.training`, with a valid
`state.json`. Whatever else is there gives one and the same line. What is sent is what was parsed, never text of a file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.train.folder import Generation, State, TrainingFolder

MOST_LISTED = 40
MOST_GENERATIONS = 300
"""Of a training that is shown: the ratings of more take too long."""


def find_folder(text: str) -> TrainingFolder:
    """The folder that a page has typed; an `InputError` if it cannot be that of a training."""
    from zermelo.train.folder import SUFFIX, TrainingFolder

    try:
        path = Path(text.strip()).expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        raise unreadable(text) from None
    if path.suffix != SUFFIX:
        raise InputError(f"the folder of a training ends in {SUFFIX}, as in breakthrough{SUFFIX}")
    return TrainingFolder(path)


def read_training(folder: TrainingFolder) -> State:
    """The state of a training; one line for everything that is none."""
    try:
        state = folder.load()
    except (InputError, OSError, ValueError):
        state = None
    if state is None:
        raise unreadable(folder.path.name)
    if len(state.generations) > MOST_GENERATIONS:
        raise InputError(f"{folder.path.name} has more than {MOST_GENERATIONS} generations: too many to show")
    return state


def unreadable(name: str) -> InputError:
    return InputError(
        f"no training can be read in {name[-200:]!r}: its state.json is missing, broken, or not yours to read"
    )


def list_trainings(folders: Iterable[Path]) -> list[dict[str, object]]:
    """The trainings in `folders`, the latest first, each with a line on what it is."""
    from zermelo.train.folder import SUFFIX, TrainingFolder

    found: dict[Path, float] = {}
    for folder in folders:
        try:
            paths = []
            for path in folder.glob(f"*{SUFFIX}"):  # a training of both families holds one for each
                paths += [each.resolve() for each in [*path.glob(f"*{SUFFIX}")] or [path]]
        except OSError:
            continue
        found |= {path: changed(TrainingFolder(path)) for path in paths}
    latest = sorted(found, key=lambda path: -found[path])[:MOST_LISTED]
    return [{"folder": shorten(path), "about": describe(TrainingFolder(path))} for path in latest]


def shorten(path: Path) -> str:
    """The path as a person would type it here."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def changed(folder: TrainingFolder) -> float:
    """When the state was last written, in seconds; 0 if there is none."""
    try:
        return folder.state.stat().st_mtime
    except OSError:
        return 0.0


def describe(folder: TrainingFolder) -> str:
    try:
        state = read_training(folder)
    except InputError:
        return "cannot be read"
    return f"{state.game}, {len(state.generations)} generations, {state.games:,} games"


# What a page is sent.


def show_course(state: State) -> dict[str, object]:
    """The settings, counts, and every generation with its test and the strength after it."""
    from zermelo.train.curve import elo_course

    course = elo_course(state)
    minutes = state.settings.get("minutes")
    total = 60 * minutes if isinstance(minutes, (int, float)) and math.isfinite(minutes) else state.seconds
    return {
        "game": state.game,
        "phase": state.phase,
        "over": state.phase == "over",
        "seconds": state.seconds,
        "total": max(total, state.seconds),
        "games": state.games,
        "positions": state.positions,
        "kept": max((each.number + 1 for each in state.generations if each.kept), default=0),
        "generations": [
            show_generation(each, elo, any(before.kept for before in state.generations[:i]))
            for i, (each, elo) in enumerate(zip(state.generations, course, strict=True))
        ],
        "final": show_match(state.final_counts, False),
    }


def show_generation(generation: Generation, elo: Any, has_network: bool) -> dict[str, object]:
    return {
        "number": generation.number + 1,
        "games": generation.games,
        "positions": generation.positions,
        "loss": finite(generation.loss),
        "kept": generation.kept,
        "elo": None if elo is None else [elo.elo, elo.low, elo.high],
        "test": show_match(generation.counts, has_network),
    }


def show_match(counts: Sequence[int], has_network: bool) -> dict[str, object] | None:
    """A match of pairs: its points, and what they say about the difference in strength, with or without a network
    before."""
    from zermelo.arena.statistics import elo_from_pairs
    from zermelo.train.run import rule_of

    if not sum(counts):
        return None
    games = 2 * sum(counts)
    points = sum(half * pairs for half, pairs in enumerate(counts)) / 2
    found = elo_from_pairs(counts)
    return {
        "games": games,
        "points": points,
        "elo": finite(found.elo),
        "margin": finite(found.margin),
        "llr": rule_of(has_network).llr(counts),
    }


def show_values(state: State, positions: int) -> list[list[float | None]]:
    """For each position, what the network of each generation says about it; `None` where it has not been asked."""
    return [
        [finite(each.values[i]) if i < len(each.values) else None for each in state.generations]
        for i in range(positions)
    ]


def finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
