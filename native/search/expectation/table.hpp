// A transposition table for values that are doubles, one per entry or one per player. Single-threaded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/transposition.hpp"

namespace zermelo {

// One position's entry; `values` points into the table.
struct ValueEntry {
    static constexpr int PROVED = INT16_MAX;  // the depth of a value that rests on no estimate

    Bound bound = Bound::none;
    int depth = 0;
    uint32_t action = UINT32_MAX;  // index in the position's list of actions
    const double* values = nullptr;
};

class ValueTable {
public:
    // As many entries of `width` numbers each as fit into `bytes`.
    ValueTable(std::size_t bytes, std::size_t width)
        : width_(width), buckets_(std::max<std::size_t>(bytes / (WAYS * (sizeof(Slot) + width * sizeof(double))), 1)) {}

    void clear() {
        slots_.reset();
        values_.reset();
        used_ = 0;
    }

    // Older entries are replaced first.
    void grow_older() { ++age_; }

    bool probe(const TableKey& key, ValueEntry& entry) const {
        if (!slots_) return false;
        const std::size_t first = first_slot(key);
        for (std::size_t i = first; i < first + WAYS; ++i) {
            const Slot& slot = slots_[i];
            if (slot.bound == Bound::none || slot.check != key.check) continue;
            entry = {slot.bound, slot.depth, slot.action, &values_[i * width_]};
            return true;
        }
        return false;
    }

    // Stores an entry, unless there is a deeper one of the same position.
    void store(const TableKey& key, Bound bound, int depth, uint32_t action, const double* values) {
        if (!slots_) {  // memory that is zero without being touched: a large table costs nothing before it fills
            slots_.reset(allocate<Slot>(buckets_ * WAYS));
            values_.reset(allocate<double>(buckets_ * WAYS * width_));
        }
        const std::size_t first = first_slot(key);
        std::size_t victim = first;
        int least = INT32_MAX;
        for (std::size_t i = first; i < first + WAYS; ++i) {
            const Slot& slot = slots_[i];
            if (slot.bound == Bound::none || slot.check == key.check) {
                if (slot.bound == Bound::exact && slot.depth > depth) return;
                victim = i;
                break;
            }
            const int worth = slot.depth - (slot.age == age_ ? 0 : ValueEntry::PROVED);
            if (worth < least) {
                least = worth;
                victim = i;
            }
        }
        used_ += slots_[victim].bound == Bound::none;
        slots_[victim] = {key.check, action, static_cast<int16_t>(depth), bound, age_};
        std::copy_n(values, width_, &values_[victim * width_]);
    }

    int per_mille_full() const { return static_cast<int>(used_ * 1000 / (buckets_ * WAYS)); }

private:
    static constexpr std::size_t WAYS = 4;

    struct Slot {  // all zero where there is no entry
        uint64_t check;
        uint32_t action;
        int16_t depth;
        Bound bound;
        uint8_t age;
    };

    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };

    template <typename Item>
    static Item* allocate(std::size_t count) {
        void* memory = std::calloc(count, sizeof(Item));
        if (!memory) throw std::bad_alloc();
        return static_cast<Item*>(memory);
    }

    std::size_t first_slot(const TableKey& key) const {
        return WAYS * static_cast<std::size_t>((static_cast<unsigned __int128>(key.place) * buckets_) >> 64);
    }

    std::size_t width_;
    std::size_t buckets_;
    std::size_t used_ = 0;
    std::unique_ptr<Slot[], Release> slots_;
    std::unique_ptr<double[], Release> values_;
    uint8_t age_ = 0;
};

}  // namespace zermelo
