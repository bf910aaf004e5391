"""A class of one's own plays in a process of its own, and hurts nobody but itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from zermelo.analysis import Clock
from zermelo.arena.players import make_player
from zermelo.arena.players.python import write_rules
from zermelo.errors import OptionError, PlayerError
from zermelo.game import Game
from zermelo.games import games, load
from zermelo.play import Wish

BOTS = Path(__file__).with_name("bots.py")


@pytest.fixture
def bot():
    """Makes players of the classes in `bots.py`, and closes them in the end."""
    made = []

    def make(text):
        made.append(make_player(f"python:{BOTS}:{text}"))
        return made[-1]

    yield make
    for player in made:
        player.close()


def finish(game, player, clock=None):
    """The states of a game in which `player` has every seat."""
    player.begin(game, 0)
    return play_on(game, player, clock)


def play_on(game, player, clock=None):
    states = [game.initial()]
    while not game.is_terminal(states[-1]):
        *history, state = states
        action = player.think(game, state, history, clock or Clock()).action
        assert action in list(game.actions(state))
        states.append(game.result(state, action))
    return states


def test_a_bot_may_print_and_read_as_it_likes(bot):
    game, player = load("tictactoe"), bot("First")
    assert len(finish(game, player)) > 5
    child = player.program.process
    assert len(finish(game, player)) > 5
    assert player.program.process is child


@pytest.mark.parametrize("name", [name for name, game in games().items() if not game().can("chances")])
def test_every_game_can_be_sent_to_a_bot(bot, name):
    game = load(name)
    assert bot("First").choose(game, game.initial()) == next(iter(game.actions(game.initial())))


def test_a_game_in_a_file_of_ones_own_can_be_sent_to_a_bot(bot, tmp_path):
    file = tmp_path / "my_game.py"
    file.write_text(
        "import zermelo\nfrom typing import NamedTuple\n"
        "class Count(zermelo.Game):\n"
        "    class State(NamedTuple):\n        n: int\n"
        "    def initial(self): return self.State(3)\n"
        "    def player(self, s): return s.n % 2\n"
        "    def actions(self, s): return [1] if s.n else []\n"
        "    def result(self, s, a): return self.State(s.n - a)\n"
        "    def is_terminal(self, s): return s.n == 0\n"
        "    def utility(self, s, p): return 1.0 if p else -1.0\n"
    )
    assert len(finish(load(f"{file}:Count"), bot("First"))) == 4


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("Looping", "hang", "does not answer"),
        ("Leaving", "crash", "ended with code 7"),
        ("Exiting", "crash", "ended with code 9"),
        ("Crashing", "crash", "killed by SIGSEGV"),
        ("Greedy", "crash", "MemoryError"),
        ("Raising", "crash", "raised LookupError: lost"),
        ("Cheating", "illegal move", "plays 99"),
        ("Silent", "illegal move", "plays None"),
    ],
)
def test_every_failure_has_its_kind_and_the_next_game_a_new_process(bot, name, kind, says):
    game, player = load("tictactoe"), bot(f"{name}:option=2,patience=60,memory=2000")
    player.begin(game, 0)
    player.patience = 0.5 if kind == "hang" else 60.0
    with pytest.raises(PlayerError, match=says) as caught:
        play_on(game, player)
    assert caught.value.kind == kind
    player.patience = 60.0
    assert player.choose(game, game.initial()) == 0


def test_a_clock_that_has_run_out_ends_the_wait(bot):
    game, player = load("tictactoe"), bot("Looping")
    states = [game.initial(), game.result(game.initial(), 0)]
    state = game.result(states[-1], 1)
    player.begin(game, 0)
    with pytest.raises(PlayerError, match="does not answer"):
        player.think(game, state, states, Clock(move_seconds=0.05))


def test_a_bot_may_think_aloud_and_resign(bot):
    game = load("tictactoe")
    states = [game.initial(), game.result(game.initial(), 4)]
    choice = bot("Thinking").think(game, states[1], states[:1], Clock(nodes=7))
    assert choice == (0, 0.25, 1, 7)
    assert bot("Resigning").choose(game, game.initial()) is Wish.RESIGN


def test_a_bot_is_told_when_a_game_begins(bot):
    game, player = load("tictactoe"), bot("Watching")
    player.begin(game, 0)
    player.begin(game, 1)
    assert player.choose(game, game.initial()) == 2


def test_only_new_states_are_sent_and_a_game_that_goes_back_is_understood(bot):
    game, player = load("tictactoe"), bot("Thinking")
    states = finish(game, player)
    assert player.think(game, states[2], states[:2], Clock()).depth == 2
    assert player.think(game, states[3], states[:3], Clock()).depth == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bot", "say which class plays"),
        ("missing.py:Bot", "there is no file"),
        (f"{BOTS}:First:patience=no", "patience must be a number"),
    ],
)
def test_a_text_that_names_no_class_says_why(text, says):
    with pytest.raises(OptionError, match=says):
        make_player(f"python:{text}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Missing", "say which class"),
        ("First:colour=1", "no option 'colour'"),
        ("Incapable", "has no `choose"),
        ("Unmakeable", "not today"),
    ],
)
def test_a_class_that_cannot_play_says_why(bot, text, says):
    with pytest.raises(OptionError, match=says):
        bot(text).begin(load("tictactoe"), 0)


def test_rules_that_another_process_cannot_find_are_refused():
    class Local(Game):
        pass

    with pytest.raises(OptionError, match="top of a file"):
        write_rules(Local())
    script = type("Script", (Game,), {"__module__": "__main__"})
    with pytest.raises(OptionError, match="file of its own"):
        write_rules(script())
