"""The engine for dice and many players as one calls it: what it finds, heeds and refuses."""

import math
import signal
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from tests.twins.chance_games import NoiseBazaar, NoiseDice, NoiseParty

import zermelo as z
from zermelo.engine.expectation import ExpectationEngine
from zermelo.errors import ContractError, MethodError, OptionError
from zermelo.search.mcts import mcts as textbook_mcts


class Lottery(z.Game):
    """MAX chooses one of two tickets; a draw of chance, MIN's only action, and an end: the lectures' example.

    Where it starts decides how it is broken: probabilities that are not right, ends and estimates outside the bounds.
    """

    bounds = (-500.0, 500.0)
    prizes = ((2.0, 3.0, 1.0, 4.0), (20.0, 30.0, 1.0, 400.0), (20.0, 501.0, 1.0, 2.0))

    class State(NamedTuple):
        ticket: int  # −1 before the choice
        drawn: int  # −1 before the draw
        over: bool
        series: int  # which prizes there are
        likely: float

    def initial(self) -> State:
        return self.State(-1, -1, False, 0, 0.9)

    def player(self, s: State) -> int:
        if s.ticket < 0:
            return 0
        return z.CHANCE if s.drawn < 0 else 1

    def actions(self, s: State) -> Iterator[int]:
        yield 0
        if s.drawn < 0:
            yield 1

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        yield 0, s.likely
        yield 1, 0.1

    def result(self, s: State, a: int) -> State:
        if s.ticket < 0:
            return self.State(a, -1, False, s.series, s.likely)
        if s.drawn < 0:
            return self.State(s.ticket, a, False, s.series, s.likely)
        return self.State(s.ticket, s.drawn, True, s.series, s.likely)

    def is_terminal(self, s: State) -> bool:
        return s.over

    def utility(self, s: State, p: int) -> float:
        prize = self.prizes[s.series][2 * s.ticket + s.drawn]
        return prize if p == 0 else -prize

    def evaluate(self, s: State, p: int) -> float:
        return 1000.0 if p == 0 else -1000.0


LOTTERY = Lottery()


def start(series: int = 0, likely: float = 0.9) -> Lottery.State:
    return Lottery.State(-1, -1, False, series, likely)


@pytest.fixture(scope="module")
def race() -> z.Game:
    return z.load("race:steps=6,sides=6")


@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
def test_an_order_preserving_relabelling_of_the_ends_changes_the_choice(pruning: str) -> None:
    engine = ExpectationEngine(LOTTERY, pruning=pruning)
    before, after = engine.search(start(0)), engine.search(start(1))
    assert (before.action, before.value, before.exact) == (0, pytest.approx(2.1), True)
    assert (after.action, after.value, after.exact) == (1, pytest.approx(40.9), True)
    assert before.actions[1] == pytest.approx(1.3) or pruning != "none"


def test_a_search_uses_the_engine_for_dice_and_for_many_players(race: z.Game) -> None:
    assert z.search(race, depth=3).method == "expectiminimax+star2"
    assert z.search(z.load("kingmaker"), depth=3).method == "maxn+shallow"
    assert z.Engine(Uneven()).method == "maxn"  # estimates on leaves that nobody sees might not add up
    assert isinstance(z.Engine(race), ExpectationEngine)
    assert z.search(race, depth=3, trace=True).method.startswith("expectiminimax+star1")


def test_the_engine_proves_what_the_textbook_proves() -> None:
    for name in ("race:steps=3,sides=3", "kingmaker:stones=11,podium=yes"):
        game = z.load(name)
        book = z.maxn(game) if game.players > 2 else z.expectiminimax(game)
        found = z.solve(game)
        assert found.exact
        assert found.values == pytest.approx(book.values)


def test_thinking_yields_every_depth_and_remembers(race: z.Game) -> None:
    s = race.result(race.initial(), 9)
    engine = z.Engine(race)
    first = list(engine.think(s, depth=5))
    assert [a.depth for a in first] == [1, 2, 3, 4, 5]
    assert first[-1].value == pytest.approx(z.expectiminimax(race, s, depth=5, pruning="star1").value)
    again = engine.search(s, depth=5)
    assert again.value == pytest.approx(first[-1].value)
    assert again.nodes < first[-1].nodes
    engine.clear()
    assert engine.search(s, depth=5).nodes == first[-1].nodes


def test_a_stride_skips_depths(race: z.Game) -> None:
    s = race.result(race.initial(), 9)
    assert [a.depth for a in ExpectationEngine(race, stride=2).think(s, depth=5)] == [1, 3, 5]
    assert [a.depth for a in ExpectationEngine(race, stride=2).think(s, depth=4)] == [2, 4]


def test_limits_are_kept_and_leave_an_action(race: z.Game) -> None:
    s = race.result(race.initial(), 9)
    for nodes in (0, 1, 2, 7, 100, 3000):
        found = z.Engine(race).search(s, nodes=nodes)
        assert found.nodes <= nodes
        assert found.action in list(race.actions(s))
        assert found.stopped == "nodes" or found.exact
    far = z.Engine(z.load("race:steps=40"))
    assert far.search(nodes=500).action is None  # chance moves first
    assert far.search(seconds=0.05).stopped == "seconds"


@pytest.mark.parametrize("name", ["race:steps=40", "kingmaker:stones=1000,most=100,players=9"])
def test_ctrl_c_and_a_callers_stop_return_the_best_so_far(name: str) -> None:
    game = z.load(name)
    # From within the search, so that it is under way, however slow the machine is.
    assert z.Engine(game).search(stop=lambda: bool(signal.raise_signal(signal.SIGINT))).stopped == "interrupt"
    assert z.Engine(game).search(stop=lambda: True).stopped == "stop"
    with pytest.raises(ZeroDivisionError):
        z.Engine(game).search(stop=lambda: bool(1 / 0), seconds=60)


def test_several_lines_have_values_of_their_own(race: z.Game) -> None:
    s = race.result(race.result(race.initial(), 9), 0)
    s = race.result(s, 10)
    truth = sorted(z.expectiminimax(race, s, depth=4).actions.values(), reverse=True)
    for lines in (1, 2, 3):
        found = z.Engine(race).search(s, depth=4, lines=lines)
        assert [value for value, _ in found.lines] == pytest.approx(truth[:lines])
        assert found.lines[0] == (found.value, found.line)
    second = found.lines[1][1][0]
    assert z.Engine(race).search(s, depth=4, only=[second]).action == second
    with pytest.raises(OptionError, match="only"):
        z.Engine(race).search(s, depth=2, only=[77])


@pytest.mark.parametrize("likely", [0.8, 1.0, -0.1, math.nan])
def test_probabilities_that_do_not_add_up_are_an_error(likely: float) -> None:
    with pytest.raises(ContractError, match="add up to 1"):
        z.Engine(LOTTERY).search(start(likely=likely))
    for search in (z.expectiminimax, z.mcts, textbook_mcts):
        with pytest.raises(ContractError, match="add up to 1"):
            search(LOTTERY, start(likely=likely))


def test_an_end_outside_the_bounds_is_an_error_where_they_are_relied_on() -> None:
    for search in (
        z.Engine(LOTTERY).search,
        lambda s: z.expectiminimax(LOTTERY, s, pruning="star1"),
        lambda s: z.paranoid(LOTTERY, s),
        lambda s: z.mcts(LOTTERY, s, simulations=1000),
        lambda s: textbook_mcts(LOTTERY, s, simulations=1000),
    ):
        with pytest.raises(ContractError, match=r"worth 501, outside its bounds \(-500, 500\)"):
            search(start(2))
    assert ExpectationEngine(LOTTERY, pruning="none").search(start(2)).value == pytest.approx(68.1)


def test_an_estimate_outside_the_bounds_is_cut_to_them_and_proves_nothing() -> None:
    for pruning in ("star1", "star2"):
        found = ExpectationEngine(LOTTERY, pruning=pruning).search(depth=2)
        assert (found.value, found.exact) == (500.0, False)
        assert z.expectiminimax(LOTTERY, depth=2, pruning=pruning).value == 500.0


def test_width_leaves_out_what_looks_bad_and_proves_nothing() -> None:
    game = NoiseDice()
    everything, narrow, wide = (ExpectationEngine(game, width=width, table_mb=1) for width in (0, 1, 9))
    fewer = 0
    for seed in range(60):
        s = game.State(seed, 6, 0)
        whole = everything.search(s, depth=6)
        fewer += whole.nodes - narrow.search(s, depth=6).nodes
        assert wide.search(s, depth=6).value == whole.value
    assert fewer > 0


def test_samples_are_an_estimate_that_a_seed_settles(race: z.Game) -> None:
    truth = z.Engine(race).search(depth=2)
    values = [ExpectationEngine(race, samples=6, seed=n, table_mb=1).search(depth=2).value for n in range(100)]
    again = ExpectationEngine(race, samples=6, seed=3).search(depth=2)
    assert again.value == values[3]
    assert len(set(values)) > 3
    assert sum(values) / len(values) == pytest.approx(truth.value, abs=0.03)
    assert ExpectationEngine(race, samples=21).search(depth=2).value == truth.value
    books = [z.expectiminimax(race, depth=2, samples=6, seed=seed).value for seed in range(100)]
    assert sum(books) / len(books) == pytest.approx(truth.value, abs=0.04)
    whole = z.expectiminimax(LOTTERY, samples=1)
    assert (whole.exact, ExpectationEngine(LOTTERY, samples=1).search().exact) == (False, False)


def test_the_roots_candidates_can_be_thinned_out_from_depth_to_depth() -> None:
    game = NoiseDice()
    s = next(
        s
        for s in (game.State(seed, 6, 0) for seed in range(99))
        if game.player(s) == 0 and len(list(game.actions(s))) == 4
    )
    found = ExpectationEngine(game, root_width=2).search(s, depth=4)
    assert len(found.actions) == 2
    assert not found.exact
    assert len(ExpectationEngine(game, root_margin=0.0).search(s, depth=4).actions) == 1


def test_no_margin_decides_a_choice_between_two() -> None:
    game = NoiseDice()
    states = [game.State(seed, 6, 0) for seed in range(99)]
    pairs = [s for s in states if game.player(s) == 0 and len(list(game.actions(s))) == 2]
    assert pairs
    assert all(len(ExpectationEngine(game, root_margin=0.0).search(s, depth=4).actions) == 2 for s in pairs)


@pytest.mark.parametrize("thinned", [{"root_width": 1}, {"root_margin": 0.0}])
def test_a_root_from_which_an_action_was_left_out_proves_nothing_at_any_depth(thinned: dict[str, Any]) -> None:
    # To the horizon both actions look alike: by a width the worse one stays alone, by a margin both stay.
    worse, better = [{"max": [0.1, 0.1]}, {"max": [0.1]}], [{"max": [0.9]}, {"max": [0.9]}]
    tree = z.Tree({"max": {"a": {"min": worse}, "b": {"min": better}}})
    found = z.Engine(tree, algorithm="expectiminimax", **thinned).search()
    assert found.exact == (len(found.actions) == 2) == ("root_margin" in thinned)
    assert z.Engine(tree, algorithm="expectiminimax").search().value == 0.9
    with pytest.raises(MethodError, match="prove nothing"):
        z.Engine(tree, algorithm="expectiminimax", exact=True, **thinned)


class Uneven(NoiseParty):
    """Estimates that do not add up to what the ends do."""

    def evaluate(self, s: NoiseDice.State, p: int) -> float:
        return 0.75 if p == 0 else 0.5


def test_a_sum_that_does_not_hold_is_not_pruned_by() -> None:
    game = Uneven()
    engine = z.Engine(game)
    for seed in range(20):
        s = game.State(seed, 5, 0)
        assert engine.search(s, depth=3).values == pytest.approx(z.maxn(game, s, depth=3).values)
    s = next(s for s in (game.State(seed, 5, 0) for seed in range(99)) if not game.is_terminal(s))
    for search in (
        ExpectationEngine(game, pruning="shallow").search,
        lambda s, depth: z.maxn(game, s, depth=depth, pruning="shallow"),
    ):
        with pytest.raises(MethodError, match="add up"):
            search(s, depth=1)


def test_every_line_is_searched_on_when_the_best_is_proved() -> None:
    race = z.load("race:steps=3,sides=3")
    s = race.read("0,0,1,2,1,3,3")
    (best, _), (second, line) = z.Engine(race).search(s, depth=40, lines=3).lines
    assert (best, line) == (1.0, (2,))
    assert second == pytest.approx(-z.expectiminimax(race, race.result(s, 2)).value, abs=1e-9)


def test_what_does_not_fit_is_refused() -> None:
    kingmaker, race = z.load("kingmaker"), z.load("race")
    bad: list[tuple[Any, type[Exception], str]] = [
        (lambda: z.Engine(kingmaker, algorithm="expectiminimax"), MethodError, "use maxn"),
        (lambda: z.Engine(NoiseBazaar(), pruning="shallow"), MethodError, "constant sum"),
        (lambda: z.Engine(kingmaker, algorithm="mtdf"), OptionError, "algorithm must be one of"),
        (lambda: z.Engine(race, pruning="shallow"), OptionError, "the pruning of expectiminimax"),
        (lambda: z.Engine(race, width=-1), OptionError, "width must be a whole number"),
        (lambda: z.Engine(race, samples=1.5), OptionError, "samples must be"),
        (lambda: z.Engine(race, root_margin=-1), OptionError, "root_margin"),
        (lambda: z.Engine(race, stride=0), OptionError, "stride"),
        (lambda: z.Engine(race, razoring=True), OptionError, "no option 'razoring'"),
        (lambda: z.Engine(race, width=2, exact=True), MethodError, "prove nothing"),
        (lambda: z.Engine(z.load("chess"), algorithm="paranoid"), MethodError, "repetition"),
        (lambda: z.Engine(z.load("blind_tictactoe")), MethodError, "hides information"),
        (lambda: z.expectiminimax(race, width=-3), OptionError, "width must be"),
        (lambda: z.maxn(kingmaker, pruning="deep"), OptionError, "pruning must be"),
    ]
    for call, error, message in bad:
        with pytest.raises(error, match=message):
            call()


class Rolling(z.Game):
    """One action, one roll, for ever or for so many plies: as deep as one likes."""

    class State(NamedTuple):
        left: int
        rolling: bool

    def __init__(self, plies: int = 5000):
        self.plies = plies

    def initial(self) -> State:
        return self.State(self.plies, False)

    def player(self, s: State) -> int:
        return z.CHANCE if s.rolling else 0

    def actions(self, s: State) -> Iterator[int]:
        yield 1

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        yield 1, 1.0

    def result(self, s: State, a: int) -> State:
        return self.State(s.left - a, not s.rolling)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return 1.0 if p == 0 else -1.0


def test_a_game_longer_than_any_line_is_estimated_and_not_crashed() -> None:
    engine = ExpectationEngine(Rolling())
    far, near = engine.once(), engine.once(Rolling.State(900, False))
    assert (far.value, far.exact) == (0.0, False)
    assert (near.value, near.exact) == (1.0, True)


class Circling(Lottery):
    """A game of chance with a rule of repetition, which only the textbook knows."""

    repetition = "draw"


def test_dice_with_a_rule_of_repetition_are_the_textbooks() -> None:
    with pytest.raises(MethodError, match="repetition"):
        z.Engine(Circling())
    found = z.search(Circling(), depth=5)
    assert (found.action, found.value) == (0, pytest.approx(2.1))
    assert found.method.startswith("expectiminimax+star1")
