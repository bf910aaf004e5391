"""A run as text for a terminal, in two columns: the tree on the left, what happens on the right.

▲ A                     α = −∞, β = ∞
  a1 ▼ B                α = −∞, β = ∞
    b1 ■ 3              v = 3, β = 3
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from zermelo.search.trace.model import Event, Position, Replay, survey
from zermelo.search.trace.narrate import (
    call,
    give_reason,
    name_skipped,
    say_front,
    say_others,
    say_score,
    say_tally,
    say_weight,
)
from zermelo.search.trace.words import RELATIONS, SYMBOLS, clean, listing, number, plural, shorten, totals, window

DEEPEST_INDENT = 20
WIDEST_LEFT = 44


def tell(header: Mapping[str, object], events: Sequence[Event]) -> str:
    """All of `events`, one line per step; what happens to a leaf from entering to leaving is one step."""
    writer = Writer(Replay(survey(header, events)))
    for event in events:
        writer.take(event)
    width = min(WIDEST_LEFT, max((len(left) for left, notes in writer.rows if notes), default=0))
    lines = [f"{left:{width}}  {', '.join(notes)}".rstrip() for left, notes in writer.rows]
    title = " · ".join(shorten(clean(header[name]), 70) for name in ("game", "algorithm") if header.get(name))
    if header.get("view") == "mover":
        title += " · values in the view of who moves"
    if header.get("truncated"):
        lines.append("… the trace ends here: the search had more steps than were kept")
    return "\n".join(filter(None, [title, *lines]))


class Writer:
    """Turns events into rows of two columns, joining those that belong together."""

    def __init__(self, replay: Replay):
        self.replay = replay
        self.tree = replay.tree
        self.rows: list[tuple[str, list[str]]] = []
        self.last: tuple[str, int] = ("", -1)
        """The kind and the node of the event before: what follows may belong to the same row."""

    def take(self, event: Event) -> None:
        getattr(self, f"_{event['event']}")(event)
        self.last = event["event"], event["node"]
        self.replay.apply(event)

    def row(self, ply: int, text: str, notes: Iterable[str] = ()) -> None:
        indent = "  " * min(ply, DEEPEST_INDENT) + (f"[{ply}] " if ply > DEEPEST_INDENT else "")
        self.rows.append((indent + text, [note for note in notes if note]))

    def note(self, text: str) -> None:
        if text:
            self.rows[-1][1].append(text)

    def follows(self, node: int, *kinds: str) -> bool:
        """Whether the event before was one of `kinds` at `node`, so that its row can be written on."""
        return bool(self.rows) and self.last[0] in kinds and self.last[1] == node

    def head(self, position: Position) -> str:
        chance = f"({number(position.probability)})" if position.probability is not None else ""
        number_of = str(position.player) if position.kind == "player" and position.player is not None else ""
        parts = (position.label, chance, SYMBOLS.get(position.kind, "·") + number_of, position.name)
        return " ".join(part for part in parts if part)

    def _enter(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        shown = self.tree.windows and position.kind != "leaf"
        bounds = window(event.get("alpha"), event.get("beta")) if shown else ""
        self.row(position.ply, self.head(position), [bounds, event.get("mode") or "", *self.scores(event)])

    def scores(self, event: Event) -> list[str]:
        """The score of a child that a simulation goes to, and those of its siblings."""
        score, others = say_score(event), say_others(event)
        return [f"score {score}", *([f"beside {others}"] if others else [])] if score else []

    def _leaf(self, event: Event) -> None:
        position, reason = self.tree.at(event["node"]), event.get("reason") or "terminal"
        if not self.follows(event["node"], "enter", "extend", "table"):
            self.row(position.ply, self.head(position))
        left, notes = self.rows.pop()
        sign = "" if position.kind == "leaf" else "≈ " if reason in ("cutoff", "stand pat") else "= "
        # A node that goes no further needs no window; what follows in the row is its parent's.
        plain = reason in ("terminal", "cutoff", "open cards")
        kept = [*notes, reason] if reason == "stand pat" else [] if plain else [reason]
        self.rows.append((f"{left} {sign}{number(event['value'])}", kept))

    def _value(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        if not self.follows(event["child"], "leave", "leaf", "table"):
            self.row(position.ply + 1, f"{call(self.tree.at(event['child']))} = {number(event['value'])}")
        best = number(event["value"] if event.get("best") is None else event["best"])
        if position.kind == "chance":
            self.note(f"sum {best}")
        else:
            self.note(f"v = {best}" if event.get("improved") is not False else f"v stays {best}")

    def _window(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        standing = self.replay.standings[position.index]
        alpha = None if event["alpha"] == standing.alpha else event["alpha"]
        beta = None if event["beta"] == standing.beta else event["beta"]
        if not self.follows(event["node"], "value", "leaf"):
            self.row(position.ply + 1, call(position))
        self.note(window(alpha, beta))

    def _cutoff(self, event: Event) -> None:
        skipped = listing(name_skipped(event), most=8)
        reason = give_reason(event, self.tree)
        self.row(self.tree.at(event["node"]).ply + 1, f"cut off: {reason}; skips {skipped or 'the rest'}")

    def _table(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        if not self.follows(event["node"], "enter", "extend"):
            self.row(position.ply, self.head(position))
        known = f"{RELATIONS.get(event.get('bound') or 'exact', '=')} {number(event.get('value'))}"
        self.note(f"table: {known}{'' if event.get('used') else ', not enough'}")

    def _extend(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        if not self.follows(event["node"], "enter", "table"):
            self.row(position.ply, self.head(position))
        self.note(f"+1 ply: {event.get('reason') or 'extension'}")

    def _research(self, event: Event) -> None:
        child = self.tree.at(event["child"])
        why = event.get("reason") or ""
        self.row(child.ply, f"again: {call(child)}", [window(event.get("alpha"), event.get("beta")), why])

    def _leave(self, event: Event) -> None:
        if self.follows(event["node"], "leaf", "table"):
            return
        position = self.tree.at(event["node"])
        relation = RELATIONS.get(event.get("bound") or "exact", "=")
        self.row(position.ply, f"{self.head(position)} {relation} {number(event['value'])}")

    def _iteration(self, event: Event) -> None:
        own = event.get("moves")
        ahead = plural(own, "own move", "own moves") if own else f"depth {event['depth']}"
        self.row(0, f"── {ahead} ──")

    def _simulation(self, event: Event) -> None:
        self.row(0, f"── simulation {event['count']} ──")

    def _world(self, event: Event) -> None:
        self.row(0, f"── world {event['count']}{say_weight(event)}: {shorten(clean(event.get('text') or ''), 200)} ──")

    def _vote(self, event: Event) -> None:
        self.row(0, f"best there: {listing(map(clean, event['labels']), most=8)}", [say_tally(event)])

    def _front(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        if not self.follows(event["node"], "enter"):
            self.row(position.ply, self.head(position))
        self.note(say_front(event))

    def _select(self, event: Event) -> None:
        child = self.tree.at(event["child"])
        self.row(child.ply, self.head(child), self.scores(event))

    def _playout(self, event: Event) -> None:
        reason, plies = event.get("reason") or "playout", event.get("plies")
        length = f" of {plural(plies, 'ply', 'plies')}" if reason == "playout" and plies is not None else ""
        if not self.follows(event["node"], "enter"):
            position = self.tree.at(event["node"])
            self.row(position.ply, self.head(position))
        self.note(f"{reason}{length}: {number(event['value'])}")

    def _backup(self, event: Event) -> None:
        position = self.tree.at(event["node"])
        visits = "" if event.get("visits") is None else plural(event["visits"], "visit", "visits")
        value = f"{self.head(position)} ← {number(event['value'])}"
        proof = f"proved {number(event.get('worth'))}".rstrip() if event.get("proved") else ""
        self.row(position.ply, value, [visits, proof])

    def _result(self, event: Event) -> None:
        best = clean(event.get("label") or ("" if event.get("action") is None else event["action"]))
        answer = f"{best}, worth {number(event['value'])}" if best else f"worth {number(event['value'])}"
        if event.get("stopped"):
            answer += f" as far as it got (stopped by {event['stopped']})"
        self.row(0, f"→ {answer}", totals(event))
