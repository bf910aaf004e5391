"""Where rules are compiled: a Numba target that emits object code and loads nothing; needs Numba to import.

Numba's own target emits machine code for every function on the way and keeps it forever. Here helpers are typed and
lowered only; what the slots of a game need is optimised once, as a whole, and becomes one object file.
"""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any

from zermelo.engine.rules.numba_api import (
    AOTCodeLibrary,
    AOTCPUCodegen,
    CPUContext,
    RuntimeLinker,
    TypingContext,
    cpu_target,
    global_compiler_lock,
    llvm_binding,
    runtime,
)

HOST = "host"


class _Library(AOTCodeLibrary):  # type: ignore[misc]
    """A code library that is optimised only if it is the final one."""

    whole = False

    def _optimize_final_module(self) -> None:
        if self.whole:
            self._resolve_recursion()
            super()._optimize_final_module()

    def _resolve_recursion(self) -> None:
        """Fills the pointers by which functions call themselves: Numba does that in its own linker."""
        module, prefix = self._final_module, RuntimeLinker.PREFIX
        defined = {function.name for function in module.functions if not function.is_declaration}
        for pointer in [variable.name for variable in module.global_variables if variable.is_declaration]:
            name = pointer.removeprefix(prefix)
            if name != pointer and name in defined:
                text = f'declare void @"{name}"()\n@"{pointer}" = constant ptr @"{name}"\n'
                module.link_in(llvm_binding.parse_assembly(text))


class _Codegen(AOTCPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def _customize_tm_features(self) -> str:
        return str(self._get_host_cpu_features()) if self._cpu_name == HOST else ""


class _Context(CPUContext):  # type: ignore[misc]
    """Numba's target for this machine, with another last stage."""

    def __init__(self, typing_context: Any, cpu: str):
        self._cpu = cpu
        super().__init__(typing_context)

    enable_boundscheck = False
    """As each function asks for; `NUMBA_BOUNDSCHECK=0` would let an index beyond the end read other memory."""

    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("zermelo", self._cpu)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """A name for the function: Numba requires a built-in one, but never calls it."""
        return object().__dir__


@functools.cache
def _contexts(cpu: str) -> tuple[Any, Any]:
    runtime.initialize(cpu_target.target_context)
    typing_context = TypingContext()
    return typing_context, _Context(typing_context, cpu)


@contextlib.contextmanager
def compiling(cpu: str = HOST) -> Iterator[Any]:
    """Lets Numba compile for `cpu` (`"host"`, or a name of LLVM's) inside the block; yields the target's context."""
    with global_compiler_lock:
        typing_context, context = _contexts(cpu)
        own = vars(cpu_target)
        names = ("_toplevel_typing_context", "_toplevel_target_context")
        before = {name: own[name] for name in names if name in own}
        collects = gc.isenabled()
        gc.disable()  # a compiler makes a million objects, and nearly all live until it is done
        own.update(zip(names, (typing_context, context), strict=True))
        try:
            yield context
        finally:
            for name in names:
                del own[name]
            own.update(before)
            if collects:
                gc.enable()


def link(context: Any, name: str, modules: list[Any], libraries: list[Any]) -> tuple[bytes, tuple[str, ...], bool]:
    """One object file of `modules` and all that they call, the symbols it needs, and whether it points into
    this process, so that no other can use it."""
    library = context.codegen().create_library(name)
    library.whole = True
    for module in modules:
        library.add_ir_module(module)
    for needed in libraries:
        library.add_linking_library(needed)
    library.finalize()
    final = library._final_module
    needs = [f.name for f in final.functions if f.is_declaration and not f.name.startswith("llvm.")]
    needs += [g.name for g in final.global_variables if g.is_declaration]
    return bytes(library.emit_native_object()), tuple(needs), bool(library.has_dynamic_globals)
