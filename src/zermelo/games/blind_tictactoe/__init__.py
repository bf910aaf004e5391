"""Blind tic-tac-toe, also called phantom tic-tac-toe or Kriegspiel tic-tac-toe."""

from zermelo.games.blind_tictactoe.rules import BlindTicTacToe as BlindTicTacToe
