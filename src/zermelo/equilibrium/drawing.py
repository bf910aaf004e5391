"""Pictures of small games as SVG: the graphical solution of 2 × n, and best-response correspondences of 2 × 2."""

from __future__ import annotations

import itertools
from fractions import Fraction
from html import escape

from zermelo.equilibrium.bimatrix import vertex_enumeration
from zermelo.equilibrium.dominance import components
from zermelo.equilibrium.form import Array, as_game
from zermelo.equilibrium.numbers import Number, say
from zermelo.equilibrium.simplex import triangles
from zermelo.equilibrium.zerosum import zero_sum
from zermelo.errors import MethodError

WIDTH, HEIGHT, LEFT, TOP = 420, 300, 60, 40
LINE, MAX_NAME_CHARS = 14, 15
"""The height of a line of text, and the characters that fit beside the frame."""
INK, GRID, ROW, COLUMN, POINT = "#223", "#ccd", "#2b6cb0", "#c05621", "#9b2c2c"
STYLE = f".z-plot text{{font:13px sans-serif;fill:{INK}}}.z-plot .small{{font-size:11px}}"


ANYTHING: list[tuple[Number, Number]] = [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]
"""The outline of the replies of a player to whom nothing matters: the whole square."""


def picture(game: object) -> str:
    """The picture that fits the game: lines for 2 × n and m × 2 if it is zero-sum, best responses for 2 × 2, triangles
    of mixtures where a player has three actions."""
    form = as_game(game)
    if len(form.players) == 2 and form.is_zero_sum and 2 in form.shape:
        return graphical_solution(form)
    if len(form.players) == 2 and 3 in form.shape:
        return triangles(form)
    return correspondences(form)


def graphical_solution(game: object) -> str:
    """One line for each action of the other player, over how the player with two actions mixes them; their envelope."""
    form = as_game(game)
    if len(form.players) != 2 or not form.is_zero_sum or 2 not in form.shape:
        raise MethodError("the graphical solution is for zero-sum games in which a player has two actions")
    by_row = form.shape[0] == 2
    matrix = form.exact[0] if by_row else form.exact[0].T
    lines = [(matrix[1, j], matrix[0, j]) for j in range(matrix.shape[1])]  # at probability 0 and 1 of the first action
    found = zero_sum(form, exact=True)
    share = (found.row if by_row else found.column)[0]
    low, high = min(map(min, lines)), max(map(max, lines))
    plot = _Plot(low - (low == high), high + (low == high))
    me, other = (0, 1) if by_row else (1, 0)
    for at_0, at_1 in lines:
        plot.line(0, at_0, 1, at_1, COLUMN, 1.2)
    plot.names([(at_1, form.actions[other][j]) for j, (_, at_1) in enumerate(lines)])
    envelope = min if by_row else max
    turns = sorted({Fraction(0), Fraction(1), share, *crossings(lines)})
    corners = [(x, envelope(a + (b - a) * x for a, b in lines)) for x in turns]
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        plot.line(x0, y0, x1, y1, ROW, 3)
    plot.guides(share, found.primal)
    plot.dot(share, found.primal)
    title = f"{form.players[me]} plays {form.actions[me][0]} with {say(share)}: value {say(found.value)}"
    return plot.write(title, f"probability of {form.actions[me][0]}")


def crossings(lines: list[tuple[Number, Number]]) -> list[Number]:
    """Where two of the lines meet inside the picture."""
    found = []
    for i, (a, b) in enumerate(lines):
        for c, d in lines[:i]:
            slope = (b - a) - (d - c)
            if slope and 0 < (c - a) / slope < 1:
                found.append((c - a) / slope)
    return found


def correspondences(game: object) -> str:
    """Both players' best responses over the square of their mixtures; where they meet are the equilibria."""
    form = as_game(game)
    if form.shape != (2, 2):
        size = " × ".join(map(str, form.shape))
        raise MethodError(
            f"a game of {size} has no picture: it takes a 2 × 2 game, a zero-sum one of 2 × n, or three actions"
        )
    plot = _Plot(0, 1)
    mine, theirs = form.exact
    first = _reply(mine[0] - mine[1])
    second = _reply(theirs[:, 0] - theirs[:, 1])
    for replies, colour in ((first, ROW), (second, COLUMN)):
        if replies == ANYTHING:
            plot.fill(colour)
    for (q0, p0), (q1, p1) in itertools.pairwise(first):
        plot.line(p0, q0, p1, q1, ROW, 4)
    for (p0, q0), (p1, q1) in itertools.pairwise(second):
        plot.line(p0, q0, p1, q1, COLUMN, 2)
    found = vertex_enumeration(form)
    for group in components(found):
        for subset in group:
            points = [(x[0], y[0]) for x in subset.rows for y in subset.columns]
            plot.line(*min(points), *max(points), POINT, 5)
    for one in found:
        plot.dot(one.strategies[0][0], one.strategies[1][0])
    a, b = form.actions[0][0], form.actions[1][0]
    title = f"best responses of {form.players[0]} (blue) and {form.players[1]} (orange)"
    return plot.write(title, f"{form.players[0]}: probability of {a}", f"{form.players[1]}: probability of {b}")


def _reply(gain: Array) -> list[tuple[Number, Number]]:
    """The corners of one's best replies, as (the other's probability, the own one); both of the first action.

    `gain` is what one's first action brings more, against the other's first and against the other's second.
    """
    against_first, against_second = gain
    if against_first == against_second == 0:
        return ANYTHING
    start, end = int(against_second > 0), int(against_first > 0)
    if against_second == 0:
        return [(0, 0), (0, 1), (0, end), (1, end)]
    if against_first == 0:
        return [(0, start), (1, start), (1, 0), (1, 1)]
    if start == end:
        return [(0, start), (1, start)]
    turn = Fraction(against_second) / (against_second - against_first)
    return [(0, start), (turn, start), (turn, end), (1, end)]


def _brief(value: Number) -> str:
    """A number for an axis: as it is if it is short."""
    exact = say(value)
    return exact if len(exact) <= 7 else f"{float(value):.3g}"


def shorten(text: str) -> str:
    return text if len(text) <= MAX_NAME_CHARS else f"{text[: MAX_NAME_CHARS - 1]}…"


class _Plot:
    """A frame over x from 0 to 1 and y from `low` to `high`, and what is drawn in it."""

    def __init__(self, low: Number, high: Number):
        self.low, self.span = float(low), float(high - low) or 1.0
        self.low_text, self.high_text = _brief(low), _brief(high)
        self.parts: list[str] = []

    def place(self, x: Number, y: Number) -> tuple[float, float]:
        up = (float(y) - self.low) / self.span
        return round(LEFT + WIDTH * float(x), 2), round(TOP + HEIGHT * (1 - up), 2)

    def line(self, x0: Number, y0: Number, x1: Number, y1: Number, colour: str, width: float, more: str = "") -> None:
        (a, b), (c, d) = self.place(x0, y0), self.place(x1, y1)
        self.parts.append(
            f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="{colour}" stroke-width="{width}" '
            f'stroke-linecap="round"{more}/>'
        )

    def guides(self, x: Number, y: Number) -> None:
        """Dashes from a point to both axes, and its numbers there, where they do not run into those of the corners."""
        across, down = self.place(x, y)
        for x0, y0 in ((x, self.low), (0, y)):
            self.line(x0, y0, x, y, INK, 0.8, ' stroke-dasharray="3 4"')
        if 2 * LINE < across - LEFT < WIDTH - 2 * LINE:
            self.words(across, TOP + HEIGHT + 16, _brief(x), "middle", " class='small'")
        if LINE < down - TOP < HEIGHT - LINE:
            self.words(LEFT - 8, down + 4, _brief(y), "end", " class='small'")

    def names(self, ends: list[tuple[Number, str]]) -> None:
        """Names to the right of where lines end: those that end together in one line, others pushed apart."""
        together: dict[float, list[str]] = {}
        for y, name in sorted(ends, key=lambda end: -end[0]):
            together.setdefault(self.place(1, y)[1], []).append(name)
        least, room = 0.0, TOP + HEIGHT - LINE * (len(together) - 1)
        for i, (y, names) in enumerate(together.items()):
            least = max(least, min(y, max(room, TOP) + LINE * i))
            self.words(LEFT + WIDTH + 12, least + 4, shorten(", ".join(names)), "start")
            least += LINE

    def fill(self, colour: str) -> None:
        self.parts.append(
            f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="{colour}" opacity="0.12"/>'
        )

    def dot(self, x: Number, y: Number) -> None:
        a, b = self.place(x, y)
        label = f"({say(Fraction(x))}, {say(Fraction(y))})"
        self.parts.append(f'<circle cx="{a}" cy="{b}" r="6" fill="{POINT}"><title>{escape(label)}</title></circle>')

    def words(self, a: float, b: float, text: str, anchor: str, more: str = "") -> None:
        self.parts.append(f'<text x="{a}" y="{round(b, 2)}" text-anchor="{anchor}"{more}>{escape(text)}</text>')

    def write(self, title: str, below: str, left: str = "") -> str:
        width, height = LEFT + WIDTH + 110, TOP + HEIGHT + 50
        frame = f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="{GRID}"/>'
        words = [
            f'<text x="{LEFT}" y="24">{escape(title)}</text>',
            f'<text x="{LEFT + WIDTH / 2}" y="{height - 14}" text-anchor="middle">{escape(below)}</text>',
            f'<text x="{LEFT - 8}" y="{TOP + 4}" text-anchor="end" class="small">{self.high_text}</text>',
            f'<text x="{LEFT - 8}" y="{TOP + HEIGHT}" text-anchor="end" class="small">{self.low_text}</text>',
            f'<text x="{LEFT}" y="{TOP + HEIGHT + 16}" text-anchor="middle" class="small">0</text>',
            f'<text x="{LEFT + WIDTH}" y="{TOP + HEIGHT + 16}" text-anchor="middle" class="small">1</text>',
        ]
        if left:
            middle = TOP + HEIGHT / 2
            turn = f'transform="rotate(-90 20 {middle})"'
            words.append(f'<text x="20" y="{middle}" text-anchor="middle" {turn}>{escape(left)}</text>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="z-plot" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
            f'<style>{STYLE}</style><rect width="{width}" height="{height}" fill="#fff"/>{frame}'
            f"{''.join(self.parts)}{''.join(words)}</svg>\n"
        )
