"""What the pages of `studio_fuzz.py` send: requests nearly right, hostile values, and files that were changed."""

from __future__ import annotations

import random
from typing import Any

from zermelo.search.algorithms import ALGORITHMS, SAMPLED

LOADABLE = (
    "backgammon",
    "backgammon:match=3,cube=yes",
    "checkers",
    "chess",
    "chess:chess960=yes",
    "connect4",
    "go:size=5",
    "go:size=9",
    "hex:swap=yes",
    "kalah",
    "morris",
    "nim",
    "othello",
    "xiangqi",
)
GAMES = (
    *LOADABLE,
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "[1,[2,{'a': 3}],(4,5)]",
    "battleship",
    "blind-tictactoe",
    "blotto",
    "goofspiel",
    "kingmaker",
    "kuhn",
    "kuhn:players=4",
    "leduc",
    "liars-dice",
    "one-card",
    "pig",
    "prisoners-dilemma",
    "race",
    "rock-paper-scissors",
    "tictactoe",
)
HUGE_GAMES = (
    "[" * 5_000,
    "[" * 300 + "1" + "]" * 300,
    "[" + "1," * 50_000 + "1]",
    "blotto:soldiers=1000000,enemies=1000000,fields=10",
    "connect4:columns=1000000,rows=1000000",
    "connect4:columns=60",
    "connect4:rows=-1",
    "goofspiel:cards=13",
    "hexapawn:columns=100000,rows=100000",
    "kalah:houses=1000000,seeds=1",
    "kingmaker:stones=10000,most=1000000000",
    "nim:heaps=" + "/".join(["9999"] * 26),
    "nim:heaps=1/" + "9" * 5_000,
    "one-card:ranks=1000,suits=4",
    "prisoners-dilemma:both_silent=1,sucker=" + "9" * 400 + ",tempted=0,both_confess=3",
    "prisoners-dilemma:tempted=-" + "9" * 4_000,
    "tictactoe:m=1000,n=1000,k=1000",
    "tictactoe:m=8,n=8,k=1000000000",
    "go:size=19,komi=nan",
    "go:komi=1e400",
    "pig:goal=1e3",
    "chess:start=99999999999999999999",
    "chess:weights=1",
    "holdem",
    "holdem:stack=99999999999999999999999",
    "liars-dice:dice=5,sides=6",
)
SEATS = (
    "human",
    "random",
    "random:seed=-1",
    "engine:nodes=50",
    "engine:seconds=1e308",
    "engine:seconds=nan",
    "engine:threads=0",
    "engine:table_mb=-5",
    "alphabeta:depth=2",
    "alphabeta:depth=" + "9" * 30,
    "mcts:simulations=20",
    "mcts:simulations=-1",
    "mcts:memory_mb=0",
    "search:depth=1",
    "maxn:depth=2",
    "expectiminimax:depth=1",
    "rated:1200",
    "rated:-99999",
    "rated:1200.",
    "gtp:command=ls",
    "python:os",
    "engine:" + "x" * 1_000,
    "mcts:seconds=0.01,temperature=nan",
    "\ud800",
)
SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 500, 2**31, 2**40, 2**63, -(2**63), 10**400, 0.5, 1e308, -0.0, "", " ", "0", "1",
    "a", "e4", "\x00", "\ud800", "\U0001f600" * 50, "é\u202e\u0301", "none", "1e9", "nan", "inf", "-1",
    "../../etc/passwd", "<script>", "%s%n{}", "A" * 10_000, "9" * 5_000, "(" * 20_000, "[]", "{}", "\n\r\t", "(;GM[1])",
)  # fmt: skip
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "kkkkkkkk/8/8/8/8/8/8/KKKKKKKK w - - 99999999999 99999999999",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "0 0 0",
    "(0, 0, 0)",
    "1,2,3",
    "....../" * 8,
)
NUMBERS = ("0", "1", "3", "-1", "1/3", "1e300", "-1e300", "1e-300", "9" * 40, "1e999", "0/0", "x", "1,2", "0.1", "")
NAMES = (*ALGORITHMS, *SAMPLED, "MCTS", "Alphabeta", "h_minimax", "nothing")


def nonsense(dice: random.Random, depth: int = 3) -> Any:
    """Any value that JSON can hold."""
    kind = dice.randrange(6 if depth else 4)
    if kind < 4:
        return dice.choice(SCALARS)
    if kind == 4:
        return [nonsense(dice, depth - 1) for _ in range(dice.randrange(5))]
    return {str(dice.choice(SCALARS))[:50]: nonsense(dice, depth - 1) for _ in range(dice.randrange(4))}


def game(dice: random.Random) -> str:
    return dice.choice(HUGE_GAMES if dice.random() < 0.15 else GAMES)


def position(dice: random.Random) -> str:
    return dice.choice(("", "", dice.choice(POSITIONS), mutate(dice.choice(POSITIONS), dice)))


def seats(dice: random.Random) -> list[str]:
    if dice.random() < 0.6:
        return ["human", dice.choice(SEATS[:12])]
    return [dice.choice(SEATS) for _ in range(dice.choice((0, 1, 2, 2, 2, 3, 4)))]


def moves(dice: random.Random) -> str:
    words = ("e4", "e5", "a1", "d4", "1", "2", "3", "pass", "swap", "b3", "check", "bet", "0", "a", "8/5 6/5", "h3", "")
    return dice.choice(words) if dice.random() < 0.8 else " ".join(dice.choice(words) for _ in range(30))


def cells(dice: random.Random) -> list[list[str]]:
    rows, columns = dice.choice((1, 2, 3, 12, 13)), dice.choice((1, 2, 3, 12))
    two, pool = dice.random() < 0.5, NUMBERS if dice.random() < 0.5 else ("0", "1", "2", "-1")
    return [[",".join(dice.choice(pool) for _ in range(2 if two else 1)) for _ in range(columns)] for _ in range(rows)]


def right(verb: str, dice: random.Random) -> dict[str, Any]:
    """What `verb` takes, nearly right."""
    room = verb.partition(".")[0]
    side = {"side": dice.choice((0, 0, 1))}
    if verb == "theory.solve":
        table = cells(dice)
        names = [[str(i) for i in range(n)] for n in (len(table), len(table[0]))]
        return {
            "cells": table,
            "rows": names[0],
            "columns": names[1],
            "players": ["A", "B"],
            "costs": dice.random() < 0.3,
        }
    if verb == "watch.run":
        techniques = {
            name: True for name in ("table", "null_move", "quiescence", "deepen", "quick") if dice.random() < 0.2
        }
        limits = {"depth": dice.choice((0, 1, 2, 3, 3, 100)), "simulations": dice.choice((1, 20, 200, 1_000_000))}
        extra = {"order": dice.choice(("", "killers", "history", "x"))} if dice.random() < 0.2 else {}
        return {"game": game(dice), "algorithm": dice.choice(NAMES), **side, **techniques, **limits, **extra}
    if room == "watch":
        step = {"step": dice.choice((None, 0, 1, 5, 10**9, 2**40))}
        closed = [dice.choice((0, 1, 2, 5, 10**9)) for _ in range(dice.randrange(4))]
        return {**side, "node": dice.choice((0, 1, 5, 10**9, 2**40)), **step, "closed": closed}
    if verb == "learn.run":
        return {
            "game": game(dice),
            "iterations": dice.choice((1, 10, 10_000_000)),
            "method": dice.choice(("cfr", "cfr+", "pdcfr+")),
        }
    made = [[dice.choice(("a3", "b4", "1", "24", "die1", "bar", ""))] for _ in range(dice.randrange(3))]
    return {
        "game": game(dice),
        "seats": seats(dice),
        "position": position(dice),
        "text": mutate(
            dice.choice((*POSITIONS, "1. e4 e5 2. Nf3", "(;GM[1]SZ[9];B[aa];W[bb])", '{"game":"nim"}')), dice
        ),
        "load": dice.choice(("", "", "1. e4", "(;B[", '{"game":1}')),
        "move": moves(dice),
        "ply": dice.choice((0, 1, 2, 3)),
        "lines": dice.choice((1, 3, 8)),
        "line": dice.choice((0, 1, 7)),
        "made": made,
        "clock": dice.choice(("none", "none", "60+1", "0", "1e9+0", "40/1e400", "x")),
    }


VIEWS = {
    "home": "games game refresh",
    "play": "new new new move move move step undo resign hint look flag save load",
    "analyse": "open open move move step back go halt line whynot",
    "theory": "solve solve halt",
    "watch": "run run halt close window window exercise",
    "learn": "run halt",
    "arena": "files show halt",
    "nobody": "knows",
}
"""Verbs by their views, some of them more often; a tournament would start processes."""
VERBS = [f"{view}.{verb}" for view, verbs in VIEWS.items() for verb in verbs.split()]


def request(dice: random.Random) -> tuple[str, dict[str, Any]]:
    """A verb, and what goes with it: right, with one thing wrong, or all nonsense."""
    verb = dice.choice(VERBS)
    given = right(verb, dice)
    if verb in ("play.move", "play.step") or dice.random() < 0.3:
        given.pop("ply", None)
    for name in list(given):
        if dice.random() < 0.07:
            given[name] = nonsense(dice)
        elif dice.random() < 0.03:
            del given[name]
    return verb, given


def mutate(text: str, dice: random.Random) -> str:
    """`text` with a few changes: cut, doubled, swapped, with strange characters and numbers."""
    for _ in range(dice.choice((0, 1, 1, 2, 5))):
        at, to = sorted((dice.randrange(len(text) + 1), dice.randrange(len(text) + 1)))
        kind = dice.randrange(8)
        if kind == 0:
            text = text[:at]
        elif kind == 1:
            text = text[:at] + text[to:]
        elif kind == 2:
            text = text[:to] + text[at:to] * dice.choice((1, 2, 20)) + text[to:]
            text = text[:50_000]
        elif kind == 3:
            text = text[:at] + str(dice.choice(SCALARS))[:2_000] + text[at:]
        elif kind == 4:
            text = text[:at] + dice.choice("()[]{};:,.\"'\\/*-+=#!?$ \n0123456789abcdefghxXoONKQRPO") + text[at + 1 :]
        elif kind == 5:
            text = text[to:] + text[:to]
        elif kind == 6:
            text = "".join(str(dice.randrange(10**6)) if c.isdigit() and dice.random() < 0.1 else c for c in text)
        else:
            text = text[:at] + chr(dice.choice((0, 7, 127, 255, 0x2028, 0xFEFF, 0xFFFD, 0x1F600))) + text[at:]
    return text
