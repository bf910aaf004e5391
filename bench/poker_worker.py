"""pokerkit on the other side of a pipe: plays a hand a line, and says what is possible at each choice. See poker.py."""

from __future__ import annotations

import json
import sys
import warnings
from typing import Any

from pokerkit import Automation, Mode, NoLimitTexasHoldem

AUTOMATIONS = tuple(
    each
    for each in Automation
    if each not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING)  # the cards are given
)


def play(hand: dict[str, Any]) -> dict[str, Any]:
    """What is possible at each choice of a hand, and the stacks at its end. Player 0 of pokerkit is the big blind."""
    small, big = hand["blinds"]
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (small, big), big, tuple(hand["stacks"][::-1]), 2, mode=Mode.CASH_GAME
    )
    cards = hand["cards"]
    state.deal_hole(cards[2] + cards[3])
    state.deal_hole(cards[0] + cards[1])
    left = [cards[4:7], cards[7:8], cards[8:9]]
    choices = []
    for choice in hand["line"]:
        while state.can_deal_board():
            state.deal_board("".join(left.pop(0)))
        choices.append(possible(state))
        if choice == "f":
            state.fold()
        elif choice == "c":
            state.check_or_call()
        else:
            state.complete_bet_or_raise_to(choice)
    while state.can_deal_board():
        state.deal_board("".join(left.pop(0)))
    return {"choices": choices, "over": not state.status, "stacks": list(state.stacks)[::-1]}


def possible(state: Any) -> dict[str, Any]:
    raises = state.can_complete_bet_or_raise_to()
    return {
        "player": 1 - state.actor_index,
        "call": state.checking_or_calling_amount,
        "least": state.min_completion_betting_or_raising_to_amount if raises else None,
        "most": state.max_completion_betting_or_raising_to_amount if raises else None,
    }


def main() -> None:
    warnings.simplefilter("ignore")  # the cards that it burns by itself may be those that are given
    for line in sys.stdin:
        hand = json.loads(line)
        try:
            found = play(hand)
        except ValueError as error:
            found = {"error": str(error)}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
