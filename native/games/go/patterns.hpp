// Shapes of three by three points around an empty one, after which playouts like to play: hane, cuts, and the edge.
//
// The kinds are those of MoGo (Gelly, Wang, Munos and Teytaud 2006). Whether a neighbourhood has one of them is looked up
// under its 16 bits: two for each of the eight cells around, in the order of `Groups::AROUND`.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "games/go/groups.hpp"

namespace zermelo::go {

// For black and for white the codes in which the mover finds a pattern, one bit each.
extern const std::array<std::bitset<1 << 16>, 2> pattern_codes;

template <int N>
bool has_pattern(const Groups<N>& board, int cell) {
    return pattern_codes[static_cast<std::size_t>(board.turn)][board.codes[cell]];
}

}  // namespace zermelo::go
