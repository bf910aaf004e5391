"""Tables with distances in steps: the same results, bounds that hold, and searches that find the way to the end."""

from __future__ import annotations

import random

import pytest

from tests.tables import takeaway
from zermelo import Limits, Searcher
from zermelo.errors import UnsolvedError
from zermelo.games import load
from zermelo.tables import build_tables, read_tables, tables_of, with_tables

STEP = 4


@pytest.fixture(scope="module")
def rules():
    return load("checkers:tables=no,network=no")


@pytest.fixture(scope="module")
def exact(rules):
    return tables_of(load("checkers"))


@pytest.fixture(scope="module")
def stepped(rules, tmp_path_factory):
    return build_tables(rules, 3, tmp_path_factory.mktemp("steps"), exact=2, step=STEP, check_all=True)


def positions(game, name, count, wanted, seed=1):
    """Random positions of a slice for which `wanted` holds."""
    dice, found = random.Random(seed), []
    (material,) = (m for n in range(2, 6) for m in game.slices(n) if game.slice_name(m) == name)
    while len(found) < count:
        s = game.unrank(material, dice.randrange(game.slice_size(material)))
        if game.material(s) == material and not game.is_terminal(s) and wanted(s):
            found.append(s)
    return found


@pytest.mark.parametrize("name", ["KK-K", "KM-K", "K-MM", "KM-M", "MM-M"])
def test_results_are_those_of_exact_tables_and_no_end_comes_later_than_the_bound(rules, exact, stepped, name):
    for s in positions(rules, name, 300, lambda s: True):
        outcome, known = stepped.outcome(s), exact.outcome(s)
        assert outcome.values == known.values
        assert outcome.distance in (None, known.distance)  # exact where every action leaves the slice
        bound = stepped.longest(s)
        assert bound is None if known.distance is None else bound >= known.distance


def test_counts_are_those_of_exact_tables(exact, stepped):
    for m, facts in stepped.slices.items():
        known = exact.slices[m]
        assert (facts.won, facts.drawn, facts.lost, facts.ended) == (known.won, known.drawn, known.lost, known.ended)
        assert facts.longest >= known.longest
        assert facts.step == (1 if len(facts.name) == 3 else STEP)


def test_files_are_smaller(exact, stepped):
    sizes = [
        sum(each.path(facts.name).stat().st_size for facts in stepped.slices.values()) for each in (exact, stepped)
    ]
    assert sizes[1] < sizes[0] / 2


def test_a_bound_gets_less_by_a_step_within_so_many_plies(rules, exact, stepped):
    """The winner plays for the least bound a step ahead, by a search of our own; the loser does what it likes."""

    def least(s, plies, player):
        bound = stepped.longest(s)
        if rules.is_terminal(s) or plies == 0 or rules.material(s) != material:
            return 0 if rules.is_terminal(s) else bound
        after = [rules.result(s, a) for a in rules.actions(s)]
        if rules.player(s) == player:
            return min(least(t, plies - 1, player) for t in after if rules.is_terminal(t) or won(t, player))
        return max(least(t, plies - 1, player) for t in after)

    def won(s, player):
        return stepped.outcome(s).values[player] == 1.0

    for s in positions(rules, "KK-K", 12, lambda s: exact.value(s) == 1.0 and exact.distance(s) > 8):
        material = rules.material(s)
        assert least(s, STEP + 1, rules.player(s)) <= stepped.longest(s) - (STEP - 2)


@pytest.mark.parametrize("algorithm", ["engine", "mcts"])
@pytest.mark.parametrize("name", ["KK-K", "KM-M"])
def test_searches_win_against_the_longest_resistance(rules, exact, stepped, algorithm, name):
    game = with_tables(rules, stepped)
    searcher = Searcher(game, algorithm=algorithm)
    for s in positions(rules, name, 4, lambda s: exact.value(s) == 1.0 and exact.distance(s) > 15):
        winner, history, bound = rules.player(s), [], stepped.longest(s)
        while not rules.is_terminal(s):
            found = searcher.search(s, Limits(nodes=3000), history=history)
            action = found.action if rules.player(s) == winner else exact.best(s)
            history.append(s)
            s = rules.result(s, action)
        assert rules.utilities(s)[winner] == 1.0
        assert len(history) <= 2 * bound


@pytest.mark.parametrize("algorithm", ["engine", "mcts"])
def test_the_value_is_proved_although_the_search_goes_on(rules, exact, stepped, algorithm):
    searcher = Searcher(with_tables(rules, stepped), algorithm=algorithm)
    for s in positions(rules, "KK-K", 3, lambda s: exact.value(s) and exact.distance(s) > 12):
        found = searcher.search(s, Limits(nodes=500))
        assert (found.value, found.exact) == (exact.value(s), True)
        assert exact.actions(s)[found.action].value == exact.value(s)


def test_a_proof_takes_their_word(rules, exact, stepped):
    from zermelo import solve

    s = rules.read("B:WK32:BK1,K5")
    found = solve(with_tables(rules, stepped), s)
    assert (found.value, found.exact, found.depth) == (1.0, True, 1)


def test_lines_go_as_far_as_distances_are_exact(rules, exact, stepped):
    for s in positions(rules, "KK-K", 20, lambda s: exact.value(s) == 1.0):
        assert stepped.line(s)[0] == stepped.best(s)
        assert len(stepped.line(s)) in (1, exact.distance(s))
        assert stepped.actions(s)[stepped.best(s)].value == 1.0


def test_what_is_built_again_is_the_same(rules, stepped, tmp_path):
    again = build_tables(rules, 3, tmp_path, exact=2, step=STEP, only=["KM-K"])
    assert {facts.name for facts in again.slices.values()} >= {"KM-K", "KK-K"}
    (tmp_path / "KM-K.table").unlink()
    build_tables(rules, 3, tmp_path, exact=2, step=STEP, only=["KM-M"])
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (stepped.folder / path.name).read_bytes()


def test_exact_distances_cannot_be_built_on_bounds(rules, tmp_path):
    build_tables(rules, 2, tmp_path, exact=1, only=["K-K"])
    with pytest.raises(UnsolvedError, match="KK-K is not built: it leads to slices that keep no exact distances"):
        build_tables(rules, 3, tmp_path, only=["KK-K"])


def test_large_slices_are_loaded_when_a_position_of_theirs_is_asked(rules, stepped, monkeypatch):
    from zermelo.tables import tables as module

    loaded = []
    load_slice = module.load_slice
    monkeypatch.setattr(module, "load_slice", lambda path: loaded.append(path.stem) or load_slice(path))
    monkeypatch.setattr(module, "CHECKED_FIRST", 0)
    tables = read_tables(stepped.folder, rules)
    tables.outcome(rules.read("B:WK32:BK1"))
    assert loaded == ["K-K"]
    game = with_tables(rules, tables)
    Searcher(game, threads=2).search(game.initial(), Limits(depth=3))
    assert loaded == ["K-K"]
    assert Searcher(game, threads=2).search(rules.read("B:WK32:BK1,K5"), Limits(nodes=20_000)).value == 1.0
    assert set(loaded) == {"K-K", "KK-K"}


def test_a_slice_that_is_damaged_or_of_other_rules_is_refused_when_it_is_loaded(tmp_path):
    from zermelo.errors import InputError

    build_tables(takeaway.Takeaway(), 2, tmp_path, exact=1)
    path = tmp_path / "from-8.table"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="is damaged"):
        read_tables(tmp_path, takeaway.Takeaway()).value(takeaway.Takeaway.State(9, 0))
