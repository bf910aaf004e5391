// Double-dummy results: of a whole deal, and of every card in a position.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/watch.hpp"
#include "games/bridge/cards.hpp"
#include "games/bridge/table.hpp"

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

// A table that is kept from one call to the next, of one strain: what it proves of a position holds for all others, of
// any deal, in which the same hands own the cards that mattered.
struct StrainTable {
    static constexpr std::size_t PROOFS = 1 << 20;  // some thirty megabytes

    explicit StrainTable(int strain) : strain(strain), table(PROOFS) {}

    const int strain;
    Table table;
    std::mutex busy;
};

// Several deals in the strain of the table, none of them at fault: what every legal card is worth in each, and what each
// is worth to north and south. Tricks of north and south below `least` are told as `least`, and above `most` as `most`: a
// narrow window is quicker. Once `nodes` have been searched no more deals are solved: the results are those of the first
// ones, and `nodes` is what is left.
std::vector<std::vector<CardTricks>> solve_worlds(std::span<const Position> worlds, int least, int most,
                                                  StrainTable& table, uint64_t& nodes, Watch& watch);
std::vector<int> value_worlds(std::span<const Position> worlds, StrainTable& table, Watch& watch);

}  // namespace zermelo::bridge
