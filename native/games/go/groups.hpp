// A fast board for playouts: stones and liberties of every group are updated incrementally.
//
// The rules are those of `rules.hpp`; a playout creates one from its state, plays on it to the end and discards it.
#pragma once

#include <type_traits>

#include "games/go/rules.hpp"

namespace zermelo::go {

constexpr uint8_t EMPTY = 2;  // what a cell holds: BLACK, WHITE or one of these
constexpr uint8_t BORDER = 3;

template <int N>
class Groups {
public:
    using Set = Bits<N>;
    using Cell = std::conditional_t<(Set::CELLS > 255), uint16_t, uint8_t>;
    static constexpr int STRIDE = Set::STRIDE;
    static constexpr std::array<int, 4> SIDES{-1, 1, -STRIDE, STRIDE};
    static constexpr std::array<int, 4> CORNERS{-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1};
    static constexpr std::array<int, 8> AROUND{-STRIDE - 1, -STRIDE,    -STRIDE + 1, -1,
                                               1,           STRIDE - 1, STRIDE,      STRIDE + 1};

    explicit Groups(const State<N>& state)
        : turn(state.turn), ko(state.ko), last(state.last), before(state.before), size(state.size) {
        colours.fill(BORDER);
        codes.fill(0xffff);
        const Set empty = empty_of(state);
        empty.each([&](int cell) { clear(cell); });
        for (const int colour : {BLACK, WHITE}) {
            Set left = state.stones[colour];
            while (left) {
                const int head = left.first();
                const Set group = flood(Set::at(head), left);
                left = left - group;
                stones[head] = group;
                liberties[head] = group.beside() & empty;
                group.each([&](int cell) {
                    paint(cell, colour);
                    heads[cell] = static_cast<Cell>(head);
                });
            }
        }
    }

    int head(int cell) const { return heads[cell]; }
    const Set& group_at(int cell) const { return stones[heads[cell]]; }
    const Set& liberties_at(int cell) const { return liberties[heads[cell]]; }
    bool in_atari(int cell) const { return liberties_at(cell).single(); }
    bool is_empty(int cell) const { return colours[cell] == EMPTY; }
    int empty_count() const { return count_; }
    int empty_at(int index) const { return empties_[index]; }

    // Moves the point at `index` of the list of empty ones behind the first `count - 1`, so that it is not drawn again.
    void set_aside(int index, int count) { exchange(index, count - 1); }

    bool is_legal(int cell) const {
        if (cell == ko) return false;
        for (const int side : SIDES)
            if (colours[cell + side] == EMPTY) return true;
        for (const int side : SIDES) {
            const int beside = cell + side, colour = colours[beside];
            if (colour == BORDER) continue;
            if ((colour == turn) != in_atari(beside)) return true;  // keeps a liberty, or captures
        }
        return false;
    }

    // Whether `cell` is an eye of `colour`, or would be one: its neighbours are `colour`'s and its diagonals contain no
    // cut.
    bool is_eye(int cell, int colour) const {
        for (const int side : SIDES)
            if (colours[cell + side] != colour && colours[cell + side] != BORDER) return false;
        int others = 0;
        bool edge = false;
        for (const int corner : CORNERS) {
            others += colours[cell + corner] == 1 - colour;
            edge |= colours[cell + corner] == BORDER;
        }
        return others + edge < 2;
    }

    // The liberties that the mover's stone on the empty point `cell` would have, with the groups that it joins and
    // captures. `joined` receives the stones of its group.
    Set liberties_after(int cell, Set& joined) const {
        Set free;
        joined = Set::at(cell);
        Set taken;
        for (const int side : SIDES) {
            const int beside = cell + side, colour = colours[beside];
            if (colour == EMPTY) {
                free.add(beside);
            } else if (colour == turn) {
                free |= liberties_at(beside);
                joined |= group_at(beside);
            } else if (colour != BORDER && in_atari(beside)) {
                taken |= group_at(beside);
            }
        }
        if (taken) free |= taken & joined.beside();
        free.remove(cell);
        return free;
    }

    // Plays a legal move of the mover on `cell`, or passes on NOWHERE.
    void play(int cell) {
        before = last;
        last = cell;
        ko = NOWHERE;
        if (cell != NOWHERE) put(cell);
        turn = 1 - turn;
    }

    int turn;
    int ko, last, before;
    int size;
    std::array<uint8_t, Set::CELLS> colours;
    std::array<uint16_t, Set::CELLS> codes;  // 3x3 patterns: two bits per cell, in the order of AROUND
    std::array<Set, Set::CELLS> stones;  // of each group, at its head
    std::array<Set, Set::CELLS> liberties;  // likewise

private:
    void exchange(int i, int j) {
        const Cell one = empties_[i], other = empties_[j];
        empties_[i] = other;
        empties_[j] = one;
        places_[one] = static_cast<Cell>(j);
        places_[other] = static_cast<Cell>(i);
    }

    // Sets the content of a point, also in the patterns of its eight neighbours.
    void paint(int cell, int colour) {
        const unsigned change = static_cast<unsigned>(colours[cell] ^ colour);
        colours[cell] = static_cast<uint8_t>(colour);
        for (int i = 0; i < 8; ++i) codes[cell - AROUND[i]] ^= static_cast<uint16_t>(change << (2 * i));
    }

    // Makes `cell` an empty point.
    void clear(int cell) {
        paint(cell, EMPTY);
        places_[cell] = static_cast<Cell>(count_);
        empties_[count_++] = static_cast<Cell>(cell);
    }

    void put(int cell) {
        exchange(places_[cell], count_ - 1);
        --count_;
        paint(cell, turn);
        heads[cell] = static_cast<Cell>(cell);
        stones[cell] = Set::at(cell);
        liberties[cell] = Set{};
        for (const int side : SIDES) {
            const int beside = cell + side, colour = colours[beside];
            if (colour == EMPTY) liberties[heads[cell]].add(beside);
            else if (colour == turn) join(heads[cell], heads[beside], cell);
            else if (colour != BORDER) liberties[heads[beside]].remove(cell);
        }
        int taken = 0, where = NOWHERE;
        for (const int side : SIDES)
            if (colours[cell + side] == 1 - turn && !liberties_at(cell + side)) {
                where = cell + side;
                taken += take(heads[where]);
            }
        // One stone captured one: a ko if it is alone and has no other liberty.
        if (taken == 1 && stones[heads[cell]] == Set::at(cell) && liberties_at(cell) == Set::at(where)) ko = where;
    }

    // Merges two groups, the larger keeping its head; `cell` was a liberty of the second.
    void join(int one, int other, int cell) {
        if (one == other) return;
        liberties[other].remove(cell);
        const bool swap = larger(other, one);
        const int head = swap ? other : one, gone = swap ? one : other;
        stones[gone].each([&](int stone) { heads[stone] = static_cast<Cell>(head); });
        stones[head] |= stones[gone];
        liberties[head] |= liberties[gone];
    }

    bool larger(int one, int other) const { return stones[one].count_up_to(4) > stones[other].count_up_to(4); }

    // Removes the group from the board and updates the liberties of its neighbours.
    int take(int head) {
        int count = 0;
        const Set group = stones[head];
        group.each([&](int cell) {
            clear(cell);
            ++count;
        });
        group.each([&](int cell) {
            for (const int side : SIDES)
                if (colours[cell + side] == turn) liberties[heads[cell + side]].add(cell);
        });
        return count;
    }

    std::array<Cell, Set::CELLS> heads;
    std::array<Cell, Set::CELLS> empties_;
    std::array<Cell, Set::CELLS> places_;  // index of each empty point in the list
    int count_ = 0;
};

}  // namespace zermelo::go
