"""The parameters as a point: rounding, bounds, and which of them matter in a game."""

import numpy as np
import pytest

from zermelo.engine.parameters import PARAMETERS, check_parameters
from zermelo.games import load
from zermelo.tune.space import Space, all_values, what_matters


def test_the_point_of_the_defaults_has_their_values() -> None:
    space = Space(list(PARAMETERS))
    defaults = all_values({})
    assert space.values(space.point({})) == space.values(space.point(defaults)) == defaults
    check_parameters(defaults)


@pytest.mark.parametrize("end", [-1e6, 1e6])
def test_values_are_allowed_wherever_the_point_is(end: float) -> None:
    space = Space(list(PARAMETERS))
    check_parameters(space.values(np.full(len(PARAMETERS), end)))
    inside = np.clip(np.full(len(PARAMETERS), end), space.low, space.high)
    check_parameters(space.values(inside, 0.999))
    check_parameters(space.values(inside, 0.0))


def test_whole_numbers_are_rounded_at_random_to_the_right_mean() -> None:
    space = Space(["reduction_depth", "reduction_base"])
    point = space.point({"reduction_depth": 3.3, "reduction_base": 1.23456789})
    found = [space.values(point, np.array([luck, luck])) for luck in np.arange(0.05, 1.0, 0.1)]
    assert {each["reduction_depth"] for each in found} == {3, 4}
    assert np.mean([each["reduction_depth"] for each in found]) == pytest.approx(3.3)
    assert {each["reduction_base"] for each in found} == {1.2346}
    assert space.values(point)["reduction_depth"] == 3


def test_what_matters_are_techniques_that_the_game_uses_and_depths_that_it_reaches() -> None:
    names = what_matters(load("breakthrough:columns=4,rows=5"), {}, 2000)
    assert {"reduction_base", "margin_scale", "move_count_base"} <= set(names)
    assert not [name for name in names if name.startswith(("correction", "exchange", "quiescence_check"))]
    assert set(what_matters(load("breakthrough:columns=4,rows=5"), {}, 30)) < set(names)
    assert [name for name in what_matters(load("chess"), {}, 2000) if name.startswith("exchange")]
