"""Pig, the dice game of rolling on or holding."""

from zermelo.games.pig.rules import Pig as Pig
