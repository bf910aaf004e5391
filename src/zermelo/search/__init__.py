"""The textbook: every search of the lectures, one technique a file, made of one loop.

loop         enters positions, asks the recipe, backs up values; the only place where a tree is walked
recipe       the decisions of a search, one field a technique
season, run  a caller's options into a recipe; a recipe into an `Analysis`
"""

from zermelo.search.alphabeta import alphabeta as alphabeta
from zermelo.search.bestreply import best_reply as best_reply
from zermelo.search.choose import search as search
from zermelo.search.choose import solve as solve
from zermelo.search.cutoff import h_minimax as h_minimax
from zermelo.search.deepening import deepening as deepening
from zermelo.search.expectiminimax import expectiminimax as expectiminimax
from zermelo.search.maxn import maxn as maxn
from zermelo.search.mcts import mcts as mcts
from zermelo.search.minimax import minimax as minimax
from zermelo.search.mtdf import mtdf as mtdf
from zermelo.search.negamax import negamax as negamax
from zermelo.search.paranoid import paranoid as paranoid
from zermelo.search.pvs import pvs as pvs
from zermelo.search.revealed import revealed as revealed
from zermelo.search.run import Options as Options
from zermelo.search.table import Table as Table
from zermelo.search.zerowindow import zero_window as zero_window
