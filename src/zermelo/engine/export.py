"""Compiled rules as a shared library: a game table that any process can load, without Numba and without the source.

    export(game, Path("nim.so"))                    → the game nim.so:nim
    package(Path("_games.so"), games)               the library of the package's games, when wheels are built

What LLVM compiles is linked by the C compiler of the machine (`cc`, or what `CC` names).
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from zermelo.engine.equipped import NativeGame
from zermelo.engine.network import without_network
from zermelo.engine.rules import layout
from zermelo.engine.rules.cache import ObjectCode
from zermelo.engine.rules.compiler import SLOTS, compile_object
from zermelo.errors import CompileError, InputError
from zermelo.game.contract import Game
from zermelo.game.validation import validate

CPU = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""The baseline processor of each architecture; others are generic."""

_MEMORY = """
#include <stdint.h>
#include <stdlib.h>

/* The arrays that rules make: what Numba's own runtime does for them. */
typedef struct {
    uint64_t references;
    void *release, *release_info, *data;
    uint64_t size;
    void* allocator;
} array_memory;

__attribute__((visibility("hidden"))) void* NRT_MemInfo_alloc_aligned(uint64_t size, uint32_t alignment) {
    array_memory* made = malloc(sizeof(array_memory) + size + alignment);
    if (made == NULL) return NULL;
    const uintptr_t start = (uintptr_t)(made + 1);
    *made = (array_memory){1, NULL, NULL, (void*)((start + alignment - 1) / alignment * alignment), size, NULL};
    return made;
}

__attribute__((visibility("hidden"))) void NRT_MemInfo_call_dtor(void* memory) { free(memory); }
"""
MEMORY_SYMBOLS = {"NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor"}


def export(game: Game, path: Path) -> str:
    """Writes the compiled rules of `game` to a shared library; returns the symbol of its table."""
    validate(game)
    shape, code, _ = compile_object(game, _cpu())
    name = re.sub(r"\W", "_", type(game).__name__).lower()
    _build(path, [code], _table(game, name, layout.pack(shape, game.initial()), code))
    return name


def package(path: Path, games: Iterable[Game]) -> list[Game]:
    """Writes the rules of many games to one library, by their fingerprints; returns the games that are in it.

    A network is no part of the rules, and needs no code of its own."""
    codes, taken = [], []
    for game in map(without_network, games):
        if isinstance(game, NativeGame):
            continue
        try:
            _, code, _ = compile_object(game, _cpu())
        except CompileError:
            continue
        if not code.refused and not code.widened and set(code.needs) <= MEMORY_SYMBOLS:
            codes.append(code)
            taken.append(game)
    _build(path, codes, "")
    return taken


def _cpu() -> str:
    return CPU.get(os.uname().machine, "generic") if hasattr(os, "uname") else "generic"


def _build(path: Path, codes: list[ObjectCode], source: str) -> None:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise InputError("a C compiler links the library, and there is none here: install gcc or clang, or set CC")
    missing = sorted({name for code in codes for name in code.needs} - MEMORY_SYMBOLS)
    if missing:
        raise CompileError(
            f"these rules need Numba at run time ({missing[0]}): use arrays and tuples in place of lists"
        )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "table.c").write_text(_MEMORY + source, encoding="utf-8")
        objects = []
        for number, code in enumerate(codes):
            objects.append(place / f"rules{number}.o")
            objects[-1].write_bytes(code.object)
        command = [compiler, "-std=c11", "-O1", "-shared", "-fPIC", "-I", _headers(), "-o", path]
        command += [place / "table.c", *objects, "-lm"]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or ["it says nothing"]
        raise InputError(f"{path} cannot be linked by {compiler}: {said[-1]}")


def _table(game: Game, name: str, initial: bytes, code: ObjectCode) -> str:
    """The table in C: the facts of the game, its first position, and its slots."""
    capabilities = [
        "ZERMELO_SIMULTANEOUS" if game.simultaneous else "0",
        "ZERMELO_CONSTANT_SUM" if game.kind.constant_sum else "0",
        f"ZERMELO_REPETITION_{game.repetition.upper()}" if game.repetition else "0",
    ]
    facts = {
        "version": "ZERMELO_TABLE_VERSION",
        "size": "sizeof(zermelo_table)",
        "capabilities": " | ".join(capabilities),
        "state_size": str(len(initial)),
        "state_alignment": "8",
        "players": str(game.players),
        "max_actions": "64",
        "low": _number(game.bounds[0]),
        "high": _number(game.bounds[1]),
        "neutral": _number(game.neutral),
        "unit": _number(game.scale or 0.0),
        "initial": "begin",
        **code.symbols,
    }
    declared = "".join(f"zermelo_status {symbol}{SLOTS[slot].parameters};\n" for slot, symbol in code.symbols.items())
    fields = "".join(f"    .{field} = {value},\n" for field, value in facts.items())
    return f"""
#include "table.h"
#include <string.h>

static const unsigned char start[] = {{{", ".join(map(str, initial))}}};
static zermelo_status begin(const void* context, void* state) {{
    (void)context;
    memcpy(state, start, sizeof start);
    return ZERMELO_OK;
}}
{declared}const zermelo_table {name} = {{
{fields}}};
"""


def _number(value: float) -> str:
    """A number in C, to the last bit."""
    if math.isinf(value):
        return "__builtin_inf()" if value > 0 else "-__builtin_inf()"
    return float(value).hex()


def _headers() -> Path:
    """The folder of `table.h`: beside the package where it is installed, in `native/` in a checkout."""
    installed = Path(__file__).parents[1] / "include"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "native" / "core"
