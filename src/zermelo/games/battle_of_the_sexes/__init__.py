"""Battle of the sexes."""

from zermelo.games.battle_of_the_sexes.rules import BattleOfTheSexes as BattleOfTheSexes
