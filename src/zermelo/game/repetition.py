"""The rule of repetition: which positions it would apply to, and what everybody gets where it does.

Under `"perpetual"` a repetition is a draw, unless one player alone gave check with every one of its moves since the
position last stood on the board: that player has lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from zermelo.errors import ContractError
from zermelo.game.contract import AnyGame


class CheckRun(NamedTuple):
    """A part of a game, as far as perpetual check is concerned: a bit for each player."""

    moved: int = 0
    quiet: int = 0
    """Who of them made a move that gave no check."""

    def with_move(self, mover: int, check: bool) -> CheckRun:
        """This part and a move of `mover`, which gave check or not; one of chance changes nothing."""
        bit = 1 << mover if mover >= 0 else 0
        return CheckRun(self.moved | bit, self.quiet if check else self.quiet | bit)

    @property
    def checker(self) -> int | None:
        """The player who alone gave check with every move; `None` if there is none, or more than one."""
        checking = self.moved & ~self.quiet
        return checking.bit_length() - 1 if checking.bit_count() == 1 else None


def repeatable(game: AnyGame, history: Sequence[Any], state: Any) -> dict[Hashable, CheckRun]:
    """The recurrences of those states of `history` to which the rule would apply if they came back after `state`.

    With each comes the part of the game from where it last stood on the board up to `state`, empty under a rule that
    does not look at it. Within a search a position that comes back counts at its second occurrence, whatever the
    rule says: what could be done the third time can be done the second.
    """
    if game.repetition is None:
        return {}
    if game.repetition == "perpetual" and not game.can("is_check"):
        raise ContractError(
            f"{game.name} has no `is_check`, which perpetual check needs: write `def is_check(self, s)`"
        )
    keys = [game.recurrence(s) for s in history]
    wanted = {key for key, count in Counter(keys).items() if count >= game.occurrences - 1}
    if game.repetition != "perpetual":
        return dict.fromkeys(wanted, CheckRun())
    found: dict[Hashable, CheckRun] = {}
    since = CheckRun()
    after = state
    for key, s in zip(reversed(keys), reversed(history), strict=True):
        if len(found) == len(wanted):
            break
        since = since.with_move(game.player(s), game.is_check(after))
        if key in wanted:
            found.setdefault(key, since)
        after = s
    return found


def repetition_utility(game: AnyGame, p: int, mover: int, since: CheckRun) -> float:
    """What player `p` gets when `mover` has brought a position back, after what was played `since` it stood there."""
    loser = {"loses": mover, "perpetual": since.checker}.get(game.repetition or "")
    if loser is None:
        return game.neutral
    low, high = game.bounds
    return low if game.team(p) == game.team(loser) else high
