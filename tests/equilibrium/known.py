"""Games whose equilibria are known, exactly."""

from __future__ import annotations

from fractions import Fraction

RED_BLUE = [[30, -10, 20], [-10, 20, -20]]
ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
MATCHING_PENNIES = [[1, -1], [-1, 1]]
MORRA = [[0, 2, -3, 0], [-2, 0, 0, 3], [3, 0, 0, -4], [0, -3, 4, 0]]
DIAGONAL = [[1, 0, 0], [0, 2, 0], [0, 0, 3]]
MAGIC = [[8, 1, 6], [3, 5, 7], [4, 9, 2]]

VALUES = {
    "Red and Blue": (RED_BLUE, Fraction(20, 7)),
    "rock, paper, scissors": (ROCK_PAPER_SCISSORS, Fraction(0)),
    "matching pennies": (MATCHING_PENNIES, Fraction(0)),
    "two-finger Morra": (MORRA, Fraction(0)),
    "diag(1, 2, 3)": (DIAGONAL, Fraction(6, 11)),
    "the magic square": (MAGIC, Fraction(5)),
}

BATTLE = ([[2, 0], [0, 1]], [[1, 0], [0, 2]])
CHICKEN = ([[0, 7], [2, 6]], [[0, 2], [7, 6]])
STAG_HUNT = ([[4, 1], [3, 3]], [[4, 3], [1, 3]])
HAWK_DOVE = ([[-1, 4], [0, 2]], [[-1, 0], [4, 2]])
SHAPLEY = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
DILEMMA_YEARS = ([[1, 4], [0, 3]], [[1, 0], [4, 3]])
"""(cooperate, confess), to be minimised."""
IDENTITY = [[int(i == j) for j in range(4)] for i in range(4)]
COORDINATION = (IDENTITY, IDENTITY)

VON_STENGEL_ROW = [
    [9504, -660, 19976, -20526, 1776, -8976],
    [-111771, 31680, -130944, 168124, -8514, 52764],
    [397584, -113850, 451176, -586476, 29216, -178761],
    [171204, -45936, 208626, -263076, 14124, -84436],
    [1303104, -453420, 1227336, -1718376, 72336, -461736],
    [737154, -227040, 774576, -1039236, 48081, -300036],
]
VON_STENGEL = (VON_STENGEL_ROW, [[VON_STENGEL_ROW[r][c] for r in (4, 5, 2, 3, 0, 1)] for c in (4, 5, 2, 3, 0, 1)])
"""The dual cyclic polytopes of von Stengel (1999): the column player's payoffs are the row player's, permuted."""

COUNTS = {
    "battle of the sexes": (BATTLE, 3),
    "chicken": (CHICKEN, 3),
    "stag hunt": (STAG_HUNT, 3),
    "hawk and dove": (HAWK_DOVE, 3),
    "Shapley (1964)": (SHAPLEY, 1),
    "4 × 4 coordination": (COORDINATION, 15),
    "von Stengel's 6 × 6": (VON_STENGEL, 75),
}
