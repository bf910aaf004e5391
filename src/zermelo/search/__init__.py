"""The textbook: every search of the lectures, one technique per file.

minimax, negamax, cutoff, alphabeta, zerowindow, pvs, expectiminimax, maxn
             literal: the recursive lines of the slide, with the hooks of `visit` for counting and tracing
deepening    literal as well: the loop around any of them
composable   the same searches with all techniques switched on together, as deep as one likes
options, run a caller's options into a recipe; a recipe into an `Analysis`
algorithms   all of them by name, and the one that fits a game
"""

from zermelo.search.algorithms import deepening as deepening
from zermelo.search.algorithms import null_move_score as null_move_score
from zermelo.search.algorithms import search as search
from zermelo.search.algorithms import solve as solve
from zermelo.search.alphabeta import alphabeta as alphabeta
from zermelo.search.alphamu import alphamu as alphamu
from zermelo.search.bestreply import best_reply as best_reply
from zermelo.search.cutoff import h_minimax as h_minimax
from zermelo.search.expectiminimax import expectiminimax as expectiminimax
from zermelo.search.maxn import maxn as maxn
from zermelo.search.mcts import mcts as mcts
from zermelo.search.minimax import minimax as minimax
from zermelo.search.mtdf import mtdf as mtdf
from zermelo.search.negamax import negamax as negamax
from zermelo.search.open_cards import revealed as revealed
from zermelo.search.options import Options as Options
from zermelo.search.paranoid import paranoid as paranoid
from zermelo.search.pimc import pimc as pimc
from zermelo.search.pvs import pvs as pvs
from zermelo.search.table import TranspositionTable as TranspositionTable
from zermelo.search.zerowindow import zero_window as zero_window
