"""Each step in words: a sentence for the person who watches, and a short form for lists.

Both are functions of the event and of the tree just before it.
"""

from __future__ import annotations

from zermelo.search.trace.model import Event, GameTree, Position, Replay
from zermelo.search.trace.words import MOVERS, RELATIONS, SYMBOLS, clean, listing, number, plural, term, totals, window

MODES = {
    "zero window": "only to see on which side of the zero window it lies",
    "null move": "after a null move: the mover passes",
    "quiescence": "in the quiescence search: only noisy actions count",
    "probe": "as a probe",
    "verification": "to verify the cut-off",
    "shallow search": "less deeply, to foretell what it would find",
}
LEAVES = {
    "terminal": "The game is over here",
    "cutoff": "The search stops here and asks the evaluation",
    "stand pat": "Standing pat, the evaluation without any noisy action",
    "repetition": "This position stood on the path before",
    "open cards": "With open cards this is worth",
}
MOST_VECTORS = 6
"""Vectors of a front that are told."""
PLAYOUTS = {
    "terminal": "The game is over here, so that there is nothing to play out",
    "proved": "What this is worth is proved already",
    "evaluator": "The evaluator judges the new position",
}


def call(position: Position) -> str:
    """What to call a position in a list: its name, or the action that leads to it."""
    return position.name or position.label or ("the root" if position.parent < 0 else SYMBOLS.get(position.kind, "?"))


def describe(position: Position) -> str:
    """What to call a position in a sentence: `the MIN node C`, `the leaf after b1`."""
    if position.kind == "leaf":
        what = "the leaf"
    elif position.kind == "player":
        what = f"player {position.player}’s node"
    else:
        what = f"the {MOVERS.get(position.kind, '')} node".replace("  ", " ")
    if position.name:
        return f"{what} {position.name}"
    if position.parent < 0:
        return f"the root, {what}"
    return f"{what} after {position.label}" if position.label else what


def name_skipped(event: Event) -> list[str]:
    """The skipped actions, each with its end's value or its node's name where one knows it: `c2 (4)`, `c2 (G)`."""
    names = []
    for skip in event.get("skipped") or ():
        label = clean(skip.get("label") or ("" if skip.get("action") is None else skip["action"]))
        tree = skip.get("tree")
        known = clean(tree.get("name") or "") if isinstance(tree, dict) else ""
        if isinstance(tree, (int, float)):
            known = number(tree)
        if known:
            label = f"{label} ({known})" if label and label != known else known
        names.append(label or "one action")
    return names


def give_reason(event: Event, tree: GameTree, by: bool = True) -> str:
    """Why a cut-off is right, as in lectures: `2 ≤ α = 3 set at A`."""
    value, bound = number(event.get("value")) or "v", number(event.get("bound"))
    reason = event.get("reason") or ""
    upward = reason != "alpha" or tree.view == "mover"
    score, limit = event.get("value"), event.get("bound")
    if reason.startswith("star") and score is not None and limit is not None:
        upward = score >= limit  # chance has no side: the numbers show which bound was met
    letter = "≥ β" if upward else "≤ α"
    text = f"{value} {letter}{' = ' + bound if bound else ''}"
    if by and event.get("bound_from") is not None:
        text += f" set at {call(tree.at(event['bound_from']))}"
    return f"{reason}: {text}" if reason not in ("alpha", "beta", "") else text


def say_score(event: Event) -> str:
    """The score of the child that is chosen, as a sum: `14 + 41.087 = 55.087`; empty if nothing is known of it."""
    chosen = next((each for each in event.get("compared") or () if each["chosen"]), None)
    if chosen is None or chosen.get("mean") is None or chosen.get("exploration") is None:
        return "" if event.get("score") is None else term(event["score"])
    return f"{term(chosen['mean'])} + {term(chosen['exploration'])} = {term(chosen['score'])}"


def say_others(event: Event) -> str:
    """The scores of its siblings: `a1 50.1, a2 43.2`; empty where none is known."""
    others = [each for each in event.get("compared") or () if not each["chosen"]]
    return listing((f"{clean(each['label'])} {term(each['score'])}" for each in others), most=5)


def say_weight(event: Event) -> str:
    """How often a world was drawn, where that is more than once: ` (×3)`."""
    return f" (×{event['weight']})" if (event.get("weight") or 1) > 1 else ""


def say_tally(event: Event) -> str:
    """The votes so far, those with most first: `votes ♠A 3, ♥2 1`."""
    cast = sorted((each for each in event.get("tally") or () if each["votes"]), key=lambda each: -each["votes"])
    return "votes " + listing((f"{clean(each['label'])} {each['votes']}" for each in cast), most=8) if cast else ""


def say_front(event: Event) -> str:
    """The vectors of a front: `front (1, −1) or (−1, 1)`."""
    vectors = [number(each) for each in event["vectors"]]
    more = f" or {len(vectors) - MOST_VECTORS} more" if len(vectors) > MOST_VECTORS else ""
    return f"front {' or '.join(vectors[:MOST_VECTORS])}{more}" if vectors else "nothing new"


class Narrator:
    """Puts the steps of one replay into words; ask before the replay takes the step."""

    def __init__(self, replay: Replay):
        self.replay = replay
        self.tree = replay.tree

    def sentence(self, event: Event) -> str:
        tell = getattr(self, f"_{event['event']}")
        position = self.tree.at(event["node"]) if event["node"] in self.tree.indices else None
        text: str = tell(event, position)
        return text[:1].upper() + text[1:]

    def _enter(self, event: Event, position: Position) -> str:
        where = describe(position)
        by = f" by {position.label}" if position.name and position.label else ""
        chance = f", which happens with probability {number(position.probability)}" if position.probability else ""
        again = " again" if self.replay.standings[position.index].status not in ("unseen", "pruned") else ""
        bounds = window(event.get("alpha"), event.get("beta")) if self.tree.windows and position.kind != "leaf" else ""
        mode = MODES.get(event.get("mode") or "", event.get("mode") or "")
        return (
            f"The search enters {where}{by}{again}{chance}{' with ' + bounds if bounds else ''}"
            f"{', ' + mode if mode else ''}{self._comparison(event)}."
        )

    def _comparison(self, event: Event) -> str:
        """Why a child is chosen among its siblings, where the search says so."""
        score, others = say_score(event), say_others(event)
        if not score:
            return ""
        beside = f"; beside it {others}" if others else ""
        return f", whose score is the greatest: {score}{beside}"

    def _leaf(self, event: Event, position: Position) -> str:
        said = LEAVES.get(event.get("reason") or "terminal", event.get("reason"))
        return f"{said}: {number(event['value'])}."

    def _value(self, event: Event, position: Position) -> str:
        value, best = number(event["value"]), event.get("best")
        child = self.tree.at(event["child"])
        here = call(position)
        came = f"{value} comes back to {here} by {child.label}" if child.label else f"{value} comes back to {here}"
        if position.kind == "chance":
            weight = f", weighted {number(child.probability)}" if child.probability else ""
            return f"{came}{weight}: the sum so far is {number(best)}."
        if event.get("improved") is not False:
            return f"{came}: the best so far, v = {number(event['value'] if best is None else best)}."
        mover = MOVERS.get(position.kind, f"player {position.player}")
        return f"{came}: no better for {mover}, v stays {number(best)}."

    def _window(self, event: Event, position: Position) -> str:
        standing = self.replay.standings[position.index]
        here = call(position)
        if event["alpha"] != standing.alpha and position.kind == "max":
            return f"MAX is sure of at least {number(event['alpha'])} at {here}: α = {number(event['alpha'])}."
        if event["beta"] != standing.beta and position.kind == "min":
            return f"MIN can hold {here} to at most {number(event['beta'])}: β = {number(event['beta'])}."
        return f"The window of {here} is now {window(event['alpha'], event['beta'])}."

    def _cutoff(self, event: Event, position: Position) -> str:
        skipped = name_skipped(event)
        rest = f"{listing(skipped) or 'the rest'} {'are' if len(skipped) > 1 else 'is'} skipped"
        reason, here = event.get("reason") or "", call(position)
        why = give_reason(event, self.tree, by=False)
        if reason not in ("alpha", "beta", ""):
            return f"Cut-off at {here} by {why}; {rest}."
        source = event.get("bound_from")
        if source is None:
            return f"Cut-off at {here}: {why}, the bound that the search was called with; {rest}."
        above = call(self.tree.at(source))
        if reason == "alpha":
            return f"Cut-off at {here}: {why}. MAX has {number(event.get('bound'))} at {above} already; {rest}."
        if self.tree.view == "max":
            return f"Cut-off at {here}: {why}. MIN has {number(event.get('bound'))} at {above} already; {rest}."
        return f"Cut-off at {here}: {why}, set at {above}; {rest}."

    def _table(self, event: Event, position: Position) -> str:
        known = f"{RELATIONS.get(event.get('bound') or 'exact')} {number(event.get('value'))}"
        depth = f", searched {number(event['depth'])} plies deep" if event.get("depth") is not None else ""
        verdict = "That settles it." if event.get("used") else "That does not settle it."
        return f"The table knows {call(position)}: v {known}{depth}. {verdict}"

    def _extend(self, event: Event, position: Position) -> str:
        return f"{call(position)} is searched one ply deeper: {event.get('reason') or 'extension'}."

    def _research(self, event: Event, position: Position) -> str:
        child = call(self.tree.at(event["child"]))
        bounds = window(event.get("alpha"), event.get("beta"))
        why = f" ({event['reason']})" if event.get("reason") else ""
        return f"{call(position)} searches {child} again{why}{' with ' + bounds if bounds else ''}."

    def _leave(self, event: Event, position: Position) -> str:
        value = number(event["value"])
        sure = {"lower": f"at least {value}", "upper": f"at most {value}"}.get(event.get("bound") or "", value)
        return f"{describe(position)} is worth {sure}."

    def _iteration(self, event: Event, position: Position | None) -> str:
        if event.get("moves"):
            return f"Now {plural(event['moves'], 'own move', 'own moves')} ahead."
        return f"Iterative deepening: now {plural(event['depth'], 'ply', 'plies')} deep."

    def _simulation(self, event: Event, position: Position | None) -> str:
        return f"Simulation {event['count']:,} starts at the root."

    def _world(self, event: Event, position: Position | None) -> str:
        return f"World {event['count']}{say_weight(event)} is imagined: {clean(event.get('text') or '')}."

    def _vote(self, event: Event, position: Position | None) -> str:
        best, tally = listing(map(clean, event["labels"]), most=8), say_tally(event)
        return f"With open cards, best there is {best}{f'; {tally}' if tally else ''}."

    def _front(self, event: Event, position: Position) -> str:
        here = describe(position)
        if not event["vectors"]:
            return f"At {here} nothing is better than what MAX has already."
        many = len(event["vectors"]) > 1
        why = ", of which none is better in every world" if many else ""
        return f"At {here} a value for each world: {say_front(event)}{why}."

    def _select(self, event: Event, position: Position) -> str:
        child = self.tree.at(event["child"])
        return f"Selection: from {call(position)} to {call(child)}{self._comparison(event)}."

    def _playout(self, event: Event, position: Position) -> str:
        reason, value = event.get("reason") or "playout", number(event["value"])
        if reason in PLAYOUTS:
            return f"{PLAYOUTS[reason]}: {value}."
        plies = event.get("plies")
        length = "" if plies is None else f" after {plural(plies, 'ply', 'plies')}"
        return f"Playout: a random game from {call(position)} ends{length} with {value}."

    def _backup(self, event: Event, position: Position) -> str:
        visits = "" if event.get("visits") is None else f" of {plural(event['visits'], 'visit', 'visits')}"
        proof = ""
        if event.get("proved"):
            worth = "" if event.get("worth") is None else f" to be worth {number(event['worth'])}"
            proof = f"; it is proved{worth}"
        return f"Backing up: the mean{visits} at {call(position)} is now {number(event['value'])}{proof}."

    def _result(self, event: Event, position: Position | None) -> str:
        best = clean(event.get("label") or ("" if event.get("action") is None else event["action"]))
        value = number(event["value"])
        answer = f"{best} is best, worth {value}" if best else f"the root is worth {value}"
        return f"The search is over: {'; '.join(filter(None, [answer, ', '.join(totals(event))]))}."

    def brief(self, event: Event) -> str:
        """The step in a few characters, for a list."""
        kind = event["event"]
        if kind == "iteration":
            return f"depth {event['depth']}"
        if kind == "simulation":
            return f"simulation {event['count']}"
        if kind == "world":
            return f"world {event['count']}"
        if kind == "vote":
            return f"best: {listing(map(clean, event['labels']), most=3)}"
        if kind == "result":
            return f"result {number(event['value'])}"
        colon = ":" if kind in ("value", "window", "cutoff", "extend") else ""
        return f"{call(self.tree.at(event['node']))}{colon} {self._brief(kind, event)}".rstrip()

    def _brief(self, kind: str, event: Event) -> str:
        standing = self.replay.standings[self.tree.indices[event["node"]]]
        if kind == "enter":
            leaf = self.tree.at(event["node"]).kind == "leaf"
            return window(event.get("alpha"), event.get("beta")) if self.tree.windows and not leaf else ""
        if kind == "value":
            best = event["value"] if event.get("best") is None else event["best"]
            if self.tree.at(event["node"]).kind == "chance":
                return f"sum {number(best)}"
            return f"v = {number(best)}" if event.get("improved") is not False else f"v stays {number(best)}"
        if kind == "window":
            alpha = None if event["alpha"] == standing.alpha else event["alpha"]
            return window(alpha, None if event["beta"] == standing.beta and alpha is not None else event["beta"])
        if kind == "cutoff":
            return give_reason(event, self.tree, by=False)
        if kind == "extend":
            return f"+1 ply: {event.get('reason') or 'extension'}"
        if kind == "select":
            return f"→ {call(self.tree.at(event['child']))}"
        if kind == "front":
            return say_front(event)
        if kind == "playout":
            return f"{event.get('reason') or 'playout'} {number(event['value'])}"
        if kind == "research":
            return f"searches {call(self.tree.at(event['child']))} again"
        if kind == "backup" and event.get("worth") is not None:
            return f"= {number(event['worth'])}, proved"
        relation = RELATIONS.get(event.get("bound") or "exact", "=") if kind in ("leave", "table") else "="
        return f"{relation} {number(event.get('value'))}"
