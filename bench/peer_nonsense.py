"""The child of `peer_fuzz.py`: a program that speaks a protocol, and now and then says anything at all instead.

python bench/peer_nonsense.py xboard 17          speaks XBoard's protocol, by the dice of seed 17
"""

from __future__ import annotations

import os
import random
import sys
import time

LONG = 70_000
"""Characters: more than a line may have."""
WORDS = (
    "e2e4",
    "a1",
    "b2",
    "1",
    "4",
    "@@@@",
    "pass",
    "resign",
    "0000",
    "²",
    "-1",
    "9" * 30,
    "nan",
    "1e999",
    "\x00",
    "_",
)
GREETINGS = {
    "xboard": [
        "feature ping=1 setboard=1 usermove=1 time=1 done=0",
        'feature myname="Nonsense" option="A -spin 1" done=1',
    ],
    "gtp": ["= play", "genmove", "clear_board", "boardsize", "komi", "time_settings", "time_left", ""],
    "uci": ["id name Nonsense", "option name Hash type spin default 1 min 1 max 2", "uciok"],
}


def proper(protocol: str, line: str, dice: random.Random) -> list[str]:
    """What the protocol wants to hear."""
    words = line.split() or [""]
    move = dice.choice(WORDS)
    if words[0] in ("protover", "list_commands", "uci"):
        return GREETINGS[protocol]
    if protocol == "gtp":
        return [f"= {move}" if words[0] == "genmove" else "=", ""]
    if words[0] == "ping":
        return [f"pong {words[-1]}"]
    if words[0] == "isready":
        return ["readyok"]
    if words[0] == "go":
        thought = f"{dice.choice(WORDS)} {dice.choice(WORDS)} 1 {dice.choice(WORDS)} x"
        xboard = [thought, "5 250 12 4321 x", f"{dice.choice(('move', '1. ...', '1.'))} {move}"]
        return (
            xboard if protocol == "xboard" else [f"info depth {move} score cp {move} nodes {move}", f"bestmove {move}"]
        )
    return []


def hostile(protocol: str, dice: random.Random) -> list[str]:
    """Anything at all."""
    kind = dice.randrange(9)
    if kind == 0:
        return [dice.choice(("a", " ", "1", "=", '"', "é", "a=", 'a="', "feature a", "1. ", "= ")) * LONG]
    if kind == 1:
        return [dice.choice(("feature done=0", "feature x=1", "= ", "info string x", "", "move"))] * 3_000
    if kind == 2:
        return [f"feature f{i}={'x' * 200}" for i in range(2_000)]
    if kind == 3:
        return [
            f"{dice.choice(('move', '=', 'bestmove', '?', 'Error', 'option name'))} {'z' * dice.choice((0, 5, 60_000))}"
        ]
    if kind == 4:
        return [" ".join(dice.choice(WORDS) for _ in range(dice.choice((1, 5, 5_000))))]
    if kind == 5:
        return [dice.choice(("1-0", "0-1 {x}", "1/2-1/2", "resign", "Illegal move: x", "tellics resign", "=", "? no"))]
    if kind == 6:
        return ["".join(chr(dice.choice((0, 7, 13, 27, 127, 133, 0x2028, 0xFFFF, 0x1F600))) for _ in range(50))]
    if kind == 7:
        return GREETINGS[protocol] * 3
    return []


def main() -> None:
    protocol, dice = sys.argv[1], random.Random(f"{sys.argv[1]} {sys.argv[2]}")
    fault = dice.choice((0.0, 0.02, 0.1, 0.5))
    for line in sys.stdin:
        said = hostile(protocol, dice) if dice.random() < fault else proper(protocol, line, dice)
        data = "".join(f"{each}\n" for each in said).encode("utf-8", errors="surrogatepass")
        if dice.random() < fault / 5:
            data += bytes(dice.randrange(256) for _ in range(100))  # the beginning of a line, in no encoding
        os.write(1, data)
        if dice.random() < fault / 20:
            how = dice.randrange(4)
            if how == 0:
                os.close(1)
            elif how == 1:
                os._exit(dice.randrange(256))
            elif how == 2:
                time.sleep(60)
            else:
                endless = dice.choice((b"feature done=0\n", b"x\n", b"info depth 1\n"))
                while True:
                    os.write(1, endless * dice.choice((1, 100)))


if __name__ == "__main__":
    main()
