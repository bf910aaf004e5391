"""How a hand of poker is written and drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.errors import ActionError
from zermelo.games._table import Row, draw_table
from zermelo.games.holdem.cards import CLASS_UNIT, CLASSES, card_name

if TYPE_CHECKING:
    from zermelo.games.poker.rules import Poker

FOLD, CALL = 0, 1
ROUNDS = ("before the flop", "on the flop", "on the turn", "on the river", "at the showdown")


def names(cards: Iterable[int]) -> str:
    return "".join(map(card_name, cards))


def write(cards: Iterable[int], line: Iterable[int]) -> str:
    """`AhKd r6 c`: cards, then choices."""
    words = [{FOLD: "f", CALL: "c"}.get(a, f"r{a}") for a in line]
    return " ".join([names(cards) or "-", *words]) if words else names(cards)


def read_line(text: str) -> list[int]:
    """The choices that `write` wrote."""
    found = []
    for word in text.split():
        match = re.fullmatch(r"([fc])|r(\d{1,10})", word)
        if match is None:
            raise ActionError(f"{word!r} is no choice: write f, c, or r with the chips then put in")
        found.append(int(match[2]) if match[2] else FOLD if match[1] == "f" else CALL)
    return found


def say(game: Poker, s: Any, a: int) -> str:
    """What the player to move does, as a third person is told."""
    high = max(s.paid, s.others)
    if a == FOLD:
        return "folds"
    if a == CALL:
        own = s.paid if s.turn == 0 else s.others
        return f"calls {high - own}" if high > own else "checks"
    amount = a - s.before
    first = s.paid == s.others == s.before
    said = f"bets {amount}" if first else f"raises to {amount}"
    return f"{said} and is all-in" if a == game.most else said


def betting(game: Poker, s: Any) -> list[list[str]]:
    """Of each round so far: what was done, in words."""
    rounds: list[list[str]] = [[]]
    cards = game.cards(s)
    now = game.replay(cards[:4], ())
    for a in game.line(s):
        while game.is_dealing(now):
            now = game.result(now, cards[now.dealt])
        while len(rounds) <= now.round:
            rounds.append([])
        rounds[now.round].append(f"{game.player_name(now.turn)} {say(game, now, a)}")
        now = game.result(now, a)
    return rounds


def result(game: Poker, s: Any) -> str:
    """How a hand ended; empty before."""
    if not game.is_terminal(s):
        return ""
    won = game.utility(s, 0)
    if s.folded != -1:
        return f"{game.player_name(1 - s.folded)} wins {abs(won):g}"
    hands = [CLASSES[game.strength(s, p) // CLASS_UNIT] for p in (0, 1)]
    shown = ", ".join(f"{game.player_name(p)} shows {hands[p]}" for p in (0, 1))
    end = "the pot is shared" if won == 0 else f"{game.player_name(0 if won > 0 else 1)} wins {abs(won):g}"
    return f"{shown}: {end}"


def stack(game: Poker, s: Any, p: int) -> int:
    """The chips that player `p` has behind."""
    return int(game.stacks[p] - (s.paid, s.others)[p])


def _cards(game: Poker, s: Any, p: int, seen: Sequence[int]) -> list[str]:
    hand = list(map(card_name, game.hand(s, p)))
    return [*hand, "?", "?"][:2] if p in seen else ["?", "?"]


def board(game: Poker, s: Any, seen: Sequence[int]) -> str:
    """The table for a terminal, with the hands of those in `seen`."""
    wide = max(len(game.player_name(p)) for p in (0, 1))
    lines = [f"pot {s.paid + s.others}, blinds {game.blinds[0]}/{game.blinds[1]}, {ROUNDS[s.round]}"]
    lines.append(f"{'board':<{wide}}  {' '.join(map(card_name, game.board(s))) or '–'}")
    for p in (0, 1):
        lines.append(f"{game.player_name(p):<{wide}}  {' '.join(_cards(game, s, p, seen))}  {stack(game, s, p)} behind")
    for said in betting(game, s):
        if said:
            lines.append(f"{'':<{wide}}  {', '.join(said)}")
    end = result(game, s)
    return "\n".join([*lines, *([end] if end else [])])


def draw(game: Poker, s: Any, seen: Sequence[int]) -> str:
    """The table as a drawing: board, pot, hands and stacks, and what was done last."""
    rows = [Row("board", [*map(card_name, game.board(s))]), Row("pot", words=str(s.paid + s.others))]
    for p in (1, 0):
        rows.append(Row(game.player_name(p), _cards(game, s, p, seen)))
        rows.append(Row("", words=f"{stack(game, s, p)} behind, {(s.paid, s.others)[p] - s.before} in this round"))
    said = [each for each in betting(game, s) if each]
    rows.append(Row("betting", words=", ".join(said[-1]) if said else f"blinds {game.blinds[0]} and {game.blinds[1]}"))
    end = result(game, s)
    return draw_table([*rows, *([Row("result", words=end)] if end else [])])
