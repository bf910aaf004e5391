"""What a game was worth to its players with luck taken off: the same on average, and with less noise.

    none        what was paid
    all-in      where nobody has a choice any more: the expectation in place of what chance then did
    evaluate    that, and what luck was worth by the game's own estimates, a ply deep
    solved      that, and what luck was worth by an equilibrium of the game

The last two take off, at every chance event, the value of what happened less the mean value of what could have; and
the same at every choice of a player who tells the probabilities it draws from. Given all that was before, each such
term has the mean 0, however wrong the values are: so the sum changes no expectation, and the better the values, the
more noise goes with it. These are control variates, as in AIVAT (Burch et al. 2018). Where one of two players tells its
whole strategy, `solved` takes the mean over all hands that it might have held, too (`hands`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.arena.adjust.settled import settled_from
from zermelo.arena.adjust.values import EstimatedValues, SolvedValues, Values
from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, AnyGame
from zermelo.play import Chooser, LiveGame, Mixer, Ply

RULES = ("none", "all-in", "evaluate", "solved")


def check_rule(game: AnyGame, rule: str, unit: str) -> None:
    """Refuses a rule that the game has no use for, or no values."""
    if rule not in RULES:
        raise OptionError(f"payoffs are adjusted by {', '.join(RULES)}, not by {rule!r}")
    if rule in ("evaluate", "solved") and not unit:
        raise OptionError(f"{game.name} is won, drawn or lost, and no payoff is counted: leave out --adjust {rule}")
    if rule == "evaluate" and not game.can("evaluate"):
        raise OptionError(f"{game.name} has no `evaluate`: take --adjust all-in, or solved if the game is small")
    if rule == "solved":
        try:
            SolvedValues(game)
        except MethodError as error:
            raise OptionError(f"--adjust solved needs the tree of the game, and {error}") from None


class Adjuster:
    """Adjusts the payoffs of games, one after the other."""

    def __init__(self, game: AnyGame, rule: str = "all-in"):
        self.game = game
        self.rule = rule
        self.values: Values | None = None
        if rule == "evaluate":
            self.values = EstimatedValues(game)
        elif rule == "solved":
            self.values = SolvedValues(game)

    def adjust(
        self, live: LiveGame, utilities: Sequence[float], players: Sequence[Chooser], seed: int = 0
    ) -> tuple[float, ...]:
        """`utilities`, which the game ended with, adjusted; `seed` is for means over samples.

        Luck counts in games that were broken off, too: whether one is may depend on what luck it saw.
        """
        plies, found = live.plies, tuple(utilities)
        if self.rule == "none":
            return found
        if live.ending is not None and not live.ending.reason:
            settled = settled_from(self.game, plies, seed)
            if settled is not None:
                plies, found = plies[: settled.ply], settled.utilities
        if self.values is None:
            return found
        before = live.history[: len(live.history) - len(live.plies)]
        if isinstance(self.values, SolvedValues) and live.ending is not None and not live.ending.reason:
            means = self.values.means([*before, *(ply.state for ply in live.plies), live.state], players)
            if means is not None:
                return means
        luck = self.luck(before, live.start, plies, players)
        return tuple(got - lucky for got, lucky in zip(found, luck, strict=True))

    def luck(
        self, before: Sequence[Any], start: Any, plies: Sequence[Ply], players: Sequence[Chooser]
    ) -> tuple[float, ...]:
        """What chance, and the draws of players who tell their probabilities, were worth to everybody."""
        game, values = self.game, self.values
        assert values is not None
        total = [0.0] * game.players
        history = list(before)
        values.begin([*before, start])
        for ply in plies:
            actions, shares = drawn_from(game, ply, history, players)
            place = next((i for i, action in enumerate(actions) if action == ply.action), None)
            if shares and place is not None:
                after = values.after(ply.state, actions)
                for p in range(game.players):
                    expected = sum(share * worth[p] for share, worth in zip(shares, after, strict=True) if share > 0)
                    total[p] += after[place][p] - expected
            values.move(ply.state, ply.action)
            history.append(ply.state)
        return tuple(total)


def drawn_from(
    game: AnyGame, ply: Ply, history: Sequence[Any], players: Sequence[Chooser]
) -> tuple[list[Any], list[float]]:
    """The actions that a ply was drawn from, and their probabilities; none if nobody tells them."""
    if ply.mover == CHANCE:
        pairs = list(game.chances(ply.state))
        return [action for action, _ in pairs], [float(share) for _, share in pairs]
    actions, player = list(game.actions(ply.state)), players[ply.mover]
    if len(actions) < 2 or not isinstance(player, Mixer):
        return actions, []
    return actions, list(map(float, player.policy(game, ply.state, history)))
