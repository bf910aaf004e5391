"""A live game goes on one step at a time, wherever its moves come from, and back again."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import ContractError
from zermelo.game import CHANCE
from zermelo.game.text import freeze
from zermelo.play import Ending, Forfeit, LiveGame, MoveRequest, PlayerMove, Ply, Wish
from zermelo.play.notation import legal_actions


class Scripted:
    """A player that plays what it is given, then whatever comes first."""

    def __init__(self, name: str, script: list[Any] | None = None):
        self.name = name
        self.script = list(script or [])

    def choose(self, game: Any, state: Any, history: Any) -> Any:
        return self.script.pop(0) if self.script else next(iter(game.actions(state)))


def walk(live: LiveGame, dice: random.Random, plies: int) -> None:
    """Goes on by legal moves chosen at random."""
    for _ in range(plies):
        pending = live.step()
        if isinstance(pending, Ending):
            return
        if isinstance(pending, MoveRequest):
            live.push(dice.choice(live.legal_actions()))


def test_a_step_returns_control_where_a_player_must_choose() -> None:
    live = LiveGame(z.load("tictactoe"))
    assert live.step() == live.step() == MoveRequest(0)
    assert live.mover == 0
    assert live.last is None
    ply = live.push(4, seconds=1.5)
    assert live.last is ply
    assert (ply.mover, ply.action, ply.seconds, ply.state) == (0, 4, 1.5, live.start)
    assert live.step() == MoveRequest(1)
    assert live.history == [live.start]
    assert 4 not in live.legal_actions()


def test_a_step_rolls_the_dice_by_itself() -> None:
    live = LiveGame(z.load("pig"), dice=random.Random(1))
    live.push(live.legal_actions()[0])
    assert live.mover == CHANCE
    ply = live.step()
    assert isinstance(ply, Ply)
    assert ply.mover == CHANCE
    assert ply.action in [outcome for outcome, _ in live.game.chances(ply.state)]
    assert isinstance(live.step(), MoveRequest)


def test_a_game_over_says_why_and_offers_nothing() -> None:
    live = LiveGame(z.load("tictactoe"))
    for action in (0, 3, 1, 4, 2):
        assert not live.is_over
        live.push(action)
    assert live.is_over
    assert live.step() == live.ending == Ending((1.0, -1.0))
    assert live.mover is None
    assert live.legal_actions() == []
    record = live.record()
    assert (record.utilities, record.reason, record.players) == ((1.0, -1.0), "", ("x", "o"))


@settings(deadline=None, max_examples=60)
@given(
    name=st.sampled_from(["tictactoe", "pig", "breakthrough", "go:size=3", "kuhn", "nim", "backgammon"]),
    seed=st.integers(0, 1 << 30),
    plies=st.integers(0, 40),
    back=st.integers(0, 45),
)
def test_undoing_gives_the_game_that_was(name: str, seed: int, plies: int, back: int) -> None:
    game = z.load(name)
    live, kept = LiveGame(game, dice=random.Random(seed)), [LiveGame(game)]
    dice = random.Random(seed)
    for _ in range(plies):
        walk(live, dice, 1)
        if len(live.plies) == len(kept):
            kept.append(LiveGame(game))
            for ply in live.plies:
                kept[-1].push(ply.action)
    for _ in range(min(back, len(live.plies))):
        assert live.undo()
    earlier = kept[len(live.plies)]
    assert freeze(live.state) == freeze(earlier.state)
    assert list(map(freeze, live.history)) == list(map(freeze, earlier.history))
    assert live.ending == earlier.ending
    if not live.is_over:
        assert live.legal_actions() == earlier.legal_actions() == legal_actions(game, live.state, live.history)
        assert live.occurrences(live.state) == earlier.occurrences(earlier.state)


def test_there_is_nothing_to_undo_at_the_start() -> None:
    live = LiveGame(z.load("tictactoe"))
    assert not live.undo()
    live.push(0)
    assert not live.undo(1)
    assert live.undo(0)
    assert live.state == live.start


class Circle(z.Game):
    """Round and round three places; nobody ever wins."""

    repetition = "draw"
    occurrences = 3

    def initial(self) -> Any:
        return (0, 0)

    def player(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> list[int]:
        return [0]

    def result(self, s: Any, a: Any) -> Any:
        return ((s[0] + 1) % 3, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return False

    def utility(self, s: Any, p: int) -> float:
        return 0.0


def test_a_position_that_comes_back_often_enough_ends_the_game_and_undoing_revives_it() -> None:
    live = LiveGame(Circle())
    while not live.is_over:
        live.push(0)
    assert live.ending == Ending((0.0, 0.0), "repetition")
    assert live.occurrences(live.state) == 3
    assert len(live.plies) == 12
    live.undo()
    assert live.step() == MoveRequest(1)


def test_the_positions_before_the_game_count_as_repetitions_too() -> None:
    before = LiveGame(Circle())
    for _ in range(10):
        before.push(0)
    live = LiveGame(Circle(), before.state, history=before.history)
    live.push(0)
    assert not live.is_over
    live.push(0)
    assert live.ending == Ending((0.0, 0.0), "repetition")


def test_a_move_may_start_from_a_state_with_the_other_player_to_move() -> None:
    game: Any = z.load("go:size=5")
    live = LiveGame(game)
    live.push(0)
    live.push(1, state=game.with_turn(live.state, 0))
    assert [ply.mover for ply in live.plies] == [0, 0]
    assert live.mover == 1
    live.undo()
    assert live.mover == 1
    assert live.history == [live.start]


def test_a_game_that_is_long_enough_is_left_unfinished() -> None:
    live = LiveGame(Circle(), longest_plies=4)
    for _ in range(4):
        assert live.ending is None
        live.push(0)
    assert live.ending == Ending(None, "length")


def test_players_play_a_whole_game_and_wishes_are_granted() -> None:
    told: list[Any] = []
    x = Scripted("x", [0, 1, Wish.UNDO, 4])
    live = LiveGame(z.load("tictactoe"), players=[x, Scripted("o", [3, 5])], watch=told.append)
    record = live.play()
    assert record.utilities is not None
    assert [move.action for move in told[:6]] == [0, 3, 1, 5, Wish.UNDO, 4]
    resigned = LiveGame(z.load("tictactoe"), players=[Scripted("x", [Wish.RESIGN]), Scripted("o")]).play()
    assert (resigned.utilities, resigned.reason, resigned.culprit) == ((-1.0, 1.0), "resignation", 0)


def test_asking_leaves_the_game_where_it_is_and_a_failure_is_the_players() -> None:
    live = LiveGame(z.load("tictactoe"), players=[Scripted("x", [4, 99]), Scripted("o")])
    ply = live.ask()
    assert (ply.move, live.plies) == (PlayerMove(4), [])
    with pytest.raises(Forfeit, match="not legal") as caught:
        live.ask()
    assert (caught.value.seat, caught.value.kind) == (0, "illegal move")


def test_rules_without_an_action_are_a_broken_contract() -> None:
    class Stuck(Circle):
        def actions(self, s: Any) -> list[int]:
            return []

    with pytest.raises(ContractError, match="offers no action"):
        LiveGame(Stuck()).legal_actions()
