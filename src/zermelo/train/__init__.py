"""Rules in, strength out: a game learns by playing itself, and keeps a network only if it is stronger.

    training = Training("connect4", "connect4.safetensors", TrainingSettings(minutes=10))
    summary = training.run(lambda moment: print(moment.line()))

One generation plays games with the best network so far, learns from these and earlier games, and tests what it has
learned against the best by a sequential test. All that it needs to go on stands in a folder beside the network, so that
it can be ended at any moment and run again. A game with networks of its own kind is trained by `OwnTraining`: the game
learns, and the rest is the same. `AutoTraining` tries both families of networks, and goes on with the better one.
"""

from zermelo.train.auto import AutoSettings as AutoSettings
from zermelo.train.auto import AutoSummary as AutoSummary
from zermelo.train.auto import AutoTraining as AutoTraining
from zermelo.train.base import Moment as Moment
from zermelo.train.own import OwnSummary as OwnSummary
from zermelo.train.own import OwnTraining as OwnTraining
from zermelo.train.run import Training as Training
from zermelo.train.settings import GridTrainingSettings as GridTrainingSettings
from zermelo.train.settings import TrainingSettings as TrainingSettings
from zermelo.train.settings import settings_of as settings_of
from zermelo.train.summary import Summary as Summary
