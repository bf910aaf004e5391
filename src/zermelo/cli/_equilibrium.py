"""What `zermelo equilibrium` answers, as data and in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from zermelo.equilibrium.choose import equilibria, equilibrium
from zermelo.equilibrium.correlation import correlated, stackelberg
from zermelo.equilibrium.dominance import Elimination, components
from zermelo.equilibrium.dynamics import DYNAMICS
from zermelo.equilibrium.form import NormalForm
from zermelo.equilibrium.numbers import Number, say
from zermelo.equilibrium.profile import Continuum, Equilibria, Equilibrium, pure_equilibria, second_thoughts
from zermelo.equilibrium.zerosum import ZeroSum, optimal_strategies, saddle_points, write_dual, write_primal
from zermelo.errors import MethodError

BAR = 24
"""The width of the bar of probability 1, in characters."""
MOST_SHOWN = 24
"""Actions of a player in a table for people; equilibria in a list."""

Reply = tuple[dict[str, object], Callable[[], str]]


class Question(NamedTuple):
    """What is asked of a game."""

    form: NormalForm
    exact: bool
    every: bool
    method: str | None
    zero_sum: bool
    """Whether the original game is zero-sum: what an elimination leaves may be so by chance."""


def solve_question(asked: Question) -> Reply:
    """The answer in both forms; raises `MethodError` for what a method cannot do."""
    form, method = asked.form, asked.method
    if method in DYNAMICS or method in ("correlated", "coarse", "stackelberg"):
        if asked.every:
            raise MethodError(f"{method} finds one answer, not all: leave out --all")
        if method in DYNAMICS:
            return answer_dynamics(asked)
        return answer_stackelberg(asked) if method == "stackelberg" else answer_correlated(asked)
    if asked.every or method in ("vertices", "supports"):
        if asked.zero_sum and method is None:
            return answer_optimal(form)
        return answer_all(form, equilibria(form, True, method))
    found = equilibrium(form, asked.exact, method)
    if isinstance(found, ZeroSum) and asked.zero_sum:
        return answer_zero_sum(found)
    return answer_one(form, found)


def head(form: NormalForm, method: str, exact: bool) -> dict[str, object]:
    data = {"title": form.title, "players": form.players, "actions": form.actions}
    return data | {"method": method, "exact": exact}


# Zero-sum.


def answer_zero_sum(found: ZeroSum) -> Reply:
    data = head(found.game, found.method, found.exact) | {
        "value": found.value,
        "row": found.row,
        "column": found.column,
        "primal": write_primal(found),
        "dual": write_dual(found),
        "gap": found.gap,
        "saddle_points": saddle_points(found.game),
    }
    return data, lambda: zero_sum_text(found)


def zero_sum_text(found: ZeroSum) -> str:
    form = found.game
    parts = [matrix_text(form), f"value {say(found.value)} to {form.players[0]}{nearly(found.value)}"]
    parts += [strategies_text(form, found.strategies)]
    if max(form.shape) <= MOST_SHOWN // 2:
        for who, program in zip(form.players, (write_primal(found), write_dual(found)), strict=True):
            lines = [f"{who}: {program['objective']}", *(f"    {line}" for line in program["constraints"])]
            parts.append("\n".join([*lines, f"    optimum {say(program['value'])}"]))
    parts.append(verdict(found))
    saddle = saddle_points(form)
    if saddle:
        parts.append(f"saddle points: {', '.join(' '.join(form.name_profile(place)) for place in saddle)}")
    elif max(form.shape) <= MOST_SHOWN:
        chain = [" ".join(form.name_profile(place)) for place in second_thoughts(form, (0, 0), 1)]
        parts.append(f"no saddle point; second thoughts go round: {' → '.join(chain)}")
    return "\n\n".join(parts)


def verdict(found: ZeroSum) -> str:
    """How the two programs prove the value: exactly, or up to a gap."""
    if not found.exact:
        return f"primal and dual differ by {max(found.gap, 0.0):.1e}: the value lies between them"
    rows, columns = found.slackness()
    products = [share * slack for share, slack in rows + columns]
    return (
        "primal = dual, and every probability or its slack is 0: optimal, by duality"
        if found.gap == 0 and not any(products)
        else "primal and dual differ: please report this game"
    )


def answer_optimal(form: NormalForm) -> Reply:
    rows, columns = optimal_strategies(form)
    found = equilibrium(form, exact=True)
    data = head(form, "vertices", True) | {"value": found.payoffs[0], "rows": rows, "columns": columns}

    def text() -> str:
        parts = [matrix_text(form), f"value {say(found.payoffs[0])} to {form.players[0]}{nearly(found.payoffs[0])}"]
        for p, own in enumerate((rows, columns)):
            title = f"{form.players[p]} has {len(own)} extreme optimal {'strategy' if len(own) == 1 else 'strategies'}"
            parts.append("\n".join([title, *(f"    {strategy_line(form, p, one)}" for one in own[:MOST_SHOWN])]))
        return "\n\n".join([*parts, "every mixture of a player's is optimal, and there are no others"])

    return data, text


# Two and more players.


def answer_one(form: NormalForm, found: Equilibrium | ZeroSum) -> Reply:
    data = head(form, found.method, found.exact) | equilibrium_data(found)
    return data, lambda: "\n\n".join(
        [matrix_text(form, both=True), payoffs_text(form, found.payoffs), strategies_text(form, found.strategies)]
    )


def equilibrium_data(found: Equilibrium | ZeroSum) -> dict[str, object]:
    return {"strategies": found.strategies, "payoffs": found.payoffs}


def answer_all(form: NormalForm, found: Equilibria) -> Reply:
    grouped = components(found) if len(form.players) == 2 else None
    method, exact = (found[0].method, found[0].exact) if found else ("supports", False)
    data = head(form, method, exact) | {"equilibria": [equilibrium_data(one) for one in found]}
    data["complete"] = found.complete
    data["continua"] = [
        {"supports": each.supports, "example": each.example and equilibrium_data(each.example)}
        for each in found.continua
    ]
    if grouped is not None:
        data["components"] = [[{"rows": s.rows, "columns": s.columns} for s in group] for group in grouped]

    def text() -> str:
        parts = [matrix_text(form), all_title(form, found)]
        for number, one in enumerate(found[:MOST_SHOWN], 1):
            lines = [strategy_line(form, p, own) for p, own in enumerate(one.strategies)]
            lines = [f"{number:>4}  {lines[0]}", *(f"      {line}" for line in lines[1:])]
            parts.append("\n".join([*lines, f"      {payoffs_text(form, one.payoffs)}"]))
        if len(found) > MOST_SHOWN:
            parts.append(f"… and {len(found) - MOST_SHOWN} more: --json has all")
        if grouped is not None and any(not subset.is_point for group in grouped for subset in group):
            parts.append(continua_text(found, grouped))
        if found.continua:
            parts.append(open_text(form, found.continua))
        elif not found.complete:
            parts.append("the list may be incomplete")
        return "\n\n".join(parts)

    return data, text


def all_title(form: NormalForm, found: Equilibria) -> str:
    kind = "extreme equilibrium" if len(form.players) == 2 else "isolated equilibrium"
    kind = "equilibrium" if found.continua else kind
    pure = len(pure_equilibria(form))
    if len(found) == 1:
        return f"1 {kind}, {'pure' if pure else 'mixed'}"
    return f"{len(found)} {kind.replace('ium', 'ia')}, {pure} of them pure"


def continua_text(found: list[Equilibrium], grouped: list[list[Any]]) -> str:
    """Which equilibria can be mixed with each other."""
    places = {one.strategies: number for number, one in enumerate(found, 1)}
    lines = ["not all are isolated; every mixture within a set is an equilibrium:"]
    for group in grouped:
        sets = [sorted(places[row, column] for row in s.rows for column in s.columns) for s in group]
        lines.append("    " + ", ".join("{" + " ".join(map(str, numbers)) + "}" for numbers in sorted(sets)))
    return "\n".join(lines)


def open_text(form: NormalForm, continua: Sequence[Continuum]) -> str:
    """On which supports there are others, with one of them."""
    lines = ["others are not isolated, and the list may be incomplete: more use exactly these actions"]
    for each in continua[:MOST_SHOWN]:
        used = ["+".join(form.actions[p][i] for i in own) for p, own in enumerate(each.supports)]
        shown = "; ".join(f"{who}: {names}" for who, names in zip(form.players, used, strict=True))
        if each.example is not None:
            one = (strategy_line(form, p, own) for p, own in enumerate(each.example.strategies))
            shown += f"; one is {'; '.join(one)}"
        lines.append(f"    {shown}")
    if len(continua) > MOST_SHOWN:
        lines.append(f"    … and {len(continua) - MOST_SHOWN} more: --json has all")
    return "\n".join(lines)


# Learning, correlation, commitment.


def answer_dynamics(asked: Question) -> Reply:
    form, method = asked.form, str(asked.method)
    if asked.exact:
        raise MethodError(f"{method} computes in floating point: leave out --exact")
    course = DYNAMICS[method](form)
    data = head(form, method, False) | {"strategies": course.strategies, "regrets": course.regrets}

    def text() -> str:
        regret = ", ".join(f"{name} {say(gain, 3)}" for name, gain in zip(form.players, course.regrets, strict=True))
        parts = [matrix_text(form), f"{method}, after {course.steps:,} steps", strategies_text(form, course.strategies)]
        return "\n\n".join([*parts, f"regrets: {regret} (0 would be an equilibrium)"])

    return data | {"steps": course.steps}, text


def answer_correlated(asked: Question) -> Reply:
    form = asked.form
    found = correlated(form, coarse=asked.method == "coarse", exact=asked.exact)
    shares = found.shares()
    data = head(form, str(asked.method), asked.exact) | {
        "draws": [[*names, share] for names, share in shares],
        "payoffs": found.payoffs,
    }

    def text() -> str:
        width = max(len(" ".join(names)) for names, _ in shares)
        lines = [f"{' '.join(names):<{width}}  {say(share):>10}  {bar(share)}".rstrip() for names, share in shares]
        kind = "coarse correlated" if found.coarse else "correlated"
        title = f"the {kind} equilibrium with the greatest sum of payoffs"
        return "\n\n".join([matrix_text(form), title, "\n".join(lines), payoffs_text(form, found.payoffs)])

    return data, text


def answer_stackelberg(asked: Question) -> Reply:
    form = asked.form
    found = stackelberg(form, 0, asked.exact)
    reply = form.actions[1][found.reply]
    data = head(form, "stackelberg", asked.exact) | {
        "strategy": found.strategy,
        "reply": reply,
        "payoffs": found.payoffs,
    }

    def text() -> str:
        title = f"{form.players[0]} commits first, {form.players[1]} replies {reply}"
        parts = [matrix_text(form), title, strategy_bars(form, 0, found.strategy)]
        return "\n\n".join([*parts, payoffs_text(form, found.payoffs)])

    return data, text


def elimination_text(struck: Elimination) -> str:
    if not struck.steps:
        return "no action is strictly dominated"
    lines = ["strictly dominated actions, in the order in which they go:"]
    for step in struck.steps:
        lines.append(f"    {step.stage}. {struck.game.players[step.player]}: {step.action}, by {step.by_text}")
    return "\n".join(lines)


# Words and bars.


def nearly(value: Number) -> str:
    """A fraction as a decimal, too."""
    return f" ({float(value):.6g})" if getattr(value, "denominator", 1) not in (1,) else ""


def matrix_text(form: NormalForm, both: bool = False) -> str:
    """The table of a game of two players, if it is small; with the payoffs of both unless it is zero-sum."""
    size = " × ".join(map(str, form.shape))
    if len(form.players) != 2 or max(form.shape) > MOST_SHOWN // 2:
        return f"{form.title or 'a game'} of {size} ({', '.join(form.players)})"
    tables = form.payoffs[:1] if form.is_zero_sum and not form.costs and not both else form.payoffs
    cells = [
        [", ".join(say(form.shown(table[i, j])) for table in tables) for j in range(form.shape[1])]
        for i in range(form.shape[0])
    ]
    names = [str(name) for name in form.actions[0]]
    widths = [max(len(form.actions[1][j]), *(len(row[j]) for row in cells)) for j in range(form.shape[1])]
    left = max(map(len, names))
    top = "  ".join(name.rjust(width) for name, width in zip(form.actions[1], widths, strict=True))
    lines = [f"{'':<{left}}  {top}"]
    for name, row in zip(names, cells, strict=True):
        body = "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(f"{name:<{left}}  {body}")
    return "\n".join(line.rstrip() for line in lines)


def bar(share: Number) -> str:
    return "█" * round(BAR * float(share))


def strategies_text(form: NormalForm, strategies: Sequence[Sequence[Number]]) -> str:
    return "\n".join(strategy_bars(form, p, own) for p, own in enumerate(strategies))


def strategy_bars(form: NormalForm, p: int, strategy: Sequence[Number]) -> str:
    """One line per action: name, probability, bar; only those in use where there are many."""
    named = list(zip(form.actions[p], strategy, strict=True))
    if len(named) > MOST_SHOWN:
        named = [(name, share) for name, share in named if share > 1e-9]
    left = max(map(len, form.players))
    width = max(len(name) for name, _ in named)
    number = max(len(say(share)) for _, share in named)
    lines = []
    for i, (name, share) in enumerate(named):
        who = form.players[p] if i == 0 else ""
        lines.append(f"{who:<{left}}  {name:<{width}}  {say(share):>{number}}  {bar(share)}".rstrip())
    return "\n".join(lines)


def strategy_line(form: NormalForm, p: int, strategy: Sequence[Number]) -> str:
    used = [f"{name} {say(share)}" for name, share in zip(form.actions[p], strategy, strict=True) if share > 1e-12]
    return f"{form.players[p]}: {', '.join(used)}"


def payoffs_text(form: NormalForm, payoffs: Sequence[Number]) -> str:
    word = "costs" if form.costs else "payoffs"
    return f"{word}: {', '.join(f'{who} {say(each)}' for who, each in zip(form.players, payoffs, strict=True))}"
