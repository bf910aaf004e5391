"""The table as a picture: the hands that are seen, the auction, the bidding box, tricks and claims.

Whoever looks sits at the bottom. Cards, calls and claims are places, called as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from zermelo.games._bridge.cards import HAND_NAMES, HANDS, SIDES, SYMBOLS
from zermelo.games._bridge.score import BIDDING, LEVELS
from zermelo.games._bridge.show import HAND_WIDTH, Table, corner, draw_position
from zermelo.games.bridge.auction import DOUBLE, FIRST_BID, PASS, REDOUBLE, Contract, call_name, legal_calls
from zermelo.games.bridge.claims import ANSWERS, CLAIM, claim_name
from zermelo.games.bridge.show import says
from zermelo.games.bridge.system import explain
from zermelo.games.bridge.tricks import follow

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge

SHOWN_ROUNDS = 7
"""Of the auction: the last ones."""
AUCTION, FACTS, TRICKS, BOX = corner(0, 0), corner(2, 0), corner(0, 2), corner(2, 2)
"""Where they are: in the corners from the upper left one on."""
CELL_WIDTH, CELL_HEIGHT = 42, 18
ROW = 18
STYLE = (
    ".box{fill:#ffffff;stroke:#4a4436}.off{opacity:.3}.small text,text.small{font-size:13px}"
    ".won{fill:#3f6f4f;stroke:#ffffff}.lost{fill:#a36a3a;stroke:#ffffff}.lead{text-anchor:start}"
)
WORDS = {PASS: "pass", DOUBLE: "double", REDOUBLE: "redouble"}
SIGNS = dict(zip("SHDC", SYMBOLS, strict=True))


def draw_table(game: Bridge, s: Bridge.State | Bridge.View, hands: Sequence[int | None], p: int, bottom: int) -> str:
    """What is known of `s` where these hands are seen, and who is to act is `p`; nobody if it is negative."""
    contract = None if game.is_dealing(s) or game.is_bidding(s) else game.contract_of(s)
    play = game.play(s) if contract else None
    turn = -1 if game.is_dealing(s) or game.is_terminal(s) else game.turn(s)
    leader, trick, is_past = (play.leader, play.trick, False) if play else (0, (), False)
    if contract and not trick and s.cards:
        before = follow(s.cards[:-1], (contract.declarer + 1) % 4, contract.trumps)
        leader, trick, is_past = before.leader, (*before.trick, s.cards[-1]), True
    gone = [played.bit_count() for played in play.played] if play else [0] * 4
    held = game.tricks if not game.is_dealing(s) else 0
    corners = [*draw_auction(game, s), *draw_facts(game, s, contract), *draw_tricks(s, contract)]
    corners += draw_box(game, s) if turn >= 0 and game.is_bidding(s) else draw_claims(game, s, p)
    table = Table(
        bottom=bottom,
        labels=[label(game, hand, contract) for hand in range(4)],
        backs=[held - each for each in gone],
        is_past=is_past,
        corners="".join(corners),
        style=STYLE,
    )
    return draw_position(hands, turn, leader, trick, says(game, s), table)


def label(game: Bridge, hand: int, contract: Contract | None) -> str:
    """The hand, whether it deals or is the dummy, and whether its side is vulnerable."""
    what = ["dealer"] if hand == game.dealer and contract is None else []
    if contract:
        what += ["declarer"] if hand == contract.declarer else ["dummy"] if hand == contract.dummy else []
    what += ["vulnerable"] if game.vulnerable in (SIDES[hand % 2], "both") else []
    return f"{HAND_NAMES[hand]} ({', '.join(what)})" if what else HAND_NAMES[hand]


def draw_auction(game: Bridge, s: Bridge.State | Bridge.View) -> Iterator[str]:
    """The calls in columns, from north on; what they say appears where the pointer rests on them."""
    left, top = AUCTION
    cells = [""] * game.dealer + [call_name(call) for call in s.calls]
    rounds = [cells[i : i + 4] for i in range(0, len(cells), 4)]
    means = explain(s.calls, game.dealer) if game.explains else []
    for row, each in enumerate([HANDS, *rounds[-SHOWN_ROUNDS:]]):
        for column, text in enumerate(each):
            weight = "small" if row else "label"
            shown = words(text, left + 26 + 52 * column, top + 12 + ROW * row, weight)
            place = 4 * (row - 1 + max(0, len(rounds) - SHOWN_ROUNDS)) + column - game.dealer
            meant = means[place] if row and 0 <= place < len(means) else ""
            yield f"<g><title>{escape(meant)}</title>{shown}</g>" if meant else shown


def draw_facts(game: Bridge, s: Bridge.State | Bridge.View, contract: Contract | None) -> Iterator[str]:
    """The contract, and the tricks of both sides."""
    if contract is None:
        return
    left, top = FACTS
    yield words(str(contract).partition("-")[0], left + HAND_WIDTH / 2, top + 24, "label")
    yield words(f"by {HAND_NAMES[contract.declarer]}", left + HAND_WIDTH / 2, top + 48, "")
    taken = game.taken(s)
    yield words(f"NS {taken[0]} · EW {taken[1]}", left + HAND_WIDTH / 2, top + 76, "")
    missing = contract.level + game.book - taken[contract.declarer % 2]
    if not game.is_terminal(s):
        wanted = f"{missing} more to make it" if missing > 0 else "made"
        yield words(wanted, left + HAND_WIDTH / 2, top + 100, "small")


def draw_tricks(s: Bridge.State | Bridge.View, contract: Contract | None) -> Iterator[str]:
    """A little card for each trick, upright if the declarer's side has won it."""
    if contract is None:
        return
    left, top = TRICKS
    first = (contract.declarer + 1) % 4
    if s.cards:
        yield words("tricks, upright: the declarer's", left + HAND_WIDTH / 2, top + 96, "small")
    for number in range(len(s.cards) // 4):
        winner = follow(s.cards[: 4 * number + 4], first, contract.trumps).leader
        won = winner % 2 == contract.declarer % 2
        width, height = (10, 16) if won else (16, 10)
        x, y = left + 12 + 16 * number - width / 2, top + 124 - height / 2
        yield f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" class="{"won" if won else "lost"}"/>'


def draw_box(game: Bridge, s: Bridge.State | Bridge.View) -> Iterator[str]:
    """The bidding box: what can be called is a place."""
    legal = set(legal_calls(game.auction(s), game.levels))
    left, top = BOX
    for level in LEVELS[: game.levels]:
        for column in range(len(BIDDING)):
            call = FIRST_BID + (level - 1) * len(BIDDING) + column
            yield button(call_name(call), left + CELL_WIDTH * column, top + CELL_HEIGHT * (level - 1), call in legal)
    for place, call in enumerate(WORDS):
        x = left + 1.7 * CELL_WIDTH * place
        name = call_name(call)
        yield button(name, x, top + CELL_HEIGHT * game.levels + 2, call in legal, WORDS[call], 1.6 * CELL_WIDTH)


def draw_claims(game: Bridge, s: Bridge.State | Bridge.View, p: int) -> Iterator[str]:
    """What can be claimed, or said to a claim."""
    left, top = BOX
    if game.pending(s):
        for place, answer in enumerate(ANSWERS):
            name = claim_name(answer)
            yield button(name, left + 2.6 * CELL_WIDTH * place, top + 40, True, name, 2.4 * CELL_WIDTH)
        return
    if p < 0 or not game.can_claim(s):
        return
    yield words("claim of the tricks left", left + HAND_WIDTH / 2, top + 12, "small")
    for number in range(game.left(s) + 1):
        x, y = left + CELL_WIDTH * (number % 5), top + 26 + (CELL_HEIGHT + 4) * (number // 5)
        yield button(claim_name(CLAIM + number), x, y, True, str(number))


def button(name: str, x: float, y: float, legal: bool, says: str = "", width: float = CELL_WIDTH) -> str:
    """A place called `name`; not one if it is not legal."""
    height = CELL_HEIGHT
    place = f'data-at="{name}" data-is="{escape(says or name)}"' if legal else 'class="off"'
    return (
        f'<g {place}><rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" height="{height - 2}" rx="3" class="box"/>'
        f"{words(says or name, x + width / 2, y + height / 2, 'small')}</g>"
    )


def words(text: str, x: float, y: float, kind: str) -> str:
    """A text, in which a bid has the sign of its suit."""
    paint = kind
    if len(text) in (2, 3, 4) and text[0].isdigit() and text[1] in SIGNS:
        paint += " red" if text[1] in "HD" else ""
        text = text[0] + SIGNS[text[1]] + text[2:]
    return f'<text x="{x:g}" y="{y:g}" class="{paint.strip()}">{escape(text)}</text>'
