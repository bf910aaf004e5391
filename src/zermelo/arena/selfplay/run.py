"""Self-play: its settings, playing the games, and writing a file when a block of games is complete."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.arena.adjudicate import DrawRule, ResignRule, check_rules
from zermelo.arena.executors import Executor
from zermelo.arena.host import versions
from zermelo.arena.openings import Opening, OpeningBook, read_openings
from zermelo.arena.openings.make import walk
from zermelo.arena.plan import MOST_GAMES, TERMS, check_trust, foreign_code
from zermelo.arena.players import make_player
from zermelo.arena.scheduled import GameJob, GameOutcome, ScheduledGame, Terms
from zermelo.arena.selfplay.rows import PART_SUFFIX, PositionRows, check_format, shard_name, write_shard
from zermelo.arena.store import Store
from zermelo.errors import InputError, OptionError
from zermelo.game import Game
from zermelo.games import load
from zermelo.options import check_fields, text, whole
from zermelo.play import TimeControl

SETTINGS = {
    "game": text(),
    "player": text(),
    "opponent": text(optional=True),
    "games": whole(1, MOST_GAMES),
    "openings": text(),
    "seed": whole(),
    "format": text(),
    "shard": whole(1, MOST_GAMES),
}
WALKS_PER_OPENING = 50
"""Random walks that are tried for an opening before a shorter one is taken."""


@dataclass(frozen=True, slots=True)
class SelfPlaySettings:
    """What self-play makes, as text and numbers only, so that it can be stored."""

    game: str
    player: str
    opponent: str | None = None
    """Who has all other seats; `None` if the player does."""
    games: int = 100
    openings: str = "plies=6"
    """`plies=N` for random plies, other ones for each game, or what a tournament takes: `none`, `random`, a file."""
    seed: int = 0
    format: str = "parquet"
    shard: int = 1000
    """Games per file."""
    terms: Terms = field(default_factory=Terms)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> SelfPlaySettings:
        """The settings that a store holds."""
        if not isinstance(settings.get("selfplay"), dict):
            raise InputError("this is the file of a tournament; go on with it by `zermelo arena --resume`")
        try:
            facts = dict(settings["selfplay"])
            made = cls(**{**facts, "terms": Terms(**facts["terms"])})
            made.check_types()
        except (KeyError, TypeError, OptionError) as error:
            raise InputError(
                f"the settings of this self-play are damaged ({error}): take a copy of the file, or begin anew"
            ) from None
        return made

    def check_types(self) -> None:
        """Refuses settings that are not texts and numbers as they should be."""
        check_fields(self, SETTINGS)
        check_fields(self.terms, TERMS)

    @property
    def entrants(self) -> tuple[str, ...]:
        return (self.player,) if self.opponent is None else (self.player, self.opponent)

    @property
    def shards(self) -> int:
        """The number of files."""
        return -(-self.games // self.shard)

    def block(self, shard: int) -> range:
        """The numbers of the games in a file."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.games))

    def check(self, game: Game) -> None:
        """Refuses what cannot be played or written, before anything is."""
        TimeControl.read(self.terms.clock, self.terms.margin)
        self.check_types()
        if game.kind.single and self.opponent is not None:
            raise OptionError(f"{game.name} is for one player, so there is no seat for an opponent")
        for name in self.entrants:
            if name.partition(":")[0] == "human":
                raise OptionError("a person cannot play thousands of games; use `zermelo play`")
            make_player(name)
        terms = self.terms
        resign = None if terms.resign is None else ResignRule.read(terms.resign)
        check_rules(game, [resign, None if terms.draw is None else DrawRule.read(terms.draw)])
        check_format(self.format)
        self.plies()

    def plies(self) -> int | None:
        """The number of random plies at the start of a game; `None` if the openings are from a book."""
        if not self.openings.startswith("plies="):
            return None
        found = re.fullmatch(r"plies=(\d{1,6})", self.openings)
        if found is None:
            raise OptionError(f"{self.openings!r} are no openings; write plies=6, none, random or the name of a file")
        return int(found[1])

    def book(self, game: Game) -> OpeningBook:
        """The openings that are read or made beforehand: none if each game draws its own."""
        if self.plies() is not None:
            return OpeningBook((), self.openings)
        return read_openings(self.openings, game, self._encounter(self.games - 1, game) + 1, self.seed)

    def scheduled(self, number: int, game: Game) -> ScheduledGame:
        """Game `number`: with an opponent, the player has one seat after another in the same opening."""
        encounter = self._encounter(number, game)
        seed = random.Random(f"{self.seed}:selfplay:{encounter}").getrandbits(48)
        if self.opponent is None:
            seats = (0,) * game.players
        else:
            seats = tuple(0 if p == number % game.players else 1 for p in range(game.players))
        return ScheduledGame(number, 0, 0, encounter, seats, encounter, seed)

    def job(self, scheduled: ScheduledGame, game: Game, book: OpeningBook) -> GameJob:
        players = tuple(self.entrants[entrant] for entrant in scheduled.seats)
        opening = book.pick(scheduled.opening) if len(book) else self._draw(scheduled, game)
        return GameJob(scheduled.number, self.game, players, opening, scheduled.seed, self.terms)

    def _encounter(self, number: int, game: Game) -> int:
        return number if self.opponent is None else number // game.players

    def _draw(self, scheduled: ScheduledGame, game: Game) -> Opening:
        """Random plies, drawn with the game's seed; fewer where that number would end the game."""
        dice = random.Random(scheduled.seed)
        for plies in range(self.plies() or 0, 0, -1):
            for _ in range(WALKS_PER_OPENING):
                found = walk(game, dice, plies)
                if found is not None:
                    return found.opening
        return Opening()


Progress = Callable[["SelfPlay", GameOutcome], None]
"""Called with every game that has ended."""

STORE_NAME = "games.db"


@dataclass(frozen=True, slots=True)
class SelfPlaySummary:
    """What a run has made."""

    games: int
    positions: int
    """The number of positions in the files written in this run."""
    files: list[str]
    """All there are, in order."""
    endings: dict[str, int]
    """The number of games that the rules did not end, by reason."""


class SelfPlay:
    """Settings, the games that have ended, and how to go on."""

    def __init__(self, settings: SelfPlaySettings, store: Store, game: Game, folder: Path):
        self.settings = settings
        self.store = store
        self.game = game
        self.folder = folder
        self.book = OpeningBook(tuple(store.openings()), settings.openings)
        self.rows = PositionRows(game)
        self.ended: set[int] = set()
        self.endings: Counter[str] = Counter()
        self.positions = 0
        self._blocks: dict[int, list[tuple[ScheduledGame, GameOutcome]]] = defaultdict(list)
        """Games that have ended and are in no file yet, by the file that they belong to."""
        for scheduled, outcome in store.games():
            self._note(scheduled, outcome)

    @classmethod
    def begin(cls, settings: SelfPlaySettings, folder: str | Path) -> SelfPlay:
        """Self-play whose games and files go to `folder`, which is made; refuses one with games in it."""
        game, folder = load(settings.game), Path(folder)
        settings.check(game)
        if (folder / STORE_NAME).exists() or any(folder.glob("positions-*")):
            raise InputError(f"{folder} holds games already: go on with them by --resume {folder}, or name another")
        book = settings.book(game)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the folder {folder} cannot be made: {error.strerror}; name another") from error
        kept = {"game": settings.game, "selfplay": asdict(settings)}
        return cls(settings, Store.create(folder / STORE_NAME, kept, book.openings), game, folder)

    @classmethod
    def resume(cls, folder: str | Path, trust: bool = False) -> SelfPlay:
        """The self-play of `folder`, where it was; one that names code from outside the package needs `trust`."""
        path = Path(folder) / STORE_NAME
        if not path.is_file():
            made = f"zermelo selfplay GAME PLAYER --save {folder}"
            raise InputError(f"there are no games in {folder}; `{made}` makes them")
        store = Store.open(path, writes=True)
        try:
            settings = SelfPlaySettings.from_settings(store.settings)
            check_trust(path, [] if trust else foreign_code(settings.game, settings.entrants))
            check_format(settings.format)
            return cls(settings, store, load(settings.game), Path(folder))
        except (TypeError, KeyError) as error:
            store.close()
            raise InputError(f"{path} holds settings that this version does not know: {error}") from error
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> SelfPlay:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def run(self, executor: Executor, progress: Progress | None = None) -> SelfPlaySummary:
        """Plays what is left to play, and writes the files that are not there."""
        for part in self.folder.glob(f"positions-*{PART_SUFFIX}"):
            part.unlink()
        for shard in sorted(self._blocks):
            self._finish(shard)
        fixtures = self._fixtures()
        playing: dict[int, ScheduledGame] = {}
        while True:
            while len(playing) < executor.size and (scheduled := next(fixtures, None)) is not None:
                playing[scheduled.number] = scheduled
                executor.submit(self.settings.job(scheduled, self.game, self.book))
            if not playing:
                return self.summary()
            done = [(playing.pop(outcome.number), outcome) for outcome in executor.collect()]
            if done:
                self.store.add(done)
            for scheduled, outcome in done:
                self._finish(self._note(scheduled, outcome))
                if progress is not None:
                    progress(self, outcome)

    def summary(self) -> SelfPlaySummary:
        files = sorted(path.name for path in self.folder.glob(f"positions-*.{self.settings.format}"))
        return SelfPlaySummary(len(self.ended), self.positions, files, dict(self.endings))

    def _fixtures(self) -> Iterator[ScheduledGame]:
        for encounter in range(self.settings.games):
            if encounter not in self.ended:
                yield self.settings.scheduled(encounter, self.game)

    def _note(self, scheduled: ScheduledGame, outcome: GameOutcome) -> int:
        """Remembers a stored game; returns the number of its file."""
        self.ended.add(scheduled.number)
        if outcome.record.reason:
            self.endings[outcome.record.reason] += 1
        shard = scheduled.number // self.settings.shard
        if not self._path(shard).exists():
            self._blocks[shard].append((scheduled, outcome))
        return shard

    def _path(self, shard: int) -> Path:
        return self.folder / shard_name(shard, self.settings.format)

    def _finish(self, shard: int) -> None:
        """Writes the file of a block if all its games have ended."""
        if len(self._blocks[shard]) < len(self.settings.block(shard)):
            return
        games = sorted(self._blocks.pop(shard), key=lambda game: game[0].number)
        settings = self.settings
        facts = {"game": settings.game, "player": settings.player, "opponent": settings.opponent or settings.player}
        facts |= {
            "seed": str(settings.seed),
            "clock": settings.terms.clock,
            "openings": settings.openings,
            **versions(),
        }
        self.positions += write_shard(self._path(shard), self.rows.columns, self._rows(games), facts)

    def _rows(self, games: list[tuple[ScheduledGame, GameOutcome]]) -> Iterator[dict[str, object]]:
        for scheduled, outcome in games:
            yield from self.rows.of(scheduled, outcome, self.settings.job(scheduled, self.game, self.book).opening)
