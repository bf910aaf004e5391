// A transposition table over sets of positions (partition search, Ginsberg 1996).
//
// A position before a trick is the leader, how many cards of each suit each hand has, and who owns the first, the
// second, … card of each suit. What a search proves rests on the first few owners of each suit only, and so holds for
// every position that has these.
#pragma once

#include <vector>

#include "games/bridge/cards.hpp"

namespace zermelo::bridge {

// Sixteen counts of four bits: how many cards of each suit each hand has.
using Lengths = uint64_t;
constexpr Lengths one_card(int hand, int suit) { return Lengths{1} << (4 * (4 * hand + suit)); }

using OwnerWords = std::array<uint64_t, 2>;  // two suits each

// How many of the highest cards of each suit matter: four counts of four bits.
using Depths = uint16_t;

struct Proof {
    OwnerWords owners;  // those that matter
    Depths depths;
    uint8_t least, most;  // tricks of north and south
};

class Table {
public:
    explicit Table(std::size_t most_proofs = DEFAULT_PROOFS);

    static constexpr std::size_t DEFAULT_PROOFS = 1 << 22;  // a hundred megabytes
    static constexpr uint8_t NO_MOVE = 0xff;

    // The proofs for the positions with the same lengths and leader.
    struct Slot {
        Lengths lengths = 0;
        uint32_t begin = 0;  // of its proofs, which are `size` of a room for `capacity`
        uint32_t size = 0;
        uint32_t capacity = 0;
        uint8_t leader = 0;
        uint8_t move = NO_MOVE;  // suit and place in the hand of the last lead that succeeded
        bool used = false;
    };

    // The number of the slot of these lengths; made if it is new. Valid until the next call.
    uint32_t slot(Lengths lengths, int leader);
    Slot& at(uint32_t slot) { return slots_[slot]; }

    // The same, or −1 where there is none.
    int known(Lengths lengths, int leader) const;

    // The proof that decides whether north and south get `need` tricks; null if there is none.
    const Proof* find(uint32_t slot, const OwnerWords& owners, int need);

    // Remembers that north and south get at least `least` and at most `most` tricks, if the owners of so many of the
    // highest cards are these.
    void add(uint32_t slot, const OwnerWords& owners, Depths depths, int least, int most);

    void clear();

private:
    std::size_t first_place(Lengths lengths, int leader) const;
    void grow();
    void make_room(Slot& slot);

    std::vector<Slot> slots_;
    std::vector<Proof> proofs_;
    std::vector<std::vector<uint32_t>>
        rooms_;  // left behind by slots that have grown, by the logarithm of their capacity
    std::size_t used_ = 0, most_;
};

}  // namespace zermelo::bridge
