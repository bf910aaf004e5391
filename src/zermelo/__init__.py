"""Zermelo: games against an adversary. Rules in Python, search at native speed, every step visible.

import zermelo as z

game = z.load("tictactoe")
z.search(game).action
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis as Analysis
from zermelo.analysis import Clock as Clock
from zermelo.analysis import Limits as Limits
from zermelo.arena import Human as Human
from zermelo.arena import Player as Player
from zermelo.arena import Record as Record
from zermelo.arena import play as play
from zermelo.check import check as check
from zermelo.engine import InterpretedWarning as InterpretedWarning
from zermelo.engine import Mcts as Mcts
from zermelo.engine import Searcher as Searcher
from zermelo.engine import alphamu as alphamu
from zermelo.engine import mcts as mcts
from zermelo.engine import pimc as pimc
from zermelo.engine import search as search
from zermelo.engine import solve as solve
from zermelo.equilibrium import equilibria as equilibria
from zermelo.equilibrium import equilibrium as equilibrium
from zermelo.errors import ContractError as ContractError
from zermelo.errors import InputError as InputError
from zermelo.errors import MethodError as MethodError
from zermelo.errors import UnsolvedError as UnsolvedError
from zermelo.errors import ZermeloError as ZermeloError
from zermelo.game import CHANCE as CHANCE
from zermelo.game import U64 as U64
from zermelo.game import Game as Game
from zermelo.game import Tree as Tree
from zermelo.game import Weights as Weights
from zermelo.game import adapt as adapt
from zermelo.game import sides as sides
from zermelo.game import tree as tree
from zermelo.games import load as load
from zermelo.search import TranspositionTable as TranspositionTable
from zermelo.search import alphabeta as alphabeta
from zermelo.search import best_reply as best_reply
from zermelo.search import deepening as deepening
from zermelo.search import expectiminimax as expectiminimax
from zermelo.search import h_minimax as h_minimax
from zermelo.search import maxn as maxn
from zermelo.search import minimax as minimax
from zermelo.search import mtdf as mtdf
from zermelo.search import negamax as negamax
from zermelo.search import null_move_score as null_move_score
from zermelo.search import paranoid as paranoid
from zermelo.search import pvs as pvs
from zermelo.search import revealed as revealed
from zermelo.search import zero_window as zero_window
from zermelo.search.trace import Trace as Trace
from zermelo.search.trace import diff as diff
from zermelo.version import own_version

Table = TranspositionTable

if TYPE_CHECKING:
    from zermelo.arena.tournament import match as match
    from zermelo.engine import Engine as Engine
    from zermelo.equilibrium.regret import cfr as cfr

    __version__: str

LATE = {"Engine": "zermelo.engine", "cfr": "zermelo.equilibrium.regret", "match": "zermelo.arena.tournament"}
"""Names whose modules import Numba or NumPy; these are imported on first use."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        from importlib import import_module

        return getattr(import_module(LATE[name]), name)
    if name == "__version__":
        return own_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *LATE, "__version__"})


class _CallablePackage(ModuleType):
    """A package that shares its name with a function: both `z.check(game)` and `import zermelo.check` work."""

    __wrapped__: Any

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.__wrapped__(*arguments, **options)


def _share_names() -> None:
    """Makes every package of the same name as a public function callable, and binds the name to the package."""
    for name, function in list(globals().items()):
        package = sys.modules.get(f"{__name__}.{name}")
        if package is not None and package is not function:
            package.__class__ = _CallablePackage
            package.__wrapped__ = function  # type: ignore[attr-defined]
            globals()[name] = package


_share_names()
