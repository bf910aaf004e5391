"""Chinese chess, xiangqi: native rules, and the notations of its world."""

from zermelo.games.xiangqi.rules import Xiangqi as Xiangqi
