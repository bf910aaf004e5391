"""Who looks at a game in the studio, and what of it they may see.

Where nothing is hidden, everybody sees everything. Where something is, the only person at the page sees what its player
sees. Several people share the page by handing it over: the board is covered from when the turn passes to another of
them until that person confirms to be there, and while it is covered nothing is shown that only one of them may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.errors import ActionError, PlayerError
from zermelo.game import CHANCE, AnyGame
from zermelo.game.text import text_picture
from zermelo.play.live import LiveGame, Ply
from zermelo.play.notation import show_action
from zermelo.play.words import name_player
from zermelo.studio.views.board import (
    LegalMove,
    draw,
    find_action,
    find_decisive,
    find_touched,
    legal_moves,
    list_tallies,
    show,
)
from zermelo.studio.views.clocks import NOBODY


class PagePerson:
    """A person at the page, who moves by clicking."""

    name = "human"

    def choose(self, game: AnyGame, state: Any, history: Any) -> Any:
        raise PlayerError("a person moves by clicking")


class DrawnBoard(NamedTuple):
    """A position as it was drawn, and what the drawing depends on beside it."""

    state: Any
    depends_on: tuple[Any, ...]
    moves: list[LegalMove]
    shown: dict[str, object]


class Visibility:
    """What the page shows of one game."""

    def __init__(self, live: LiveGame):
        self.live = live
        self.game = live.game
        self.hides = live.game.kind.hidden
        self.holder: int | None = None
        """The person who last confirmed to be at the page, of several."""
        self.notations: list[tuple[Ply, dict[str, object]]] = []
        """Each ply with its entry in the list of moves."""
        self.drawn: DrawnBoard | None = None
        """The position that was drawn last."""

    def people(self) -> list[int]:
        return [p for p in range(self.game.players) if self.is_person(p)]

    def is_person(self, p: int) -> bool:
        return p >= 0 and isinstance(self.live.players[p], PagePerson)

    def turn(self) -> int:
        """Who is to act; `NOBODY` when the game is over."""
        mover = self.live.mover
        return NOBODY if mover is None else mover

    def is_secret(self) -> bool:
        """Whether something is hidden now: when the game is over, everybody may see everything."""
        return self.hides and not self.live.is_over

    def is_shared(self) -> bool:
        """Whether several people look at one page, each of whom may see something else."""
        return self.is_secret() and len(self.people()) > 1

    def awaited(self) -> int | None:
        """The person to whom the page has to be handed over before the game goes on."""
        turn = self.turn()
        return turn if self.is_shared() and self.is_person(turn) and turn != self.holder else None

    def hand_over(self, seat: int) -> None:
        """The person of `seat` is at the page now."""
        if seat != self.awaited():
            raise ActionError(f"it is not for {name_player(self.game, seat)} to look now")
        self.holder = seat

    def is_covered(self) -> bool:
        return self.is_shared() and (self.holder is None or self.awaited() is not None)

    def viewer(self) -> int | None:
        """The player whose view is shown where something is hidden; `NOBODY`, or `None` for everything."""
        people = self.people()
        if not self.is_secret() or not people:
            return None
        if len(people) == 1:
            return people[0]
        return NOBODY if self.is_covered() else self.holder

    def plies(self) -> list[Ply]:
        """The plies so far; of hidden ones those of which the viewer knows, since their number may be hidden too."""
        viewer, plies = self.viewer(), self.live.plies
        return list(plies) if viewer is None else [ply for ply in plies if self._is_known(ply, viewer)]

    def _is_known(self, ply: Ply, viewer: int) -> bool:
        """Whether a viewer who does not see everything has made a move, or is told of it."""
        return ply.mover == viewer or (viewer != NOBODY and bool(self.game.told(ply.state, ply.action, viewer)))

    def ply(self) -> int:
        return len(self.plies())

    # What the page shows.

    def show(self) -> dict[str, object]:
        """The board, the legal moves of a person whose turn it is, and the moves so far."""
        if self.is_covered():
            return self._cover()
        board = self._board().shown
        yours = self.is_person(self.turn())
        return {
            **board,
            "legal": board["legal"] if yours else [],
            "steps": board["steps"] if yours or board["steps"] is None else [],
            "yours": yours,
            "moves": self._moves(),
            "handover": None,
        }

    def _board(self) -> DrawnBoard:
        """The present position, drawn once for all snapshots that show it."""
        live, game, viewer = self.live, self.game, self.viewer()
        depends_on = (len(live.plies), live.is_over, viewer)
        if self.drawn is None or self.drawn.state is not live.state or self.drawn.depends_on != depends_on:
            picture = draw(game, live.state, viewer)
            moves = legal_moves(game, live.state, live.legal_actions(), picture, viewer)
            shown = show(game, live.state, picture, moves, viewer)
            shown["last"] = self._touched(len(live.plies), picture)
            self.drawn = DrawnBoard(live.state, depends_on, moves, shown)
        return self.drawn

    def find_action(self, notation: str) -> Any:
        """The legal action of the person to move that is called `notation`."""
        return find_action(self.game, self.live.state, self.live.history, self._board().moves, notation)

    def _moves(self) -> list[dict[str, object]]:
        """The list of moves, to which only new plies are added."""
        known, plies = self.notations, self.live.plies
        keep = 0
        while keep < min(len(known), len(plies)) and known[keep][0] is plies[keep]:
            keep += 1
        del known[keep:]
        for ply in plies[keep:]:
            notation = show_action(self.game, ply.state, ply.action)
            known.append((ply, {"notation": notation, "player": ply.mover}))
        viewer = self.viewer()
        return [entry for ply, entry in known if viewer is None or self._is_known(ply, viewer)]

    def _cover(self) -> dict[str, object]:
        """In place of the board, whose turn it is to look at it."""
        game, turn, awaited = self.game, self.turn(), self.awaited()
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
            "decisive": [],
            "tallies": list_tallies(game, self.live.state),
            "handover": awaited,
        }

    def show_earlier(self, ply: int) -> dict[str, object]:
        """The board after `ply` of the plies, where nothing is hidden."""
        plies = self.live.plies
        state = self.live.state if ply == len(plies) else plies[ply].state
        picture = draw(self.game, state)
        last, decisive = self._touched(ply, picture), find_decisive(self.game, state)
        position = "" if self.hides else self.game.write(state)
        return {"ply": ply, "picture": picture, "last": last, "decisive": decisive, "position": position}

    def _touched(self, count: int, picture: str) -> list[tuple[str, int]]:
        """Where the last of the first `count` plies went; of hidden ones, the last of the viewer's own."""
        viewer = self.viewer()

        def latest() -> Iterator[tuple[Any, int, Any]]:
            for ply in reversed(self.live.plies[:count]):
                if viewer is None or ply.mover == viewer:
                    yield ply.state, ply.mover, ply.action

        return find_touched(self.game, latest(), picture)
