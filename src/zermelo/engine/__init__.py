"""The native engine: compiles a game's rules and searches them in C++; heavy imports wait for the first use."""

from typing import TYPE_CHECKING

from zermelo.engine.imagined import alphamu as alphamu
from zermelo.engine.imagined import pimc as pimc
from zermelo.engine.interpreted import InterpretedWarning as InterpretedWarning
from zermelo.engine.interpreted import compile_or_none as compile_or_none
from zermelo.engine.interpreted import perft as perft
from zermelo.engine.mcts import Mcts as Mcts
from zermelo.engine.mcts import mcts as mcts
from zermelo.engine.searcher import Searcher as Searcher
from zermelo.engine.searcher import search as search
from zermelo.engine.searcher import solve as solve

if TYPE_CHECKING:
    from zermelo.engine.compiled import CompiledGame as CompiledGame
    from zermelo.engine.compiled import Stopped as Stopped
    from zermelo.engine.compiled import compile_game as compile_game
    from zermelo.engine.engine import Engine as Engine

_LAZY = ("CompiledGame", "Stopped", "compile_game")


def __getattr__(name: str) -> object:
    if name == "Engine":
        from zermelo.engine.engine import Engine

        return Engine
    if name in _LAZY:
        from zermelo.engine import compiled

        return getattr(compiled, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
