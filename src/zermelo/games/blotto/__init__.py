"""Colonel Blotto, with any number of soldiers and fields."""

from zermelo.games.blotto.rules import Blotto as Blotto
