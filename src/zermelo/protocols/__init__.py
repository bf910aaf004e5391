"""Text to and from play: any game as an engine for other programs.

session   one game under discussion: its position and the search under way, in a thread of its own
settings  what a peer may set for a session, and ask of a search
uci       the Universal Chess Interface over a session; uci_options: what a peer may set
gtp/      the Go Text Protocol over a session
score     values as centipawns or moves to the win, the `info` lines of UCI, and back
epd       test suites: positions, what is to be found in them, and what a search finds

Players that speak to outside programs are in `zermelo.arena.players`.
"""
