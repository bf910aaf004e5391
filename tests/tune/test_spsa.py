"""SPSA finds what is best in spite of noise, and stays within bounds."""

import numpy as np
import pytest

from zermelo.tune import Gains, Spsa
from zermelo.tune.run import WANDER

BEST = np.array([4.0, -3.0, 2.0, -5.0, 0.5])


def climb(steps: int, noise: float, seed: int = 0, slope: float = 1.0, rate: float = 0.02) -> Spsa:
    """Looks for the top of a noisy hill from 0 on, between −6 and 6."""
    found = Spsa(np.zeros(5), np.full(5, -6.0), np.full(5, 6.0), seed)
    dice = np.random.default_rng(seed)
    for k in range(1, steps + 1):
        gains = Gains(steps, rate)
        first, second = (-slope * float(np.sum((point - BEST) ** 2)) for point in found.tried(k, gains))
        found.learn(k, gains, first - second + dice.normal(0, noise))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_optimum_of_a_quadratic(seed: int) -> None:
    assert np.abs(climb(2000, 0.0, seed).point - BEST).max() < 0.05


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_it_through_noise_that_is_larger_than_any_step_is_worth(seed: int) -> None:
    assert np.abs(climb(5000, 4.0, seed).point - BEST).max() < 1.0


def test_what_has_no_effect_stays_near_where_it_began() -> None:
    ends = np.array([climb(1000, 1.0, seed, 0.0, WANDER / 1000**0.5).point for seed in range(8)])
    assert 0.1 < float(np.sqrt(np.mean(ends**2))) < 1.0


def test_no_point_leaves_the_bounds() -> None:
    low, high = np.array([-1.0, 0.0]), np.array([1.0, 0.5])
    search = Spsa(np.array([5.0, 5.0]), low, high)
    for k in range(1, 200):
        gains = Gains(200, 1.0)
        for point in (*search.tried(k, gains), search.point):
            assert ((low <= point) & (point <= high)).all()
        search.learn(k, gains, 10.0)


def test_a_step_looks_both_ways_and_follows_from_its_number() -> None:
    search, again = (Spsa(np.zeros(4), np.full(4, -9.0), np.full(4, 9.0), seed=3) for _ in range(2))
    gains = Gains(100, 0.1)
    first, second = search.tried(7, gains)
    assert (first == -second).all()
    assert np.allclose(np.abs(first), gains.reach(7))
    assert (again.tried(7, gains)[0] == first).all()
    assert any((search.tried(k, gains)[0] != first).any() for k in range(8, 12))
    search.learn(7, gains, 2.0)
    assert np.allclose(search.point, gains.gain(7) * 2.0 * np.sign(first))


def test_gains_fall_to_those_of_the_last_step() -> None:
    gains = Gains(500, 0.01)
    assert gains.reach(500) == pytest.approx(1.0)
    assert gains.gain(500) == pytest.approx(0.01)
    assert [gains.reach(k) for k in (1, 10, 100)] == sorted((gains.reach(k) for k in (1, 10, 100)), reverse=True)
    assert gains.gain(50) > gains.gain(500)
