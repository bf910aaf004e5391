// States without the bytes that never change: most games leave most of their 64-bit numbers at zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace zermelo {

// Collects the bits in which the given states differ from the root.
class Difference {
public:
    Difference(const std::byte* root, std::size_t size) : root_(size / 8), bits_(size / 8) {
        std::memcpy(root_.data(), root, size);
    }

    void add(const std::byte* state) {
        for (std::size_t i = 0; i < root_.size(); ++i) {
            uint64_t word;
            std::memcpy(&word, state + 8 * i, sizeof word);
            bits_[i] |= word ^ root_[i];
        }
    }

    bool at(std::size_t place) const {
        std::byte bytes[8];
        std::memcpy(bytes, &bits_[place / 8], sizeof bytes);
        return bytes[place % 8] != std::byte{0};
    }

private:
    std::vector<uint64_t> root_, bits_;
};

// Which bytes of a state are stored; all others equal the root's.
class Packing {
public:
    Packing(const std::byte* root, std::size_t size, std::vector<uint32_t> places = {})
        : root_(root, root + size), places_(std::move(places)) {}

    std::size_t width() const { return places_.size(); }
    const std::vector<uint32_t>& places() const { return places_; }
    const std::vector<std::byte>& root() const { return root_; }

    void pack(const std::byte* state, std::byte* packed) const {
        for (std::size_t i = 0; i < places_.size(); ++i) packed[i] = state[places_[i]];
    }

    void unpack(const std::byte* packed, std::byte* state) const {
        std::memcpy(state, root_.data(), root_.size());
        for (std::size_t i = 0; i < places_.size(); ++i) state[places_[i]] = packed[i];
    }

    // This packing, extended by every byte that differs in `difference`.
    Packing widened(const std::vector<Difference>& differences) const {
        std::vector<uint32_t> places;
        std::size_t next = 0;
        for (uint32_t place = 0; place < root_.size(); ++place) {
            bool kept = next < places_.size() && places_[next] == place;
            next += kept;
            for (const Difference& difference : differences) kept = kept || difference.at(place);
            if (kept) places.push_back(place);
        }
        return Packing(root_.data(), root_.size(), std::move(places));
    }

private:
    std::vector<std::byte> root_;
    std::vector<uint32_t> places_;  // ascending
};

}  // namespace zermelo
