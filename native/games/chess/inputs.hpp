// The inputs of a network: which piece stands where, as one player sees it.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

constexpr int INPUT_WORDS = 12;  // one for each piece of either side
constexpr int STAGES = 8;

// Bit s of word p is on if an own piece p stands on square s, of word 6 + p if one of the other side does. The board is turned so
// that `player` moves up it, and mirrored so that its king stands on one of the files e to h.
void write_inputs(const State& state, Colour player, uint64_t* words);

// The stage of the game by the number of pieces: 0 with few, STAGES - 1 with all.
int stage_of(const State& state);

}  // namespace zermelo::chess
