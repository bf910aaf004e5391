"""Bridge: deal, auction and play with hidden hands, its players, and files of whole boards."""

from zermelo.games.bridge.rules import Bridge as Bridge
