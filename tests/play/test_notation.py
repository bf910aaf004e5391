"""A move is one word in every protocol, and comes back as the same action."""

from __future__ import annotations

import random

import pytest

from zermelo.arena.players._outside import Scoresheet
from zermelo.errors import ActionError, PositionError
from zermelo.game import Game
from zermelo.games import games, load
from zermelo.play.notation import legal_actions, read_action, read_position, write_action, write_line


class Wordy(Game):
    """Two moves with blanks in their names, one with an underscore, and a reader that chokes."""

    names = ("go  left", "go right", "stay_put")
    repetition = "forbidden"

    def initial(self):
        return (0, 0)

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return [0, 1, 2]

    def result(self, s, a):
        return ((s[0] + a) % 4, s[1])

    def is_terminal(self, s):
        return False

    def show_action(self, s, a):
        return self.names[a]

    def read_action(self, s, text):
        if text == "bomb":
            raise ZeroDivisionError("boom")
        return super().read_action(s, text)

    def read(self, text):
        return (int(text), 0 if text != "9" else 9)


@pytest.mark.parametrize("name", list(games()))
def test_every_move_of_every_game_is_one_word_that_reads_back(name):
    game, dice = load(name), random.Random(4)
    state = game.initial()
    for _ in range(60):
        if game.is_terminal(state):
            break
        for action in game.actions(state):
            word = write_action(game, state, action)
            assert word.split() == [word]
            assert read_action(game, state, word) == action
        state = game.result(state, dice.choice(list(game.actions(state))))


def test_blanks_in_a_move_are_written_as_underscores():
    game = Wordy()
    assert write_line(game, (0, 0), [0, 1, 2], write_action) == ["go_left", "go_right", "stay_put"]
    assert [read_action(game, (0, 0), word) for word in ("go_right", "stay_put", "GO RIGHT")] == [1, 2, 1]


def test_what_cannot_be_read_is_an_action_error_whatever_the_game_raises():
    for word in ("bomb", "go_up", "", "\x00"):
        with pytest.raises(ActionError):
            read_action(Wordy(), (0, 0), word)


def test_an_action_that_would_repeat_a_position_is_not_legal_where_that_is_forbidden():
    game = Wordy()
    assert legal_actions(game, (1, 0), [(2, 0)]) == [2]
    with pytest.raises(ActionError, match="legal"):
        read_action(game, (1, 0), "go_right", [(2, 0)])


def test_a_position_that_cannot_be_read_is_a_position_error_whatever_the_game_raises():
    for text in ("", "x", "9" * 5000):
        with pytest.raises(PositionError):
            read_position(Wordy(), text)


@pytest.mark.parametrize("name", list(games()))
def test_a_scoresheet_finds_the_moves_between_the_states(name):
    game, dice = load(name), random.Random(5)
    states, moves = [game.initial()], []
    sheet = Scoresheet(game)
    while not game.is_terminal(states[-1]) and len(moves) < 40:
        action = dice.choice(list(game.actions(states[-1])))
        moves.append(write_action(game, states[-1], action))
        states.append(game.result(states[-1], action))
        sheet.update(states[:-1], states[-1])
    replayed = game.initial()
    for word in sheet.moves:
        replayed = game.result(replayed, read_action(game, replayed, word))
    assert game.key(replayed) == game.key(states[-1])
    assert sheet.from_the_beginning
    assert len(sheet.moves) == len(moves)


def test_a_scoresheet_goes_back_with_the_game_and_starts_anew_after_a_gap():
    game = load("tictactoe")
    a = game.initial()
    b, c = game.result(a, 0), game.result(a, 1)
    sheet = Scoresheet(game)
    sheet.update([a], b)
    assert sheet.moves == ["a1"]
    sheet.update([a], c)
    assert sheet.moves == ["b1"]
    sheet.update([], a)
    assert sheet.moves == []
    later = game.read("oo./xx./...")
    sheet.update([a], later)
    assert (sheet.moves, sheet.start, sheet.from_the_beginning) == ([], "oo./xx./...", False)
