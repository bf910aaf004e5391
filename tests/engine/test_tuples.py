"""Boards in tuples, written as one writes them in Python: compiled rules give what Python's do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.engine import compile_game
from zermelo.engine.interpreted import interpreted_perft
from zermelo.errors import CompileError, ContractError
from zermelo.game import Game

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Cells(Game):
    """Three in a row, in a tuple of cells."""

    class State(NamedTuple):
        cells: tuple[int, ...]
        turn: int

    def initial(self) -> Any:
        return self.State((0,) * 9, 0)

    def player(self, s: Any) -> int:
        return s.turn

    def won(self, s: Any, who: int) -> bool:
        return any(all(s.cells[i] == who for i in line) for line in LINES)

    def is_terminal(self, s: Any) -> bool:
        return self.won(s, 1) or self.won(s, 2) or 0 not in s.cells

    def actions(self, s: Any) -> Any:
        return [] if self.is_terminal(s) else [i for i, cell in enumerate(s.cells) if not cell]

    def result(self, s: Any, a: int) -> Any:
        cells = list(s.cells)
        cells[a] = s.turn + 1
        return self.State(tuple(cells), 1 - s.turn)

    def utility(self, s: Any, p: int) -> float:
        return 1.0 if self.won(s, p + 1) else -1.0 if self.won(s, 2 - p) else 0.0


class Generated(Cells):
    def actions(self, s: Any) -> Iterator[int]:
        if not self.is_terminal(s):
            yield from (i for i, cell in enumerate(s.cells) if cell == 0)

    def result(self, s: Any, a: int) -> Any:
        return self.State(tuple(s.turn + 1 if i == a else cell for i, cell in enumerate(s.cells)), 1 - s.turn)


class Sliced(Cells):
    def actions(self, s: Any) -> Any:
        if self.is_terminal(s):
            return []
        return (i for i in range(9) if s.cells[i] == 0)

    def result(self, s: Any, a: int) -> Any:
        return s._replace(turn=1 - s.turn, cells=s.cells[:a] + (s.turn + 1,) + s.cells[a + 1 :])  # noqa: RUF005

    def key(self, s: Any) -> Any:
        return tuple(2 * cell for cell in s.cells), s.turn


class Starred(Sliced):
    def result(self, s: Any, a: int) -> Any:
        return self.State((*s.cells[:a], s.turn + 1, *s.cells[a + 1 :]), 1 - s.turn)


class Rows(Game):
    """The most stones in a column, in a tuple of rows."""

    class State(NamedTuple):
        rows: tuple[tuple[int, ...], ...]
        turn: int

    def initial(self) -> Any:
        return self.State(tuple(tuple(0 for _ in range(3)) for _ in range(3)), 0)

    def player(self, s: Any) -> int:
        return s.turn

    def is_terminal(self, s: Any) -> bool:
        return sum(cell != 0 for row in s.rows for cell in row) == 5

    def actions(self, s: Any) -> Iterator[int]:
        if not self.is_terminal(s):
            yield from (3 * r + c for r in range(3) for c in range(3) if s.rows[r][c] == 0)

    def result(self, s: Any, a: int) -> Any:
        rows = [list(row) for row in s.rows]
        rows[a // 3][a % 3] = s.turn + 1
        return self.State(tuple(tuple(row) for row in rows), 1 - s.turn)

    def utility(self, s: Any, p: int) -> float:
        most = [max(row.count(q + 1) for row in s.rows) for q in (p, 1 - p)]
        return float((most[0] > most[1]) - (most[0] < most[1]))


@pytest.mark.parametrize("kind", [Cells, Generated, Sliced, Starred, Rows])
def test_boards_in_tuples_compile(kind: type[Game]) -> None:
    game = kind()
    compiled = compile_game(game)
    for depth in range(5):
        assert compiled.perft(game.initial(), depth)[:3] == interpreted_perft(game, game.initial(), depth)[:3]
    assert zermelo.search(game, depth=9).value == zermelo.minimax(game).value


def test_a_key_of_a_list_is_that_of_a_tuple() -> None:
    game = Sliced()
    compiled = compile_game(game)
    one, other = ((0, 4, 8), (8, 4, 0))
    states = []
    for actions in (one, other):
        s = game.initial()
        for a in actions:
            s = game.result(s, a)
        states.append(s)
    keys = [compiled.handle.key(compiled.pack(s)) for s in (*states, game.initial())]
    assert keys[0] == keys[1] != keys[2]


class Shrinking(Cells):
    def result(self, s: Any, a: int) -> Any:
        return self.State(tuple(cell for i, cell in enumerate(s.cells) if i != a), 1 - s.turn)


def test_a_tuple_of_another_length_is_refused_as_in_python() -> None:
    game = Shrinking()
    with pytest.raises(ContractError, match="tuple of 9"):
        compile_game(game).step(game.initial(), 3)


class Unlike(Cells):
    def result(self, s: Any, a: int) -> Any:
        return s._replace(cell=3)


def test_a_field_that_is_not_there_cannot_be_replaced() -> None:
    with pytest.raises(CompileError, match="_replace"):
        compile_game(Unlike())


class Early(Cells):
    """What `any` and `all` do not reach would raise."""

    def is_terminal(self, s: Any) -> bool:
        low = sum(s.cells) - 9
        found = any(s.cells[i + k] > low for k in range(4) for i in range(20) if k)
        return not found or all(all(s.cells[i + k] > 9 for k in range(9)) for i in range(9))

    def actions(self, s: Any) -> Any:
        return [i for i in range(9) if not any(s.cells[j] != 0 for j in range(i, 20) if j < 9 or j > 30)]


def test_any_and_all_stop_where_pythons_do() -> None:
    game = Early()
    compiled = compile_game(game)
    for s in (game.initial(), *(game.result(game.initial(), a) for a in range(9))):
        assert (compiled.info(s)[0] < 0) == game.is_terminal(s)
        assert compiled.actions(s) == list(game.actions(s))


class Helped(Cells):
    """A list of a helper may be empty."""

    def free(self, s: Any) -> list[int]:
        if self.is_terminal(s):
            return []
        return [i for i in range(9) if s.cells[i] == 0]

    def actions(self, s: Any) -> Iterator[int]:
        for a in self.free(s):
            yield a

    def evaluate(self, s: Any, p: int) -> float:
        first = next((i for i in self.free(s) if s.cells[i - 1] == p + 1), -1)
        return (len(self.free(s)) + next(cell for cell in s.cells if cell >= 0) + first) / 100


def test_an_empty_list_of_a_helper_compiles() -> None:
    game = Helped()
    compiled = compile_game(game)
    assert compiled.perft(game.initial(), 5)[:3] == interpreted_perft(game, game.initial(), 5)[:3]
    s = game.initial()
    for a in (4, 0, 8, 2, 6):
        s = game.result(s, a)
        assert [compiled.ask("evaluate", s, p) for p in (0, 1)] == [game.evaluate(s, p) for p in (0, 1)]


class Groups(Cells):
    """The largest group wins: flooded with sets, lists, `map`, `filter` and `reversed`."""

    def initial(self) -> Any:
        return self.State((0,) * 6, 0)

    def is_terminal(self, s: Any) -> bool:
        return 0 not in s.cells

    def actions(self, s: Any) -> Any:
        return list(filter(lambda i: s.cells[i] == 0, reversed(range(6))))

    def near(self, i: int) -> Iterator[int]:
        r, c = divmod(i, 3)
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            if 0 <= r + dr < 2 and 0 <= c + dc < 3:
                yield 3 * (r + dr) + c + dc

    def largest(self, s: Any, who: int) -> int:
        seen = set()
        best = 0
        for i in range(6):
            if s.cells[i] == who and i not in seen:
                seen.add(i)
                stack, group = [i], {i}
                while stack:
                    for near in self.near(stack.pop()):
                        if s.cells[near] == who and near not in seen:
                            seen.add(near)
                            group.add(near)
                            stack.append(near)
                best = max(best, len(group))
        return best

    def utility(self, s: Any, p: int) -> float:
        lead = self.largest(s, p + 1) - self.largest(s, 2 - p)
        return float((lead > 0) - (lead < 0))

    def evaluate(self, s: Any, p: int) -> float:
        corners = {(0, 0), (1, 2)}
        held = sum(map(lambda i: s.cells[i] == p + 1 and divmod(i, 3) in corners, range(6)))  # noqa: C417
        return held / 10 + sum(i * cell for i, cell in enumerate(reversed(s.cells))) / 1000


def test_sets_and_what_python_has_for_lists_compile() -> None:
    game = Groups()
    compiled = compile_game(game)
    assert compiled.perft(game.initial(), 6)[:3] == interpreted_perft(game, game.initial(), 6)[:3]
    assert zermelo.solve(game).value == zermelo.minimax(game).value
    s = game.initial()
    for a in (4, 0, 2, 5, 1):
        s = game.result(s, a)
        assert [compiled.ask("evaluate", s, p) for p in (0, 1)] == [game.evaluate(s, p) for p in (0, 1)]


class Ordered(Cells):
    def actions(self, s: Any) -> Iterator[int]:
        for a in {3, 1, 2}:
            yield a


def test_what_is_in_a_set_has_no_order() -> None:
    with pytest.raises(CompileError, match=r"in a set in an order.*`sorted\(…\)`"):
        compile_game(Ordered())


class Late(Cells):
    """A generator looks at what there is when it is asked."""

    def evaluate(self, s: Any, p: int) -> float:
        least = 3
        found = 0
        for cell in (i for i in range(9) if i >= least):
            least += 2
            found += cell
        return found / 100


class Stored(Cells):
    def evaluate(self, s: Any, p: int) -> float:
        k = 1
        late = (k * cell for cell in s.cells)
        k = 2
        return sum(late) / 100


class Zipped(Cells):
    def evaluate(self, s: Any, p: int) -> float:
        k = 1
        late = enumerate(k * cell for cell in s.cells)
        k = 2
        return sum(i * cell for i, cell in late) / 100


class Growing(Cells):
    def evaluate(self, s: Any, p: int) -> float:
        cells = list(s.cells)
        for i, cell in enumerate(cell for cell in cells):
            if cell and len(cells) < 12:
                cells.append(i)
        return len(cells) / 100


class Named(Cells):
    def evaluate(self, s: Any, p: int) -> float:
        any = max  # noqa: A001
        return any(cell for cell in s.cells) / 100


@pytest.mark.parametrize("kind", [Late, Stored, Zipped, Growing, Named])
def test_a_generator_that_may_see_changes_is_left_to_python(kind: type[Game]) -> None:
    game = kind()
    s = game.result(game.result(game.initial(), 4), 8)
    try:
        compiled = compile_game(game)
    except CompileError:
        return
    assert compiled.ask("evaluate", s, 0) == game.evaluate(s, 0)
