"""The luck of a game is fair, and the same for whoever plays."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar, NamedTuple

import pytest

import zermelo as z
from zermelo.game import CHANCE, Game
from zermelo.play import LiveGame, Luck, MoveRequest


class Urn(Game["Urn.State", int]):
    """Chance draws as long as it goes, and player 0 may take one away before it does."""

    weights: ClassVar = {0: 0.5, 1: 0.3, 2: 0.2}

    class State(NamedTuple):
        gone: int
        turn: int

    def initial(self):
        return self.State(-1, 0)

    def player(self, s):
        return CHANCE if s.turn == 1 else 0

    def actions(self, s):
        return [] if s.turn == 2 else [a for a in self.weights if a != s.gone]

    def chances(self, s):
        total = sum(self.weights[a] for a in self.actions(s))
        return [(a, self.weights[a] / total) for a in self.actions(s)]

    def result(self, s, a):
        return self.State(a if s.turn == 0 else s.gone, s.turn + 1)

    def is_terminal(self, s):
        return s.turn == 2

    def utility(self, s, p):
        return 0.0


def test_every_outcome_has_its_probability():
    game, s = Urn(), Urn.State(-1, 1)
    draws = 20_000
    counts = Counter(Luck(seed).draw(game, s) for seed in range(draws))
    for outcome, probability in game.chances(s):
        error = (probability * (1 - probability) / draws) ** 0.5
        assert abs(counts[outcome] / draws - probability) < 4.5 * error


def test_an_outcome_that_wins_wins_among_fewer_as_well():
    game = Urn()
    for seed in range(200):
        drawn = Luck(seed).draw(game, Urn.State(-1, 1), 0)
        for gone in game.weights:
            if gone != drawn:
                assert Luck(seed).draw(game, Urn.State(gone, 1), 0) == drawn


def test_events_of_one_game_are_independent():
    game = z.load("pig")
    s = game.result(game.initial(), 0 if game.show_action(game.initial(), 0) == "roll" else 1)
    pairs = Counter()
    for seed in range(6_000):
        luck = Luck(seed)
        pairs[luck.draw(game, s, 0), luck.draw(game, s, 0)] += 1
    expected = 6_000 / 36
    chi2 = sum((pairs[a, b] - expected) ** 2 / expected for a in range(1, 7) for b in range(1, 7))
    assert chi2 < 75  # 35 degrees of freedom: one sample in ten thousand is beyond


def play(game, seed, choose):
    live, dealt = LiveGame(game, luck=Luck(seed)), []
    while not live.is_over:
        step = live.step()
        if isinstance(step, MoveRequest):
            live.push(choose(live.legal_actions()))
        elif step.mover == CHANCE:
            dealt.append(step.action)
    return dealt


@pytest.mark.parametrize("text", ["kuhn", "leduc", "goofspiel"])
def test_cards_are_dealt_alike_however_people_bet(text):
    game = z.load(text)
    for seed in range(40):
        calm, wild = (play(game, seed, choose) for choose in (lambda a: a[len(a) // 3], lambda a: a[-1]))
        assert all(one == other for one, other in zip(calm, wild, strict=False))


def test_outcomes_that_are_objects_are_told_apart_by_their_places():
    class Card:
        pass

    class Pack(Urn):
        cards = (Card(), Card(), Card())

        def chances(self, s):
            return [(card, 1 / 3) for card in self.cards]

        def result(self, s, a):
            return self.State(-1, 2)

    def drawn(game):
        return [game.cards.index(Luck(seed).draw(game, game.State(-1, 1))) for seed in range(30)]

    other = Pack()
    other.cards = (Card(), Card(), Card())
    assert drawn(Pack()) == drawn(other)
    assert set(drawn(other)) == {0, 1, 2}
