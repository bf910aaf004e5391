"""A UCI program for `rules.py`: it takes one stone, and from the tenth move of the game on fails as it is told to."""

import ctypes
import os
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
TENTH = 9


def fail():
    if FAULT == "hangs":
        while True:
            time.sleep(60)
    if FAULT == "dies":
        os._exit(3)
    if FAULT == "crashes":
        ctypes.string_at(0)
    if FAULT == "garbage":
        print(*["\x00 �� lorem \x1b[2J"] * 50, sep="\n", flush=True)
        time.sleep(60)
    print("bestmove 77" if FAULT == "illegal" else "bestmove 1", flush=True)


def main():
    if FAULT == "stillborn":
        sys.exit("not today")
    if FAULT == "clings":  # neither it nor its child ever ends by itself
        subprocess.Popen([sys.executable, "-c", "import time\nwhile True: time.sleep(60)"])
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["uci"]:
            print("uciok", flush=True)
        elif words[:1] == ["isready"]:
            if FAULT == "deaf":
                time.sleep(60)
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            moves = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words[:1] == ["go"]:
            if moves >= TENTH:
                fail()
            else:
                print("bestmove 1", flush=True)
        elif words[:1] == ["quit"] and FAULT != "clings":
            return
    while FAULT == "clings":
        time.sleep(60)


main()
