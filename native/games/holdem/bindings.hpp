// Hold'em for Python: the strength of hands.
#pragma once

#include "bindings/regret.hpp"
#include "games/holdem/hands.hpp"

namespace zermelo {

// Strengths of hands of 5 to 7 different cards each, `size` cards per hand.
inline nb::bytes hand_strengths(const nb::bytes& cards, std::size_t size) {
    const std::vector<uint8_t> hands = numbers_of<uint8_t>(cards);
    if (size < 5 || size > 7 || hands.size() % size != 0) throw nb::value_error("a hand has 5 to 7 cards");
    std::vector<int32_t> found;
    found.reserve(hands.size() / size);
    for (std::size_t i = 0; i < hands.size(); i += size) {
        const auto strength = holdem::strength(hands.data() + i, size);
        if (!strength) throw nb::value_error("a hand holds a card twice, or one that there is not");
        found.push_back(*strength);
    }
    return bytes_of(found);
}

inline void bind_holdem(nb::module_& module) { module.def("hand_strengths", &hand_strengths); }

}  // namespace zermelo
