"""The studio: a local web application in which to play, watch a search, analyse, solve a matrix and hold a tournament.

    guard      who may talk to it: Host, Origin and a token
    wire       messages, their size and their rate
    app        the pages, and the socket of each page
    session    what one page has open; it outlives a lost connection
    desk       the threads that work: short errands apart from searches, which can be stopped
    rooms/     one file a view: play, watch, analyse, theory, arena
    catalogue  the games and players that a page may name
    static/    the page itself: ES modules and SVG, each view one module with render({ model, el })

Nothing that a page sends is evaluated, and it can name no file and no program: games of one's own come from the command
line alone. Rules never run on the event loop, so a slow search, or a rule that never ends, keeps nobody else waiting.
"""

from zermelo.studio.serve import make_studio as make_studio
from zermelo.studio.serve import serve as serve
