"""A ladder: players of one game from the weakest up, each with its rating, and the opponents that lie between them.

An opponent of a rating between two rungs is one of the two, drawn for every game: with the probability at which a
player of exactly that rating scores ½ against it. So its strength follows from what was measured, whatever the
game, which would not be true of a limit or a noise between theirs.
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from zermelo.arena.calibrate import files
from zermelo.errors import InputError, OptionError
from zermelo.game import Game

MAGIC = "zermelo ladder 1"
REMEDY = "move it away, and run `zermelo calibrate` again"
FARTHEST_ELO = 100_000.0
"""No rating is beyond this."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A player and its rating, with the ends of its error bar; random play is 0."""

    player: str
    elo: float
    low: float
    high: float
    games: float


class Known(NamedTuple):
    """A rating on the ladder, and what it is on a scale that people know."""

    rating: float
    elo: float


class Blend(NamedTuple):
    """One of two rungs in every game."""

    lower: Rung
    upper: Rung
    share: float
    """How often it is the upper one."""


@dataclass(frozen=True)
class Ladder:
    """The rungs, the weakest first, and how they were made."""

    game: str
    """The text that names the game."""
    identity: str
    rules: str
    rungs: tuple[Rung, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Other facts: settings, date, versions."""
    known: tuple[Known, ...] = ()
    """Ratings that were held against players whose Elo people know, the lowest first."""

    @property
    def lowest(self) -> float:
        return self.rungs[0].elo

    @property
    def highest(self) -> float:
        return self.rungs[-1].elo

    def blend(self, elo: float) -> Blend:
        """The opponent whose rating is `elo`."""
        from zermelo.arena.statistics import expected_score

        if not self.lowest <= elo <= self.highest:
            raise OptionError(
                f"the ladder of {self.game} goes from {self.lowest:.0f} to {self.highest:.0f}, so it has no opponent "
                f"of {elo:g}; ask for one in between, or calibrate with more --nodes"
            )
        place = max(bisect_left([rung.elo for rung in self.rungs], elo), 1)
        lower, upper = self.rungs[place - 1 : place + 1]
        to_lower, to_upper = expected_score(lower.elo - elo), expected_score(upper.elo - elo)
        return Blend(lower, upper, (0.5 - to_lower) / (to_upper - to_lower))

    def rating_of(self, elo: float) -> float:
        """The rating on the ladder of who has `elo` on the scale that people know."""
        return self.nearest(_on_the_line(elo, [(each.elo, each.rating) for each in self.known]))

    def elo_of(self, rating: float) -> float | None:
        """What a rating on the ladder is on the scale that people know; `None` outside of what was measured."""
        if len(self.known) < 2 or not self.known[0].rating <= rating <= self.known[-1].rating:
            return None
        return _on_the_line(rating, self.known)

    def nearest(self, elo: float) -> float:
        """The rating on the ladder that is nearest to `elo`."""
        return min(max(elo, self.lowest), self.highest)

    def deviation(self, elo: float) -> float:
        """The standard error of the rating of the opponent called `elo`: that of the less certain of its rungs."""
        blend = self.blend(elo)
        return max((rung.high - rung.low) / (2 * 1.96) for rung in (blend.lower, blend.upper))

    def level(self, number: int) -> Rung:
        """Rung `number`, from 1 on."""
        if not 1 <= number <= len(self.rungs):
            raise OptionError(f"the ladder of {self.game} has levels 1 to {len(self.rungs)}, not {number}")
        return self.rungs[number - 1]

    def text(self) -> str:
        """A table, one line per rung, the strongest first."""
        lines = [f"{'level':>5}  {'rating':>6}  {'':>5}  {'Elo  ' if self.known else ''}player"]
        for place, rung in reversed(list(enumerate(self.rungs, 1))):
            elo = self.elo_of(rung.elo)
            known = f"{'' if elo is None else round(elo):>4} " if self.known else ""
            lines.append(
                f"{place:>5}  {rung.elo:>6.0f}  {f'±{(rung.high - rung.low) / 2:.0f}':>5}  {known}{rung.player}"
            )
        return "\n".join(lines)

    def data(self) -> dict[str, object]:
        """The ladder as it is stored."""
        own = {"format": MAGIC, "game": self.game, "identity": self.identity, "rules": self.rules}
        known = {"known": [list(each) for each in self.known]} if self.known else {}
        return {**own, **self.facts, **known, "rungs": [asdict(rung) for rung in self.rungs]}


def read_ladder(path: Path) -> Ladder | None:
    """The ladder in the file `path`; `None` if there is no such file."""
    found = files.read(path, MAGIC, REMEDY)
    if found is None:
        return None
    try:
        rungs = tuple(_rung(each) for each in found.pop("rungs"))
        game, identity, rules = (_words(found.pop(name)) for name in ("game", "identity", "rules"))
        known = tuple(Known(*map(_rating, each)) for each in found.pop("known", ()))
    except (KeyError, TypeError, ValueError):
        raise files.damaged(path, MAGIC, REMEDY) from None
    if len(rungs) < 2 or not all(map(_ascends, ([rung.elo for rung in rungs], *zip(*known, strict=True)))):
        raise files.damaged(path, MAGIC, REMEDY)
    del found["format"]
    return Ladder(game, identity, rules, rungs, found, known)


def _on_the_line(x: float, points: Sequence[tuple[float, float]]) -> float:
    """The y of `x` on the lines that join the points, which go on beyond the last ones."""
    place = min(max(bisect_left(points, (x,)), 1), len(points) - 1)
    (left, low), (right, high) = points[place - 1 : place + 1]
    return low + (x - left) / (right - left) * (high - low)


def _ascends(ratings: Sequence[float]) -> bool:
    return all(lower < upper for lower, upper in pairwise(ratings))


def _words(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _rating(value: object) -> float:
    if not is_rating(value) or abs(value) > FARTHEST_ELO:
        raise ValueError("not a rating")
    return value


def _rung(data: Mapping[str, Any]) -> Rung:
    """A rung of a file. A file is data, so it may not name players that run programs or foreign code."""
    from zermelo.arena.players import kinds, make_player

    rung = Rung(**data)
    for number in (rung.elo, rung.low, rung.high, rung.games):
        _rating(number)
    kind = kinds().get(_words(rung.player).partition(":")[0])
    if kind is None or not kind.harmless:
        raise ValueError("not a player of the package")
    make_player(rung.player)
    return rung


def find_ladder(game: Game, text: str = "GAME", path: str | None = None) -> Ladder:
    """The ladder of `game`: in the file `path`, or the user's own, or the one that comes with the game."""
    if path is not None:
        ladder = read_ladder(Path(path))
        if ladder is None:
            raise InputError(f"there is no file {path}; `zermelo calibrate {text} --save {path}` makes it")
        if ladder.identity != files.identity(game):
            raise InputError(f"{path} is the ladder of {ladder.game}, not of this {game.name}")
        return _current(ladder, game, text)
    own = read_ladder(files.place_of("ladders", game))
    if own is not None:
        return _current(own, game, text)
    shipped = shipped_ladder(game)
    if shipped is None and game.kind.hidden:
        raise InputError(f"{game.name} hides information and has no ladder: play against `mcts`, `cfr` or `random`")
    if shipped is None:
        raise InputError(f"{game.name} is not calibrated: run `zermelo calibrate {text}` first")
    return shipped


def _current(ladder: Ladder, game: Game, text: str) -> Ladder:
    if files.have_changed(ladder.rules, game):
        raise InputError(
            f"the rules of {game.name} have changed since it was calibrated: run `zermelo calibrate {text}` again"
        )
    return ladder


def shipped_ladder(game: Game) -> Ladder | None:
    """The ladder in the folder of a game of the package, if there is one and it is for these options."""
    module = sys.modules.get(type(game).__module__)
    if module is None or not type(game).__module__.startswith("zermelo.games.") or not module.__file__:
        return None
    ladder = _package_ladder(Path(module.__file__).with_name("ladder.json"))
    return ladder if ladder is not None and ladder.identity == files.identity(game) else None


@lru_cache
def _package_ladder(path: Path) -> Ladder | None:
    """A ladder of the package, whose files stay as they are."""
    return read_ladder(path)


def is_rating(value: object) -> TypeGuard[float]:
    """Whether `value` is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
