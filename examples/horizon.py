"""The horizon effect, and two cures.

A search that stops at a fixed depth believes what it sees there. Two ways in which that goes wrong:

1. It stops in the middle of an exchange: having taken, it does not see that it will be taken back.
2. It pushes a loss that cannot be avoided beyond its depth with a move that only delays it, and pays for the delay.

Quiescence search mends the first, an extension of forced moves the second. Run it:

    python examples/horizon.py
"""

import zermelo as z

EXCHANGE = z.Tree(
    {
        "max": {
            "take": {
                "estimate": 1,  # a pawn up, if the game ended here
                "noisy": ["retake"],
                "min": {"retake": -8, "wait": 1},
            },
            "rest": {"estimate": 0, "min": {"wait": 0}},
        }
    }
)
"""Taking wins a pawn and loses the queen that took it."""

DELAY = z.Tree(
    {
        "max": {
            "delay": {  # a pawn with check: there is one reply
                "estimate": 0,
                "min": {
                    "take": {
                        "estimate": -1,
                        "max": {"save": {"estimate": -1, "min": {"trap": -6}}},
                    }
                },
            },
            "accept": {"estimate": 0, "min": {"trap": {"estimate": -5, "max": {"go on": -5}}}},
        }
    }
)
"""A rook is lost. Giving a pawn first only delays it: −6 instead of −5, but at depth 3 it looks like −1."""


def choice(game: z.Tree, analysis: z.Analysis) -> str:
    return f"{game.show_action(game.initial(), analysis.action):7} (it believes {analysis.value:+g})"


def main() -> None:
    print("1. In the middle of an exchange")
    print("   depth 1                   ", choice(EXCHANGE, z.alphabeta(EXCHANGE, depth=1)))
    print("   depth 1 and quiescence    ", choice(EXCHANGE, z.alphabeta(EXCHANGE, depth=1, quiescence=True)))
    print("   to the end                ", choice(EXCHANGE, z.alphabeta(EXCHANGE)))
    print("2. A loss pushed beyond the horizon")
    print("   depth 3                   ", choice(DELAY, z.alphabeta(DELAY, depth=3)))
    print("   depth 3, forced moves free", choice(DELAY, z.alphabeta(DELAY, depth=3, extensions="single")))
    print("   to the end                ", choice(DELAY, z.alphabeta(DELAY)))


if __name__ == "__main__":
    main()
