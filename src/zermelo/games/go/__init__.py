"""Go: native rules, its notation, and games as SGF."""

from zermelo.games.go.rules import Go as Go
