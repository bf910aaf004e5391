"""`zermelo selfplay`: games that a player plays against itself, as data to learn from."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress
from zermelo.errors import OptionError

if TYPE_CHECKING:
    from zermelo.arena.scheduled import GameOutcome
    from zermelo.arena.selfplay import SelfPlay, SelfPlaySummary

TERMS = ("clock", "margin", "resign", "draw", "longest", "patience")


@click.command()
@click.argument("game", required=False)
@click.argument("player", required=False)
@click.option("--opponent", metavar="PLAYER", help="Who has the other seats.  [default: the player itself]")
@click.option("--games", type=int, help="How many.  [default: 100]")
@click.option("--openings", metavar="TEXT", help="plies=6 at random, a FILE, random or none.  [default: plies=6]")
@click.option("--seed", type=int, help="Settles openings, dice and random players.  [default: 0]")
@click.option("--clock", metavar="TEXT", help="60+0.6, move=0.5 or nodes=10000.  [default: as players like]")
@click.option("--margin", type=float, help="Seconds beyond its time that a player is forgiven.  [default: 0.1]")
@click.option("--resign", metavar="V:N", help="End a game if one side expects −V for N moves, as in 0.9:3.")
@click.option("--draw", metavar="V:N:M", help="End it if both expect a draw, within V, for N moves from move M on.")
@click.option("--longest", type=int, help="Actions after which a game counts as drawn.  [default: 10000]")
@click.option("--patience", type=float, help="Seconds without a clock before a player is taken to hang.")
@click.option("--format", metavar="NAME", help="parquet, arrow or jsonl.  [default: parquet]")
@click.option("--shard", metavar="N", type=int, help="Games in a file.  [default: 1000]")
@click.option("--concurrency", type=int, default=1, help="Games at once, each in a process of its own.  [default: 1]")
@click.option("--cores", type=int, default=1, help="Cores for each game.  [default: 1]")
@click.option("--on", "where", metavar="WHERE", default="processes", help="processes, ray or ray://HOST:PORT.")
@click.option("--save", metavar="DIR", help="The folder for games and files; it is made.")
@click.option("--resume", metavar="DIR", help="Go on with what is in this folder.")
@click.option("--trust", is_flag=True, help="Let --resume run the code that the folder names.")
@answers
def command(
    game: str | None,
    player: str | None,
    concurrency: int,
    cores: int,
    where: str,
    save: str | None,
    resume: str | None,
    trust: bool,
    **options: Any,
) -> Answer:
    """Let PLAYER play GAME against itself and keep every position.

    For each there is what was played, what the search thought of it and how the game ended. A folder that was broken
    off is finished by --resume: no game is played twice, and no file is there in part.
    """
    from zermelo.arena.executors import make_executor
    from zermelo.arena.selfplay import SelfPlay

    given = {name: value for name, value in options.items() if value is not None}
    if resume is not None and (game is not None or save is not None or given):
        wrong = "GAME" if game is not None else "--save" if save is not None else f"--{min(given)}"
        raise OptionError(f"--resume goes on with the games as they were planned: leave out {wrong}")
    # The executor comes first: a missing dependency, such as Ray, is reported before a folder is made.
    with closing(make_executor(where, concurrency, cores)) as executor:
        begun = begin(game, player, save, given) if resume is None else SelfPlay.resume(resume, trust)
        with begun as selfplay, progress("the first game") as bar:

            def tell(of: SelfPlay, outcome: GameOutcome) -> None:
                bar.text = f"{len(of.ended)} of {of.settings.games} games; last: {len(outcome.record.actions)} plies"

            return report(selfplay, selfplay.run(executor, tell))


def begin(game: str | None, player: str | None, save: str | None, given: dict[str, Any]) -> SelfPlay:
    """What the command line names, from its first game on."""
    from zermelo.arena.scheduled import Terms
    from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings

    if game is None or player is None or save is None:
        raise OptionError(
            "say which game, who plays and where it goes: zermelo selfplay connect4 engine:nodes=5000 --save data"
        )
    terms = Terms(**{name: given.pop(name) for name in TERMS if name in given})
    return SelfPlay.begin(SelfPlaySettings(game, player, terms=terms, **given), save)


def report(selfplay: SelfPlay, summary: SelfPlaySummary) -> Answer:
    """The present state of the data."""
    settings, folder = selfplay.settings, selfplay.folder
    data = {"game": settings.game, "player": settings.player, "opponent": settings.opponent, "folder": str(folder)}

    def text() -> str:
        names = summary.files
        which = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
        lines = [f"{summary.games} games in {folder}, {summary.positions} positions written now: {which}"]
        ends = ", ".join(f"{reason} {count}×" for reason, count in sorted(summary.endings.items()))
        return "\n".join([*lines, f"ended otherwise than by the rules: {ends}"] if ends else lines)

    return Answer(data | asdict(summary), text)
