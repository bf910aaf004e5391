"""The child process in which a player's Python class lives: what it reads, what it answers.

It reads one line per request, a pickle in base64 from the process that started it, and answers with one line of JSON.
An action is sent back as its index among the legal ones, so the parent trusts nothing but a number. What the class
prints goes to standard error, and its standard input is empty.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import importlib.util
import inspect
import json
import os
import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from zermelo.analysis import Clock
from zermelo.check.report import of_error
from zermelo.errors import OptionError, ZermeloError
from zermelo.options import call_with_options
from zermelo.play import Guest, PlayerMove, Wish, ask


class Hello(NamedTuple):
    """The class that plays, and its options."""

    file: str
    name: str | None
    options: str
    memory: int
    """Megabytes that the process may have."""


class NewGame(NamedTuple):
    """A game begins; the rules are included if they have changed."""

    module: str
    """Where the rules' class is defined."""
    file: str | None
    rules: bytes | None
    seat: int


class Question(NamedTuple):
    """A position to move in; the first `keep` states are those of the previous question."""

    keep: int
    states: list[object]
    clock: Clock


def encode(request: NamedTuple) -> str:
    """`request` as one line."""
    return base64.b64encode(pickle.dumps((type(request).__name__, *request))).decode()


def decode(line: bytes) -> Hello | NewGame | Question:
    kind, *fields = pickle.loads(base64.b64decode(line))
    makers: dict[str, Any] = {each.__name__: each for each in (Hello, NewGame, Question)}
    request: Hello | NewGame | Question = makers[kind](*fields)
    return request


class Bot:
    """The player object, and the game it plays."""

    def __init__(self) -> None:
        self.player: Any = None
        self.game: Any = None
        self.states: list[object] = []

    def answer(self, request: Hello | NewGame | Question) -> dict[str, object]:
        if isinstance(request, Hello):
            limit_memory(request.memory)
            self.player = make_bot(request)
            return {}
        if isinstance(request, NewGame):
            return self.begin(request)
        return self.think(request)

    def begin(self, request: NewGame) -> dict[str, object]:
        if request.rules is not None:
            provide(request.module, request.file)
            self.game = pickle.loads(request.rules)
        self.states = []
        if isinstance(self.player, Guest):
            self.player.begin(self.game, request.seat)
        return {}

    def think(self, request: Question) -> dict[str, object]:
        del self.states[request.keep :]
        self.states += request.states
        *history, state = self.states
        choice = ask(self.player, self.game, state, history, request.clock)
        if not isinstance(choice, PlayerMove):
            return {"illegal": f"{choice!r}"[:100]}
        if isinstance(choice.action, Wish):
            return {"wish": choice.action.name}
        legal = list(self.game.actions(state))
        try:
            place = legal.index(choice.action)
        except Exception:  # not legal, or not comparable with the legal actions
            return {"illegal": f"{choice.action!r}"[:100]}
        thoughts = zip(("value", "depth", "nodes"), choice[1:], (float, int, int), strict=True)
        return {"action": place} | {name: read(each) for name, each, read in thoughts if each is not None}


def limit_memory(megabytes: int) -> None:
    """Limits the memory of this process."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def provide(name: str, file: str | None) -> ModuleType:
    """The module called `name`, run from `file` if it cannot be imported by its name."""
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    if file is None:
        raise OptionError(f"the module {name} cannot be found")
    sys.path.insert(0, str(Path(file).resolve().parent))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def make_bot(request: Hello) -> Any:
    """The object that plays."""
    module = provide(f"zermelo_bot_{Path(request.file).stem}", request.file)
    own = {n: c for n, c in vars(module).items() if inspect.isclass(c) and c.__module__ == module.__name__}
    name = request.name or (next(iter(own)) if len(own) == 1 else "")
    if name not in own:
        choice = ", ".join(own) or "no classes"
        raise OptionError(
            f"say which class of {request.file} plays, as in python:{request.file}:NAME (it has {choice})"
        )
    player = call_with_options(own[name], request.options)
    if not callable(getattr(player, "choose", None)) and not callable(getattr(player, "think", None)):
        raise OptionError(f"{name} has no `choose(self, game, state, history)`: write it")
    return player


def describe(error: Exception) -> dict[str, object]:
    """The answer that reports an exception raised by the class."""
    if isinstance(error, ZermeloError):
        return {"error": str(error), "ours": isinstance(error, OptionError)}
    place = of_error(error)
    return {"error": f"{type(error).__name__}: {error}{f', at {place}' if place else ''}", "ours": False}


def main() -> None:
    """Answers until the parent closes the line."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    bot = Bot()
    for line in requests:
        try:
            answer = bot.answer(decode(line))
        except Exception as error:
            answer = describe(error)
        answers.write(f"{json.dumps(answer)}\n")
        answers.flush()
