"""From Numba's report to one line that names the file, the line and a remedy."""

from __future__ import annotations

import os
import re

from zermelo.errors import CompileError
from zermelo.game.contract import Game

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_PLACE = re.compile(r'File "([^"<]+)", line (\d+)')
_AT = re.compile(r"(?:at|from) ([^\s<][^\n]*?\.py) \((\d+)\)")

_REMEDIES: tuple[tuple[str, str], ...] = (
    (r"\w+ calls itself", "write it as a loop: compiled, a recursion without an end would end the process"),
    (r"with `is` which object", "write `==`"),
    (
        r"truth values|int64 or truth|index type bool|unify[^\n]*\bbool\b|NumPy keeps in fewer bits(?! or)|"
        r"NumPy's do not have|array of small numbers|"
        r"unify[^\n]*\b(u?int(8|16|32)|float32)\b",
        "write `int(…)` or `float(…)` around such numbers, or take an array of 64 bits",
    ),
    (r"for a bound of a slice", "write `int(…)` around it; text does not compile"),
    (r"may be NumPy's", "write `int(…)` around it"),
    (
        r"a float that may be a whole number|unify[^\n]*word[^\n]*float|unify[^\n]*float[^\n]*word",
        "write `float(…)` around each of them",
    ),
    (r"words and other numbers, and if", "write `int(…)` around those that are NumPy's"),
    (r"compares tuples of words", "compare them number by number: `a[0] == b[0] and a[1] == b[1]`"),
    (r"sum of words and other numbers", "write it as `a + b + …`"),
    (r"complex numbers|stores complex", "only real numbers compile; `(-2) ** 0.5` is complex as well"),
    (r"math\.hypot", "write `math.sqrt(a * a + b * b)`"),
    (r"NumPy computes in a way of its own", "write it with `math`, or with operators, number by number"),
    (r"a power of an array", "write `a * a`, or take the power number by number"),
    (r"shifts by an array|divides an array of floats", "write it number by number"),
    (r"compares an array of words", "compare it with `U64(…)`, or number by number"),
    (r"power by words", "write `int(…)` around it"),
    (r"keeps in fewer bits or in others", "take arrays of 64 bits alike, with or without a sign"),
    (r"a rule uses `with`", "leave it out: what it would change, as `np.errstate` does, compiled rules do not have"),
    (r"catches errors", "test for what would raise first: compiled, a number beyond 64 bits raises as well"),
    (r"matrices of floats", "write the loop out: `a[0] * b[0] + a[1] * b[1] + …`"),
    (r"Int value is too large", "compiled rules have whole numbers of 64 bits: keep it smaller"),
    (r"yield from|YIELD_FROM|GET_YIELD_FROM_ITER|SEND", "`yield from` does not compile: write `for x in …: yield x`"),
    (
        r"yield in a closure|generator expression|genexpr",
        "write the loop out: it does not compile in a closure",
    ),
    (r"super\(\)|LOAD_SUPER|'super'", "`super()` does not compile: give the inherited method another name and call it"),
    (
        r"self\.\w+ is a \w+",
        "only numbers, tuples and arrays compile: keep such attributes out of rules",
    ),
    (
        r"readonly array|[Cc]annot (assign|modify).*(readonly|read-only)|mutable",
        "arrays of a state are read-only: `.copy()` first",
    ),
    (
        r"is word in the initial state, but a rule stores float|exact_(and|or|xor)\([^\n]*float",
        "only whole numbers fit there; where NumPy makes a float of numbers with and without a sign, write `U64(…)` "
        "around each",
    ),
    (
        r"(getitem|getiter)[^\n]*(\s*>>>[^\n]*)?Tuple\([^\n]*word64",
        "a tuple with words is read by position alone: write `U64(…)` around each of its numbers",
    ),
    (r"in the initial state, but a rule stores IntEnum", "write `int(…)` around it, as in `int(Cell.WHITE)`"),
    (r"in the initial state, but a rule stores", "let every rule store what the initial state has there"),
    (r"takes `_replace`|Unknown attribute '_replace'", "build the state with `self.State(…)`"),
    (r"in a set in an order", "write `sorted(…)` around it"),
    (r"numbers with `\*`", "write them one by one, as in `range(t[0], t[1])`"),
    (r"takes a tuple of", "make it of a list, a tuple or a range"),
    (r"Unknown attribute '(\w+)'", "compiled rules see numbers, tuples, arrays and the game's own methods only"),
    (
        r"imprecise type: list\(undefined\)",
        "`[]` alone has no type: let the rule `yield`, or return a list that things are appended to",
    ),
    (r"cannot infer.*list|untyped list|Cannot infer the type of variable", "let a variable hold one type throughout"),
    (
        r"built-in function (min|max)>",
        "write `int(…)` or `float(…)` around each of these, so that they are of one kind",
    ),
    (r"Cannot unify", "let each variable, and what each rule returns, have one type throughout"),
    (r"OverloadSelector[^\n]*\bList\(", "write it as a tuple, or make it an attribute of the game"),
    (r"Cannot bind 'args=[^\n]*, \*,", "let functions take their arguments by position: leave out the `*`"),
    (r"f-string|unicode|FORMAT_VALUE|BUILD_STRING|str\(", "text does not compile: keep it out of the rules"),
    (r"dict|set\(|BUILD_MAP|DictType", "dicts do not compile, nor do sets of sets: use arrays"),
    (r"not supported|[Uu]nsupported|Use of", "use plain loops, numbers, tuples and NumPy arrays in the rules"),
)


def explain(game: Game, method: str | None, error: BaseException) -> CompileError:
    """Returns a `CompileError` for Numba's report about a rule of `game`."""
    text = _without_colours(str(error))
    place = _place(text, error)
    where = f"{place[0]}:{place[1]}: " if place else beginning(game, method or _storing(text))
    reason = _reason(text)
    remedy = next((advice for pattern, advice in _REMEDIES if re.search(pattern, text)), "write the rule more plainly")
    what = f"`{method}`" if method else "the rules"
    return CompileError(f"{where}{what} of {game.name} cannot be compiled ({reason}): {remedy}")


def stored_in_truth(error: BaseException) -> str | None:
    """The boolean field of the initial state in which a rule stores an integer, if that is the error."""
    stores = r"(\S+) is bool in the initial state, but a rule stores (?:int|uint|word|Literal)"
    found = re.search(stores, _without_colours(str(error)))
    return found.group(1) if found else None


def _without_colours(text: str) -> str:
    """The text without colours, and without the numbers that make names unique."""
    return re.sub(r"_[0-9a-f]{16}(_\d+)?\b", "", re.sub(r"\x1b\[[0-9;]*m", "", text))


def _place(text: str, error: BaseException) -> tuple[str, int] | None:
    """The innermost line of user code in the report: Numba reports from the inside out."""
    found = [(m.start(), m.group(1), int(m.group(2))) for p in (_PLACE, _AT) for m in p.finditer(text)]
    location = getattr(error, "loc", None)
    if location is not None and getattr(location, "filename", None):
        found.append((len(text), location.filename, location.line))
    for _, name, line in sorted(found):
        path = os.path.abspath(name)
        if not _is_ours(path) and f"{os.sep}numba{os.sep}" not in path and os.path.exists(path):
            return _shown(path), line
    return None


def _storing(text: str) -> str | None:
    """The rule that returns the state which cannot be stored: Numba's report names no line of it."""
    return "result" if "but a rule stores" in text else None


def beginning(game: Game, method: str | None) -> str:
    """Where a rule begins, as "file:line: "; empty if that is not known."""
    code = getattr(getattr(type(game), method or "", None), "__code__", None)
    if code is None or _is_ours(code.co_filename):
        return ""
    return f"{_shown(code.co_filename)}:{code.co_firstlineno}: "


def _is_ours(path: str) -> bool:
    """Whether a file is one of the package, where no author can mend anything."""
    return os.path.abspath(path).startswith(_PACKAGE)


def _shown(path: str) -> str:
    """A path relative to the current directory if it is inside, absolute otherwise."""
    inside = os.path.relpath(path)
    return os.path.abspath(path) if inside.startswith(os.pardir) else inside


def _in_words(line: str) -> str:
    """A line of Numba's report without the objects that it prints in place of what they stand for."""
    if "OverloadSelector object" in line and "List(" in line:
        return "Cannot use a list as a default argument or inside a global tuple"
    if line.startswith("Cannot bind 'args=") and ", *," in line:
        return "Cannot call a function with keyword-only arguments"
    return line


def _reason(text: str) -> str:
    """The most informative line of Numba's report."""
    lines = [_in_words(line.strip(" -\t")) for line in text.splitlines()]
    patterns: tuple[str, ...] = (
        r"^(The use of .*)$",
        r"^(\w*Error: )?(\w+ calls itself)$",
        r"^(\w*Error: )?(self\.\w+ is a .*|.* in the initial state, but a rule stores .*)$",
        r"^(\w*Error: )?(a rule (gives|catches|uses|computes|takes|compares) .*)$",
        r"^(Unknown attribute .*|Cannot unify .*|Cannot modify.*|.*[Uu]nsupported.*|.*not supported.*)$",
        r"^(No implementation of function .*|Untyped global name .*|NameError.*|Use of .*|.*[Cc]annot .*)$",
        r"^(Invalid use of .*|.*[Ii]nvalid .*)$",
    )
    noise = ("<function declare", "<function exact_", "Failed in nopython")
    lines = [line for line in lines if not any(word in line for word in noise)]
    for pattern in patterns:
        for line in lines:
            match = re.match(pattern, line)
            if match:
                return re.sub(r"^\w*Error: ", "", match.group(0)).rstrip(":.")[:160]
    return next((line for line in lines if line), "for an unknown reason")[:160]
