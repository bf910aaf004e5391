// Games of networks, for learning from and for measuring: each move is the best by the network's estimate of what follows it.
//
// A game is decided by its own number and the seed, however many threads there are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/watch.hpp"
#include "games/backgammon/estimate.hpp"

namespace zermelo::backgammon {

struct SelfPlay {
    uint64_t games = 0;
    uint64_t first = 0;  // the number of the first one
    uint64_t seed = 0;
    unsigned threads = 1;
    double lambda = 0;  // how far targets look ahead along the game: 0 to the next position, 1 to its end
    double lookahead = 0;  // if above 0: of so many positions, drawn at random, take the mean over all rolls instead
    double strange = 0;  // the share of games that begin with some plays at random
};

// Positions with a player on roll, and the chances that it should have expected.
struct Lessons {
    std::vector<Board> boards;
    std::vector<Chances> targets;
};

Lessons play_for_lessons(const Networks& networks, const SelfPlay& settings, Watch& watch);

// The mean of the chances after the best plays of all rolls, `plies` times over; the plays are the best by the networks alone.
Chances look_ahead(const Board& board, const Networks& networks, int plies);

// The points that `first` wins of `second` in each pair of games with the same dice, in which they change sides; no cube.
std::vector<int> play_duel(const Networks& first, const Networks& second, uint64_t pairs, uint64_t seed,
                           unsigned threads, Watch& watch);

}  // namespace zermelo::backgammon
