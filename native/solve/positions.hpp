// A set of positions: each is found by its state and has a number that indexes its record.
//
// It is split into segments by hash, so that threads fill their own segments without locks, and growing copies one
// segment at a time. The slots of a segment use open addressing with linear probing; a slot holds the 32 bits of the
// hash that determine its index, so that the table can grow without reading the states.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/random.hpp"
#include "core/watch.hpp"
#include "solve/memory.hpp"
#include "solve/packing.hpp"

namespace zermelo {

// The number of a position: its segment in the upper bits, its index there in the lower ones.
using Ref = uint32_t;
constexpr uint32_t LOCAL_BITS = 26;
constexpr uint32_t SEGMENTS = 1u << (32 - LOCAL_BITS);
constexpr uint32_t MAX_LOCAL = (1u << LOCAL_BITS) - 1;
constexpr Ref NO_REF = UINT32_MAX;  // its index is MAX_LOCAL, which is never used

constexpr uint32_t UNRESOLVED = (1u << 30) - 1;
constexpr uint32_t NO_DISTANCE = UINT32_MAX;
constexpr uint32_t ENDED = 2;  // in place of the mover where the game is over

struct Record {
    uint32_t mover : 2;  // 0, 1 or ENDED
    uint32_t rank : 30;  // of the payoff under best play
    uint32_t count;      // while unresolved, the actions not yet known to lose; then the plies to the end
};
static_assert(sizeof(Record) == 8);

struct Segment {
    BigVector<uint64_t> slots;    // hash << 32 | index + 1, or 0 if free
    BigVector<std::byte> states;  // packed
    BigVector<Record> records;

    uint32_t size() const { return static_cast<uint32_t>(records.size()); }

    std::size_t bytes() const {
        return slots.capacity() * sizeof(uint64_t) + states.capacity() + records.capacity() * sizeof(Record);
    }
};

class Positions {
public:
    Positions(const Game& game, Packing packing) : game_(game), packing_(std::move(packing)) {}

    const Game& game() const { return game_; }
    const Packing& packing() const { return packing_; }
    Segment& segment(uint32_t number) { return segments_[number]; }
    const Segment& segment(uint32_t number) const { return segments_[number]; }

    Record& record(Ref ref) { return segments_[ref >> LOCAL_BITS].records[ref & MAX_LOCAL]; }
    const Record& record(Ref ref) const { return segments_[ref >> LOCAL_BITS].records[ref & MAX_LOCAL]; }

    void state(Ref ref, std::byte* out) const {
        const Segment& segment = segments_[ref >> LOCAL_BITS];
        packing_.unpack(segment.states.data() + packing_.width() * (ref & MAX_LOCAL), out);
    }

    uint64_t size() const {
        uint64_t total = 0;
        for (const Segment& segment : segments_) total += segment.records.size();
        return total;
    }

    std::size_t bytes() const {
        std::size_t total = 0;
        for (const Segment& segment : segments_) total += segment.bytes();
        return total;
    }

    // Mixed again, as a game's own key may have any distribution.
    static uint64_t place(uint64_t key) { return splitmix(key); }
    static uint32_t segment_of(uint64_t key) { return static_cast<uint32_t>(place(key)) % SEGMENTS; }

    // Prefetches the memory that a later `find` of this key reads first.
    void fetch_slot(uint64_t key) const {
        const Segment& segment = segments_[segment_of(key)];
        if (!segment.slots.empty()) __builtin_prefetch(&segment.slots[home(segment, place(key) >> 32)]);
    }

    // Prefetches the state that a later `find` of this key compares; returns a guess at it, or NO_REF.
    Ref fetch_state(uint64_t key) const {
        const uint32_t number = segment_of(key);
        const Segment& segment = segments_[number];
        if (segment.slots.empty()) return NO_REF;
        const uint64_t tag = place(key) >> 32;
        for (std::size_t at = home(segment, tag); at < segment.slots.size(); ++at) {
            const uint64_t slot = segment.slots[at];
            if (slot == 0) return NO_REF;
            if (slot >> 32 != tag) continue;
            const uint32_t local = static_cast<uint32_t>(slot) - 1;
            __builtin_prefetch(segment.states.data() + packing_.width() * local);
            return number << LOCAL_BITS | local;
        }
        return NO_REF;
    }

    // The position of `state`, whose key is given; NO_REF if it is not in the set. `scratch` has room for a state.
    Ref find(uint64_t key, const std::byte* state, std::byte* scratch) const {
        const uint32_t number = segment_of(key);
        const Segment& segment = segments_[number];
        if (segment.slots.empty()) return NO_REF;
        const uint64_t tag = place(key) >> 32;
        for (std::size_t at = home(segment, tag);; at = at + 1 == segment.slots.size() ? 0 : at + 1) {
            const uint64_t slot = segment.slots[at];
            if (slot == 0) return NO_REF;
            if (slot >> 32 != tag) continue;
            const Ref ref = number << LOCAL_BITS | (static_cast<uint32_t>(slot) - 1);
            if (same(ref, key, state, scratch)) return ref;
        }
    }

    // Inserts a state that is not in the set yet; NO_REF if its segment is full. The packing must cover the state.
    Ref add(uint64_t key, const std::byte* state, const Record& record) {
        const uint32_t number = segment_of(key);
        Segment& segment = segments_[number];
        const uint32_t local = segment.size();
        if (local == MAX_LOCAL) return NO_REF;
        if ((local + 1ull) * 5 > segment.slots.size() * 4) grow(segment);
        put(segment.slots, place(key) >> 32 << 32 | (local + 1));
        const std::size_t width = packing_.width();
        extend(segment.states, width * (local + 1ull));
        packing_.pack(state, segment.states.data() + width * local);
        extend(segment.records, local + 1ull);
        segment.records[local] = record;
        return number << LOCAL_BITS | local;
    }

    // Whether `check(ref)` holds for about `samples` positions, evenly spread.
    template <typename Check>
    bool all_of(uint64_t samples, Watch& watch, const Check& check) const {
        const uint64_t stride = std::max<uint64_t>(1, size() / std::max<uint64_t>(1, samples));
        uint64_t count = 0;
        for (uint32_t segment = 0; segment < SEGMENTS; ++segment)
            for (uint32_t local = 0; local < segments_[segment].size(); ++local) {
                if (count++ % stride != 0) continue;
                watch.poll();
                if (!check(segment << LOCAL_BITS | local)) return false;
            }
        return true;
    }

    // Keeps more bytes of each state if these states differ in more.
    void cover(const std::vector<Difference>& differences, Watch& watch) {
        Packing wider = packing_.widened(differences);
        if (wider.width() > packing_.width()) repack(std::move(wider), watch);
    }

    // Repacks all states.
    void repack(Packing packing, Watch& watch) {
        StateBuffer state = game_.buffer();
        for (Segment& segment : segments_) {
            BigVector<std::byte> states(packing.width() * segment.records.size());
            for (std::size_t local = 0; local < segment.records.size(); ++local) {
                watch.node();
                packing_.unpack(segment.states.data() + packing_.width() * local, state.data());
                packing.pack(state.data(), states.data() + packing.width() * local);
            }
            segment.states = std::move(states);
        }
        packing_ = std::move(packing);
    }

private:
    static std::size_t home(const Segment& segment, uint64_t tag) { return (tag * segment.slots.size()) >> 32; }

    static void put(BigVector<uint64_t>& slots, uint64_t slot) {
        std::size_t at = ((slot >> 32) * slots.size()) >> 32;
        while (slots[at] != 0) at = at + 1 == slots.size() ? 0 : at + 1;
        slots[at] = slot;
    }

    static void grow(Segment& segment) {
        BigVector<uint64_t> slots(segment.slots.size() + segment.slots.size() / 4 + 16);
        for (const uint64_t slot : segment.slots)
            if (slot != 0) put(slots, slot);
        segment.slots = std::move(slots);
    }

    bool same(Ref ref, uint64_t key, const std::byte* given, std::byte* scratch) const {
        state(ref, scratch);
        if (game_.table().key) return game_.key(scratch) == key;
        return std::memcmp(scratch, given, game_.state_size()) == 0;
    }

    const Game game_;
    Packing packing_;
    std::array<Segment, SEGMENTS> segments_;
};

}  // namespace zermelo
