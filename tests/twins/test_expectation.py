"""The native searches for dice and many players are the textbook's, node for node, and pruning changes no value."""

from functools import cache
from typing import Any

import pytest
from tests.twins.chance_games import NoiseBazaar, NoiseDice, NoiseParty

import zermelo as z
from zermelo.engine.expectation import ExpectationEngine
from zermelo.game import Game

GAMES = {"dice": NoiseDice(), "party": NoiseParty(), "bazaar": NoiseBazaar()}
PLAIN = {"table": False, "order": False}


@cache
def native(game: str, algorithm: str, pruning: str | None = None, **settings: Any) -> ExpectationEngine:
    return ExpectationEngine(load(game), algorithm=algorithm, pruning=pruning, **settings)


@cache
def load(name: str) -> Game:
    return GAMES.get(name) or z.load(name)


def compare(ours: z.Analysis, book: z.Analysis) -> None:
    for field in ("value", "values", "action", "line", "nodes", "leaves", "cutoffs", "actions", "exact"):
        assert getattr(ours, field) == getattr(book, field), field


def starts(game: Game, seeds: range, left: int = 5) -> list[Any]:
    return [type(game).State(seed, left, seed % game.players) for seed in seeds]  # type: ignore[attr-defined]


TEXTBOOK: list[tuple[str, str, str, Any]] = [
    ("dice", "expectiminimax", "none", z.expectiminimax),
    ("dice", "expectiminimax", "star1", lambda g, s, **o: z.expectiminimax(g, s, pruning="star1", **o)),
    ("dice", "expectiminimax", "star2", lambda g, s, **o: z.expectiminimax(g, s, pruning="star2", **o)),
    ("party", "paranoid", "star1", z.paranoid),
    ("bazaar", "paranoid", "star1", z.paranoid),
    ("party", "brs", "star1", z.best_reply),
    ("bazaar", "brs", "star1", z.best_reply),
    ("party", "maxn", "none", z.maxn),
    ("party", "maxn", "shallow", lambda g, s, **o: z.maxn(g, s, pruning="shallow", **o)),
    ("bazaar", "maxn", "none", z.maxn),
]


@pytest.mark.parametrize("width", [0, 2])
@pytest.mark.parametrize(("name", "algorithm", "pruning", "textbook"), TEXTBOOK)
def test_plain_settings_enter_the_textbooks_nodes(
    name: str, algorithm: str, pruning: str, textbook: Any, width: int
) -> None:
    game = GAMES[name]
    engine = native(name, algorithm, pruning, width=width, **PLAIN)
    for s in starts(game, range(25)):
        for depth in (0, 1, 2, 4, None):
            book = textbook(game, s, depth=depth, width=width)
            ours = engine.once(s, depth)
            compare(ours, book)


@pytest.mark.parametrize("name", ["pig:goal=6,sides=3", "race:steps=3,sides=3"])
@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
def test_the_dice_games_of_the_package_have_the_textbooks_nodes(name: str, pruning: str) -> None:
    game = load(name)
    for depth in range(5):
        book = z.expectiminimax(game, depth=depth, pruning=None if pruning == "none" else pruning)
        compare(native(name, "expectiminimax", pruning, **PLAIN).once(depth=depth), book)


def test_star_pruning_keeps_every_value_and_saves_nodes_over_thousands_of_trees() -> None:
    engines = {pruning: native("dice", "expectiminimax", pruning, **PLAIN) for pruning in ("none", "star1", "star2")}
    remembering = [
        native("dice", "expectiminimax", pruning, table_mb=1, order=order)
        for pruning in ("star1", "star2")
        for order in (False, True)
    ]
    nodes = dict.fromkeys(engines, 0)
    for s in starts(GAMES["dice"], range(2500), left=7):
        found = {pruning: engine.once(s) for pruning, engine in engines.items()}
        truth = found["none"]
        for pruning, analysis in found.items():
            assert analysis.value == truth.value
            assert analysis.exact
            nodes[pruning] += analysis.nodes
        assert found["star1"].nodes <= truth.nodes
        for engine in remembering:
            assert engine.once(s).value == pytest.approx(truth.value, abs=1e-12)
    assert nodes["star1"] < nodes["none"]


@pytest.mark.parametrize(("name", "algorithm"), [("party", "paranoid"), ("bazaar", "paranoid"), ("party", "brs")])
def test_tables_and_order_leave_one_against_all_alone(name: str, algorithm: str) -> None:
    for s in starts(GAMES[name], range(400), left=6):
        truth = native(name, algorithm, **PLAIN).once(s).value
        for pruning in ("star1", "star2"):
            for settings in ({"table": True, "order": False}, {"table": True, "order": True}, {"table": False}):
                engine = native(name, algorithm, pruning, table_mb=1, **settings)
                assert engine.once(s).value == pytest.approx(truth, abs=1e-12)
                assert engine.search(s).value == pytest.approx(truth, abs=1e-12)


@pytest.mark.parametrize("name", ["party", "bazaar"])
def test_order_tables_and_pruning_find_the_same_equilibrium(name: str) -> None:
    prunings = ["none", "shallow"] if name == "party" else ["none"]
    saved = 0
    for s in starts(GAMES[name], range(600), left=6):
        truth = native(name, "maxn", "none", **PLAIN).once(s)
        for pruning in prunings:
            plain = native(name, "maxn", pruning, **PLAIN).once(s)
            assert (plain.values, plain.action, plain.line) == (truth.values, truth.action, truth.line)
            assert plain.nodes <= truth.nodes
            saved += truth.nodes - plain.nodes
            for settings in ({"table": True, "order": False}, {"table": True}, {"table": False}):
                engine = native(name, "maxn", pruning, table_mb=1, **settings)
                for found in (engine.once(s), engine.search(s)):
                    assert found.values == pytest.approx(truth.values, abs=1e-12)
                    assert found.action == truth.action
    assert saved > 0 or name == "bazaar"
