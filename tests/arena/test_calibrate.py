"""Ladders of weakened players, opponents between their rungs, and the ratings of people."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo import Game
from zermelo.arena import make_player
from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.climb import Climb
from zermelo.arena.calibrate.family import Family, Strength, find_family
from zermelo.arena.calibrate.field import Field
from zermelo.arena.calibrate.ladder import Ladder, Rung, find_ladder, read_ladder, shipped_ladder
from zermelo.arena.calibrate.person import KNOWN, Person, keep_person, read_person
from zermelo.arena.calibrate.run import Settings, calibrate
from zermelo.arena.calibrate.weakened import find_weakened
from zermelo.arena.crew.here import Here
from zermelo.arena.openings import Opening, OpeningBook
from zermelo.arena.players import make_players
from zermelo.arena.statistics import Result, expected_score
from zermelo.arena.tournament import match
from zermelo.errors import InputError, MethodError, OptionError, PlayerError
from zermelo.games import games, load


class Stones(Game):
    """Take one, two or three stones; whoever takes the last one wins."""

    class State(NamedTuple):
        stones: int
        turn: int

    def initial(self):
        return self.State(13, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n

    def result(self, s, a):
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


class Solitaire(Stones):
    players = 1


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    monkeypatch.setenv("ZERMELO_DATA", str(folder))
    return folder


def rungs(*ratings):
    return tuple(Rung("random" if i == 0 else f"search:depth={i}", float(elo), elo - 20.0, elo + 20.0, 100.0)
                 for i, elo in enumerate(ratings))  # fmt: skip


def stored(game, *ratings):
    """A ladder of `game` with these ratings, in the data folder."""
    made = Ladder(game.name, files.identity(game), files.rules_of(game), rungs(*ratings))
    path = files.place_of("ladders", game)
    files.write(path, made.data())
    return path


# Noise.


@pytest.mark.parametrize("kind", ["engine:depth=2", "alphabeta:depth=2"])
def test_noise_settles_by_seed_and_without_it_play_is_as_before(kind):
    game = load("connect4")
    s = game.initial()

    def moves(text, times=30):
        player = make_player(text)
        return [player.choose(game, s) for _ in range(times)]

    assert moves(f"{kind},noise=0.5,seed=3") == moves(f"{kind},noise=0.5,seed=3")
    assert moves(f"{kind},noise=0.5,seed=3") != moves(f"{kind},noise=0.5,seed=4")
    assert moves(f"{kind},noise=0") == moves(kind)
    assert set(moves(f"{kind},noise=1,seed=1", 200)) == set(game.actions(s))


def test_a_tournament_settles_noise_unless_the_player_has_a_seed_of_its_own():
    game = load("connect4")
    free, own = make_player("alphabeta:depth=1,noise=1"), make_player("alphabeta:depth=1,noise=1,seed=2")

    def moves(player):
        player.reseed(5)
        return [player.choose(game, game.initial()) for _ in range(30)]

    assert moves(free) == moves(free)
    assert moves(own) != moves(own)


@pytest.mark.parametrize(("kind", "limit"), [("engine", "nodes=400"), ("search", "depth=3")])
def test_more_noise_is_weaker_play(kind, limit):
    scores = []
    for noise in (0.9, 0.5, 0):
        report = match("tictactoe", [f"{kind}:{limit},noise={noise}", "random"], games=80, seed=1)
        scores.append(report.score(0, 1)[0])
    assert scores == sorted(scores)
    assert scores[0] < scores[-1] - 10


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("engine:noise=2", "noise must be a number from 0 to 1"),
        ("engine:noise=yes", "noise must be a number"),
        ("alphabeta:noise=-0.1", "noise must be a number"),
        ("alphabeta:noise=nan", "noise must be a number"),
        ("search:seed=x", "seed must be a whole number"),
        ("rated", "say which rating"),
        ("rated:", "say which rating"),
        ("rated:strong", "NAME=VALUE"),
        ("rated:1e999", "say which rating"),
        ("rated:elo=yes", "say which rating"),
        ("rated:800,speed=3", "no option 'speed'"),
        ("rated:800,seed=1.5", "seed must be"),
        ("rated:800,ladder=3", "ladder must be a file"),
    ],
)
def test_options_that_cannot_be_used_say_why(spec, says):
    with pytest.raises(OptionError, match=says):
        make_player(spec)


# The climb.


class Simulation:
    """Players whose strength is known: a limit is worth `step` Elo, and noise takes all of it away."""

    def __init__(self, step, budget, seed=0):
        self.step = step
        self.left = budget
        self.dice = random.Random(seed)

    def elo(self, text):
        if text == "random":
            return 0.0
        limit, _, noise = text.removeprefix("sim:").partition(",noise=")
        return 400 + self.step * int(limit) * (1 - float(noise or 0) ** 0.5) - 400 * float(noise or 0)

    def meet(self, meetings, count):
        found = []
        for meeting in meetings:
            for _ in range(min(count, self.left)):
                self.left -= 1
                one, other = self.dice.sample(meeting, 2)
                won = self.dice.random() < expected_score(self.elo(one) - self.elo(other))
                found.append(Result(one, other, float(won)))
        return found


@pytest.mark.parametrize("seats", [2, 3])
def test_a_ladder_of_known_players_has_their_ratings_and_no_wide_gaps(seats):
    world = Simulation(step=300, budget=6000)
    climb = Climb(Family("sim", tuple("0123")), seats, world.meet, lambda: world.left <= 0, levels=14)
    climb.run()
    found = climb.rungs()
    assert found[0] == Rung("random", 0.0, 0.0, 0.0, found[0].games)
    assert found[-1].player == "sim:3"
    assert [rung.elo for rung in found] == sorted(rung.elo for rung in found)
    for rung in found:
        assert abs(rung.elo - world.elo(rung.player)) < 3 * max(rung.high - rung.low, 1) / 2
    gaps = [upper.elo - lower.elo for lower, upper in pairwise(found)]
    assert max(gaps) < 300
    assert min(gaps) >= 60


def test_limits_that_bring_nothing_end_the_ascent():
    world = Simulation(step=0, budget=4000)
    climb = Climb(Family("sim", tuple("0123456")), 2, world.meet, lambda: world.left <= 0)
    climb.ascend()
    assert "sim:6" not in climb.pool


def test_a_ladder_has_no_more_levels_than_asked_for_and_keeps_its_ends():
    world = Simulation(step=300, budget=3000)
    climb = Climb(Family("sim", tuple("0123")), 2, world.meet, lambda: world.left <= 0, levels=3)
    climb.run()
    assert [rung.player for rung in climb.rungs()][::2] == ["random", "sim:3"]
    assert len(climb.rungs()) == 3


def test_a_small_real_ladder_is_settled_by_its_seed_and_rises_from_random_play():
    settings = Settings(games=300, nodes=200, seed=1)
    made = calibrate("tictactoe", settings)
    assert made.rungs == calibrate("tictactoe", settings).rungs
    assert made.rungs[0].player == "random"
    assert made.rungs[0].elo == 0
    assert made.highest > 150
    assert made.facts["games"] <= 300
    assert made.facts["anchor"] == {"random": 0}


def test_processes_make_the_same_ladder():
    settings = Settings(games=100, nodes=100)
    assert calibrate("tictactoe", settings, concurrency=2).rungs == calibrate("tictactoe", settings).rungs


@pytest.mark.parametrize("game", [Stones(), "race", "kingmaker:stones=11,most=3"])
def test_games_of_ones_own_with_dice_and_of_three_get_a_ladder(game):
    made = calibrate(game, Settings(games=200, nodes=300))
    assert made.rungs[0].player == "random"
    assert len(made.rungs) >= 2


def test_what_has_no_opponents_is_refused():
    with pytest.raises(MethodError, match="hides information"):
        calibrate("blind-tictactoe")
    with pytest.raises(OptionError, match="for one player"):
        calibrate(Solitaire())
    with pytest.raises(MethodError, match="nobody plays"):
        calibrate("[[1,1],[1,1]]", Settings(games=200))


@pytest.mark.parametrize(
    "settings", [{"games": 3}, {"levels": 1}, {"minutes": 0}, {"minutes": float("nan")}, {"nodes": 0}]
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(OptionError, match="must be"):
        calibrate("tictactoe", Settings(**settings))


def test_the_engine_serves_where_it_can_and_the_textbook_elsewhere():
    assert find_family(load("connect4"), 1000).limits == ("depth=1", "nodes=128", "nodes=512", "nodes=1000")
    assert find_family(load("pig")).kind == "engine"
    circling = load("kingmaker")
    circling.repetition = "draw"  # with three players only the textbook knows that
    family = find_family(circling, 10)
    assert family.text(Strength(1, 0.25)) == "search:nodes=10,noise=0.25"
    assert family.text(Strength(1, 1)) == "random"


def field(crew, games=100, deadline=None):
    return Field("tictactoe", 2, crew, OpeningBook((Opening(),), "none"), seed=0, games=games, deadline=deadline)


def test_time_ends_the_playing_and_so_does_the_number_of_games():
    late = field(Here(), deadline=0.0)
    assert late.play([("random", "search:depth=1")], 10) == []
    assert late.ended == "minutes"
    short = field(Here(), games=7)
    assert len(short.play([("random", "search:depth=1")], 10)) == 6
    assert short.ended == "games"


def test_ctrl_c_ends_the_playing_and_keeps_what_is_known():
    class Interrupted(Here):
        def collect(self):
            raise KeyboardInterrupt

    stopped = field(Interrupted())
    assert stopped.play([("random", "search:depth=1")], 10) == []
    assert stopped.ended == "interrupt"


def test_a_player_that_fails_is_a_fault_and_not_a_weak_player():
    with pytest.raises(PlayerError, match="broke off"):
        field(Here()).play([("random", "expectiminimax:depth=1,null_move=yes,order=nonsense")], 2)


# Ladders and the opponents between rungs.


@given(
    ratings=st.lists(st.integers(1, 400), min_size=1, max_size=8),
    part=st.floats(0, 1),
)
def test_whoever_has_the_rating_of_an_opponent_scores_half_against_it(ratings, part):
    sums = [sum(ratings[:i]) for i in range(len(ratings) + 1)]
    made = Ladder("g", "", "", rungs(*sums))
    elo = made.nearest(part * made.highest)
    lower, upper, share = made.blend(elo)
    assert 0 <= share <= 1
    assert lower.elo <= elo <= upper.elo
    score = share * expected_score(elo - upper.elo) + (1 - share) * expected_score(elo - lower.elo)
    assert score == pytest.approx(0.5)


def test_beyond_the_ladder_there_is_nobody():
    made = Ladder("g", "", "", rungs(0, 200, 400))
    for elo in (-1, 401):
        with pytest.raises(OptionError, match="from 0 to 400"):
            made.blend(elo)
    assert made.level(3).elo == 400
    with pytest.raises(OptionError, match="levels 1 to 3"):
        made.level(4)


def test_a_rated_player_is_one_of_its_neighbours_in_every_game():
    game = load("tictactoe:m=4")
    stored(game, 0, 200, 400)
    player = make_player("rated:300,seed=1")
    seen = Counter()
    for _ in range(200):
        player.begin(game, 0)
        seen[player.player.name] += 1
        assert player.choose(game, game.initial(), []) in list(game.actions(game.initial()))
    assert set(seen) == {"search:depth=1", "search:depth=2"}
    assert 70 < seen["search:depth=1"] < 130
    player.close()


def test_a_rated_player_at_a_table_is_drawn_by_the_seed_of_the_game():
    game = load("tictactoe:m=4")
    stored(game, 0, 100)
    one, other = make_players("rated:50,rated:elo=50")
    for seed in range(20):
        drawn = []
        for player in (one, other):
            player.reseed(seed)
            player.begin(game, 0)
            drawn.append(player.player.name)
        assert drawn[0] == drawn[1]


def test_a_rated_player_of_a_game_without_ladder_says_what_to_do():
    with pytest.raises(InputError, match="run `zermelo calibrate GAME`"):
        make_player("rated:300").choose(Stones(), Stones().initial(), [])


def test_games_of_other_options_have_other_ladders(data):
    stored(load("tictactoe:m=4"), 0, 100)
    with pytest.raises(InputError, match="not calibrated"):
        find_ladder(load("tictactoe:m=5"))
    path = files.place_of("ladders", load("tictactoe:m=4"))
    with pytest.raises(InputError, match="the ladder of"):
        find_ladder(load("tictactoe:m=5"), path=str(path))
    with pytest.raises(InputError, match="no file"):
        find_ladder(load("tictactoe:m=5"), path=str(data / "none.json"))


def test_a_ladder_of_rules_that_have_changed_is_not_used(tmp_path):
    source = "import zermelo\nfrom tests.arena.test_calibrate import Stones\nclass Mine(Stones):\n    most = {}\n"
    source += "    def actions(self, s): return [n for n in (1, 2, {}) if n <= s.stones]\n"
    path = tmp_path / "mine.py"
    path.write_text(source.format(3, 3))
    game = load(f"{path}:Mine")
    stored(game, 0, 100)
    assert find_ladder(game).highest == 100
    path.write_text("# The rules as they were.\n" + source.format(3, 3))
    assert find_ladder(load(f"{path}:Mine")).highest == 100
    path.write_text(source.format(3, 44))
    with pytest.raises(InputError, match="have changed"):
        find_ladder(load(f"{path}:Mine"))


def damage(data, **changes):
    return json.dumps({**data, **changes}).encode()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: json.dumps(data).encode()[:-20],
        lambda data: b"\xff\xfe\x00",
        lambda data: b"[" * 100_000,
        lambda data: b"[]",
        lambda data: damage(data, format="zermelo ladder 99"),
        lambda data: damage(data, rungs=[]),
        lambda data: damage(data, rungs=5),
        lambda data: damage(data, rungs=data["rungs"][::-1]),
        lambda data: damage(data, rungs=[{**data["rungs"][0], "elo": "high"}, data["rungs"][1]]),
        lambda data: damage(data, rungs=[data["rungs"][0], {**data["rungs"][1], "elo": 1e300}]),
        lambda data: damage(data, rungs=[data["rungs"][0], {**data["rungs"][1], "elo": float("nan")}]),
        lambda data: damage(data, rungs=[data["rungs"][0], {**data["rungs"][1], "player": "python:evil.py:Bot"}]),
        lambda data: damage(data, rungs=[data["rungs"][0], {**data["rungs"][1], "player": "uci:sh"}]),
        lambda data: damage(data, rungs=[data["rungs"][0], {**data["rungs"][1], "player": "engine:depth=x"}]),
        lambda data: damage(data, identity=None),
    ],
)
def test_a_damaged_ladder_is_an_error_and_stays_as_it_is(spoil):
    game = Stones()
    path = stored(game, 0, 100)
    path.write_bytes(spoil(json.loads(path.read_text())))
    before = path.read_bytes()
    with pytest.raises(InputError, match="damaged"):
        find_ladder(game)
    assert path.read_bytes() == before


def test_a_ladder_comes_back_as_it_was_kept():
    game = Stones()
    path = stored(game, 0, 100, 250)
    found = read_ladder(path)
    assert found is not None
    assert found.data() == json.loads(path.read_text())
    assert "250" in found.text()


def test_every_ladder_of_the_package_is_for_its_game():
    for name, kind in games().items():
        module = __import__(kind.__module__, fromlist=["rules"])
        path = files.Path(module.__file__).with_name("ladder.json")
        if path.exists():
            assert shipped_ladder(load(name)) is not None, (
                f"run `zermelo calibrate {name}` again: see docs/calibrate.md"
            )


# People.


def test_a_rating_finds_the_strength_of_who_plays():
    made = Ladder("g", "", "", rungs(0, 200, 400, 600, 800, 1000))
    dice = random.Random(4)
    player = Person.newcomer(made)
    for _ in range(300):
        opponent = made.nearest(player.elo)
        score = float(dice.random() < expected_score(730 - opponent))
        player = player.after(opponent, made.deviation(opponent), score, 0)
    assert abs(player.elo - 730) < 130
    assert player.deviation == KNOWN


def test_later_games_move_a_rating_by_less():
    made = Ladder("g", "", "", rungs(0, 500, 1000))
    player, moved = Person.newcomer(made), []
    for score in (1.0, 0.0, 1.0, 0.0):
        after = player.after(player.elo, 0.0, score, 0)
        assert (after.elo > player.elo) == (score == 1)
        moved.append(abs(after.elo - player.elo))
        player = after
    assert moved == sorted(moved, reverse=True)
    assert player.after(player.elo, 0.0, 0.5, 0).elo == pytest.approx(player.elo)


def test_a_record_comes_back_as_it_was_kept():
    game = Stones()
    assert read_person(game) is None
    kept = Person(640.0, 120.0).after(600.0, 10.0, 1.0, 1)
    keep_person(game, kept)
    found = read_person(game)
    assert found is not None
    assert found.games == kept.games
    assert found.elo == pytest.approx(kept.elo, abs=0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"elo": "good"},
        {"elo": None},
        {"deviation": 0},
        {"games": [{"date": "now"}]},
        {"games": 3},
        {"elo": float("inf")},
    ],
)
def test_a_damaged_record_is_an_error_and_stays_as_it_is(change):
    game = Stones()
    path = keep_person(game, Person(640.0, 120.0))
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    before = path.read_bytes()
    with pytest.raises(InputError, match="damaged"):
        read_person(game)
    assert path.read_bytes() == before


def test_a_record_that_cannot_be_written_leaves_the_old_one(monkeypatch):
    game = Stones()
    path = keep_person(game, Person(640.0, 120.0))
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", fail)
    with pytest.raises(InputError, match="No space left"):
        keep_person(game, Person(700.0, 90.0))
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_the_data_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.delenv("ZERMELO_DATA")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for platform, place in {
        "linux": ".local/share/zermelo",
        "darwin": "Library/Application Support/zermelo",
    }.items():
        monkeypatch.setattr(files.sys, "platform", platform)
        assert files.data_folder() == tmp_path / place
    monkeypatch.setattr(files.sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "x"))
    assert files.data_folder() == tmp_path / "x" / "zermelo"


def test_weakened_play_is_the_rung_of_its_rating_and_draws_anew_in_a_new_game():
    game = load("connect4")
    play = find_weakened(game)
    ladder = find_ladder(game)
    assert (play.lowest, play.highest) == (math.ceil(ladder.lowest), math.floor(ladder.highest))
    state = game.initial()
    assert play.choose(game, state, (), play.lowest) in game.actions(state)
    first = play._player
    play.choose(game, state, (), play.lowest)
    assert play._player is first
    play.new_game()
    play.choose(game, state, (), play.highest)
    assert play._player is not first


def test_there_is_no_weakened_play_of_a_game_without_a_ladder():
    assert find_weakened(load("hexapawn")) is None
