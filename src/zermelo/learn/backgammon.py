"""Networks for backgammon, learned by temporal differences in games against themselves.

Each generation plays games with the networks as they are (in C++, on all threads) and learns from each position p the
return

    G(p) = (1 − λ) V(p') + λ G(p'),   p' the position after the next play, with its chances turned round,

where G is exact once both sides bear off. Towards the end the target is the mean over all rolls of the best play's
chances instead, which has no noise of dice. While a generation is learned from, the next is played. What plays, and
what is kept, is the running mean of the weights.
"""

from __future__ import annotations

import dataclasses
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine.backgammon import CHANCES, INPUTS, LAYERS, NAMES, NETS, Lessons, Networks, in_contact, inputs_of
from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError, MethodError, OptionError


@dataclasses.dataclass(frozen=True)
class Settings:
    """How to learn. The schedule runs over `seconds`, or over `games` if that is given: then a run can be repeated."""

    seconds: float = 600.0
    games: int = 0
    hidden: int = 256
    """Units of the contact network; 0 makes both networks linear."""
    inner: int = 64
    race_hidden: int = 64
    race_inner: int = 32
    generation: int = 2048
    """The most games a generation; the first ones are smaller, for there is much to unlearn."""
    window: int = 1_000_000
    """Positions that are kept to learn from."""
    reuse: float = 3.0
    """How often a position is learned from, on average."""
    batch: int = 2048
    rate: float = 1e-3
    """The first rate of learning; it falls to a hundredth of it."""
    trace: float = 0.8
    """λ at the beginning; it falls to `last_trace`."""
    last_trace: float = 0.4
    lookahead: float = 0.0
    """The share of the run, at its end, in which targets are means over all rolls."""
    strange: float = 0.1
    """The share of games that begin with random plays."""
    threads: int = 0
    """For the games; 0 takes all there are."""
    device: str = ""
    """For PyTorch; the first GPU if there is one."""
    seed: int = 0

    def check(self) -> None:
        if not 0 <= self.hidden <= 1024 or not 0 < self.inner <= 1024:
            raise OptionError("hidden must be 0 to 1024 and inner 1 to 1024")
        if self.seconds <= 0 or self.games < 0 or self.generation < 1 or self.batch < 1 or self.window < self.batch:
            raise OptionError("seconds, generation and batch must be above 0, and window at least batch")
        if not 0 <= self.trace <= 1 or not 0 <= self.last_trace <= 1 or not 0 <= self.lookahead <= 1:
            raise OptionError("trace, last_trace and lookahead lie between 0 and 1")


class Progress(NamedTuple):
    """Where a run stands after a generation."""

    games: int
    seconds: float
    share: float
    """Of the whole run."""
    losses: dict[str, float]
    positions: int


WORTH = (2.0, 1.0, 1.0, 1.0, 1.0)
"""What an error in each chance costs in points."""
USUAL = np.array([0.5, 0.13, 0.01, 0.13, 0.01], np.float32)
"""What beginners believe of every position: from far off, estimates take long to come down step by step."""
LOOKAHEAD_SHARE = 0.25
"""Of the positions of a game, how many get a target from all rolls: it takes 21 times as long as the game itself."""
SAVE_SECONDS = 60.0
"""Between two writings of the file."""
SCARCE = 4.0
"""How much more often such positions are learned from."""
FIRST_GENERATION = 64
"""Games."""
MEAN_STEPS = 1000
"""Over how many steps the running mean of the weights reaches back."""


def train(
    out: str | os.PathLike[str],
    settings: Settings,
    start: str | os.PathLike[str] | None = None,
    report: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Progress:
    """Learns, and writes the networks to `out` from time to time; goes on from the file `start` if there is one."""
    settings.check()
    return _Run(out, settings, start, report or (lambda _: None), stop or (lambda: False)).go()


class _Run:
    def __init__(self, out: Any, settings: Settings, start: Any, report: Any, stop: Any):
        self.out, self.report, self.stop = out, report, stop
        torch = _torch()
        torch.manual_seed(settings.seed)
        if settings.threads:
            torch.set_num_threads(settings.threads)
        self.device = settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
        tensors, self.before = _read(start) if start else (None, [])
        self.settings = settings = _sized(settings, tensors)
        self.learners = {net: _Learner(net, settings, self.device, tensors) for net in NETS}
        self.begun = time.monotonic()
        self.played = 0
        self.ahead = False
        """Whether targets are means over all rolls by now."""
        self.saved = self.begun

    def go(self) -> Progress:
        """Learns to the end, or to an interruption: what has been learned by then is kept."""
        progress = self.progress(0)
        waiting = _Playing(self)
        try:
            while progress.share < 1 and not self.stop():
                lessons, ahead = waiting.get(), waiting.ahead
                self.played += waiting.games
                progress = self.progress(len(lessons.boards))
                if progress.share < 1:
                    waiting = _Playing(self)
                progress = progress._replace(losses=self.learn(lessons, progress.share, ahead))
                self.report(progress)
                if time.monotonic() - self.saved > SAVE_SECONDS:
                    self.save()
        except KeyboardInterrupt:
            progress = self.progress(0)
        waiting.end()
        self.save()
        return progress

    def progress(self, positions: int) -> Progress:
        seconds = time.monotonic() - self.begun
        share = self.played / self.settings.games if self.settings.games else seconds / self.settings.seconds
        return Progress(self.played, seconds, min(share, 1.0), {}, positions)

    def learn(self, lessons: Lessons, share: float, ahead: bool) -> dict[str, float]:
        if ahead and not self.ahead:
            self.ahead = True
            for learner in self.learners.values():
                learner.forget()
        contact = in_contact(lessons.boards)
        parts = {"contact": contact, "race": ~contact}
        rate = self.settings.rate * (0.01 + 0.99 * (1 + np.cos(np.pi * share)) / 2)
        losses = {}
        for net, learner in self.learners.items():
            chosen = parts[net]
            losses[net] = learner.learn(
                lessons.boards[chosen], lessons.targets[chosen], rate, self.settings.reuse * (SCARCE if ahead else 1)
            )
        return losses

    def tensors(self) -> Tensors:
        return {name: tensor for learner in self.learners.values() for name, tensor in learner.tensors().items()}

    def save(self) -> None:
        self.saved = time.monotonic()
        run = dataclasses.asdict(self.settings) | {
            "games_played": self.played,
            "seconds_taken": round(self.saved - self.begun, 1),
            "device": self.device,
        }
        write_tensors(self.out, self.tensors(), {"game": "backgammon", "runs": json.dumps([*self.before, run])})


def _read(path: Any) -> tuple[Tensors, list[Any]]:
    """The tensors of a file of networks, and the runs that made it."""
    tensors, notes = read_tensors(path)
    Networks(tensors, str(path))
    try:
        return tensors, list(json.loads(notes.get("runs", "[]")))
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path} does not say how it was made: give a file of `zermelo train`") from None


def _sized(settings: Settings, tensors: Tensors | None) -> Settings:
    """The settings with the sizes of these networks; a linear one stays linear."""
    if tensors is None:
        return settings
    if settings.hidden == 0:
        if any(tensors[f"{net}.hidden.bias"].size != 2 * CHANCES for net in NETS):
            raise OptionError("hidden=0 goes on only from a linear evaluation, made with hidden=0")
        return settings
    hidden, inner, race_hidden, race_inner = (
        tensors[f"{net}.{layer}.bias"].size for net in NETS for layer in LAYERS[:2]
    )
    return dataclasses.replace(settings, hidden=hidden, inner=inner, race_hidden=race_hidden, race_inner=race_inner)


class _Playing:
    """A generation of games that is being played in another thread, by the networks of now."""

    def __init__(self, run: _Run):
        settings, share = run.settings, run.progress(0).share
        self.networks = Networks(run.tensors())
        self.ahead = settings.lookahead > 0 and share >= 1 - settings.lookahead
        self.options: dict[str, Any] = {
            "first": run.played,
            "seed": settings.seed,
            "threads": settings.threads or os.cpu_count() or 1,
            "trace": settings.trace + (settings.last_trace - settings.trace) * share,
            "lookahead": LOOKAHEAD_SHARE if self.ahead else 0.0,
            "strange": settings.strange,
        }
        self.games = min(settings.generation, max(FIRST_GENERATION, run.played // 4))
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


class _Learner:
    """One network in PyTorch: its weights, their running mean, and the positions it learns from."""

    def __init__(self, net: str, settings: Settings, device: str, old: Tensors | None):
        torch = _torch()
        self.net, self.settings, self.device = net, settings, device
        race = net == "race"
        self.sizes = (settings.race_hidden, settings.race_inner) if race else (settings.hidden, settings.inner)
        self.linear = settings.hidden == 0
        self.weights = [torch.tensor(part, device=device, requires_grad=True) for part in self._begin(old)]
        self.mean = [part.detach().clone() for part in self.weights]
        self.optimiser = torch.optim.Adam(self.weights, lr=settings.rate, fused=device.startswith("cuda"))
        self.room = settings.window // (4 if race else 1)
        self.inputs = torch.zeros((self.room, INPUTS), device=device)
        self.targets = torch.zeros((self.room, CHANCES), device=device)
        self.worth = torch.tensor(WORTH, device=device)
        self.filled = self.next = self.steps = 0
        self.owed = 0.0
        """Steps that are still to be taken for the positions seen."""

    def _begin(self, old: Tensors | None) -> list[Any]:
        if old is not None:
            parts = [old[name] for name in NAMES[self.net]]
            return _linear_parts(parts) if self.linear else parts
        chance = np.random.default_rng([self.settings.seed, NETS.index(self.net)])
        shapes = [(INPUTS, CHANCES)] if self.linear else [(INPUTS, self.sizes[0]), self.sizes, (self.sizes[1], CHANCES)]
        parts = []
        for rows, columns in shapes:
            spread = np.sqrt(2 / (40 if rows == INPUTS else rows))  # about 40 inputs are not zero
            parts += [
                (chance.standard_normal((rows, columns)) * spread).astype(np.float32),
                np.zeros(columns, np.float32),
            ]
        parts[-2] *= 0.1
        parts[-1] += np.log(USUAL / (1 - USUAL))
        return parts

    def run(self, inputs: Any) -> Any:
        torch = _torch()
        for i in range(0, len(self.weights), 2):
            inputs = torch.addmm(self.weights[i + 1], torch.relu(inputs) if i else inputs, self.weights[i])
        return inputs

    def forget(self) -> None:
        """Drops all positions: their targets have become worse than those to come."""
        self.filled = self.next = 0

    def learn(self, boards: Any, targets: Any, rate: float, reuse: float) -> float:
        """Adds positions and takes the steps that they are worth; returns the mean loss."""
        self._add(boards, targets)
        self.owed += reuse * len(boards) / self.settings.batch
        steps, total = int(self.owed), 0.0
        self.owed -= steps
        if self.filled == 0 or steps == 0:
            return 0.0
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        for _ in range(steps):
            total = total + self._step()
        return float(total) / steps

    def _add(self, boards: Any, targets: Any) -> None:
        torch = _torch()
        for begin in range(0, len(boards), 65536):
            rows = inputs_of(boards[begin : begin + 65536])[: self.room]
            at = (torch.arange(len(rows), device=self.device) + self.next) % self.room
            self.inputs[at] = torch.from_numpy(rows).to(self.device)
            self.targets[at] = torch.tensor(targets[begin : begin + len(rows)], device=self.device)
            self.next = (self.next + len(rows)) % self.room
            self.filled = min(self.filled + len(rows), self.room)

    def _step(self) -> Any:
        torch = _torch()
        chosen = torch.randint(self.filled, (self.settings.batch,), device=self.device)
        guesses, targets = self.run(self.inputs[chosen]), self.targets[chosen]
        losses = torch.nn.functional.binary_cross_entropy_with_logits(guesses, targets, reduction="none")
        loss = (losses * self.worth).sum(1).mean()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        self.steps += 1
        share = max(10 / (self.steps + 10), 1 / MEAN_STEPS)
        with torch.no_grad():
            torch._foreach_lerp_(self.mean, self.weights, share)
        return loss.detach()

    def tensors(self) -> Tensors:
        parts = [part.detach().cpu().numpy() for part in self.mean]
        return dict(zip(NAMES[self.net], _doubled_parts(parts) if self.linear else parts, strict=True))


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


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise MethodError("networks are trained with PyTorch: pip install 'zermelo[train]'") from None
    return torch
