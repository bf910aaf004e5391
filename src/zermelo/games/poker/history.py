"""Hands of poker as files: PHH (poker hand history, a TOML of its own kind), and the text that poker rooms write.

    read(game, write_phh(game, s, names))  and  read(game, write_text(game, s, names))  give the actions up to s

In PHH player 1 is the big blind and player 2 the button, as the blinds are posted.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.errors import ActionError, InputError, OptionError
from zermelo.games.holdem.cards import card_name, read_cards
from zermelo.games.poker import show

if TYPE_CHECKING:
    from zermelo.games.poker.rules import Poker

FOLD, CALL = show.FOLD, show.CALL
STREETS = ("FLOP", "TURN", "RIVER")


def read(game: Poker, text: str) -> tuple[Any, list[int]] | None:
    """Where a hand begins and its actions; `None` if `text` is no hand. `InputError` says what is wrong with one."""
    head = text.lstrip("\ufeff").lstrip()
    if re.match(r"\w+ (Hand|Game|Zoom Hand) #", head):
        found = read_text(game, head)
    elif re.search(r"^\s*variant\s*=", head, re.MULTILINE):
        found = read_phh(game, head)
    else:
        return None
    return game.initial(), found


def steps(game: Poker, s: Any) -> Iterator[tuple[Any, int]]:
    """Each state of the hand that leads to `s`, with what was done there."""
    now, dealt, made = game.initial(), list(game.cards(s)), list(game.line(s))
    while dealt or made:
        a = (dealt if game.is_dealing(now) else made).pop(0)
        yield now, a
        now = game.result(now, a)


def collect(game: Poker, hands: Sequence[Sequence[int]], board: Sequence[int], line: Sequence[int]) -> list[int]:
    """The actions of a hand, deals included, from what was dealt and chosen."""
    cards = (*hands[0], *hands[1], *board)
    try:
        s = game.replay(cards, line)
    except ActionError:
        raise InputError(
            "this hand has bets that the options do not allow, or goes against the rules: take free=yes,raises=20"
        ) from None
    return [a for _, a in steps(game, s)]


def put_in(game: Poker, s: Any, a: int) -> int:
    """The chips that the player to move has put in after the bet or raise `a`, as other programs count them.

    Against a smaller stack they want a whole raise, most of which comes back.
    """
    own = game.stacks[s.turn]
    return a if a < game.most else max(a, min(max(s.paid, s.others) + s.least, own))


# PHH.


def write_phh(game: Poker, s: Any, players: Sequence[str]) -> str:
    """A hand as PHH."""
    actions = []
    dealt: list[int] = []
    for now, a in steps(game, s):
        who = f"p{2 - now.turn}"
        if game.is_dealing(now):
            dealt.append(a)
            if now.dealt < 4 and len(dealt) == 2:
                actions.append(f"d dh p{2 - now.dealt // 2} {show.names(dealt)}")
                dealt.clear()
            elif now.dealt >= 6:
                actions.append(f"d db {show.names(dealt)}")
                dealt.clear()
        elif a == FOLD:
            actions.append(f"{who} f")
        else:
            actions.append(f"{who} cc" if a == CALL else f"{who} cbr {put_in(game, now, a) - now.before}")
    if s.round == len(STREETS) + 1:
        actions += [f"p{2 - p} sm {show.names(game.hand(s, p))}" for p in (1, 0)]
    lines = {
        "variant": "'NT'",
        "antes": "[0, 0]",
        "blinds_or_straddles": f"[{game.blinds[0]}, {game.blinds[1]}]",
        "min_bet": str(game.blinds[1]),
        "starting_stacks": f"[{game.stacks[1]}, {game.stacks[0]}]",
        "actions": f"[{', '.join(map(repr, actions))}]",
        "players": f"[{_quoted(players[1])}, {_quoted(players[0])}]",
    }
    return "".join(f"{name} = {value}\n" for name, value in lines.items())


def _quoted(name: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in name)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def read_phh(game: Poker, text: str) -> list[int]:
    try:
        hand = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is no PHH: {error}") from None
    if hand.get("variant") != "NT":
        raise InputError(f"poker reads no-limit hold'em, variant NT, not {hand.get('variant')!r:.20}")
    if any(hand.get("antes") or ()):
        raise InputError("this hand has antes, which poker here has not")
    stacks, blinds = hand.get("starting_stacks"), hand.get("blinds_or_straddles")
    if not isinstance(stacks, list) or not isinstance(blinds, list) or len(stacks) != 2 or len(blinds) != 2:
        raise InputError("poker here is for two players: starting_stacks and blinds_or_straddles have two numbers")
    _check_chips(game, stacks[::-1], blinds)
    hands: list[tuple[int, ...]] = [(), ()]
    board: tuple[int, ...] = ()
    line: list[int] = []
    actions = hand.get("actions")
    if not isinstance(actions, list):
        raise InputError("this PHH has no list of actions")
    for action in actions:
        words = str(action).partition("#")[0].split()
        match words:
            case ["d", "dh", who, cards]:
                hands[_seat(who)] = _cards(cards)
            case ["d", "db", cards]:
                board += _cards(cards)
            case [_, "f"]:
                line.append(FOLD)
            case [_, "cc"]:
                line.append(CALL)
            case [_, "cbr", amount] if amount.isascii() and amount.isdecimal() and len(amount) < 12:
                line.append(_price(game, hands, board, line, int(amount)))
            case [] | [_, "sm", *_]:
                pass
            case _:
                raise InputError(f"{action!r:.60} is no action of PHH that poker knows")
    return collect(game, hands, board, line)


def _seat(who: str) -> int:
    if who not in ("p1", "p2"):
        raise InputError(f"{who!r:.20} is not one of two players, p1 and p2")
    return 2 - int(who[1])


def _cards(text: str) -> tuple[int, ...]:
    if "?" in text:
        raise InputError("a hand with cards that nobody knows cannot be replayed")
    try:
        return read_cards(text)
    except OptionError as error:
        raise InputError(str(error)) from None


def _price(game: Poker, hands: Sequence[Sequence[int]], board: Sequence[int], line: Sequence[int], amount: int) -> int:
    """What a player has put in after a bet or raise to `amount` in this round; no more than the other can call."""
    try:
        s = game.replay((*hands[0], *hands[1], *board), line)
    except ActionError:
        collect(game, hands, board, line)
        raise
    return min(int(s.before) + amount, game.most)


def _check_chips(game: Poker, stacks: Sequence[object], blinds: Sequence[object]) -> None:
    if tuple(stacks) != game.stacks or tuple(blinds) != game.blinds:
        wanted = f"stacks={stacks[0]}/{stacks[1]},blinds={blinds[0]}/{blinds[1]},free=yes"
        raise InputError(f"this hand has other stacks or blinds: load it as poker:{wanted}")


# The text of poker rooms.


def write_text(game: Poker, s: Any, players: Sequence[str], number: int = 1, when: str = "") -> str:
    """A hand as poker rooms write it, with all hidden cards; `when` as in `2026/01/31 12:00:00 ET`."""
    names = _names(players)
    small, big = game.blinds
    lines = [
        f"PokerStars Hand #{number}:  Hold'em No Limit ({small}/{big}){f' - {when}' if when else ''}",
        "Table 'Zermelo' 2-max Seat #1 is the button",
        *(f"Seat {p + 1}: {names[p]} ({game.stacks[p]} in chips)" for p in (0, 1)),
        f"{names[0]}: posts small blind {small}",
        f"{names[1]}: posts big blind {big}",
        "*** HOLE CARDS ***",
    ]
    for p in (0, 1):
        if len(game.hand(s, p)) == 2:
            lines.append(f"Dealt to {names[p]} [{_spaced(game.hand(s, p))}]")
    put = [small, big]
    for now, a in steps(game, s):
        if not game.is_dealing(now):
            lines.append(f"{names[now.turn]}: {_said(game, now, a)}")
            if a != FOLD:
                put[now.turn] = max(now.paid, now.others) if a == CALL else put_in(game, now, a)
        elif now.dealt >= 6:
            board = (*game.board(now), a)
            street = STREETS[len(board) - 3]
            before = f"[{_spaced(board[:-1])}] [{card_name(a)}]" if len(board) > 3 else f"[{_spaced(board)}]"
            lines.append(f"*** {street} *** {before}")
    return "\n".join([*lines, *_end(game, s, names, put)]) + "\n"


def _names(players: Sequence[str]) -> list[str]:
    plain = ["".join(letter if letter.isprintable() else " " for letter in name).strip() or "?" for name in players]
    return [f"{name} {p + 1}" for p, name in enumerate(plain)] if plain[0] == plain[1] else plain


def _spaced(cards: Sequence[int]) -> str:
    return " ".join(map(card_name, cards))


def _said(game: Poker, s: Any, a: int) -> str:
    high = max(s.paid, s.others)
    if a == FOLD:
        return "folds"
    price = high if a == CALL else put_in(game, s, a)
    all_in = " and is all-in" if price == game.stacks[s.turn] else ""
    if a == CALL:
        own = s.paid if s.turn == 0 else s.others
        return f"calls {high - own}{all_in}" if high > own else "checks"
    if high == s.before:
        return f"bets {price - high}{all_in}"
    return f"raises {price - high} to {price - s.before}{all_in}"


def _end(game: Poker, s: Any, names: Sequence[str], put: Sequence[int]) -> Iterator[str]:
    """How a hand ended; `put` is what each has put in, with what comes back."""
    if not game.is_terminal(s):
        return
    low = min(s.paid, s.others)
    if max(put) > low:
        yield f"Uncalled bet ({max(put) - low}) returned to {names[0 if put[0] > low else 1]}"
    won = game.utility(s, 0)
    if s.folded == -1:
        yield "*** SHOW DOWN ***"
        yield from (f"{names[p]}: shows [{_spaced(game.hand(s, p))}]" for p in (1, 0))
    if won:
        yield f"{names[0 if won > 0 else 1]} collected {2 * low} from pot"
    else:
        yield from (f"{names[p]} collected {low} from pot" for p in (1, 0))
    yield "*** SUMMARY ***"
    yield f"Total pot {2 * low} | Rake 0"
    if s.dealt > 4:
        yield f"Board [{_spaced(game.board(s))}]"


def read_text(game: Poker, text: str) -> list[int]:
    """The actions of the first hand of a text."""
    seats, button = _read_seats(text)
    blinds = [re.search(rf"^.+: posts {size} blind \$?(\d+)", text, re.MULTILINE) for size in ("small", "big")]
    if not all(blinds):
        raise InputError("this hand says nothing of its blinds")
    order = [button, 1 - button]
    names = [seats[i][0] for i in order]
    _check_chips(game, [seats[i][1] for i in order], [int(each[1]) for each in blinds if each])
    hands: list[tuple[int, ...]] = [(), ()]
    for p, name in enumerate(names):
        dealt = re.search(rf"^(?:Dealt to {re.escape(name)}|{re.escape(name)}: shows) \[([^\]]+)\]", text, re.MULTILINE)
        if dealt is None:
            raise InputError(f"the hand of {name:.30} is not in this text: it cannot be replayed")
        hands[p] = _cards(dealt[1])
    board: tuple[int, ...] = ()
    line: list[int] = []
    for row in text.split("*** SUMMARY ***")[0].splitlines():
        street = re.match(r"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* .*\[([^\]]+)\]\s*$", row)
        if street:
            board += _cards(street[1])
            continue
        said = next((row[len(name) + 2 :] for name in names if row.startswith(f"{name}: ")), "")
        amount = re.match(r"(?:bets|raises \$?\d+ to) \$?(\d{1,11})", said)
        if said.startswith("folds"):
            line.append(FOLD)
        elif said.startswith(("calls", "checks")):
            line.append(CALL)
        elif amount:
            line.append(_price(game, hands, board, line, int(amount[1])))
    return collect(game, hands, board, line)


def _read_seats(text: str) -> tuple[list[tuple[str, int]], int]:
    """Names and chips of both, and which of them is the button."""
    found = re.findall(r"^Seat (\d+): (.+) \(\$?(\d+) in chips\)", text, re.MULTILINE)
    button = re.search(r"Seat #(\d+) is the button", text)
    if len(found) != 2 or button is None or button[1] not in (found[0][0], found[1][0]):
        raise InputError("poker here is for two players: this text has not two seats and a button")
    return [(name, int(chips)) for _, name, chips in found], [number for number, _, _ in found].index(button[1])
