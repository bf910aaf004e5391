"""What compiling a game takes is given back: a process may compile as many games as it likes."""

import gc
from typing import NamedTuple

import numba
import pytest

import zermelo as z
from zermelo.engine.compiled import compile_game
from zermelo.engine.rules import cache, target
from zermelo.engine.rules.numba_api import LoweringRegistry, TypingRegistry, cpu_target, default_manager
from zermelo.errors import CompileError


@numba.njit
def halve(n: int) -> int:
    return n // 2


class Take(z.Game):
    """Take a few stones, or half of them."""

    class State(NamedTuple):
        heap: int
        turn: int

    def __init__(self, most: int):
        self.most = most

    def initial(self):
        return self.State(20, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for a in range(1, min(self.most, s.heap) + 1):
            yield a

    def result(self, s, a):
        return self.State(halve(s.heap) if a == 3 else s.heap - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.heap == 0

    def utility(self, s, p):
        return -1.0 if s.turn == p else 1.0


@pytest.fixture
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "load", lambda key: None)
    monkeypatch.setattr(cache, "save", lambda key, code: None)


def entries() -> dict[str, int]:
    """How much Numba's registries and caches hold that live as long as the process."""
    gc.collect()
    registries = [r for r in gc.get_objects() if isinstance(r, (LoweringRegistry, TypingRegistry))]
    lists = [value for registry in registries for value in vars(registry).values() if isinstance(value, list)]
    templates = [t for group in cpu_target.typing_context._functions.values() for t in group]
    return {
        "registrations": sum(map(len, lists)),
        "implementations": sum(len(getattr(template, "_impl_cache", ())) for template in templates),
        "models": len(default_manager._cache),
    }


def warm_up() -> None:
    """Lets Numba import its modules, and meet the types that all games have."""
    compile_game(Take(2))
    compile_game(Take(3))


@pytest.mark.usefixtures("nothing_kept")
def test_compiling_leaves_no_contexts_libraries_or_registrations_behind() -> None:
    kinds = (target._Context, target._Typing, target._Library)

    def living() -> set[int]:
        """An error that a test before has shown may hold some."""
        return {id(each) for each in gc.get_objects() if isinstance(each, kinds)}

    warm_up()
    before, earlier = entries(), living()
    assert all(compile_game(Take(most)).code.source == "compiled" for most in (4, 5, 6))
    assert entries() == before
    assert living() <= earlier


@pytest.mark.usefixtures("nothing_kept")
def test_a_failed_attempt_leaves_nothing_behind_either() -> None:
    class Wrong(Take):
        def utility(self, s, p):
            return -1.0 if s.turn == p else eval("1.0")

    warm_up()
    before = entries()
    with pytest.raises(CompileError):
        compile_game(Wrong(7))
    assert entries() == before


@pytest.mark.usefixtures("nothing_kept")
def test_numba_still_compiles_for_others_before_and_afterwards() -> None:
    @numba.njit
    def add(a, b):
        return a + b

    assert add(1, 2) == 3
    values = [z.solve(Take(most)).value for most in (7, 8)]
    assert values == [z.alphabeta(Take(most)).value for most in (7, 8)]
    assert add(0.5, 2) == 2.5
    assert halve(9) == 4
