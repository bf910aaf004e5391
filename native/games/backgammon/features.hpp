// A board as inputs of a network: the chequers and handcrafted features.
//
// The inputs of the player on roll come first, then those of the other, each side in its own count. Per side: four for
// each point and the bar (one chequer, two, three or more, and half of each beyond three), three for the chequers borne
// off, and HAND handcrafted ones: race, contact, shots, blockade, home board, anchors, blots and timing. Most are zero,
// so a board is a list of the others.
//
// In a race one side is enough: its points and chequers borne off as above, its pips, and its pips to bring all home.
#pragma once

#include "games/backgammon/board.hpp"
#include "networks/dense.hpp"

namespace zermelo::backgammon {

constexpr int UNITS = 4 * (POINTS + 1);
constexpr int OFF_UNITS = 3;
constexpr int HAND = 17;
constexpr int SIDE_INPUTS = UNITS + OFF_UNITS + HAND;
constexpr int INPUTS = 2 * SIDE_INPUTS;
constexpr int RACE_INPUTS = UNITS + OFF_UNITS + 2;

using Inputs = SparseInputs<INPUTS>;

void find_inputs(const Board& board, Inputs& inputs);

void find_race_inputs(const Side& side, Inputs& inputs);

}  // namespace zermelo::backgammon
