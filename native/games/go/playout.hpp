// A game of Go played on at random to its end, mostly a board on which nothing is left but eyes, and what it comes to.
#pragma once

#include <algorithm>

#include "games/go/policy.hpp"

namespace zermelo::go {

// Half points by which black is ahead of white where `area` is the margin of the areas.
//
// Territory and prisoners are the area less the stones that have been played, of which a playout plays as many for either
// side; so those of the position before it are what counts.
template <int N>
int half_points(const State<N>& state, int area) {
    if (state.scoring == AREA) return 2 * area - state.komi;
    const int black = state.stones[BLACK].count() + state.prisoners[WHITE];
    const int white = state.stones[WHITE].count() + state.prisoners[BLACK];
    return 2 * (area - black + white) - state.komi;
}

// The area of a board on which only eyes are empty: a stone counts for its owner, an empty point for its neighbours'.
template <int N>
int filled_area(const Groups<N>& board) {
    int margin = 0;
    points_of<N>(board.size).each([&](int cell) {
        int colour = board.colours[cell];
        if (colour == EMPTY) {
            bool near[2] = {false, false};
            for (const int side : Groups<N>::SIDES)
                if (board.colours[cell + side] < EMPTY) near[board.colours[cell + side]] = true;
            colour = near[BLACK] == near[WHITE] ? EMPTY : near[BLACK] ? BLACK : WHITE;
        }
        margin += colour == BLACK ? 1 : colour == WHITE ? -1 : 0;
    });
    return margin;
}

// The area of any board: a stone counts for its owner, an empty point for whoever alone is reached from it.
template <int N>
int area_of(const Groups<N>& board) {
    Bits<N> stones[2], empty;
    points_of<N>(board.size).each([&](int cell) {
        const int colour = board.colours[cell];
        (colour == EMPTY ? empty : stones[colour]).add(cell);
    });
    return area_margin(stones, empty);
}

// Plays `board` on until both pass or it takes too long; calls `tell(cell, mover)` for each move. `passes` came before.
template <int N, typename Tell>
void play_on(Groups<N>& board, int passes, uint64_t& random, Policy policy, const Tell& tell) {
    Player<N> player(board, random, policy);
    // Longer games are kos without end; uniform ones fill their own eyes and begin anew.
    const int most = (policy == UNIFORM ? 2 : 3) * board.size * board.size;
    for (int moves = 0; passes < 2 && moves < most; ++moves) {
        const int cell = player.choose();
        tell(cell, board.turn);
        board.play(cell);
        passes = cell == NOWHERE ? passes + 1 : 0;
    }
}

}  // namespace zermelo::go
