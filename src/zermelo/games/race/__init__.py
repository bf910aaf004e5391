"""A race with two dice and two runners a side: backgammon's last minutes, and nothing else."""

from zermelo.games.race.rules import Race as Race
