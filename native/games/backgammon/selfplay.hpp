// Self-play of networks, for training and for measuring: each move is the best by the network's estimate of the result.
//
// A game is determined by its own number and the seed, independent of the number of threads.
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
    double lambda = 0;  // TD(lambda): 0 uses the next position as target, 1 the end of the game
    double lookahead = 0;  // if above 0: the share of targets that are means over all rolls
    double strange = 0;  // the share of games that begin with some random plays
};

// Positions with a player on roll, and their target probabilities.
struct Lessons {
    std::vector<Board> boards;
    std::vector<Chances> targets;
};

Lessons play_for_lessons(const Networks& networks, const SelfPlay& settings, Watch& watch);

// The mean of the probabilities after the best plays of all rolls, `plies` times; the plays are the best by the
// networks alone.
Chances look_ahead(const Board& board, const Networks& networks, int plies);

// The points that `first` wins against `second` in each pair of games with the same dice and swapped sides; no cube.
std::vector<int> play_duel(const Networks& first, const Networks& second, uint64_t pairs, uint64_t seed,
                           unsigned threads, Watch& watch);

}  // namespace zermelo::backgammon
