"""One game being played, step by step: what the arena, the studio and the protocols share.

live       `LiveGame`: the state, the moves so far, whose turn it is, undo, and how the game ended
player     what a player is, and what it answers
luck       chance that is the same for whoever plays
clock      time controls, and the clocks of one game
notation   legal actions after a history; positions, moves and lines as text
words      names of players, values and outcomes for people to read
"""

from zermelo.play.clock import TimeControl as TimeControl
from zermelo.play.clock import Timekeeper as Timekeeper
from zermelo.play.live import Ending as Ending
from zermelo.play.live import Forfeit as Forfeit
from zermelo.play.live import LiveGame as LiveGame
from zermelo.play.live import Move as Move
from zermelo.play.live import MoveRequest as MoveRequest
from zermelo.play.live import Ply as Ply
from zermelo.play.live import Record as Record
from zermelo.play.luck import Luck as Luck
from zermelo.play.player import Chooser as Chooser
from zermelo.play.player import Gambler as Gambler
from zermelo.play.player import Guest as Guest
from zermelo.play.player import Mixer as Mixer
from zermelo.play.player import PlayerMove as PlayerMove
from zermelo.play.player import Thinker as Thinker
from zermelo.play.player import Wish as Wish
from zermelo.play.player import ask as ask
from zermelo.play.player import varies as varies
