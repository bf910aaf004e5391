"""A GTP program that plays the first free cell of tic-tac-toe; its first argument is a fault."""

import sys

CELLS = [f"{column}{row}" for row in "123" for column in "ABC"]
FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
log = open(sys.argv[2], "a", encoding="utf-8") if len(sys.argv) > 2 else None  # noqa: SIM115

moves = []
for line in sys.stdin:
    words = line.split()
    if log:
        print(line.strip(), file=log, flush=True)
    answer = "="
    if words[0] == "list_commands":
        answer = "= list_commands\nboardsize\nclear_board\nkomi\nplay\ngenmove\ntime_settings\ntime_left\nquit"
        answer = answer.replace("genmove\n", "") if FAULT == "incapable" else answer
    elif words[0] == "clear_board":
        moves = []
    elif words[0] == "play":
        moves.append(words[2].upper())
        answer = "? I do not want to" if FAULT == "refuses" else "="
    elif words[0] == "genmove":
        free = [cell for cell in CELLS if cell not in moves]
        answer = f"= {'resign' if FAULT == 'resigns' and len(moves) > 1 else free[0]}"
        moves.append(free[0])
    print(f"chatter\n{answer}\n", flush=True)
    if words[0] == "quit":
        break
