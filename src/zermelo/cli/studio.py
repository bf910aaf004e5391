"""`zermelo studio`: the web application."""

from __future__ import annotations

import click

from zermelo.cli._answer import say


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--port", type=click.IntRange(0, 65535), default=8642, show_default=True, help="0 for any free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--name", "names", multiple=True, help="Another name under which pages may reach the studio.")
@click.option("--tournament", "tournaments", multiple=True, metavar="FILE", help="A tournament to look at.")
@click.option(
    "--bot", "bots", multiple=True, metavar="FILE", help="A bot of your own, bot.py:Bot, or a folder of them."
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser, or only print its address.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def command(
    games: tuple[str, ...],
    port: int,
    host: str,
    names: tuple[str, ...],
    tournaments: tuple[str, ...],
    bots: tuple[str, ...],
    opens: bool,
) -> None:
    """Play, watch searches and analyse in a browser, until Ctrl-C.

    GAMEs of your own, as in my_game.py:Nim, are listed first; those of the package are always there. A --bot can be
    played against, and meets others in tournaments; a folder of bots is a class.
    """
    from zermelo.studio import serve

    def ready(address: str) -> None:
        say(f"The studio is open at\n\n    {address}\n\nCtrl-C closes it.")
        if opens:
            import webbrowser

            webbrowser.open(address)

    serve(games, host=host, port=port, names=names, tournaments=tournaments, bots=bots, ready=ready)
