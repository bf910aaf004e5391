// What a network sees of a position: planes of points, as one player sees them, and facts of the whole game.
//
//     planes     own stones, the other's; own groups with one, two and three liberties, the other's; the ko; the last move and the
//                one before it; the board itself
//     facts      whether the last move was a pass; for each half point of komi between -10 and 10, whether the player has more
#pragma once

#include "games/go/rules.hpp"

namespace zermelo::go {

constexpr int COUNTED_LIBERTIES = 3;
constexpr int PLANES = 2 + 2 * COUNTED_LIBERTIES + 4;
constexpr int KOMI_LIMIT = 20;  // half points
constexpr int FACTS = 1 + 2 * KOMI_LIMIT + 1;
constexpr int SYMMETRIES = 8;

constexpr int input_count(int size) { return PLANES * size * size + FACTS; }

// Calls `add` with the number of each input that is on.
template <int N, typename Add>
void each_input(const State<N>& state, int player, const Add& add) {
    const int size = state.size, points = size * size;
    const auto add_plane = [&](int plane, const Bits<N>& cells) {
        cells.each([&](int cell) { add(plane * points + static_cast<int>(action_of(state, cell))); });
    };
    const Bits<N> empty = empty_of(state);
    for (const int side : {0, 1}) {
        Bits<N> left = state.stones[side ? 1 - player : player];
        Bits<N> counted[COUNTED_LIBERTIES];
        add_plane(side, left);
        while (left) {
            const Bits<N> group = flood(Bits<N>::at(left.first()), left);
            left = left - group;
            const int liberties = (group.beside() & empty).count_up_to(COUNTED_LIBERTIES + 1);
            if (liberties >= 1 && liberties <= COUNTED_LIBERTIES) counted[liberties - 1] |= group;
        }
        for (int i = 0; i < COUNTED_LIBERTIES; ++i) add_plane(2 + COUNTED_LIBERTIES * side + i, counted[i]);
    }
    int plane = 2 + 2 * COUNTED_LIBERTIES;
    for (const int cell : {state.ko, state.last, state.before}) {
        if (cell != NOWHERE) add(plane * points + static_cast<int>(action_of(state, cell)));
        ++plane;
    }
    for (int point = 0; point < points; ++point) add(plane * points + point);
    const int facts = PLANES * points, komi = player == WHITE ? state.komi : -state.komi;
    if (state.passes > 0) add(facts);
    for (int i = 0; i <= 2 * KOMI_LIMIT; ++i)
        if (komi > i - KOMI_LIMIT) add(facts + 1 + i);
}

// Where a symmetry of the square takes an action: bit 0 mirrors columns, bit 1 rows, and bit 2 exchanges the two.
constexpr int64_t turned(int64_t action, int size, int symmetry) {
    if (action == size * size) return action;
    int64_t row = action / size, column = action % size;
    if (symmetry & 1) column = size - 1 - column;
    if (symmetry & 2) row = size - 1 - row;
    return symmetry & 4 ? size * column + row : size * row + column;
}

template <int N>
State<N> turned(const State<N>& state, int symmetry) {
    State<N> image = state;
    const auto turn = [&](int cell) {
        return cell == NOWHERE ? NOWHERE : cell_of(state, turned(action_of(state, cell), state.size, symmetry));
    };
    image.board = 0;
    for (const int colour : {BLACK, WHITE}) {
        image.stones[colour] = {};
        state.stones[colour].each([&](int cell) {
            image.stones[colour].add(turn(cell));
            image.board ^= stone_key(colour, turn(cell));
        });
    }
    image.ko = static_cast<int16_t>(turn(state.ko));
    image.last = static_cast<int16_t>(turn(state.last));
    image.before = static_cast<int16_t>(turn(state.before));
    return image;
}

}  // namespace zermelo::go
