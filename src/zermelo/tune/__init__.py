"""Margins and coefficients of alpha-beta, fitted to a game by its own games.

    run = TuningRun("breakthrough", "breakthrough.search.json", TuningSettings(minutes=30), print)
    summary = run.run()

spsa        simultaneous perturbation: from results of games to better numbers
space       the parameters as a point, and which of them matter in a game
settings    what to tune, and the games that can be tuned
state       what a tuning has come to, and its folder
run         pairs of games until the time is over, and the test of what came of it
probcut     what shallow searches foretell of deep ones, measured
curve       the course of the parameters as a picture
summary     how a tuning ended
"""

from zermelo.tune.probcut import ProbCutRun as ProbCutRun
from zermelo.tune.probcut import ProbCutSummary as ProbCutSummary
from zermelo.tune.run import Moment as Moment
from zermelo.tune.run import TuningRun as TuningRun
from zermelo.tune.settings import TuningSettings as TuningSettings
from zermelo.tune.spsa import Gains as Gains
from zermelo.tune.spsa import Spsa as Spsa
from zermelo.tune.summary import TuningSummary as TuningSummary
