"""Players that games bring, each for its own game: `bridge:strength=3`."""

from __future__ import annotations

from zermelo.arena.players import Kind
from zermelo.games import own_players

KINDS = {
    name: Kind(each.make, each.summary, each.example, each.options, harmless=True)
    for name, each in own_players().items()
}
