"""The rules of Colonel Blotto (Borel 1921): soldiers are shared out over fields, and the greater number takes one."""

from __future__ import annotations

import math
from collections.abc import Iterator

from zermelo.errors import OptionError
from zermelo.games._matrix import MatrixGame
from zermelo.options import flag, takes, whole

MOST_ACTIONS = 1000


class Blotto(MatrixGame):
    """Divide your soldiers among the fields in secret; the larger force takes a field, and most fields win."""

    title = "Colonel Blotto"
    shelf = "theory"

    names = ("Blotto", "Enemy")

    @takes(soldiers=whole(1), enemies=whole(1), fields=whole(2, 10), count=flag())
    def __init__(self, soldiers: int = 5, enemies: int = 5, fields: int = 3, count: bool = False):
        if max(math.comb(n + fields - 1, fields - 1) for n in (soldiers, enemies)) > MOST_ACTIONS:
            raise OptionError(f"there would be more than {MOST_ACTIONS} ways to share out the soldiers: take fewer")
        self.count = count
        mine, theirs = list(shares(soldiers, fields)), list(shares(enemies, fields))
        self.choices = (tuple(map(write_share, mine)), tuple(map(write_share, theirs)))  # type: ignore[misc]
        self.set_payoffs([[self.worth(own, other) for other in theirs] for own in mine])

    def worth(self, mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
        """Fields taken less fields lost; only the sign of that, unless fields count."""
        taken = sum((a > b) - (a < b) for a, b in zip(mine, theirs, strict=True))
        return taken if self.count else (taken > 0) - (taken < 0)


def shares(soldiers: int, fields: int) -> Iterator[tuple[int, ...]]:
    """Every way to share out the soldiers, most on the first field first."""
    if fields == 1:
        yield (soldiers,)
        return
    for first in range(soldiers, -1, -1):
        for rest in shares(soldiers - first, fields - 1):
            yield (first, *rest)


def write_share(share: tuple[int, ...]) -> str:
    return "-".join(map(str, share))
