"""`zermelo players`: who can play."""

from __future__ import annotations

import textwrap
from typing import Any

import click

from zermelo.cli._answer import Answer, answers


@click.command()
@answers
def command() -> Answer:
    """List the kinds of players and their options."""
    from zermelo.arena.players import kinds

    found = [
        {"name": name, "summary": kind.summary, "example": kind.example, "options": dict(kind.options)}
        for name, kind in kinds().items()
    ]
    last = "next: zermelo play tictactoe --players human,engine:seconds=0.5"
    return Answer({"players": found}, lambda: "\n\n".join([*map(tell, found), last]))


def tell(kind: dict[str, Any]) -> str:
    lines = textwrap.wrap(kind["summary"], 76)
    lines.append(kind["example"])
    if kind["options"]:
        lines += textwrap.wrap(f"options: {', '.join(kind['options'])}", 76, subsequent_indent="  ")
    return "\n".join([click.style(kind["name"], bold=True), *(f"    {line}" for line in lines)])
