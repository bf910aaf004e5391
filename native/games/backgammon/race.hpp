// The race: without contact, each side alone determines how many rolls it needs.
//
// At home the numbers of rolls come from the bear-off tables, before that from a network, which returns two
// distributions for a side: rolls until all its chequers are off, and until the first is. The result follows from those
// of both sides. Each side minimises its mean number of rolls; a loser may minimise those to its first chequer instead,
// as requested.
#pragma once

#include "games/backgammon/bearoff.hpp"
#include "games/backgammon/chances.hpp"
#include "networks/dense.hpp"

namespace zermelo::backgammon {

using Rolls = std::array<float, MAX_ROLLS>;  // [n]: the probability to need exactly n rolls; the last includes more

// What a side needs: rolls until all chequers are off, and until the first one is.
struct Needs {
    Rolls all, first;
};

constexpr int RACE_NUMBERS = 2 * MAX_ROLLS;  // outputs of the network

// Its rolls by the table or the network, or, with lookahead, the mean over all rolls after the plays that leave the
// fewest on average. `plies` is 0 or 1. No chequer may be on the bar.
Needs needs_of(const Side& side, const DenseNetwork& network, int plies);

// The five probabilities of the player on roll in a race.
Chances race_chances(const Board& board, const DenseNetwork& network);

}  // namespace zermelo::backgammon
