"""Nim, with any heaps."""

from zermelo.games.nim.rules import Nim as Nim
