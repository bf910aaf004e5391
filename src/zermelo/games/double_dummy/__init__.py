"""Double-dummy bridge: the play of a deal with all four hands open, its results, and deals in files."""

from zermelo.games.double_dummy.rules import DoubleDummy as DoubleDummy
