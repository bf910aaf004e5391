"""A game in C is a game like any other, and a library that is none is refused in one line."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.arena.calibrate.stones import Stones

from zermelo import Game, alphabeta, check, solve
from zermelo.cli import main
from zermelo.engine import compile_game
from zermelo.engine.engine import Engine
from zermelo.engine.interpreted import interpreted_perft
from zermelo.errors import ContractError, GameNotFoundError, InputError, OptionError, PositionError
from zermelo.games import load

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "native_game" / "nim.c"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")

pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")


def build(source: Path, library: Path) -> Path:
    assert COMPILER is not None
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", str(ROOT / "native" / "core")]
    subprocess.run([COMPILER, *flags, "-o", str(library), str(source)], check=True, timeout=120)
    return library


def zermelo(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="zermelo")


class Nim(Stones):
    """The same rules in Python."""

    scale = 2.0

    def initial(self):
        return self.State(21, 0)

    def evaluate(self, s, p):
        mine = -0.5 if s.stones % 4 == 0 else 0.5
        return mine if p == s.turn else -mine


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(EXAMPLE, tmp_path_factory.mktemp("native") / "nim.so")


@pytest.fixture(params=["nim", "nim_game"])
def nim(request: pytest.FixtureRequest, library: Path) -> Game:
    return load(f"{library}:{request.param}")


# The game.


def test_a_table_and_a_function_that_returns_it_are_the_same_game(nim: Game) -> None:
    assert (nim.players, nim.utility_sum, nim.bounds, nim.neutral, nim.scale) == (2, 0.0, (-1.0, 1.0), 0.0, 2.0)
    assert nim.can("evaluate")
    assert not any(nim.can(method) for method in Game.optional if method != "evaluate")
    assert nim.show(nim.initial()) == "21 0"


def test_it_keeps_the_contract(nim: Game) -> None:
    assert check(nim, games=20).problems == ()


def test_it_is_the_game_that_it_is_in_python(nim: Game) -> None:
    twin = Nim()
    for depth in range(9):
        wanted = interpreted_perft(twin, twin.initial(), depth)[:3]
        assert compile_game(nim).perft(nim.initial(), depth)[:3] == wanted
        assert interpreted_perft(nim, nim.initial(), depth)[:3] == wanted
        native, book = compile_game(nim).alphabeta(nim.initial(), depth), alphabeta(twin, twin.initial(), depth=depth)
        assert (native.value, native.nodes, native.action) == (book.value, book.nodes, book.action)
        ours = alphabeta(nim, nim.initial(), depth=depth)
        assert (ours.value, ours.nodes, ours.action) == (book.value, book.nodes, book.action)


def test_the_engine_takes_the_same_table_for_the_python_game_and_the_c_game(nim: Game) -> None:
    found, twin = Engine(nim, exact=True).prove(nim.initial()), Engine(Nim(), exact=True).prove()
    assert (found.value, found.action, found.exact) == (twin.value, twin.action, True) == (1.0, 1, True)
    assert solve(nim).value == 1.0


def test_a_position_is_written_and_read(nim: Game) -> None:
    s = nim.result(nim.initial(), 3)
    assert nim.read(nim.write(s)) == s
    with pytest.raises(PositionError, match="the start is written '15000"):
        nim.read("21")


def test_a_breach_in_the_library_ends_the_search_with_an_error(nim: Game) -> None:
    with pytest.raises(ContractError, match=r"`step` of the table behind nim.* broke the contract"):
        nim.result(nim.initial(), 4)


def test_commands_take_it(library: Path) -> None:
    assert zermelo("perft", f"{library}:nim", "5").stdout.startswith("243 positions at depth 5 (compiled")
    assert "player 0 wins" in zermelo("solve", f"{library}:nim").stdout
    assert zermelo("analyse", f"{library}:nim_game", "--depth", "3").exit_code == 0
    assert zermelo("trace", f"{library}:nim", "--depth", "2").exit_code == 0
    done = zermelo("check", f"{library}:nim", "--games", "5")
    assert (done.exit_code, "keeps the contract" in done.stdout) == (0, True), done.output


# What is refused.

BROKEN = """
#include "table.h"
static zermelo_status initial(const void* c, void* s) { (void)c, (void)s; return ZERMELO_RAISED; }
static zermelo_status actions(const void* c, const void* s, int64_t* a, uint64_t n, uint64_t* m) {
    (void)c, (void)s, (void)a, (void)n; *m = 0; return ZERMELO_OK; }
static zermelo_status step(const void* c, const void* s, int64_t a, void* t, int32_t* m, double* u) {
    (void)c, (void)s, (void)a, (void)t, (void)m, (void)u; return ZERMELO_OK; }
static zermelo_status info(const void* c, const void* s, int32_t* m, double* u) {
    (void)c, (void)s, (void)u; *m = 0; return ZERMELO_OK; }
#define TABLE(name, v, bytes, states, alignment, who, least, half, start) \\
    const zermelo_table name = {.version = v, .size = bytes, .state_size = states, .state_alignment = alignment, \\
        .players = who, .low = least, .high = 1, .neutral = half, .initial = start, .actions = actions, .step = step, \\
        .info = info};
#define WHOLE sizeof(zermelo_table)
TABLE(newer, 2, WHOLE, 8, 8, 2, -1, 0, initial)
TABLE(older, 1, ZERMELO_TABLE_LEAST_SIZE - 8, 8, 8, 2, -1, 0, initial)
TABLE(ragged, 1, WHOLE, 12, 8, 2, -1, 0, initial)
TABLE(crooked, 1, WHOLE, 8, 3, 2, -1, 0, initial)
TABLE(crowded, 1, WHOLE, 8, 8, 65, -1, 0, initial)
TABLE(upside_down, 1, WHOLE, 8, 8, 2, 2, 0, initial)
TABLE(biased, 1, WHOLE, 8, 8, 2, -1, 7, initial)
TABLE(empty, 1, WHOLE, 8, 8, 2, -1, 0, 0)
TABLE(failing, 1, WHOLE, 8, 8, 2, -1, 0, initial)
static zermelo_status start(const void* c, void* s) { (void)c; *(int64_t*)s = 0; return ZERMELO_OK; }
static zermelo_status count_up(const void* c, const void* s, int64_t a, void* t, int32_t* m, double* u) {
    (void)c, (void)a; *(int64_t*)t = *(const int64_t*)s + 1; u[0] = 1; u[1] = -1;
    *m = *(int64_t*)t == 4 ? ZERMELO_TERMINAL : *(int64_t*)t % 2; return ZERMELO_OK; }
static zermelo_status lose_count(const void* c, const void* s, int64_t a, void* t, int32_t* m, double* u) {
    const zermelo_status status = count_up(c, s, a, t, m, u); *m = *m == 1 ? 9 : *m; return status; }
static zermelo_status one(const void* c, const void* s, int64_t* a, uint64_t n, uint64_t* m) {
    (void)c, (void)s; if (n > 0) a[0] = 0; *m = 1; return ZERMELO_OK; }
#define COUNTING(name, bytes, stepping) const zermelo_table name = {.version = 1, .size = bytes, .state_size = 8, \\
    .state_alignment = 8, .players = 2, .low = -1, .high = 1, .initial = start, .actions = one, .step = stepping, \\
    .info = info, .capabilities = ZERMELO_CONSTANT_SUM};
COUNTING(first, ZERMELO_TABLE_LEAST_SIZE, count_up)
COUNTING(lost, WHOLE, lose_count)
const zermelo_table* newer_game(void) { return &newer; }
const zermelo_table* none(void) { return 0; }
const int number = 1;
const uint32_t header[2] = {1, sizeof(zermelo_table)};
"""


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("broken") / "broken.c"
    source.write_text(BROKEN, encoding="utf-8")
    return build(source, source.with_suffix(".so"))


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("newer", "version 2 of the game table, and this zermelo knows version 1"),
        ("newer_game", "version 2 of the game table, and this zermelo knows version 1"),
        ("older", "bytes where"),
        ("ragged", "states of 12 bytes"),
        ("crooked", "aligned to 3 bytes"),
        ("crowded", "65 players"),
        ("upside_down", "least utility"),
        ("biased", "neutral"),
        ("empty", "lacks one of the slots"),
        ("none", "returned no table"),
        ("number", "neither a zermelo_table nor a function"),
        ("header", "a table of 8 bytes"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(broken: Path, symbol: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        load(f"{broken}:{symbol}")
    done = zermelo("perft", f"{broken}:{symbol}", "3")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert why in done.stderr


def test_a_slot_that_fails_at_once_is_named(broken: Path) -> None:
    with pytest.raises(ContractError, match="`initial` of the table behind failing failed"):
        load(f"{broken}:failing").initial()


def test_a_table_of_an_older_header_has_null_where_the_header_has_grown(broken: Path) -> None:
    game = load(f"{broken}:first")
    found = compile_game(game).alphabeta(game.initial(), 6)
    assert (found.value, found.nodes) == (1.0, 5)


def test_a_mover_that_is_no_player_ends_every_search(broken: Path) -> None:
    game = load(f"{broken}:lost")
    compiled = compile_game(game)
    for search in (compiled.alphabeta, compiled.perft, lambda s, depth: Engine(game).search(s, depth=depth)):
        with pytest.raises(ContractError, match="`step` of the table behind lost broke the contract"):
            search(game.initial(), 3)


def test_a_symbol_or_a_file_that_is_not_there_is_said_to_be_missing(broken: Path, tmp_path: Path) -> None:
    with pytest.raises(GameNotFoundError, match="exports no symbol nobody"):
        load(f"{broken}:nobody")
    with pytest.raises(GameNotFoundError, match="say which symbol"):
        load(str(broken))
    with pytest.raises(GameNotFoundError, match="there is no file"):
        load(f"{tmp_path / 'missing.so'}:nim")
    with pytest.raises(OptionError, match="takes no options"):
        load(f"{broken}:newer:stones=3")


def test_a_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.so"
    text.write_text("int main;", encoding="utf-8")
    with pytest.raises(InputError, match=r"cannot be loaded as a shared library of this machine"):
        load(f"{text}:nim")
    assert zermelo("perft", f"{text}:nim", "3").exit_code == 2
