"""Why not? What a search has against an action: the reply that refutes it, played out, and the reason in words.

An action is rejected because the opponent has a reply that leaves less than another action gives. That is a cut-off of
alpha-beta in one sentence: where there are other replies, none of them needs to be searched. Beyond that, only what
the lines show is said: a win that is missed, the end that they lead to, or what is lost in them and when.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Generic, NamedTuple, cast

from zermelo.analysis import Analysis, Limits
from zermelo.engine.network import without_network
from zermelo.engine.searcher import Searcher, is_simulated
from zermelo.game import CHANCE, AnyGame, Game, Tree
from zermelo.game.contract import A, S
from zermelo.play.notation import show_action, write_line
from zermelo.play.words import counts_points, name_player, say_amount, say_number, say_points, say_score
from zermelo.search.trace.words import plural
from zermelo.studio.views.exchange import balance, say_exchange, say_won, settle
from zermelo.studio.views.parts import find_part

ENOUGH_NODES = 300_000
"""Nodes for comparing the two actions, unless they are settled sooner; a number of nodes, so that the answer does not
depend on the machine's speed."""
ENOUGH_SECONDS = 3.0
"""The limit where rules are slow."""
MAX_SECONDS = 8.0
"""For the comparison to reach the depth of the analysis; and again for the whole position to reach that depth."""
NEARLY_EQUAL = 0.001
"""Of the way from a draw to a win: estimates that are no farther apart are nearly equal."""
MAX_SENTENCE_PLIES = 8
"""Actions of a line that a sentence holds."""
TABLE_MB = 32


class Prospect(NamedTuple, Generic[A]):
    """What an action leads to, for the player who takes it."""

    value: float
    line: tuple[A, ...]
    """The action itself, and best play after it."""
    exact: bool
    nodes: int = 0
    """Of the search that found it."""


class Pair(NamedTuple, Generic[A]):
    """The action asked about and the alternative, searched equally deep."""

    this: Prospect[A]
    other: Prospect[A]
    depth: int | None


def explain(
    game: Game[S, A], state: S, history: Sequence[S], action: A, found: Analysis | None, stop: Callable[[], bool]
) -> dict[str, Any]:
    """The line that refutes `action`, and in words what is wrong with it."""
    if found is None or found.action is None:
        limits = Limits(nodes=ENOUGH_NODES, seconds=ENOUGH_SECONDS, stop=stop)
        found = make_searcher(game).search(state, limits, history=history)
    pair = known_pair(found, action)
    if pair is None:
        pair = compare(game, state, history, action, found, stop)
        pair = confirm(game, state, history, pair, found, stop)
    message, reasoning = say_choice(game, state, action, found, pair)
    return {"message": message, "reasoning": reasoning, "line": pair.this.line}


def make_searcher(game: AnyGame) -> Searcher:
    return Searcher(game, table_mb=TABLE_MB, quiet=True)


def say_choice(game: Game[S, A], state: S, action: A, found: Analysis, pair: Pair[A]) -> tuple[str, str]:
    """What is wrong with `action`, or that the search would play it, unless it looked again; and the reasoning."""
    if action != found.action:
        return say_why(game, state, game.player(state), pair)
    move = show_action(game, state, action)
    if pair.this.value >= pair.other.value:
        return f"{move} is what the search itself would play: it is worth {left(game, pair.this)}.", say_depth(pair)
    looked = "" if found.depth is None else f", {plural(found.depth, 'ply', 'plies')} deep"
    was = f"{move} was what the search would play{looked}; it has looked again."
    reason, reasoning = say_why(game, state, game.player(state), pair)
    return f"{was} {reason}", reasoning


def known_pair(found: Analysis, action: A) -> Pair[A] | None:
    """What the analysis says of both itself, if its lines, all of one depth, begin with them."""
    lines = {line[0]: Prospect(value, line, found.exact) for value, line in found.lines if len(line) > 1}
    # A proof of the best action ends a search, however little it knows of the others.
    if found.exact or found.visits or action not in lines or found.action not in lines:
        return None
    pair = Pair(lines[action], lines[found.action], found.depth)
    # A search that has hardly begun cannot claim that nothing is wrong.
    return None if pair.this.value >= pair.other.value and found.nodes < ENOUGH_NODES else pair


def compare(
    game: Game[S, A], state: S, history: Sequence[S], action: A, found: Analysis, stop: Callable[[], bool]
) -> Pair[A]:
    """Searches `action` and what `found` prefers in step, as deep as `found` did if time allows."""
    wanted = [action] if found.action == action else [action, found.action]
    searchers = [make_searcher(game) for _ in wanted]
    begun = time.monotonic()

    def late() -> bool:
        return stop() or time.monotonic() > begun + MAX_SECONDS

    pairs = zip(searchers, wanted, strict=True)
    steps = zip_longest(*(look_at(searcher, state, history, each, late) for searcher, each in pairs))
    known: list[Prospect[A]] = []
    depth = 0
    for depth, step in enumerate(steps, 2):  # the action is a ply itself
        reached = [new or old for new, old in zip(step, known or step, strict=True)]
        if known and late():  # the last depth was not finished
            depth -= 1
            break
        known = reached
        nodes = sum(each.nodes for each in known)
        enough = nodes > ENOUGH_NODES or time.monotonic() > begun + ENOUGH_SECONDS
        if enough and depth >= (found.depth or 0):
            break
    return Pair(known[0], known[-1], None if found.visits else depth)


def confirm(
    game: Game[S, A], state: S, history: Sequence[S], pair: Pair[A], found: Analysis, stop: Callable[[], bool]
) -> Pair[A]:
    """The pair with the best alternative in it, where `found` did not know that one yet.

    It did not look as deep as the pair was searched, so that its choice may be refuted by now, or surpassed. An action
    may be said to be as good as any only if all are searched as deep as itself.
    """
    this, other, depth = pair
    if found.exact:  # no action is worth more than the position
        best = other if other.exact else Prospect(found.value, found.line, True)
        return Pair(this._replace(value=min(this.value, best.value)), best, depth)
    if depth is None or this.value < other.value or this.value >= game.bounds[1]:
        return pair
    searcher = make_searcher(game)
    begun = time.monotonic()

    def late() -> bool:
        return stop() or time.monotonic() > begun + MAX_SECONDS

    rival = other
    for whole in searcher.think(state, Limits(stop=late), history=history):
        if whole.stopped:
            break
        rival = Prospect(whole.values[game.player(state)], whole.line, whole.exact)
        if whole.exact or (whole.depth or 0) >= depth:
            break
    if rival.line[:1] == this.line[:1]:
        return pair
    return Pair(this, max(other, rival, key=lambda each: each.value), depth)


def look_at(
    searcher: Searcher, state: S, history: Sequence[S], action: A, stop: Callable[[], bool]
) -> Iterator[Prospect[A]]:
    """What `action` is worth to the player who takes it, at one ply, two, …"""
    game = searcher.game
    mover = game.player(state)
    after = game.result(state, action)
    if game.is_terminal(after):
        yield Prospect(game.utility(after, mover), (action,), True)
        return
    for found in searcher.think(after, Limits(stop=stop), history=[*history, state]):
        yield Prospect(found.values[mover], (action, *found.line), found.exact, found.nodes)


def say_why(game: Game[S, A], state: S, mover: int, pair: Pair[A]) -> tuple[str, str]:
    """The reason in a sentence, and the reasoning of the search: the cut-off, and how deep it has looked."""
    this, other, _ = pair
    if this.value >= other.value:
        return say_no_worse(game, state, this, other), say_depth(pair)
    reply = say_reply(game, state, mover, this, other)
    reason = say_reason(game, state, mover, pair) or (
        "" if isinstance(game, Tree) else say_worth(game, state, this, other)
    )
    return reason or reply, " ".join(filter(None, (reply if reason else "", say_depth(pair))))


def say_worth(game: Game[S, A], state: S, this: Prospect[A], other: Prospect[A]) -> str:
    """`A1 leaves you about 24% to win, C3 64% to win`, where nothing more can be said."""
    move, rival = show_action(game, state, this.line[0]), show_action(game, state, other.line[0])
    return f"{move} leaves you {left(game, this)}, {rival} {worth(game, other)}."


def say_reason(game: Game[S, A], state: S, mover: int, pair: Pair[A]) -> str:
    """What the lines show against the action: a win that it misses, the end that it leads to, or what is lost."""
    this, other, _ = pair
    return (
        say_missed(game, state, this, other)
        or say_end(game, state, mover, this)
        or say_part(game, state, mover, this, other)
    )


def say_depth(pair: Pair[A]) -> str:
    """The depth of the search, unless the values are proved."""
    proved = pair.this.exact and pair.other.exact
    return "" if pair.depth is None or proved else f"Seen {plural(pair.depth, 'ply', 'plies')} deep."


def say_no_worse(game: Game[S, A], state: S, this: Prospect[A], other: Prospect[A]) -> str:
    """For an action that is worth as much as what the search prefers, or more."""
    move, rival = show_action(game, state, this.line[0]), show_action(game, state, other.line[0])
    low, high = game.bounds
    ended = all(game.is_terminal(end_of(game, state, each.line)) for each in (this, other))
    decided = this.value == other.value and low < game.neutral < high and this.value in (low, high) and ended
    if decided and len(this.line) != len(other.line):
        verb = "wins" if this.value == high else "loses"
        plies, others = (plural(len(each.line), "ply", "plies") for each in (this, other))
        return f"{move} {verb} as well: the line found takes {plies}, that of {rival} {others}."
    if this.value == other.value:
        return f"Nothing is wrong with {move}: it is worth {left(game, this)}, as much as {rival}."
    than = "nearly the same as" if is_near(game, this, other) else "more than"
    return f"Nothing is wrong with {move}: it is worth {left(game, this)}, {than} {rival} with {worth(game, other)}."


def is_near(game: AnyGame, this: Prospect[A], other: Prospect[A]) -> bool:
    """Whether two estimates in points differ by less than their accuracy."""
    return (
        counts_points(game)
        and not this.exact
        and abs(this.value - other.value) <= NEARLY_EQUAL * (game.bounds[1] - game.neutral)
    )


def say_reply(game: Game[S, A], state: S, mover: int, this: Prospect[A], other: Prospect[A]) -> str:
    """`Then o has a reply, c2, that leaves you …`: the cut-off, where there is one."""
    rival = show_action(game, state, other.line[0])
    after = game.result(state, this.line[0])
    if game.is_terminal(after) or game.player(after) in (CHANCE, mover) or len(this.line) < 2:
        return f"It is worth {worth(game, this)} to you; {rival} is worth {worth(game, other)}."
    reply = show_action(game, after, this.line[1])
    said = (
        f"Then {name_player(game, game.player(after))} has a reply, {reply}, that leaves you {left(game, this)}, "
        f"and you have {worth(game, other)} elsewhere, with {rival}"
    )
    spared = len(list(game.actions(after))) - 1
    if not spared or not game.kind.combinatorial or is_simulated(game):
        return f"{said}."
    return f"{said}: the {plural(spared, 'other reply', 'other replies')} can be pruned."


def say_missed(game: Game[S, A], state: S, this: Prospect[A], other: Prospect[A]) -> str:
    """`g3 misses the win by Rd8#`, where the alternative wins and this does not lose."""
    low, high = game.bounds
    if not low < game.neutral < high or other.value < high or this.value <= low:
        return ""
    move, rival = show_action(game, state, this.line[0]), show_action(game, state, other.line[0])
    plies = plural(len(other.line), "ply", "plies")
    longer = len(other.line) > 1 and game.is_terminal(end_of(game, state, other.line))
    way = f" ({write_moves(game, state, other.line)}: {plies})" if longer else ""
    drawn = this.exact and this.value == game.neutral and game.kind.constant_sum
    how = say_how(game, end_of(game, state, this.line), " (", ")") if drawn else ""
    outcome = f"only draws{how}" if drawn else f"leaves you {left(game, this)}"
    return f"{move} misses the win by {rival}{way}: it {outcome}."


def say_how(game: Game[S, A], state: S, before: str, after: str = "") -> str:
    """How the game is over in `state`, if it is, as `checkmate`."""
    said = game.say_end(state) if game.is_terminal(state) else ""
    return f"{before}{said}{after}" if said else ""


def say_end(game: Game[S, A], state: S, mover: int, this: Prospect[A]) -> str:
    """`After this, o wins: … (3 plies)`, where the end of the game is in sight; other lines may be shorter."""
    low, high = game.bounds
    over = game.is_terminal(end_of(game, state, this.line))
    if not low < game.neutral < high or not (this.exact or over):
        return ""
    moves = write_moves(game, state, this.line, 1)
    way = f" in 1 ply: {moves}" if len(this.line) == 2 else f": {moves} ({len(this.line) - 1} plies)"
    seen = way + say_how(game, end_of(game, state, this.line), ", ") if over and len(this.line) > 1 else ""
    if this.value == low and game.players == 2:
        return f"After this, {name_player(game, 1 - mover)} wins{seen}."
    if this.exact and this.value == game.neutral and game.kind.constant_sum:
        drawn = say_how(game, end_of(game, state, this.line), ": ") if len(this.line) < 3 else ""
        return f"After this it is only a draw{drawn}."
    return ""


def say_pieces(game: Game[S, A], state: S, mover: int, this: Prospect[A], other: Prospect[A]) -> str:
    """`This loses the knight for a pawn: Nxe5`, where the line shows it, it stays so, and the other line is better."""
    low, high = game.bounds
    settled = game.kind.sides == 2 and low < this.value < other.value < high
    if not settled or not game.can("count_pieces") or is_near(game, this, other):
        return ""
    here, there = (balance(game, state, mover, each.line) for each in (this, other))
    if here[-1] >= there[-1]:
        return ""
    if here[-1] >= 0:
        return ""
    ply = next(i for i in range(len(here)) if max(here[i:]) < 0)
    ply = settle(game, state, this.line, ply)
    changed = say_exchange(game, state, end_of(game, state, this.line[:ply]), mover)
    return f"This {changed}: {write_moves(game, state, this.line[:ply], 1)}." if changed and ply > 1 else ""


def say_part(game: Game[S, A], state: S, mover: int, this: Prospect[A], other: Prospect[A]) -> str:
    """`After this, black wins 300 points of material in 1 ply: …`, or how much less the action is worth."""
    low, high = game.bounds
    if not counts_points(game) or not low < this.value < other.value < high:
        return ""
    move, rival = show_action(game, state, this.line[0]), show_action(game, state, other.line[0])
    if is_near(game, this, other):
        return f"{move} is worth nearly as much as {rival}."
    gap = (other.value - this.value) * (game.scale or 1.0)
    explained = without_network(cast(AnyGame, game)).can("explain")
    part = find_part(game, state, this.line, other.line, gap) if explained else None
    if not explained and (pieces := say_pieces(game, state, mover, this, other)):
        return pieces
    if part is not None and part.lost and game.can("count_pieces"):
        ply = settle(game, state, this.line, part.ply)
        changed = say_exchange(game, state, end_of(game, state, this.line[:ply]), mover)
        if changed and ply > 1:
            return f"This {changed}: {write_moves(game, state, this.line[:ply], 1)}."
    if part is not None and part.lost and part.ply == 1:
        return f"This gives up {say_part_amount(game, part.lost, part.name)} at once."
    if part is not None and part.lost:
        plies = plural(part.ply - 1, "ply", "plies")
        lost = f"{say_part_amount(game, part.lost, part.name)} in {plies}"
        moves = write_moves(game, state, this.line[: part.ply], 1)
        return f"After this, {name_player(game, 1 - mover)} wins {lost}: {moves}."
    if part is not None and part.missed and game.can("count_pieces"):
        ply = settle(game, state, other.line, part.late)
        won = say_won(game, state, end_of(game, state, other.line[:ply]), 1 - mover)
        if won:
            return f"{move} misses {won}, which {write_moves(game, state, other.line[:ply])} wins."
    if part is not None and part.missed:
        won = say_part_amount(game, part.missed, part.name)
        return f"{move} misses {won}, which {write_moves(game, state, other.line[: part.late])} wins."
    mostly = "" if part is None else f", mostly for {part.name}"
    return f"{move} is worth {say_amount(game, gap)} less than {rival}{mostly}."


def say_part_amount(game: Game[S, A], points: float, name: str) -> str:
    """`material worth 3.1 pawns`, or `300 points of material` where nobody counts in pawns."""
    if game.pawn is None:
        return f"{say_number(round(points))} points of {name}"
    return f"{name} worth {points / (game.scale or 1.0) / game.pawn:.1f} pawns"


def end_of(game: Game[S, A], state: S, line: Sequence[A]) -> S:
    """The position after `line`."""
    for action in line:
        state = game.result(state, action)
    return state


def write_moves(game: Game[S, A], state: S, line: tuple[A, ...], first: int = 0) -> str:
    """The actions of `line` from `first` on, cut to a readable length."""
    shown = write_line(game, state, line)[first:]
    return " ".join([*shown[:MAX_SENTENCE_PLIES], "…"] if len(shown) > MAX_SENTENCE_PLIES else shown)


def left(game: AnyGame, prospect: Prospect[A]) -> str:
    """What is left, and whether that is an estimate."""
    low, high = game.bounds
    return (
        worth(game, prospect) if prospect.exact or not low < prospect.value < high else f"about {worth(game, prospect)}"
    )


def worth(game: AnyGame, prospect: Prospect[A]) -> str:
    """What the players of the game count in, as the lines beside have it; an end that is sure by its name."""
    value, (low, high) = prospect.value, game.bounds
    if isinstance(game, Tree) or (counts_points(game) and game.pawn is None):
        return say_points(game, value)
    if low < game.neutral < high and not game.kind.chance and value in (low, high):
        return "a win" if value == high else "a loss"
    drawn = prospect.exact and value == game.neutral and game.kind.constant_sum and not game.kind.chance
    return "a draw" if drawn else say_score(game, value)
