"""Rules in, strength out: a game learns by playing itself, and keeps a network only if it is stronger.

    training = Training("connect4", "connect4.safetensors", TrainingSettings(minutes=10))
    summary = training.run(lambda moment: print(moment.line()))

One generation plays games with the best network so far, learns from these and earlier games, and tests what it has
learned against the best by a sequential test. All that it needs to go on stands in a folder beside the network, so that
it can be ended at any moment and run again.
"""

from zermelo.train.run import Moment as Moment
from zermelo.train.run import Summary as Summary
from zermelo.train.run import Training as Training
from zermelo.train.settings import TrainingSettings as TrainingSettings
