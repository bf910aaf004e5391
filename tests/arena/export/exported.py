"""Games to be written: played ones, and ones as strange as names and moves can be."""

from __future__ import annotations

from hypothesis import strategies as st

from zermelo.arena import Player, play
from zermelo.arena.export import ExportGame, from_record
from zermelo.arena.export._game import one_line
from zermelo.arena.openings import Opening
from zermelo.game import CHANCE
from zermelo.games import load

nasty = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", "]", "a]\\", "}{", '\n[White "x"]', "1-0", "%", ";", "(", "\u2028", "\ud800", ":"]
)
moves = nasty.map(lambda text: one_line(text).strip() or "m")
"""Moves of one line, as a game writes them."""


@st.composite
def export_games(draw, players=2, chance=False):
    """Games of no game in particular, as strange as names and moves can be."""
    count = draw(st.integers(0, 6))
    movers = st.integers(CHANCE if chance else 0, players - 1)

    def parallel(values):
        return draw(st.none() | st.lists(st.none() | values, min_size=count, max_size=count).map(tuple))

    utilities = st.tuples(*[st.sampled_from([-1.0, 0.0, 0.25, 1.0])] * players)
    return ExportGame(
        game=draw(moves),
        players=tuple(draw(nasty) for _ in range(players)),
        moves=tuple(draw(moves) for _ in range(count)),
        movers=tuple(draw(movers) for _ in range(count)),
        utilities=draw(st.none() | utilities),
        start=draw(st.none() | moves),
        reason=draw(st.sampled_from(["", "repetition", "resignation", "length", "time", "crash", "left", "else"])),
        detail=draw(nasty),
        spec=draw(nasty),
        seats=draw(st.sampled_from([(), ("black", "white"), ("w", "b"), ("x", "o")])),
        chance=chance,
        book=draw(st.integers(0, count)),
        seconds=parallel(st.floats(0, 1e4)),
        values=parallel(st.floats(-10, 10)),
        depths=parallel(st.integers(0, 99)),
        nodes=parallel(st.integers(0, 1 << 40)),
        event=draw(nasty),
        site=draw(nasty),
        started=draw(st.sampled_from(["", "never", "2026-11-15T20:17:00+00:00", "0001-01-01"])),
        round=draw(nasty),
        seed=draw(st.none() | st.integers()),
        versions=draw(st.dictionaries(nasty, nasty, max_size=2)),
    )


def played(name, seed=1, opening=None, **more):
    game = load(name)
    state, history = (opening or Opening()).reach(game)
    players = [Player(f"random:seed={seed + p}") for p in range(game.players)]
    record = play(game, players, state, history=history, seed=seed)
    return game, record, from_record(game, record, opening, **more)
