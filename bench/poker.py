"""Random hands of poker beside pokerkit: who moves, what may be bet, and what everybody has at the end.

    python bench/poker.py --install      once: puts pokerkit into an environment of its own, bench/.venv-poker
    python bench/poker.py --hands 10000

Stacks, blinds and bets are drawn at random, and cards from the whole deck. A fault is any difference at any choice.
Each hand is also written as PHH and as the text of poker rooms, and has to be read again as the same one.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.games.holdem.cards import card_name
from zermelo.games.poker import Poker, history

HERE = Path(__file__).resolve().parent
HOME = HERE / ".venv-poker"
PYTHON = HOME / "bin" / "python"
FOLD, CALL = 0, 1


def install() -> None:
    subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
    subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", "pokerkit"], check=True)


def draw(dice: random.Random) -> tuple[Poker, Any, list[dict[str, Any]]]:
    """A game, a hand of it played at random, and what was possible at each choice."""
    big = dice.choice((2, 10, 100))
    small = dice.choice((big // 2, 1))
    deep = dice.choice((2, 5, 20, 100))
    stacks = [big + dice.randint(1, deep * big), big + dice.randint(1, deep * big)]
    game = Poker((stacks[0], stacks[1]), (small, big), raises=20, free=True)
    s, choices = game.initial(), []
    while not game.is_terminal(s):
        actions = list(game.actions(s))
        if game.is_dealing(s):
            s = game.result(s, dice.choice(actions))
            continue
        prices = [a for a in actions if a > CALL]
        choices.append(
            {
                "player": s.turn,
                "call": max(s.paid, s.others) - (s.paid if s.turn == 0 else s.others),
                "least": prices[0] - s.before if prices else None,
                "most": prices[-1] - s.before if prices else None,
            }
        )
        kind = dice.random()
        a = CALL if kind < 0.5 or not prices else dice.choice((prices[0], dice.choice(prices[:50]), prices[-1]))
        s = game.result(s, FOLD if kind > 0.93 and FOLD in actions else a)
    return game, s, choices


def faults(game: Poker, s: Any, ours: list[dict[str, Any]], theirs: dict[str, Any]) -> list[str]:
    if "error" in theirs:
        return [theirs["error"]]
    found = []
    for number, (mine, other) in enumerate(zip(ours, theirs["choices"], strict=True)):
        if other["most"] is not None:  # chips that the other player could not call do not count
            before = history_before(game, s, number)
            other["most"] = min(other["most"], game.most - before)
            other["least"] = min(other["least"], other["most"])
        if mine != other:
            found.append(f"choice {number}: {mine} here, {other} there")
    stacks = [game.stacks[p] + game.utility(s, p) for p in (0, 1)]
    if not theirs["over"] or stacks != theirs["stacks"]:
        found.append(f"the end: {stacks} here, {theirs['stacks']} there")
    names = ("button", "blind")
    for text in (history.write_phh(game, s, names), history.write_text(game, s, names)):
        again = history.read(game, text)
        if again is None or again[1] != [a for _, a in history.steps(game, s)]:
            found.append("a file that was written is read as another hand")
    return found


def history_before(game: Poker, s: Any, number: int) -> int:
    """What each had put in before the round of a choice."""
    chosen = [now for now, _ in history.steps(game, s) if not game.is_dealing(now)]
    return int(chosen[number].before)


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "make the environment of pokerkit"),
        hands=(1000, "hands to play"),
        seed=(1, "of the dice"),
    )
    if asked.install:
        install()
        return
    dice, count, wrong, choices = random.Random(asked.seed), 0, [], 0
    begin = time.perf_counter()
    worker = [str(PYTHON), str(HERE / "poker_worker.py")]
    with subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(asked.hands):
            game, s, ours = draw(dice)
            line = [
                "f" if a == FOLD else "c" if a == CALL else history.put_in(game, now, a) - now.before
                for now, a in history.steps(game, s)
                if not game.is_dealing(now)
            ]
            cards = [card_name(card) for card in game.cards(s)]
            hand = {"stacks": game.stacks, "blinds": game.blinds, "cards": cards, "line": line}
            print(json.dumps(hand), file=process.stdin, flush=True)
            theirs = json.loads(process.stdout.readline())
            wrong += [f"{hand}: {fault}" for fault in faults(game, s, ours, theirs)]
            count += 1
            choices += len(ours)
        process.stdin.close()
    for fault in wrong[:5]:
        print(fault, file=sys.stderr)
    row = {"hands": count, "choices": choices, "faults": len(wrong), "seconds": time.perf_counter() - begin}
    answer(asked, row, table(list(row), [list(row.values())]))


if __name__ == "__main__":
    main()
