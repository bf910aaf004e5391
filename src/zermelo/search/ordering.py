"""Move ordering: the same answer from fewer nodes.

Alpha-beta looks at the fewest nodes when the best action comes first. An `Order` sorts by its rules, the first rule
first, each rule giving a greater number to what should be tried earlier; ties keep the order of `actions`. The
value of a sound search does not depend on the order; which of several equally good actions is found does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from zermelo.errors import MethodError, OptionError
from zermelo.game import Game
from zermelo.search.composable import Composable
from zermelo.search.node import SearchNode


class Rule:
    """One reason to try an action early. A rule may learn from the cut-offs of the search that it serves."""

    needs: tuple[str, ...] = ()
    """The optional methods of a game without which the rule cannot work."""

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        """How early `action` should be tried: a greater number first."""
        raise NotImplementedError

    def learn(self, search: Composable, node: SearchNode, action: object) -> None:
        """Notes that `action` caused a cut-off at `node`."""


class Previous(Rule):
    """What the previous iteration thought best, then what the table remembers."""

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        if node.previous is not None and node.previous[0] == action:
            return 2
        table = search.recipe.table
        return 1 if table is not None and table.action(node) == action else 0


class Scores(Rule):
    """At the root, all actions by their scores in the iteration before, the greatest first.

    What a search knows of a refuted action is a bound on its value, so that their order is only a guess.
    """

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        if node.parent is not None or action not in search.previous_values:
            return float("-inf")
        return search.scores.value(search.previous_values[action])


class Winning(Rule):
    """Actions that win at once."""

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        return wins_at_once(search.game, node.state, action)


class Recaptures(Rule):
    """Taking back on the square where something was just taken."""

    needs = ("is_noisy", "target")

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        return is_recapture(search.game, node, action)


class Captures(Rule):
    """Noisy actions first, among them by the game's `priority`, which weighs what is taken against what takes."""

    needs = ("is_noisy",)

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        game = search.game
        if not game.is_noisy(node.state, action):
            return float("-inf")
        return game.priority(node.state, action) if game.can("priority") else 0.0


class Priority(Rule):
    """The game's own opinion, `priority`, of every action."""

    needs = ("priority",)

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        return search.game.priority(node.state, action)


class Killers(Rule):
    """The last two actions that caused a cut-off at the same ply elsewhere."""

    def __init__(self) -> None:
        self.found: dict[int, list[object]] = defaultdict(list)

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        killers = self.found.get(node.ply, ())
        return len(killers) - killers.index(action) if action in killers else 0

    def learn(self, search: Composable, node: SearchNode, action: object) -> None:
        others = [a for a in self.found[node.ply] if a != action]
        self.found[node.ply] = [action, *others][:2]


class History(Rule):
    """Actions that have caused many cut-offs so far, anywhere, those nearer to the root counting for more."""

    def __init__(self) -> None:
        self.credit: dict[tuple[int, object], float] = defaultdict(float)

    def rank(self, search: Composable, node: SearchNode, action: object) -> float:
        return self.credit.get((node.player, action), 0.0)

    def learn(self, search: Composable, node: SearchNode, action: object) -> None:
        left = node.depth if node.depth < float("inf") else max(1, 64 - node.ply)
        self.credit[node.player, action] += max(left, 1) ** 2


RULES: dict[str, type[Rule]] = {
    "previous": Previous,
    "scores": Scores,
    "winning": Winning,
    "captures": Captures,
    "recaptures": Recaptures,
    "priority": Priority,
    "killers": Killers,
    "history": History,
}


BEST = tuple(name for name in RULES if name not in ("scores", "priority"))
"""The rules that `best` stands for, as far as the game allows."""


class Order:
    """The rules by which a search sorts actions; without rules, the order of the game."""

    def __init__(self, rules: Sequence[Rule] = ()):
        self.rules = rules

    def sort(self, search: Composable, node: SearchNode, actions: list[object]) -> list[object]:
        if not self.rules or len(actions) == 1:
            return actions

        def rank(action: object) -> tuple[float, ...]:
            search.check_clock()  # a million actions take longer to rank than most searches have
            return tuple(-rule.rank(search, node, action) for rule in self.rules)

        return sorted(actions, key=rank)

    def learn(self, search: Composable, node: SearchNode, action: object) -> None:
        for rule in self.rules:
            rule.learn(search, node, action)


class Width:
    """Forward pruning by width: below the root only the `width` best-looking actions are searched.

        H(s, d) = the best of H(RESULT(s, a), d − 1) over the k actions whose results have the greatest EVAL

    as programs for backgammon do it. Where the results are leaves all are looked at, which costs no more; at the root
    nothing is left out. It is risky: an action that looks bad and is good is missed.
    """

    def __init__(self, width: int):
        self.width = width

    def __call__(self, search: Composable, node: SearchNode, actions: list[object]) -> list[object]:
        """The best of `actions` by what their results look like, best first; all where that is no limit."""
        if node.parent is None or node.depth <= 1 or len(actions) <= self.width:
            return actions
        node.estimated = True
        return sorted(actions, key=lambda action: -self.look(search, node, action))[: self.width]

    @staticmethod
    def look(search: Composable, node: SearchNode, action: object) -> float:
        """The static value of the result of `action` for the mover of `node`."""
        s = search.game.result(node.state, action)
        over = search.game.is_terminal(s)
        return search.game.utility(s, node.player) if over else search.evaluate(s, node.player)


def make_order(names: str | Sequence[str], game: Game) -> Order:
    """The order that `names` lists, as in `"previous,killers,history"`; `"best"` is all that the game allows."""
    wanted = names.split(",") if isinstance(names, str) else list(names)
    wanted = [name.strip() for name in wanted if name.strip()]
    if wanted == ["best"]:
        wanted = [n for n, rule in RULES.items() if n in BEST and all(game.can(m) for m in rule.needs)]
    for name in wanted:
        if name not in RULES:
            raise OptionError(f"there is no ordering rule {name!r}; the rules are {', '.join(RULES)}, or best for all")
        missing = [m for m in RULES[name].needs if not game.can(m)]
        if missing:
            raise MethodError(f"ordering by {name} needs `{missing[0]}`, which {game.name} does not have")
    return Order([RULES[name]() for name in wanted])


def is_recapture(game: Game, node: SearchNode, action: object) -> bool:
    """Whether `action` takes back where the action before it took."""
    parent = node.parent
    if action is None or parent is None or node.action is None or not game.is_noisy(parent.state, node.action):
        return False
    if not game.is_noisy(node.state, action):
        return False
    return game.target(parent.state, node.action) == game.target(node.state, action)


def wins_at_once(game: Game, s: object, a: object) -> bool:
    """Whether `a` ends the game with the greatest utility there is for the player who takes it."""
    after = game.result(s, a)
    return bool(game.is_terminal(after) and game.utility(after, game.player(s)) >= game.bounds[1])
