// Sets of points of a Go board of at most N lines.
//
//     cell = (N + 1) * (row + 1) + column + 1      row 0 is the lowest, column 0 the leftmost
//
// Each row is preceded by one cell that is no point, and a row of such cells lies below and above the board: the
// neighbours of a point are cell - 1, cell + 1, cell - STRIDE and cell + STRIDE, diagonally cell - STRIDE - 1 and so
// on, all of them cells, and no shift carries a set from one row into the next.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace zermelo::go {

template <int N>
struct Bits {
    static constexpr int STRIDE = N + 1;
    static constexpr int CELLS = (N + 2) * STRIDE + 1;
    static constexpr int WORDS = (CELLS + 63) / 64;

    std::array<uint64_t, WORDS> words{};

    static constexpr Bits at(int cell) {
        Bits bits;
        bits.words[cell >> 6] = uint64_t{1} << (cell & 63);
        return bits;
    }

    constexpr bool has(int cell) const { return words[cell >> 6] >> (cell & 63) & 1; }
    constexpr void add(int cell) { words[cell >> 6] |= uint64_t{1} << (cell & 63); }
    constexpr void remove(int cell) { words[cell >> 6] &= ~(uint64_t{1} << (cell & 63)); }

    constexpr Bits operator&(const Bits& other) const {
        return combine(other, [](auto a, auto b) { return a & b; });
    }
    constexpr Bits operator|(const Bits& other) const {
        return combine(other, [](auto a, auto b) { return a | b; });
    }
    constexpr Bits operator^(const Bits& other) const {
        return combine(other, [](auto a, auto b) { return a ^ b; });
    }
    // The set difference.
    constexpr Bits operator-(const Bits& other) const {
        return combine(other, [](auto a, auto b) { return a & ~b; });
    }
    constexpr Bits& operator|=(const Bits& other) { return *this = *this | other; }
    constexpr Bits& operator&=(const Bits& other) { return *this = *this & other; }
    constexpr bool operator==(const Bits&) const = default;

    constexpr explicit operator bool() const {
        uint64_t any = 0;
        for (const uint64_t word : words) any |= word;
        return any != 0;
    }

    constexpr int count() const {
        int sum = 0;
        for (const uint64_t word : words) sum += std::popcount(word);
        return sum;
    }

    // The number of members, at most `most`: cheap where only few matter.
    constexpr int count_up_to(int most) const {
        int sum = 0;
        for (uint64_t word : words)
            for (; word != 0; word &= word - 1)
                if (++sum >= most) return sum;
        return sum;
    }

    // Whether there is exactly one member, and whether there are two or more; branchless, as playouts use it often.
    constexpr bool single() const { return one_or_more() == 1; }
    constexpr bool several() const { return one_or_more() > 1; }

    // The lowest member; the set must not be empty.
    constexpr int first() const {
        int word = 0;
        while (words[word] == 0) ++word;
        return 64 * word + std::countr_zero(words[word]);
    }

    template <int BY>
    constexpr Bits up() const {  // BY < 64
        Bits moved;
        for (int i = WORDS - 1; i >= 0; --i) moved.words[i] = words[i] << BY | (i > 0 ? words[i - 1] >> (64 - BY) : 0);
        return moved;
    }

    template <int BY>
    constexpr Bits down() const {
        Bits moved;
        for (int i = 0; i < WORDS; ++i)
            moved.words[i] = words[i] >> BY | (i + 1 < WORDS ? words[i + 1] << (64 - BY) : 0);
        return moved;
    }

    // All cells adjacent to a member, including cells off the board.
    constexpr Bits beside() const { return up<1>() | down<1>() | up<STRIDE>() | down<STRIDE>(); }

    // Calls `visit(cell)` for each member, the lowest first.
    template <typename Visit>
    constexpr void each(const Visit& visit) const {
        for (int i = 0; i < WORDS; ++i)
            for (uint64_t left = words[i]; left != 0; left &= left - 1) visit(64 * i + std::countr_zero(left));
    }

private:
    // 0 without members, 1 for one, more for more.
    constexpr int one_or_more() const {
        uint64_t rest = 0;
        int filled = 0;
        for (const uint64_t word : words) {
            rest |= word & (word - 1);
            filled += word != 0;
        }
        return filled + 2 * (rest != 0);
    }

    template <typename Operation>
    constexpr Bits combine(const Bits& other, const Operation& operation) const {
        Bits result;
        for (int i = 0; i < WORDS; ++i) result.words[i] = operation(words[i], other.words[i]);
        return result;
    }
};

// Flood fill: the connected component of `seed` in `within`.
template <int N>
constexpr Bits<N> flood(Bits<N> seed, const Bits<N>& within) {
    for (;;) {
        const Bits<N> grown = seed | (seed.beside() & within);
        if (grown == seed) return seed;
        seed = grown;
    }
}

}  // namespace zermelo::go
