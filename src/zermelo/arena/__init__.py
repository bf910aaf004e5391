"""Players and the games they play.

    players/     one file a kind of player, found by scan
    play         one game, from the first move to its `Record`
    repetition   the rule of repetition, which needs the game so far and not only the position
    announce     a game told in a terminal while it is played
    words        who plays, what a value means, how a game has ended

A player of your own needs no base class: a name and `choose` are enough.
"""

from zermelo.arena.play import Move as Move
from zermelo.arena.play import Record as Record
from zermelo.arena.play import play as play
from zermelo.arena.player import Chooser as Chooser
from zermelo.arena.player import Wish as Wish
from zermelo.arena.players import Player as Player
from zermelo.arena.players import make_player as make_player
from zermelo.arena.players import make_players as make_players
from zermelo.arena.players.human import Human as Human
