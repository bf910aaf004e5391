"""Monte Carlo tree search: a tree that grows where play is worth looking at, and random games below it.

    the mean utility of N simulations → the value of the position    as N → ∞

Each simulation has four steps: selection of a path by UCT or PUCT, expansion of the tree by a position, a playout
from there to the end of the game, and backing up what it came to. This is the specification; the native twin in
`zermelo.engine` builds the same tree of the same seed.

settings   what a caller may choose
dice       the random numbers of the core
tree       nodes and selection
uct        the four steps, literally: plain UCT
simulate   the same with every technique: solver, priors, RAVE, widening, evaluators, repetition
hidden     the same for games in which players do not see everything
answer     from a tree to an `Analysis`
run        the frame around the simulations, and their trace
"""

from zermelo.search.mcts.run import mcts as mcts
from zermelo.search.mcts.settings import Budget as Budget
from zermelo.search.mcts.settings import MctsSettings as MctsSettings
