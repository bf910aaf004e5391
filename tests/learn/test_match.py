"""Native matches: paired, the same for a seed, and won by the player that searches more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from zermelo.arena.statistics.sprt import Sprt
from zermelo.errors import MethodError, OptionError
from zermelo.learn.match import Match, MatchOptions, PlayedPair
from zermelo.learn.selfplay import SearchPlayer

WEAK, STRONG = SearchPlayer(nodes=30), SearchPlayer(nodes=1500)


def play(name: str, first: SearchPlayer, second: SearchPlayer, **changes: object) -> list[PlayedPair]:
    options = MatchOptions(first, second, **{"pairs": 6, "longest_plies": 100, **changes})  # type: ignore[arg-type]
    return list(Match(z.load(name), z.load(name), options).play())


def facts(pairs: list[PlayedPair]) -> list[tuple[int, int, list[Any]]]:
    games = [[(g.half_points, g.utilities, g.ending, g.plies) for g in pair.games] for pair in pairs]
    return [(pair.number, pair.half_points, each) for pair, each in zip(pairs, games, strict=True)]


@pytest.mark.parametrize("name", ["connect4", "checkers", "pig:goal=30", "chess"])
def test_pairs_come_in_order_and_are_the_same_on_any_number_of_threads(name: str) -> None:
    runs = [facts(play(name, WEAK, SearchPlayer(nodes=60), threads=threads)) for threads in (1, 2, 3)]
    assert runs[0] == runs[1] == runs[2]
    assert [row[0] for row in runs[0]] == list(range(6))
    assert runs[0] != facts(play(name, WEAK, SearchPlayer(nodes=60), seed=1))


@pytest.mark.parametrize("name", ["connect4", "pig:goal=30", "breakthrough"])
def test_a_player_against_itself_scores_half_of_every_pair(name: str) -> None:
    for pair in play(name, WEAK, WEAK):
        assert pair.half_points == 2
        assert pair.games[0].plies == pair.games[1].plies
        assert pair.games[0].utilities == pair.games[1].utilities[::-1]


@pytest.mark.parametrize("name", ["connect4", "othello", "checkers"])
def test_more_nodes_win_from_either_side(name: str) -> None:
    better = play(name, STRONG, WEAK, pairs=10)
    worse = play(name, WEAK, STRONG, pairs=10)
    assert sum(pair.half_points for pair in better) > 22
    assert sum(pair.half_points for pair in worse) < 18


def test_half_points_are_counted_as_the_sequential_test_wants_them() -> None:
    counts = [0] * 5
    for pair in play("othello", STRONG, WEAK, pairs=30):
        counts[pair.half_points] += 1
    assert Sprt(0, 200).decision(counts) == "accept H1"


@pytest.mark.parametrize("starts", [False, True])
def test_each_player_has_its_own_evaluation_and_the_states_that_belong_to_it(starts: bool, tmp_path: Path) -> None:
    game = z.load("chess")
    weights = z.Weights.read(game.weights)
    changed = {name: float(i % 7 * 10) for i, name in enumerate(sorted(weights.values))}
    replace(weights, values=changed).write(tmp_path / "other.json")
    other = z.load(f"chess:weights={tmp_path / 'other.json'}")
    one, two = (
        facts(list(Match(first, second, MatchOptions(WEAK, WEAK, 4, starts=places, opening_nodes=0)).play()))
        for first, second, places in (
            (game, other, [game.initial()] * starts),
            (other, game, [other.initial()] * starts),
        )
    )
    assert one == [
        (number, 4 - points, [(2 - half, utilities[::-1], *rest) for half, utilities, *rest in reversed(games)])
        for number, points, games in two
    ]
    assert any(points != 2 for _, points, _ in one)


def test_the_evaluation_can_be_left_out() -> None:
    blind = SearchPlayer(nodes=400, evaluates=False)
    assert sum(pair.half_points for pair in play("othello", SearchPlayer(nodes=400), blind, pairs=15)) > 40


def test_simulations_play_against_alpha_beta_and_time_is_a_limit() -> None:
    simulations = SearchPlayer("mcts", nodes=3000)
    assert sum(pair.half_points for pair in play("connect4", simulations, SearchPlayer(nodes=3), pairs=10)) > 20
    assert len(play("checkers", SearchPlayer("mcts", seconds=0.001), SearchPlayer(seconds=0.001), pairs=2)) == 2


def test_half_points_are_those_of_the_results() -> None:
    for pair in play("chess", WEAK, SearchPlayer(nodes=100)):
        for game in pair.games:
            mine, other = game.utilities
            assert game.half_points == (2 if mine > other else 1 if mine == other else 0)
            assert game.ending in ("rules", "repetition", "proof", "length")
        assert pair.half_points == sum(game.half_points for game in pair.games)


def test_openings_whose_result_is_known_are_avoided() -> None:
    quick = {"opening_plies": (8, 12), "pairs": 40}
    plies = [
        sum(
            min(game.plies for game in pair.games)
            for pair in play("connect4", STRONG, STRONG, opening_nodes=n, **quick)
        )
        for n in (0, 3000)
    ]
    assert plies[0] < plies[1]


def test_a_stop_keeps_the_pairs_that_are_complete() -> None:
    game = z.load("breakthrough")
    match = Match(game, game, MatchOptions(WEAK, WEAK, pairs=10**9, threads=2))
    pairs = list(match.play(stop=lambda: match.pairs >= 3))
    assert len(pairs) == match.pairs >= 3
    assert match.nodes > match.positions > 0
    assert list(match.play()) == []


@pytest.mark.parametrize(
    "changes",
    [{"pairs": -1}, {"threads": 0}, {"opening_plies": (2, 1)}, {"opening_nodes": -1}, {"longest_plies": 0}],
)
def test_options_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        play("connect4", WEAK, WEAK, **changes)


def test_other_games_and_other_numbers_of_players_are_refused() -> None:
    options = MatchOptions(WEAK, WEAK, pairs=1)
    with pytest.raises(MethodError, match="tables of one game"):
        Match(z.load("connect4"), z.load("chess"), options)
    with pytest.raises(MethodError, match="two players"):
        Match(z.load("kingmaker"), z.load("kingmaker"), options)
    with pytest.raises(OptionError, match="limit"):
        play("connect4", SearchPlayer(), WEAK)


def test_players_switch_techniques_of_the_engine() -> None:
    plain = SearchPlayer(nodes=1000, switches={"history": False, "late_move_reductions": False})
    assert facts(play("breakthrough:columns=5,rows=5", plain, plain)) != facts(
        play("breakthrough:columns=5,rows=5", SearchPlayer(nodes=1000), SearchPlayer(nodes=1000))
    )
    with pytest.raises(OptionError, match=r"no technique 'magic'; it has aspiration"):
        play("tictactoe", SearchPlayer(nodes=30, switches={"magic": True}), WEAK)
