"""An extensive game as a drawing: who moves where, what is known there, and what each end pays.

Players' nodes are dots of their colours, chance is a square. Nodes of one information set are joined by a dashed line
and bear its name. With a strategy every edge has its probability, and those that are never taken are pale.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from typing import Any, NamedTuple

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.numbers import Number, say
from zermelo.equilibrium.strategies import Strategy
from zermelo.errors import MethodError
from zermelo.game.contract import Game
from zermelo.search.trace.layout import tidy
from zermelo.search.trace.words import shorten

MAX_DRAWN_NODES = 160
"""What fits on a page that somebody scrolls sideways."""
LEVEL, MARGIN, RADIUS = 96.0, 26.0, 6.0
CHAR_WIDTH, LEAST_REACH = 6.4, 17.0
LABEL_AT = 0.6
"""Where the name of an action stands on its edge, from its node (0) to the child (1)."""
MAX_LABEL_CHARS = 14
COLOURS = ("#23588f", "#a83f26", "#2f7d4f", "#8a5a00", "#6a3d9a", "#00707a")
INK, SOFT, CHANCE_COLOUR = "#22252a", "#6a707a", "#6b5d12"
STYLE = (
    ".z-game text{font:12px sans-serif;fill:#22252a;paint-order:stroke;stroke:var(--ground,#fff);stroke-width:3px;"
    "stroke-linejoin:round}.z-game .small{font-size:10.5px}.z-game .never{opacity:.35}"
)


class TreeNode(NamedTuple):
    """A node of the drawing."""

    set: int
    """Its information set, or what it is if it is none of a player's."""
    children: list[int]
    labels: list[str]
    """What leads to each child."""
    end: int
    """The number of an end."""


def draw_tree(game: Game | ExtensiveForm, strategy: Strategy | None = None) -> str:
    """The tree of a game, with the probabilities of `strategy` if one is given."""
    form = strategy.form if strategy is not None else game if isinstance(game, ExtensiveForm) else extensive_form(game)
    if form.nodes > MAX_DRAWN_NODES:
        raise MethodError(f"a tree of {form.nodes:,} nodes is too large for a drawing, which has {MAX_DRAWN_NODES}")
    return _Drawing(form, strategy).write()


class _Drawing:
    def __init__(self, form: ExtensiveForm, strategy: Strategy | None):
        self.form, self.strategy = form, strategy
        self.nodes = _walk(form)
        self.ends = [self._pay(node) for node in self.nodes]
        reaches = [max(LEAST_REACH, CHAR_WIDTH * max(map(len, lines), default=0) / 2 + 3) for lines in self.ends]
        for i, node in enumerate(self.nodes):
            for place, child in enumerate(node.children):
                widest = max(map(len, self._label(i, place)))
                reaches[child] = max(reaches[child], CHAR_WIDTH * widest / 2 / LABEL_AT)
        xs = tidy([node.children for node in self.nodes], reaches, reaches, gap=8)
        depths = [0] * len(self.nodes)
        for i, node in enumerate(self.nodes):  # parents come before children
            for child in node.children:
                depths[child] = depths[i] + 1
        self.places = [(round(x + MARGIN, 1), MARGIN + LEVEL * depth) for x, depth in zip(xs, depths, strict=True)]
        self.width = max(x + reach for (x, _), reach in zip(self.places, reaches, strict=True)) + MARGIN
        self.height = max(y for _, y in self.places) + 16 * form.players + MARGIN

    def _pay(self, node: TreeNode) -> list[str]:
        """What everybody gets at an end, a line each."""
        if node.children:
            return []
        players = self.form.players
        return [say(each) for each in self.form.exact.payoffs[node.end * players : (node.end + 1) * players]]

    def write(self) -> str:
        parts = [*self._sets(), *self._edges(), *self._dots()]
        width, height = round(self.width), round(self.height)
        size = f'class="z-game" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>{"".join(parts)}</svg>'

    def _share(self, node: TreeNode, place: int) -> Number | None:
        """How probable the way to a child is; `None` where nobody has said."""
        if node.set == CHANCE_NODE:
            return self.form.exact.chance[node.children[place]]
        if self.strategy is None:
            return None
        share: Number = self.strategy.shares[int(self.form.offsets[node.set]) + place]
        return share

    def _label(self, number: int, place: int) -> list[str]:
        """What stands on the way to a child: its name, and how probable it is."""
        node = self.nodes[number]
        share = self._share(node, place)
        return [shorten(node.labels[place], MAX_LABEL_CHARS)] + ([] if share is None else [_brief(share)])

    def _edges(self) -> list[str]:
        parts = []
        for i, node in enumerate(self.nodes):
            for place, child in enumerate(node.children):
                (x, y), (to_x, to_y) = self.places[i], self.places[child]
                share = self._share(node, place)
                width = 1.4 if share is None or node.set == CHANCE_NODE else 1 + 3 * float(share)
                never = ' class="never"' if share is not None and share == 0 else ""
                at_x, at_y = x + LABEL_AT * (to_x - x), y + LABEL_AT * (to_y - y) - 2
                said = "".join(
                    f'<text x="{at_x:.1f}" y="{at_y + 12 * line:.1f}" text-anchor="middle" class="small">'
                    f"{escape(text)}</text>"
                    for line, text in enumerate(self._label(i, place))
                )
                parts.append(
                    f'<g{never}><line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="{SOFT}" '
                    f'stroke-width="{width:.1f}"/>{said}</g>'
                )
        return parts

    def _sets(self) -> list[str]:
        """A dashed line through the nodes of each information set; sets of one level bend by different amounts."""
        members: dict[int, list[tuple[float, float]]] = {}
        for node, place in zip(self.nodes, self.places, strict=True):
            if node.set >= 0:
                members.setdefault(node.set, []).append(place)
        parts: list[str] = []
        ranks: dict[float, int] = {}
        for number, places in members.items():
            colour = COLOURS[int(self.form.arrays.owner[number]) % len(COLOURS)]
            level = max(y for _, y in places)
            rank = ranks[level] = ranks.get(level, -1) + (len(places) > 1)
            for (x, y), (to_x, to_y) in zip(sorted(places), sorted(places)[1:], strict=False):
                bend = 10 + 9 * rank + 0.02 * (to_x - x)
                middle = f"{(x + to_x) / 2:.1f},{max(y, to_y) + bend:.1f}"
                parts.append(
                    f'<path d="M{x},{y}Q{middle} {to_x},{to_y}" fill="none" stroke="{colour}" stroke-width="1.6" '
                    f'stroke-dasharray="5 4" data-set="{number}"/>'
                )
        return parts

    def _dots(self) -> list[str]:
        parts = []
        for node, (x, y), lines in zip(self.nodes, self.places, self.ends, strict=True):
            if node.set == END_NODE:
                for p, line in enumerate(lines):
                    fill = f' style="fill:{COLOURS[p % len(COLOURS)]}"'
                    parts.append(f'<text x="{x}" y="{y + 8 + 15 * p:.1f}" text-anchor="middle"{fill}>{line}</text>')
            elif node.set == CHANCE_NODE:
                side = 2 * RADIUS
                parts.append(
                    f'<rect x="{x - RADIUS}" y="{y - RADIUS}" width="{side}" height="{side}" fill="#fff" '
                    f'stroke="{CHANCE_COLOUR}" stroke-width="2"><title>chance</title></rect>'
                )
            else:
                known = self.form.sets[node.set]
                name = self.form.game.player_name(known.player)
                colour = COLOURS[known.player % len(COLOURS)]
                told = escape(f"{name}: {known.name}")
                parts.append(
                    f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{colour}"><title>{told}</title></circle>'
                    f'<text x="{x}" y="{y - 10}" text-anchor="middle" class="small" style="fill:{colour}">'
                    f"{escape(shorten(known.name, MAX_LABEL_CHARS))}</text>"
                )
        return parts


def _walk(form: ExtensiveForm) -> list[TreeNode]:
    """The nodes in the order of the flat tree, with the names of actions."""
    arrays, game = form.arrays, form.game
    first, count, sets = arrays.first.tolist(), arrays.count.tolist(), arrays.infoset.tolist()
    states: list[Any] = [None] * form.nodes
    states[0] = form.root
    nodes = []
    for i, state in enumerate(states):  # parents come before children
        if sets[i] == END_NODE:
            nodes.append(TreeNode(END_NODE, [], [], first[i]))
            continue
        actions: Sequence[Any] = list(game.actions(state))
        children = list(range(first[i], first[i] + count[i]))
        for child, action in zip(children, actions, strict=True):
            states[child] = game.result(state, action)
        nodes.append(TreeNode(sets[i], children, [game.show_action(state, a) for a in actions], -1))
    return nodes


def _brief(share: Number) -> str:
    """A probability: a short fraction, or two digits."""
    exact = say(share) if isinstance(share, Fraction) else ""
    return exact if exact and len(exact) <= 7 else f"{float(share):.2f}"
