"""A tour of Zermelo in a minute: `make demo`, or `python examples/tour.py`.

It pauses between the stops if it runs in a terminal; `--no-pauses` runs through. Drawings go to build/demo.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path

import zermelo as z
from zermelo.arena import Move
from zermelo.play.notation import write_line
from zermelo.play.words import name_player, say_outcome, say_value

FOLDER = Path("build") / "demo"
PAUSES = sys.stdout.isatty() and "--no-pauses" not in sys.argv[1:]
STOPS = 6


def stop(number: int, title: str) -> None:
    """The heading of a stop, after time to read the one before."""
    pause(5 if number > 1 else 0)
    print(f"\n── {number} of {STOPS} · {title} ".ljust(78, "─") + "\n")


def pause(seconds: float) -> None:
    sys.stdout.flush()
    if PAUSES:
        time.sleep(seconds)


def indent(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


def solve(spec: str) -> None:
    """Proves the value of a game and says what it took."""
    game = z.load(spec)
    found = z.solve(game)
    end = game.initial()
    for action in found.line:
        end = game.result(end, action)
    line = " ".join(write_line(game, game.initial(), found.line)) + ("" if game.is_terminal(end) else " …")
    print(indent(f"{spec}: {say_value(game, game.initial(), found)}"))
    print(indent(f"best play: {line}"))
    print(indent(f"{found.nodes:,} positions looked at in {found.seconds:.2f} s"))


def tictactoe() -> None:
    stop(1, "Tic-tac-toe, solved")
    print("Best play by both sides ends in a draw. That is proved, not guessed:\n")
    solve("tictactoe")
    print("\nThe whole tree has 549,946 positions; a good search needs to look at few of them.")


def trace() -> None:
    stop(2, "A search, step by step")
    print("The tree of every lecture on alpha-beta. ▲ is MAX, ▼ is MIN, ■ an end:\n")
    found = z.alphabeta(z.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), trace=True)
    print(indent(found.trace.text()))
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "trace.svg").write_text(found.trace.svg(), encoding="utf-8")
    found.trace.save_html(FOLDER / "trace.html")
    print(f"\nA drawing of it:            {FOLDER / 'trace.svg'}")
    print(f"A page that plays it back:  {FOLDER / 'trace.html'}    (open it in a browser)")


def horizon() -> None:
    stop(3, "The horizon effect")
    print("A search that stops in the middle of an exchange believes what is about to change.\n")
    spec = importlib.util.spec_from_file_location("horizon", Path(__file__).with_name("horizon.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main()


def nim() -> None:
    stop(4, "Nim, solved")
    print("Heaps of 3, 4 and 5 stones; take as many as you like from one; whoever takes the last one wins.\n")
    solve("nim")
    print("\nBouton knew it in 1901: leave heaps whose binary XOR is 0. After a2 they are 1, 4 and 5.")


def match() -> None:
    stop(5, "A game: alpha-beta against chance")
    game = z.load("connect4:columns=5,rows=4")
    players = [z.Player("alphabeta:depth=6"), z.Player("random:seed=1")]
    print("Connect Four on a small board. x looks six plies ahead, o plays at random.\n")
    print(indent(game.show(game.initial())))

    def watch(move: Move) -> None:
        pause(0.7)
        who, what = name_player(game, move.player), game.show_action(move.before, move.action)
        print(f"\n    {who} plays {what}\n{indent(game.show(move.after))}")

    record = z.play(game, players, watch=watch)
    assert record.utilities is not None
    print(f"\n{say_outcome(game, record.utilities)}, after {len(record.moves)} moves.")


def next_steps() -> None:
    stop(6, "What to try next")
    print(
        """\
    zermelo studio                           play, watch and ask why not, in the browser
    zermelo play connect4                    play against it yourself
    zermelo analyse tictactoe --moves "a1 b1"
                                             the best move, and why
    zermelo analyse hex:size=4 --depth 4 --ablate
                                             what each technique is worth
    zermelo trace tictactoe --depth 2 --algorithm alphabeta --html run.html
    zermelo check examples/own_game.py:Domineering
                                             a game of your own, checked
    zermelo equilibrium kuhn                 how to bluff, by the book
    zermelo games                            what else there is

The commands are in .venv/bin after `make demo`. README.md has a first game in thirty lines."""
    )


def main() -> None:
    print("Zermelo: games against an adversary. A tour of one minute.")
    for part in (tictactoe, trace, horizon, nim, match, next_steps):
        part()


if __name__ == "__main__":
    main()
