"""The tracks of the race as an SVG drawing: the runners of both sides, and the dice that are shared out."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.games._table import GAP, STYLE, WIDTH, draw_die

LEFT, LENGTH, HIGH = 96, 280, 56
"""Where the tracks begin, how long they are, and how high with what is around them."""
MOST_MARKED = 28
"""Steps of a track whose places are all drawn."""
TRACK = (
    ".track{stroke:#8a8372;stroke-width:4}.step{fill:#ffffff;stroke:#8a8372}.goal{fill:#e8b64c;stroke:#8a8372}"
    ".one{fill:#23588f;stroke:#ffffff;stroke-width:1.5}.two{fill:#a83f26;stroke:#ffffff;stroke-width:1.5}"
)


def draw(runners: Sequence[tuple[int, int]], steps: int, turn: int, dice: Sequence[int]) -> str:
    """Both sides' runners, the one behind and the one ahead, and the `dice` of whoever has the `turn`, if rolled."""
    tracks = "".join(_track(p, runners[p], steps) for p in (0, 1))
    y = 2 * HIGH + WIDTH / 2 + GAP
    says = f"player {turn}" + ("" if dice else " rolls")
    rolled = "".join(draw_die(LEFT + i * (WIDTH + GAP), y, face) for i, face in enumerate(dice or (0, 0)))
    width, height = LEFT + LENGTH + 30, y + WIDTH / 2 + 2 * GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 {width + 8} {height + 8}">'
        f'<style>{STYLE}{TRACK}</style><rect width="{width}" height="{height}" rx="12" class="cloth"/>'
        f'{tracks}<text x="12" y="{y}" class="label">{says}</text>{rolled}</svg>'
    )


def _track(p: int, runners: tuple[int, int], steps: int) -> str:
    y = HIGH * (p + 0.5) + GAP / 2
    places = range(steps + 1) if steps <= MOST_MARKED else (0, steps)
    marks = "".join(
        f'<circle cx="{_along(step, steps):g}" cy="{y}" r="4" class="{"goal" if step == steps else "step"}"/>'
        for step in places
    )
    kind = ("one", "two")[p]
    men = "".join(
        f'<circle cx="{_along(step, steps):g}" cy="{y + side * 11}" r="8" class="{kind}"/>'
        for step, side in zip(runners, (-1, 1), strict=True)
    )
    return (
        f'<text x="12" y="{y}" class="label">player {p}</text>'
        f'<path d="M{LEFT},{y}h{LENGTH}" class="track"/>{marks}{men}'
    )


def _along(step: int, steps: int) -> float:
    return LEFT + LENGTH * step / steps
