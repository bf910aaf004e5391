"""The benchmarks compare like with like; how fast anything is decides nothing here."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from zermelo.cli import main
from zermelo.cli.bench import SECTIONS
from zermelo.engine import compile_game
from zermelo.engine.benchmark import Rate, connect4_limit, geometric_mean, measure, race, rules_only
from zermelo.game import Game
from zermelo.games import load
from zermelo.search import alphabeta


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["bench", *arguments], prog_name="zermelo")


@pytest.mark.parametrize("depth", range(12))
def test_the_limit_and_the_compiled_rules_search_the_same_nodes_to_the_same_value(depth: int) -> None:
    game = rules_only(load("connect4"))
    found = compile_game(game).alphabeta(game.initial(), depth)
    assert connect4_limit(depth) == (found.value, found.nodes)


@pytest.mark.parametrize("depth", range(5))
def test_so_does_the_textbook(depth: int) -> None:
    game = rules_only(load("connect4"))
    found = alphabeta(game, game.initial(), depth=depth)
    assert connect4_limit(depth) == (found.value, found.nodes)


def test_bare_rules_are_the_rules_without_advice() -> None:
    game = load("connect4:columns=5,rows=4")
    bare = rules_only(game)
    assert game.can("evaluate")
    assert not any(bare.can(method) for method in Game.optional)
    assert list(bare.actions(bare.initial())) == [0, 1, 2, 3, 4]
    assert rules_only(load("pig")).can("chances")


def test_a_race_runs_in_turns_and_keeps_the_best_rounds() -> None:
    order: list[str] = []

    def runner(name: str) -> int:
        order.append(name)
        return 10

    rates = race({"a": lambda: runner("a"), "b": lambda: runner("b")}, rounds=3)
    assert order == ["a", "b"] * 3
    assert {rate.work for rate in rates.values()} == {10}


def test_work_that_is_done_too_soon_is_done_again() -> None:
    calls: list[int] = []

    def work() -> int:
        calls.append(sum(range(10_000)))
        return 5

    found = measure(work, 0.02)
    assert found.seconds >= 0.02
    assert found.work == 5 * len(calls) > 5
    assert Rate(10, 2.0).per_second == 5.0


def test_the_geometric_mean_of_a_ratio_and_its_inverse_is_one() -> None:
    assert geometric_mean([4.0, 0.25]) == pytest.approx(1.0)


def test_each_section_tells_rates_and_ratios_to_people_and_programs() -> None:
    options = ["limit", "engine", "--depth", "4", "--rounds", "1", "--seconds", "0"]
    text = bench(*options)
    assert text.exit_code == 0, text.output
    assert "the limit" in text.stdout
    tables = json.loads(bench(*options, "--json").stdout)["tables"]
    assert len(tables) == 4
    for table in tables:
        assert table["rows"][0]["ratio"] == 1.0
        assert all(row["per_second"] > 0 and row["ratio"] > 0 for row in table["rows"])


def test_sections_are_known_by_name() -> None:
    done = bench("speed")
    assert done.exit_code == 2
    assert f"there are {', '.join(SECTIONS)}" in done.stderr
    assert bench("perft", "--signature").exit_code == 2


def test_every_game_that_compiles_is_counted_and_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.cli.bench.PERFT_POSITIONS", 200)
    monkeypatch.setattr("zermelo.cli.bench.MAX_PLIES", 20)
    done = bench("perft", "playouts", "--rounds", "1", "--seconds", "0", "--json")
    assert done.exit_code == 0, done.output
    for table in json.loads(done.stdout)["tables"]:
        assert {"connect4", "tictactoe", "nim"} <= {row["name"] for row in table["rows"]}
