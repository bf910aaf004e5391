"""The frame of searches that imagine worlds, solve them with open cards, and choose by all of them: PIMC and αμ."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import MethodError
from zermelo.game import CHANCE, AnyGame
from zermelo.game.validation import legal_actions, legal_only, validate
from zermelo.options import Option, check_options, choice, number, whole
from zermelo.search.interrupt import Interrupt
from zermelo.search.open_cards import OpenCards
from zermelo.search.recorder import NOBODY, Numbering, container, is_wanted, plain
from zermelo.search.trace import Packed, Trace
from zermelo.search.worlds import Worlds, check_fit

WORLDS = 20
"""The default number of worlds."""
MOVES = 2
"""The default number of MAX's own moves that αμ looks ahead."""
SOLVING_SHARE = 0.8
"""The part of the time that the first so many worlds may take, each search as deep as its part of that allows."""
WORLD_OPTIONS: dict[str, Option] = {
    "worlds": whole(1, 1_000_000, default=WORLDS, about=f"worlds to imagine; {WORLDS}, if there is no time limit"),
    "depth": whole(1, optional=True, about="plies to search in each world; without it, to the end of the game"),
    "seconds": number(0, optional=True, about="time for a move"),
    "seed": whole(0, default=0, about="what the worlds follow from"),
}
CHOOSE = {"choose": choice("mean", "vote", about="by the mean over the worlds, or by the vote of each; mean")}
LOOK_AHEAD = {"moves": whole(1, 100, default=MOVES, about=f"own moves that αμ looks ahead; {MOVES}")}

Judge = Callable[..., OpenCards]
"""What makes the clairvoyant who solves each world."""


@dataclass(frozen=True, slots=True)
class World:
    """One state that may lie behind what MAX sees."""

    number: int
    """From 1 on."""
    state: Any
    weight: int
    """How often it was drawn."""


class WorldSearch:
    """One search of one position by imagined worlds."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        name: str,
        given: Mapping[str, Any],
        options: Mapping[str, Option],
        judge: Judge = OpenCards,
    ):
        validate(game)
        rest = {each: value for each, value in given.items() if value is not None}
        self.trace: bool | int | Packed = rest.pop("trace", False)
        self.ended: Callable[[], bool] | None = rest.pop("stop", None)
        only = rest.pop("only", None)
        rest.pop("history", ())  # a view says what matters of it
        check_options(options, rest, name)
        if not game.kind.hidden:
            raise MethodError(f"{game.name} hides nothing, so there are no worlds to imagine; use search")
        check_fit(game)
        self.game, self.name = game, name
        self.state = game.initial() if state is None else state
        self.seconds: float = rest.get("seconds", math.inf)
        self.count: int = rest.get("worlds", WORLDS)
        self.goes_on = "worlds" not in rest and self.seconds < math.inf
        """Whether worlds are imagined for as long as there is time."""
        self.chosen_by: str = rest.get("choose", "mean")
        self.moves: int = rest.get("moves", MOVES)
        self.seed: int = rest.get("seed", 0)
        self.started = time.perf_counter()
        self.interrupt = Interrupt()
        self.stopped = ""
        self.solved = 0
        """Worlds that are finished."""
        self.over = bool(game.is_terminal(self.state))
        self.mover = 0
        self.actions: list[Any] = []
        if not self.over:
            self.worlds = Worlds(game, self.state, self.seed)
            self.mover = self.worlds.observer
            self.actions = legal_only(game, self.state, only) or legal_actions(game, self.state)
        questions = self.count * max(len(self.actions), 1)
        share = None if self.seconds == math.inf else self.seconds * SOLVING_SHARE / questions
        self.open = judge(game, rest.get("depth"), share, self.must_stop)
        self.recorder = WorldRecorder(self) if is_wanted(self.trace) else None

    def must_stop(self) -> bool:
        """Whether a limit is reached; `stopped` says which."""
        if self.interrupt.asked:
            self.stopped = "interrupt"
        elif self.ended is not None and self.ended():
            self.stopped = "stop"
        elif time.perf_counter() - self.started >= self.seconds:
            self.stopped = "seconds"
        return self.stopped != ""

    def draw(self) -> Iterator[World]:
        """Worlds one by one, as long as there is time; each counts for itself."""
        for place in count(1) if self.goes_on else range(1, self.count + 1):
            if self.must_stop():
                return
            yield World(place, self.worlds.imagine(), 1)

    def draw_all(self) -> list[World]:
        """All worlds at once, equal ones together; at least one."""
        found: dict[Hashable, tuple[Any, int]] = {}
        for _ in range(self.count):
            state = self.worlds.imagine()
            key = self.game.key(state)
            found[key] = state, found.get(key, (state, 0))[1] + 1
            if self.must_stop():
                break
        return [World(i, state, weight) for i, (state, weight) in enumerate(found.values(), 1)]

    def run(self, search: Callable[[WorldSearch], tuple[dict[Any, float], dict[Any, int]]]) -> Analysis:
        """Calls `search` for the value of each action of the root, and what counts for it; Ctrl-C ends it."""
        if self.over:
            found = self.describe({}, {})
        else:
            with self.interrupt:
                found = self.describe(*search(self))
        return found if self.recorder is None else self.recorder.result(found)

    def describe(self, values: dict[Any, float], votes: dict[Any, int]) -> Analysis:
        game, mover = self.game, self.mover
        known = {a: v for a, v in values.items() if not math.isnan(v)}
        action = None if self.over else self.best(known, votes) if known else self.actions[0]
        value = known.get(action, float(game.neutral))
        if self.over:
            shares = game.utilities(self.state)
            value = shares[mover]
        else:
            shares = self.shares(value)
        return Analysis(
            action=action,
            value=value,
            values=shares,
            line=() if action is None else (action,),
            depth=None,
            nodes=max(self.open.nodes, 1),
            leaves=self.solved,
            cutoffs=0,
            seconds=time.perf_counter() - self.started,
            exact=self.over,
            bounds=(value, value) if self.over else game.bounds,
            method=self.name,
            stopped=self.stopped,
            actions=known,
            visits=votes,
            origin=(game, self.state),
        )

    def best(self, values: Mapping[Any, float], votes: Mapping[Any, int]) -> Any:
        """The action to play: the first of the greatest value, or of the most votes."""
        if self.chosen_by == "vote":
            return max(values, key=lambda a: (votes[a], values[a]))
        return max(values, key=lambda a: values[a])

    def shares(self, value: float) -> tuple[float, ...]:
        """Every player's utility if MAX has `value`; NaN for those of whom it says nothing."""
        game, own = self.game, self.game.side_of
        rest = math.nan
        if game.utility_sum is not None and game.kind.sides == 2:
            rest = game.utility_sum - value
        return tuple(value if own[p] == own[self.mover] else rest for p in range(game.players))


class WorldRecorder:
    """Fills a `Trace` while worlds are imagined and judged."""

    def __init__(self, search: WorldSearch):
        self.search, self.game = search, search.game
        self.numbering = Numbering()
        self.events = container(search.trace)
        header = {
            "trace": 1,
            "game": self.game.name,
            "algorithm": search.name,
            "position": self.game.show_view(self.game.view(search.state, search.mover), search.mover),
            "view": "max",
        }
        self.trace = Trace(header, self.events)

    def note(self, event: str, node: int, **fields: object) -> None:
        """Records one event while there is room; the result is always recorded."""
        if len(self.events) < self.events.most or event == "result":
            self.events.append({"event": event, "node": node, **fields})
        else:
            self.trace.header["truncated"] = True

    def enter(self, kind: str, ply: int, parent: int | None, label: str, **fields: object) -> int:
        """Records that a position is entered, and returns its number."""
        number = self.numbering.number(ply, NOBODY if parent is None else parent, label)
        self.note("enter", number, parent=parent, label=label, kind=kind, ply=ply, **fields)
        return number

    def kind(self, s: Any) -> str:
        """How the node of a state is drawn."""
        if self.game.is_terminal(s):
            return "leaf"
        p, own = self.game.player(s), self.game.side_of
        return "chance" if p == CHANCE else "max" if own[p] == own[self.search.mover] else "min"

    def world(self, world: World) -> None:
        """Records a world that was imagined, as all would see it."""
        text = "; ".join(filter(None, (line.strip() for line in self.game.show(world.state).splitlines())))
        self.note("world", 0, count=world.number, text=text, weight=world.weight)

    def name(self, action: Any) -> str:
        return self.game.show_action(self.search.state, action)

    def names(self, actions: Sequence[Any]) -> list[str]:
        return [self.name(a) for a in actions]

    def result(self, found: Analysis) -> Analysis:
        """`found` with the trace, which ends here."""
        label = "" if found.action is None else self.name(found.action)
        self.note(
            "result",
            0,
            value=plain(found.value),
            action=plain(found.action),
            label=label,
            line=[label] if label else [],
            nodes=found.nodes,
            leaves=found.leaves,
            exact=found.exact,
            stopped=found.stopped,
        )
        return replace(found, trace=self.trace)
