"""What commands do with values of hands: `zermelo train` learns them, `zermelo resolve --measure` plays with them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from zermelo.cli._answer import Answer, progress
from zermelo.errors import OptionError

if TYPE_CHECKING:
    from zermelo.game import AnyGame
    from zermelo.learn.situations import Learned, RangeSettings, Stop, Told

SUFFIX = ".values.safetensors"


def train_values(game: str, rules: AnyGame, out: str, settings: RangeSettings) -> Answer:
    """Values of hands at the horizon of a player that re-solves, for a game of hidden information."""
    settings.check()
    begun = time.monotonic()

    def is_over() -> bool:
        return settings.minutes is not None and time.monotonic() - begun >= 60 * settings.minutes

    with progress(f"walking {rules.name}") as bar:

        def told(phase: str, share: float, loss: float | None) -> None:
            bar.text = f"{phase}: {share:.0%}" + ("" if loss is None else f", loss {loss:.5f}")

        learned = _learn(rules, settings, told, is_over)
    record = learned.record(settings)
    learned.network.write(out, {"command": f"zermelo train {game}", "game": rules.name, **record})
    line = (
        f"{learned.situations:,} situations solved, {learned.steps:,} steps, {learned.seconds:.0f} s of a processor\n"
        f"mean error in situations held out: {learned.held_out:.4f} of the stake\n"
        f"the network is in {out}\nplay against it: zermelo play {game} --against resolve:{_options(rules, out)}"
    )
    return Answer({"out": out, **record}, lambda: line)


def _options(rules: AnyGame, out: str) -> str:
    return f"values={out}" if rules.can("own_resolving") else f"rounds=1,values={out}"


def _learn(rules: AnyGame, settings: RangeSettings, told: Told, stop: Stop) -> Learned:
    if rules.can("own_resolving"):
        found: Learned = rules.own_resolving().learn(settings, told, stop)
        return found
    from zermelo.equilibrium import PublicTree
    from zermelo.learn.range_values import learn_values

    return learn_values(PublicTree(rules), settings, told, stop)


def settings_kind(rules: AnyGame) -> Any:
    """What makes the settings of learning values for this game."""
    from zermelo.learn.situations import RangeSettings

    return rules.own_resolving().settings if rules.can("own_resolving") else RangeSettings


def measure_play(rules: AnyGame, given: dict[str, Any], opponents: str, hands: int, seed: int) -> Answer:
    """What simple opponents win of a player that re-solves, by playing hands."""
    own = rules.own_resolving()
    names = opponents.split(",") if opponents else list(own.opponents)
    unknown = [name for name in names if name not in own.opponents]
    if unknown:
        raise OptionError(f"{unknown[0]!r} is no opponent of {rules.name}; there are {', '.join(own.opponents)}")
    players = tuple(own.player(seat, **given) for seat in (0, 1))
    rows = {}
    with progress(f"playing {rules.name}") as bar:
        for name in names:
            for won in own.measure(players, name, hands, seed):
                bar.text = f"{name}: {won.hands} of {hands} hands, {won.blinds:+.0f} ± {won.blinds_error:.0f} mbb/g"
                rows[name] = won
    data = {"game": rules.name, "opponents": {name: won._asdict() for name, won in rows.items()}}
    lines = [f"{rules.name}: what opponents win a hand, in thousandths of a big blind, with the standard error"]
    lines += [
        f"  {name:<9} {won.blinds:+9.0f} ± {won.blinds_error:.0f}, {won.hands:,} hands" for name, won in rows.items()
    ]
    return Answer(data, lambda: "\n".join(lines))
