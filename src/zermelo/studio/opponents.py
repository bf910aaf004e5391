"""Who can be played against: from a beginner to the best there is, and all other players of the package."""

from __future__ import annotations

from zermelo.arena.calibrate.ladder import find_ladder
from zermelo.arena.players.search import with_book
from zermelo.engine.engine import check_fit, is_plain
from zermelo.engine.searcher import is_simulated
from zermelo.errors import InputError, MethodError
from zermelo.game import Game
from zermelo.games import players_of

STRENGTHS = ("Beginner", "Casual player", "Club player", "Expert")
ABOUT_STRENGTHS = ("Makes many mistakes.", "Overlooks things now and then.", "Plays well.", "Hard to beat.")
WEAKENED = ("depth=1,noise=0.5", "depth=2,noise=0.2", "depth=3,noise=0.05", "nodes=20000")
"""The engine as a beginner, … where nobody has measured levels of the game."""
SIMULATED = ("simulations=30,noise=0.4", "simulations=100,noise=0.15", "simulations=400", "simulations=3000")


def opponents(game: Game) -> list[dict[str, str]]:
    """Players to choose from, with their names: a person, the strongest that fits the game, …, random moves."""
    found = [{"text": "human", "name": "A person"}]
    if fits_engine(game):
        found.append({"text": with_book("engine:seconds=1", game), "name": "The engine, 1 s a move"})
    elif not game.kind.hidden and not is_simulated(game):
        found.append({"text": with_book("search:seconds=1", game), "name": "The textbook's search, 1 s a move"})
    if can_simulate(game):
        found.append({"text": with_book("mcts:seconds=1", game), "name": "Monte Carlo tree search, 1 s a move"})
    if game.kind.hidden and game.can("sample"):
        found.append({"text": "pimc:seconds=1", "name": "Perfect-information Monte Carlo, 1 s a move"})
    if game.kind.perfect_information and is_plain(game):
        found.append({"text": "alphabeta:depth=3", "name": "Alpha-beta, 3 plies"})
    found += [{"text": each["text"], "name": each["name"]} for each in levels(game)]
    found += rungs(game)
    return [*found, {"text": "random", "name": "Random moves"}]


def levels(game: Game) -> list[dict[str, str]]:
    """Opponents from a beginner to the best there is, by what people would call them."""
    if not can_simulate(game):
        return [{"text": "random", "name": "Random moves", "about": "Plays any legal move."}]
    if own := own_players(game):
        weakest_first = zip(reversed(own), STRENGTHS, strict=False)
        return [{"text": each["text"], "name": name, "about": f"{each['name']}."} for each, name in weakest_first]
    kind, limits = ("engine", WEAKENED) if fits_engine(game) else ("mcts", SIMULATED)
    measured = [rung["text"] for rung in rungs(game)]
    texts = (
        measured[1 :: max(1, len(measured) // 4)][:4] if len(measured) > 4 else [f"{kind}:{each}" for each in limits]
    )
    best = with_book(f"{kind}:seconds=1", game)
    found = zip(texts, STRENGTHS, ABOUT_STRENGTHS, strict=False)
    return [
        *({"text": text, "name": name, "about": about} for text, name, about in found),
        {"text": best, "name": "Full strength", "about": "Thinks for a second a move."},
    ]


def own_players(game: Game) -> list[dict[str, str]]:
    """The players that the game itself brings, the strongest first."""
    return [
        {"text": text, "name": f"{name[:1].upper()}{name[1:]}"}
        for each in players_of(game).values()
        for text, name in each.strengths.items()
    ]


def rungs(game: Game) -> list[dict[str, str]]:
    """Opponents of a known strength, where the game is calibrated."""
    try:
        ladder = find_ladder(game)
    except InputError:
        return []
    found = enumerate(ladder.rungs, 1)
    return [{"text": rung.player, "name": f"Level {n} (rating {rung.elo:.0f})"} for n, rung in found]


def fits_engine(game: Game) -> bool:
    """Whether the engine plays the game best."""
    if game.kind.hidden or is_simulated(game):
        return False
    try:
        check_fit(game)
    except MethodError:
        return False
    return True


def can_simulate(game: Game) -> bool:
    return not game.kind.hidden or game.can("sample")


def name_opponent(game: Game, text: str) -> str:
    """What a page calls the player of that text."""
    return next((each["name"] for each in [*levels(game), *opponents(game)] if each["text"] == text), text)
