"""The Go Text Protocol, version 2, for any game of two without dice: an engine that reads commands and answers them.

server     lines in, answers out: framing, errors, moves, boards and time
game       the game on the board, its clock, and moves of the engine's own
analysis   what the search thinks, while it thinks
stones     what only Go has: komi, handicap, counting, dead stones, SGF

Black is player 0. A vertex is the move in the game's own notation, as one word.
"""

from zermelo.protocols.gtp.server import GtpServer as GtpServer
