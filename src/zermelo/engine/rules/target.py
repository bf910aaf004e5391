"""Where rules are compiled: a Numba target that emits object code and loads nothing; needs Numba to import.

Numba's own target emits machine code for every function on the way and keeps it forever. Here helpers are typed and
lowered only; what the slots of a game need is optimised once, as a whole, and becomes one object file.

Each game is compiled in contexts of its own, which are emptied afterwards. What a game declares to Numba is in
registries of these contexts, and what Numba's own caches hold of them is removed: otherwise a process would keep ten
megabytes for each game that it has ever compiled.
"""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterator
from typing import Any
from unittest import mock

from zermelo.engine.rules.bits import check_cast, is_small, is_truth, is_whole, is_wordy, truth_or_number
from zermelo.engine.rules.numba_api import (
    AOTCodeLibrary,
    AOTCPUCodegen,
    CPUContext,
    DataModelManager,
    Intrinsic,
    Listener,
    LoweringRegistry,
    NewPassManager,
    RuntimeLinker,
    TypingContext,
    TypingRegistry,
    cpu_target,
    default_manager,
    global_compiler_lock,
    install_listener,
    llvm_binding,
    make_intrinsic_template,
    make_overload_template,
    numba_array_numbers,
    numba_numbers,
    runtime,
    type_cache,
    types,
)
from zermelo.engine.rules.reach import Numbers

HOST = "host"


class _Library(AOTCodeLibrary):  # type: ignore[misc]
    """A code library that is optimised only if it is the final one."""

    whole = False

    def _optimize_functions(self, module: Any) -> None:
        """Leaves it to the whole, whose code is as fast without it."""
        module.data_layout = self._codegen._data_layout

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

    def _module_pass_manager(self, *arguments: Any, **options: Any) -> Any:
        return _disposable(super()._module_pass_manager(*arguments, **options))

    def _customize_tm_features(self) -> str:
        return str(self._get_host_cpu_features()) if self._cpu_name == HOST else ""


@functools.cache
def _codegen(cpu: str) -> _Codegen:
    return _Codegen("zermelo", cpu)


def _disposable(made: Any) -> Any:
    """Lets LLVM's passes in `made` be freed with their last reference: llvmlite hides the method that does it."""
    for passes in made if isinstance(made, tuple) else (made,):
        if isinstance(passes, NewPassManager):
            passes._dispose = functools.partial(NewPassManager._dispose, passes)
    return made


_HASHES = "5numba7cpython7hashing"
"""In the names of Numba's functions that hash."""


class _Context(CPUContext):  # type: ignore[misc]
    """Numba's target for this machine, with another last stage."""

    def __init__(self, typing_context: Any, cpu: str):
        self._cpu = cpu
        super().__init__(typing_context)

    def cast(self, builder: Any, value: Any, source: Any, target: Any) -> Any:
        """As Numba, but a number that another type cannot hold raises an `OverflowError`.

        Not so where Numba hashes what is in a set: whole numbers become floats, and go round.
        """
        if _HASHES not in builder.function.name:
            check_cast(self, builder, value, types.unliteral(source), target)
        return super().cast(builder, value, source, target)

    enable_boundscheck = False
    """As each function asks for; `NUMBA_BOUNDSCHECK=0` would let an index beyond the end read other memory."""

    def init(self) -> None:
        self.data_model_manager = DataModelManager().chain(default_manager)
        self._own = LoweringRegistry()
        self.install_registry(self._own)
        super().init()
        self._internal_codegen = _codegen(self._cpu)

    def load_additional_registries(self) -> None:
        """Begins with the registry of this context: Numba adds what intrinsics become to the first there is."""
        self.install_registry(self._own)
        super().load_additional_registries()

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """A name for the function: Numba requires a built-in one, but never calls it."""
        return object().__dir__


class _Typing(TypingContext):  # type: ignore[misc]
    """Numba's typing, with declarations of one game."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.own = TypingRegistry()
        self._numbers = numbers

    def unify_pairs(self, first: Any, second: Any) -> Any:
        """As Numba, but one of NumPy's small numbers does not become a number of 64 bits, as it goes round, one of its
        words no float, as it has no sign, and one of its truth values no number."""
        pair = [types.unliteral(kind) for kind in (first, second)]
        if pair[0] == pair[1] or not all(is_whole(kind) or isinstance(kind, types.Float) for kind in pair):
            return super().unify_pairs(first, second)
        if any(is_small(kind) or kind == types.float32 for kind in pair):
            return None
        if self._numbers.numpy and any(map(is_truth, pair)):
            return truth_or_number if all(is_truth(kind) or kind == types.int64 for kind in pair) else None
        real = any(isinstance(kind, types.Float) for kind in pair)
        if self._numbers.numpy_words and real and any(map(is_wordy, pair)):
            return None
        return super().unify_pairs(first, second)

    def declare(self, handle: Any, template: Any) -> None:
        self.own.register(template)
        self.own.register_global(handle, types.Function(template))
        self.install_registry(self.own)


class _Compiled(Listener):  # type: ignore[misc]
    """The functions that Numba compiles meanwhile."""

    def __init__(self) -> None:
        self.dispatchers: list[Any] = []

    def on_start(self, event: Any) -> None:
        self.dispatchers.append(event.data["dispatcher"])

    def on_end(self, event: Any) -> None:
        """Nothing: what began is enough."""


@functools.cache
def _prepare() -> None:
    """Lets Numba import all its modules: functions that they make belong to the context that is in place then."""
    runtime.initialize(cpu_target.target_context)
    cpu_target.target_context.refresh()


def _goes_round(_kind: Any) -> list[str]:
    """What LLVM may assume of sums of whole numbers in Numba's own functions: nothing, as NumPy's go round."""
    return []


@contextlib.contextmanager
def compiling(numbers: Numbers, cpu: str = HOST) -> Iterator[Any]:
    """Lets Numba compile rules with these numbers for `cpu` (`"host"`, or a name of LLVM's) inside the block; yields
    the target's context."""
    with global_compiler_lock:
        _prepare()
        typing_context = _Typing(numbers)
        context = _Context(typing_context, cpu)
        own = vars(cpu_target)
        names = ("_toplevel_typing_context", "_toplevel_target_context")
        before = {name: own[name] for name in names if name in own}
        collects = gc.isenabled()
        gc.disable()  # a compiler makes a million objects, and nearly all live until it is done
        own.update(zip(names, (typing_context, context), strict=True))
        compiled = _Compiled()
        try:
            with install_listener("numba:compile", compiled), contextlib.ExitStack() as patched:
                for module in (numba_numbers, numba_array_numbers):
                    patched.enter_context(mock.patch.object(module, "_int_arith_flags", _goes_round))
                yield context
        finally:
            for name in names:
                del own[name]
            own.update(before)
            _release(typing_context, context, compiled.dispatchers)
            if collects:
                gc.enable()


def _release(typing_context: Any, context: Any, dispatchers: list[Any]) -> None:
    """Empties the contexts, and removes what the rest of Numba keeps about them."""
    for dispatcher in dispatchers:
        if dispatcher.targetctx is context:
            dispatcher.overloads.clear()
    declared = [*typing_context._functions.values(), *typing_context._attributes.values()]
    for template in [template for group in declared for template in group]:
        for name in ("_impl_cache", "_overload_cache"):
            cache = getattr(template, name, {})
            for key in [key for key in cache if isinstance(key, tuple) and key[0] is typing_context]:
                del cache[key]
    # Numba gives out a type again as long as something holds it, such as an error's frames; that of a method remembers
    # its context.
    for reference in [each for each in type_cache if isinstance(each(), types.BoundFunction)]:
        del type_cache[reference]
    vars(typing_context).clear()
    vars(context).clear()


def intrinsic_of_game(declare: Any) -> Any:
    """An intrinsic that the game under compilation alone knows."""
    made = Intrinsic(declare.__name__, declare)
    cpu_target.typing_context.declare(made, make_intrinsic_template(made, declare, declare.__name__))
    return made


def overload_of_game(function: Any, declare: Any) -> None:
    """Declares what `function` is in compiled code, for the game under compilation alone."""
    template = make_overload_template(function, declare, {"no_cpython_wrapper": True, "nopython": True}, True, "never")
    cpu_target.typing_context.declare(function, template)


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
