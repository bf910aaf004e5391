// The weights of the evaluation as used by the rules and the search: the table's context.
//
// Each term has two weights, in centipawns, one for the middlegame and one for the endgame. Those of pieces and squares
// go into the incremental score of a state, so a state belongs to the weights with which it was created.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "games/chess/placement.hpp"
#include "games/chess/terms.hpp"

namespace zermelo::chess {

// Two 32-bit numbers in one of 64 bits, so that one addition, or one product with a count, does both.
constexpr int64_t pack_pair(int64_t middlegame, int64_t endgame) { return endgame * (int64_t{1} << 32) + middlegame; }
constexpr int first_of_pair(int64_t pair) { return static_cast<int32_t>(static_cast<uint32_t>(pair)); }
constexpr int second_of_pair(int64_t pair) { return static_cast<int32_t>((pair + (int64_t{1} << 31)) >> 32); }

struct Weights {
    Placements placements;
    int64_t terms[TERMS];  // pairs; includes those in `placements`
    State start;  // of a game
};

constexpr int MAX_WEIGHT = 10'000;  // centipawns, either way
constexpr int MAX_PLACEMENT = 2'000;  // of a piece and its square together: sixteen of them fit into a score

// Weights from 2 · TERMS numbers, middlegame and endgame in turn; null, with the reason in `why`, if one is out of
// range.
std::shared_ptr<const Weights> make_weights(const std::vector<int32_t>& numbers, std::string& why);

// All-zero weights: the context of rules without an evaluation.
const Weights& no_weights();

}  // namespace zermelo::chess
