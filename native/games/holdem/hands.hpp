// The strength of a poker hand: the best five of its five to seven cards, as one number; the greater number wins.
//
// A card is 4 · rank + suit, ranks 0 (a two) to 12 (an ace). The number is the category times 16^5, then the deciding
// ranks, most important first, as digits of base 16.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace zermelo::holdem {

enum Class : int32_t { high_card, pair, two_pairs, three, straight, flush, full_house, four, straight_flush };

using Ranks = uint32_t;  // a set, bit r for rank r

inline int32_t highest(Ranks ranks) { return static_cast<int32_t>(std::bit_width(ranks)) - 1; }

// The category, and after the given digits the highest `count` of the remaining ranks.
inline int32_t number(Class hand_class, int32_t digits, int32_t given, Ranks ranks, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        const int32_t rank = highest(ranks);
        digits = 16 * digits + rank;
        ranks &= ~(Ranks{1} << rank);
    }
    for (int32_t i = given + count; i < 5; ++i) digits *= 16;
    return (static_cast<int32_t>(hand_class) << 20) + digits;
}

// The highest rank of a straight, 3 for a five (ace to five); -1 if there is none.
inline int32_t straight_top(Ranks ranks) {
    const Ranks wheel = (ranks << 1) | (ranks >> 12);  // the ace below the two as well
    const Ranks runs = wheel & (wheel >> 1) & (wheel >> 2) & (wheel >> 3) & (wheel >> 4);
    return runs ? highest(runs) + 3 : -1;
}

// Empty if a card occurs twice or is invalid.
inline std::optional<int32_t> strength(const uint8_t* cards, std::size_t size) {
    std::array<Ranks, 4> suits{};
    for (std::size_t i = 0; i < size; ++i) {
        if (cards[i] >= 52) return std::nullopt;
        const Ranks bit = Ranks{1} << (cards[i] / 4);
        if (suits[cards[i] % 4] & bit) return std::nullopt;
        suits[cards[i] % 4] |= bit;
    }
    const auto [a, b, c, d] = suits;
    const Ranks any = a | b | c | d;
    for (const Ranks suit : suits)  // a flush leaves no room for a full house or four of a kind
        if (std::popcount(suit) >= 5) {
            const int32_t top = straight_top(suit);
            return top >= 0 ? number(straight_flush, top, 1, 0, 0) : number(flush, 0, 0, suit, 5);
        }
    const Ranks twice = (a & b) | (a & c) | (a & d) | (b & c) | (b & d) | (c & d);
    const Ranks thrice = (a & b & (c | d)) | (c & d & (a | b));
    const Ranks four_times = a & b & c & d;
    if (four_times) {
        const int32_t rank = highest(four_times);
        return number(four, rank, 1, any & ~(Ranks{1} << rank), 1);
    }
    if (thrice) {
        const int32_t rank = highest(thrice);
        if (const Ranks pairs = twice & ~(Ranks{1} << rank)) return number(full_house, rank, 1, pairs, 1);
    }
    if (const int32_t top = straight_top(any); top >= 0) return number(straight, top, 1, 0, 0);
    if (thrice) return number(three, highest(thrice), 1, any & ~thrice, 2);
    if (std::popcount(twice) >= 2) {
        const int32_t first = highest(twice);
        const int32_t second = highest(twice & ~(Ranks{1} << first));
        return number(two_pairs, 16 * first + second, 2, any & ~(Ranks{1} << first) & ~(Ranks{1} << second), 1);
    }
    if (twice) return number(pair, highest(twice), 1, any & ~twice, 3);
    return number(high_card, 0, 0, any, 5);
}

}  // namespace zermelo::holdem
