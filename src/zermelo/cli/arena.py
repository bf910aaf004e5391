"""`zermelo arena`: tournaments, and what they have come to."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._answer import Answer, answers, progress, say, writing
from zermelo.errors import InputError, OptionError
from zermelo.search.trace.words import plural

if TYPE_CHECKING:
    from zermelo.arena.executors import Executor
    from zermelo.arena.plan import Plan
    from zermelo.arena.scheduled import GameOutcome
    from zermelo.arena.tournament import Tournament


class Arena(click.Group):
    """A group in which whatever is not the name of a command is a game to hold a tournament in."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            raise click.UsageError("say which game, and who enters: zermelo arena connect4 engine:depth=6 random", ctx)
        if args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=Arena, invoke_without_command=False)
def command() -> None:
    """Hold a tournament between players, and say who is stronger.

    `zermelo arena GAME PLAYER PLAYER …` plays; `zermelo arena run --help` lists its options. `zermelo arena show FILE`
    prints what a tournament has come to, and `zermelo arena export FILE` its games.
    """


@command.command()
@click.argument("game", required=False)
@click.argument("players", nargs=-1)
@click.option("--games", type=int, help="Games of each meeting, half of them in each seat.  [default: 100]")
@click.option("--format", "kind", metavar="NAME", help="round-robin, gauntlet, swiss, ladder or knock-out.")
@click.option("--rounds", type=int, help="How often a round-robin or gauntlet is played; the rounds of a Swiss.")
@click.option("--openings", metavar="TEXT", help="random:plies=6, a FILE, or none.  [default: random]")
@click.option("--seed", type=int, help="Settles openings, dice and random players.  [default: 0]")
@click.option("--clock", metavar="TEXT", help="60+0.6, move=0.5 or nodes=10000.  [default: as players like]")
@click.option("--margin", type=float, help="Seconds beyond its time that a player is forgiven.  [default: 0.1]")
@click.option("--resign", metavar="V:N", help="End a game if one side expects −V for N moves, as in 0.9:3.")
@click.option("--draw", metavar="V:N:M", help="End it if both expect a draw, within V, for N moves from move M on.")
@click.option("--solution", metavar="FILE", help="End it by a solution of `zermelo solve --strongly --save`.")
@click.option("--longest", type=int, help="Actions after which a game counts as drawn.  [default: 10000]")
@click.option("--patience", type=float, help="Seconds without a clock before a player is taken to hang.")
@click.option(
    "--sprt",
    metavar="E0:E1",
    help="Stop when it is clear whether the first is E0 or E1 Elo, or payoff, better.",
)
@click.option("--adjust", metavar="RULE", help="Luck to take off: none, all-in, evaluate or solved.  [default: all-in]")
@click.option("--anchor", "anchors", metavar="PLAYER=ELO", multiple=True, help="A rating that is known.")
@click.option("--concurrency", type=int, help="Games at once, each in a process of its own.  [default: all cores]")
@click.option("--cores", type=int, default=1, help="Cores for each game.  [default: 1]")
@click.option("--on", "where", metavar="WHERE", default="processes", help="processes, ray or ray://HOST:PORT.")
@click.option("--save", metavar="FILE", help="Store every game in this file as it ends.")
@click.option("--resume", metavar="FILE", help="Go on with the tournament in this file.")
@click.option("--trust", is_flag=True, help="Let --resume run the code and programs that the file names.")
@answers
def run(
    game: str | None,
    players: tuple[str, ...],
    concurrency: int | None,
    cores: int,
    where: str,
    save: str | None,
    resume: str | None,
    trust: bool,
    **options: Any,
) -> Answer:
    """Play GAME between PLAYERS, texts such as engine:depth=6; `zermelo players` lists them."""
    from zermelo.arena.executors import make_executor
    from zermelo.arena.tournament import Tournament

    given = {name: value for name, value in options.items() if value not in (None, ())}
    if resume is not None:
        if game is not None or save is not None or given:
            wrong = "GAME" if game is not None else "--save" if save is not None else f"--{min(given)}"
            raise OptionError(f"--resume goes on with the tournament as it was planned: leave out {wrong}")
        begin = Tournament.resume(resume, trust=trust)
    else:
        begin = begin_tournament(read_plan(game, players, given), save)
    concurrency = count_tables(cores) if concurrency is None else concurrency
    with begin as tournament, keeping(tournament, temporary=resume is None and save is None):
        with telling(tournament) as tell, closing(make_executor(where, concurrency, cores)) as executor:
            tournament.run(executor, tell)
        return report(tournament)


def read_plan(game: str | None, players: tuple[str, ...], given: dict[str, Any]) -> Plan:
    """The plan that the command line names."""
    from zermelo.arena.plan import Plan
    from zermelo.arena.scheduled import Terms

    if game is None or len(players) < 2:
        raise OptionError("say which game, and two players or more: zermelo arena connect4 engine:depth=6 random")
    if "sprt" in given:
        given["sprt"] = read_bounds(given["sprt"])
    if "anchors" in given:
        given["anchors"] = dict(map(read_anchor, given["anchors"]))
    if "kind" in given:
        given["format"] = given.pop("kind")
    names = {"clock", "margin", "resign", "draw", "solution", "longest", "patience", "adjust"}
    terms = Terms(**{name: given.pop(name) for name in names & set(given)})
    return Plan(game, players, terms=terms, **{"games": 100, **given})


def read_bounds(text: str) -> tuple[float, float]:
    try:
        low, high = (float(part) for part in text.split(":"))
    except ValueError:
        raise OptionError(f"--sprt {text!r}: write two numbers of Elo, as in 0:10") from None
    return low, high


def read_anchor(text: str) -> tuple[str, float]:
    name, _, elo = text.rpartition("=")
    try:
        return name, float(elo)
    except ValueError:
        raise OptionError(f"--anchor {text!r}: write PLAYER=ELO, as in random=0") from None


def count_tables(cores: int) -> int:
    """How many games the machine can play at once."""
    from zermelo.arena.executors import available_cores

    return max(available_cores() // max(cores, 1), 1)


@contextmanager
def closing(executor: Executor) -> Iterator[Executor]:
    try:
        yield executor
    finally:
        executor.close()


def begin_tournament(plan: Plan, save: str | None) -> Tournament:
    """A new tournament in the file `save`; in a temporary one without it, so that an interruption loses nothing."""
    from zermelo.arena.tournament import Tournament

    if save is not None:
        return Tournament.begin(plan, save)
    folder = Path(tempfile.mkdtemp(prefix="zermelo-arena-"))
    try:
        return Tournament.begin(plan, folder / "tournament.db")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def keeping(tournament: Tournament, temporary: bool) -> Iterator[None]:
    """Shows where the games of an interrupted tournament are; deletes a temporary file that is no longer needed."""
    path = tournament.store.path
    assert path is not None
    try:
        yield
    except BaseException:
        if tournament.ended:
            games = plural(len(tournament.ended), "game is", "games are")
            say(f"zermelo: {games} kept; go on with: {resume_command(tournament)}", err=True)
        raise
    finally:
        if temporary and (not tournament.ended or tournament.is_decided() or tournament.is_over()):
            shutil.rmtree(path.parent, ignore_errors=True)


def resume_command(tournament: Tournament) -> str:
    """What to type to go on with a tournament."""
    return f"zermelo arena --resume {tournament.store.path}{' --trust' if tournament.foreign_code else ''}"


@contextmanager
def telling(tournament: Tournament) -> Iterator[Callable[[Tournament, GameOutcome], None]]:
    """Shows how far a tournament has got while it is played."""
    total = tournament.total()
    with progress("the first game") as bar:

        def tell(of: Tournament, outcome: GameOutcome) -> None:
            games = f"{len(of.ended)} of {total} games" if total else f"{len(of.ended)} games"
            seats = " – ".join(outcome.record.players)
            ended = outcome.record.utilities if of.unit else None
            bar.text = f"{games}; last: {seats} {' – '.join(f'{each:g}' for each in ended or outcome.points)}"

        yield tell


def report(tournament: Tournament) -> Answer:
    """What the tournament has come to so far."""
    found, note = tournament.report(), tournament.note
    finished = tournament.is_decided() or tournament.is_over()
    data = {"game": tournament.plan.game, "format": tournament.plan.format, "finished": finished, "note": note}

    def text() -> str:
        lines = [found.text()]
        if note:
            lines.append(f"note: {note}")
        if not finished:
            lines.append(f"unfinished; go on with: {resume_command(tournament)}")
        return "\n".join(lines)

    return Answer(data | found.to_json(), text)


@command.command()
@click.argument("file")
@click.option("--svg", metavar="PREFIX", help="Draw PREFIX-crosstable.svg and PREFIX-ratings.svg.")
@answers
def show(file: str, svg: str | None) -> Answer:
    """Print what the tournament in FILE has come to, also while it is played."""
    from zermelo.arena.tournament import Tournament

    with Tournament.resume(file, writes=False) as tournament:
        answer = report(tournament)
        if svg is None:
            return answer
        found = tournament.report()
        if not found.games:
            raise InputError(f"{file} holds no game yet, so there is nothing to draw")
        prefix = svg.removesuffix(".svg")
        drawn = {f"{prefix}-crosstable.svg": found.crosstable_svg(), f"{prefix}-ratings.svg": found.course_svg()}
    for name, picture in drawn.items():
        write(name, picture)
    said = f"drawn: {', '.join(drawn)}"
    return Answer({**answer.data, "drawn": list(drawn)}, lambda: f"{answer.text()}\n{said}", answer.code)


def write(path: str, text: str) -> None:
    with writing(path):
        Path(path).write_text(text, encoding="utf-8")


@command.command()
@click.argument("file")
@click.option(
    "--as",
    "kind",
    metavar="FORMAT",
    help="pgn, sgf, pdn, jsonl, or the game's own, as mat.  [default: as --to ends, else pgn]",
)
@click.option("--to", metavar="FILE", help="Where to write; standard output without it.")
@click.option("--trust", is_flag=True, help="Run the code of the game that FILE names, for its rules.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def export(file: str, kind: str | None, to: str | None, trust: bool) -> None:
    """Write the games of the tournament in FILE for other programs."""
    from zermelo.arena.export import export as exported
    from zermelo.arena.tournament import Tournament

    with Tournament.resume(file, writes=False, trust=trust) as tournament:
        name = kind or (Path(to).suffix if to and Path(to).suffix else "pgn")
        pieces = exported(name, games_of(tournament), tournament.game)
        if to is None:
            for piece in pieces:
                say(piece, newline=False)
        else:
            write(to, "".join(pieces))
            say(f"written: {to}")


def games_of(tournament: Tournament) -> Iterator[Any]:
    """Every game, as writers of files take it."""
    from zermelo.arena.export import from_record

    plan = tournament.plan
    for scheduled, outcome in (tournament.ended[number] for number in sorted(tournament.ended)):
        record = outcome.record
        yield from_record(
            tournament.game,
            record,
            tournament.opening(scheduled),
            spec=plan.game,
            detail=record.detail,
            seconds=record.seconds,
            values=record.values,
            depths=record.depths,
            nodes=record.nodes,
            payoffs=outcome.payoffs,
            event=f"zermelo {plan.format}",
            started=outcome.started,
            round=str(scheduled.round + 1),
            fixture=str(scheduled.number),
            time_control=plan.terms.clock,
            seed=scheduled.seed,
            versions=outcome.versions,
        )
