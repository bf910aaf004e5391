#include "games/backgammon/homes.hpp"

#include <algorithm>
#include <numeric>

namespace zermelo::backgammon {

namespace {

constexpr auto WAYS = [] {
    std::array<std::array<int, HOME + 1>, CHEQUERS + 1> table{};
    for (int chequers = 0; chequers <= CHEQUERS; ++chequers)
        for (int points = 0; points <= HOME; ++points) table[chequers][points] = ways(chequers, points);
    return table;
}();

int pips_of(const Home& home) {
    int sum = 0;
    for (int point = 0; point < HOME; ++point) sum += home[point] * (point + 1);
    return sum;
}

}  // namespace

int rank(const uint8_t* home, int most, int points) {
    int result = 0;
    for (int point = points - 1; point >= 0; --point) {
        // All boards with fewer chequers on this point have lower ranks.
        if (home[point]) result += WAYS[most][point + 1] - WAYS[most - home[point]][point + 1];
        most -= home[point];
    }
    return result;
}

std::vector<Home> all_homes(int most) {
    std::vector<Home> homes(WAYS[most][HOME]);
    Home home{};
    const auto fill = [&](const auto& self, int point, int left) -> void {
        if (point == HOME) {
            homes[rank(home.data(), most)] = home;
            return;
        }
        for (int count = 0; count <= left; ++count) {
            home[point] = static_cast<uint8_t>(count);
            self(self, point + 1, left - count);
        }
        home[point] = 0;
    };
    fill(fill, 0, most);
    return homes;
}

std::vector<int> in_order_of_pips(const std::vector<Home>& homes) {
    std::vector<int> order(homes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return pips_of(homes[a]) < pips_of(homes[b]); });
    return order;
}

}  // namespace zermelo::backgammon
