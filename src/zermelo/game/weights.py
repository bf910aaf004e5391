"""The weights of an evaluation as data: a JSON file with a number for each feature, and the record of its making.

{"game": "chess", "weights": {"bishop pair, endgame": 46, …}, "record": {"games": 8000, …}}
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo.errors import InputError

GREATEST_WEIGHT = 1e9
"""No weight is beyond it, either way."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What features of a game are worth, by name."""

    game: str
    values: Mapping[str, float]
    record: Mapping[str, Any] = field(default_factory=dict)
    """How they were made: what was run on which data, and what came of it."""

    @classmethod
    def read(cls, path: str | Path) -> Weights:
        """The weights in the file `path`; refuses whatever else it holds."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(f"the weights {path} cannot be read: {error.strerror or error}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} is not a file of weights: it is not JSON; `zermelo train` makes one") from error
        values = data.get("weights") if isinstance(data, dict) else None
        if not isinstance(values, dict) or not values:
            raise InputError(f'{path} is not a file of weights: it has no "weights"; `zermelo train` makes one')
        for name, value in values.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not abs(value) <= GREATEST_WEIGHT:
                raise InputError(
                    f"{path}: the weight of {name!r} must be a number within ±{GREATEST_WEIGHT:g}, "
                    f"not {str(value)[:20]}"
                )
        record = data.get("record")
        return cls(str(data.get("game", "")), values, record if isinstance(record, dict) else {})

    def write(self, path: str | Path) -> None:
        """Writes them to the file `path`, in their order."""
        data = {"game": self.game, "weights": dict(self.values), "record": dict(self.record)}
        try:
            Path(path).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise InputError(f"the weights cannot be written to {path}: {error.strerror or error}") from error

    def arranged(self, names: Iterable[str], where: object) -> list[float]:
        """The weights in the order of `names`; refuses, as a fault of the file `where`, any other set of names."""
        names = list(names)
        missing = [name for name in names if name not in self.values]
        if missing:
            raise InputError(f"{where} has no weight for {missing[0]!r}, and lacks {len(missing)} in all")
        if len(self.values) > len(names):
            known = set(names)
            unknown = next(name for name in self.values if name not in known)
            raise InputError(f"{where} has a weight for {unknown!r}, which is no feature here")
        return [float(self.values[name]) for name in names]
