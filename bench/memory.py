"""How much memory a process takes that searches one new game after another: trees written down, and rules in Python.

    python bench/memory.py --games 1000

Each kind has a process of its own, in which no two games are the same and none is kept; compiled rules are not kept on
disk. The figures are the greatest resident memory so far. It levels off, and stays below the bar.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from tools import answer, arguments, table

BAR_MB = 500
"""What a process that has searched a thousand games may take."""

CHILD = '''
import json, resource, sys, time
import zermelo as z

RULES = """
from typing import NamedTuple
import zermelo as z

class Take{number}(z.Game):
    class State(NamedTuple):
        heap: int
        turn: int

    def initial(self):
        return self.State({heap}, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for a in range(1, {most} + 1):
            if a <= s.heap:
                yield a

    def result(self, s, a):
        return self.State(s.heap - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.heap == 0

    def utility(self, s, p):
        return -1.0 if s.turn == p else 1.0
"""

def tree(number):
    return z.Tree([[number, 12, 8], [2, 4, number % 7], [14, 5, -number]])

def rules(number):
    scope = {"__name__": "games"}
    exec(RULES.format(number=number, heap=9 + number % 9, most=2 + number // 9), scope)
    return scope[f"Take{number}"]()

make, games = {"trees": tree, "rules": rules}[sys.argv[1]], int(sys.argv[2])
marks, found, start = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, games}, {}, time.perf_counter()
for number in range(1, games + 1):
    z.search(make(number), depth=4, table_mb=1)
    if number in marks:
        found[number] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps({"bytes": found, "seconds": time.perf_counter() - start}))
'''


def measure(kind: str, games: int) -> dict[str, Any]:
    """The memory after some numbers of games of one kind, in megabytes, and the seconds that a game takes."""
    command = [sys.executable, "-c", CHILD, kind, str(games)]
    done = subprocess.run(command, env=os.environ | {"ZERMELO_CACHE": ""}, check=True, capture_output=True, text=True)
    said = json.loads(done.stdout)
    taken = {int(number): found / 1e6 for number, found in said["bytes"].items()}
    return {"megabytes": taken, "seconds": said["seconds"] / games}


def render(found: dict[str, Any]) -> str:
    """What was found, as a table in Markdown and a line about it."""
    kinds = [kind for kind in ("trees", "rules") if kind in found]
    numbers = list(found[kinds[0]]["megabytes"])
    rows = [[f"{number:,}", *(f"{found[kind]['megabytes'][number]:.0f}" for kind in kinds)] for number in numbers]
    rows.append(["milliseconds a game", *(f"{1000 * found[kind]['seconds']:.1f}" for kind in kinds)])
    return f"{table(['games', *kinds], rows)}\n\nMegabytes, at most so far; the bar is {BAR_MB} MB."


def main() -> None:
    asked = arguments(__doc__, games=(1000, "games of each kind"), only=("", "trees or rules"))
    kinds = [asked.only] if asked.only else ["trees", "rules"]
    found: dict[str, Any] = {kind: measure(kind, asked.games) for kind in kinds}
    over = [kind for kind in kinds if max(found[kind]["megabytes"].values()) > BAR_MB]
    answer(asked, found | {"bar": BAR_MB}, render(found))
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
