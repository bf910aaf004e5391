"""The margins and coefficients of alpha-beta: they reach the core, a game may carry its own, bad ones are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from zermelo.arena.players import make_player
from zermelo.engine.engine import Engine
from zermelo.engine.network import network_of, without_network
from zermelo.engine.parameters import (
    PARAMETERS,
    Tuning,
    attach_tuning,
    check_parameters,
    parameters_for,
    read_tuning,
    tuning_of,
)
from zermelo.engine.searcher import Searcher
from zermelo.errors import InputError, OptionError, ZermeloError
from zermelo.games import load, search_file
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.selfplay import SearchPlayer

DEFAULTS = {each.name: each.value for each in PARAMETERS.values()}
EXTREMES = [
    {each.name: each.least for each in PARAMETERS.values()},
    {each.name: each.most for each in PARAMETERS.values()},
    {each.name: (each.least, each.most)[i % 2] for i, each in enumerate(PARAMETERS.values())},
]


def whole(parameters: dict[str, float]) -> dict[str, float]:
    """The same, with whole numbers where they have to be."""
    return {name: int(value) if PARAMETERS[name].whole else value for name, value in parameters.items()}


def nodes(game: z.Game, depth: int = 9, **options: Any) -> int:
    return Engine(game, table_mb=4, **options).search(depth=depth).nodes


def written(path: Path, game: z.Game, **values: float) -> Path:
    from zermelo.engine.identity import identify

    Tuning(identify(game), values, {"games": 2}).write(path)
    return path


def test_every_parameter_says_what_it_is_and_lies_within_its_bounds() -> None:
    for each in PARAMETERS.values():
        assert each.least <= each.value <= each.most, each.name
        assert 0 < each.step <= (each.most - each.least) / 2, each.name
        assert each.meaning, each.name
        assert not each.whole or each.value == int(each.value), each.name
    check_parameters(whole(DEFAULTS))


def test_the_defaults_change_nothing_and_another_value_does() -> None:
    game = load("connect4")
    assert nodes(game) == nodes(game, parameters={}) == nodes(game, parameters=whole(DEFAULTS))
    assert nodes(game, parameters={"reduction_base": 2.0}) != nodes(game)


@pytest.mark.parametrize(
    "name", ["margin_scale", "move_count_base", "history_bonus_square", "aspiration_width", "reduction_divisor"]
)
def test_a_parameter_reaches_the_core(name: str) -> None:
    game = load("connect4")
    counts = {nodes(game, 10, parameters={name: value}) for value in (PARAMETERS[name].least, PARAMETERS[name].most)}
    assert len(counts) == 2


@pytest.mark.parametrize("parameters", EXTREMES, ids=["least", "most", "mixed"])
@pytest.mark.parametrize("name", ["hexapawn:columns=4,rows=4", "tictactoe", "connect4:columns=4,rows=4"])
def test_no_parameters_make_a_proof_wrong(name: str, parameters: dict[str, float]) -> None:
    game = load(name)
    truth = z.solve(game)
    found = Engine(game, table_mb=4, parameters=whole(parameters)).search(depth=40)
    assert (found.exact, found.value) == (True, truth.value)


@pytest.mark.parametrize("parameters", EXTREMES, ids=["least", "most", "mixed"])
@pytest.mark.parametrize("name", ["checkers", "chess", "breakthrough:network=no", "xiangqi"])
def test_no_parameters_keep_a_search_from_ending(name: str, parameters: dict[str, float]) -> None:
    found = Engine(load(name), table_mb=4, parameters=whole(parameters)).search(depth=5, nodes=200_000)
    assert found.action is not None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"reduction_bass": 1.0}, "no parameter 'reduction_bass'"),
        ({"reduction_base": 100}, "from -2 to 4, not 100"),
        ({"reduction_base": float("nan")}, "reduction_base must be a number"),
        ({"reduction_base": True}, "reduction_base must be a number"),
        ({"reduction_depth": 2.5}, "reduction_depth must be a whole number"),
        ({"reduction_depth": "3"}, "reduction_depth must be a whole number"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(given: Any, says: str) -> None:
    for use in (
        lambda: Engine(load("connect4"), parameters=given),
        lambda: SearchPlayer(nodes=1, parameters=given).check(),
    ):
        with pytest.raises(OptionError) as refused:
            use()
        assert says in str(refused.value)
        assert "\n" not in str(refused.value)


def test_a_game_carries_its_own_for_every_search_of_it(tmp_path: Path) -> None:
    plain = load("connect4")
    path = written(tmp_path / "tuned.json", plain, reduction_base=2.0)
    game = load(f"connect4:search={path}")
    tuned = nodes(plain, parameters={"reduction_base": 2.0})
    assert tuned != nodes(plain)
    assert nodes(game) == tuned
    assert Searcher(game, table_mb=4).search(limits=z.Limits(depth=9)).nodes == tuned
    assert nodes(game, parameters={}) == nodes(plain)
    assert nodes(load("connect4:search=no")) == nodes(plain)
    assert parameters_for(game) == {"reduction_base": 2.0}


def test_native_players_take_those_of_the_game_and_of_their_own() -> None:
    plain, game = load("connect4:network=no"), load("connect4:network=no")
    attach_tuning(game, Tuning({}, {"reduction_base": 3.0, "move_count_base": 1.0}))

    def lengths(other: z.Game, **parameters: Any) -> list[int]:
        first, second = SearchPlayer(nodes=300), SearchPlayer(nodes=300, **parameters)
        played = Match(plain, other, MatchOptions(first, second, pairs=8)).play()
        return [each.plies for pair in played for each in pair.games]

    assert lengths(game) != lengths(plain)
    assert lengths(game) == lengths(plain, parameters=parameters_for(game))
    assert lengths(game, parameters={}) == lengths(plain)


def test_a_searcher_notices_that_its_game_has_other_parameters() -> None:
    game = load("connect4")
    searcher = Searcher(game, table_mb=4)
    before = searcher.search(limits=z.Limits(depth=9)).nodes
    attach_tuning(game, Tuning({}, {"reduction_base": 2.0}))
    assert searcher.search(limits=z.Limits(depth=9)).nodes == nodes(game) != before


def test_a_file_beside_the_rules_is_found_for_the_options_that_it_was_made_for(tmp_path: Path) -> None:
    rules = tmp_path / "mygame.py"
    rules.write_text("from zermelo.games.connect4 import ConnectFour as Base\n\nclass Mine(Base):\n    pass\n")
    name = f"{rules}:Mine"
    path = written(search_file(name), load(name), reduction_base=1.5)
    assert path == tmp_path / "mygame.search.json"
    assert parameters_for(load(name)) == {"reduction_base": 1.5}
    assert parameters_for(load(f"{name}:columns=8")) == {}
    assert parameters_for(load(f"{name}:columns=8,search={path}")) == {"reduction_base": 1.5}
    assert tuning_of(load(f"{name}:search=no")) is None


def test_a_network_keeps_the_parameters_of_its_game(tmp_path: Path) -> None:
    path = written(tmp_path / "tuned.json", load("checkers"), reduction_base=1.5)
    game = load(f"checkers:search={path}")
    assert network_of(game) is not None
    assert parameters_for(game) == parameters_for(without_network(game)) == {"reduction_base": 1.5}


def test_players_name_a_file_or_none(tmp_path: Path) -> None:
    plain = load("connect4")
    path = written(tmp_path / "tuned.json", plain, reduction_base=2.0)

    def thought(game: z.Game, text: str) -> int | None:
        player: Any = make_player(f"engine:depth=9,table_mb=4{text}")
        return player.think(game, game.initial(), (), z.Clock()).nodes  # type: ignore[no-any-return]

    tuned = load(f"connect4:search={path}")
    assert thought(plain, f",search={path}") == thought(tuned, "") == thought(tuned, ",search=yes")
    assert thought(tuned, ",search=no") == thought(plain, "") != thought(tuned, "")
    with pytest.raises(ZermeloError, match="alone has parameters"):
        thought(load("pig"), f",search={path}")
    assert thought(load("pig"), ",search=no") == thought(load("pig"), "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1, 2]",
        "[" * 100_000,
        '{"parameters": {}}',
        '{"game": {}, "parameters": {"nonsense": 1}, "record": {}}',
        '{"game": {}, "parameters": {"reduction_base": NaN}, "record": {}}',
        '{"game": {}, "parameters": {"reduction_base": "1"}, "record": {}}',
        '{"game": {}, "parameters": {"reduction_depth": 1e300}, "record": {}}',
        "\udcff",
    ],
    ids=range(9),
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(InputError) as refused:
        load(f"connect4:search={path}")
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(InputError):
        read_tuning(tmp_path / "none.json")


def test_a_file_is_the_same_after_it_was_written(tmp_path: Path) -> None:
    tuning = Tuning({"game": "Mine"}, {"reduction_base": 0.1, "reduction_depth": 4}, {"games": 10})
    tuning.write(tmp_path / "a.json")
    assert read_tuning(tmp_path / "a.json") == tuning
    assert json.loads((tmp_path / "a.json").read_text())["parameters"]["reduction_depth"] == 4
    with pytest.raises(InputError, match="cannot be written"):
        tuning.write(tmp_path / "none" / "a.json")
