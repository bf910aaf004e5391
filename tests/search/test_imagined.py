"""PIMC and αμ: averaging over clairvoyance, its diseases, and the cure of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

import zermelo as z
from zermelo.arena.play import play
from zermelo.arena.players import make_player
from zermelo.engine.imagined import Clairvoyant
from zermelo.search import alphamu, pimc
from zermelo.search.alphamu import dominates, undominated
from zermelo.search.trace import Trace


class Guess(z.Game[Any, int]):
    """Take ½ for sure (1), or go on (0) and guess which way a coin lies: in every world one can win 1."""

    class State(NamedTuple):
        coin: int
        choice: int = -1
        guess: int = -1

    def initial(self) -> State:
        return self.State(-1)

    def player(self, s: State) -> int:
        return z.CHANCE if s.coin < 0 else 0

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            yield 0
            yield 1

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        yield 0, 0.5
        yield 1, 0.5

    def result(self, s: State, a: int) -> State:
        if s.coin < 0:
            return self.State(a, -1, -1)
        return self.State(s.coin, a, -1) if s.choice < 0 else self.State(s.coin, s.choice, a)

    def is_terminal(self, s: State) -> bool:
        return s.choice == 1 or s.guess >= 0

    def utility(self, s: State, p: int) -> float:
        mine = 0.5 if s.choice == 1 else 1.0 if s.guess == s.coin else -1.0
        return mine if p == 0 else -mine

    def view(self, s: State, p: int) -> tuple[int, int, int]:
        return (1 if s.coin >= 0 else 0), s.choice, s.guess

    def sample(self, view: tuple[int, int, int], p: int, random: Random) -> State:
        return self.State(random.randrange(2), *view[1:])


DEALT = Guess.State(0)
"""A position of `Guess` in which player 0 chooses."""


class Locality(z.Game[Any, int]):
    """MIN, who knows which of three worlds it is, goes left or right; on the left MAX chooses.

    Left: action 0 brings 1 in world 0 alone, and action 1 in worlds 1 and 2. Right: 1 in world 0 alone. MIN goes right
    in worlds 1 and 2, so on the left it is world 0.
    """

    class State(NamedTuple):
        world: int
        start: int = -1  # MAX goes first, with one action
        side: int = -1
        choice: int = -1

    def initial(self) -> State:
        return self.State(0)

    def player(self, s: State) -> int:
        return 1 if s.start == 0 and s.side < 0 else 0

    def actions(self, s: State) -> tuple[int, ...]:
        return () if self.is_terminal(s) else (0,) if s.start < 0 else (0, 1)

    def result(self, s: State, a: int) -> State:
        return s._replace(start=a) if s.start < 0 else s._replace(side=a) if s.side < 0 else s._replace(choice=a)

    def is_terminal(self, s: State) -> bool:
        return s.side == 1 or s.choice >= 0

    def utility(self, s: State, p: int) -> float:
        won = (s.world == 0) == (s.side == 1 or s.choice == 0)
        return (1.0 if won else -1.0) * (1 if p == 0 else -1)

    def view(self, s: State, p: int) -> tuple[int, ...]:
        return (s.world if p == 1 else 0, *s[1:])

    def sample(self, view: tuple[int, ...], p: int, random: Random) -> State:
        return self.State(random.randrange(3), *view[1:])


@pytest.mark.parametrize("game", [z.pimc, pimc])
def test_pimc_fuses_the_strategies_of_all_worlds(game: Any) -> None:
    found = game(Guess(), DEALT)
    assert (found.action, found.actions) == (0, {0: 1.0, 1: 0.5})
    assert found.visits == {0: 20, 1: 0}
    assert not found.exact


@pytest.mark.parametrize("search", [z.alphamu, alphamu])
def test_alphamu_takes_what_is_sure(search: Any) -> None:
    found = search(Guess(), DEALT, worlds=40, moves=2)
    assert found.action == 1
    assert found.actions[1] == 0.5
    assert found.actions[0] <= 0.3  # as many worlds of each kind as were drawn


def test_alphamu_with_one_move_is_pimc() -> None:
    assert alphamu(Guess(), DEALT, moves=1).actions == pimc(Guess(), DEALT).actions
    game = z.load("blind-tictactoe")
    s = game.result(game.initial(), 4)
    one, other = alphamu(game, s, worlds=6, depth=2, moves=1), pimc(game, s, worlds=6, depth=2)
    assert one.actions == pytest.approx(other.actions)


def test_fronts_leave_the_choice_to_where_all_worlds_are_in_view() -> None:
    game = Locality()
    found = alphamu(game, game.initial(), worlds=300, moves=2, trace=True)
    fronts = [event["vectors"] for event in found.trace.events if event["event"] == "front"]
    # Action 1 looks best on the left, and would lose in all worlds: in those where it wins MIN goes right.
    assert max(len(front) for front in fronts) == 2
    assert found.value == pytest.approx(-1 / 3, abs=0.2)


def test_more_moves_promise_less() -> None:
    values = [alphamu(Guess(), DEALT, moves=moves).actions[0] for moves in (1, 2)]
    assert values[0] >= values[1]


def test_a_front_keeps_what_nothing_beats_everywhere() -> None:
    assert undominated([(1, 0), (0, 1), (0, 0), (1, 0)]) == [(1, 0), (0, 1)]
    assert undominated([(0, 0), (1, 1)]) == [(1, 1)]
    assert dominates((1, 1), (1, 0))
    assert not dominates((1, 0), (0, 1))


def test_the_vote_may_choose_otherwise_than_the_mean() -> None:
    class Lottery(Guess):
        def utility(self, s: Guess.State, p: int) -> float:
            mine = 0.0 if s.choice == 1 else 0.1 if s.coin == 0 else -1.0
            return mine if p == 0 else -mine

        def sample(self, view: tuple[int, int, int], p: int, random: Random) -> Guess.State:
            return self.State(int(random.random() < 0.25), *view[1:])

    assert pimc(Lottery(), DEALT, worlds=60).action == 1
    assert pimc(Lottery(), DEALT, worlds=60, choose="vote").action == 0


def test_the_core_says_of_the_worlds_what_the_textbook_says() -> None:
    native, plain = z.pimc(Guess(), DEALT, worlds=5), pimc(Guess(), DEALT, worlds=5)
    assert (native.actions, native.visits) == (plain.actions, plain.visits)
    native, plain = z.alphamu(Guess(), DEALT, worlds=5), alphamu(Guess(), DEALT, worlds=5)
    assert native.actions == plain.actions


def test_chance_may_move_once_more_after_the_worlds_are_drawn() -> None:
    class Toss(Guess):
        """Here the coin is thrown after the choice, and the guess comes after that, blindly."""

        def player(self, s: Guess.State) -> int:
            return z.CHANCE if s.choice == 0 and s.coin < 0 else 0

        def result(self, s: Guess.State, a: int) -> Guess.State:
            if s.choice < 0:
                return self.State(s.coin, a, -1)
            return self.State(a, s.choice, -1) if s.coin < 0 else self.State(s.coin, s.choice, a)

        def sample(self, view: tuple[int, int, int], p: int, random: Random) -> Guess.State:
            return self.State(random.randrange(2) if view[0] else -1, *view[1:])

    game = Toss()
    for search in (z.pimc, pimc):
        assert search(game, game.initial(), worlds=2).actions == {0: 1.0, 1: 0.5}
    assert alphamu(game, game.initial(), worlds=2, moves=1).actions == {0: 1.0, 1: 0.5}
    assert alphamu(game, game.initial(), worlds=2, moves=2).actions == {0: 0.0, 1: 0.5}


def test_worlds_verdicts_and_votes_can_be_watched(tmp_path: Any) -> None:
    found = pimc(Guess(), DEALT, worlds=2, seed=3, trace=True)
    text = found.trace.text()
    assert "── world 1: (0,-1,-1) ──" in text
    assert "best there: 0" in text
    assert "votes 0 2" in text
    told = [event["event"] for event in found.trace.events]
    assert told.count("world") == told.count("vote") == 2
    found.trace.save(tmp_path / "trace.jsonl")
    again = Trace.load(tmp_path / "trace.jsonl")
    assert again.text() == text
    assert "<html" in found.trace.html()
    assert found.trace.svg().startswith("<svg")


def test_fronts_can_be_watched() -> None:
    text = alphamu(Guess(), DEALT, moves=2, seed=1, trace=True).trace.text()
    assert "front (1, −1) or (−1, 1)" in text or "front (−1, 1) or (1, −1)" in text
    assert "front (0.5, 0.5)" in text
    assert "── 2 own moves ──" in text


def test_a_trace_has_room_for_so_many_steps() -> None:
    found = pimc(Guess(), DEALT, trace=10)
    assert found.trace.header["truncated"]
    assert len(found.trace.events) == 11


def test_time_ends_both() -> None:
    for search in (z.pimc, z.alphamu):
        found = search(Guess(), DEALT, seconds=0.05)
        assert found.action in (0, 1)
    assert pimc(Guess(), DEALT, stop=lambda: True).stopped == "stop"


def test_what_does_not_fit_gets_one_line() -> None:
    with pytest.raises(z.MethodError, match="hides nothing"):
        z.pimc(z.load("tictactoe"))
    with pytest.raises(z.ZermeloError, match="worlds must be a whole number"):
        z.pimc(Guess(), DEALT, worlds=0)
    with pytest.raises(z.ZermeloError, match="no option 'moves'"):
        z.pimc(Guess(), DEALT, moves=2)
    with pytest.raises(z.MethodError, match="chance moves in"):
        z.pimc(Guess())
    unsampled = type("Unsampled", (Guess,), {"sample": z.Game.sample})
    with pytest.raises(z.MethodError, match="write `def sample"):
        z.alphamu(unsampled(), DEALT)


def test_judges_share_an_engine() -> None:
    game = Guess()
    judge = Clairvoyant(game)
    for _ in range(3):
        pimc(game, DEALT, judge=judge)
    assert list(judge.engines) == [False]


def test_players_imagine_worlds() -> None:
    for text in ("pimc:worlds=3", "pimc:seconds=0.02,choose=vote", "alphamu:worlds=2,moves=1"):
        record = play(Guess(), [make_player(text), make_player("random:seed=2")], seed=1)
        assert record.utilities is not None
    with pytest.raises(z.ZermeloError, match="moves must be a whole number"):
        make_player("alphamu:moves=0")
