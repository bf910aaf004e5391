"""A UCI program that plays the first free cell of tic-tac-toe, and fails in the way that its first argument names."""

import itertools
import os
import signal
import subprocess
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
CELLS = [f"{column}{row}" for row in "123" for column in "abc"]


def say(*lines):
    for line in lines:
        print(line, flush=True)


def sleep_for_ever():
    while True:
        time.sleep(60)


def answer(moves):
    """What the program says to `go`."""
    free = [cell for cell in CELLS if cell not in moves]
    say("info string thinking", "info depth 3 seldepth 4 multipv 1 score cp 250 nodes 77 time 1 pv " + free[0])
    say("info depth 3 multipv 2 score cp -9 nodes 78", "info depth 4 score cp 9999 lowerbound nodes 99")
    late = len(moves) >= 2
    if FAULT == "hangs" and late:
        sleep_for_ever()
    if FAULT == "dies" and late:
        print("the end is near", file=sys.stderr, flush=True)
        os._exit(3)
    if FAULT == "crashes" and late:
        os.kill(os.getpid(), signal.SIGSEGV)
    if FAULT == "illegal" and late:
        say(f"bestmove {moves[0]}")
    elif FAULT == "nonsense" and late:
        say("bestmove \x07\x1b[2Jzz")
    elif FAULT == "no-move" and late:
        say("bestmove")
    elif FAULT == "floods" and late:
        for number in itertools.count():
            say(f"info nodes {number} " + 200 * "x")
    elif FAULT == "one-line" and late:
        while True:
            sys.stdout.write(65536 * "x")
    elif FAULT == "closes" and late:
        os.close(1)
        sleep_for_ever()
    elif FAULT == "slow" and late:
        return  # until it is told to stop
    else:
        say(f"bestmove {free[0]}")


def main():
    if FAULT == "silent":
        sleep_for_ever()
    if FAULT == "deaf":
        sys.stdin.readline()
        say("option name Skill Level type string default 3", "uciok")
        sleep_for_ever()
    if FAULT == "no-quit":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(f"child {child.pid}", file=sys.stderr, flush=True)
    if FAULT == "talks":
        print(20000 * "complaint\n", file=sys.stderr, flush=True)
    moves = []
    for line in sys.stdin:
        words = line.split()
        if FAULT == "echo":
            print(f"heard {line.strip()}", file=sys.stderr, flush=True)
        if words[:1] == ["uci"] and FAULT == "garbage":
            say(*itertools.repeat("Usage: chess [OPTION]", 1_000_000))
        elif words[:1] == ["uci"]:
            say("id name Fake", "option name Skill Level type spin default 3 min 0 max 9", "uciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif words[:1] == ["go"]:
            answer(moves)
        elif words[:1] == ["stop"]:
            say("bestmove a1")
        elif words[:1] == ["quit"] and FAULT != "no-quit":
            return
    if FAULT == "no-quit":
        sleep_for_ever()


main()
