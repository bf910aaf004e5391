// The inputs of a network: which piece stands where, as one player sees it.
#pragma once

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr int INPUT_WORDS = 20;  // ten for each side, the own first
constexpr int STAGES = 8;

// The words of a side, each with the 45 squares of one half of the board: its king; its advisors and elephants, which share no
// square; then horses, rooks, cannons and pawns, each on the own half of the board and on the other. The board is turned so that
// `player` moves up it.
void write_inputs(const State& state, int player, uint64_t* words);

// The stage of the game by the number of pieces: 0 with few, STAGES - 1 with all.
int stage_of(const State& state);

// The position with left and right swapped.
void mirror(const State& state, State& image);

constexpr int mirrored(int square) { return square_at(row_of(square), COLUMNS - 1 - column_of(square)); }

}  // namespace zermelo::xiangqi
