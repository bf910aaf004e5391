"""One game from the first move to the last, announced in the terminal if a person plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from zermelo.arena.players.human import Human, show
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.game.validation import check_is_game
from zermelo.play import Chooser, Forfeit, LiveGame, Move, Record, Wish
from zermelo.play.live import LONGEST_GAME_PLIES, Watch, check_seats
from zermelo.play.words import name_player, name_seat, say_outcome, show_for
from zermelo.search.trace.words import clean


def play(
    game: Game[S, A],
    players: Sequence[Chooser],
    state: S | None = None,
    *,
    history: Sequence[S] = (),
    seed: int | None = None,
    longest: int = LONGEST_GAME_PLIES,
    watch: Watch | None = None,
) -> Record:
    """Plays `game` between `players`, one per seat, from `state` on; `seed` fixes the dice.

    `watch` is called with every step. Without it a game with a human is announced in the terminal, and other games are
    played silently. A game of `longest` actions is left unfinished.
    """
    check_is_game(game)
    check_seats(game, players)
    announcer = None
    if watch is None and any(isinstance(player, Human) for player in players):
        announcer = Announcer(game, players)
        watch = announcer.tell
    live = LiveGame(
        game,
        state,
        players=players,
        history=history,
        dice=random.Random(seed),
        watch=watch,
        longest_plies=longest,
    )
    try:
        record = live.play()
    except Forfeit as forfeit:
        raise forfeit.error from forfeit.error.__cause__
    if announcer is not None:
        announcer.say(announcer.end(record, live.state))
    return record


class Announcer:
    """Prints every step, as far as the human players may see it."""

    def __init__(self, game: Game, players: Sequence[Chooser], say: Callable[[str], None] = show):
        self.game = game
        self.names = [player.name for player in players]
        self.humans = [p for p, player in enumerate(players) if isinstance(player, Human)]
        self.secret = game.kind.hidden and bool(self.humans)
        self.say = say

    def begin(self, state: object) -> None:
        seats = (f"{name_seat(self.game, p)} is {self.call(p)}" for p in range(self.game.players))
        self.say(f"{self.game.name}: {', '.join(seats)}.")
        if self.humans:
            self.say("Type a move, or `help`.")
        else:
            self.say(f"\n{self.game.show(state)}\n")

    def call(self, p: int) -> str:
        return "you" if self.humans == [p] else self.names[p]

    def tell(self, move: Move) -> None:
        if move.action is Wish.UNDO:
            nothing = move.before is move.after
            self.say("There is nothing to take back." if nothing else "Taken back.")
            return
        text = self.game.show_action(move.before, move.action)
        told = clean(self.told(move)) if self.secret else ""
        if told:
            if self.humans != [move.player]:
                self.say(f"{told}.")
        elif move.player == CHANCE:
            if not self.secret:
                self.say(f"Chance brings {text}.")
            elif self.game.is_terminal(move.after) or self.game.player(move.after) != CHANCE:
                self.say("Chance has its say.")  # once for a whole deal
        elif self.secret:
            if self.humans != [move.player] and self.is_seen(move):
                self.say(f"{name_player(self.game, move.player)} has moved.")
        elif self.humans != [move.player]:  # a single human player knows what they typed
            self.say(f"{name_player(self.game, move.player)} plays {text}.")
        if not self.humans and not self.game.is_terminal(move.after):
            self.say(f"\n{self.game.show(move.after)}\n")

    def told(self, move: Move) -> str:
        """What the only human player is told of a move, or all of several."""
        said = {self.game.told(move.before, move.action, p) for p in self.humans}
        return said.pop() if len(said) == 1 else ""

    def is_seen(self, move: Move) -> bool:
        """Whether a human player sees that something has happened."""
        return any(self.game.view(move.before, p) != self.game.view(move.after, p) for p in self.humans)

    def end(self, record: Record, state: object) -> str:
        """The last position, now visible to all, and the result."""
        if record.reason == "left":
            return "The game is left unfinished. Goodbye."
        return f"\n{show_for(self.game, state, None)}\n\n{self.sum_up(record)}"

    def sum_up(self, record: Record) -> str:
        result = "" if record.utilities is None else say_outcome(self.game, record.utilities)
        if record.reason == "resignation":
            assert record.culprit is not None
            who = name_player(self.game, record.culprit)
            return f"{who} resigns: {result}." if result else f"{who} resigns."
        if record.reason == "length":
            return f"Left unfinished after {len(record.actions):,} moves."
        why = ""
        if record.reason == "repetition":
            decided = self.game.repetition == "perpetual" and len(set(record.utilities or ())) > 1
            why = "The position has come back by perpetual check: " if decided else "The position has come back: "
        known = f", that is {self._name_winner(record)}" if self._name_winner(record) else ""
        return f"{why}{result}{known}."

    def _name_winner(self, record: Record) -> str:
        """The name of the winner, if there is exactly one."""
        utilities = record.utilities or ()
        best = [p for p, u in enumerate(utilities) if u == max(utilities)]
        return self.call(best[0]) if len(best) == 1 else ""
