"""Ladders that are kept, and the opponents between their rungs."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.calibrate.stones import Stones, rungs, stored

from zermelo.arena import make_player
from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.ladder import Known, Ladder, find_ladder, read_ladder, shipped_ladder
from zermelo.arena.calibrate.weakened import WeakenedPlay, find_weakened
from zermelo.arena.players import make_players
from zermelo.arena.statistics import expected_score
from zermelo.errors import InputError, OptionError
from zermelo.games import games, load


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
    one, other = make_players("rated:50,rated:rating=50")
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


def test_a_game_of_hidden_information_is_not_sent_to_a_calibration_that_refuses_it(data):
    with pytest.raises(InputError, match="play against `mcts`"):
        find_ladder(load("kuhn"))


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
    source = "import zermelo\nfrom tests.arena.calibrate.stones import Stones\nclass Mine(Stones):\n    most = {}\n"
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


def test_weakened_play_is_the_rung_of_its_level_and_draws_anew_in_a_new_game():
    game = load("connect4")
    play = find_weakened(game)
    rungs = find_ladder(game).rungs
    assert play.levels == len(rungs)
    assert play.elos is None
    state = game.initial()
    for level, rung in enumerate(rungs, start=1):
        assert play.choose(game, state, (), level=level) in game.actions(state)
        assert play._player.player.name == rung.player
    first = play._player
    play.choose(game, state, (), level=play.levels)
    assert play._player is first
    play.new_game()
    play.choose(game, state, (), level=play.levels)
    assert play._player is not first


def test_an_elo_that_people_know_lies_between_two_known_ratings():
    known = Known(100, 1000), Known(300, 1400)
    made = Ladder("g", "", "", rungs(0, 200, 400), {}, known)
    assert [made.rating_of(elo) for elo in (1000, 1200, 1400)] == [100, 200, 300]
    assert made.rating_of(0) == 0
    assert made.rating_of(9999) == 400
    assert [made.elo_of(rating) for rating in (99, 100, 200, 300, 301)] == [None, 1000, 1200, 1400, None]
    assert made.text().splitlines()[2].split() == ["2", "200", "±20", "1200", "search:depth=1"]
    assert WeakenedPlay(made).elos == (1000, 1400)
    assert made.data()["known"] == [[100, 1000], [300, 1400]]


@pytest.mark.parametrize("known", [[[1, 2], [1, 3]], [[1, 3], [2, 2]], [[1]], [1], "ab", [[1, "2"]], [[1, True]]])
def test_known_ratings_that_make_no_sense_are_damage(tmp_path, known):
    path = tmp_path / "ladder.json"
    files.write(path, Ladder("g", "", "", rungs(0, 200)).data() | {"known": known})
    with pytest.raises(InputError, match="damaged"):
        read_ladder(path)


def test_there_is_no_weakened_play_of_a_game_without_a_ladder():
    assert find_weakened(load("hexapawn")) is None
