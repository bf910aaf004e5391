// What a position of Chinese chess looks worth: a sum of features, each with a name, in points.
//
// A piece has its own score (king 5000, rook 500, horse and cannon 250, advisor and elephant 100, pawn 50) and a score
// for the square it stands on; good placements have names of their own. All of these are bound to squares, so that a
// state keeps their sum move by move; only the other features are counted when a position is judged.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr double POINTS = 10000;  // that a win is worth

constexpr std::array<int, KINDS> PIECE_SCORES{5000, 100, 100, 250, 500, 250, 50};

struct Feature {
    const char* name;
    bool bound;  // to squares: part of the sum that a state keeps
    int (*points)(const State& state, int colour);
};

// All features. The sum of their points for red minus that for black is `evaluate`.
std::span<const Feature> features();

// The points of red minus those of black.
int evaluate(const State& state);

// For each piece on each square the sum of all that is bound to squares, red's positive and black's negative.
extern const std::array<std::array<int16_t, SQUARES>, PIECES> square_scores;

}  // namespace zermelo::xiangqi
