"""The games of the package, found by a scan of this folder, and the text that names any game.

connect4                            a folder of this package
red-blue                            a class in a module of this package that holds several small games
connect4:columns=8,rows=7           with options
path/to/file.py:Nim                 a class in a file
path/to/file.py:Nim:stones=15       with options
connect4:network=FILE               with a network that `zermelo train` has learned; `network=no` for none
connect4:book=FILE                  with an opening book of `zermelo book`; `book=no` for none
chess:search=FILE                   with parameters of the search that `zermelo tune` has found; `search=no` for none
chess:tables=DIR                    with endgame tables that `zermelo tables` has built; `tables=no` for none
[[3,12,8],[2,4,6],[14,5,2]]         a tree, written down
path/to/file.efg                    an extensive game in Gambit's format
"""

from zermelo.games._load import book_file as book_file
from zermelo.games._load import games as games
from zermelo.games._load import load as load
from zermelo.games._load import load_again as load_again
from zermelo.games._load import load_named as load_named
from zermelo.games._load import network_file as network_file
from zermelo.games._load import openings_folder as openings_folder
from zermelo.games._load import runs_code as runs_code
from zermelo.games._load import search_file as search_file
from zermelo.games._load import split_name as split_name
from zermelo.games._load import tables_folder as tables_folder
from zermelo.games._load import with_option as with_option
from zermelo.games._load import with_shipped_files as with_shipped_files
from zermelo.games._load import without_files as without_files
from zermelo.games._players import OwnPlayer as OwnPlayer
from zermelo.games._players import own_players as own_players
from zermelo.games._players import players_of as players_of
