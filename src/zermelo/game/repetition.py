"""Positions that have stood on the board often enough for a game's rule of repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

from zermelo.game.contract import Game


def repeated_keys(game: Game, states: Iterable[Any]) -> set[Hashable]:
    """The recurrences of those of `states` to which the rule would apply if they came back once more.

    Within a search a position that comes back counts at its second occurrence, whatever the rule says: what could be
    done the third time can be done the second.
    """
    if game.repetition is None:
        return set()
    return {key for key, count in Counter(map(game.recurrence, states)).items() if count >= game.occurrences - 1}
