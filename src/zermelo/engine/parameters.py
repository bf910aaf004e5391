"""The margins and coefficients of alpha-beta, and the files with which a game has its own.

    Engine(game, parameters={"reduction_base": 0.6})       others have their defaults
    tuning = read_tuning("mygame.search.json")
    attach_tuning(game, tuning)                            every search of `game` uses it

`native/search/parameters.def` lists the parameters; `zermelo tune` fits them to a game.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.engine.core import _core
from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError, OptionError
from zermelo.game.contract import AnyGame
from zermelo.options import Option, number, whole
from zermelo.search.probcut import DepthPair

Parameter = _core.SearchParameter

PARAMETERS: Mapping[str, Parameter] = {each.name: each for each in _core.SEARCH_PARAMETERS}
ATTRIBUTE = "__search__"
"""Of a game, with its tuning; what is called so is not part of the rules, for those that compile and compare them."""


def values_allowed(parameter: Parameter) -> Option:
    """What a parameter may be."""
    make = whole if parameter.whole else number
    return make(parameter.least, parameter.most, about=parameter.meaning)


def check_parameters(given: Mapping[str, Any]) -> None:
    """Refuses a name that no parameter of the search has, and values that it cannot have."""
    for name, value in given.items():
        if name not in PARAMETERS:
            near = difflib.get_close_matches(name, PARAMETERS, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(PARAMETERS)}"
            raise OptionError(f"the search has no parameter {name!r:.80}; {hint}")
        values_allowed(PARAMETERS[name]).check(name, value)


@dataclass(frozen=True, slots=True)
class Tuning:
    """Values of parameters that were found for a game."""

    game: Mapping[str, Any]
    """Which game they were found for, as `engine.identity` says."""
    values: Mapping[str, float]
    """Others have their defaults."""
    record: Mapping[str, Any] = field(default_factory=dict)
    """How they were found, and what they are worth."""
    pairs: tuple[DepthPair, ...] = ()
    """What shallow searches foretell of deep ones, for Multi-ProbCut."""

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file atomically: an existing file stays until the new one is complete."""
        data = {
            "game": dict(self.game),
            "parameters": dict(self.values),
            "pairs": [asdict(pair) for pair in self.pairs],
            "record": dict(self.record),
        }
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
        try:
            replace_file(path, [text.encode()])
        except OSError as error:
            raise InputError(f"the parameters cannot be written to {path}: {error.strerror or error}") from error


def read_tuning(path: str | os.PathLike[str]) -> Tuning:
    """The parameters in the file `path`; refuses whatever else it holds."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"the parameters {path} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError):
        raise InputError(f"{path} has no parameters of a search: it is not JSON; `zermelo tune` makes one") from None
    parts: list[Any] = [data.get(name) for name in ("game", "parameters", "record")] if isinstance(data, dict) else []
    if not parts or not all(isinstance(part, dict) for part in parts):
        raise InputError(
            f'{path} has no parameters of a search: it lacks "game", "parameters" or "record"; `zermelo tune` makes one'
        )
    game, values, record = parts
    try:
        check_parameters(values)
        pairs = tuple(DepthPair(**pair) for pair in data.get("pairs", ()))
        core_pairs(pairs)
    except OptionError as error:
        raise InputError(f"{path}: {error}") from None
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} has pairs of depths that no search can use: {error}") from None
    return Tuning(game, values, record, pairs)


def attach_tuning(game: AnyGame, tuning: Tuning | None) -> None:
    """Gives `game` the parameters that searches of it use; `None` takes them away."""
    vars(game)[ATTRIBUTE] = tuning


def tuning_of(game: AnyGame) -> Tuning | None:
    """The parameters that came with `game`, if any did."""
    found = vars(game).get(ATTRIBUTE)
    return found if isinstance(found, Tuning) else None


def parameters_for(game: AnyGame, given: Mapping[str, float] | None = None) -> dict[str, float]:
    """The parameters of a search of `game`: those that are `given`, or else its own; others have their defaults."""
    if given is not None:
        check_parameters(given)
        return dict(given)
    tuning = tuning_of(game)
    return {} if tuning is None else dict(tuning.values)


def pairs_for(game: AnyGame) -> tuple[DepthPair, ...]:
    """What searches of the game know of shallow and deep ones."""
    tuning = tuning_of(game)
    return () if tuning is None else tuning.pairs


def core_pairs(pairs: Iterable[DepthPair]) -> list[_core.DepthPair]:
    """The same for the core, which refuses what it cannot use."""
    return [_core.DepthPair(**asdict(pair)) for pair in pairs]
