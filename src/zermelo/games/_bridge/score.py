"""What a contract scores, in duplicate bridge and in a rubber: tricks, slams, doubles, missing tricks. No honours."""

from __future__ import annotations

BIDDING = ("C", "D", "H", "S", "NT")
"""The strains from the lowest."""
LEVELS = range(1, 8)
BOOK = 6
"""Tricks that a contract of level 0 would need."""
TRICK_POINTS = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
FIRST_NO_TRUMP = 10
PARTSCORE, GAME = 50, (300, 500)
GAME_POINTS = 100
SLAMS = {6: (500, 750), 7: (1000, 1500)}
"""The second number of a pair is that of a vulnerable side."""
DOWN, DOUBLED_DOWN = (50, 100), ((100, 200, 200), (200, 300, 300))
LATER_DOWN = 300
"""What each doubled trick below three costs."""
DOUBLED_OVERTRICK = (100, 200)
INSULT = 50
"""For a doubled contract that makes."""


RUBBER = (700, 500)
"""For two games, if the other side has none, or one."""
UNFINISHED_GAME, UNFINISHED_PART = 300, 100
"""For the only game, and the only part score, of a rubber that is not finished."""


def trick_score(level: int, strain: str, doubled: int = 0) -> int:
    """What the tricks of a contract that makes count: in a rubber those below the line."""
    return (level * TRICK_POINTS[strain] + (FIRST_NO_TRUMP if strain == "NT" else 0)) << doubled


def premium(level: int, strain: str, tricks: int, vulnerable: bool, doubled: int = 0, book: int = BOOK) -> int:
    """What is the same in duplicate bridge and in a rubber: slams, doubles, overtricks; or what missing tricks cost."""
    missing = level + book - tricks
    if missing > 0:
        if not doubled:
            return -missing * DOWN[vulnerable]
        return -doubled * (sum(DOUBLED_DOWN[vulnerable][:missing]) + LATER_DOWN * max(missing - 3, 0))
    slam = SLAMS[level][vulnerable] if level in SLAMS else 0
    over = doubled * DOUBLED_OVERTRICK[vulnerable] if doubled else TRICK_POINTS[strain]
    return slam + doubled * INSULT - missing * over


def score(level: int, strain: str, tricks: int, vulnerable: bool, doubled: int = 0, book: int = BOOK) -> int:
    """What a contract scores for its side; `doubled` is 1 for a double, 2 for a redouble."""
    extra = premium(level, strain, tricks, vulnerable, doubled, book)
    if tricks < level + book:
        return extra
    points = trick_score(level, strain, doubled)
    return points + extra + (GAME[vulnerable] if points >= GAME_POINTS else PARTSCORE)
