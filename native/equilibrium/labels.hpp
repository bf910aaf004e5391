// Sets of labels as bit sets, stored in one block of memory and found by hash.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zermelo {

// A list of distinct sets of labels, numbered in order of insertion.
class LabelSets {
public:
    explicit LabelSets(std::size_t labels) : words_((labels + 63) / 64), slots_(64, none) {}

    static constexpr uint32_t none = ~uint32_t{0};

    std::size_t words() const { return words_; }
    std::size_t size() const { return words_ ? data_.size() / words_ : 0; }
    const uint64_t* operator[](std::size_t number) const { return &data_[number * words_]; }

    // The number of the set; `none` if it is not in the list.
    uint32_t find(const uint64_t* set) const { return slots_[slot(set)]; }

    // Inserts the set; false if it is already in the list.
    bool insert(const uint64_t* set) {
        const std::size_t place = slot(set);
        if (slots_[place] != none) return false;
        slots_[place] = static_cast<uint32_t>(size());
        data_.insert(data_.end(), set, set + words_);
        if (size() * 2 > slots_.size()) grow();
        return true;
    }

    bool contains(std::size_t number, const uint64_t* subset) const {
        const uint64_t* set = (*this)[number];
        for (std::size_t i = 0; i < words_; ++i)
            if (subset[i] & ~set[i]) return false;
        return true;
    }

    std::size_t count(std::size_t number) const {
        std::size_t sum = 0;
        for (std::size_t i = 0; i < words_; ++i)
            sum += static_cast<std::size_t>(__builtin_popcountll((*this)[number][i]));
        return sum;
    }

private:
    std::size_t slot(const uint64_t* set) const {
        uint64_t hash = 0;
        for (std::size_t i = 0; i < words_; ++i) {
            hash = (hash ^ set[i]) * 0x9e3779b97f4a7c15ull;
            hash ^= hash >> 29;
        }
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place] != none && !equal(slots_[place], set)) place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    bool equal(uint32_t number, const uint64_t* set) const {
        const uint64_t* mine = (*this)[number];
        for (std::size_t i = 0; i < words_; ++i)
            if (mine[i] != set[i]) return false;
        return true;
    }

    void grow() {
        slots_.assign(slots_.size() * 2, none);
        for (std::size_t number = 0; number < size(); ++number)
            slots_[slot((*this)[number])] = static_cast<uint32_t>(number);
    }

    std::size_t words_;
    std::vector<uint64_t> data_;
    std::vector<uint32_t> slots_;
};

inline void add_label(uint64_t* set, std::size_t label) { set[label / 64] |= 1ull << (label % 64); }
inline void drop_label(uint64_t* set, std::size_t label) { set[label / 64] &= ~(1ull << (label % 64)); }

}  // namespace zermelo
