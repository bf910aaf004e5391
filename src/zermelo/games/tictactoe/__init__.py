"""Tic-tac-toe and the whole family of m,n,k-games."""

from zermelo.games.tictactoe.rules import TicTacToe as TicTacToe
