"""Object code in this process: linked by LLVM, or in the library that comes with the package.

Neither needs Numba, unless the rules make arrays, whose memory Numba manages.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import sys
from pathlib import Path
from typing import Any

from zermelo.engine.rules.cache import ObjectCode

PACKAGED = Path(__file__).parents[2] / "_games.so"
"""The compiled rules of the package's games, with their default options."""
_numbers = itertools.count()


def symbol_of(slot: str, tag: str) -> str:
    """The name of the function that fills `slot`; `tag` identifies the game."""
    return f"zermelo_{slot}_{tag}"


def packaged(slots: tuple[str, ...], tag: str) -> tuple[dict[str, int], Any] | None:
    """The addresses of the slots, and what keeps them alive, if the packaged library has them all."""
    library = _packaged()
    if library is None:
        return None
    addresses = {}
    for slot in slots:
        try:
            function = getattr(library, symbol_of(slot, tag))
        except AttributeError:
            return None
        address = ctypes.cast(function, ctypes.c_void_p).value
        assert address is not None
        addresses[slot] = address
    return addresses, library


@functools.cache
def _packaged() -> ctypes.CDLL | None:
    try:
        return ctypes.CDLL(str(PACKAGED))
    except OSError:  # there is no library, or none for this machine
        return None


def link(code: ObjectCode) -> tuple[dict[str, int], Any] | None:
    """The addresses of the slots and what keeps them alive; `None` if a symbol is missing, on which LLVM would fail.

    The code is freed with the last reference to it.
    """
    from llvmlite import binding

    builder = binding.JITLibraryBuilder().add_object_img(code.object).add_current_process()
    for name in code.needs:
        address = _address(name)
        if address is None:
            return None
        builder.import_symbol(name, address)
    for symbol in code.symbols.values():
        builder.export_symbol(symbol)
    tracker = builder.link(_linker(), f"zermelo{next(_numbers)}")
    return {slot: tracker[symbol] for slot, symbol in code.symbols.items()}, tracker


@functools.cache
def _linker() -> Any:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding.create_lljit_compiler()


def _address(name: str) -> int | None:
    from llvmlite import binding

    if name.startswith("NRT_") and "numba" not in sys.modules:
        from zermelo.engine.rules.numba_api import cpu_target, runtime

        runtime.initialize(cpu_target.target_context)
    found: int | None = binding.address_of_symbol(name)
    return found
