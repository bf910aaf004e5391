"""The rules by which an SGF file says it was played: komi (KM) and the name of the rules (RU), as programs write them.

    KM[6.5], KM[6,5]     points
    KM[3.75]             counted on one side only, as the Chinese do: twice as many points
    KM[650], KM[375]     hundredths, as Fox writes them

Territory is counted by Japanese and Korean rules, whatever the language they are named in, and where the name says so.
All others, Ing's among them, count area, and so does a file that names none.
"""

from __future__ import annotations

import re
from typing import Literal

from zermelo.errors import InputError
from zermelo.search.trace.words import clean

LEAST_HUNDREDTHS = 125
TERRITORY = re.compile(r"jap|jp\b|kor|kr\b|nihon|日本|韩国|韓国|韓國|.*territory", re.IGNORECASE)


def read_komi(text: str, size: int, literal: bool = False) -> float:
    """The points of white on a board of that many lines; nothing is none.

    A `literal` komi is in points whatever it is, as in the files that are written here.
    """
    word = text.strip().replace(",", ".")
    if not word:
        return 0.0
    if not re.fullmatch(r"[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})", word, re.ASCII):
        raise InputError(f"KM[{clean(text[:20])}] is not a number")
    komi = float(word)
    if literal:
        return komi
    if is_in_hundredths(komi, size):
        komi /= 100
    return 2 * komi if komi % 0.5 == 0.25 else komi


def is_in_hundredths(komi: float, size: int) -> bool:
    """Whether they are quarters of a point, and nobody can mean points: there are fewer on the board, or they are many
    and a round number of hundredths only."""
    many = abs(komi) > size * size or (abs(komi) >= LEAST_HUNDREDTHS and komi % 100 != 0)
    return many and komi % 25 == 0


def read_scoring(name: str) -> Literal["area", "territory"]:
    """How rules of that name count."""
    return "territory" if TERRITORY.match(name.strip()) else "area"


def name_rules(scoring: str, handicap: bool) -> str:
    """What to call our rules; empty where no name fits.

    Chinese rules forbid suicide and boards that come back, as ours do, and those of New Zealand allow suicide. But they
    give white points for handicap stones, and ours do not.
    """
    if scoring == "territory":
        return "Japanese"
    return "" if handicap else "Chinese"
