"""What the tests of tuning share: steps in place of time, so that no clock decides them."""

from zermelo.tune import TuningRun

STEPS = property(lambda self: 60.0 if self.state.step < self.settings.minutes else 0.0)
"""As `_tuning_seconds_left`: a tuning takes as many steps as it has minutes."""


def count_steps() -> None:
    """For a process of its own."""
    TuningRun._tuning_seconds_left = STEPS  # type: ignore[method-assign, assignment]


class Passes:
    """A test of what was found that ends after two pairs, with whatever result is wanted."""

    def __init__(self, passed: bool = True):
        self.passed = passed

    def decision(self, counts: list[int]) -> bool:
        return sum(counts) >= 2

    def llr(self, counts: list[int]) -> float:
        return 1.0 if self.passed else -1.0
