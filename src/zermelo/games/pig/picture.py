"""The table of Pig as an SVG drawing: both players' points on their way to the goal, and the die to roll."""

from __future__ import annotations

from zermelo.games._table import STYLE, WIDTH, draw_die

LEFT, LENGTH, HIGH = 96, 260, 26
"""Where the bars begin, how long they are, and how high."""
BARS = ".way{fill:#ffffff;stroke:#8a8372}.kept{fill:#23588f}.open{fill:#8fb4da}.hold{fill:#f6dfae;stroke:#8a8372}"


def draw(points: tuple[int, int], total: int, turn: int, goal: int, rolling: bool, can_hold: bool) -> str:
    """What both have kept, what whoever has the `turn` has won in it, and the places `roll` and `hold`."""
    bars = "".join(_bar(p, points[p], total if p == turn else 0, goal) for p in (0, 1))
    die = draw_die(LEFT, 130, 0)
    shapes = die if rolling else f'<g data-at="roll">{die}{_word(LEFT + WIDTH / 2, "roll", "light")}</g>'
    if can_hold:
        x = LEFT + 2 * WIDTH
        box = f'<rect x="{x}" y="{130 - WIDTH / 2}" width="{2 * WIDTH}" height="{WIDTH}" rx="8" class="hold"/>'
        shapes += f'<g data-at="hold">{box}{_word(x + WIDTH, f"hold {total}")}</g>'
    width, height = LEFT + LENGTH + 70, 168
    light = ".light{fill:#ffffff}.word{text-anchor:middle}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8} {height + 8}">'
        f'<style>{STYLE}{BARS}{light}</style><rect width="{width}" height="{height}" rx="12" class="cloth"/>'
        f"{bars}{shapes}</svg>"
    )


def _bar(p: int, kept: int, total: int, goal: int) -> str:
    y = 16 + 42 * p
    unit = LENGTH / goal
    said = f"{kept} + {total}" if total else f"{kept}"
    return (
        f'<text x="12" y="{y + HIGH / 2}" class="label">player {p}</text>'
        f'<rect x="{LEFT}" y="{y}" width="{LENGTH}" height="{HIGH}" class="way"/>'
        f'<rect x="{LEFT}" y="{y}" width="{unit * kept:g}" height="{HIGH}" class="kept"/>'
        f'<rect x="{LEFT + unit * kept:g}" y="{y}" width="{unit * total:g}" height="{HIGH}" class="open"/>'
        f'<text x="{LEFT + LENGTH + 8}" y="{y + HIGH / 2}" class="words">{said}</text>'
    )


def _word(x: float, said: str, kind: str = "") -> str:
    return f'<text x="{x}" y="130" class="words word {kind}">{said}</text>'
