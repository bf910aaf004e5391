// The transposition table, shared by all threads without a lock.
//
// An entry is two words, written and read without ordering between them. The first holds the position's key XORed with
// the second, so that a pair torn by a race matches no position and is simply not found (Hyatt's trick). A bucket is
// one cache line of four entries. The bucket index and the key within it are two independent hashes of the position:
// the probability of a false match is about 2^-62 per probe.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace zermelo {

struct TableKey {
    uint64_t place;
    uint64_t check;

    bool operator==(const TableKey&) const = default;
};

enum class Bound : uint8_t { none = 0, upper = 1, lower = 2, exact = 3 };

struct TableEntry {
    static constexpr int NO_ACTION = 2047;
    static constexpr int PROVED = 511;  // the depth of a score that rests on no estimate

    int32_t score = 0;
    int action = NO_ACTION;  // index in the position's list of actions
    int depth = 0;
    Bound bound = Bound::none;
    uint64_t effort = 0;  // nodes spent on the result; the replacement scheme prefers to keep expensive entries
};

class TranspositionTable {
public:
    explicit TranspositionTable(std::size_t bytes) {
        buckets_ = std::max<std::size_t>(bytes / sizeof(Bucket), 1);
        clear();
    }

    // Allocates memory that is zero without being touched: a large table costs nothing before it is used.
    void clear() {
        age_ = 0;
        if (memory_ && buckets_ * sizeof(Bucket) < HUGE_PAGE) {  // cheaper than new pages
            std::memset(static_cast<void*>(first_), 0, buckets_ * sizeof(Bucket));
            return;
        }
        memory_.reset();
        const std::size_t bytes = buckets_ * sizeof(Bucket);
        const std::size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : alignof(Bucket);
        memory_.reset(std::calloc(bytes + alignment, 1));
        if (!memory_) throw std::bad_alloc();
        const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
        first_ = reinterpret_cast<Bucket*>((address + alignment - 1) / alignment * alignment);
#ifdef MADV_HUGEPAGE
        if (bytes >= HUGE_PAGE) madvise(first_, bytes, MADV_HUGEPAGE);  // far fewer TLB misses
#endif
    }

    // Called before each search: older entries are replaced first.
    void grow_older() { age_ = (age_ + 1) & AGE_MASK; }

    void prefetch(const TableKey& key) const { __builtin_prefetch(&bucket(key)); }

    bool probe(const TableKey& key, TableEntry& entry) const {
        for (const Slot& slot : bucket(key).slots) {
            const uint64_t data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key.check && data != 0) {
                entry = unpack(data);
                return true;
            }
        }
        return false;
    }

    // A position keeps its entry if that was made by this search, is far deeper, and `entry` is no exact score. Its action
    // stays where `entry` has none.
    void store(const TableKey& key, TableEntry entry) {
        Bucket& bucket = this->bucket(key);
        Slot* victim = &bucket.slots[0];
        int least = 1 << 30;
        for (Slot& slot : bucket.slots) {
            const uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (data == 0 || (slot.check.load(std::memory_order_relaxed) ^ data) == key.check) {
                const TableEntry old = unpack(data);
                const bool current = data >> AGE_SHIFT == age_;
                if (current && old.depth > entry.depth + FAR_DEEPER && entry.bound != Bound::exact) return;
                if (data != 0 && entry.action == TableEntry::NO_ACTION) entry.action = old.action;
                victim = &slot;
                break;
            }
            const int worth = effort_of(data) - 4 * static_cast<int>((age_ - (data >> AGE_SHIFT)) & AGE_MASK);
            if (worth < least) {
                least = worth;
                victim = &slot;
            }
        }
        const uint64_t data = pack(entry);
        victim->data.store(data, std::memory_order_relaxed);
        victim->check.store(key.check ^ data, std::memory_order_relaxed);
    }

    // The share of a sample of entries that belong to this search, in permille.
    int per_mille_full() const {
        int used = 0;
        const std::size_t sample = std::min<std::size_t>(buckets_, 250);
        for (std::size_t i = 0; i < sample; ++i)
            for (const Slot& slot : first_[i].slots) {
                const uint64_t data = slot.data.load(std::memory_order_relaxed);
                used += data != 0 && (data >> AGE_SHIFT) == age_;
            }
        return static_cast<int>(used * 1000 / (4 * sample));
    }

private:
    // Score 32 bits, action 11, depth 9, bound 2, effort (its logarithm) 6, age 4.
    static constexpr int ACTION_SHIFT = 32, DEPTH_SHIFT = 43, BOUND_SHIFT = 52, EFFORT_SHIFT = 54, AGE_SHIFT = 60;
    static constexpr uint64_t AGE_MASK = 15;
    static constexpr int FAR_DEEPER = 4;  // plies
    static constexpr std::size_t HUGE_PAGE = std::size_t{1} << 21;

    struct Slot {
        std::atomic<uint64_t> check;
        std::atomic<uint64_t> data;
    };
    struct alignas(64) Bucket {
        Slot slots[4];
    };
    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };

    static int effort_of(uint64_t data) { return static_cast<int>((data >> EFFORT_SHIFT) & 63); }

    uint64_t pack(const TableEntry& entry) const {
        return static_cast<uint32_t>(entry.score) | static_cast<uint64_t>(entry.action) << ACTION_SHIFT |
               static_cast<uint64_t>(entry.depth) << DEPTH_SHIFT | static_cast<uint64_t>(entry.bound) << BOUND_SHIFT |
               static_cast<uint64_t>(std::bit_width(entry.effort)) << EFFORT_SHIFT | age_ << AGE_SHIFT;
    }

    static TableEntry unpack(uint64_t data) {
        TableEntry entry;
        entry.score = static_cast<int32_t>(static_cast<uint32_t>(data));
        entry.action = static_cast<int>((data >> ACTION_SHIFT) & 2047);
        entry.depth = static_cast<int>((data >> DEPTH_SHIFT) & 511);
        entry.bound = static_cast<Bound>((data >> BOUND_SHIFT) & 3);
        return entry;
    }

    // Works for any number of buckets: the index is scaled, not masked.
    Bucket& bucket(const TableKey& key) const {
        return first_[static_cast<std::size_t>((static_cast<unsigned __int128>(key.place) * buckets_) >> 64)];
    }

    std::size_t buckets_;
    std::unique_ptr<void, Release> memory_;
    Bucket* first_ = nullptr;
    uint64_t age_ = 0;
};

}  // namespace zermelo
