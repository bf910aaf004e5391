// The static evaluation: a weighted sum of named terms, tapered from middlegame to endgame.
//
//     points = sum over terms of (how often White has it − how often Black has it) ×
//              (phase × its middlegame weight + (1 − phase) × scale × its endgame weight)
//
// The phase is 1 with all pieces on the board and 0 with pawns alone. The scale is 1, and less in drawish endgames; known
// draws are worth next to nothing. Both depend only on the position, so that points are linear in the weights, which training uses.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "games/chess/weights.hpp"

namespace zermelo::chess {

// Centipawns for the side to move, rounded towards 0; within ±MAX_POINTS.
int evaluate(const Weights& weights, const State& state);

// The terms of that for White, each with its name, before rounding.
std::vector<std::pair<std::string, double>> explain_evaluation(const Weights& weights, const State& state);

constexpr int FEATURES = 2 * TERMS;

// The factors of the weights, middlegame and endgame in turn.
void write_features(const State& state, float* features);

// "knight outpost, middlegame", "knight outpost, endgame", …
std::vector<std::string> feature_names();

constexpr int POINTS_OF_A_WIN = 10'000;  // the table's `unit`: the number of centipawns of a win
constexpr int MAX_POINTS = POINTS_OF_A_WIN - 1;

}  // namespace zermelo::chess
