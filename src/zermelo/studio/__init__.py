"""The studio: a local web application in which to play, watch a search, analyse, solve a matrix and hold a tournament.

    server      binds a port and serves until Ctrl-C
    guard       who may connect: Host, Origin and a token
    connections HTTP connections with a deadline for their request
    app         the pages, and the socket of each page
    messages    requests and answers, their size and their rate
    session     the state of one page; it outlives a lost connection
    workers     the threads: requests apart from searches, which can be stopped
    recordings  recorded searches, and the cache that holds them
    catalogue   the games and players that a page may name
    views/      the server's half of each view: play, watch, analyse, theory, arena
    exercise    a recorded search as an exercise on paper
    notebook    boards and views in a notebook
    static/     the page itself: ES modules and SVG, each view one module with render({ model, el })

Nothing that a page sends is evaluated, and a page cannot name a file or a program: the user's own games come only
from the command line. Rules never run on the event loop, so that a slow search, or a rule that never ends, keeps no
other page waiting.
"""

from zermelo.studio.server import make_studio as make_studio
from zermelo.studio.server import serve as serve
