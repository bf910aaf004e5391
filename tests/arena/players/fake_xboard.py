"""An XBoard program that plays the first free cell of tic-tac-toe; its arguments are its features, or a fault."""

import sys

CELLS = [f"{column}{row}" for row in "123" for column in "abc"]
FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
log = open(sys.argv[2], "a", encoding="utf-8") if len(sys.argv) > 2 else None  # noqa: SIM115

moves = []
for line in sys.stdin:
    words = line.split()
    if log:
        print(line.strip(), file=log, flush=True)
    if words[0] == "protover":
        if FAULT == "long line":
            print(f"feature {'a' * 60_000}", flush=True)
        while FAULT == "endless features":
            print("feature x=1 done=0", flush=True)
        print("feature ping=1 setboard=0 usermove=1 done=0", flush=True)
        print('feature myname="The Fake" sigint=0 done=1', flush=True)
    elif words[0] == "ping":
        print("pong", words[1], flush=True)
    elif words[0] == "new":
        moves = []
    elif words[0] == "usermove":
        moves.append(words[1])
    elif words[0] == "go":
        free = [cell for cell in CELLS if cell not in moves]
        if FAULT == "resigns" and len(moves) > 1:
            print("resign", flush=True)
            continue
        if FAULT in ("0-1", "1-0", "1/2-1/2"):
            print(f"{FAULT} {{so be it}}", flush=True)
            continue
        if FAULT == "long word":
            print(f"move {'z' * 60_000}", flush=True)
            continue
        if FAULT == "refuses":
            print("Error (no idea): go", flush=True)
            continue
        print("Hello there", flush=True)
        print(f"5 250 12 4321 {free[0]}", flush=True)
        print(f"move {free[0]}", flush=True)
        moves.append(free[0])
    elif words[0] == "quit":
        break
