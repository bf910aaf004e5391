// Home boards, numbered: all placements of one side's chequers once they are home.
#pragma once

#include <vector>

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

using Home = std::array<uint8_t, HOME>;

// The number of ways to put up to `chequers` on `points` points.
constexpr int ways(int chequers, int points) {
    int64_t result = 1;
    for (int i = 1; i <= points; ++i) result = result * (chequers + i) / i;
    return static_cast<int>(result);
}

// The rank of a board of this number of points among those of up to `most` chequers: by the highest point first, then
// the next and so on. The empty one has rank 0.
int rank(const uint8_t* home, int most, int points = HOME);

// All boards of up to `most` chequers, by rank.
std::vector<Home> all_homes(int most);

// The ranks of these boards by pips. Every play reduces the pips: all successors of a board come before it.
std::vector<int> in_order_of_pips(const std::vector<Home>& homes);

// The highest occupied point; the board must not be empty.
inline int rearmost(const Home& home) {
    int point = HOME - 1;
    while (!home[point]) --point;
    return point;
}

template <typename Visit>
void for_each_roll(const Visit& visit) {
    for (int first = 1; first <= 6; ++first)
        for (int second = 1; second <= first; ++second) visit(first, second, first == second ? 1.0 / 36 : 2.0 / 36);
}

}  // namespace zermelo::backgammon
