"""Players, the games they play, and tournaments.

    players/     the kinds of players, found by a scan
    play         one game in the terminal, from the first move to its `Record`
    adjudicate   games that end early because their result is clear
    supervisor   outside programs that play; bot: the process of a Python class that plays

    plan         what a tournament is; schedule/: who meets whom; openings/: from which positions
    tournament   which games are left to play, and how to go on
    scheduled    one of these games, as it is scheduled, handed out and ended
    host         plays one game after another; executors/: hosts in this process, in others, on a cluster
    store        the file of a tournament
    copies       games that players repeat; payoffs: what entrants got a game; adjust/: the same with luck taken off
    sequential   the test of two entrants, as games come in
    report       what it has come to; statistics/: ratings and tests; export/: its games for other programs

    selfplay/    positions of many games, as data to learn from
    calibrate/   opponents of known strength

A player of your own needs no base class: a name and `choose` are enough.
"""

from zermelo.arena.play import play as play
from zermelo.arena.players import Player as Player
from zermelo.arena.players import make_player as make_player
from zermelo.arena.players import make_players as make_players
from zermelo.arena.players.human import Human as Human
from zermelo.play import Chooser as Chooser
from zermelo.play import Move as Move
from zermelo.play import Record as Record
from zermelo.play import Wish as Wish
