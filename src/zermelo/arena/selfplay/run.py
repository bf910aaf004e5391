"""Plays what a recipe asks for, and makes files of it as blocks of games are complete."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zermelo.arena.crew import Crew
from zermelo.arena.fixture import Fixture, Outcome
from zermelo.arena.host import versions
from zermelo.arena.openings import OpeningBook
from zermelo.arena.selfplay.recipe import Recipe
from zermelo.arena.selfplay.rows import Rows
from zermelo.arena.selfplay.shards import PART, check_format, shard_name, write_shard
from zermelo.arena.store import Store
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.games import load

Progress = Callable[["Selfplay", Outcome], None]
"""Told of every game that has ended."""

STORE = "games.db"


@dataclass(frozen=True, slots=True)
class Summary:
    """What there is after a run."""

    games: int
    positions: int
    """In the files that were written in this run."""
    files: list[str]
    """All there are, in order."""
    endings: dict[str, int]
    """How often games ended otherwise than by the rules, and in which way."""


class Selfplay:
    """A recipe, the games that have ended, and how to go on."""

    def __init__(self, recipe: Recipe, store: Store, game: Game, folder: Path):
        self.recipe = recipe
        self.store = store
        self.game = game
        self.folder = folder
        self.book = OpeningBook(tuple(store.openings()), recipe.openings)
        self.rows = Rows(game)
        self.ended: set[int] = set()
        self.endings: Counter[str] = Counter()
        self.positions = 0
        self._blocks: dict[int, list[tuple[Fixture, Outcome]]] = defaultdict(list)
        """Games that have ended and are in no file yet, by the file that they belong to."""
        for fixture, outcome in store.games():
            self._note(fixture, outcome)

    @classmethod
    def begin(cls, recipe: Recipe, folder: str | Path) -> Selfplay:
        """Self-play whose games and files go to `folder`, which is made; refuses one with games in it."""
        game, folder = load(recipe.game), Path(folder)
        recipe.check(game)
        if (folder / STORE).exists() or any(folder.glob("positions-*")):
            raise InputError(f"{folder} holds games already: go on with them by --resume {folder}, or name another")
        book = recipe.book(game)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"the folder {folder} cannot be made: {error.strerror}; name another") from error
        settings = {"game": recipe.game, "selfplay": asdict(recipe)}
        return cls(recipe, Store.create(folder / STORE, settings, book.openings), game, folder)

    @classmethod
    def resume(cls, folder: str | Path) -> Selfplay:
        """The self-play of `folder`, where it was."""
        path = Path(folder) / STORE
        if not path.is_file():
            made = f"zermelo selfplay GAME PLAYER --save {folder}"
            raise InputError(f"there are no games in {folder}; `{made}` makes them")
        store = Store.open(path, writes=True)
        try:
            recipe = Recipe.from_settings(store.settings)
            check_format(recipe.format)
            return cls(recipe, store, load(recipe.game), Path(folder))
        except (TypeError, KeyError) as error:
            store.close()
            raise InputError(f"{path} holds settings that this version does not know: {error}") from error
        except BaseException:
            store.close()
            raise

    def __enter__(self) -> Selfplay:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def run(self, crew: Crew, progress: Progress | None = None) -> Summary:
        """Plays what is left to play, and writes the files that are not there."""
        for part in self.folder.glob(f"positions-*{PART}"):
            part.unlink()
        for shard in sorted(self._blocks):
            self._finish(shard)
        fixtures = self._fixtures()
        playing: dict[int, Fixture] = {}
        while True:
            while len(playing) < crew.size and (fixture := next(fixtures, None)) is not None:
                playing[fixture.number] = fixture
                crew.submit(self.recipe.job(fixture, self.game, self.book))
            if not playing:
                return self.summary()
            done = [(playing.pop(outcome.number), outcome) for outcome in crew.collect()]
            if done:
                self.store.add(done)
            for fixture, outcome in done:
                self._finish(self._note(fixture, outcome))
                if progress is not None:
                    progress(self, outcome)

    def summary(self) -> Summary:
        files = sorted(path.name for path in self.folder.glob(f"positions-*.{self.recipe.format}"))
        return Summary(len(self.ended), self.positions, files, dict(self.endings))

    def _fixtures(self) -> Iterator[Fixture]:
        for number in range(self.recipe.games):
            if number not in self.ended:
                yield self.recipe.fixture(number, self.game)

    def _note(self, fixture: Fixture, outcome: Outcome) -> int:
        """Remembers a game that is stored; says which file it belongs to."""
        self.ended.add(fixture.number)
        if outcome.record.reason:
            self.endings[outcome.record.reason] += 1
        shard = fixture.number // self.recipe.shard
        if not self._path(shard).exists():
            self._blocks[shard].append((fixture, outcome))
        return shard

    def _path(self, shard: int) -> Path:
        return self.folder / shard_name(shard, self.recipe.format)

    def _finish(self, shard: int) -> None:
        """Writes the file of a block if all its games have ended."""
        if len(self._blocks[shard]) < len(self.recipe.block(shard)):
            return
        games = sorted(self._blocks.pop(shard), key=lambda game: game[0].number)
        recipe = self.recipe
        facts = {"game": recipe.game, "player": recipe.player, "opponent": recipe.opponent or recipe.player}
        facts |= {"seed": str(recipe.seed), "clock": recipe.terms.clock, "openings": recipe.openings, **versions()}
        self.positions += write_shard(self._path(shard), self.rows.columns, self._rows(games), facts)

    def _rows(self, games: list[tuple[Fixture, Outcome]]) -> Iterator[dict[str, Any]]:
        for fixture, outcome in games:
            yield from self.rows.of(fixture, outcome, self.recipe.job(fixture, self.game, self.book).opening)
