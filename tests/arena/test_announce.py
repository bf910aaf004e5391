"""What those at a terminal are told of a game of hidden information."""

from __future__ import annotations

from zermelo.arena.play import Announcer
from zermelo.arena.players.human import Human
from zermelo.arena.players.random import Random
from zermelo.games import load
from zermelo.play import Move


def test_an_attempt_that_nobody_else_sees_is_not_told() -> None:
    game = load("blind-tictactoe")
    said: list[str] = []
    announcer = Announcer(game, [Human(), Random()], said.append)
    state = game.result(game.initial(), 0)
    for action in (0, 4):  # the second player runs into the first one's mark, then makes its own
        after = game.result(state, action)
        announcer.tell(Move(game, state, 1, action, after))
        state = after
    assert said == ["o has moved."]


def test_bets_are_told_in_words_and_cards_to_their_owner_alone() -> None:
    for name, moves, wanted in (
        ("poker", "Ah Kd Qc Js raise6 call", ["you are dealt Ah.", "you are dealt Kd.", "big blind calls 4."]),
        ("holdem", "AhKd QcJs bet50 call", ["you are dealt AhKd.", "player 1 calls 50."]),
        ("leduc", "Q♠ K♥ bet call", ["you are dealt Q♠.", "player 1 calls."]),
        ("kuhn:players=2", "Q K bet fold", ["you are dealt Q.", "player 1 folds."]),
        ("liars-dice", "3 4 1x2 liar", ["you roll 3.", "player 1 calls the bid a lie."]),
    ):
        game = load(name)
        said: list[str] = []
        announcer = Announcer(game, [Human(), Random()], said.append)
        state = game.initial()
        for word in moves.split():
            action = game.read_action(state, word)
            after = game.result(state, action)
            announcer.tell(Move(game, state, game.player(state), action, after))
            state = after
        assert [line for line in said if line != "Chance has its say."] == wanted
