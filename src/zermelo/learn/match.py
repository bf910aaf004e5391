"""Matches on native threads: two searches of one game, in pairs of games from one opening with the seats swapped.

    match = Match(game, other, MatchOptions(SearchPlayer(nodes=1000), SearchPlayer(nodes=1000), pairs=200))
    for pair in match.play():
        counts[pair.half_points] += 1       five counts, as `zermelo.arena.statistics` takes them

The two games have the same rules, and may differ in their evaluation. Pairs come in the order of their numbers;
openings and dice follow from the number and the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.errors import MethodError
from zermelo.game import Game
from zermelo.game.contract import S
from zermelo.learn.selfplay import SearchPlayer, check_opening
from zermelo.options import check_fields, whole

PlayedPair: TypeAlias = _core.MatchPair
"""Two games: `half_points` of the first player, 0 to 4, and `games`, in the first of which it has the first seat."""


@dataclass(frozen=True, slots=True)
class MatchOptions(Generic[S]):
    """Who plays, and how much."""

    first_player: SearchPlayer
    second_player: SearchPlayer
    pairs: int
    first: int = 0
    """The number of the first pair: another run goes on from there."""
    seed: int = 0
    threads: int = 1
    opening_plies: tuple[int, int] = (4, 8)
    """The least and the greatest number of random actions at the start of a game; those of chance do not count."""
    opening_weights: Sequence[float] = ()
    """The weight of each of these numbers; equal if empty."""
    opening_nodes: int = 1000
    """The nodes of a search that rejects openings whose result it proves; 0 for none."""
    longest_plies: int = 1000
    """Longer games are draws."""
    ends_won: bool = True
    """Whether a game ends when the player to move has proved that it wins."""
    starts: Sequence[S] = ()
    """The states of the first game in which games start, in turn; the initial state if empty."""

    def check(self) -> None:
        check_fields(
            self,
            {
                "pairs": whole(0, 1 << 62),
                "first": whole(0, 1 << 62),
                "seed": whole(0, (1 << 64) - 1),
                "threads": whole(1, 1024),
                "opening_nodes": whole(0, 1 << 62),
                "longest_plies": whole(1, 1 << 30),
            },
        )
        check_opening(self.opening_plies, self.opening_weights)


class Match(Generic[S]):
    """A match; one call at a time, but its counters can be read at any moment."""

    def __init__(self, first_game: Game[S], second_game: Game[S], options: MatchOptions[S]):
        options.check()
        self.compiled = compile_game(first_game)
        self.other = compile_game(second_game)
        players = options.first_player.to_core(first_game), options.second_player.to_core(second_game)
        try:
            self._core = _core.Match(
                self.compiled.handle,
                self.other.handle,
                *players,
                pairs=options.pairs,
                first=options.first,
                seed=options.seed,
                threads=options.threads,
                least_plies=options.opening_plies[0],
                most_plies=options.opening_plies[1],
                weights=list(options.opening_weights),
                opening_nodes=options.opening_nodes,
                longest_plies=options.longest_plies,
                ends_won=options.ends_won,
                occurrences=first_game.occurrences,
                initial=(self.compiled.pack(first_game.initial()), self.other.pack(second_game.initial())),
                starts=(
                    [self.compiled.pack(state) for state in options.starts],
                    [self.other.pack(second_game.read(first_game.write(state))) for state in options.starts],
                ),
                first_endings=self.compiled.tables,
                second_endings=self.other.tables,
            )
        except ValueError as error:
            raise MethodError(f"{first_game.name} and {second_game.name} cannot play natively: {error}") from error

    @property
    def pairs(self) -> int:
        """Pairs that are complete."""
        return self._core.pairs

    @property
    def positions(self) -> int:
        """Positions searched."""
        return self._core.positions

    @property
    def nodes(self) -> int:
        return self._core.nodes

    def play(self, stop: Callable[[], bool] | None = None) -> Iterator[PlayedPair]:
        """The pairs, in order.

        After a `stop` or Ctrl-C the last ones are those that are complete; then Ctrl-C is raised.
        """
        while pairs := self.compiled.guard(self._core.next_pairs, stop):
            yield from pairs
        if self._core.stopped == "interrupt":
            raise KeyboardInterrupt
