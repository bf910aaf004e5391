"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.engine.searcher import search
from zermelo.errors import ActionError, ZermeloError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import call_with_options
from zermelo.play import PlayerMove, Wish
from zermelo.play.notation import legal_actions, write_line
from zermelo.play.words import name_player, say_value, show_for
from zermelo.search.trace.words import printable

HELP = """\
  a move    in the game's notation; `moves` lists them
  moves     the legal moves
  board     the position again
  hint      a second of search, and what it recommends
  undo      take back your last move, and what came after it
  resign    give the game up
  quit      leave it unfinished"""

WISHES = {"undo": Wish.UNDO, "resign": Wish.RESIGN, "quit": Wish.LEAVE}


def show(text: str) -> None:
    """Prints `text`; what a terminal would obey in the names of a file is written out."""
    print(printable(text))


class Human:
    """Shows the position, asks for a move and explains what is wrong with it, as often as it takes."""

    def __init__(
        self, name: str = "human", ask: Callable[[str], str] | None = None, say: Callable[[str], None] | None = None
    ):
        self.name = name
        self.ask = ask or input
        self.say = say or show

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        mover = game.player(state)
        self.say(f"\n{show_for(game, state, mover)}")
        while True:
            try:
                text = self.ask(f"{name_player(game, mover)} to move > ").strip()
            except EOFError:
                self.say("")
                return Wish.LEAVE
            if not text:
                continue
            answer = self.understand(game, state, history, text)
            if answer is not None:
                return answer[0]

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        chosen: A | Wish = self.choose(game, state, history)
        return PlayerMove(chosen)

    def understand(self, game: Game[S, A], state: S, history: Sequence[S], text: str) -> tuple[A | Wish] | None:
        """The action or wish that `text` means, as a tuple of one; `None` if it is answered and no move is made."""
        legal = {game.show_action(state, a): a for a in legal_actions(game, state, history)}
        word = text.casefold()
        if text in legal:
            return (legal[text],)
        if word in WISHES:
            if word == "undo" and game.kind.hidden:
                self.say("No taking back in a game of hidden information: you would know too much.")
                return None
            return (WISHES[word],)
        told = {
            "help": lambda: HELP,
            "moves": lambda: " ".join(legal),
            "board": lambda: show_for(game, state, game.player(state)),
            "hint": lambda: self.hint(game, state, history),
        }
        if word in told:
            self.say(told[word]())
            return None
        return self.read(game, state, history, text)

    def read(self, game: Game[S, A], state: S, history: Sequence[S], text: str) -> tuple[A | Wish] | None:
        try:
            action = game.read_action(state, text)
            if action not in legal_actions(game, state, history):
                raise ActionError(f"{text!r} is not legal here; `moves` lists what is")
        except ActionError as error:
            self.say(f"{error} (or `help`)")
            return None
        except Exception as error:  # a game's own `read_action` may fail on what people type; the game goes on
            self.say(f"{text!r} cannot be read: {type(error).__name__}: {error} (or `help`)")
            return None
        return (action,)

    def hint(self, game: Game[S, A], state: S, history: Sequence[S]) -> str:
        if game.kind.hidden and not game.can("sample"):
            return "There are no hints in a game that does not say what may be hidden: a search would look through it."
        try:
            found = search(game, state, history=history)
        except ZermeloError as error:
            return f"There is no hint: {error}"
        return f"{write_line(game, state, found.line[:1])[0]}: {say_value(game, state, found)}"


def make(name: str = "human") -> Human:
    return Human(name)


KINDS = {
    "human": Kind(
        partial(call_with_options, make, name="human"),
        "A person at the terminal.",
        "human:name=Ada",
        {"name": "what to call the person"},
    )
}
