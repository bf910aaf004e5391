"""A class of your own as a player, in a process of its own: `python:bot.py:Bot:depth=3`.

The class needs `choose(self, game, state, history)`. An endless loop, a crash, a full memory or a print in it costs it
the game and affects nothing else.
"""

from __future__ import annotations

import json
import pickle
import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from zermelo.analysis import Clock
from zermelo.arena.bot import Hello, NewGame, Question, encode
from zermelo.arena.players import Kind
from zermelo.arena.players._outside import ANSWER_TIMEOUT_SECONDS, GRACE_SECONDS
from zermelo.arena.supervisor import Program
from zermelo.errors import OptionError, PlayerError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import number, read_options
from zermelo.play import PlayerMove, Wish
from zermelo.search.trace.words import clean

START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from zermelo.arena.bot import main; main()"
BOT_MEMORY_MB = 4096
"""Megabytes that a bot's process may have, by default."""
OWN = {
    "patience": f"seconds to wait for a move where no clock counts; {ANSWER_TIMEOUT_SECONDS:g}",
    "memory": f"megabytes that it may have; {BOT_MEMORY_MB}",
}


class PythonPlayer:
    """Talks to the child; starts it when a game begins, and again after it has failed."""

    def __init__(self, text: str):
        found = re.match(r"(.+?\.py)(?::(\w+))?(?::(.*))?$", text, re.DOTALL)
        if found is None:
            raise OptionError("say which class plays, as in python:bot.py:Bot, with options after another colon")
        if not Path(found[1]).is_file():
            raise OptionError(f"there is no file {found[1]}; write the player's class there")
        self.name = f"python:{text}"
        given = read_options(found[3] or "")
        numbers = {
            name: given.get(name, default)
            for name, default in (("patience", ANSWER_TIMEOUT_SECONDS), ("memory", BOT_MEMORY_MB))
        }
        for name, value in numbers.items():
            number(0, 1e9, above=True).check(name, value, "python")
        self.patience, memory = float(numbers["patience"]), int(numbers["memory"])
        parts = re.split(r",(?![^(\[]*[)\]])", found[3] or "")
        rest = ",".join(part for part in parts if part.partition("=")[0].strip() not in OWN)
        self.hello = Hello(str(Path(found[1]).resolve()), found[2], rest, memory)
        self.program: Program | None = None
        self.game: Game | None = None
        self.sent: list[object] = []
        """The states that the child has."""

    def begin(self, game: Game, seat: int) -> None:
        rules: bytes | None = None
        module = type(game).__module__
        if self.program is None or not self.program.is_running:
            self._drop()
            self.program = Program([sys.executable, "-c", START, json.dumps(sys.path)], self.name)
            self.request(self.hello, self._soon())
        if self.game is not game:
            rules = write_rules(game)
        file = getattr(sys.modules.get(module), "__file__", None)
        self.game, self.sent = game, []
        self.request(NewGame(module, file, rules, seat), self._soon())

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        mover = game.player(state)
        if self.program is None or self.game is not game:
            self.begin(game, mover)
        states: list[object] = [*history, state]
        keep = 0
        while keep < min(len(states), len(self.sent)) and states[keep] is self.sent[keep]:
            keep += 1
        self.sent = states
        limits = [] if clock.remaining is None else [clock.remaining[mover]]
        limits += [] if clock.move_seconds is None else [clock.move_seconds]
        deadline = time.monotonic() + (min(limits) + GRACE_SECONDS if limits else self.patience)
        told = replace(clock, stop=None)  # a wish of this process, which no other hears
        return self._understand(self.request(Question(keep, states[keep:], told), deadline), game, state)

    def close(self) -> None:
        self._drop()

    def request(self, request: Hello | NewGame | Question, deadline: float) -> dict[str, Any]:
        """The child's answer; any failure ends the child."""
        assert self.program is not None
        try:
            self.program.send(encode(request), deadline)
            answer = self._read(self.program.read_line(deadline))
        except PlayerError:
            self._drop()
            raise
        if "error" in answer:
            self._drop()
            text = clean(answer["error"])[:300]
            if answer.get("ours"):
                raise OptionError(f"{self.name}: {text}")
            raise PlayerError(f"{self.name} raised {text}", "crash")
        return answer

    def _read(self, line: str) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PlayerError(f"{self.name} answers {clean(line)[:60]!r}", "garbage")
        return answer

    def _understand(self, answer: Mapping[str, Any], game: Game[S, A], state: S) -> PlayerMove[A]:
        if answer.get("wish") in Wish.__members__:
            return PlayerMove(Wish[answer["wish"]])
        legal = list(game.actions(state))
        place = answer.get("action")
        if isinstance(place, int) and 0 <= place < len(legal):
            return PlayerMove(legal[place], *(answer.get(name) for name in ("value", "depth", "nodes")))
        played = clean(answer.get("illegal", place))
        raise PlayerError(f"{self.name} plays {played} in {game.write(state)}, where that is not legal", "illegal move")

    def _soon(self) -> float:
        return time.monotonic() + self.patience

    def _drop(self) -> None:
        if self.program is not None:
            self.program.end()
        self.program = self.game = None
        self.sent = []


def write_rules(game: Game) -> bytes:
    """`game`, for another process of the same machine."""
    if type(game).__module__ == "__main__":
        raise OptionError(
            f"{game.name} is defined in the script that runs, which the process of a bot cannot import: "
            f"put the class into a file of its own"
        )
    try:
        return pickle.dumps(game)
    except Exception as error:
        raise OptionError(
            f"{game.name} cannot be sent to the process of a bot ({error}): define its class at the top of a file"
        ) from error


KINDS = {
    "python": Kind(
        PythonPlayer,
        "A class of yours with `choose(self, game, state, history)`, in a process of its own.",
        "python:bot.py:Bot:depth=3,patience=10",
        {**OWN, "others": "go to the class"},
    )
}
