"""What is lost and won along a line of play, in pieces, where a game counts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play.words import name_player

PLURALS = {"man": "men"}


def balance(game: Game[S, A], state: S, mover: int, line: Sequence[A]) -> list[int]:
    """By how many pieces the mover is ahead after each action of a line, that of the start counting as nothing."""
    found = []
    for action in (*line, None):
        mine, theirs = (sum(game.count_pieces(state, p).values()) for p in (mover, 1 - mover))
        found.append(mine - theirs)
        if action is None or game.is_terminal(state):
            break
        state = game.result(state, action)
    return [each - found[0] for each in found]


def say_exchange(game: Game[S, A], before: S, after: S, mover: int) -> str:
    """`loses the knight for a pawn`, or `gives black a corner`."""
    other = 1 - mover
    lost, won = say_won(game, before, after, mover), say_won(game, before, after, other)
    if lost:
        return f"loses {lost}" + (f" for {won}" if won else "")
    given = say_won(game, after, before, other)
    return f"gives {name_player(game, other)} {given}" if given and not won else ""


def say_won(game: Game[S, A], before: S, after: S, p: int) -> str:
    """What player `p` has before and no more after, in words."""
    had, has = game.count_pieces(before, p), game.count_pieces(after, p)
    return say_counted({name: had[name] - has[name] for name in had}, had)


def say_counted(counts: Mapping[str, int], owned: Mapping[str, int]) -> str:
    """`the queen and 2 pawns`: what is the only one of its kind gets `the`."""
    words = [
        f"{n} {PLURALS.get(name, name + 's')}"
        if n > 1
        else f"the {name}"
        if owned.get(name) == 1
        else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
        for name, n in counts.items()
        if n > 0
    ]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def settle(game: Game[S, A], state: S, line: Sequence[A], ply: int) -> int:
    """The first place of a line, from `ply` on, after which nothing is taken at once."""
    counts = []
    for action in (*line, None):
        counts.append([dict(game.count_pieces(state, p)) for p in (0, 1)])
        if action is None or game.is_terminal(state):
            break
        state = game.result(state, action)
    while ply + 1 < len(counts) and counts[ply + 1] != counts[ply]:
        ply += 1
    return ply
