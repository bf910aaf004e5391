// Dead stones at the end of a game: those that change hands in most playouts.
#pragma once

#include "games/go/playout.hpp"

namespace zermelo::go {

constexpr int STATUS_PLAYOUTS = 64;

// For each cell, the number of playouts, of STATUS_PLAYOUTS, after which it is black's minus those after which it is
// white's.
//
// The side to move alternates between playouts, and the generator is seeded by the board, so the result is
// deterministic.
template <int N>
std::array<int, Bits<N>::CELLS> ownership(const State<N>& state) {
    std::array<int, Bits<N>::CELLS> owned{};
    uint64_t random = state.board;
    for (int i = 0; i < STATUS_PLAYOUTS; ++i) {
        State<N> start = state;
        start.turn = static_cast<uint8_t>(i & 1);
        start.ko = start.last = start.before = NOWHERE;
        Groups<N> board(start);
        play_on(board, 0, random, SKILLED, [](int, int) {});
        points_of<N>(state.size).each([&](int cell) {
            for (const int colour : {BLACK, WHITE})
                if (board.colours[cell] == colour || board.is_eye(cell, colour))
                    owned[cell] += colour == BLACK ? 1 : -1;
        });
    }
    return owned;
}

// Groups that are lost in more than two thirds of the playouts.
template <int N>
Bits<N> dead_stones(const State<N>& state) {
    const auto owned = ownership(state);
    Bits<N> dead;
    for (const int colour : {BLACK, WHITE}) {
        Bits<N> left = state.stones[colour];
        while (left) {
            const Bits<N> group = flood(Bits<N>::at(left.first()), left);
            left = left - group;
            int sum = 0;
            group.each([&](int cell) { sum += owned[cell]; });
            const int mine = colour == BLACK ? sum : -sum;
            if (3 * mine < -group.count() * STATUS_PLAYOUTS) dead |= group;
        }
    }
    return dead;
}

// Half points by which black leads at the end, including komi and, for territory, dead stones.
template <int N>
int final_margin(const State<N>& state) {
    if (state.scoring == AREA) return 2 * area_margin(state) - state.komi;
    return 2 * territory_margin(state, dead_stones(state)) - state.komi;
}

}  // namespace zermelo::go
