"""Who looks at a table of the studio, and what of the game they may see.

Where nothing is hidden, everybody sees everything. Where something is, one person at the page sees what its seat sees.
Several people share the page by handing it over: the board is covered from when the turn comes to another of them until
that one has said to be there, and while it is covered nothing is told that only one of them may know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.errors import ActionError
from zermelo.game import CHANCE
from zermelo.game.text import text_picture
from zermelo.play import LiveGame, Ply
from zermelo.play.words import name_player
from zermelo.search.trace.words import clean
from zermelo.studio.views.board import draw, show
from zermelo.studio.views.last import Touched, last_touched
from zermelo.studio.views.seats import NOBODY, Person


class Sight:
    """What the page of one game shows; `is_over` says whether the game is, however it ended."""

    def __init__(self, table: LiveGame, is_over: Callable[[], bool]):
        self.table = table
        self.is_over = is_over
        self.holder: int | None = None
        """Who of several people has said last to be at the page."""

    def people(self) -> list[int]:
        return [p for p in range(self.table.game.players) if self.is_person(p)]

    def is_person(self, p: int) -> bool:
        return p >= 0 and isinstance(self.table.players[p], Person)

    def turn(self) -> int:
        """Who is to act; nobody when the game is over."""
        over = self.is_over() or self.table.game.is_terminal(self.table.state)
        return NOBODY if over else self.table.game.player(self.table.state)

    def is_secret(self) -> bool:
        """Whether something is hidden now: when the game is over, everybody may see everything."""
        return self.table.game.kind.hidden and not self.is_over()

    def is_shared(self) -> bool:
        """Whether several people look at one page, each of whom may see something else."""
        return self.is_secret() and len(self.people()) > 1

    def awaited(self) -> int | None:
        """The person to whom the page has to be handed over before the game goes on."""
        turn = self.turn()
        return turn if self.is_shared() and self.is_person(turn) and turn != self.holder else None

    def sit(self, seat: int) -> None:
        """The person of `seat` is at the page now."""
        if seat != self.awaited():
            raise ActionError(f"it is not for {name_player(self.table.game, seat)} to look now")
        self.holder = seat

    def is_covered(self) -> bool:
        return self.is_shared() and (self.holder is None or self.awaited() is not None)

    def viewer(self) -> int | None:
        """Whose eyes look at something hidden: one seat's, `NOBODY`'s, or everybody's (`None`)."""
        people = self.people()
        if not self.is_secret() or not people:
            return None
        if len(people) == 1:
            return people[0]
        return NOBODY if self.is_covered() else self.holder

    def steps(self) -> list[Ply]:
        """The actions so far; of hidden ones the viewer's own, for how often others tried may be hidden too."""
        viewer = self.viewer()
        return [step for step in self.table.plies if viewer is None or step.mover == viewer]

    def ply(self) -> int:
        return len(self.steps())

    def show(self) -> dict[str, Any]:
        """The board, what the person to move can do there, and what has been done."""
        if self.is_covered():
            return self.show_cover()
        game, table = self.table.game, self.table
        person = self.is_person(self.turn())
        shown = show(game, table.state, table.history, self.viewer())
        return {
            **shown,
            "legal": shown["legal"] if person else [],
            "steps": shown["steps"] if person or shown["steps"] is None else [],
            "yours": person,
            "moves": [
                {"notation": clean(game.show_action(step.state, step.action)), "player": step.mover}
                for step in self.steps()
            ],
            "last": self.last(self.steps(), shown["picture"]),
            "handover": None,
        }

    def show_cover(self) -> dict[str, Any]:
        """In place of the board, whose turn it is to look at it."""
        game, turn, awaited = self.table.game, self.turn(), self.awaited()
        mover = "" if turn == CHANCE else name_player(game, turn)
        words = "The board is covered." if awaited is None else f"Hand over to {mover}."
        return {
            "picture": text_picture(words),
            "text": words,
            "position": "",
            "turn": turn,
            "faces": game.player_below is not None,
            "mover": mover,
            "legal": [],
            "steps": [] if game.can("clicks") else None,
            "yours": False,
            "moves": [],
            "last": [],
            "handover": awaited,
        }

    def look(self, ply: int) -> dict[str, Any]:
        """The board after `ply` of the actions, where nothing is hidden."""
        steps = self.table.plies
        picture = draw(self.table.game, self.table.state if ply == len(steps) else steps[ply].state)
        return {"ply": ply, "picture": picture, "last": self.last(steps[:ply], picture)}

    def last(self, steps: list[Ply], picture: str) -> Touched:
        course = [(step.state, step.mover, step.action) for step in steps]
        return last_touched(self.table.game, course, picture, self.viewer())
