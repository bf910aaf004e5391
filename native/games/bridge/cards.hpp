// Cards as bits, and what a deal says about them.
//
// A suit has sixteen bits of a word, a card one: bit 16 · suit + rank, from the two (0) to the ace (12). Suits are
// spades, hearts, diamonds, clubs, as they stand in a deal's text; hands are north, east, south, west.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace zermelo::bridge {

using Cards = uint64_t;
using Hands = std::array<Cards, 4>;

constexpr int SUITS = 4, HANDS = 4, RANKS = 13, STRAINS = 5;
constexpr int NO_TRUMP = 4;  // the strain; the others are suits
constexpr int SUIT_BITS = 16;
constexpr Cards SUIT_MASK = 0x1fff;
constexpr Cards ALL_CARDS = 0x1fff1fff1fff1fff;

constexpr Cards suit_mask(int suit) { return SUIT_MASK << (SUIT_BITS * suit); }
constexpr unsigned suit_of(Cards cards, int suit) { return (cards >> (SUIT_BITS * suit)) & SUIT_MASK; }
constexpr int count(Cards cards) { return std::popcount(cards); }
constexpr int index_of(Cards card) { return std::countr_zero(card); }
constexpr int suit_at(Cards card) { return index_of(card) / SUIT_BITS; }
constexpr Cards lowest(Cards cards) { return cards & -cards; }
constexpr Cards highest(Cards cards) { return cards ? Cards{1} << (63 - std::countl_zero(cards)) : 0; }
constexpr int partner(int hand) { return hand ^ 2; }
constexpr int after(int hand, int places = 1) { return (hand + places) & 3; }
constexpr bool is_north_south(int hand) { return (hand & 1) == 0; }

// The owners of the cards of a suit that are left, the highest card's in the highest two bits.
using Owners = uint32_t;
constexpr int OWNER_BITS = 2;
constexpr Owners same_owner(int hand) { return 0x55555555u * static_cast<Owners>(hand); }

// How many of the `left` highest cards belong to one owner, before another's.
constexpr int run_of(Owners owners, int hand, int left) {
    const int run = std::countl_zero(owners ^ same_owner(hand)) / OWNER_BITS;
    return run < left ? run : left;
}

// The cards of a deal, and the owners of whatever is left of each suit.
struct Deal {
    explicit Deal(const Hands& hands);

    Hands hands;
    std::array<uint8_t, SUITS * SUIT_BITS> owner{};  // of each card
    int tricks;  // as many as each hand has cards
    std::array<std::array<Owners, 1 << RANKS>, SUITS> owners;
};

// Of the cards of a suit that are left, `bits`, the one of place `place`, from 1 for the highest.
constexpr unsigned top_card(unsigned bits, int place) {
    while (--place) bits &= ~std::bit_floor(bits);
    return std::bit_floor(bits);
}

// Why these hands are no deal; null if they are.
const char* fault_of(const Hands& hands);

}  // namespace zermelo::bridge
