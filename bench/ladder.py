"""How strong the engine is beside other programs, rung by rung, at equal time.

    python bench/ladder.py chess
    python bench/ladder.py othello
    python bench/ladder.py xiangqi --only sjaakii,maxqi --games 40
    python bench/ladder.py chess --ours "engine:seconds=0.1,table_mb=128" --save ladder

The engine meets each of the game's peers that is installed: one thread each, the same time a move (or the level that
the peer is named after), balanced openings with the seats swapped, own books off. A meeting ends after 200 games; after
40 where the gap is beyond 500 Elo; and in between when a sequential test knows who is stronger. Positive Elo means that
ours is stronger; the bars are of 95 %. A peer that is not on the path (nor where Debian puts games) is left out, with a
word. With `--save` every meeting is kept in a file, and a second run goes on where the first was.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tools import answer, arguments, machine, table

from zermelo.arena.executors import make_executor
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import Terms
from zermelo.arena.tournament import Tournament

GAMES_FOLDER = "/usr/games"
"""Where Debian puts games, which is not on everybody's path."""
FEW, WIDE_GAP = 40, 500.0
"""As many games are enough where the gap, in Elo, is wider than this."""
LEVEL_SECONDS = 30.0
"""Within which a program that plays at a level has moved."""
BOUNDS = (-25.0, 25.0)
"""Between these the sequential test does not mind which side it takes."""


class Peer(NamedTuple):
    """A program to play against."""

    name: str
    protocol: str
    flags: str = ""
    options: str = ""
    """With `&` between them, as after the `?` of a player."""
    level: int | None = None
    """Of a program that thinks as long as its level takes, whatever time it is given."""

    @property
    def title(self) -> str:
        return self.name if self.level is None else f"{self.name}-{self.level}"


PEERS = {
    "chess": (
        Peer("sunfish-uci", "uci"),
        Peer("fairymax", "xboard"),
        Peer("gnuchess", "uci", "-u", "OwnBook=false"),
        Peer("phalanx", "xboard", "-b-"),
        Peer("toga2", "uci", options="OwnBook=false"),
        Peer("glaurung", "uci", options="Threads=1&OwnBook=false"),
        Peer("ethereal-chess", "uci", options="Threads=1"),
        Peer("stockfish", "uci", options="Threads=1"),
    ),
    "xiangqi": (
        Peer("hoixiangqi", "xboard", "--xboard"),
        Peer("maxqi", "xboard"),
        Peer("sjaakii", "uci", "-uci", "UCI_Variant=xiangqi&Ponder=false"),
        Peer("fairy-stockfish", "uci", options="UCI_Variant=xiangqi&Threads=1"),
    ),
    "othello": tuple(Peer("gtp-rhino", "gtp", f"-l {level} -b 0", level=level) for level in range(1, 6)),
}


class Rung(Tournament):
    """A match that also ends where the gap is plain."""

    def is_decided(self) -> bool:
        if len(self.ended) < min(FEW, self.plan.games):
            return False
        found = self.report().compare(0, 1)
        return super().is_decided() or (found is not None and abs(found.elo) > WIDE_GAP)


def player_of(peer: Peer, seconds: float) -> str | None:
    """The text of the player; `None` if the program is not installed."""
    program = shutil.which(peer.name) or shutil.which(peer.name, path=GAMES_FOLDER)
    if program is None:
        return None
    seconds = seconds if peer.level is None else LEVEL_SECONDS
    options = "&".join(filter(None, (f"seconds={seconds:g}", peer.options)))
    return f"{peer.protocol}:{' '.join(filter(None, (program, peer.flags)))}?{options}"


def meet(plan: Plan, path: Path | None, concurrency: int) -> dict[str, Any]:
    """One meeting, played or gone on with; what it has come to."""
    executor = make_executor("processes", concurrency)
    begin = Rung.resume(path, trust=True) if path is not None and path.exists() else Rung.begin(plan, path)
    try:
        with begin as match:
            match.run(executor)
            report = match.report()
    finally:
        executor.close()
    mine, theirs, count = report.score(0, 1)
    found = report.compare(0, 1)
    elo = {} if found is None else {"elo": found.elo, "low": found.low, "high": found.high}
    failures = {name: dict(counts) for name, counts in report.failures().items()}
    return {"points": [mine, theirs], "games": count, **elo, "failures": failures, "copies": report.copies}


def climb(asked: Any) -> list[dict[str, Any]]:
    rows = []
    wanted = set(filter(None, asked.only.split(",")))
    for peer in PEERS[asked.game]:
        if wanted and not wanted & {peer.name, peer.title}:
            continue
        player = player_of(peer, asked.seconds)
        if player is None:
            print(f"left out: {peer.name} is not installed here", file=sys.stderr)
            continue
        ours = asked.ours or f"engine:seconds={asked.seconds:g}"
        terms = Terms(longest=asked.longest, margin=0.5)
        plan = Plan(asked.game, (ours, player), games=asked.games, seed=asked.seed, sprt=BOUNDS, terms=terms)
        path = Path(f"{asked.save}-{asked.game}-{peer.title}.db") if asked.save else None
        rows.append({"peer": peer.title, "players": [ours, player], **meet(plan, path, asked.concurrency)})
        print(f"{peer.title}: {rows[-1]['points'][0]:g} of {rows[-1]['games']}", file=sys.stderr)
    return rows


def bars(row: dict[str, Any]) -> str:
    """The difference with its error bars; beyond all games won there is no number."""
    if "elo" not in row:
        return "–"
    return f"{row['elo']:+.0f} ({row['low']:+.0f} … {row['high']:+.0f})"


def faults(row: dict[str, Any]) -> str:
    who = dict(zip(row["players"], ("ours", row["peer"]), strict=True))
    said = (f"{who[name]}: {kind} {n}×" for name, kinds in row["failures"].items() for kind, n in kinds.items())
    return "; ".join(said) or "none"


def render(found: dict[str, Any]) -> str:
    head = ["peer", "our points", "games", "Elo", "failures"]
    rows = [[row["peer"], f"{row['points'][0]:g}", row["games"], bars(row), faults(row)] for row in found["rungs"]]
    title = f"{found['game']}, {1000 * found['seconds']:g} ms a move, on {machine()}."
    return f"{title}\n\n{table(head, rows)}" if rows else f"skipped: no peer of {found['game']} is installed here"


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in PEERS | {"-h": (), "--help": ()}:
        sys.exit(f"say which game, one of {', '.join(PEERS)}: python bench/ladder.py chess")
    game = sys.argv.pop(1) if not sys.argv[1].startswith("-") else ""
    asked = arguments(
        __doc__,
        seconds=(0.1, "seconds a move"),
        games=(200, "at most so many games a peer"),
        only=("", "peers, with commas between them; all without it"),
        ours=("", "our player, where it is another than the engine with the same time"),
        longest=(400, "moves after which a game counts as drawn"),
        seed=(0, "settles the openings"),
        concurrency=(1, "games at once"),
        save=("", "where to keep the meetings: the beginning of the files' names"),
    )
    asked.game = game
    found = {"game": game, "seconds": asked.seconds, "rungs": climb(asked)}
    answer(asked, found, render(found), timed=bool(found["rungs"]))


if __name__ == "__main__":
    main()
