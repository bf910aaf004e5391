"""The inputs of a network lie where the picture shows them."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo as z
from tests.engine.test_influence import Cells
from tests.engine.test_network import random_network
from zermelo.engine.influence import NetworkInputs
from zermelo.games import load
from zermelo.games.breakthrough import Breakthrough
from zermelo.studio.views.likes import STANDING, Place, Places, find_input_places, looks_of, show_likes, show_policy


def inputs_of(game: z.AnyGame) -> NetworkInputs:
    return NetworkInputs(game, random_network(game, 32))


def by_group(inputs: NetworkInputs, places: Places) -> dict[str, dict[str, Place]]:
    found: dict[str, dict[str, Place]] = {}
    for each in inputs.all:
        if each.number in places:
            found.setdefault(each.group, {})[each.index] = places[each.number]
    return found


@pytest.mark.parametrize("name", ["breakthrough:columns=5,rows=6", "hex:size=5", "othello:size=6"])
def test_every_bit_of_a_board_lies_on_its_own_cell(name: str) -> None:
    game = load(name)
    inputs = inputs_of(game)
    found = by_group(inputs, find_input_places(inputs))
    columns = {"breakthrough": 5, "hex": 5, "othello": 6}[name.partition(":")[0]]
    cells = {each.index for each in inputs.all if each.index}
    assert set(found) == {"mine", "theirs"}
    for places in found.values():
        assert set(places) == cells
        for index, place in places.items():
            assert place.at == f"{'abcdefgh'[int(index) % columns]}{int(index) // columns + 1}"


def test_the_cells_of_a_column_are_told_apart() -> None:
    inputs = inputs_of(load("connect4"))
    found = by_group(inputs, find_input_places(inputs))
    assert len(set(found["mine"].values())) == len(found["mine"]) == 42
    assert {place.number for place in found["mine"].values()} == set(range(6))


def test_a_game_without_places_lists_its_inputs() -> None:
    game = Cells()
    inputs = inputs_of(game)
    places = find_input_places(inputs)
    shown: dict[str, Any] = show_likes(inputs, places, game.initial())
    assert (places, shown["maps"]) == ({}, [])
    gains = [abs(each["gain"]) for each in shown["inputs"]]
    assert gains == sorted(gains, reverse=True)
    assert len(shown["inputs"]) + shown["more"] == len(inputs.all)


def test_a_map_sums_up_what_stands_there() -> None:
    game = load("breakthrough:columns=4,rows=5")
    inputs = inputs_of(game)
    shown: dict[str, Any] = show_likes(inputs, find_input_places(inputs), game.initial())
    maps = {each["name"]: {mark[0]: mark[2] for mark in each["marks"]} for each in shown["maps"]}
    assert list(maps) == [STANDING, "mine", "theirs"]
    assert len(maps[STANDING]) == 16
    assert maps[STANDING]["a1"] == maps["mine"]["a1"]
    assert maps[STANDING]["a5"] == maps["theirs"]["a5"]


def test_a_policy_is_drawn_where_its_moves_go() -> None:
    class Judged(Breakthrough):
        """Has no opinion: all actions are equally likely."""

        def judge(self, states: Any) -> tuple[list[list[float]], list[list[float]]]:
            counts = [len(list(self.actions(s))) for s in states]
            return [[1 / count] * count for count in counts], [[0.0, 0.0] for _ in states]

    game = Judged(4, 5)
    shown: Any = show_policy(game, game.initial())
    marks = {at: share for at, _, share in shown["map"]["marks"]}
    assert set(marks) == {"a3", "b3", "c3", "d3"}
    assert sum(marks.values()) == pytest.approx(1)
    assert marks["b3"] == pytest.approx(0.3)
    assert len(shown["moves"]) == 10
    assert show_policy(load("breakthrough"), load("breakthrough").initial()) is None


@pytest.mark.parametrize("picture", ["", "<svg", "no picture", "<svg><g data-at='a'></svg>"])
def test_a_picture_that_is_none_has_no_places(picture: str) -> None:
    assert looks_of(picture) == {}
