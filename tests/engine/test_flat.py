"""Rules of actions in their flat form: the same actions, in the same order, however the rule is written."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo import Game, load
from zermelo.engine.compiled import compile_game
from zermelo.engine.interpreted import interpreted_perft
from zermelo.engine.rules.flat import flatten


class State(NamedTuple):
    stones: int
    turn: int


class Piles(Game):
    def initial(self) -> State:
        return State(6, 0)

    def player(self, s: State) -> int:
        return s.turn

    def result(self, s: State, a: int) -> State:
        return State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.stones == 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0


class Plain(Piles):
    def actions(self, s: State) -> Iterator[int]:
        for n in (1, 2, 3):
            if n <= s.stones:
                yield n


class Returning(Piles):
    def actions(self, s: State) -> Iterator[int]:
        yield 1
        if s.stones == 1:
            return
        yield 2
        n = 3
        while True:
            if n > min(s.stones, 4):
                return
            yield n
            n += 1


class Listed(Piles):
    def actions(self, s: State) -> Any:
        return range(1, min(s.stones, 3) + 1)


class Nested(Piles):
    def actions(self, s: State) -> Iterator[int]:
        for n in [k for k in range(1, 4) if k <= s.stones]:
            yield n


class Echoing(Piles):
    def actions(self, s: State) -> Iterator[int]:
        got = yield 1
        if got is None and s.stones > 1:
            yield 2


def remember(found: list[int], capacity: int, count: int, action: int) -> int:
    if count < capacity:
        found.append(action)
    return count + 1


class Emptied(Piles):
    def actions(self, s: State) -> Any:
        if s.stones == 0:
            return []
        if s.stones == 1:
            return (1,)
        return (n for n in range(1, 4) if n <= s.stones)


class From(Piles):
    def actions(self, s: State) -> Iterator[int]:
        yield from range(1, min(s.stones, 2) + 1)
        yield from (n for n in range(3, 4) if n <= s.stones)


FLAT = (Plain, Returning, Listed, Nested, Emptied, From)


@pytest.mark.parametrize("game", [*(kind() for kind in FLAT), load("othello"), load("checkers"), load("kalah")])
def test_the_flat_form_writes_what_the_rule_yields_or_returns(game: Any) -> None:
    flat = flatten(type(game).actions, remember)
    assert flat is not None
    s = game.initial()
    while not game.is_terminal(s):
        found: list[int] = []
        wanted = list(game.actions(s))
        assert flat(game, s, found, 2) == len(wanted)
        assert found == wanted[:2]
        s = game.result(s, wanted[-1])


class Silent(Piles):
    def actions(self, s: State) -> Any:
        return


@pytest.mark.parametrize("kind", [Echoing, Silent])
def test_a_rule_without_a_flat_form_is_left_alone(kind: Any) -> None:
    assert flatten(kind.actions, remember) is None


@pytest.mark.parametrize("kind", FLAT)
def test_either_way_the_compiled_game_is_the_interpreted_one(kind: type[Game]) -> None:
    game = kind()
    for depth in range(7):
        wanted = interpreted_perft(game, game.initial(), depth)[:3]
        assert compile_game(game).perft(game.initial(), depth)[:3] == wanted


def test_a_source_that_is_no_longer_what_was_imported_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "changing.py"
    source = """
        import zermelo
        class Changing(zermelo.Game):
            def actions(self, s):
                yield 1
    """
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    rule = type(load(f"{path}:Changing")).actions
    assert flatten(rule, remember) is not None  # type: ignore[arg-type]
    path.write_text(textwrap.dedent(source.replace("yield 1", "yield 2")), encoding="utf-8")
    assert flatten(rule, remember) is None  # type: ignore[arg-type]
    path.write_text(textwrap.dedent(source.replace("actions", "another")), encoding="utf-8")
    assert flatten(rule, remember) is None  # type: ignore[arg-type]
