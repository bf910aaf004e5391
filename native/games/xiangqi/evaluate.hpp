// The evaluation of Chinese chess: a sum of named features, in points.
//
// A piece has its own score (king 5000, rook 500, horse and cannon 250, advisor and elephant 100, pawn 50) and a score
// for its square; good placements are separate features. All of these are piece-square features, whose sum a state
// updates incrementally; only the other features are computed when a position is evaluated. A side without a piece that
// can cross the river leads by nothing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr double POINTS = 10000;  // the points of a win

constexpr std::array<int, KINDS> PIECE_SCORES{5000, 100, 100, 250, 500, 250, 50};

struct Feature {
    const char* name;
    bool bound;  // a piece-square feature: part of the incremental sum
    int (*points)(const State& state, int colour);
};

// All features. The sum of their points for red minus that for black is `evaluate`.
std::span<const Feature> features();

// The points of red minus those of black.
int evaluate(const State& state);

// Whether a side has a piece that can cross the river: without one it cannot attack the other king.
bool can_attack(const State& state, int colour);

// For each piece on each square the sum of all piece-square features, red's positive and black's negative.
extern const std::array<std::array<int16_t, SQUARES>, PIECES> square_scores;

}  // namespace zermelo::xiangqi
