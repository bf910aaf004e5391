"""What the games of an arena say about its players; pure functions over counts and results.

    elo         two players: Elo difference with error bars, from pairs of games
    payoffs     mean payoffs with error bars, and the test of them, where a game pays more than points
    sprt        two players: when a match has said enough
    results     results added up, and games of many players as comparisons
    davidson    the model of a game between rated players
    ratings     a whole pool: ratings with error bars, anchors, first-move advantage
    draw        crosstable and course of the ratings as SVG

Nothing here knows a game or a player: names and scores go in, numbers and drawings come out.
"""

from zermelo.arena.statistics.draw import CoursePoint as CoursePoint
from zermelo.arena.statistics.draw import draw_course as draw_course
from zermelo.arena.statistics.draw import draw_crosstable as draw_crosstable
from zermelo.arena.statistics.draw import draw_lines as draw_lines
from zermelo.arena.statistics.draw import draw_payoffs as draw_payoffs
from zermelo.arena.statistics.elo import Estimate as Estimate
from zermelo.arena.statistics.elo import count_pairs as count_pairs
from zermelo.arena.statistics.elo import elo_from_games as elo_from_games
from zermelo.arena.statistics.elo import elo_from_pairs as elo_from_pairs
from zermelo.arena.statistics.elo import elo_of_score as elo_of_score
from zermelo.arena.statistics.elo import expected_score as expected_score
from zermelo.arena.statistics.elo import say_chance as say_chance
from zermelo.arena.statistics.payoffs import Moments as Moments
from zermelo.arena.statistics.payoffs import PayoffEstimate as PayoffEstimate
from zermelo.arena.statistics.payoffs import PayoffSprt as PayoffSprt
from zermelo.arena.statistics.payoffs import mean_payoff as mean_payoff
from zermelo.arena.statistics.ratings import Interval as Interval
from zermelo.arena.statistics.ratings import Rating as Rating
from zermelo.arena.statistics.ratings import Ratings as Ratings
from zermelo.arena.statistics.ratings import course as course
from zermelo.arena.statistics.ratings import rate as rate
from zermelo.arena.statistics.results import Result as Result
from zermelo.arena.statistics.results import Tally as Tally
from zermelo.arena.statistics.results import comparisons as comparisons
from zermelo.arena.statistics.results import tally as tally
from zermelo.arena.statistics.sprt import Sprt as Sprt
