"""The Go Text Protocol, version 2, for any game of two without dice: an engine that reads commands and answers them.

server     lines in, answers out: framing, errors, and what every engine knows
play       moves, boards and time
stones     what only Go has: komi, handicap, counting, dead stones, SGF
stone_game what makes a game Go
choosing   moves of its own
analysis   what the search thinks, while it thinks
request    the words in which an analysis is asked for
table      the game on the table: its moves, and taking them back
clock      the time that the protocol's settings leave for one move

Black is player 0. A vertex is the move in the game's own notation, as one word.
"""

from zermelo.protocols.gtp.server import GtpServer as GtpServer
