"""Compiles random rules one by one for `rules_fuzz.py`, into one library of C functions.

They go through the compiler of any other game, and are stored as a state is; but a program that is refused costs the
others nothing, and what Numba makes of built-in functions is made once for all of them.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy
from rules_claims import Claims, noted
from rules_programs import Program

from zermelo.engine.core import _core
from zermelo.engine.rules import compiler, memory, objects, target
from zermelo.engine.rules.bits import is_whole
from zermelo.engine.rules.cache import ObjectCode
from zermelo.engine.rules.failure import explain
from zermelo.engine.rules.functions import Translator
from zermelo.engine.rules.gametype import declare_game
from zermelo.engine.rules.layout import Scalar, infer, pack
from zermelo.engine.rules.numba_api import NumbaTypeError, types
from zermelo.engine.rules.reach import Reach
from zermelo.engine.rules.slots import SlotCompiler
from zermelo.engine.rules.target import intrinsic_of_game
from zermelo.errors import CompileError

KINDS = {"whole": "int", "real": "float", "truth": "bool", "word": "word"}
PARAMETERS = {"state": types.voidptr, "number": types.int64, "answer": types.voidptr}
CALL = """    if number == {i}:
        store_{i}(answer, game.program_{i}(s))
"""


class Methods:
    """The methods `program_0`, `program_1`, … of a game that compile, natively."""

    def __init__(self, game: Any, programs: list[Program]):
        self.layout = infer(game.initial())
        self.refused: dict[int, str] = {}
        """Why a program cannot be compiled, by its number."""
        self.claims: dict[int, Claims] = {}
        """What the analysis claims of the answers of a program; nothing in a game without NumPy's numbers."""
        self._answers: dict[int, Scalar] = {}
        self._kinds: dict[int, Any] = {}
        reach = Reach(game, (*compiler.RULES, *(f"program_{i}" for i in range(len(programs)))))
        tag = reach.fingerprint()[: compiler.TAG_DIGITS]
        numbers = compiler.numbers_in(reach, self.layout)
        translator = Translator(tag, numbers)
        with target.compiling(numbers) as context, noted() as claims:
            try:
                slots = SlotCompiler(declare_game(reach, translator), self.layout, game, translator)
                self._try_each(slots, game, programs)
                for i in self._answers:
                    if f"program_{i}" in claims:
                        self.claims[i] = claims[f"program_{i}"]._replace(kind=self._kinds[i])
                names = {f"store_{i}": memory.poke(answer) for i, answer in self._answers.items()}
                body = "    s = load(state)\n" + "".join(CALL.format(i=i) for i in self._answers) + "    return 0\n"
                export = slots.function("run", PARAMETERS, body, **names)
                made, needs, _ = target.link(context, f"zermelo_{tag}", [export.module], [export.library])
            finally:
                translator.forget()
        linked = objects.link(ObjectCode(made, {"run": export.symbol}, needs))
        if linked is None:
            raise CompileError(f"the programs call what cannot be linked: {', '.join(needs)}")
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p)
        self._run = prototype(linked[0]["run"])
        self._owner = linked[1]

    def _try_each(self, slots: SlotCompiler, game: Any, programs: list[Program]) -> None:
        """Notes which programs compile, and where their answers are stored."""

        def declare(typing_context: Any, own: Any, s: Any) -> Any:
            for i, program in enumerate(programs):
                try:
                    rule = own.resolve(typing_context, f"program_{i}")
                    kind = types.unliteral(rule.get_call_type(typing_context, (s,), {}).return_type)
                    self._answers[i] = _answer(program, kind)
                    self._kinds[i] = kind
                except Exception as error:  # as in a game: Numba's own, and any that its passes raise
                    self.refused[i] = str(explain(game, None, error))
            return types.int64(own, s), lambda context, *_: context.get_constant(types.int64, 0)

        slots.function("try_each", PARAMETERS, "    return each(game, load(state))\n", each=intrinsic_of_game(declare))

    @property
    def compiled(self) -> list[int]:
        """The numbers of the programs that are compiled."""
        return list(self._answers)

    def contradiction(self, i: int, given: Any) -> str:
        """The claims of program `i` that do not hold of an answer of Python's; empty if all do."""
        known = i in self.claims and isinstance(given, (int, float, numpy.generic))
        return self.claims[i].contradiction(given) if known else ""

    def pack(self, state: Any) -> bytes:
        return pack(self.layout, state)

    def run(self, i: int, state: bytes) -> Any:
        """What program `i` answers; `None` if it raises."""
        answer = ctypes.create_string_buffer(8)
        status = self._run(None, state, i, answer)
        return None if status == _core.RAISED else self._answers[i].unpack(answer.raw)


def _answer(program: Program, kind: Any) -> Scalar:
    """Where an answer is stored: as in a state, where truth values become whole numbers if there is one."""
    wanted = KINDS[program.kind]
    if wanted == "bool" and not isinstance(kind, types.Boolean):
        wanted = "int"
    if not is_whole(kind) and not (wanted == "float" and isinstance(kind, types.Float)):
        raise NumbaTypeError(f"a rule gives {kind}")
    return Scalar("the answer", 0, wanted)
