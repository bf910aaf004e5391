// How good a position looks without search: a weighted sum of named features, from middlegame to endgame as the pieces go.
//
//     points = sum over features of weight × (how often White has it − how often Black has it)
//
// Material and squares are features too, but their sum is kept by the state, move by move. Weights are pairs, one for the
// middlegame and one for the endgame, between which the phase of the position decides.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "games/chess/state.hpp"

namespace zermelo::chess {

enum Feature : int {
    KNIGHT_MOBILITY, BISHOP_MOBILITY, ROOK_MOBILITY, QUEEN_MOBILITY,  // squares that a piece may safely go to
    DOUBLED_PAWN, ISOLATED_PAWN, BACKWARD_PAWN, CONNECTED_PAWN,
    PASSED_2, PASSED_3, PASSED_4, PASSED_5, PASSED_6, PASSED_7,  // passed pawns, by rank
    PASSED_FREE,      // the square before it is empty, weighed by rank
    PASSED_KINGS,     // how much nearer its own king is than the other
    BISHOP_PAIR, BAD_BISHOP, KNIGHT_OUTPOST,
    ROOK_OPEN_FILE, ROOK_HALF_OPEN_FILE,
    KING_SHIELD, KING_OPEN_FILE, KING_ATTACK,
    PAWN_THREAT, MINOR_THREAT, HANGING,
    FEATURES
};

struct Weight {
    const char* name;
    int middlegame, endgame;
};

extern const std::array<Weight, FEATURES> WEIGHTS;

using Counts = std::array<int, FEATURES>;

// How often White has each feature, less how often Black has it.
Counts count_features(const State& state);

// Centipawns for the side to move; within ±MOST_POINTS.
int evaluate(const State& state);

// The parts of that for White, each with its name; material and squares are one of them.
std::vector<std::pair<std::string, double>> explain_evaluation(const State& state);

constexpr int TEMPO = 12;                // centipawns that it is worth to be to move
constexpr int POINTS_OF_A_WIN = 10'000;  // the table's `unit`: a win is worth so many centipawns
constexpr int MOST_POINTS = POINTS_OF_A_WIN - 1;

}  // namespace zermelo::chess
