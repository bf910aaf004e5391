"""Peers that send nonsense: programs that play in the arena, those that GTP serves, and files from anywhere.

    python bench/peer_fuzz.py --seconds 60 --seed 1            exit 1, with the seed, if anything was found
    python bench/peer_fuzz.py --only 42 --kind xboard          one seed again

Found is an error that is not ours, one that is long or breaks a line, an answer that is late or does not come, and
memory that grows. `peer_nonsense.py` is the program that plays.
"""

from __future__ import annotations

import contextlib
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from studio_nonsense import mutate
from tools import answer, arguments

from zermelo.analysis import Clock
from zermelo.arena.players import make_player
from zermelo.errors import InputError, MethodError, OptionError, PlayerError
from zermelo.game import Game
from zermelo.games import load
from zermelo.games.backgammon.mat import read_match
from zermelo.play import Wish
from zermelo.protocols.gtp.server import GtpServer

PEER = Path(__file__).resolve().with_name("peer_nonsense.py")
GAMES = {
    "xboard": ("chess", "xiangqi", "tictactoe", "checkers", "connect4"),
    "gtp": ("go:size=5", "hex:size=4", "othello", "tictactoe"),
    "uci": ("chess", "tictactoe"),
}
LATE = 30.0
"""Seconds for one move of a program, after which it is taken to be late; it may be started and greeted in these."""
LONGEST = 1_000
"""Characters of an error that a program causes; one that a file causes may quote it."""
GROWTH = 400 << 10
"""Kilobytes of memory beyond what the first trials took."""
SERVED = ("go:size=5", "hex:size=4", "othello", "tictactoe")
FOREIGN = ("Error: ", "Exception: ")
"""How GTP calls an error that is not ours: `TypeError: ...`."""


def fault_of(error: BaseException, quoted: int = 0) -> str:
    """What is wrong with an error of ours; empty if nothing is."""
    text = str(error)
    if len(text) > LONGEST + 10 * quoted:  # a strange character is quoted by its number
        return f"an error of {len(text):,} characters"
    return "" if text.isprintable() else repr(text)


def play(protocol: str, seed: int) -> Iterator[str]:
    """A game against a program, up to its first failure."""
    dice = random.Random(seed)
    game = load(dice.choice(GAMES[protocol]))
    options = "patience=0.5&seconds=1" + ("&Hash=1" if protocol == "uci" else "")
    player = make_player(f"{protocol}:{sys.executable} -IS {PEER} {protocol} {seed}?{options}")
    state, history = game.initial(), []
    try:
        for _ in range(8):
            if game.is_terminal(state):
                break
            begun = time.monotonic()
            action = dice.choice(list(game.actions(state)))
            try:
                if len(history) % 2 == 0:
                    chosen = player.think(game, state, history, Clock()).action
                    action = action if isinstance(chosen, Wish) else chosen
            except (PlayerError, MethodError, OptionError) as error:
                yield fault_of(error)
            if time.monotonic() - begun > LATE:
                yield f"{time.monotonic() - begun:.0f} s for a move"
            history.append(state)
            state = game.result(state, action)
    finally:
        player.close()


def serve(_: str, seed: int) -> Iterator[str]:
    """Lines for an engine of GTP, each of which has one answer."""
    dice, said = random.Random(seed), list[str]()
    server = GtpServer(load(dice.choice(SERVED)), said.append, seconds=0.005)
    names = [name for name in server.known() if name != "quit"]
    words = (
        "black",
        "w",
        "a1",
        "B2",
        "pass",
        "5",
        "0",
        "-3",
        "1e9",
        "9" * 40,
        "nan",
        "²",
        "D4",
        "interval",
        "loadsgf",
        "/",
    )
    for number in range(60):
        body = " ".join([dice.choice(names), *(dice.choice(words) for _ in range(dice.randrange(5)))])
        line = f"{number + 1} {body}" if dice.random() < 0.7 else mutate(body, dice).replace("quit", "")
        said.clear()
        server.handle(line)
        server.analysis.end()
        server.clock.set(None)  # or the next search would go on for as long as it was told
        answers = [each for each in said if each.startswith(("=", "?"))]
        if line.startswith(f"{number + 1} ") and len(answers) != 1:
            yield f"{len(answers)} answers to {line[:200]!r}"
        if any(each.startswith("?") and any(word in each for word in FOREIGN) for each in answers):
            yield f"{answers} to {line[:200]!r}"
    server.table.session.stop()


def texts(dice: random.Random) -> tuple[str, Callable[[str], Any]]:
    """A file or a name of a position, and what reads it."""
    name = dice.choice(("backgammon", "backgammon:cube=yes", "backgammon:match=3,cube=yes", "go:size=5", "hex:size=4"))
    game: Game = load(name)
    state, actions = game.initial(), []
    for _ in range(dice.randrange(1, 60)):
        if game.is_terminal(state):
            break
        actions.append(dice.choice(list(game.actions(state))))
        state = game.result(state, actions[-1])
    if dice.random() < 0.4 or not game.can("write_record"):
        return game.write(state), game.read
    record = game.write_record(game.initial(), actions, ["Ann", "Bob"], None)
    return record, read_match if "backgammon" in name and dice.random() < 0.5 else game.read_record


def read(_: str, seed: int) -> Iterator[str]:
    """One file, again and again with something changed."""
    dice = random.Random(seed)
    text, reader = texts(dice)
    for _ in range(30):
        changed, begun = mutate(text, dice), time.monotonic()
        try:
            reader(changed)
        except InputError as error:
            yield fault_of(error, len(changed))
        except Exception as error:
            yield f"{type(error).__name__}: {error} by {changed[:200]!r}"
        if time.monotonic() - begun > LATE:
            yield f"{time.monotonic() - begun:.0f} s for {changed[:200]!r}"


KINDS = {"xboard": play, "gtp": play, "uci": play, "server": serve, "file": read}


def main() -> int:
    asked = arguments(
        __doc__,
        seconds=(60.0, "to go on for"),
        seed=(1, "of the first trial"),
        only=(-1, "one seed"),
        kind=("", f"one of {', '.join(KINDS)}; all in turn if none is named"),
    )
    kinds = [asked.kind] if asked.kind else list(KINDS)
    end, seed, found = time.monotonic() + asked.seconds, max(asked.seed, asked.only), dict[str, str]()
    first, memory = seed, 0
    while (asked.only < 0 and time.monotonic() < end) or seed == first:
        for kind in kinds:
            with contextlib.closing(KINDS[kind](kind, seed)) as faults:
                for fault in filter(None, faults):
                    found.setdefault(f"{kind} {fault[:80]}", f"{kind}, seed {seed}: {fault[:400]}")
        seed += 1
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        memory = memory or (used if seed - first > 5 else 0)
        if memory and used > memory + GROWTH:
            found.setdefault("memory", f"seed {seed}: {used - memory:,} KB more than at first")
    for text in found.values():
        print(text, file=sys.stderr)
    trials = (seed - first) * len(kinds)
    answer(asked, {"trials": trials, "found": len(found)}, f"{trials:,} trials: {len(found)} found", timed=False)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
