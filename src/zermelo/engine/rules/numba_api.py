"""All of Numba and LLVM that the engine uses, in one place; importing it imports Numba.

Much of it is not documented by Numba, so that a new version of it is checked here first. To the type checker all of it
is `Any`: the annotations that Numba ships are partial and describe its use from outside.
"""

# ruff: noqa: F401 - all of it is for others

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    llvm: Any
    types: Any
    cgutils: Any
    models: Any
    numba_bytecode: Any
    numba_ir: Any
    numba_config: Any
    numba_array_numbers: Any
    numba_numbers: Any
    numpy_support: Any
    cpu_target: Any
    runtime: Any
    type_cache: Any
    global_compiler_lock: Any
    njit: Any
    intrinsic: Any
    overload: Any
    overload_attribute: Any
    overload_method: Any
    register_model: Any
    lower_builtin: Any
    lower_cast: Any
    lower_constant: Any
    iternext_impl: Any
    impl_ret_borrowed: Any
    infer_getattr: Any
    lower_getattr_generic: Any
    AttributeTemplate: Any
    AOTCodeLibrary: Any
    AOTCPUCodegen: Any
    RuntimeLinker: Any
    llvm_binding: Any
    CPUContext: Any
    DataModelManager: Any
    Intrinsic: Any
    Listener: Any
    LoweringRegistry: Any
    NewPassManager: Any
    TypingRegistry: Any
    default_manager: Any
    install_listener: Any
    make_intrinsic_template: Any
    make_overload_template: Any
    TypingContext: Any
    typeof_impl: Any
    make_array: Any
    populate_array: Any
    build_definitions: Any
    inline_closurecall: Any
    get_definition: Any
    guard: Any
    register_pass: Any
    CompilerBase: Any
    Conversion: Any
    DefaultPassBuilder: Any
    Dispatcher: Any
    InlineClosureLikes: Any
    TranslateByteCode: Any
    FunctionPass: Any
    AnalysisPass: Any
    NopythonTypeInference: Any
    NumbaTypeError: Any
    RefType: Any
else:
    from llvmlite import binding as llvm_binding
    from llvmlite import ir as llvm
    from llvmlite.binding.newpassmanagers import NewPassManager
    from numba import njit
    from numba.core import bytecode as numba_bytecode
    from numba.core import cgutils, inline_closurecall, types
    from numba.core import config as numba_config
    from numba.core import ir as numba_ir
    from numba.core.codegen import AOTCodeLibrary, AOTCPUCodegen, RuntimeLinker
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import AnalysisPass, FunctionPass, register_pass
    from numba.core.cpu import CPUContext
    from numba.core.datamodel import default_manager
    from numba.core.datamodel.manager import DataModelManager
    from numba.core.dispatcher import Dispatcher
    from numba.core.errors import NumbaTypeError
    from numba.core.event import Listener, install_listener
    from numba.core.extending import _Intrinsic as Intrinsic
    from numba.core.imputils import (
        RefType,
        impl_ret_borrowed,
        iternext_impl,
        lower_builtin,
        lower_constant,
        lower_getattr_generic,
    )
    from numba.core.imputils import Registry as LoweringRegistry
    from numba.core.ir_utils import build_definitions, get_definition, guard
    from numba.core.registry import cpu_target
    from numba.core.runtime import rtsys as runtime
    from numba.core.typeconv import Conversion
    from numba.core.typed_passes import NopythonTypeInference
    from numba.core.types.abstract import _typecache as type_cache
    from numba.core.typing import Context as TypingContext
    from numba.core.typing.templates import (
        AttributeTemplate,
        infer_getattr,
        make_intrinsic_template,
        make_overload_template,
    )
    from numba.core.typing.templates import Registry as TypingRegistry
    from numba.core.typing.typeof import typeof_impl
    from numba.core.untyped_passes import InlineClosureLikes, TranslateByteCode
    from numba.cpython import numbers as numba_numbers
    from numba.extending import (
        intrinsic,
        lower_cast,
        models,
        overload,
        overload_attribute,
        overload_method,
        register_model,
    )
    from numba.np import numpy_support
    from numba.np.arrayobj import make_array, populate_array
    from numba.np.math import numbers as numba_array_numbers
