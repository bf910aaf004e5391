// Sets of squares as numbers, for indices of positions: the sets of k of the squares 0 ... n - 1 have the numbers 0 ... CHOOSE[n][k] - 1.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace zermelo {

constexpr std::size_t MOST_SQUARES = 90, MOST_CHOSEN = 5;

constexpr auto CHOOSE = [] {
    std::array<std::array<int64_t, MOST_CHOSEN + 1>, MOST_SQUARES + 1> table{};
    for (std::size_t n = 0; n < table.size(); ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; n > 0 && k < table[n].size(); ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
}();

// A set as its squares, which need not be in order.
struct Subset {
    std::array<int, MOST_CHOSEN> squares;
    std::size_t count = 0;

    void add(int square) { squares[count++] = square; }

    int64_t rank() {
        std::sort(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(count));
        int64_t rank = 0;
        for (std::size_t i = 0; i < count; ++i) rank += CHOOSE[static_cast<std::size_t>(squares[i])][i + 1];
        return rank;
    }

    static Subset at(int64_t rank, std::size_t count) {
        Subset found;
        for (std::size_t left = count; left > 0; --left) {
            int square = 0;
            while (CHOOSE[static_cast<std::size_t>(square) + 1][left] <= rank) ++square;
            rank -= CHOOSE[static_cast<std::size_t>(square)][left];
            found.add(square);
        }
        return found;
    }
};

}  // namespace zermelo
