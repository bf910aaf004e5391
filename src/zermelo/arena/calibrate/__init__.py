"""Opponents of known strength: weakened players of the package, rated for one game, and a person's own rating.

    run         a calibration from the beginning to the end
    family      which weakened players there are for a game
    climb       whom to rate, and whom each has to meet, until the ratings make a ladder
    field       who plays their games
    ladder      the ladder: rungs with ratings, and which two of them make an opponent of any rating in between
    person      how strong a person plays, by what came of their games
    files       where ladders and records are kept

Players are weakened by options that they have anyway: `depth`, `nodes` and `noise`. An executor plays the games.
"""
