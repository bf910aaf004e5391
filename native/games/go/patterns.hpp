// 3x3 patterns around an empty point that playouts prefer: hane, cuts, and the edge.
//
// The kinds are those of MoGo (Gelly, Wang, Munos and Teytaud 2006). A neighbourhood is looked up by its 16-bit code:
// two bits for each of the eight cells around, in the order of `Groups::AROUND`.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "games/go/groups.hpp"

namespace zermelo::go {

// For black and for white, the codes that match a pattern of the mover, one bit each.
extern const std::array<std::bitset<1 << 16>, 2> pattern_codes;

template <int N>
bool has_pattern(const Groups<N>& board, int cell) {
    return pattern_codes[static_cast<std::size_t>(board.turn)][board.codes[cell]];
}

}  // namespace zermelo::go
