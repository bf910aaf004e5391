"""The engine as one calls it: depths, limits, lines, switches, and what it refuses."""

import signal
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import zermelo as z
from zermelo.engine.engine import Engine, techniques
from zermelo.errors import MethodError, OptionError


@pytest.fixture(scope="module")
def connect_four() -> z.Game:
    return z.load("connect4")


def test_thinking_yields_every_depth_with_a_line_of_legal_moves(connect_four: z.Game) -> None:
    found = list(Engine(connect_four).think(depth=8))
    assert [a.depth for a in found] == list(range(1, 9))
    assert [a.nodes for a in found] == sorted(a.nodes for a in found)
    for analysis in found:
        s = connect_four.initial()
        for action in analysis.line:
            assert action in list(connect_four.actions(s))
            s = connect_four.result(s, action)
        assert analysis.line[0] == analysis.action


def test_one_thread_is_deterministic(connect_four: z.Game) -> None:
    first, second = (Engine(connect_four).search(depth=10) for _ in range(2))
    assert (first.nodes, first.line, first.value) == (second.nodes, second.line, second.value)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_limits_are_kept_on_any_number_of_threads(connect_four: z.Game, threads: int) -> None:
    engine = Engine(connect_four, threads=threads)
    by_nodes = engine.search(nodes=50_000)
    assert by_nodes.stopped == "nodes"
    assert by_nodes.nodes <= (50_000 if threads == 1 else 50_000 + 2048 * threads)
    by_time = engine.search(seconds=0.05)
    assert by_time.stopped == "seconds"
    assert by_time.action in range(7)


def test_no_nodes_at_all_still_leave_a_legal_action(connect_four: z.Game) -> None:
    for limits in ({"nodes": 0}, {"nodes": 1}, {"seconds": 0}):
        assert Engine(connect_four).search(**limits).action in range(7)


def test_another_thread_stops_a_search(connect_four: z.Game) -> None:
    enough = threading.Event()
    threading.Timer(0.2, enough.set).start()
    found = Engine(connect_four, threads=2).search(stop=enough.is_set)
    assert found.stopped == "stop"
    assert found.action in range(7)


def test_ctrl_c_returns_the_best_so_far(connect_four: z.Game) -> None:
    threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT)).start()
    found = Engine(connect_four).search(seconds=60)
    assert found.stopped == "interrupt"
    assert found.action in range(7)


def test_an_error_in_the_callers_stop_comes_out(connect_four: z.Game) -> None:
    def broken() -> bool:
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        Engine(connect_four).search(stop=broken, seconds=10)


def test_several_lines_are_told_apart(connect_four: z.Game) -> None:
    found = Engine(connect_four).search(depth=6, lines=3)
    assert len(found.lines) == 3
    assert [value for value, _ in found.lines] == sorted((value for value, _ in found.lines), reverse=True)
    assert len({line[0] for _, line in found.lines}) == 3
    assert found.lines[0] == (found.value, found.line)


def test_only_the_actions_asked_for_are_chosen_from(connect_four: z.Game) -> None:
    state = connect_four.read("......./......./......./......./oo.o.../xx.x...")
    for only in ([6], [5, 6], [6, 0]):
        found = Engine(connect_four).search(state, depth=6, only=only)
        assert found.action in only
        assert set(found.actions) <= set(only)
    winning = Engine(connect_four).search(state, depth=6)
    assert (winning.action, winning.value) == (2, 1.0)
    with pytest.raises(OptionError, match="only may name legal actions"):
        Engine(connect_four).search(state, depth=2, only=[9])


@pytest.mark.parametrize("only", [[9], [[3]], "3", 3, []])
def test_what_is_no_list_of_legal_actions_is_refused(connect_four: z.Game, only: Any) -> None:
    with pytest.raises(OptionError, match="only m"):
        z.Engine(connect_four).search(depth=2, only=only)
    assert z.Engine(connect_four).search(depth=2, only=[3.0]).action == 3


def test_lines_come_best_first(connect_four: z.Game) -> None:
    for depth in range(1, 9):
        values = [value for value, _ in Engine(connect_four).search(depth=depth, lines=7).lines]
        assert values == sorted(values, reverse=True)


def test_a_game_that_no_depth_proves_is_not_deepened_for_ever() -> None:
    found = Engine(z.load("tictactoe")).search()
    assert found.exact or found.depth == 510


@pytest.mark.parametrize("name", ["tictactoe", "connect4:columns=4,rows=4"])
def test_a_small_game_is_proved_a_draw(name: str) -> None:
    found = z.Engine(z.load(name)).search(nodes=5_000_000)
    assert (found.value, found.exact, found.stopped, found.method) == (0.0, True, "", "engine+exact")


def test_a_win_is_found_and_the_quickest_is_played(connect_four: z.Game) -> None:
    s = connect_four.read("......./......./......./......./.oo..../.xxx...")
    found = Engine(connect_four).search(s, depth=10)
    assert (found.value, found.exact, found.depth) == (-1, True, 2)
    mine = connect_four.read("......./......./......./.o...../.oo..../.xxx...")
    assert Engine(connect_four).search(mine, depth=10).line in ((0,), (4,))


def test_a_terminal_position_has_a_value_and_no_action(connect_four: z.Game) -> None:
    over = connect_four.read("......./......./......./......./.ooo.../.xxxx..")
    found = Engine(connect_four).search(over)
    assert (found.value, found.action, found.exact) == (1, None, True)
    assert Engine(connect_four).prove(over).value == 1


@pytest.mark.parametrize("name", techniques())
def test_every_technique_can_be_switched_off(connect_four: z.Game, name: str) -> None:
    found = Engine(connect_four, **{name: False}).search(depth=6)
    assert found.depth == 6
    assert name in found.method


def test_what_does_not_exist_or_fit_is_refused(connect_four: z.Game) -> None:
    with pytest.raises(OptionError, match="magic"):
        Engine(connect_four, magic=True)
    with pytest.raises(OptionError, match="threads"):
        Engine(connect_four, threads=0)
    with pytest.raises(OptionError, match="table_mb"):
        Engine(connect_four, table_mb=-1)
    for limits in ({"lines": 0}, {"lines": -1}, {"lines": True}, {"depth": 0}):
        with pytest.raises(OptionError, match=r"lines|depth"):
            Engine(connect_four).search(**limits)
    assert z.search(connect_four, depth=0).exact is False
    with pytest.raises(MethodError, match="revealed"):
        Engine(z.load("blind-tictactoe"))


class Mine(z.Game):
    """A chain of positions, one of which blows up."""

    class State(NamedTuple):
        place: int

    def initial(self) -> Any:
        return self.State(0)

    def player(self, s: Any) -> int:
        return s.place % 2  # type: ignore[no-any-return]

    def actions(self, s: Any) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, s: Any, a: int) -> Any:
        if s.place + a == 7:
            raise ValueError("stepped on it")
        return self.State(s.place + a)

    def is_terminal(self, s: Any) -> bool:
        return s.place >= 20  # type: ignore[no-any-return]

    def utility(self, s: Any, p: int) -> float:
        return 0.0


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_in_a_rule_comes_out_as_itself(threads: int) -> None:
    with pytest.raises(ValueError, match="stepped on it"):
        Engine(Mine(), threads=threads).search(depth=20)


def test_one_player_alone_gets_the_best_it_can_reach() -> None:
    class Alone(Mine):
        players = 1
        utility_sum = None
        bounds = (0.0, 30.0)
        scale = 1.0

        def player(self, s: Any) -> int:
            return 0

        def result(self, s: Any, a: int) -> Any:
            return self.State(s.place + a)

        def utility(self, s: Any, p: int) -> float:
            return float(s.place)

    assert Engine(Alone(), exact=True).search().value == 21.0
    assert z.search(Alone()).value == 21.0


class Ninths(z.Game):
    """Take one or two of four stones; the last one is worth 0.9, which no whole number of points expresses."""

    class State(NamedTuple):
        stones: int
        turn: int

    def initial(self) -> State:
        return self.State(4, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for n in (1, 2):
            if n <= s.stones:
                yield n

    def result(self, s: State, a: int) -> State:
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.stones == 0

    def utility(self, s: State, p: int) -> float:
        return 0.9 if p != s.turn else -0.9


def test_what_scores_round_is_never_called_proved() -> None:
    engine = Engine(Ninths(), exact=True)
    for _ in range(2):  # the second time all is in the table
        found = engine.search(depth=20)
        assert (found.exact, found.value) == (False, pytest.approx(0.9, abs=1e-5))
    solved = z.solve(Ninths())
    assert (solved.exact, solved.value) == (True, 0.9)


def test_more_nodes_than_a_machine_can_count_are_no_limit(connect_four: z.Game) -> None:
    assert Engine(connect_four).search(depth=3, nodes=1 << 70).depth == 3
