"""What to tune, for how long, and the games that can be tuned."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.engine.engine import check_fit, is_plain
from zermelo.engine.parameters import check_parameters
from zermelo.engine.searcher import is_simulated
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame
from zermelo.options import check_fields, number, whole
from zermelo.tune.space import all_values

TEST_SHARE = 0.25
"""Of the whole time: the test against what was there before."""
LEAST_PAIRS = 4
"""Of a step; several threads have enough to do with two for each."""


@dataclass(frozen=True, slots=True)
class TuningSettings:
    """How the search of a game is tuned."""

    minutes: float = 30.0
    nodes: int = 1000
    """Of a move."""
    parameters: str = ""
    """Their names, with commas; all that matter if empty."""
    opening_plies: int = 8
    """The most random actions at the start of a game; half of them are the fewest."""
    threads: int = 1
    seed: int = 0

    def check(self) -> None:
        check_fields(
            self,
            {
                "minutes": number(0, 1e6, above=True),
                "nodes": whole(1, 1 << 40),
                "opening_plies": whole(0, 1000),
                "threads": whole(1, 1024),
                "seed": whole(0, (1 << 64) - 1),
            },
        )
        values = all_values({})
        check_parameters({name: values.get(name) for name in self.names})
        if len(set(self.names)) != len(self.names):
            raise OptionError(f"each parameter is named once, not as in {self.parameters!r:.80}")

    @property
    def names(self) -> list[str]:
        """The parameters that were asked for; none for all."""
        return [name.strip() for name in self.parameters.split(",") if name.strip()]

    @property
    def seconds(self) -> float:
        return 60 * self.minutes

    @property
    def test_seconds(self) -> float:
        return TEST_SHARE * self.seconds

    @property
    def pairs(self) -> int:
        """Of games, in a step."""
        return max(LEAST_PAIRS, 2 * self.threads)


def check_tunable(game: AnyGame) -> None:
    """Refuses games whose search has nothing to tune, with the reason."""
    kind, why = game.kind, ""
    if kind.hidden or kind.simultaneous:
        why = "it hides information, and alpha-beta looks at whole positions"
    elif not is_plain(game) or not kind.adversarial:
        why = "the parameters are those of alpha-beta, for games of two players with a constant sum and without chance"
    elif is_simulated(game):
        why = "Monte Carlo tree search plays it, and the parameters are those of alpha-beta (network=no may help)"
    elif not game.can("evaluate"):
        why = "margins are about evaluations: write `evaluate`, or let `zermelo train` learn a network"
    if why:
        raise MethodError(f"{game.name} cannot be tuned: {why}")
    check_fit(game)
