// The weights of the evaluation as the rules and the search use them: what the table's context points to.
//
// Each term has two weights, in centipawns, one for the middlegame and one for the endgame. Those of pieces and squares
// go into the score that a state keeps, so that a state belongs to the weights under which it was made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "games/chess/placement.hpp"
#include "games/chess/terms.hpp"

namespace zermelo::chess {

// Two numbers of 32 bits in one of 64, so that one addition, or one product with a count, does both.
constexpr int64_t pack_pair(int64_t middlegame, int64_t endgame) { return endgame * (int64_t{1} << 32) + middlegame; }
constexpr int first_of_pair(int64_t pair) { return static_cast<int32_t>(static_cast<uint32_t>(pair)); }
constexpr int second_of_pair(int64_t pair) { return static_cast<int32_t>((pair + (int64_t{1} << 31)) >> 32); }

struct Weights {
    Placements placements;
    int64_t terms[TERMS];  // pairs; what `placements` holds is there too
    State start;  // of a game
};

constexpr int MOST_WEIGHT = 10'000;  // centipawns, either way
constexpr int MOST_PLACEMENT = 2'000;  // of a piece and its square together: sixteen of them fit into a score

// Weights from 2 · TERMS numbers, middlegame and endgame in turn; none, with the reason in `why`, if one is out of
// range.
std::shared_ptr<const Weights> make_weights(const std::vector<int32_t>& numbers, std::string& why);

// Weights of nothing: the context of rules without an evaluation.
const Weights& no_weights();

}  // namespace zermelo::chess
