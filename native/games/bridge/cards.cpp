#include "games/bridge/cards.hpp"

namespace zermelo::bridge {

const char* fault_of(const Hands& hands) {
    Cards seen = 0;
    for (const Cards hand : hands) {
        if (hand & ~ALL_CARDS) return "a hand has a card that there is not";
        if (hand & seen) return "two hands have the same card";
        if (count(hand) != count(hands[0])) return "the hands have different numbers of cards";
        seen |= hand;
    }
    if (count(hands[0]) > RANKS) return "a hand has more than thirteen cards";
    return hands[0] ? nullptr : "the hands have no cards";
}

Deal::Deal(const Hands& dealt) : hands(dealt), tricks(count(dealt[0])) {
    for (int hand = 0; hand < HANDS; ++hand)
        for (Cards rest = hands[hand]; rest; rest &= rest - 1) owner[index_of(rest)] = static_cast<uint8_t>(hand);
    for (int suit = 0; suit < SUITS; ++suit) {
        owners[suit][0] = 0;
        for (unsigned bits = 1; bits < owners[suit].size(); ++bits) {
            const int top = std::bit_width(bits) - 1;
            const Owners first = owner[suit * SUIT_BITS + top];
            owners[suit][bits] = (first << 30) | (owners[suit][bits & ~(1u << top)] >> OWNER_BITS);
        }
    }
}

}  // namespace zermelo::bridge
