// The race: chequers that cannot meet any more, so that each side alone decides how many rolls it needs.
//
// At home the numbers of rolls come from the bear-off tables, before that from a network, which tells two distributions for a
// side: rolls until all its chequers are off, and until the first is. Who wins, and how much, follows from those of both sides. Each
// plays for the fewest rolls on average; a loser may play for its first chequer instead, whichever is asked for.
#pragma once

#include "games/backgammon/bearoff.hpp"
#include "games/backgammon/network.hpp"

namespace zermelo::backgammon {

using Rolls = std::array<float, MOST_ROLLS>;  // [n]: the chance to need exactly n rolls; the last stands for more, too

// What a side needs: rolls until all chequers are off, and until the first one is.
struct Needs {
    Rolls all, first;
};

constexpr int RACE_NUMBERS = 2 * MOST_ROLLS;  // of the network

// What it needs by the table or the network, or, looking ahead, the mean over all rolls behind the plays that leave the fewest on
// average. `plies` is 0 or 1. No chequer may be on the bar.
Needs needs_of(const Side& side, const Network& network, int plies);

// The five chances of the player on roll in a race.
Chances race_chances(const Board& board, const Network& network);

}  // namespace zermelo::backgammon
