// A random playout of Go to its end, mostly a board on which only eyes are left, and its score.
#pragma once

#include <algorithm>

#include "games/go/policy.hpp"

namespace zermelo::go {

// Half points by which black leads white, where `area` is the difference of the areas.
//
// Territory and prisoners equal the area minus the stones played, of which a playout plays equally many for both sides;
// so only those of the position before it count.
template <int N>
int half_points(const State<N>& state, int area) {
    if (state.scoring == AREA) return 2 * area - state.komi;
    const int black = state.stones[BLACK].count() + state.prisoners[WHITE];
    const int white = state.stones[WHITE].count() + state.prisoners[BLACK];
    return 2 * (area - black + white) - state.komi;
}

// The area score of a board on which only eyes are empty: an empty point belongs to its neighbours' colour.
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

// The area score of any board: an empty point counts for the only colour reached from it.
template <int N>
int area_of(const Groups<N>& board) {
    Bits<N> stones[2], empty;
    points_of<N>(board.size).each([&](int cell) {
        const int colour = board.colours[cell];
        (colour == EMPTY ? empty : stones[colour]).add(cell);
    });
    return area_margin(stones, empty);
}

// Plays `board` until both pass or the limit is reached; calls `tell(cell, mover)` for each move. `passes` came before.
template <int N, typename Tell>
void play_on(Groups<N>& board, int passes, uint64_t& random, Policy policy, const Tell& tell) {
    Player<N> player(board, random, policy);
    // Longer games are endless kos; uniform ones fill their own eyes and start over.
    const int most = (policy == UNIFORM ? 2 : 3) * board.size * board.size;
    for (int moves = 0; passes < 2 && moves < most; ++moves) {
        const int cell = player.choose();
        tell(cell, board.turn);
        board.play(cell);
        passes = cell == NOWHERE ? passes + 1 : 0;
    }
}

}  // namespace zermelo::go
