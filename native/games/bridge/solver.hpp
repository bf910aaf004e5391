// Double-dummy results: of a whole deal, and of every card in a position.
#pragma once

#include <optional>
#include <vector>

#include "core/watch.hpp"
#include "games/bridge/cards.hpp"

namespace zermelo::bridge {

// Tricks of north and south by strain and leader.
using Tricks = std::array<std::array<int, HANDS>, STRAINS>;

struct DealResult {
    Tricks tricks{};
    uint64_t nodes = 0;
};

// The results of the strains that `strains` has a bit for, with every leader. Up to five threads share the strains.
DealResult solve_deal(const Hands& hands, unsigned strains, unsigned threads, Watch& watch);

struct Position {
    Hands hands;  // what is left of them
    int strain = NO_TRUMP;
    int leader = 0;              // of the trick under way
    std::vector<int> played{};  // the cards on the table in their order, by the numbers of their bits
};

struct CardTricks {
    int card;
    int tricks;  // of north and south from here on, the trick under way included
};

struct PositionResult {
    std::vector<CardTricks> cards{};  // every legal card, suit by suit from the highest
    std::vector<int> line{};          // cards of best play by all to the end
    uint64_t nodes = 0;
};

// Why this is no position; null if it is one.
const char* fault_of(const Position& position);

// `position` is not at fault.
PositionResult solve_position(const Position& position, Watch& watch);

}  // namespace zermelo::bridge
