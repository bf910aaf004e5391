"""Games of noise with dice and with any number of players; each starting state is another game."""

from collections.abc import Iterator
from typing import NamedTuple

from tests.twins.random_games import scramble

from zermelo.game import CHANCE, Game

PARTS = 16
"""What is shared out at an end; a power of two, so that shares add up without rounding."""


class NoiseDice(Game):
    """Two players and dice: chance after chance, at the root, before an end; single outcomes, some of probability 0."""

    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        noise: int
        left: int  # plies to go at most
        turn: int

    def initial(self) -> State:
        return self.State(1, 5, 0)

    def rolls(self, s: State) -> bool:
        return scramble(s.noise, 7) % 3 == 0

    def player(self, s: State) -> int:
        return CHANCE if self.rolls(s) else s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            for a in range(1 + scramble(s.noise, 1) % 4):
                yield a

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        outcomes = 1 + scramble(s.noise, 1) % 4
        if outcomes < 3:
            for a in range(outcomes):
                yield a, 1.0 / outcomes
        else:
            left = 1.0
            for a in range(outcomes - 1):
                part = left * (scramble(s.noise, 30 + a) % 4) / 4  # now and then 0
                left -= part
                yield a, part
            yield outcomes - 1, left

    def result(self, s: State, a: int) -> State:
        noise = scramble(s.noise, a + 2)
        stays = self.rolls(s) or scramble(noise, 99) % 8 == 0
        return self.State(noise, s.left - 1, s.turn if stays else self.follower(s.turn))

    def follower(self, turn: int) -> int:
        return 1 - turn

    def is_terminal(self, s: State) -> bool:
        return s.left == 0 or scramble(s.noise, 3) % 9 == 0

    def utility(self, s: State, p: int) -> float:
        points = scramble(s.noise, 4) % 21 - 10
        return (points if p == 0 else -points) / 10

    def evaluate(self, s: State, p: int) -> float:
        points = scramble(s.noise, 5) % 19 - 9
        return (points if p == 0 else -points) / 10


class NoiseParty(NoiseDice):
    """Three players who share out one whole at every end, with dice; somebody may pass."""

    players = 3
    utility_sum = 1.0
    bounds = (0.0, 1.0)

    def initial(self) -> NoiseDice.State:
        return self.State(1, 5, 0)

    def rolls(self, s: NoiseDice.State) -> bool:
        return scramble(s.noise, 7) % 5 == 0

    def follower(self, turn: int) -> int:
        return (turn + 1) % 3

    def utility(self, s: NoiseDice.State, p: int) -> float:
        return self.share(scramble(s.noise, 4), p)

    def evaluate(self, s: NoiseDice.State, p: int) -> float:
        return self.share(scramble(s.noise, 5), p)

    def share(self, noise: int, p: int) -> float:
        first = noise % (PARTS + 1)
        second = (noise >> 8) % (PARTS + 1 - first)
        if p == 0:
            return first / PARTS
        return second / PARTS if p == 1 else (PARTS - first - second) / PARTS

    def pass_turn(self, s: NoiseDice.State) -> NoiseDice.State:
        return self.State(scramble(s.noise, 71), s.left, (s.turn + 1) % 3)


class NoiseBazaar(NoiseDice):
    """Three players whose utilities have nothing to do with each other; nobody passes, and the game has an opinion."""

    players = 3
    utility_sum = None

    def follower(self, turn: int) -> int:
        return (turn + 1) % 3

    def utility(self, s: NoiseDice.State, p: int) -> float:
        return (scramble(s.noise, 4 + 10 * p) % 21 - 10) / 10

    def evaluate(self, s: NoiseDice.State, p: int) -> float:
        return (scramble(s.noise, 5 + 10 * p) % 19 - 9) / 10

    def priority(self, s: NoiseDice.State, a: int) -> float:
        return float(scramble(s.noise, a + 20) % 5)
