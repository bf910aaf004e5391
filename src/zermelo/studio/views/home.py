"""What every view needs: the list of games, who can play them, and what the searches are called."""

from __future__ import annotations

from collections.abc import Mapping

from zermelo.play.words import name_seat
from zermelo.search.algorithms import ALGORITHMS, IMAGINED, SAMPLED, plain_algorithm
from zermelo.studio.messages import text_of
from zermelo.studio.session import StudioSession, Verb, View


class HomeView(View):
    """Answers questions; nothing runs here."""

    def __init__(self, session: StudioSession):
        self.session = session
        self.verbs: dict[str, Verb] = {
            "games": self.games,
            "game": self.game,
            "refresh": self.refresh,
        }

    def games(self, given: Mapping[str, object]) -> dict[str, object]:
        return {"games": self.session.catalogue.entries(), "algorithms": sorted(ALGORITHMS | SAMPLED | IMAGINED)}

    def game(self, given: Mapping[str, object]) -> dict[str, object]:
        """What there is to choose for one game."""
        game = self.session.catalogue.load(text_of(given, "game"))
        return {
            "name": game.name,
            "seats": [name_seat(game, p) for p in range(game.players)],
            "opponents": self.session.catalogue.opponents(game),
            "hidden": game.kind.hidden,
            "chance": game.kind.chance,
            "algorithm": plain_algorithm(game),
        }

    def refresh(self, given: Mapping[str, object]) -> dict[str, object]:
        """Has everything shown that is open: a widget that is drawn again has seen nothing yet."""
        self.session.refresh()
        return {}
