// All plays of a roll: complete plays, each of up to four steps.
//
// A play uses as many dice as possible; if only one of two can be used, it is the higher, if possible. Plays that lead
// to the same position are one.
//
// An action holds a step in each byte, the first in the lowest: the point it leaves plus one in the lower five bits, the
// die in the upper three. Zero is the play without a step.
#pragma once

#include <vector>

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

using Action = int64_t;

struct Play {
    Action action;
    Board after;  // still from the point of view of the player who made it
};

constexpr int MAX_STEPS = 4;

constexpr Action step_code(int from, int die) { return (from + 1) | die << 5; }

// All plays, in a fixed order; at least one, as a player who cannot move has the play without a step.
void find_plays(const Board& board, int first_die, int second_die, std::vector<Play>& plays);

// Plays the steps of an external action; false if one of them is not a legal step of this roll on this board. Does not
// check whether it is one of `find_plays`, with as many steps as possible.
bool make_play(Board& board, int first_die, int second_die, Action action);

}  // namespace zermelo::backgammon
