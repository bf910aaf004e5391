"""Evaluations learnt from games: `features` of a game, weighed so that they tell how games end.

samples = Samples.read(game, ["data"])
fitted = fit(samples, game.feature_weights())
"""

from zermelo.learn.regression import Fit as Fit
from zermelo.learn.regression import FitSettings as FitSettings
from zermelo.learn.regression import fit as fit
from zermelo.learn.samples import Samples as Samples
