"""Game theory: games in normal form and as trees, their equilibria, and what leads to them; heavy imports wait."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.equilibrium.choose import equilibria as equilibria
from zermelo.equilibrium.choose import equilibrium as equilibrium
from zermelo.equilibrium.choose import read_game as read_game

if TYPE_CHECKING:
    from zermelo.equilibrium.backward import backward_induction as backward_induction
    from zermelo.equilibrium.backward import subgame_perfect as subgame_perfect
    from zermelo.equilibrium.bimatrix import lemke_howson as lemke_howson
    from zermelo.equilibrium.bimatrix import lemke_howson_all as lemke_howson_all
    from zermelo.equilibrium.bimatrix import vertex_enumeration as vertex_enumeration
    from zermelo.equilibrium.choose import solve_extensive as solve_extensive
    from zermelo.equilibrium.complementarity import lemke as lemke
    from zermelo.equilibrium.correlation import correlated as correlated
    from zermelo.equilibrium.correlation import is_correlated as is_correlated
    from zermelo.equilibrium.correlation import stackelberg as stackelberg
    from zermelo.equilibrium.dominance import components as components
    from zermelo.equilibrium.dominance import dominated as dominated
    from zermelo.equilibrium.dominance import eliminate as eliminate
    from zermelo.equilibrium.drawing import picture as picture
    from zermelo.equilibrium.dynamics import fictitious_play as fictitious_play
    from zermelo.equilibrium.dynamics import logit as logit
    from zermelo.equilibrium.dynamics import regret_matching as regret_matching
    from zermelo.equilibrium.dynamics import replicator as replicator
    from zermelo.equilibrium.efg import load_efg as load_efg
    from zermelo.equilibrium.efg import read_efg as read_efg
    from zermelo.equilibrium.efg import write_efg as write_efg
    from zermelo.equilibrium.extensive import ExtensiveForm as ExtensiveForm
    from zermelo.equilibrium.extensive import extensive_form as extensive_form
    from zermelo.equilibrium.form import NormalForm as NormalForm
    from zermelo.equilibrium.nfg import load_nfg as load_nfg
    from zermelo.equilibrium.nfg import read_nfg as read_nfg
    from zermelo.equilibrium.nfg import write_nfg as write_nfg
    from zermelo.equilibrium.profile import best_responses as best_responses
    from zermelo.equilibrium.profile import expected_payoffs as expected_payoffs
    from zermelo.equilibrium.profile import is_equilibrium as is_equilibrium
    from zermelo.equilibrium.profile import pure_equilibria as pure_equilibria
    from zermelo.equilibrium.profile import regrets as regrets
    from zermelo.equilibrium.profile import second_thoughts as second_thoughts
    from zermelo.equilibrium.public_form import PublicForm as PublicForm
    from zermelo.equilibrium.public_tree import PublicTree as PublicTree
    from zermelo.equilibrium.range_strategy import RangeStrategy as RangeStrategy
    from zermelo.equilibrium.reduction import normal_form as normal_form
    from zermelo.equilibrium.regret import cfr as cfr
    from zermelo.equilibrium.resolving import Resolver as Resolver
    from zermelo.equilibrium.resolving import Resolving as Resolving
    from zermelo.equilibrium.resolving import resolved as resolved
    from zermelo.equilibrium.sequence_program import sequence_form as sequence_form
    from zermelo.equilibrium.steps import show_way as show_way
    from zermelo.equilibrium.strategies import Strategy as Strategy
    from zermelo.equilibrium.strategies import from_mixed as from_mixed
    from zermelo.equilibrium.strategies import from_plans as from_plans
    from zermelo.equilibrium.strategies import uniform as uniform
    from zermelo.equilibrium.supports import support_enumeration as support_enumeration
    from zermelo.equilibrium.tree_drawing import draw_tree as draw_tree
    from zermelo.equilibrium.zerosum import optimal_strategies as optimal_strategies
    from zermelo.equilibrium.zerosum import saddle_points as saddle_points
    from zermelo.equilibrium.zerosum import security_levels as security_levels
    from zermelo.equilibrium.zerosum import zero_sum as zero_sum

LATE = {
    "backward": ("backward_induction", "subgame_perfect"),
    "choose": ("solve_extensive",),
    "efg": ("load_efg", "read_efg", "write_efg"),
    "extensive": ("ExtensiveForm", "extensive_form"),
    "sequence_program": ("sequence_form",),
    "strategies": ("Strategy", "from_mixed", "from_plans", "uniform"),
    "bimatrix": ("lemke_howson", "lemke_howson_all", "vertex_enumeration"),
    "complementarity": ("lemke",),
    "correlation": ("correlated", "is_correlated", "stackelberg"),
    "dominance": ("components", "dominated", "eliminate"),
    "dynamics": ("fictitious_play", "logit", "regret_matching", "replicator"),
    "public_form": ("PublicForm",),
    "public_tree": ("PublicTree",),
    "range_strategy": ("RangeStrategy",),
    "resolving": ("Resolver", "Resolving", "resolved"),
    "steps": ("show_way",),
    "tree_drawing": ("draw_tree",),
    "nfg": ("load_nfg", "read_nfg", "write_nfg"),
    "form": ("NormalForm",),
    "drawing": ("picture",),
    "profile": (
        *("best_responses", "expected_payoffs", "is_equilibrium", "pure_equilibria", "regrets", "second_thoughts"),
    ),
    "reduction": ("normal_form",),
    "regret": ("cfr",),
    "supports": ("support_enumeration",),
    "zerosum": ("optimal_strategies", "saddle_points", "security_levels", "zero_sum"),
}
"""What needs NumPy, by the module that has it."""

__all__ = ["equilibria", "equilibrium", "read_game", *(name for names in LATE.values() for name in names)]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    for module, names in LATE.items():
        if name in names:
            return getattr(import_module(f"zermelo.equilibrium.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
