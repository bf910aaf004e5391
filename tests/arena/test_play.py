"""A game is played to its end, by the rules, and whoever breaks them is named."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import zermelo as z
from zermelo.arena import Human, Player, Wish, play
from zermelo.errors import ActionError, ContractError, MethodError, OptionError
from zermelo.games import games, load
from zermelo.play.words import say_number


class Script:
    """Plays what it is told."""

    name = "script"

    def __init__(self, *actions):
        self.actions = list(actions)

    def choose(self, game, state, history):
        return self.actions.pop(0)


class Circle(z.Game):
    """Step around a ring of three."""

    repetition = "draw"

    class State(NamedTuple):
        place: int
        turn: int

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, a):
        return self.State((s.place + a) % 3, 1 - s.turn)

    def is_terminal(self, s):
        return False

    def utility(self, s, p):
        return 0.0


@pytest.mark.parametrize("name", list(games()))
def test_random_players_finish_every_game(name):
    game = load(name)
    record = play(game, [Player(f"random:seed={p}") for p in range(game.players)], seed=5)
    assert record.reason == "" or game.repetition is not None
    state = game.initial()
    for action, text in zip(record.actions, record.moves, strict=True):
        assert game.read_action(state, text) == action
        state = game.result(state, action)
    if record.reason == "":
        assert game.is_terminal(state)
        assert record.utilities == game.utilities(state)


def test_perfect_players_draw_tictactoe():
    record = play(load("tictactoe"), [Player("search:depth=9"), Player("alphabeta:depth=9,table=yes")])
    assert record.utilities == (0.0, 0.0)


def test_the_seed_settles_the_dice():
    players = [Player("expectiminimax:depth=1"), Player("expectiminimax:depth=1")]
    rolls = {play(load("pig"), players, seed=seed).moves for seed in (1, 1, 2)}
    assert len(rolls) == 2


def test_a_game_needs_a_player_for_each_seat():
    with pytest.raises(OptionError, match="for 3 players, not 2"):
        play(load("kingmaker"), [Player("random"), Player("random")])


def test_an_illegal_action_ends_the_game_and_names_the_player():
    with pytest.raises(ActionError, match=r"o \(script\) played 4 in .* not legal"):
        play(load("tictactoe"), [Script(4), Script(4)])


def test_a_player_that_raises_is_named():
    with pytest.raises(ContractError, match=r"x \(script\) raised IndexError"):
        play(load("tictactoe"), [Script(), Script()])


def test_a_player_that_does_not_fit_the_game_is_named():
    with pytest.raises(MethodError, match=r"player 0 \(minimax:depth=2\) cannot play"):
        play(load("kingmaker"), [Player("minimax:depth=2")] * 3)


def test_resignation_loses():
    record = play(load("tictactoe"), [Script(4), Script(Wish.RESIGN)])
    assert (record.reason, record.culprit, record.utilities) == ("resignation", 1, (1.0, -1.0))


def test_nobody_knows_who_wins_when_one_of_three_resigns():
    record = play(load("kingmaker"), [Script(Wish.RESIGN), Script(), Script()])
    assert record.utilities is None


def test_leaving_leaves_the_game_unfinished():
    record = play(load("tictactoe"), [Script(4, Wish.LEAVE), Script(0)])
    assert (record.reason, record.moves, record.utilities) == ("left", ("b2", "a1"), None)


def test_undo_goes_back_to_the_same_players_last_choice():
    record = play(load("tictactoe"), [Script(4, Wish.UNDO, 0, Wish.LEAVE), Script(1, 2)])
    assert record.moves == ("a1", "c1")


def test_undo_with_nothing_to_take_back_changes_nothing():
    record = play(load("tictactoe"), [Script(Wish.UNDO, 0, Wish.LEAVE), Script(2)])
    assert record.moves == ("a1", "c1")


def test_a_repeated_position_ends_the_game_as_its_rule_says():
    game = Circle()
    record = play(game, [Script(1, 1, 1, 1), Script(1, 2, 1, 1)])
    assert (record.reason, record.utilities) == ("repetition", (0.0, 0.0))
    game.repetition = "loses"
    record = play(game, [Script(1, 1, 1, 1), Script(1, 2, 1, 1)])
    mover = (len(record.actions) - 1) % 2
    assert record.utilities[mover] == -1.0


class Shout(Circle):
    """Player 0 shouts whenever it steps, and player 1 if told to."""

    repetition = "perpetual"
    shouting = (True, False)

    def is_check(self, s):
        return self.shouting[1 - s.turn]


def test_perpetual_check_loses_the_game():
    game = Shout()
    assert play(game, [Script(1, 2, 1), Script(1, 2)]).utilities == (-1.0, 1.0)
    game.shouting = (True, True)
    assert play(game, [Script(1, 2, 1), Script(1, 2)]).utilities == (0.0, 0.0)
    game.shouting = (False, True)
    assert play(game, [Script(1, 2, 1), Script(1, 2)]).utilities == (1.0, -1.0)


def test_a_position_may_come_back_as_often_as_the_rule_allows():
    game = Circle()
    twice = len(play(game, [Script(*[1] * 9), Script(*[2] * 9)]).actions)
    game.occurrences = 3
    assert len(play(game, [Script(*[1] * 9), Script(*[2] * 9)]).actions) == 2 * twice
    game.repetition = "forbidden"
    assert len(play(game, [Script(1, 1, Wish.LEAVE), Script(2, 1)]).actions) == 4
    with pytest.raises(ActionError, match="not legal"):
        play(game, [Script(1, 1), Script(2, 2)])


def test_a_rook_that_gives_check_for_ever_has_lost_at_the_third_time():
    game = load("xiangqi")
    state = game.read("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    moves, s = [], state
    for move in ["a1a10", *["d10d9", "a10a9", "d9d10", "a9a10"] * 2]:
        moves.append(game.read_action(s, move))
        s = game.result(s, moves[-1])
    record = play(game, [Script(*moves[0::2]), Script(*moves[1::2])], state)
    assert (record.reason, record.utilities) == ("repetition", (-1.0, 1.0))
    assert len(record.actions) == 9


def test_a_forbidden_repetition_is_an_illegal_action():
    game = Circle()
    game.repetition = "forbidden"
    with pytest.raises(ActionError, match="not legal"):
        play(game, [Script(1, 2), Script(2, 1)])


def test_the_history_before_the_first_position_counts_for_repetition():
    game = Circle()
    record = play(game, [Script(1), Script()], history=[game.State(1, 1)])
    assert record.reason == "repetition"


def test_a_game_without_end_is_left_after_the_longest_length():
    game = Circle()
    game.repetition = None
    record = play(game, [Player("random"), Player("random")], longest=50)
    assert (record.reason, len(record.actions)) == ("length", 50)


def test_watchers_are_told_every_step():
    steps = []
    record = play(load("pig"), [Player("random:seed=1"), Player("random:seed=2")], seed=3, watch=steps.append)
    assert [step.action for step in steps] == list(record.actions)
    assert {step.player for step in steps} == {0, 1, z.CHANCE}


def scripted(*lines):
    """A human who types `lines`, and what they are told."""
    heard, typed = [], list(lines)

    def ask(prompt):
        heard.append(prompt)
        if not typed:
            raise EOFError
        return typed.pop(0)

    return Human(ask=ask, say=heard.append), heard


def test_a_human_is_asked_again_until_the_answer_is_a_move():
    human, heard = scripted("z9", "", "moves", "help", "board", "B2")
    assert human.choose(load("tictactoe"), load("tictactoe").initial()) == 4
    told = "\n".join(heard)
    assert "not a legal action" in told
    assert "a1 b1 c1" in told
    assert "resign" in told


def test_a_hint_is_the_best_move_in_the_games_notation():
    game = load("tictactoe")
    human, heard = scripted("hint")
    assert human.choose(game, game.read("oo./xx./...")) is Wish.LEAVE
    assert any(text.startswith("c2: x wins in 1 ply") for text in heard)


def test_a_human_sees_its_own_view_only():
    game = load("blind-tictactoe")
    state = game.result(game.initial(), 4)
    human, heard = scripted("hint", "undo")
    assert human.choose(game, state) is Wish.LEAVE
    told = "\n".join(heard)
    assert "x" not in "".join(line for line in heard[0].splitlines())
    assert "for o" in told  # the hint, which nobody can take for a win or a loss
    assert "No taking back" in told


def test_there_is_no_hint_where_nobody_can_say_what_is_hidden():
    class Silent(type(load("blind-tictactoe"))):
        sample = z.Game.sample

    human, heard = scripted("hint")
    human.choose(Silent(), Silent().initial())
    assert "no hints" in "\n".join(heard)


def test_an_action_called_like_a_command_is_the_action():
    tree = z.Tree({"max": {"undo": 1, "hint": 2}})
    human, _ = scripted("hint")
    assert human.choose(tree, tree.initial()) == 1


def test_rules_that_choke_on_what_people_type_lose_nothing():
    class Choking(Circle):
        def read_action(self, s, text):
            return int(text)

    human, heard = scripted("two", "5", "2")
    assert human.choose(Choking(), Choking().initial()) == 2
    assert any("ValueError" in text for text in heard)
    assert any("not legal" in text for text in heard)


def test_a_game_with_a_human_is_told_in_the_terminal(capsys, monkeypatch):
    lines = iter(["a1", "resign"])
    monkeypatch.setattr("builtins.input", lambda _prompt: next(lines))
    play(load("tictactoe"), [Human(), Player("random:seed=1")])
    out = capsys.readouterr().out
    assert "o plays" in out
    assert "x resigns: o wins." in out


def test_what_rounding_leaves_in_place_of_nothing_is_not_told():
    assert [say_number(value) for value in (-4.3368e-19, 0.1 + 0.2, 0.15645)] == ["0", "0.3", "0.15645"]
