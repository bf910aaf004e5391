"""The contract, games written down as trees, and the adapter for courses' own classes."""

from zermelo.game.aima import adapt as adapt
from zermelo.game.contract import CHANCE as CHANCE
from zermelo.game.contract import U64 as U64
from zermelo.game.contract import AnyGame as AnyGame
from zermelo.game.contract import Game as Game
from zermelo.game.kind import Kind as Kind
from zermelo.game.ranges import Hand as Hand
from zermelo.game.ranges import RangeGame as RangeGame
from zermelo.game.ranges import Stakes as Stakes
from zermelo.game.repetition import CheckRun as CheckRun
from zermelo.game.repetition import repeatable as repeatable
from zermelo.game.repetition import repetition_utility as repetition_utility
from zermelo.game.sides import sides as sides
from zermelo.game.tree import Tree as Tree
from zermelo.game.tree import tree as tree
from zermelo.game.weights import Weights as Weights
