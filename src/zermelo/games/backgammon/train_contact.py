"""The network of backgammon's contact, learned by temporal differences in games against itself.

Each generation plays games with the networks as they are (in C++, on all threads) and learns from each position p the
return

    G(p) = (1 − λ) V(p') + λ G(p'),   p' the position after the next play, with its chances turned round,

where G is the estimate of `train_races` once the chequers have passed each other. Towards the end the target is
the mean over all rolls of the best play's chances instead, which has no noise of dice. While a generation is learned
from, the next is played. What plays is the running mean of the weights.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.errors import OptionError
from zermelo.games.backgammon.networks import CHANCES, ENDS, Floats, Lessons, inputs_of
from zermelo.games.backgammon.training import MATCH_SHARE, NetworkPair, PairRun, TrainingSettings
from zermelo.learn.learner import Learner, falling, import_torch, new_parts, start_torch

WORTH = (2.0, 1.0, 1.0, 1.0, 1.0)
"""What an error in each chance costs in points."""
USUAL = np.array([0.5, 0.13, 0.01, 0.13, 0.01], np.float32)
"""What beginners believe of every position: from far off, estimates take long to come down step by step."""
LOOKAHEAD_SHARE = 0.25
"""Of the positions of a game, how many get a target from all rolls: it takes 21 times as long as the game itself."""
SCARCE = 4.0
"""How much more often such positions are learned from."""
FIRST_GENERATION = 64
"""Games."""
ACTIVE = 40
"""Inputs that are not zero, about."""


class ContactRun(PairRun):
    def __init__(self, pair: NetworkPair, settings: TrainingSettings, elapsed: Callable[[], float]):
        device = start_torch(settings.seed, settings.threads, settings.device)
        settings = _sized(dataclasses.replace(settings, device=device), pair.old)
        super().__init__(pair, settings, elapsed)
        self.linear = settings.hidden == 0
        self.learner = Learner(
            self._first_parts(), CHANCES, _loss(device), room=settings.window, batch=settings.batch, device=device
        )
        self.ahead = False
        """Whether targets are means over all rolls by now."""
        self.playing: _Playing | None = None

    def _first_parts(self) -> list[Floats]:
        old, settings = self.pair.old, self.settings
        if old is not None:
            return _linear_parts(old) if self.linear else old
        inputs, numbers = ENDS["contact"]
        sizes = [inputs, numbers] if self.linear else [inputs, settings.hidden, settings.inner, numbers]
        parts = new_parts(np.random.default_rng([settings.seed, 0]), sizes, ACTIVE)
        parts[-1] += np.log(USUAL / (1 - USUAL))
        return parts

    @property
    def share(self) -> float:
        settings = self.settings
        learning_seconds = 60 * settings.minutes * (1 - MATCH_SHARE)
        return min(self.games / settings.games if settings.games else self.elapsed() / learning_seconds, 1.0)

    def step(self) -> None:
        playing = self.playing or _Playing(self)
        self.playing = playing
        lessons = playing.get()
        self.games += playing.games
        self.positions += len(lessons.boards)
        self.steps += 1
        share = self.share
        self.playing = _Playing(self) if share < 1 else None
        self.loss = self.learn(lessons, share, playing.ahead)

    def learn(self, lessons: Lessons, share: float, ahead: bool) -> float:
        if ahead and not self.ahead:
            self.ahead = True
            self.learner.forget()
        return self.learner.learn(
            lambda begin, end: inputs_of(lessons.boards[begin:end]),
            lessons.targets,
            falling(self.settings.rate, share),
            self.settings.reuse * (SCARCE if ahead else 1),
        )

    def parts(self) -> list[Floats]:
        parts = super().parts()
        return _doubled_parts(parts) if self.linear else parts

    def close(self) -> None:
        if self.playing is not None:
            self.playing.end()


def _loss(device: str) -> Callable[[Any, Any, Any], Any]:
    torch = import_torch()
    worth = torch.tensor(WORTH, device=device)

    def loss(_: Any, guesses: Any, targets: Any) -> Any:
        losses = torch.nn.functional.binary_cross_entropy_with_logits(guesses, targets, reduction="none")
        return (losses * worth).sum(1)

    return loss


def _sized(settings: TrainingSettings, old: list[Floats] | None) -> TrainingSettings:
    """The settings with the sizes of this network; a linear one stays linear."""
    if old is None:
        return settings
    hidden, inner = old[1].size, old[3].size
    if settings.hidden == 0:
        if hidden != 2 * CHANCES:
            raise OptionError("hidden=0 goes on only from a linear evaluation, made with hidden=0")
        return settings
    return dataclasses.replace(settings, hidden=hidden, inner=inner)


class _Playing:
    """A generation of games that is being played in another thread, by the networks of now."""

    def __init__(self, run: ContactRun):
        settings, share = run.settings, run.share
        self.networks = run.pair.networks(run.parts())
        self.ahead = settings.lookahead > 0 and share >= 1 - settings.lookahead
        self.options: dict[str, Any] = {
            "first": run.games,
            "seed": settings.seed,
            "threads": run.threads,
            "trace": settings.trace + (settings.last_trace - settings.trace) * share,
            "lookahead": LOOKAHEAD_SHARE if self.ahead else 0.0,
            "strange": settings.strange,
        }
        self.games = min(settings.generation, max(FIRST_GENERATION, run.games // 4))
        self.ended = threading.Event()
        self.lessons: Lessons | None = None
        self.failure: BaseException | None = None
        self.thread = threading.Thread(target=self.play, daemon=True)
        self.thread.start()

    def play(self) -> None:
        try:
            self.lessons = self.networks.lessons(self.games, stop=self.ended.is_set, **self.options)
        except BaseException as error:
            self.failure = error

    def end(self) -> None:
        """Leaves the game unfinished."""
        self.ended.set()
        self.thread.join()

    def get(self) -> Lessons:
        self.thread.join()
        if self.failure is not None:
            raise self.failure
        assert self.lessons is not None
        return self.lessons


def _doubled_parts(parts: list[Any]) -> list[Any]:
    """A linear network in the shape of the others: each sum as a positive and a negative part, for relu."""
    weight, bias = parts
    pairs = np.concatenate([np.eye(CHANCES), -np.eye(CHANCES)]).astype(np.float32)
    through = np.eye(2 * CHANCES, dtype=np.float32)
    zeros = np.zeros(2 * CHANCES, np.float32)
    return [weight @ pairs.T, bias @ pairs.T, through, zeros, pairs, np.zeros(CHANCES, np.float32)]


def _linear_parts(parts: list[Any]) -> list[Any]:
    """The linear network behind such a shape."""
    return [np.ascontiguousarray(parts[0][:, :CHANCES]), np.ascontiguousarray(parts[1][:CHANCES])]
