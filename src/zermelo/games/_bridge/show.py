"""A position of bridge for people: as text, and as a picture of a table with four hands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from zermelo.games._bridge.cards import (
    HAND_NAMES,
    HANDS,
    RANKS,
    SUIT_BITS,
    SYMBOLS,
    card_name,
    cards_of,
    diagram,
)

CARD_WIDTH, CARD_HEIGHT = 24, 32
HAND_WIDTH, HAND_HEIGHT = 13 * CARD_WIDTH // 2 + 60, 4 * CARD_HEIGHT + 24
WIDTH, HEIGHT = 3 * HAND_WIDTH + 40, 3 * HAND_HEIGHT + 40
CORNERS = ((1, 0), (2, 1), (1, 2), (0, 1))
"""The column and row of each hand on the table."""
STYLE = (
    ".cloth{fill:#dfe8dc;stroke:#8a8372}.card{fill:#ffffff;stroke:#4a4436}.hand{fill:#edf2ea;stroke:#8a8372}.turn{fill:#f4e9bd;stroke:#8a8372}"
    ".back{fill:#5b7fa6;stroke:#ffffff}.past{opacity:.45}"
    "text{font:16px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#22252a}text.red{fill:#b3261e}"
    "text.label{font-weight:bold}"
)
SOUTH = 2


def show_position(hands: Sequence[int], leader: int, played: Sequence[int], says: str) -> str:
    """The four hands around the table, the trick under way, and who is to play."""
    trick = "  ".join(f"{HANDS[(leader + i) % 4]} {card_name(card)}" for i, card in enumerate(played))
    return "\n".join([*diagram(hands), "", *([f"trick    {trick}"] if trick else []), says])


class Table(NamedTuple):
    """What is drawn beside the hands, the trick and a line of words."""

    bottom: int = SOUTH
    """The hand that sits at the bottom."""
    labels: Sequence[str] = HAND_NAMES
    """What stands above each hand."""
    backs: Sequence[int] = (0, 0, 0, 0)
    """How many cards a hand has that is not seen."""
    is_past: bool = False
    """Whether the trick is over, and is shown until the next one begins."""
    corners: str = ""
    """More shapes, for the corners."""
    style: str = ""
    """Of these."""


def draw_position(
    hands: Sequence[int | None], turn: int, leader: int, played: Sequence[int], says: str, table: Table | None = None
) -> str:
    """The same as an SVG drawing; every card is a place. A hand of `None` is not seen."""
    table = table or Table()
    places = [CORNERS[(hand - table.bottom + SOUTH) % 4] for hand in range(4)]
    shapes = [
        _hand(hand, places[number], number == turn, table.labels[number], table.backs[number])
        for number, hand in enumerate(hands)
    ]
    trick = []
    for i, card in enumerate(played):
        column, row = places[(leader + i) % 4]
        trick.append(_card(card, WIDTH / 2 + 48 * (column - 1), HEIGHT / 2 + 44 * (row - 1), alone=True))
    shapes.append(f'<g class="past">{"".join(trick)}</g>' if table.is_past else "".join(trick))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {WIDTH + 8} {HEIGHT + 36}">'
        f'<style>{STYLE}{table.style}</style><rect width="{WIDTH}" height="{HEIGHT}" rx="12" class="cloth"/>'
        f'{"".join(shapes)}{table.corners}<text x="{WIDTH / 2}" y="{HEIGHT + 16}">{escape(says)}</text></svg>'
    )


def corner(column: int, row: int) -> tuple[int, int]:
    """The left and upper edge of a place of the table."""
    return 10 + column * (HAND_WIDTH + 10), 10 + row * (HAND_HEIGHT + 10)


def _hand(hand: int | None, place: tuple[int, int], is_turn: bool, label: str, backs: int) -> str:
    left, top = corner(*place)
    shapes = [
        f'<rect x="{left}" y="{top}" width="{HAND_WIDTH}" height="{HAND_HEIGHT}" rx="8" '
        f'class="{"turn" if is_turn else "hand"}"/>',
        f'<text x="{left + HAND_WIDTH / 2}" y="{top + 12}" class="label">{escape(label)}</text>',
    ]
    if hand is None:
        step = min(CARD_WIDTH, (HAND_WIDTH - 50) / max(backs - 1, 1)) / 1.5
        first = left + HAND_WIDTH / 2 - step * (backs - 1) / 2
        shapes += [
            f'<rect x="{first + step * i - 13:g}" y="{top + HAND_HEIGHT / 2 - 12:g}" width="26" height="36" rx="4" '
            'class="back"/>'
            for i in range(backs)
        ]
    for suit in range(4) if hand is not None else ():
        y = top + 24 + CARD_HEIGHT * (suit + 0.5)
        paint = "red" if suit in (1, 2) else ""
        shapes.append(f'<text x="{left + 16}" y="{y}" class="{paint}">{SYMBOLS[suit]}</text>')
        cards = [card for card in cards_of(hand or 0) if card // SUIT_BITS == suit]
        # Many cards overlap, as in a hand.
        step = min(CARD_WIDTH, (HAND_WIDTH - 60) / max(len(cards) - 1, 1))
        shapes += [_card(card, left + 44 + step * i, y) for i, card in enumerate(cards)]
    return "".join(shapes)


def _card(card: int, x: float, y: float, alone: bool = False) -> str:
    """A card around a point; one that lies alone has the sign of its suit."""
    suit, rank = divmod(card, SUIT_BITS)
    half = 18 if alone else 11
    name = f"{RANKS[rank]} of {('spades', 'hearts', 'diamonds', 'clubs')[suit]}"
    paint = "red" if suit in (1, 2) else ""
    return (
        f'<g data-at="{card_name(card)}" data-is="{name}">'
        f'<rect x="{x - half}" y="{y - 14}" width="{2 * half}" height="28" rx="4" class="card"/>'
        f'<text x="{x}" y="{y}" class="{paint}">{SYMBOLS[suit] if alone else ""}{RANKS[rank]}</text></g>'
    )
