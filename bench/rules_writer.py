"""Writes random rules for `rules_fuzz.py`: functions with variables, loops and helpers over every type of field."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from rules_programs import Fields, Program

Choice: TypeAlias = str | Callable[[], str]
_ARRAYS = re.compile(r"\bs\.(row|grid|tiny|short|flags|reals|halves|boards)\b|\bnp\.")


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random, fields: Fields):
        self.rng = rng
        self.fields = fields
        self.words = fields.words
        self.lines: list[str] = []
        self.variables: dict[str, list[str]] = {"whole": [], "real": [], "truth": [], "word": []}
        self.fixed: set[str] = set()
        """Variables that a loop counts with."""
        self.named = 0
        self.helper = ""
        self.small = rng.random() < 0.1
        """Whether it takes NumPy's small numbers as they are: many such programs are refused, and each refusal costs a
        compilation."""

    def program(self) -> Program:
        kinds = ["whole"] * 5 + ["real"] * 3 + ["truth"] * 2 + (["word"] * 5 if self.words else [])
        kind = self.rng.choice(kinds)
        if self.rng.random() < 0.8:
            call = self.expression(kind, self.rng.randint(1, 3))
            return Program("", f"int({call})" if kind == "whole" and "tiny" in call else call, kind)
        if self.rng.random() < 0.25:
            self.write_helper()
        for _ in range(self.rng.choice((0, 0, 0, 1, 2, 3))):
            self.statement(1)
        self.lines.append(f"    return {self.expression(kind, self.rng.randint(1, 4))}")
        body = "\n".join(self.lines)
        source = f"{self.helper}def program_NUMBER(self, s):\n{body}\n"
        return Program(source, "program_NUMBER(self, s)", kind)

    def write_helper(self) -> None:
        """A function of two numbers, one with a default."""
        inner = Writer(self.rng, Fields(words=False, arrays=False))
        inner.variables["whole"] = inner.variables["word"] = ["p", "q"]
        inner.outside = True
        default = self.rng.randint(-3, 9)
        kind = self.pick("whole", "word") if self.words else "whole"
        self.helper = f"def helper_NUMBER(p, q={default}):\n    return {inner.expression(kind, 2)}\n\n\n"

    def helped(self, a: str, b: str) -> list[Choice]:
        """Calls of the helper, if there is one."""
        calls = [f"helper_NUMBER({a})", f"helper_NUMBER({a}, {b})", f"helper_NUMBER(q={a}, p={b})"]
        return [*calls, *calls, *calls] if self.helper else []

    outside = False
    """Whether there is no state to look at."""

    def expression(self, kind: str, depth: int) -> str:
        made: str = getattr(self, kind)(depth)
        return made

    def pick(self, *choices: Choice) -> str:
        chosen = self.rng.choice(self.allowed(choices))
        return chosen if isinstance(chosen, str) else chosen()

    def allowed(self, choices: Sequence[Choice]) -> Sequence[Choice]:
        """Those of `choices` that read fields which the state has."""
        if self.fields.arrays:
            return choices
        return [each for each in choices if not (isinstance(each, str) and _ARRAYS.search(each))]

    def place(self, below: int) -> str:
        """An index: mostly inside, at times outside, at times computed."""
        if self.rng.random() < 0.75 or self.outside:
            return str(self.rng.randrange(-below, below))
        return self.pick(f"s.nest[0][0] % {below}", "s.nest[1][0]", f"abs(s.x) % {below}", "self.half")

    # Whole numbers.

    def whole(self, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.1:
            return self.whole_leaf()
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        bits = self.rng.randint(1, 62)
        choices: list[Choice] = [
            *(f"({a} {sign} {b})" for sign in ("+", "-", "*", "//", "%", "&", "|", "^", "+", "-", "*")),
            f"({a} << {self.rng.randint(0, 70)})",
            f"({a} << ({b} & {self.pick('7', '63', '255')}))",
            f"(({a} << {self.rng.randint(0, 70)}) & {2**bits - 1})",
            f"({a} >> {self.rng.randint(0, 70)})",
            f"({a} >> ({b} & 63))",
            f"({a} ** {self.rng.randint(0, 5)})",
            f"({a} ** ({b} & 3))",
            f"pow({a}, {self.rng.randint(0, 3)})",
            *(f"{name}({a})" for name in ("abs", "int", "-", "~", "+")),
            *(f"{name}({a}, {b})" for name in ("min", "max")),
            f"{self.pick('min', 'max')}({a}, {b}, {self.rng.randint(-9, 9)})",
            f"divmod({a}, {b})[{self.rng.randint(0, 1)}]",
            f"int({a}).bit_count()",
            f"int({a}).bit_length()",
            f"({a}).{self.pick('bit_count', 'bit_length')}()",
            f"math.{self.pick('floor', 'ceil')}({a})",
            f"len(range({a} % 7))",
            f"sum(({a}, {b}, {self.whole_leaf()}))",
            f"sum([{a}, {b}])",
            f"{self.pick('min', 'max', 'sum', 'len')}([{a}, {b}, {self.whole_leaf()}])",
            f"sorted([{a}, {b}, {self.whole_leaf()}])[{self.place(3)}]",
            f"({a}, {b}, {self.whole_leaf()})[{self.rng.randint(-3, 2)}]",
            f"sum([{a} + i for i in range({self.rng.randint(0, 5)})])",
            f"sum({a} * i for i in range({self.rng.randint(0, 5)}) if i != {b})",
            f"tuple([{a}, {b}, {self.whole_leaf()}])[{self.place(3)}]",
            f"len(({a}, {b}, 1)[{self.whole_leaf()} :])",
            f"(({a}, {b}, 1)[: {self.rng.randint(0, 3)}] + ({self.whole_leaf()},))[-1]",
            f"(({a}, {b})[{self.whole_leaf()} % 2 :] + ({self.whole_leaf()}, 2))[0]",
            f"({a}, {b}, {self.whole_leaf()}).{self.pick('count', 'index')}({self.whole_leaf()})",
            f"len([1 for i in range(6) if i % 2 == {b}])",
            lambda: f"({a} if {self.truth(depth - 1)} else {b})",
            lambda: f"int({self.real(depth - 1)})",
            lambda: f"round({self.real(depth - 1)})",
            lambda: f"math.{self.pick('floor', 'ceil', 'trunc')}({self.real(depth - 1)})",
            lambda: f"int({self.truth(depth - 1)})",
            lambda: f"(int({self.truth(depth - 1)}) + {self.truth(depth - 1)})",
            f"math.gcd({a}, {b})",
            f"({a} and {b})",
            f"({a} or {b})",
        ]
        choices += self.helped(a, b)
        if not self.outside:
            choices += [
                *(f"self.twice({a})", f"self.twice({a}, plus={b})", f"self.twice(plus={a}, n={b})"),
                *("s.row.sum()", "s.row.max()", "s.row.argmin()", "int(s.grid.sum())", "np.sum(s.tiny)"),
                *(f"int((s.row == {a}).sum())", f"np.count_nonzero(s.grid > {b})", "s.flags.sum()"),
                *(
                    f"(s.row {self.pick('+', '-', '*', '&', '^')} {a})[{self.place(5)}]",
                    f"s.grid.T[{self.place(3)}].max()",
                ),
                *("int(s.row[s.row > 0].sum())", "s.grid[:, 1].sum()", f"int(np.abs(s.row)[{self.place(5)}])"),
                *("s.row.min()", "int(np.argmax(s.reals))", "int((s.grid * s.grid).sum())", "s.grid.ravel()[4]"),
                lambda: f"{self.pick('TABLE', 'self.table')}[{self.truth(depth - 1)}]",
                lambda: f"{self.pick('+', '-', '~', 'abs', 'round', 'int')}({self.truth(depth - 1)})",
                lambda: f"({self.truth(depth - 1)} {self.pick('+', '-', '*', '//', '%', '<<', '**')} {a})",
                lambda: f"({self.truth(depth - 1)} {self.pick('and', 'or')} {a})",
                lambda: f"({a} if s.c else {self.truth(depth - 1)})",
                lambda: f"{self.pick('min', 'max')}({a}, {self.truth(depth - 1)})",
                lambda: f"sum([{self.truth(depth - 1)}, {self.truth(depth - 1)}])",
                lambda: f"self.twice({self.truth(depth - 1)})",
                *("sum(s.pair)", "max(s.pair)", "sum(s.row)", "max(s.row[1:4])", "len(s.row[1:])", "s.grid[1].sum()"),
            ]
        if self.words and not self.outside:
            choices += [
                lambda: f"int({self.word(depth - 1)}).{self.pick('bit_count', 'bit_length')}()",
                lambda: f"divmod({self.word(depth - 1)}, {a})[{self.rng.randint(0, 1)}]",
                lambda: f"{self.pick('-', '~', 'abs')}({self.word(depth - 1)})",
                lambda: f"sum({self.pick('({0}, {1})', '[{0}, {1}]').format(self.word(depth - 1), a)})",
                lambda: f"({self.word(depth - 1)} {self.pick('+', '-', '*', '//', '%', '&', '|', '^', '>>')} {a})",
                lambda: f"{self.pick('min', 'max')}({self.word(depth - 1)}, {a})",
                lambda: f"TABLE[({self.word(depth - 1)}) % 11]",
                lambda: f"({self.word(depth - 1)} {self.pick('%', '//', '-', '+', '&')} int({a}))",
                lambda: f"(int({a}) {self.pick('%', '//', '-', '*', '|', '^')} {self.word(depth - 1)})",
                lambda: f"int({self.word(depth - 1)} >> {self.rng.randint(0, 70)})",
            ]
        return self.pick(*choices)

    def whole_leaf(self) -> str:
        number = str(self.rng.randint(-5, 9))
        if self.outside:
            return self.pick("p", "q", number, "LIMIT", "TABLE[p % 11]")
        return self.pick(
            *(
                "s.x",
                "s.y",
                "s.x",
                "s.y",
                "s.b",
                f"s.flags[{self.place(4)}]",
                number,
                number,
                "self.limit",
                "self.half",
                "LIMIT",
            ),
            *(f"s.pair[{self.place(2)}]", f"s.nest[{self.rng.randint(0, 1)}][{self.rng.randint(0, 1)}]"),
            *("s.inner.k", f"s.inner.pos[{self.rng.randint(0, 1)}]", f"s.row[{self.place(5)}]"),
            *(f"int(s.row[{self.place(5)}])", f"s.grid[{self.place(3)}, {self.place(3)}]"),
            *(f"s.grid[{self.place(3)}][{self.place(3)}]", f"int(s.tiny[{self.place(4)}])"),
            *((f"s.tiny[{self.place(4)}]", f"s.short[{self.place(4)}]") if self.small else ()),
            f"int(s.short[{self.place(4)}])",
            *(f"self.table[{self.place(5)}]", f"TABLE[{self.place(11)}]", f"ROWS[3][{self.place(3)}]", "len(ROWS[1])"),
            *("len(s.row)", "len(s.pair)", "s.row.size", "s.grid.shape[0]", "s.row.sum()"),
            *(f"({self.rng.choice(['s.b', 's.c', 's.x > s.y'])})", f"self.masks[{self.place(4)}]"),
            *(self.variables["whole"] * 4),
        )

    # Truth.

    def truth(self, depth: int) -> str:
        sign = self.pick("<", "<=", "==", "!=", ">", ">=")
        if depth <= 0:
            if self.outside:
                return self.pick("(p > q)", "(p == 0)", f"(p {sign} 3)")
            return self.pick("s.b", "s.c", "(not s.b)", f"(s.x {sign} s.y)", "(s.f > s.g)", "s.flags[1]", "(s.x > s.f)")
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        choices: list[Choice] = [
            *[f"({a} {sign} {b})"] * 4,
            lambda: f"({a} {sign} {self.real(depth - 1)})",
            lambda: f"({self.real(depth - 1)} {sign} {self.real(depth - 1)})",
            lambda: f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.truth(depth - 1)})",
            lambda: f"({self.truth(depth - 1)} {self.pick('==', '!=', '&', '|', '^')} {self.truth(depth - 1)})",
            lambda: f"(not {self.truth(depth - 1)})",
            f"({a} < {b} <= {self.whole_leaf()})",
            f"({a} {self.pick('in', 'not in')} ({b}, 0, 2))",
            f"bool({a})",
            f"(not {a})",
            f"{self.pick('any', 'all')}({a} {sign} i for i in range({self.rng.randint(0, 4)}))",
            f"{self.pick('any', 'all')}([{a}, {b}])",
        ]
        if not self.outside:
            choices += [
                *(f"({a} in TABLE)", f"({a} in range(-3, 8, 2))", f"(s.pair {sign} ({a}, {b}))", "s.flags.any()"),
                *("(s.row > 2).all()", f"self.between({a}, {b}, 9)", f"((s.row {sign} {a}).any())", "bool(s.flags[2])"),
                *(f"({a} in s.pair)", f"(s.nest[0] == ({a}, {b}))", f"({a} not in s.row)", f"({a} in [{b}, 1])"),
                *(f"(({a}, {b}) in ((1, 2), s.pair))", f"np.any(s.row {sign} {a})", f"s.flags[{self.place(4)}]"),
            ]
        if self.words and not self.outside:
            choices += [
                lambda: f"({self.word(depth - 1)} {sign} {self.word(depth - 1)})",
                lambda: f"({self.word(depth - 1)} {sign} int({a}))",
                lambda: f"({self.word(depth - 1)} {sign} {a})",
                lambda: f"({self.word(depth - 1)} {self.pick('in', 'not in')} ({a}, {self.word(depth - 1)}, 3))",
                lambda: (
                    f"({self.word(depth - 1)} {self.pick('in', 'not in')} {self.pick('range(-3, 300, 3)', 'TABLE')})"
                ),
                lambda: f"({a} in ({self.word(depth - 1)}, {b}))",
                lambda: f"(({self.word(depth - 1)}, {a}) {self.pick('==', '!=', sign)} ({self.word(depth - 1)}, {b}))",
                lambda: f"bool({self.word(depth - 1)})",
                lambda: f"(not {self.word(depth - 1)})",
            ]
        return self.pick(*choices)

    # Floats.

    def real(self, depth: int) -> str:
        if depth <= 0:
            number = str(self.rng.randint(-20, 40) / 8)
            if self.outside:
                return self.pick(number, "(p / 2)", "float(q)")
            return self.pick(
                *("s.f", "s.g", number, f"s.reals[{self.place(3)}]", "s.inner.v", f"self.weights[{self.place(3)}]"),
                f"float(s.halves[{self.place(3)}])",
                *((f"s.halves[{self.place(3)}]",) if self.small else ()),
                *(self.variables["real"] * 3),
            )
        a, b = self.real(depth - 1), self.real(depth - 1)
        n = self.whole(depth - 1)
        words: list[Choice] = [
            lambda: f"float({self.word(depth - 1)})",
            lambda: f"({self.word(depth - 1)} {self.pick('/', '*', '+', '-', '//', '%')} {a})",
            lambda: f"({a} {self.pick('/', '*', '+', '-', '//', '%')} {self.word(depth - 1)})",
            lambda: f"({self.word(depth - 1)} / {n})",
        ]
        one = ("sin", "cos", "exp", "log", "log2", "log10", "atan", "tanh", "asin", "expm1", "log1p", "trunc", "ceil")
        return self.pick(
            *(words if self.words and not self.outside else ()),
            *(
                f"math.{self.pick(*one)}({self.pick(a, n)})",
                f"math.{self.pick('atan2', 'hypot', 'fmod', 'pow')}({a}, {b})",
            ),
            *(f"({a} {sign} {b})" for sign in ("+", "-", "*", "/", "+", "-", "*", "//", "%")),
            *(f"({a} {sign} {n})" for sign in ("+", "-", "*", "/", "//", "%")),
            *(f"({n} {sign} {a})" for sign in ("+", "-", "*", "/", "//", "%")),
            f"({n} / {self.whole(depth - 1)})",
            f"({a} ** {self.pick('2', '3', '0.5', '-1', '2.0', '0')})",
            f"({n} ** {self.pick('0.5', '-1', '2.0', '-2')})",
            *(f"{name}({a})" for name in ("abs", "float", "-", "+", "math.sqrt", "math.fabs", "math.floor")),
            f"float({n})",
            f"{self.pick('min', 'max')}({a}, {b})",
            f"{self.pick('min', 'max')}({a}, {n})",
            f"math.atan2({self.pick(a, f'-({n})', f'({n} * -1)')}, {self.pick(b, f'-({b} if s.b else {n})')})"
            if not self.outside
            else a,
            f"sum(({a}, {b}, 0.5))",
            f"divmod({a}, {b})[{self.rng.randint(0, 1)}]",
            lambda: f"({a} if {self.truth(depth - 1)} else {b})",
            lambda: f"({a} if {self.truth(depth - 1)} else {n})",
            lambda: f"({a} if s.c else {self.truth(depth - 1)})",
            *(
                ()
                if self.outside
                else (
                    "s.reals.sum()",
                    "s.reals.max()",
                    "sum(s.reals)",
                    "s.inner.v",
                    f"(s.reals * {a})[1]",
                    f"(s.reals / {n})[0]",
                )
            ),
        )

    # Words: whole numbers that begin as 64 bits without a sign.

    def word(self, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.1:
            number = self.pick("1", "255", "0x8100000000000081", "0xFFFFFFFFFFFFFFFF", "(1 << 63)")
            board = f"s.boards[{self.place(3)}]"
            own = ("s.mine", "s.theirs", "s.mine", "s.theirs", board, f"U64({board})", f"int({board})")
            return self.pick(*(() if self.outside else own), f"U64({number})", *self.variables["word"] * 3)
        a, b = self.word(depth - 1), self.word(depth - 1)
        far = self.rng.randint(0, 70)
        small = self.pick("1", "3", "7", *(("p", "LIMIT") if self.outside else ("s.nest[0][0]", "self.limit")))
        return self.pick(
            *self.helped(a, b),
            *self.helped(a, small),
            *[f"({a} {sign} {b})" for sign in ("&", "|", "^")] * 3,
            *[f"({a} & ~{b})"] * 2,
            f"({a} {self.pick('+', '-', '*', '//', '%')} {b})",
            *(f"({a} & ({b} - 1))", f"({a} & -{b})", f"(~{a} & 0xFFFFFFFFFFFFFFFF)", f"({a} & {small})"),
            *(f"(({a} << {far}) & {b})", f"(({a} << {far}) & 0xFFFFFFFFFFFFFFFF)", f"({a} << {small})"),
            *(f"({a} >> {far})", f"({a} >> {small})", f"({a} | (1 << {small}))", f"({a} | 1 << 63)"),
            *(
                f"min({a}, {b})",
                f"max({a}, {b})",
                f"abs({a})",
                f"int({a})",
                f"({a} {self.pick('+', '-', '^')} {small})",
            ),
            lambda: f"({a} if {self.truth(depth - 1)} else {b})",
            f"((({a} << 1) | ({a} >> 1)) & ~{b})",
            f"U64({a} & {b})",
            *(
                f"({a} and {b})",
                f"({a} or {b})",
                f"divmod({a}, {b})[1]",
                f"max({a}, {b}, 7)",
                f"({a} ** {small} & {b})",
            ),
        )

    # Statements.

    def statement(self, level: int) -> None:
        kinds = [self.assign, self.assign, self.change, self.branch, self.loop, self.loop]
        if not self.outside:
            kinds += [self.unpack, self.while_loop, *([self.board] if self.fields.arrays else [])]
        if level < 3:
            self.rng.choice(kinds)(level)

    def say(self, level: int, text: str) -> None:
        self.lines.append("    " * level + text)

    def new(self, kind: str) -> str:
        self.named += 1
        name = f"v{self.named}"
        if kind in self.variables:
            self.variables[kind].append(name)
        return name

    def kind(self) -> str:
        return self.rng.choice(["whole", "whole", "real", *(["word"] if self.words else [])])

    def assign(self, level: int) -> None:
        kind = self.kind()
        value = self.expression(kind, 2)
        if level == 1:
            self.say(level, f"{self.new(kind)} = {value}")
        else:
            self.change(level)

    def change(self, level: int) -> None:
        """Gives an existing variable a new value of its kind."""
        kind = self.kind()
        names = [name for name in self.variables[kind] if name not in self.fixed]
        if not names:
            self.say(level, "pass")
            return
        name = self.rng.choice(names)
        sign = {
            "whole": ("+", "-", "*", "&", "|", "^", "//", "%", "<<"),
            "word": ("&", "|", "^", "^", "+", "-", ">>", "<<"),
        }
        value = self.expression(kind, 1)
        if self.rng.random() < 0.6:
            value = f"({value} & 7)" if kind == "whole" and self.rng.random() < 0.5 else value
            self.say(level, f"{name} {self.rng.choice(sign.get(kind, ('+', '-', '*')))}= {value}")
        else:
            self.say(level, f"{name} = {value}")

    def branch(self, level: int) -> None:
        self.say(level, f"if {self.truth(1)}:")
        if self.rng.random() < 0.2:
            self.say(level + 1, "pass")
        self.change(level + 1)
        if self.rng.random() < 0.5:
            self.say(level, self.pick("else:", f"elif {self.truth(1)}:"))
            self.change(level + 1)

    def loop(self, level: int) -> None:
        name = self.new("")
        spans = [f"range({self.rng.randint(0, 6)})", "range(7, 0, -2)", "range(-2, 3)", "range(self.limit)"]
        spans += ["(1, 2, 5)", "[3, 1]", "TABLE"]
        if not self.outside:
            spans += ["s.pair", "s.row", "s.grid[1]", "self.table", "ROWS[3]", *(["s.tiny"] if self.small else [])]
        span = self.pick(*spans)
        if self.rng.random() < 0.2:
            other = self.new("")
            pair = self.pick(f"enumerate({span})", f"zip({span}, range(3))")
            self.say(level, f"for {name}, {other} in {pair}:")
            added = [name, other]
        else:
            self.say(level, f"for {name} in {span}:")
            added = [name]
        self.fixed.update(added)
        self.variables["whole"] += added
        self.change(level + 1)
        if self.rng.random() < 0.4:
            self.say(level + 1, f"if {self.truth(1)}:")
            self.say(level + 2, self.pick("break", "continue"))
            self.change(level + 1)
        if self.rng.random() < 0.3:
            self.statement(level + 1)
        for each in added:
            self.variables["whole"].remove(each)

    def while_loop(self, level: int) -> None:
        name = self.new("")
        self.say(level, f"{name} = {self.rng.randint(0, 5)}")
        self.say(level, f"while {name} > 0:")
        self.say(level + 1, f"{name} -= 1")
        self.change(level + 1)

    def unpack(self, level: int) -> None:
        if level > 1:
            self.change(level)
            return
        one, other = self.new("whole"), self.new("whole")
        source = self.pick("s.pair", "s.nest[1]", "s.inner.pos", "divmod(s.x, 7)", "(s.y, s.x)", "s.row[:2]")
        self.say(level, f"{one}, {other} = {source}")
        if self.rng.random() < 0.3:
            self.say(level, f"{one}, {other} = {other}, {one}")

    def board(self, level: int) -> None:
        """Changes a copy of an array."""
        if level > 1:
            self.change(level)
            return
        name = self.new("")
        array, size = self.rng.choice([("row", 5), ("tiny", 4), ("row", 5), ("short", 4)])
        self.say(level, f"{name} = s.{array}.copy()")
        sign = self.pick("=", "+=", "-=", "^=")
        self.say(level, f"{name}[{self.place(size)}] {sign} {self.whole(1)}")
        self.variables["whole"].append(f"{name}[{self.place(size)}]")
        self.fixed.add(self.variables["whole"][-1])
