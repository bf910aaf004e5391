"""Players and the games they play.

    players/     one file a kind of player, found by scan
    play         one game, from the first move to its `Record`
    clock        time controls; adjudicate: games that are ended early
    repetition   the rule of repetition, which needs the game so far and not only the position
    announce     a game told in a terminal while it is played
    words        who plays, what a value means, how a game has ended
    supervisor   outside programs that play, and survive nobody's patience

    tournament   many games: a plan, its schedule/, its openings/, and how to go on
    scheduled      one of these games, as it is scheduled, handed out and ended
    host         plays fixtures; executor/: hosts in this process, in others, on a cluster
    store        the file of a tournament
    statistics/  what the results say; report: the same for a tournament; export/: its games for other programs

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
