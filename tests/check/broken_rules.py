"""Games that break what every game promises: states, actions, results, players, utilities, keys, integers."""

from __future__ import annotations

import math
import random
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from tests.check.sound import Sound, breaks
from zermelo import Game


@breaks("result", "changes the state")
class ResultMutates(Sound):
    def result(self, s: Any, a: Any) -> Any:
        s.board[self.left(s) - a :] = 0
        return self.State(s.board, 1 - s.turn, s.hash)


@breaks("actions", "changes the state")
class ActionsMutate(Sound):
    def actions(self, s: Any) -> Any:
        yield from super().actions(s)
        s.board[0] = 3


@breaks("utility", "changes the state")
class UtilityMutates(Sound):
    def utility(self, s: Any, p: int) -> Any:
        s.board[3] += 1
        return super().utility(s, p)


@breaks("view", "changes the state")
class ViewMutates(Sound):
    def view(self, s: Any, p: int) -> Any:
        s.board[3] += 1
        return s


@breaks("player", "changes the game object (calls)")
class GameMutates(Sound):
    calls = 0

    def player(self, s: Any) -> Any:
        self.calls += 1
        return s.turn


@breaks("actions", "changes the game object (seen)")
class ClassMutates(Sound):
    seen: list[int] = []  # noqa: RUF012

    def actions(self, s: Any) -> Any:
        self.seen.append(1)
        return super().actions(s)


@breaks("result", "returned before")
class ResultShares(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.buffer = np.zeros(7, dtype=np.int8)

    def result(self, s: Any, a: Any) -> Any:
        new = super().result(s, a)
        self.buffer[:] = new.board
        return new._replace(board=self.buffer)


@breaks("result", "raises KeyError")
class IllegalAction(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return {1: super().result(s, 1)}[a]


@breaks("result", "returns None")
class ResultForgetsToReturn(Sound):
    def result(self, s: Any, a: Any) -> Any:
        if a == 1:
            return super().result(s, a)
        return None


@breaks("result", "where the first state is a State")
class ResultOfOtherType(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return tuple(super().result(s, a))


@breaks("result", "array of shape")
class ResultOfOtherShape(Sound):
    def result(self, s: Any, a: Any) -> Any:
        new = super().result(s, a)
        return new._replace(board=new.board[: self.left(new)])


@breaks("result", "was an int at first")
class ResultWithFloat(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, a)._replace(turn=(1 - s.turn) / 1)


@breaks("result", "asked twice")
class ResultRollsDice(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, random.randint(1, min(2, self.left(s))))


@breaks("actions", "another order")
class ActionsShuffled(Sound):
    def actions(self, s: Any) -> Any:
        offered = list(super().actions(s))
        random.shuffle(offered)
        return offered


@breaks("actions", "other actions")
class ActionsConsumed(Sound):
    def __init__(self) -> None:
        super().__init__()
        self.offered = count(1)

    def actions(self, s: Any) -> Any:
        return [next(self.offered)]


@breaks("actions", "more than once")
class ActionsTwice(Sound):
    def actions(self, s: Any) -> Any:
        yield 1
        yield from super().actions(s)


@breaks("actions", "offers nothing")
class ActionsNone(Sound):
    def actions(self, s: Any) -> Any:
        return [] if self.left(s) == 3 else list(super().actions(s))


@breaks("actions", "cannot be hashed")
class ActionsUnhashable(Sound):
    def actions(self, s: Any) -> Any:
        return [[n] for n in super().actions(s)]


@breaks("actions", "does not end")
class ActionsEndless(Sound):
    def actions(self, s: Any) -> Any:
        return count()


@breaks("actions", "holds no actions")
class ActionsNotReturned(Sound):
    def actions(self, s: Any) -> Any:
        pass


@breaks("actions", "64 bits")
class ActionsTooLarge(Sound):
    def actions(self, s: Any) -> Any:
        return [2**70 + n for n in super().actions(s)]

    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, a - 2**70)


@breaks("actions", "in a terminal state")
class ActionsAtTheEnd(Sound):
    def actions(self, s: Any) -> Any:
        return [1, 2] if self.left(s) > 1 else [1]


@breaks("player", "`players` is 2")
class PlayerOutOfRange(Sound):
    def player(self, s: Any) -> Any:
        return s.turn + 1


@breaks("player", "returns 'white'")
class PlayerNotInt(Sound):
    def player(self, s: Any) -> Any:
        return ("white", "black")[s.turn]


@breaks("is_terminal", "returns None")
class TerminalNotBool(Sound):
    def is_terminal(self, s: Any) -> Any:
        return True if self.left(s) == 0 else None


@breaks("utility", "returns 'lost'")
class UtilityNotNumber(Sound):
    def utility(self, s: Any, p: int) -> Any:
        return "won" if p == s.turn else "lost"


@breaks("utility", "nan")
class UtilityNaN(Sound):
    def utility(self, s: Any, p: int) -> Any:
        return math.nan


@breaks("utility", "outside of `bounds`")
class UtilityOutside(Sound):
    def utility(self, s: Any, p: int) -> Any:
        return 5 * super().utility(s, p)


@breaks("utility", "`utility_sum` is 0")
class UtilitySum(Sound):
    def utility(self, s: Any, p: int) -> Any:
        return 1.0 if p != s.turn else -0.5


@breaks("key", "differ in `player`")
class KeyTooShort(Sound):
    def key(self, s: Any) -> Any:
        return self.left(s)


@breaks("key", "two equal states")
class KeyOfIdentity(Sound):
    def key(self, s: Any) -> Any:
        return id(s)


@breaks("key", "cannot be hashed")
class KeyUnhashable(Sound):
    def key(self, s: Any) -> Any:
        return list(s.board)


HIDDEN = {"games": 0}


@breaks("actions", "at another time")
class DependsOnTime(Sound):
    def initial(self) -> Any:
        HIDDEN["games"] += 1
        return super().initial()

    def actions(self, s: Any) -> Any:
        return [1] if self.left(s) == 1 or HIDDEN["games"] % 4 < 2 else [1, 2]


@breaks("result", "more than 64 bits")
class IntegerTooLarge(Sound):
    class State(NamedTuple):
        board: Any
        turn: int
        hash: int

    def initial(self) -> Any:
        return self.State(np.ones(self.stones, dtype=np.int8), 0, 2**62)

    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, a)._replace(hash=s.hash * 4)


@breaks("result", "2^64")
class UnsignedTooLarge(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return super().result(s, a)._replace(hash=s.hash << 1)


@breaks("result", "overflow")
class NumpyOverflow(Sound):
    def result(self, s: Any, a: Any) -> Any:
        np.int64(2**62) * np.int64(4)
        return super().result(s, a)


@breaks("initial", "asked twice")
class InitialRandom(Sound):
    def initial(self) -> Any:
        return super().initial()._replace(turn=random.randint(0, 1000))


@breaks("is_terminal", "raises SystemExit")
class Exits(Sound):
    def is_terminal(self, s: Any) -> Any:
        raise SystemExit(3)


@breaks("player", "raises KeyboardInterrupt")
class Interrupts(Sound):
    def player(self, s: Any) -> Any:
        raise KeyboardInterrupt


@breaks("result", "raises RecursionError")
class Recurses(Sound):
    def result(self, s: Any, a: Any) -> Any:
        return self.result(s, a)


@breaks("actions", "raises GeneratorExit")
class RaisesOddly(Sound):
    def actions(self, s: Any) -> Any:
        yield 1
        raise GeneratorExit


@breaks("actions", "has no `actions`")
class Unwritten(Game):
    def initial(self) -> Any:
        return 0

    def is_terminal(self, s: Any) -> bool:
        return False

    def player(self, s: Any) -> int:
        return 0


@breaks("player", "raises ValueError")
class StateRefusesComparison(Sound):
    def player(self, s: Any) -> Any:
        return 0 if s.board == 1 else s.turn
