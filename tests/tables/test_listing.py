"""Tables of games that do not number their positions: those that can be reached are listed, and are as right as any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from tests.tables import takeaway
from zermelo import Game, Limits, Searcher, solve
from zermelo.errors import InputError, UnsolvedError
from zermelo.games import load
from zermelo.games.breakthrough import Breakthrough
from zermelo.games.tictactoe import TicTacToe
from zermelo.tables import build_tables, read_tables, with_tables
from zermelo.tables.slice_file import read_facts, write_slice

NUMBERING = ("rank", "slice_size", "unrank")


class Few(Breakthrough):
    """Breakthrough, whose slices are the numbers of pieces."""

    def material(self, s: Breakthrough.State) -> int:
        return (s.mine | s.theirs).bit_count()


class Plain(takeaway.Takeaway):
    """The six rules and nothing else."""

    slices = Game.slices
    slice_name = Game.slice_name
    material = Game.material
    rank = Game.rank
    slice_size = Game.slice_size
    unrank = Game.unrank


class Round(Game):
    """The first player walks around a board of eight squares, and wins on the far side of it unless tired before."""

    class State(takeaway.NamedTuple):
        square: int
        turn: int
        tired: int

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield 1 if s.turn == 0 else 0
        if s.turn == 0:
            yield 7

    def result(self, s: State, a: int) -> State:
        return self.State((s.square + a) % 8, 1 - s.turn, s.tired + 1)

    def is_terminal(self, s: State) -> bool:
        return s.square == 4 or s.tired == 10

    def utility(self, s: State, p: int) -> float:
        return 0.0 if s.square != 4 else 1.0 if p == 0 else -1.0

    def key(self, s: State) -> int:
        return 2 * s.square + s.turn


@pytest.fixture(scope="module")
def few():
    return Few(rows=5, columns=2)


@pytest.fixture(scope="module")
def tables(few, tmp_path_factory):
    return build_tables(few, 8, tmp_path_factory.mktemp("few"), check_all=True)


@pytest.mark.parametrize("game", [Plain(), TicTacToe()], ids=["takeaway", "tictactoe"])
def test_six_rules_are_enough_for_tables_of_all_that_can_be_reached(game, tmp_path):
    tables, solution = build_tables(game, 3, tmp_path), solve(game, strongly=True)
    (facts,) = tables.slices.values()
    ended = solution.counts.ends
    assert (facts.name, facts.numbers, facts.ended) == ("0", len(solution) - ended, 0)
    for s in solution.states():
        assert tables.outcome(s) == solution.outcome(s)


def test_slices_by_pieces_are_the_strong_solution(few, tables):
    solution = solve(few, strongly=True)
    assert sum(facts.positions for facts in tables.slices.values()) == len(solution) - solution.counts.ends
    for s in islice(solution.states(), 0, None, 7):
        assert tables.outcome(s) == solution.outcome(s)


def test_positions_with_few_pieces_are_found_without_the_others(few, tables, tmp_path):
    found = build_tables(few, 4, tmp_path)
    assert 0 < len(found.slices) < len(tables.slices)
    for material, facts in found.slices.items():
        assert material <= 4
        assert facts.listed
        assert 0 < facts.positions <= tables.slices[material].positions
    assert found.probe(few.initial()) is None


def test_files_say_the_same_and_are_probed_by_searches(few, tables):
    again = read_tables(tables.folder, few)
    s = few.initial()
    assert again.outcome(s) == tables.outcome(s)
    result = Searcher(with_tables(few, again)).search(s, Limits(depth=1))
    assert (result.exact, result.value, len(result.line)) == (True, tables.value(s), tables.distance(s))


def test_more_pieces_and_more_positions_make_slices_that_are_there_grow(few, tables, tmp_path):
    small = build_tables(few, 3, tmp_path)
    before = {material: facts.positions for material, facts in small.slices.items()}
    solution = solve(few, strongly=True)
    few_left = (s for s in solution.states() if few.material(s) == 4 and not few.is_terminal(s))
    missing = list(islice(few_left, 0, None, 5))
    grown = build_tables(few, 4, tmp_path, starts=missing)
    again = read_tables(tmp_path, few)
    for s in missing:
        assert grown.outcome(s) == again.outcome(s) == solution.outcome(s)
    for material, positions in before.items():
        assert again.slices[material].positions >= positions


def test_positions_that_differ_in_a_count_of_moves_alone_are_not_one(tmp_path):
    tables = build_tables(Round(), 1, tmp_path)
    assert tables.distance(Round.State(0, 0, 0)) == 7
    assert tables.distance(Round.State(2, 0, 4)) == 3
    assert tables.value(Round.State(2, 0, 8)) == 0.0


def test_what_does_not_fit_and_what_is_never_met_is_refused(few, tmp_path):
    large = Breakthrough()
    with pytest.raises(UnsolvedError, match="it does not fit 1 MB"):
        build_tables(large, 1, tmp_path / "large", memory_mb=1)
    with pytest.raises(UnsolvedError, match="no position of 1 was met in 10,000 random games"):
        build_tables(few, 1, tmp_path / "none")
    with pytest.raises(UnsolvedError, match="told to stop"):
        build_tables(large, 1, tmp_path / "large", stop=lambda: True)


def test_lists_that_are_out_of_order_or_of_other_states_are_refused(few, tables, tmp_path):
    (material,) = {min(tables.slices)}
    facts = read_facts(tables.path(tables.slices[material].name))
    path = tmp_path / f"{facts.name}.table"
    data = tables.path(facts.name).read_bytes().partition(b"\n")[2].partition(b"\n")[2][:-32]
    write_slice(path, replace(facts, root=facts.root + "00" * 8), data)
    with pytest.raises(InputError, match="does not agree with the rules"):
        _ = read_tables(tmp_path, few).native
    write_slice(path, replace(facts, places=facts.places[::-1]), data)
    with pytest.raises(InputError, match="cannot be used"):
        _ = read_tables(tmp_path, few).native
    write_slice(path, replace(facts, places=facts.places[:-1]), data)
    with pytest.raises(InputError, match="is damaged"):
        _ = read_tables(tmp_path, few).native


def test_the_tables_of_a_game_of_the_package_without_methods_of_its_own(tmp_path):
    game = load("hexapawn")
    assert not any(game.can(method) for method in (*NUMBERING, "material"))
    tables = build_tables(game, 1, tmp_path)
    assert tables.value(game.initial()) == solve(game).value
