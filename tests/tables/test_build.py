"""Tables of a small game: what is built, in which order, what is kept, and what is refused."""

from __future__ import annotations

import pytest

from tests.tables import takeaway
from tests.tables.takeaway import Takeaway
from zermelo import Searcher
from zermelo.errors import ContractError, MethodError, OptionError, UnsolvedError
from zermelo.games import load
from zermelo.tables import build_tables, read_tables, with_tables


def positions(last: int) -> list[Takeaway.State]:
    return [Takeaway.State(matches, turn) for matches in range(1, last) for turn in (0, 1)]


def test_a_row_is_lost_if_its_length_is_a_multiple_of_four_and_the_loser_takes_one_match_at_a_time(tmp_path):
    game = Takeaway()
    tables = build_tables(game, 4, tmp_path)
    for s in positions(32):
        outcome = tables.outcome(s)
        assert (outcome.mover, outcome.value) == (s.turn, -1.0 if s.matches % 4 == 0 else 1.0)
        assert outcome.distance == 2 * (s.matches // 4) + (s.matches % 4 > 0)
        assert outcome.values[0] == -outcome.values[1]


def test_tables_are_the_strong_solution(tmp_path):
    from zermelo import solve

    game = Takeaway(31)
    solution, tables = solve(game, strongly=True), build_tables(game, 4, tmp_path)
    for s in solution.states():
        assert tables.outcome(s) == solution.outcome(s)
        assert (tables.best(s), tables.actions(s), tables.line(s)) == (
            solution.best(s),
            solution.actions(s),
            solution.line(s),
        )


def test_distances_that_take_two_bytes(tmp_path):
    game = takeaway.Long()
    (facts,) = build_tables(game, 1, tmp_path).slices.values()
    assert (facts.code_bytes, facts.longest, len(facts.palette)) == (2, 999, 999)
    tables = read_tables(tmp_path, game)
    for matches in (1, 7, 512, 1998, 1999):
        outcome = tables.outcome(Takeaway.State(matches, 0))
        assert outcome.value == (-1.0 if matches % 4 == 0 else 1.0)
        assert outcome.distance == 2 * (matches // 4) + (matches % 4 > 0)
    found = Searcher(with_tables(game, tables)).search(Takeaway.State(1999, 0))
    assert (found.value, found.exact, found.action) == (1.0, True, 3)


def test_counts_are_those_of_all_positions(tmp_path):
    tables = build_tables(Takeaway(), 2, tmp_path)
    first, second = tables.slices[0], tables.slices[1]
    assert (first.won, first.drawn, first.lost, first.ended, first.longest, first.positions) == (6, 0, 1, 1, 3, 8)
    assert (second.won, second.drawn, second.lost, second.ended, second.longest) == (6, 0, 2, 0, 7)


def test_slices_are_built_after_those_that_they_lead_to_whatever_the_order(tmp_path):
    tables = build_tables(takeaway.Backwards(), 3, tmp_path)
    assert list(tables.slices) == [0, 1, 2]


def test_some_slices_are_built_with_those_that_they_lead_to(tmp_path):
    tables = build_tables(Takeaway(), 3, tmp_path, only=["from-8"])
    assert list(tables.slices) == [0, 1]
    with pytest.raises(OptionError, match="no slice with up to 3 pieces is called 'from-9'; there are from-0, from-8"):
        build_tables(Takeaway(), 3, tmp_path, only=["from-9"])


def test_what_is_there_is_kept_and_what_is_missing_is_built(tmp_path):
    game = Takeaway()
    build_tables(game, 3, tmp_path)
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "from-8.table").unlink()
    first = tmp_path / "from-0.table"
    before = first.stat().st_mtime_ns
    (tmp_path / "from-8.table_left.new").write_bytes(b"of a process that was killed")
    tables = build_tables(game, 3, tmp_path, only=["from-8"])
    assert first.stat().st_mtime_ns == before
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == whole
    assert tables.value(Takeaway.State(12, 0)) == -1.0


def test_a_build_can_be_stopped_and_goes_on(tmp_path):
    game, asked = Takeaway(), []
    with pytest.raises(UnsolvedError, match="told to stop"):
        build_tables(load("checkers:tables=no"), 4, tmp_path / "checkers", stop=lambda: not asked.append(1))
    assert asked
    assert len(build_tables(game, 2, tmp_path / "rows").slices) == 2


def test_the_progress_names_the_slice(tmp_path):
    told = []
    build_tables(load("checkers:tables=no"), 3, tmp_path, progress=told.append)
    assert all(now.done <= 2 * now.numbers for now in told)
    assert {now.stage for now in told} <= {"exploring", "linking", "resolving"}


def test_a_slice_that_does_not_fit_is_refused(tmp_path):
    with pytest.raises(UnsolvedError, match="KM-KM is not built: it does not fit 1 MB"):
        build_tables(load("checkers:tables=no"), 4, tmp_path, memory_mb=1, only=["KM-KM"])


@pytest.mark.parametrize("step", [None, 4])
@pytest.mark.parametrize("game", [load("checkers:tables=no,network=no"), takeaway.Sparse()], ids=["checkers", "strays"])
def test_without_room_for_edges_the_same_is_built(tmp_path, game, step):
    options = {} if step is None else {"exact": 2 if game.name == "checkers" else 0, "step": step}
    large, small = (
        build_tables(game, 3, tmp_path / str(memory), memory_mb=memory, threads=2, check_all=True, **options)
        for memory in (1000, 1)
    )
    for facts in large.slices.values():
        assert small.path(facts.name).read_bytes() == large.path(facts.name).read_bytes()


def test_positions_of_no_slice_are_looked_through(tmp_path):
    tables = build_tables(takeaway.Sparse(), 1, tmp_path, memory_mb=1)
    assert [tables.value(Takeaway.State(matches, 0)) for matches in range(1, 9)] == [1, 1, 1, -1, 1, 1, 1, -1]
    assert tables.distance(Takeaway.State(399, 0)) == 2 * 99 + 1


@pytest.mark.parametrize(
    ("game", "error", "says"),
    [
        (takeaway.Circular(), ContractError, "the slices from-8 and from-0 of Circular lead to each other"),
        (takeaway.Unlike(), ContractError, "the rule behind `rank` breaks the contract"),
        (takeaway.TooFar(), ContractError, "the rule behind `rank` breaks the contract"),
        (takeaway.Halves(), MethodError, "tables know 1, 0 and -1 only"),
        (takeaway.Nameless(), ContractError, "give each slice a name of its own"),
        (takeaway.Half(), MethodError, "Half has no `unrank`"),
        (load("kuhn"), MethodError, "hides information"),
    ],
    ids=["circular", "unlike", "too-far", "halves", "nameless", "half", "hidden"],
)
def test_games_without_tables_are_refused_with_the_reason(tmp_path, game, error, says):
    with pytest.raises(error, match=says):
        build_tables(game, 3, tmp_path)


def test_a_folder_without_tables_is_refused(tmp_path):
    from zermelo.errors import InputError

    with pytest.raises(InputError, match="has no endgame tables"):
        read_tables(tmp_path, Takeaway())
