// Bearing off: the number of rolls that a side needs once all its chequers are home, and who finishes first.
//
// One side alone minimises the mean number of rolls; the distributions of both sides give the probability to win, which
// is exact except for plays that trade speed for variance. For up to six chequers per side the probability is computed
// over both sides together, and is exact. The tables are computed on first use and kept.
#pragma once

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

constexpr int MAX_ROLLS = 32;  // no side needs more; smaller probabilities vanish in a float

struct BearOff {
    double mean;  // rolls until all are off
    std::array<float, MAX_ROLLS> done;  // [n]: the probability to need exactly n rolls
};

// The table entry of a side whose chequers are all home.
const BearOff& bear_off(const Side& side);

// The probability that the player on roll wins, with all chequers of both home.
double race_chance(const Board& board);

// The probability that the player on roll (or the other) wins a gammon there, against all fifteen chequers. The winner
// minimises its rolls, the loser plays to save the gammon.
double gammon_chance(const Board& board);
double gammon_chance_against(const Board& board);

}  // namespace zermelo::backgammon
