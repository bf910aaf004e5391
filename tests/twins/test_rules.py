"""The compiled rules of every game of the package say what the interpreted ones say, along random games."""

import random

import numpy
import pytest

from zermelo.engine import CompiledGame, compile_game
from zermelo.engine.compiled import TERMINAL
from zermelo.engine.rules.compiler import SLOTS
from zermelo.errors import CompileError
from zermelo.game import CHANCE, Game
from zermelo.games import games, load

INTERPRETED = {"bridge", "rubber"}
"""Whose states are of no fixed size: an auction is as long as it takes."""

VARIANTS = [
    *sorted(games().keys() - INTERPRETED),
    "breakthrough:columns=5,rows=6",
    "checkers:draw_after=5",
    "connect4:columns=5,rows=4",
    "hex:size=4,swap=True",
    "hexapawn:columns=4,rows=5",
    "kalah:houses=3,seeds=9,count=yes",
    "kingmaker:players=4,podium=True",
    "morris:men=5,flying=no",
    "nim:heaps=7/1/2/9,misere=True",
    "othello:size=6,discs=yes",
    "pig:goal=30,sides=4",
    "race:steps=9",
    "tictactoe:m=4,n=5,k=4",
]


def same(one, other) -> bool:
    """Whether two states are equal, arrays included."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(numpy.array_equal(one, other))


def compare(game: Game, compiled: CompiledGame, s) -> None:
    """Asserts that both say the same of the position `s` and of each of its children."""
    assert same(compiled.unpack(compiled.pack(s)), s)
    mover, utilities = compiled.info(s)
    if game.is_terminal(s):
        assert mover == TERMINAL
        assert utilities == game.utilities(s)
        return
    assert mover == game.player(s)
    actions = list(game.actions(s))
    assert compiled.actions(s) == actions
    if mover == CHANCE:
        assert compiled.chances(s) == [(a, float(p)) for a, p in game.chances(s)]
    for a in actions:
        child = game.result(s, a)
        step = compiled.step(s, a)
        assert same(step.state, child)
        assert (step.mover == TERMINAL) == bool(game.is_terminal(child))
        if step.mover == TERMINAL:
            assert step.utilities == game.utilities(child)
        else:
            assert step.mover == game.player(child)
    compare_optional(game, compiled, s, actions)


def compare_optional(game: Game, compiled: CompiledGame, s, actions: list[int]) -> None:
    if game.can("priority"):
        assert compiled.priorities(s, actions) == [game.priority(s, a) for a in actions]
    arguments = {"POSITION": [()], "ACTION": [(a,) for a in actions], "PLAYER": [(p,) for p in range(game.players)]}
    for slot in SLOTS.values():
        if slot.method == "rank" and game.material(s) < 0:
            continue  # it has no number
        if slot.kind not in ("", "KEY") and slot.method in Game.optional and game.can(slot.method):
            for argument in arguments[slot.about]:
                assert compiled.ask(slot.name, s, *argument) == getattr(game, slot.method)(s, *argument), slot.name
    if game.can("pass_turn") and game.player(s) != CHANCE:
        passed = game.pass_turn(s)
        step = compiled.pass_turn(s)
        assert same(step.state, passed)


@pytest.mark.parametrize("name", VARIANTS)
def test_compiled_rules_equal_the_interpreted_ones_along_random_games(name: str) -> None:
    game = load(name)
    compiled = compile_game(game)
    chooser = random.Random(1913)
    for _ in range(10):
        s = game.initial()
        for _ply in range(200):
            compare(game, compiled, s)
            if game.is_terminal(s):
                break
            s = game.result(s, chooser.choice(list(game.actions(s))))


@pytest.mark.parametrize("name", VARIANTS)
def test_equal_positions_have_equal_keys_and_views(name: str) -> None:
    game = load(name)
    compiled = compile_game(game)
    chooser = random.Random(7)
    seen: dict[object, int] = {}
    views: dict[object, int] = {}
    for _ in range(20):
        s = game.initial()
        for _ply in range(60):
            assert seen.setdefault(game.key(s), compiled.ask("key", s)) == compiled.ask("key", s)
            if game.can("view"):
                for p in range(game.players):
                    assert views.setdefault(game.view(s, p), compiled.ask("view_key", s, p)) == compiled.ask(
                        "view_key", s, p
                    )
            if game.is_terminal(s):
                break
            s = game.result(s, chooser.choice(list(game.actions(s))))
    assert len(set(seen.values())) == len(seen)
    assert len(set(views.values())) == len(views)


@pytest.mark.parametrize("name", sorted(INTERPRETED))
def test_the_other_games_refuse_to_be_compiled(name):
    with pytest.raises(CompileError):
        compile_game(load(name))
