"""What every view needs: the list of games, who can play them, and what the searches are called."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.game import Game
from zermelo.game.text import text_picture
from zermelo.games import games, load
from zermelo.play.words import name_game, name_seat
from zermelo.search.algorithms import ALGORITHMS, IMAGINED, SAMPLED, plain_algorithm
from zermelo.studio.controls import list_controls
from zermelo.studio.messages import text_of
from zermelo.studio.opponents import levels, opponents
from zermelo.studio.session import StudioSession, UncachedAnswer, Verb, View, describe_error
from zermelo.studio.views.board import draw


class HomeView(View):
    """Answers questions; nothing runs here."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.verbs: dict[str, Verb] = {
            "games": self.games,
            "game": self.game,
            "tiles": self.tiles,
            "refresh": self.refresh,
        }

    def games(self, given: Mapping[str, object]) -> dict[str, object]:
        return {"games": self.session.catalogue.entries(), "algorithms": sorted(ALGORITHMS | SAMPLED | IMAGINED)}

    def game(self, given: Mapping[str, object]) -> dict[str, object]:
        """What there is to choose for one game."""
        game = self.session.catalogue.load(text_of(given, "game"))
        bots = [
            {"text": bot.text, "name": f"Your bot {bot.name}", "about": bot.text.removeprefix("python:")}
            for bot in self.session.catalogue.bots()
        ]
        return {
            "name": game.name,
            "title": name_game(game),
            "controls": list_controls(type(game)),
            "levels": [*levels(game), *bots],
            "colours": list(game.player_colours),
            "seats": [name_seat(game, p) for p in range(game.players)],
            "opponents": [*opponents(game), *bots],
            "bots": [bot.name for bot in self.session.catalogue.bots()],
            "hidden": game.kind.hidden,
            "chance": game.kind.chance,
            "algorithm": plain_algorithm(game),
        }

    def tiles(self, given: Mapping[str, object]) -> dict[str, object]:
        """A picture of every game, by its text."""
        known = {**self.session.catalogue.own, **{name: load(name) for name in games()}}
        return UncachedAnswer({text: draw_cover(game) for text, game in known.items()})

    def refresh(self, given: Mapping[str, object]) -> dict[str, object]:
        """Has everything shown that is open: a widget that is drawn again has seen nothing yet."""
        self.session.refresh()
        return {}


def draw_cover(game: Game) -> str:
    """What shows in a gallery what the game is about."""
    try:
        return draw(game, game.read(game.cover) if game.cover else game.initial())
    except (Exception, SystemExit) as error:  # rules are anybody's code
        return text_picture(describe_error(error))
