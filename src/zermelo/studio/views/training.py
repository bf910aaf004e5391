"""Training: how a network learns, read from the folder that `zermelo train` writes, while it runs and after.

The page asks again and again whether the folder has changed. What takes rules (boards, the places of inputs, what the
network likes) is drawn on a thread for searches.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import InputError
from zermelo.game import AnyGame
from zermelo.play.words import name_player
from zermelo.studio.messages import number_of, text_of
from zermelo.studio.session import StudioSession, UncachedAnswer, Verb, View, describe_error
from zermelo.studio.trainings import (
    changed,
    find_folder,
    list_trainings,
    read_training,
    shorten,
    show_course,
    show_values,
)
from zermelo.studio.views.board import draw
from zermelo.studio.workers import WorkerJob

if TYPE_CHECKING:
    from zermelo.engine.network import AnyNetwork, Shape
    from zermelo.studio.views.likes import Places
    from zermelo.train.folder import State, TrainingFolder

MAX_DRAWING_SECONDS = 60.0
MAX_POSITIONS = 64


class TrainingView(View):
    """One training at a time."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.folder: TrainingFolder | None = None
        self.state: State | None = None
        self.version: object = None
        """Of the files that are shown: when they were written."""
        self.error = ""
        """Why the folder cannot be read now; what was read before stays."""
        self.course: dict[str, object] = {}
        self.likes = Likes()
        self.position = 0
        """Of the board on which the network's likes are drawn."""
        self.job: WorkerJob | None = None
        self.verbs: dict[str, Verb] = {
            "find": self.find,
            "open": self.open,
            "look": self.look,
            "choose": self.choose,
        }

    def find(self, given: Mapping[str, object]) -> dict[str, object]:
        """The trainings in this folder, and in those of the games of the command line."""
        return UncachedAnswer(trainings=list_trainings([Path.cwd(), *self.session.catalogue.folders()]))

    def open(self, given: Mapping[str, object]) -> dict[str, object]:
        """Shows the training in `folder`."""
        folder = find_folder(text_of(given, "folder", most=1_000))
        state = read_training(folder)
        self.stop()
        self.folder, self.position, self.likes = folder, 0, Likes()
        self.read(state)
        return {}

    def look(self, given: Mapping[str, object]) -> dict[str, object]:
        """Reads the folder again if it has changed; how many seconds ago it was written."""
        if self.folder is None:
            return UncachedAnswer(age=None)
        if self.version != version_of(self.folder):
            try:
                self.read(read_training(self.folder))
            except InputError as error:
                self.error = str(error)
                self.session.push("training")
        return UncachedAnswer(age=max(0.0, time.time() - changed(self.folder)))

    def choose(self, given: Mapping[str, object]) -> dict[str, object]:
        """Draws the network's likes on another of the positions."""
        self.position = number_of(given, "position", 0, MAX_POSITIONS)
        self.draw()
        self.session.push("training")
        return {}

    def read(self, state: State) -> None:
        assert self.folder is not None
        self.version, self.error = version_of(self.folder), ""
        self.state, self.course = state, show_course(state)
        self.draw()
        self.session.push("training")

    # What takes rules.

    def draw(self) -> None:
        """Draws boards and likes anew, if the game, the network or the position is another one."""
        folder, state, position = self.folder, self.state, self.position
        assert folder is not None
        assert state is not None
        known = self.likes
        if known.key == key_of(folder, state, position):
            return
        self.stop()

        def work(job: WorkerJob) -> bool:
            boards = known.with_boards(self.session, folder, state, position)
            self.publish(job, boards, done=False)
            self.publish(job, boards.with_network(folder, position), done=True)
            return True

        self.job = self.session.search(work, MAX_DRAWING_SECONDS)

    def publish(self, job: WorkerJob, likes: Likes, done: bool) -> None:
        """Shows what was drawn, unless something else is drawn by now."""
        with self.session.lock:
            if self.job is not job:
                return
            self.likes = likes
            if done:
                self.job = None
        self.session.push("training")

    def snapshot(self) -> dict[str, object] | None:
        if self.folder is None or self.state is None:
            return None
        likes = self.likes
        return {
            "folder": shorten(self.folder.path),
            "error": self.error,
            **self.course,
            "name": likes.name or self.state.game,
            "boards": likes.boards,
            "values": likes.scaled(show_values(self.state, len(likes.boards))),
            "position": self.position,
            "network": likes.network if likes.position == self.position else None,
            "trouble": likes.trouble,
            "drawing": self.job is not None,
        }

    def stop(self) -> None:
        if self.job is not None:
            self.job.cancel()
        self.job = None


def version_of(folder: TrainingFolder) -> object:
    return version_of_file(folder.state), version_of_file(folder.best)


def version_of_file(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def key_of(folder: TrainingFolder, state: State, position: int) -> tuple[object, ...]:
    """What boards and likes depend on; the boards on the first two alone."""
    return state.game, tuple(state.line), version_of_file(folder.best), position


class Likes:
    """The boards of a training's positions, and what its best network likes on one of them."""

    def __init__(self) -> None:
        self.key: tuple[object, ...] = ()
        self.game: AnyGame | None = None
        self.name = ""
        self.states: list[Any] = []
        self.boards: list[dict[str, object]] = []
        self.network: dict[str, object] | None = None
        self.trouble = ""
        """Why there is less to see."""
        self.shape: Shape | None = None
        self.places: Places = {}
        """Of the inputs of networks of this shape."""

    @property
    def position(self) -> object:
        return self.key[-1] if self.key else None

    def with_boards(self, session: StudioSession, folder: TrainingFolder, state: State, position: int) -> Likes:
        """The boards for the files as they are now, with what is known already of the network."""
        from zermelo.engine.network import without_network
        from zermelo.train.positions import draw_line, shown_states

        new = Likes()
        new.key = key_of(folder, state, position)
        known = self if self.key[:2] == new.key[:2] else Likes()
        new.shape, new.places = known.shape, known.places
        try:
            game = known.game or without_network(session.catalogue.find(state.game, folder.path.parent))
            seed = state.settings.get("seed", 0)
            line = state.line or draw_line(game, seed if isinstance(seed, int) else 0)
            new.game, new.name, new.states = game, game.name, shown_states(game, line)
            new.boards = known.boards or [show_board(game, each) for each in new.states]
            new.network = known.network if known.position == position else None
        except (Exception, SystemExit) as error:  # rules are anybody's code
            new.trouble = describe_error(error)
        return new

    def with_network(self, folder: TrainingFolder, position: int) -> Likes:
        """The same with what the network likes by now."""
        new = copy(self)
        try:
            if new.game is not None:
                is_there = folder.best.exists() and position < len(new.states)
                new.network = new.take_apart(read_best(folder, new.game), position) if is_there else None
        except (Exception, SystemExit) as error:
            new.network, new.trouble = None, describe_error(error)
        return new

    def take_apart(self, network: AnyNetwork, position: int) -> dict[str, object]:
        """What the network likes: its inputs, if it is a sum of them, and its moves, if it has a policy."""
        from zermelo.engine.influence import NetworkInputs
        from zermelo.engine.network import Network, with_network
        from zermelo.studio.views.likes import find_input_places, show_likes, show_policy

        assert self.game is not None
        state = self.states[position]
        found: dict[str, object] = {"maps": [], "inputs": [], "more": 0}
        if isinstance(network, Network):
            inputs = NetworkInputs(self.game, network)
            if self.shape != network.shape:
                self.shape, self.places = network.shape, find_input_places(inputs)
            found = show_likes(inputs, self.places, state)
        return {**found, "policy": show_policy(with_network(self.game, network), state)}

    def scaled(self, values: list[list[float | None]]) -> list[list[float | None]]:
        """Values between −1 and 1, in proportion: those of a network are expected results, not points."""
        if self.game is None:
            return values
        low, high = self.game.bounds
        return [[None if value is None else (2 * value - low - high) / (high - low) for value in row] for row in values]


def read_best(folder: TrainingFolder, game: AnyGame) -> AnyNetwork:
    """The best network; what else its file holds is nobody's business."""
    from zermelo.engine.network import read_network

    try:
        network = read_network(folder.best)
    except (InputError, OSError):
        raise InputError(f"the network of {folder.path.name} cannot be read") from None
    if network.why_not(game):
        raise InputError(f"the network of {folder.path.name} was learned for another game, or other rules")
    return network


def show_board(game: AnyGame, state: Any) -> dict[str, object]:
    mover = name_player(game, game.player(state))
    return {"picture": draw(game, state), "text": game.show(state), "mover": mover}
