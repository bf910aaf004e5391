"""The lines in which a UCI engine tells what it thinks: `info depth 7 score cp 12 nodes 5321 … pv 4 4 3`."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.protocols.score import Score

NUMBERS = ("depth", "multipv", "nodes", "nps", "time")
ALONE = {*NUMBERS, "seldepth", "hashfull", "tbhits", "sbhits", "cpuload", "currmovenumber"}
"""The fields that have one number."""


@dataclass(frozen=True, slots=True)
class Info:
    """One such line; what it does not say is `None`."""

    depth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    bound: str = ""
    """`lowerbound` or `upperbound` if the score is no more than that."""
    nodes: int | None = None
    nps: int | None = None
    time: int | None = None
    """Milliseconds."""
    line: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = ["info"]
        for name in ("depth", "multipv"):
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.score is not None:
            parts.append(f"score {self.score.kind} {self.score.number}")
            parts += [self.bound] if self.bound else []
        for name in ("nodes", "nps", "time"):
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.line:
            parts.append(f"pv {' '.join(self.line)}")
        return " ".join(parts)


def read_info(text: str) -> Info:
    """What the line `text` says, as far as it can be understood; a number that is none is passed over."""
    words = text.split()
    numbers: dict[str, int] = {}
    score: Score | None = None
    bound = ""
    line: tuple[str, ...] = ()
    at = 1
    while at < len(words):
        word = words[at]
        if word == "string":
            break
        if word == "pv":
            line = tuple(words[at + 1 :])
            break
        if word in ALONE and at + 1 < len(words):
            number = read_number(words[at + 1])
            if number is not None and word in NUMBERS:
                numbers[word] = number
            at += 1
        elif word == "score" and at + 2 < len(words) and words[at + 1] in ("cp", "mate"):
            number = read_number(words[at + 2])
            score = score if number is None else Score(words[at + 1], number)
            at += 2
        elif word in ("lowerbound", "upperbound"):
            bound = word
        at += 1
    return Info(score=score, bound=bound, line=line, **numbers)


def read_number(text: str) -> int | None:
    """A whole number of at most 18 digits; `None` for everything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None
