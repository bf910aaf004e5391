"""A position of bridge for people: as text, and as a picture of a table with four hands."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

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
    "text{font:16px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#22252a}text.red{fill:#b3261e}"
    "text.label{font-weight:bold}text.words{font:14px monospace;text-anchor:start}"
)


def show_position(hands: Sequence[int], leader: int, played: Sequence[int], says: str) -> str:
    """The four hands around the table, the trick under way, and who is to play."""
    trick = "  ".join(f"{HANDS[(leader + i) % 4]} {card_name(card)}" for i, card in enumerate(played))
    return "\n".join([*diagram(hands), "", *([f"trick    {trick}"] if trick else []), says])


def draw_position(
    hands: Sequence[int | None],
    turn: int,
    leader: int,
    played: Sequence[int],
    says: str,
    words: Sequence[str] = (),
) -> str:
    """The same as an SVG drawing; every card is a place. A hand of `None` is not seen; `words` stand in a corner."""
    shapes = [_hand(hand, number, number == turn) for number, hand in enumerate(hands)]
    middle_x, middle_y = WIDTH / 2, HEIGHT / 2
    for i, card in enumerate(played):
        column, row = CORNERS[(leader + i) % 4]
        shapes.append(_card(card, middle_x + 44 * (column - 1), middle_y + 44 * (row - 1)))
    shapes += [
        f'<text x="20" y="{24 + 18 * i}" class="words" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(words)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {WIDTH + 8} {HEIGHT + 36}"><style>{STYLE}</style>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" class="cloth"/>{"".join(shapes)}'
        f'<text x="{WIDTH / 2}" y="{HEIGHT + 16}">{escape(says)}</text></svg>'
    )


def _hand(hand: int | None, number: int, is_turn: bool) -> str:
    column, row = CORNERS[number]
    left, top = 10 + column * (HAND_WIDTH + 10), 10 + row * (HAND_HEIGHT + 10)
    shapes = [
        f'<rect x="{left}" y="{top}" width="{HAND_WIDTH}" height="{HAND_HEIGHT}" rx="8" '
        f'class="{"turn" if is_turn else "hand"}"/>',
        f'<text x="{left + HAND_WIDTH / 2}" y="{top + 12}" class="label">{HAND_NAMES[number]}</text>',
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


def _card(card: int, x: float, y: float) -> str:
    suit, rank = divmod(card, SUIT_BITS)
    name = f"{RANKS[rank]} of {('spades', 'hearts', 'diamonds', 'clubs')[suit]}"
    paint = "red" if suit in (1, 2) else ""
    return (
        f'<g data-at="{card_name(card)}" data-is="{name}">'
        f'<rect x="{x - 11}" y="{y - 14}" width="22" height="28" rx="4" class="card"/>'
        f'<text x="{x}" y="{y}" class="{paint}">{RANKS[rank]}</text></g>'
    )
