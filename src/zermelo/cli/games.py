"""`zermelo games`: what there is to play."""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

import click

from zermelo.cli._answer import Answer, answers
from zermelo.options import default_options, write_options


@click.command()
@answers
def command() -> Answer:
    """List the built-in games and their options."""
    from zermelo.games import games

    found = [describe(name, cls) for name, cls in games().items()]
    return Answer({"games": found}, lambda: "\n\n".join(map(tell, found)) + "\n\nnext: zermelo play tictactoe")


def describe(name: str, cls: Any) -> dict[str, Any]:
    """The facts of a game as it is without options."""
    game = cls()
    return {
        "name": name,
        "summary": (inspect.getdoc(cls) or "").partition("\n")[0],
        "players": game.players,
        "chance": game.kind.chance,
        "hidden": game.kind.hidden,
        "options": default_options(cls),
    }


def tell(game: dict[str, Any]) -> str:
    facts = [f"{game['players']} players", "chance" * game["chance"], "hidden information" * game["hidden"]]
    title = f"{click.style(game['name'], bold=True)}  ({', '.join(filter(None, facts))})"
    lines = textwrap.wrap(game["summary"], 76)
    if game["options"]:
        lines.append(f"{game['name']}:{write_options(game['options'])}")
    return "\n".join([title, *(f"    {line}" for line in lines)])
