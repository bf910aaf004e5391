"""A UCI program plays; whatever it does wrong is one typed failure, and the next game goes on."""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import pytest

from zermelo.analysis import Clock
from zermelo.arena import Player
from zermelo.arena.players import make_player
from zermelo.errors import MethodError, OptionError, PlayerError
from zermelo.games import load
from zermelo.play.notation import legal_actions

FAKE = f"{sys.executable} {Path(__file__).with_name('fake_uci.py')}"
OURS = f"{sys.executable} -m zermelo engine"


@pytest.fixture
def tictactoe():
    return load("tictactoe")


@pytest.fixture
def seated():
    """Makes players, and closes them in the end."""
    made = []

    def make(text):
        made.append(make_player(text))
        return made[-1]

    yield make
    for player in made:
        player.close()


def finish(game, player, clock=None, seed=1):
    """The actions of a game in which `player` begins and chance answers."""
    dice = random.Random(seed)
    state, history, actions = game.initial(), [], []
    while not game.is_terminal(state):
        if game.player(state) == 0:
            action = player.think(game, state, history, clock or Clock()).action
        else:
            action = dice.choice(legal_actions(game, state, history))
        assert action in legal_actions(game, state, history)
        actions.append(action)
        history.append(state)
        state = game.result(state, action)
    return actions


def test_a_program_plays_game_after_game(tictactoe, seated):
    player = seated(f"uci:{FAKE}")
    assert finish(tictactoe, player, seed=1)
    process = player.program.process
    player.begin(tictactoe, 0)
    assert finish(tictactoe, player, seed=2)
    assert player.program.process is process


def test_what_a_program_thinks_is_its_best_line_and_no_bound(tictactoe, seated):
    choice = seated(f"uci:{FAKE}").think(tictactoe, tictactoe.initial(), [], Clock())
    assert (choice.action, choice.value, choice.depth, choice.nodes) == (0, 0.025, 3, 99)


@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        ("hangs", "hang", "does not answer"),
        ("dies", "crash", "ended with code 3; its last words: the end is near"),
        ("crashes", "crash", "killed by SIGSEGV"),
        ("illegal", "illegal move", "plays 'a1'"),
        ("nonsense", "illegal move", "is not a legal"),
        ("no-move", "garbage", "no move"),
        ("floods", "garbage", "and no answer"),
        ("one-line", "garbage", "and no answer"),
        ("closes", "crash", "has closed its output"),
        ("slow", "time", "before it was told to stop"),
    ],
)
def test_every_failure_has_its_kind_and_the_next_game_a_new_process(tictactoe, seated, fault, kind, says):
    player = seated(f"uci:{FAKE} {fault}?depth=2")
    player.begin(tictactoe, 0)
    player.patience = 0.3 if kind in ("hang", "time") else 60
    with pytest.raises(PlayerError, match=says) as caught:
        finish(tictactoe, player)
    assert caught.value.kind == kind
    player.patience = 60
    assert player.think(tictactoe, tictactoe.initial(), [], Clock()).action == 0


def test_a_clock_that_has_run_out_ends_the_wait(tictactoe, seated):
    player = seated(f"uci:{FAKE} hangs")
    with pytest.raises(PlayerError) as caught:
        finish(tictactoe, player, Clock(remaining=(0.05, 9.0)))
    assert caught.value.kind == "hang"


@pytest.mark.parametrize(("fault", "kind"), [("silent", "hang"), ("garbage", "garbage"), ("no-file", "crash")])
def test_a_program_that_does_not_shake_hands_is_no_player(tictactoe, seated, fault, kind):
    command = FAKE.replace("fake_uci", "missing") if fault == "no-file" else f"{FAKE} {fault}"
    player = seated(f"uci:{command}?patience={0.5 if fault == 'silent' else 60}")
    with pytest.raises(PlayerError) as caught:
        player.begin(tictactoe, 0)
    assert caught.value.kind == kind
    assert player.program is None


def test_a_program_that_reads_nothing_is_found_out(tictactoe, seated):
    player = seated(f"uci:{FAKE} deaf?Skill Level={'1' * 1_000_000}")
    patience = iter([60, 60])  # until it has shaken hands
    player.soon = lambda: time.monotonic() + next(patience, 0.3)
    with pytest.raises(PlayerError, match="does not read") as caught:
        player.begin(tictactoe, 0)
    assert caught.value.kind == "hang"


def test_standard_error_never_blocks_a_program(tictactoe, seated):
    assert finish(tictactoe, seated(f"uci:{FAKE} talks"))


def test_a_program_that_will_not_quit_is_ended_with_its_children(tictactoe):
    player = make_player(f"uci:{FAKE} no-quit")
    finish(tictactoe, player)
    process = player.program.process
    child = int(player.program._errors.split()[1])
    player.close()
    player.close()
    assert process.returncode is not None
    for _ in range(500):  # a killed grandchild is reaped by init, in its own time
        if not is_alive(child):
            break
        time.sleep(0.01)
    assert not is_alive(child)


def is_alive(number):
    try:
        os.kill(number, 0)
        state = Path(f"/proc/{number}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def said(player):
    """What the program with the fault `echo` has been told, word for word."""
    player.program.close("quit")
    lines = player.program._errors.decode().splitlines()
    return [line.removeprefix("heard ") for line in lines]


def test_options_may_have_blanks_and_limits_are_the_players_own(tictactoe, seated):
    player = seated(f"uci:{FAKE} echo?skill level=7&depth=5&nodes=1000")
    player.think(tictactoe, tictactoe.initial(), [], Clock())
    told = said(player)
    assert "setoption name Skill Level value 7" in told
    assert told[told.index("position startpos") :][:2] == ["position startpos", "go nodes 1000 depth 5"]


@pytest.mark.parametrize(
    ("options", "clock", "go"),
    [
        ("", Clock(), "go movetime 1000"),
        ("seconds=0.5", Clock(), "go movetime 500"),
        ("depth=4", Clock(), "go depth 4"),
        ("", Clock(remaining=(60.0, 59.5)), "go wtime 60000 btime 59500"),
        ("", Clock(remaining=(60.0, 59.5), increment=2.0), "go wtime 60000 btime 59500 winc 2000 binc 2000"),
        ("seconds=1", Clock(remaining=(60.0, 60.0)), "go movetime 1000"),
        ("seconds=9", Clock(remaining=(60.0, 60.0)), "go wtime 60000 btime 60000"),
        ("seconds=9", Clock(move_seconds=2.0), "go movetime 2000"),
        ("nodes=500", Clock(nodes=200), "go nodes 200"),
        ("", Clock(remaining=(25.25, 9.0, 9.0)), "go movetime 980"),
    ],
)
def test_the_smaller_of_the_clock_and_the_players_limits_is_sent(options, clock, go):
    assert make_player(f"uci:{FAKE}?{options}").go(clock, 0) == go


def test_a_position_that_is_not_the_start_is_sent_as_text(tictactoe, seated):
    player = seated(f"uci:{FAKE} echo")
    start = tictactoe.read("oo./xx./...")
    player.think(tictactoe, tictactoe.result(start, 2), [start], Clock())
    assert "position fen oo./xx./... moves c1" in said(player)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "say which program"),
        ("no-such-program", "there is no program"),
        ("'", "not a command line"),
        (f"{FAKE}?Hash", "write NAME=VALUE"),
        (f"{FAKE}?depth=deep", "depth must be a number"),
        (f"{FAKE}?patience=-1", "more than 0"),
    ],
)
def test_a_text_that_names_no_program_says_why(text, says):
    with pytest.raises(OptionError, match=says):
        make_player(f"uci:{text}")


def test_an_option_that_the_program_does_not_have_is_named(tictactoe, seated):
    with pytest.raises(OptionError, match=r"no option 'Hash'; it has: Skill Level"):
        seated(f"uci:{FAKE}?Hash=3").begin(tictactoe, 0)


def test_hidden_information_is_not_told_to_programs(seated):
    with pytest.raises(MethodError, match="hides information"):
        seated(f"uci:{FAKE}").begin(load("blind-tictactoe"), 0)


@pytest.mark.parametrize("name", ["connect4", "race", "checkers:draw_after=20"])
def test_our_own_engine_plays_a_legal_game_as_an_outside_program(seated, name):
    assert finish(load(name), seated(f"uci:{OURS} {name}?depth=2&Hash=1"))


def test_a_player_by_its_text_hands_everything_on(tictactoe):
    player = Player(f"uci:{FAKE}")
    player.begin(tictactoe, 0)
    assert player.think(tictactoe, tictactoe.initial()).depth == 3
    assert player.choose(tictactoe, tictactoe.initial()) == 0
    player.close()
    player.close()
