// A position of Go: flat, without pointers, including the facts of its game (size, komi, scoring).
//
// The first byte is the player to move, and MOVES_AT is the offset of the number of moves; Python reads both. An action
// is size * row + column of a point, and size * size is the pass. Black is player 0.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/random.hpp"
#include "games/go/bits.hpp"

namespace zermelo::go {

constexpr int BLACK = 0;
constexpr int WHITE = 1;
constexpr int LEAST_SIZE = 2;
constexpr int NOWHERE = 0;  // a cell that is no point of any board

enum Scoring : uint8_t { AREA, TERRITORY };
enum Policy : uint8_t { SKILLED, SENSIBLE, UNIFORM };  // how playouts go; see `policy.hpp`

template <int N>
struct State {
    uint8_t turn;
    uint8_t size;
    uint8_t passes;  // consecutive passes so far; two end the game
    uint8_t scoring;  // a Scoring
    uint8_t policy;  // a Policy
    uint8_t padding[3];
    int16_t komi;  // white's, in half points
    int16_t ko;  // the cell where a recapture is forbidden by ko, or NOWHERE
    int16_t last, before;  // the cells of the last move and of the one before it; NOWHERE for a pass or none
    int16_t prisoners[2];  // stones captured by each player
    uint32_t moves;  // played so far, passes included
    uint64_t board;  // a hash of the stones alone
    Bits<N> stones[2];

    Bits<N> occupied() const { return stones[0] | stones[1]; }
};

constexpr std::size_t MOVES_AT = 20;
static_assert(offsetof(State<9>, moves) == MOVES_AT && offsetof(State<19>, moves) == MOVES_AT);

template <int N>
constexpr int cell_at(int row, int column) {
    return (N + 1) * (row + 1) + column + 1;
}

// The points of a board of `size` lines.
template <int N>
constexpr Bits<N> board_of(int size) {
    Bits<N> points;
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) points.add(cell_at<N>(row, column));
    return points;
}

template <int N>
inline const Bits<N>& points_of(int size) {
    static constexpr auto boards = [] {
        std::array<Bits<N>, N + 1> all{};
        for (int lines = LEAST_SIZE; lines <= N; ++lines) all[lines] = board_of<N>(lines);
        return all;
    }();
    return boards[size];
}

template <int N>
constexpr int row_of(int cell) {
    return cell / (N + 1) - 1;
}

template <int N>
constexpr int column_of(int cell) {
    return cell % (N + 1) - 1;
}

template <int N>
constexpr int64_t action_of(const State<N>& state, int cell) {
    return cell == NOWHERE ? state.size * state.size : state.size * row_of<N>(cell) + column_of<N>(cell);
}

// The cell of an action of this board, NOWHERE for the pass.
template <int N>
constexpr int cell_of(const State<N>& state, int64_t action) {
    const int size = state.size, point = static_cast<int>(action);
    return point == size * size ? NOWHERE : cell_at<N>(point / size, point % size);
}

// A random number (Zobrist) for a stone of a colour on a cell. Boards of different sizes need not agree.
constexpr uint64_t stone_key(int colour, int cell) { return splitmix(static_cast<uint64_t>(1024 * colour + cell + 1)); }

}  // namespace zermelo::go
