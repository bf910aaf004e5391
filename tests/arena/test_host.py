"""A host plays whole games, blames whoever fails, and gives both sides the same luck."""

from __future__ import annotations

import os
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.arena.broken import HERE, RULES, bot, engine

from zermelo.arena.host import MOST_WAITING_PLAYERS, NOBODY, Host
from zermelo.arena.openings import Opening
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameJob, Terms, points_of, points_without
from zermelo.arena.tournament import Tournament
from zermelo.errors import ContractError, OptionError
from zermelo.game import CHANCE
from zermelo.games import load
from zermelo.play import PlayerMove, Wish


class Scripted:
    """Does what `act(game, state)` does."""

    def __init__(self, name, act):
        self.name = name
        self.act = act

    def choose(self, game, state, history):
        return self.act(game, state)


class Telling(Scripted):
    def think(self, game, state, history, clock):
        return self.act(game, state)


def first(game, state):
    return next(iter(game.actions(state)))


def hold(game, *players, host=None, seed=1, **terms):
    """One game; players are texts or objects."""
    own = {player.name: player for player in players if not isinstance(player, str)}
    host = host or Host(own=own)
    names = tuple(player if isinstance(player, str) else player.name for player in players)
    try:
        return host.play(GameJob(0, game, names, Opening(), seed, Terms(**terms)))
    finally:
        host.close()


SOUND = Scripted("sound", first)


# Points.


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, float("inf"), float("-inf")]), min_size=2, max_size=6))
def test_points_of_a_game_add_up_to_half_its_players_and_follow_the_utilities(utilities):
    points = points_of(utilities)
    assert sum(points) == pytest.approx(len(utilities) / 2)
    for (mine, got), (theirs, they) in pairwise(sorted(zip(utilities, points, strict=True))):
        assert (mine < theirs) == (got < they)


@given(st.integers(2, 6), st.data())
def test_whoever_fails_loses_to_all_others_who_are_equal(seats, data):
    culprit = data.draw(st.integers(0, seats - 1))
    points = points_without(seats, culprit)
    assert points[culprit] == 0.0
    assert len({*points[:culprit], *points[culprit + 1 :]}) == 1
    assert sum(points) == pytest.approx(seats / 2)


# Fouls.


class Weird:
    def __eq__(self, other):
        raise RuntimeError("not comparable")

    __hash__ = None


def raise_(error):
    raise error


@pytest.mark.parametrize(
    ("player", "reason", "detail"),
    [
        (Scripted("x", lambda *_: 99), "illegal move", "99"),
        (Scripted("x", lambda *_: None), "illegal move", "None"),
        (Scripted("x", lambda *_: "x" * 10_000), "illegal move", "xxx"),
        (Scripted("x", lambda *_: np.array([1, 2])), "crash", "ValueError"),
        (Scripted("x", lambda *_: Weird()), "crash", "not comparable"),
        (Scripted("x", lambda *_: raise_(LookupError("lost"))), "crash", "lost"),
        (Scripted("x", lambda *_: raise_(LookupError("half \ud800 of\nlines"))), "crash", "lines"),
        (Scripted("x", lambda *_: raise_(SystemExit(3))), "crash", "SystemExit"),
        (Scripted("x", lambda *_: raise_(RecursionError())), "crash", "RecursionError"),
        (Scripted("x", lambda *_: Wish.UNDO), "illegal move", "take a move back"),
        (Scripted("x", lambda *_: Wish.LEAVE), "left", "left the game"),
        (Telling("x", lambda *_: 1), "garbage", "not a `PlayerMove`"),
        (Telling("x", lambda *_: None), "garbage", "not a `PlayerMove`"),
        (Telling("x", lambda game, state: PlayerMove(first(game, state), "much")), "crash", "much"),
    ],
)
def test_a_player_that_fails_loses_its_game_and_the_reason_is_kept(player, reason, detail):
    outcome = hold("tictactoe", SOUND, player)
    record = outcome.record
    assert (record.reason, record.culprit, outcome.points) == (reason, 1, (1.0, 0.0))
    assert detail in record.detail
    assert len(record.detail) <= 500
    assert "\n" not in record.detail
    assert record.utilities == (1.0, -1.0)
    assert len(record.actions) == 1


def test_whoever_resigns_loses():
    outcome = hold("tictactoe", Scripted("x", lambda *_: Wish.RESIGN), SOUND)
    assert (outcome.record.reason, outcome.record.culprit, outcome.points) == ("resignation", 0, (0.0, 1.0))


def test_ctrl_c_is_nobody_s_foul():
    with pytest.raises(KeyboardInterrupt):
        hold("tictactoe", SOUND, Scripted("x", lambda *_: raise_(KeyboardInterrupt())))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("hangs", "hang"),
        ("dies", "crash"),
        ("crashes", "crash"),
        ("garbage", "garbage"),
        ("illegal", "illegal move"),
        ("stillborn", "crash"),
    ],
)
def test_an_outside_program_that_fails_loses(fault, reason):
    outcome = hold(f"{RULES}:stones=30", SOUND, engine(fault), clock="move=0.5", margin=60.0)
    assert (outcome.record.reason, outcome.record.culprit) == (reason, 1)
    assert outcome.record.detail
    assert len(outcome.record.actions) == (0 if fault == "stillborn" else 9)


@pytest.mark.parametrize(
    ("name", "reason", "moves"),
    [
        ("Looping", "hang", 2),
        ("Leaving", "crash", 2),
        ("Unmakeable", "crash", 0),
        ("Unready", "crash", 0),
        ("Unwilling", "crash", 0),
    ],
)
def test_a_class_that_fails_loses(name, reason, moves):
    outcome = hold(RULES, bot(name), SOUND, clock="move=1", margin=60.0)
    assert (outcome.record.reason, outcome.record.culprit, outcome.points) == (reason, 0, (0.0, 1.0))
    assert len(outcome.record.actions) == moves


def test_a_player_that_cannot_be_made_loses():
    outcome = hold("tictactoe", "uci:no-such-program-anywhere", SOUND)
    assert (outcome.record.reason, outcome.record.culprit) == ("crash", 0)
    assert "no-such-program-anywhere" in outcome.record.detail


def test_a_player_that_does_not_fit_the_game_loses():
    outcome = hold("blind-tictactoe", SOUND, engine())
    assert (outcome.record.reason, outcome.record.culprit) == ("crash", 1)
    assert "hides information" in outcome.record.detail


def test_a_player_that_has_failed_is_made_anew():
    host, made = Host(), []

    def play(number):
        try:
            return host.play(GameJob(number, RULES, (engine("dies"), "random"), Opening(), 1, Terms()))
        finally:
            made.append(set(host.players))

    reasons = [play(number).record.reason for number in range(3)]
    host.close()
    assert set(reasons) <= {"crash", ""}
    assert made[0] == ({("random", 1)} if reasons[0] else {(engine("dies"), 0), ("random", 1)})
    assert host.players == {}


def test_a_rule_that_raises_is_the_game_s_fault():
    with pytest.raises(ContractError, match=r"a rule of .* raised LookupError: lost.*rules\.py"):
        hold(f"{RULES}:rules=raise", SOUND, Scripted("x", first))


def test_a_game_that_is_not_there_is_an_error():
    with pytest.raises(OptionError):
        hold(f"{RULES}:stones=many,none=1", SOUND, Scripted("x", first))


# What is kept of a game.


def test_the_game_s_own_action_is_kept_and_thoughts_become_plain_numbers():
    def act(game, state):
        return PlayerMove(np.int64(first(game, state)), np.float32(0.5), np.int32(3), True)

    record = hold("tictactoe", Telling("x", act), Telling("y", act)).record
    assert {type(action) for action in record.actions} == {int}
    assert {type(value) for value in record.values} == {float}
    assert {type(each) for each in record.depths + record.nodes} == {int}


def test_a_value_that_is_no_number_is_not_kept():
    record = hold("tictactoe", Telling("x", lambda g, s: PlayerMove(first(g, s), float("nan"))), SOUND).record
    assert set(record.values) == {None}


def test_a_player_may_spoil_the_history_it_is_given():
    class Spoiler(Scripted):
        def choose(self, game, state, history):
            history.clear()
            return first(game, state)

    record = hold("tictactoe", Spoiler("x", None), Spoiler("y", None)).record
    assert record.actions == (0, 1, 2, 3, 4, 5, 6)


def test_the_names_of_players_may_be_anything():
    outcome = hold("tictactoe", Scripted("Σίσυφος 🪨\n\x07", first), Scripted("'; DROP TABLE game", lambda *_: 99))
    assert outcome.record.players == ("Σίσυφος 🪨\n\x07", "'; DROP TABLE game")


def test_a_player_that_is_empty_is_a_player():
    class Empty(Scripted):
        def __len__(self):
            return 0

    assert hold("tictactoe", Empty("x", first), SOUND).record.reason == ""


# Players are kept, not hoarded.


class Visitor(Scripted):
    def __init__(self, name, log):
        super().__init__(name, first)
        self.log = log

    def begin(self, game, seat):
        self.log.append((self.name, "begin"))

    def close(self):
        self.log.append((self.name, "close"))


def test_players_stay_from_game_to_game_and_the_oldest_leave():
    log = []
    visitors = [Visitor(f"v{i}", log) for i in range(MOST_WAITING_PLAYERS + 8)]
    host = Host(own={each.name: each for each in visitors})
    for number, (one, other) in enumerate(pairwise(visitors)):
        host.play(GameJob(number, "tictactoe", (one.name, other.name), Opening(), 1, Terms()))
        assert len(host.players) <= MOST_WAITING_PLAYERS + 2
    assert ("v0", "close") in log
    assert (visitors[-1].name, "close") not in log
    host.close()
    assert {name for name, what in log if what == "close"} == {each.name for each in visitors}


def test_a_host_tells_who_thinks():
    beats = []
    host = Host(lambda seat, seconds: beats.append((seat, seconds)), own={"a": Scripted("a", first), "b": SOUND})
    host.play(GameJob(0, "tictactoe", ("a", "b"), Opening(), 1, Terms(clock="60+1", margin=0.5, patience=7.0)))
    assert beats[:4] == [(0, 7.0), (NOBODY, 0.0), (1, 7.0), (NOBODY, 0.0)]
    assert [seat for seat, _ in beats[4:]] == [0, NOBODY, 1, NOBODY, 0, NOBODY, 1, NOBODY, 0, NOBODY, 1, NOBODY, 0] + [
        NOBODY
    ] * 2
    assert all(60 < seconds < 75 for seat, seconds in beats[4:] if seat != NOBODY)


# The same luck for both sides.


def rolls(record, game):
    """What each seat rolled, and what it could have rolled."""
    state, found = game.initial(), ([], [])
    for action in record.actions:
        if game.player(state) == CHANCE:
            found[state.turn].append((action, tuple(game.chances(state))))
        state = game.result(state, action)
    return found


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(["pig:goal=20", "race"]), st.integers(0, 1 << 40), st.integers(0, 1 << 20))
def test_the_kth_roll_of_a_seat_is_the_same_in_both_games_of_an_encounter(text, seed, taste):
    game = load(text)

    def player(name, salt):
        dice = random.Random(taste + salt)
        return Scripted(name, lambda g, s: dice.choice(list(g.actions(s))))

    one = hold(text, player("a", 1), player("b", 2), seed=seed)
    two = hold(text, player("b", 2), player("a", 1), seed=seed)
    for seat in (0, 1):
        both = zip(rolls(one.record, game)[seat], rolls(two.record, game)[seat], strict=False)
        assert all(mine == theirs for mine, theirs in both)


def fixtures_of(game, entrants, **more):
    with Tournament.begin(Plan(game, entrants, openings="none", **more)) as tournament:
        return tournament, list(tournament.next_games())


@pytest.mark.parametrize("text", ["pig:goal=20", "race", "blind-tictactoe"])
def test_an_encounter_has_its_seats_swapped_and_all_else_equal(text):
    _, fixtures = fixtures_of(text, ("random", "random:seed=3"), games=6)
    assert len(fixtures) == 6
    for one, other in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert one.seats == other.seats[::-1]
        assert one._replace(number=0, seats=()) == other._replace(number=0, seats=())
    assert len({fixture.seed for fixture in fixtures}) == 3


def test_three_players_rotate_their_seats_under_the_same_dice():
    _, fixtures = fixtures_of("kingmaker", ("random", "random:seed=1", "random:seed=2"), games=4)
    assert [fixture.seats for fixture in fixtures] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)] * 2
    assert len({fixture.seed for fixture in fixtures[:3]}) == 1


@pytest.mark.parametrize(
    ("text", "players"), [("kingmaker", 3), ("blind-tictactoe", 2), ("pig:goal=15", 2), ("race", 2)]
)
def test_the_same_job_gives_the_same_game(text, players):
    job = GameJob(0, text, ("random",) * players, Opening(), 12, Terms())
    one, other = Host().play(job), Host().play(job)
    assert (one.record.actions, one.points) == (other.record.actions, other.points)
    assert one.record.reason == ""
    again = Host()
    again.play(job._replace(seed=5))
    assert again.play(job).record.actions == one.record.actions


def test_actions_may_be_more_than_numbers():
    record = hold(f"{HERE / 'rules.py'}:Pairs", "random", "random").record
    assert all(isinstance(action, tuple) for action in record.actions)


def test_a_thousand_games_leave_no_file_open():
    host = Host(own={"sound": SOUND, "other": Scripted("other", first)})
    host.play(GameJob(0, "tictactoe", ("sound", "other"), Opening(), 1, Terms()))
    before = len(os.listdir("/proc/self/fd"))
    for number in range(1000):
        host.play(GameJob(number, "tictactoe", ("sound", "other"), Opening(), number, Terms()))
    assert len(os.listdir("/proc/self/fd")) == before
