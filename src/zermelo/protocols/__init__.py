"""Text to and from play: what a game's moves, positions and values are in the protocols of the field.

notation     an action as one word, a position as text, and back
scoresheet   the moves of a game of which only the states are known
score        a value in centipawns or in moves to the win, and back
timing       what `go` asks for, and how much time that leaves for one move
searcher     the search that fits a game: the engine, or the textbook
thinking     a search under way, in a thread of its own
session      one game under discussion: its position, its settings and the search under way
options      what a peer may set, in the words of UCI
uci          the Universal Chess Interface over a session
epd          test suites: positions, and what is to be found in them
suite        what a search makes of them
info         the lines in which a UCI engine tells what it thinks, and back

Each protocol is one file over a `Session`. Players that speak to outside programs are in `zermelo.arena.players`.
"""
