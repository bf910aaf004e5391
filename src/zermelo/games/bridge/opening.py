"""The system while the opponents are silent: openings, first responses, the opener's rebid.

Five-card majors, a no trump of 15–17, weak twos. Every function yields choices in the order in which a hand tries them.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games.bridge.auction import PASS, bid, level_of, strain_of
from zermelo.games.bridge.meaning import Meaning, need
from zermelo.games.bridge.situation import Choice, Situation

MAJORS: tuple[str, ...] = ("H", "S")
STAYMAN, TRANSFER, WAITING = "Stayman, asks for a four-card major", "transfer", "waiting"
ARTIFICIAL = "artificial and strong"


def openings() -> Iterator[Choice]:
    """Nobody has bid."""
    yield Choice(bid(2, "C"), need(points=(22, 60), note=ARTIFICIAL), forcing=True)
    yield Choice(bid(2, "NT"), need(hcp=(20, 21), is_balanced=True))
    yield Choice(bid(1, "NT"), need(hcp=(15, 17), is_balanced=True))
    yield Choice(bid(1, "S"), need(points=(12, 21), S=5, H=(0, 5)))
    yield Choice(bid(1, "H"), need(points=(12, 21), H=5))
    yield Choice(bid(1, "D"), need(points=(12, 21), S=(0, 4), H=(0, 4), D=5, C=(0, 5)))
    yield Choice(bid(1, "D"), need(points=(12, 21), S=(0, 4), H=(0, 4), D=4, C=(0, 4)))
    yield Choice(bid(1, "C"), need(points=(12, 21), S=(0, 4), H=(0, 4), C=3))
    yield Choice(bid(1, "D"), need(points=(12, 21), S=(0, 4), H=(0, 4), D=3))
    for suit in ("S", "H"):
        yield Choice(bid(4, suit), need(hcp=(5, 10), note="preempt", suits={suit: 8}))
    for suit in ("S", "H", "D", "C"):
        yield Choice(bid(3, suit), need(hcp=(5, 10), note="preempt", suits={suit: (7, 7)}))
    for suit in ("S", "H", "D"):
        yield Choice(bid(2, suit), need(hcp=(6, 10), note="weak", suits={suit: (6, 6)}))
    yield Choice(PASS, need(points=(0, 12)))


def respond_to_no_trump(opened: int) -> Iterator[Choice]:
    """Partner opened 1NT or 2NT and is captain no more."""
    level = level_of(opened)
    low = 15 if level == 1 else 20
    most = 40
    yield Choice(bid(level + 1, "D"), need(H=5, S=(0, 4), note=f"{TRANSFER} to hearts"), forcing=True)
    yield Choice(bid(level + 1, "H"), need(S=5, note=f"{TRANSFER} to spades"), forcing=True)
    for suit in MAJORS:
        stayman = need(hcp=(23 - low, most), note=STAYMAN, suits={suit: (4, 4)})
        yield Choice(bid(level + 1, "C"), stayman, forcing=True)
    yield Choice(bid(6, "NT"), need(hcp=(33 - low, most)))
    if level == 1:
        yield Choice(bid(4, "NT"), need(hcp=(16, 17), note="invites to six"))
    yield Choice(bid(3, "NT"), need(hcp=(25 - low, 32 - low)))
    if level == 1:
        yield Choice(bid(2, "NT"), need(hcp=(8, 9)))
    yield Choice(PASS, need(hcp=(0, 24 - low)))


def answer_no_trump(opened: int, asked: int) -> Iterator[Choice]:
    """The opener of 1NT or 2NT answers Stayman and transfers."""
    level = level_of(opened)
    if asked == bid(level + 1, "C"):
        yield Choice(bid(level + 1, "H"), need(H=4))
        yield Choice(bid(level + 1, "S"), need(S=4))
        yield Choice(bid(level + 1, "D"), need(H=(0, 3), S=(0, 3), note="no four-card major"))
    elif asked == bid(level + 1, "D"):
        yield Choice(bid(level + 1, "H"), need(note="accepts the transfer"))
    else:
        yield Choice(bid(level + 1, "S"), need(note="accepts the transfer"))


def respond_to_strong() -> Iterator[Choice]:
    """Partner opened 2C."""
    for suit in ("S", "H"):
        yield Choice(bid(2, suit), need(points=(8, 60), suits={suit: 5}), forcing=True)
    yield Choice(bid(2, "NT"), need(hcp=(8, 37), is_balanced=True), forcing=True)
    yield Choice(bid(2, "D"), need(note=WAITING), forcing=True)


def rebid_strong(s: Situation) -> Iterator[Choice]:
    """After 2C and an answer."""
    yield Choice(s.cheapest("NT"), need(hcp=(22, 24), is_balanced=True))
    for suit in ("S", "H", "D", "C"):
        yield Choice(s.cheapest(suit), need(points=(22, 60), suits={suit: 5}), forcing=True)
    yield Choice(s.jump("NT"), need(hcp=(25, 37)))
    yield Choice(s.cheapest("NT"), need(hcp=(22, 37)))


def respond_to_suit(s: Situation, opened: int) -> Iterator[Choice]:
    """Partner opened one of a suit; also after an overcall, as far as the bids are still free."""
    suit = strain_of(opened)
    if suit in MAJORS:
        yield Choice(bid(4, suit), need(points=(13, 15), note="raise", suits={suit: 3}))
        yield Choice(bid(3, suit), need(points=(10, 12), note="invites", suits={suit: 3}))
        yield Choice(bid(2, suit), need(points=(6, 9), note="raise", suits={suit: 3}), is_judged=bool(s.theirs))
        yield Choice(bid(4, suit), need(points=(0, 9), note="to play", suits={suit: 5}), is_judged=bool(s.theirs))
    yield from _new_suits(s, suit)
    if suit in MAJORS:
        yield Choice(bid(4, suit), need(points=(16, 60), note="raise", suits={suit: 3}))
    else:
        least = 5 if suit == "C" else 4
        yield Choice(bid(3, suit), need(points=(10, 12), note="invites", suits={suit: 5}))
        yield Choice(bid(2, suit), need(points=(6, 9), note="raise", suits={suit: least}), is_judged=bool(s.theirs))
    stopped = "".join(s.their_suits)
    yield Choice(bid(3, "NT"), need(hcp=(13, 37), stopped=stopped))
    yield Choice(bid(2, "NT"), need(hcp=(11, 12), stopped=stopped))
    yield Choice(bid(1, "NT"), need(hcp=(6, 10), stopped=stopped))


def _new_suits(s: Situation, opened: str) -> Iterator[Choice]:
    """A suit of one's own: at the one level with four cards and 6 points, higher with 11."""
    new = [suit for suit in ("S", "H", "D", "C") if suit not in (opened, *s.their_suits)]
    for suit in new:  # of two five-card suits the higher one
        if suit in MAJORS or s.cheapest(suit) == bid(1, "D"):
            yield Choice(s.cheapest(suit), _new_suit(s, suit, 5), forcing=True)
    for suit in reversed(new):  # of two four-card suits the lower one
        if level_of(s.cheapest(suit)) == 1:
            yield Choice(s.cheapest(suit), _new_suit(s, suit, 4), forcing=True)
    for suit in new:
        if suit not in MAJORS and level_of(s.cheapest(suit)) == 2:
            yield Choice(s.cheapest(suit), _new_suit(s, suit, 4), forcing=True)


def _new_suit(s: Situation, suit: str, length: int) -> Meaning:
    least = (6, 11, 13)[min(level_of(s.cheapest(suit)), 3) - 1]
    return need(points=(least, 60), suits={suit: length})


def respond_to_preempt(opened: int) -> Iterator[Choice]:
    """Partner opened a weak two or higher."""
    suit, level = strain_of(opened), level_of(opened)
    game = bid(4 if suit in MAJORS else 5, suit)
    if game > opened:
        yield Choice(game, need(hcp=(15, 37), suits={suit: 2}))
        yield Choice(game, need(hcp=(0, 11), note="raises the preempt", suits={suit: 11 - level if level < 4 else 4}))
    yield Choice(bid(3, "NT"), need(hcp=(17, 37), is_balanced=True))
    if level == 2:
        yield Choice(bid(3, suit), need(hcp=(0, 14), note="raises the preempt", suits={suit: (3, 13)}), is_judged=True)
    yield Choice(PASS, need(hcp=(0, 16)), is_judged=True)


def rebid_over_no_trump(s: Situation, opened: int) -> Iterator[Choice]:
    """The opener of one of a suit, after 1NT of the partner."""
    own = strain_of(opened)
    yield Choice(s.jump(own), need(points=(16, 18), note="invites", suits={own: 6}))
    if own in MAJORS:
        yield Choice(bid(4, own), need(points=(19, 22), suits={own: 6}))
    yield Choice(bid(3, "NT"), need(hcp=(19, 22)))
    yield Choice(bid(2, "NT"), need(hcp=(17, 18), note="invites"))
    yield Choice(bid(2, own), need(points=(12, 15), suits={own: 6}))
    for suit in ("H", "D", "C"):
        if suit != own and bid(2, suit) < bid(2, own):
            yield Choice(bid(2, suit), need(points=(12, 17), suits={own: 5, suit: 4}))
    yield Choice(PASS, need(points=(12, 17)))


def rebid(s: Situation, opened: int, answered: int) -> Iterator[Choice]:
    """The opener of one of a suit, after a new suit of the partner."""
    own, his = strain_of(opened), strain_of(answered)
    for low, high, call in ((12, 15, s.cheapest(his)), (16, 18, s.jump(his)), (19, 22, s.jump(his, 2))):
        if not s.is_game(call) or level_of(call) <= 4:
            yield Choice(call, need(points=(low, high), note="raise", suits={his: 4}))
    if his != "S" and s.cheapest("S") == bid(1, "S"):
        yield Choice(bid(1, "S"), need(points=(12, 18), S=4))
    if his == "D" and s.cheapest("H") == bid(1, "H"):
        yield Choice(bid(1, "H"), need(points=(12, 18), H=4))
    stopped = "".join(s.their_suits)
    one_level = level_of(answered) == 1
    for low, high, call in ((12, 14, s.cheapest("NT")), (18, 19, s.jump("NT"))):
        yield Choice(call, need(hcp=(low, high), is_balanced=True, stopped=stopped))
    yield Choice(s.jump(own), need(points=(16, 18), suits={own: 6}))
    if own in MAJORS:
        yield Choice(bid(4, own), need(points=(19, 22), suits={own: 6}))
    if not one_level:
        yield Choice(s.cheapest(his), need(points=(12, 15), note="raise", suits={his: 3}))
    for suit in ("H", "D", "C"):
        if suit not in (own, his) and s.cheapest(suit) < bid(2, own):
            yield Choice(s.jump(suit), need(points=(19, 22), suits={own: 5, suit: 4}), forcing=True)
            yield Choice(s.cheapest(suit), need(points=(12, 18), suits={own: 4 if own in "CD" else 5, suit: 4}))
        elif suit not in (own, his) and level_of(s.cheapest(suit)) == 2:
            reverse = need(points=(17, 22), note="reverse", suits={own: 5, suit: 4})
            yield Choice(s.cheapest(suit), reverse, forcing=True)
    yield Choice(s.cheapest(own), need(points=(12, 15), suits={own: 5 if own in MAJORS else 6}))
    yield Choice(s.cheapest(his), need(points=(12, 15), note="raise", suits={his: 3}))
    yield Choice(s.cheapest("NT"), need(points=(12, 15)))
    yield Choice(s.jump("NT"), need(points=(16, 22)))
