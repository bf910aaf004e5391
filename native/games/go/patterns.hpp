// Shapes of three by three points around an empty one, after which playouts like to play: hane, cuts, and the edge.
//
// The kinds are those of MoGo (Gelly, Wang, Munos and Teytaud 2006). Whether a neighbourhood has one of them is looked up
// under its 16 bits: two for each of the eight cells around, in the order of `NEIGHBOURS`.
#pragma once

#include <array>
#include <cstdint>

#include "games/go/groups.hpp"

namespace zermelo::go {

// Whether the mover, black or white, finds a pattern there; by colour and code.
bool has_pattern(int colour, uint16_t code);

template <int N>
uint16_t neighbourhood(const Groups<N>& board, int cell) {
    constexpr int S = Groups<N>::STRIDE;
    constexpr std::array<int, 8> NEIGHBOURS{-S - 1, -S, -S + 1, -1, 1, S - 1, S, S + 1};
    unsigned code = 0;
    for (int i = 0; i < 8; ++i) code |= static_cast<unsigned>(board.colours[cell + NEIGHBOURS[i]]) << (2 * i);
    return static_cast<uint16_t>(code);
}

template <int N>
bool has_pattern(const Groups<N>& board, int cell) {
    return has_pattern(board.turn, neighbourhood(board, cell));
}

}  // namespace zermelo::go
