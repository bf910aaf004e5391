from __future__ import annotations

import random

import pytest

import zermelo as z
from zermelo.arena.players import make_player
from zermelo.errors import OptionError
from zermelo.games._bridge.cards import HANDS, Board, board_facts, card_name, random_deal
from zermelo.games._bridge.solver import StrainTables, solve_position, solve_worlds, value_worlds
from zermelo.games.bridge.judging import best_card, card_verdicts
from zermelo.games.bridge.meaning import features
from zermelo.games.bridge.sampling import Beliefs, draw_worlds


def load(seed: int, ranks: int = 13, options: str = ""):
    board = Board(random_deal(ranks, seed), *board_facts(seed))
    return z.load(f"bridge:deal={board.text()},dealer={HANDS[board.dealer]},vulnerable={board.vulnerable}{options}")


def after(game, *texts: str):
    s = game.initial()
    for text in texts:
        s = game.result(s, game.read_action(s, text))
    return s


@pytest.mark.parametrize(("player", "ranks"), [("bridge:strength=1", 13), ("bridge:worlds=3", 6), ("bridge", 3)])
def test_players_finish_a_board_legally(player, ranks):
    for seed in range(1, 4):
        game = load(seed, ranks)
        players = [make_player(player) for _ in range(4)]
        s = game.initial()
        while not game.is_terminal(s):
            a = players[game.player(s)].choose(game, s, [])
            assert game.fault(s, a) is None
            s = game.result(s, a)


def test_a_player_looks_at_its_own_view_only():
    game, chance = load(4, 7), random.Random(4)
    s = game.initial()
    while not game.is_terminal(s):
        p = game.player(s)
        other = game.sample(game.view(s, p), p, chance)
        chosen = [make_player("bridge:worlds=4,seed=9").choose(game, state, []) for state in (s, other)]
        assert chosen[0] == chosen[1]
        s = game.result(s, chosen[0])


def test_what_is_asked_of_a_player_is_checked():
    for text in ("bridge:strength=4", "bridge:worlds=-1", "bridge:world=3"):
        with pytest.raises(OptionError):
            make_player(text)
    game = z.load("tictactoe")
    with pytest.raises(OptionError, match="plays bridge only"):
        make_player("bridge").choose(game, game.initial(), [])


def test_several_deals_with_one_table_are_each_as_alone():
    tables, chance = StrainTables(), random.Random(1)
    for strain in (4, 1):
        deals = [random_deal(6, seed) for seed in range(12)]
        leader = chance.randrange(4)
        alone = [solve_position(hands, strain, leader, []).tricks for hands in deals]
        for window in ((0, 6), (2, 3), (3, 5)):
            found = solve_worlds(deals, tables, strain, leader, [], window)
            low, high = window
            assert [dict(cards) for cards in found] == [
                {card: min(max(tricks, low), high) for card, tricks in each.items()} for each in alone
            ]
        best = max if leader % 2 == 0 else min
        assert value_worlds(deals, tables, strain, leader) == [best(each.values()) for each in alone]


def test_the_card_that_makes_the_contract_in_most_deals_is_played():
    game = z.load("bridge:deal=N:AQ2... .A32.. 543... K76...,contract=2NT-S")
    s = after(game, "S6")
    view = game.view(s, 2)
    worlds = draw_worlds(game, view, 2, 2000, random.Random(2))  # the queen wins in 4 of 10, the ace in 3
    verdicts = card_verdicts(game, view, worlds, StrainTables())
    assert card_name(best_card(game, view, verdicts, 0)) == "SQ"


def test_a_declarer_by_rules_takes_the_finesse_of_an_ending():
    game = z.load("bridge:deal=N:AQ2... .A32.. 543... K76...,contract=2NT-S")
    assert game.deck == sorted(game.deck, key=lambda card: (card // 16, -card))
    chosen = make_player("bridge:strength=1").choose(game, after(game, "S6"), [])
    assert card_name(chosen) == "SQ"


def test_deals_are_kept_as_long_as_they_fit():
    game = load(5, 13, ",contract=3NT-S")
    beliefs, chance, s = Beliefs(), random.Random(1), game.initial()
    player = make_player("bridge:strength=1")
    kept = []
    while len(s.cards) < 30:
        if s.cards and game.player(s) == 2:
            before = set(beliefs.deals)
            worlds = beliefs.worlds(game, game.view(s, 2), 2, 20, chance)
            assert len(worlds) == 20
            assert all(world[0] == s.hands[0] and world[2] == s.hands[2] for world in worlds)
            kept.append(len(before & set(beliefs.deals)))
        s = game.result(s, player.choose(game, s, []))
    assert any(kept)


def test_calls_that_were_heard_shape_the_deals():
    game = z.load("bridge:deal=N:AK4.QT9.KJ7.K532 QJ9.AK4.QT9.J874 T87.J876.A85.QT9 6532.532.6432.A6")
    s = after(game, "1NT", "P", "P")
    hands = [game.sample(game.view(s, 3), 3, random.Random(seed)).hands[0] for seed in range(60)]
    fitting = [hand for hand in hands if features(hand).is_balanced and 15 <= features(hand).hcp <= 17]
    assert len(fitting) > 50


def test_a_table_is_of_one_strain_and_refuses_what_is_no_deal():
    with pytest.raises(ValueError, match="no such strain"):
        StrainTables()[5]
    with pytest.raises(ValueError, match="the same card"):
        value_worlds([(1, 1, 4, 8)], StrainTables(), 4, 0)


def test_who_plays_bridge_meets_bridge_players():
    from zermelo.cli.play import find_players
    from zermelo.studio.opponents import levels, opponents

    game = z.load("bridge")
    assert [player.name for player in find_players(game, None, None, False, None)][1:] == ["bridge:strength=3"] * 3
    own = ["bridge:strength=3", "bridge:strength=2", "bridge:strength=1"]
    texts = [each["text"] for each in opponents(game)]
    assert "human" in texts
    assert [text for text in texts if text.startswith("bridge:")] == own[::-1]
    assert [each["text"] for each in levels(game)] == own[::-1]
