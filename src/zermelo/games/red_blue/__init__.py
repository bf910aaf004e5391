"""Red and Blue."""

from zermelo.games.red_blue.rules import RedBlue as RedBlue
