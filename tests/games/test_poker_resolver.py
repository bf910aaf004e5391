"""Rounds of poker solved for all hands, the network of the river, and the player that re-solves whole hands."""

from __future__ import annotations

import random

import numpy as np
import pytest

import zermelo as z
from zermelo.engine.tensors import write_tensors
from zermelo.equilibrium import cfr
from zermelo.errors import InputError, OptionError
from zermelo.games.holdem.cards import read_cards
from zermelo.games.poker import Poker
from zermelo.games.poker.measure import Hand, ahead, local_best_response, measure
from zermelo.games.poker.resolver import HandResolver
from zermelo.games.poker.river import (
    BUCKETS,
    POT,
    RiverSettings,
    cascade,
    learn_river,
    meet,
    place,
    spot_game,
    spot_state,
)
from zermelo.games.poker.rules import CALL, FOLD
from zermelo.games.poker.spot import HANDS, PUBLIC_INPUTS, RiverNetwork, Spot, blocked, strengths_on
from zermelo.learn.dense import DenseNetwork

EVEN = (np.ones(len(HANDS)), np.ones(len(HANDS)))
RIVER = np.array(read_cards("Ks7h2d5c9s"))
TURN = np.array(read_cards("Ks7h2d5c"))
QUICK = RiverSettings(situations=12, generations=2, iterations=10, width=8, layers=1, passes=2, batch=4, seed=1)


def worth(spot, p):
    """What p gets on average by its best answer."""
    weights = np.ones(len(spot.order))
    return float(weights @ spot.evaluate(p).worths[0]) / pairs(spot)


def pairs(spot):
    left = 52 - len(spot.board)
    return left * (left - 1) // 2 * ((left - 2) * (left - 3) // 2)


def solved(board, iterations=80, **options):
    game = spot_game(3.0)
    spot = Spot(game, spot_state(game, board), EVEN, **options)
    spot.run(iterations)
    return spot


def test_a_solved_river_is_worth_what_the_endgame_is():
    spot = solved(RIVER)
    found = z.load("holdem:board=Ks7h2d5c9s,pot=1000,stack=3000,bets=50/100,raises=3")
    value = cfr(found).values[0]
    assert worth(spot, 0) == pytest.approx(value, abs=0.006 * POT)
    assert 0 <= worth(spot, 0) + worth(spot, 1) < 0.01 * POT


def test_shares_are_probabilities_of_every_hand():
    spot = solved(RIVER, 20)
    for node, kind in enumerate(spot.street.kind):
        if kind >= 0:
            rows = spot.shares(node)
            assert rows.shape == (len(spot.street.actions[node]), len(HANDS))
            assert np.allclose(rows.sum(axis=0), 1, atol=1e-5)
    node = spot.street.deals or [len(spot.street.kind) - 1]
    assert (spot.reach(0, node[0], EVEN[0])[blocked(RIVER)] == 0).all()


def test_a_turn_without_a_network_ends_in_showdowns_on_all_rivers():
    spot = solved(TURN, 60)
    assert len(spot.boards) == 48
    assert abs(worth(spot, 0) + worth(spot, 1)) < 0.01 * POT
    checked = spot.street.deals[0]  # both check
    found, order = spot.evaluate(0), spot.order
    hand = int(np.flatnonzero((HANDS[order] == sorted(read_cards("KhKd"), reverse=True)).all(axis=1))[0])
    reach = found.reaches[checked]
    seen = np.zeros(len(HANDS))
    seen[order] = reach
    seen[blocked(HANDS[order[hand]])] = 0
    even = ahead(HANDS[order[hand]].tolist(), seen / seen.sum(), TURN.tolist(), random.Random(0))
    assert found.worths[checked][hand] == pytest.approx(even * POT / 2 * seen.sum(), rel=0.02)


def test_a_network_that_says_nothing_changes_nothing():
    blank = RiverNetwork(DenseNetwork.start([2 * BUCKETS + PUBLIC_INPUTS, 4, 2 * BUCKETS], 0), BUCKETS)
    with_it, without = solved(TURN, 10, network=blank), solved(TURN, 10)
    assert np.allclose(with_it.shares(0), without.shares(0), atol=1e-4)


def test_a_network_is_zero_sum_whatever_it_says():
    loud = DenseNetwork.start([2 * BUCKETS + PUBLIC_INPUTS, 2 * BUCKETS], 0)
    loud.tensors[1][:] = np.random.default_rng(1).standard_normal(2 * BUCKETS)
    spot = solved(TURN, 10, network=RiverNetwork(loud, BUCKETS))
    found = [spot.evaluate(p) for p in (0, 1)]
    deal = next(k for k, node in enumerate(spot.street.deals) if spot.street.states[node].paid < spot.game.most)
    node = spot.street.deals[deal]
    got = [float(found[1 - p].reaches[node] @ found[p].worths[node]) for p in (0, 1)]
    assert abs(sum(got)) < 0.1 * max(map(abs, got))  # buckets know nothing of cards that hands share


def test_whom_a_hand_can_meet_is_counted_as_one_by_one_would():
    ((order, strength),) = strengths_on(RIVER[None, :], np.flatnonzero(~blocked(RIVER)))
    reach = np.random.default_rng(2).random(len(order))
    _, begin, end = place(strength)
    met, more = meet(order, reach, begin, end)
    for i in range(0, len(order), 97):
        apart = ~np.isin(HANDS[order], HANDS[order[i]]).any(axis=1)
        assert met[i] == pytest.approx(float(reach[apart].sum()))
        assert more[i] == pytest.approx(float((reach * np.sign(strength[i] - strength))[apart].sum()))


def test_random_ranges_are_weights_of_all_hands():
    generator = np.random.default_rng(0)
    for _ in range(20):
        found = cascade(generator, 1081)
        assert len(found) == 1081
        assert found.min() > 0


def test_the_same_settings_give_the_same_river_network_and_a_file_keeps_it(tmp_path):
    one, two = learn_river(QUICK), learn_river(QUICK)
    tensors = one.network.network.tensors
    assert all((a == b).all() for a, b in zip(tensors, two.network.network.tensors, strict=True))
    assert (one.situations, one.stopped) == (12, False)
    path = tmp_path / "river.safetensors"
    one.network.write(path, one.record(QUICK))
    assert all((a == b).all() for a, b in zip(tensors, RiverNetwork.read(path).network.tensors, strict=True))
    write_tensors(path, one.network.network.named(), {"zermelo": '{"family": "ranges", "kinds": "others"}'})
    with pytest.raises(InputError, match="another game than poker"):
        RiverNetwork.read(path)


def test_an_opponent_gets_no_more_on_the_river_than_it_was_held_to_on_the_turn():
    game = Poker(stacks=(40,), raises=0)  # so that the turn knows what follows
    resolver = HandResolver(game, 0, 80)
    s = game.read("AhKdQcJsKs7h2d5c9c c c / c c / c c /".replace(" /", ""))
    spot, _ = resolver.at(s)
    assert spot.start.round == 3
    turn, _ = resolver.at(game.read("AhKdQcJsKs7h2d5c c c c c"))
    stops = resolver._after(turn, turn.street.deals[0], _situation(resolver, game), game.cards(s)).stops
    held = spot.evaluate(0).worths[0]
    excess = np.maximum(held - stops[spot.order], 0).mean()
    assert excess < 0.05 * np.abs(stops[spot.order]).mean()


def _situation(resolver, game):
    """What is known when the turn begins, after two rounds of checks."""
    from zermelo.games.poker.resolver import Situation

    situation = Situation(EVEN, None)
    for text in ("AhKdQcJs", "AhKdQcJsKs7h2d c c"):
        spot, _ = resolver.at(game.read(text))
        situation = resolver._after(spot, spot.street.deals[0], situation, read_cards("AhKdQcJsKs7h2d5c"))
    return situation


@pytest.fixture(scope="module")
def quick():
    game = Poker(stacks=(30,), raises=1)
    return tuple(HandResolver(game, seat, 2) for seat in (0, 1))


def test_whole_hands_are_played_by_legal_choices(quick):
    game, rng = quick[0].game, random.Random(4)
    for _ in range(3):
        s = game.initial()
        while not game.is_terminal(s):
            if game.is_dealing(s):
                s = game.result(s, rng.choice(list(game.actions(s))))
                continue
            shares = quick[s.turn].policy(s)
            assert len(shares) == len(list(game.actions(s)))
            assert sum(shares) == pytest.approx(1, abs=1e-4)
            s = game.result(s, quick[s.turn].choose(s, (), rng))
        assert game.utility(s, 0) == -game.utility(s, 1)


def test_sizes_that_were_not_thought_of_count_as_the_nearest():
    game = Poker(stacks=(30,), raises=1, free=True)
    resolver = HandResolver(game, 1, 2)
    states = [game.read(f"AhKdQcJs r{chips}") for chips in (7, 6, 29, 30)]
    nodes = [resolver.at(s)[1] for s in states]
    assert nodes[0] == nodes[1] != nodes[2] == nodes[3]
    assert sum(resolver.policy(states[0])) == pytest.approx(1, abs=1e-4)


def test_time_bounds_a_solution():
    resolver = HandResolver(Poker(stacks=(30,), raises=1), 0, 10**6, seconds=0.01)
    spot, _ = resolver.at(Poker(stacks=(30,), raises=1).read("AhKdQcJs"))
    assert 1 <= spot.lookahead.iterations < 10**5


def test_who_always_folds_loses_the_blind_and_nothing_else(quick):
    hand = Hand(quick[0].game, quick[1], 0, random.Random(0))
    assert hand.play(lambda _: FOLD) == -1


def test_an_end_is_worth_the_mean_over_all_hands_that_the_player_could_hold(quick):
    game = quick[0].game
    hand = Hand(game, quick[1], 0, random.Random(0))
    hand.state = game.read("AhAdQcJsAsAc2h3h4h c c c c c c c c")
    assert game.is_terminal(hand.state)
    assert hand.worth() == pytest.approx(2 * (989 - 1) / 990)  # four aces lose to one hand of 990
    hand.likely = np.zeros(len(HANDS))
    hand.likely[:] = [1.0 if {int(a), int(b)} == set(read_cards("5h6h")) else 0.0 for a, b in HANDS]
    assert hand.worth() == -2  # a straight flush


def test_winnings_come_with_their_error_and_the_same_seed_plays_the_same_hands(quick):
    first, again = ([w.chips for w in measure(quick, "call", 4, seed=2)] for _ in range(2))
    assert first == again
    last = list(measure(quick, "pot-odds", 3))[-1]
    assert last.hands == 3
    assert last.blinds == pytest.approx(1000 * last.chips / 2)
    assert last.error >= 0


def test_the_local_best_response_folds_what_cannot_win_and_never_what_cannot_lose(quick):
    game = quick[0].game
    hand = Hand(game, quick[1], 0, random.Random(0))
    hand.state = game.read("2h3dQcJsAsAcKdKcQh c c c c c c r6")
    assert hand.state.turn == 0
    hand.likely = np.where(blocked(read_cards("Ah")), 1.0, 0.0)
    assert local_best_response(hand) == FOLD
    hand.state = game.read("AhAdQcJsAsAcKdKcQh c c c c c c r6")
    hand.likely = np.ones(len(HANDS))
    assert local_best_response(hand) != FOLD


def test_the_player_resolve_plays_poker_and_refuses_what_does_not_fit():
    game = z.load("poker:stacks=30,raises=1")
    name = "resolve:iterations=1,seed=1"
    played = z.play(game, [z.Player(name), z.Player("random:seed=1")], seed=3)
    assert game.is_terminal(played.final) if hasattr(played, "final") else played.moves
    with pytest.raises(OptionError, match="leave out depth"):
        z.play(game, [z.Player("resolve:rounds=1"), z.Player("random")], seed=3)
    with pytest.raises(InputError, match="cannot be read"):
        z.play(game, [z.Player("resolve:values=/nowhere"), z.Player("random")], seed=3)


def test_a_bad_call_stays_a_call():
    assert HandResolver._place([CALL, 10], 5) == 1
    assert HandResolver._place([FOLD, CALL], 50) == 1
