"""Regret minimisation over ranges: the same numbers as over the tree, and the laws of values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.engine.ranges import Boards, PublicGame, Streets
from zermelo.equilibrium import Strategy, cfr, extensive_form, sequence_form
from zermelo.equilibrium.public_form import PublicForm
from zermelo.equilibrium.range_strategy import RangeStrategy
from zermelo.equilibrium.regret import RULES
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.game.ranges import Hand
from zermelo.games.holdem import Holdem
from zermelo.games.one_card import OneCard

SMALL = {
    "one card": OneCard(ranks=5, suits=2, raises=2),
    "one card, odd bets": OneCard(ranks=3, suits=2, pot=3, stack=5, bets=(40,), raises=2),
    "river": Holdem("Ks7h2d5c9s", "KK,A9s:0.5,QJs,76s", "AK:0.3,77,JTo:2,98s", raises=2, bets=(75,)),
    "turn": Holdem(
        "Ks7h2d5c", "KhKd:0.9,9s8s,AhQh:0.57", "7s7d:1.3,JdTd,AcKc:0.7", pot=10, stack=13, raises=1, bets=()
    ),
}
TIED = ("cfr+", "dcfr", "pcfr+", "pdcfr+")
"""Rules by which hands on the small turn soon have actions that are worth the same, and rounding decides."""
METHODS = list(RULES)


@pytest.fixture(params=SMALL, scope="module")
def twins(request):
    game = SMALL[request.param]
    return PublicForm(game), extensive_form(game)


def differences(ranges: RangeStrategy, tree: Strategy) -> list[float]:
    rows = list(ranges.rows())
    assert len(rows) == len(tree.form.sets)
    return [abs(share - tree[p, name][action]) for p, name, shares in rows for action, share in shares.items()]


@pytest.mark.parametrize("method", METHODS)
def test_ranges_and_the_tree_give_the_same_numbers_at_every_iteration(twins, method):
    public, tree = twins
    tied = len(public.boards) > 1 and method in TIED
    for iterations in (1,) if tied else (1, 2, 23):
        how = {"iterations": iterations, "exploitability": None}
        ours, theirs = cfr(public, method, precision="double", **how), cfr(tree, method, merge=False, **how)
        assert max(differences(ours.strategy, theirs.strategy)) < 1e-6
        assert ours.value == pytest.approx(theirs.value, abs=1e-9)
        assert ours.exploitability == pytest.approx(theirs.exploitability, abs=1e-9)
        assert ours.curve[-1].exploitability == pytest.approx(ours.exploitability, abs=1e-9)


def test_the_value_is_that_of_the_sequence_form(twins):
    public, tree = twins
    found = cfr(public, exploitability="0.05%", precision="double")
    assert found.exploitability <= 0.0005 * public.game.pot
    assert found.value == pytest.approx(sequence_form(tree).value, abs=2 * found.exploitability + 1e-9)
    assert sum(found.values) == 0


@pytest.mark.parametrize("p", [0, 1])
def test_best_answers_are_those_of_the_tree(twins, p):
    public, tree = twins
    dice = np.random.default_rng(p)
    ours = RangeStrategy(public, dice.random(sum(public.room)))  # shares count, so they need not sum to 1
    even = [1.0] * int(tree.offsets[-1])
    theirs = Strategy(tree, even)
    for q, name, shares in ours.rows():
        number = theirs._numbers[q, name]
        place, total = int(tree.offsets[number]), sum(shares.values())
        theirs.shares[place : place + len(shares)] = [share / total for share in shares.values()]
    assert ours.values == pytest.approx(theirs.values)
    assert ours.best_values == pytest.approx(theirs.best_values)
    assert ours.best_response(p).values[p] == pytest.approx(theirs.best_values[p])


def test_single_precision_gets_far_enough():
    found = cfr(SMALL["river"], exploitability="0.2%")
    assert found.exploitability <= 0.2001


def test_threads_do_not_change_a_number():
    public = PublicForm(Holdem("Ks7h2d5c", "KK,QJs,98s", "77,A9s,JTs", raises=1))
    shares = [cfr(public, iterations=7, exploitability=None, threads=n).strategy.shares for n in (1, 2, 3)]
    assert (shares[0] == shares[1]).all()
    assert (shares[0] == shares[2]).all()


def test_a_run_is_kept_and_goes_on_with_the_same_numbers(tmp_path):
    public, file = PublicForm(SMALL["river"]), tmp_path / "run"
    for method in ("dcfr", "pdcfr+"):
        whole = cfr(public, method, iterations=30, exploitability=None)
        cfr(public, method, iterations=12, exploitability=None, checkpoint=file)
        rest = cfr(public, method, iterations=30, exploitability=None, checkpoint=file)
        assert np.allclose(rest.strategy.shares, whole.strategy.shares, atol=1e-5)
        file.unlink()
    cfr(public, iterations=3, exploitability=None, checkpoint=file)
    with pytest.raises(InputError, match="another game"):
        cfr(SMALL["turn"], iterations=3, exploitability=None, checkpoint=file)


@settings(max_examples=10, deadline=None)
@given(st.permutations("cdhs"), st.integers(0, 10**6))
def test_names_of_suits_do_not_matter(suits, seed):
    dice = np.random.default_rng(seed)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    cards = [deck[i] for i in dice.permutation(52)[:21]]
    texts = [
        "".join(cards[:5]),
        *(",".join(a + b for a, b in zip(part[::2], part[1::2], strict=True)) for part in (cards[5:13], cards[13:])),
    ]
    other = str.maketrans("cdhs", "".join(suits))
    how = {"iterations": 20, "exploitability": None, "precision": "double"}
    found = [cfr(Holdem(*(text.translate(table) for text in texts), raises=2), **how) for table in ({}, other)]
    assert found[0].value == pytest.approx(found[1].value, abs=1e-9)
    assert found[0].exploitability == pytest.approx(found[1].exploitability, abs=1e-9)


def test_the_stronger_range_wins_the_pot_where_nobody_can_bet():
    game = Holdem("Ks7h2d5c9s", "AA", "QQ", pot=100, stack=1, bets=(), raises=0)
    found = cfr(game, exploitability=1e-9)
    assert found.value == pytest.approx(50)


def test_all_hands_on_the_river_are_solved_to_a_share_of_the_pot():
    found = cfr(z.load("holdem"), threads=1)
    assert found.exploitability <= 0.3
    assert found.value == pytest.approx(-3.28, abs=0.4)
    rows = [row for row in found.strategy.classes() if row.player == 0 and row.name == "?"]
    assert sum(row.weight for row in rows) == pytest.approx(1081)
    assert all(sum(row.shares.values()) == pytest.approx(1, abs=1e-6) for row in rows)


def test_the_strategy_plays():
    players = [z.Player("cfr:iterations=20,seed=1"), z.Player("cfr:iterations=20,seed=2")]
    for name in ("one card", "turn"):
        records = [z.play(SMALL[name], players, seed=seed) for seed in range(4)]
        assert all(sum(record.utilities) == 0 for record in records)
    with pytest.raises(InputError, match="did not begin"):
        PublicForm(SMALL["one card"]).find([SMALL["one card"].initial()])


def test_what_ranges_cannot_do_is_refused_by_name():
    public = PublicForm(SMALL["one card"])
    with pytest.raises(MethodError, match="needs the tree"):
        cfr(public, "external")
    with pytest.raises(OptionError, match="share of the pot"):
        cfr(public, exploitability="much")
    with pytest.raises(OptionError, match="declares no pot"):
        cfr(z.load("kuhn"), exploitability="1%")
    with pytest.raises(InputError, match="probabilities"):
        RangeStrategy(public, [1.0])

    class Three(OneCard):
        def hands(self, p):
            return [Hand("?", (1, 2, 3))]

    with pytest.raises(MethodError, match="more than two cards"):
        PublicForm(Three(ranks=5))


STREET = Streets([3], [1], [0, -2, -3], [1, 0, 0], [2, 0, 0], [(0, 0, 0), (1, 1, 1), (2, 0, -2)])
HANDS = ([np.arange(2)], [np.arange(2)])


def build(streets=STREET, boards=None, cards=2, held=(0, -1, 1, -1), weights=(1.0, 1.0)):
    boards = boards or Boards([-1], [0], [1.0], HANDS, HANDS)
    both = np.array(held), np.array(weights)
    return PublicGame(cards, 0.0, (both[0], both[0]), (both[1], both[1]), streets, boards)


BAD = {
    "a card that there is not": {"held": (0, -1, 2, -1)},
    "no common deal": {"held": (0, 1, 1, 0), "cards": 2},
    "a negative weight": {"weights": (1.0, -1.0)},
    "weights for other hands": {"weights": (1.0,)},
    "too many cards": {"cards": 10**9},
    "children outside": {"streets": STREET._replace(first=[2, 0, 0])},
    "a node that is its own child": {"streets": STREET._replace(first=[0, 0, 0])},
    "an unknown kind": {"streets": STREET._replace(kind=[7, -2, -3])},
    "a deal that leads nowhere": {"streets": STREET._replace(kind=[0, -1, -3])},
    "no root": {"streets": STREET._replace(roots=[0])},
    "more nodes than there are": {"streets": STREET._replace(nodes=[9])},
    "a payoff that is no number": {"streets": STREET._replace(payoffs=[(0, 0, 0), (float("nan"),) * 3, (0, 0, 0)])},
    "a parent that comes later": {"boards": Boards([3], [0], [1.0], HANDS, HANDS)},
    "no such street": {"boards": Boards([-1], [5], [1.0], HANDS, HANDS)},
    "a hand twice": {"boards": Boards([-1], [0], [1.0], ([np.array([0, 0])], HANDS[1]), HANDS)},
    "hands out of order": {"boards": Boards([-1], [0], [1.0], HANDS, ([np.array([1, 0])], HANDS[1]))},
    "a level beyond all hands": {"boards": Boards([-1], [0], [1.0], HANDS, ([np.array([0, 10**9])], HANDS[1]))},
    "a hand of two strengths": {"boards": Boards([-1], [0], [1.0], HANDS, ([np.array([0, 2])], HANDS[1]))},
}


@pytest.mark.parametrize("name", BAD)
def test_the_core_refuses_what_is_no_public_game(name):
    assert build().room == (4, 0)
    with pytest.raises(InputError, match="not a public game"):
        build(**BAD[name])


def test_what_needs_more_memory_than_there_is_is_refused_before_it_is_taken(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.public_form.available_bytes", lambda: 1_000_000)
    with pytest.raises(MethodError, match=r"needs 0.\d GB of memory, and 0.0 GB are left: take fewer bets") as refused:
        PublicForm(Holdem("Ks7h2d5c", raises=1))
    assert "\n" not in str(refused.value)


def test_walking_a_game_ends_with_the_time():
    with pytest.raises(MethodError, match="larger than can be walked in 0 seconds: there is no strategy yet"):
        cfr(SMALL["river"], seconds=0.0)
    with pytest.raises(MethodError, match="larger than can be walked in time"):
        cfr(Holdem("Ks7h2d5c"), stop=lambda: True)
