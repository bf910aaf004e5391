// A 64-bit hash of a state's bytes, the default of the table's `key`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/random.hpp"

namespace zermelo {

// Mixes the next word into a running hash; `src/zermelo/engine/rules/keys.py` does the same in compiled rules.
constexpr uint64_t mix(uint64_t hash, uint64_t word) { return splitmix(hash ^ word) + 0x9e3779b97f4a7c15u * hash; }

inline uint64_t hash_words(const std::byte* data, std::size_t bytes, uint64_t seed = 0) {
    uint64_t hash = bytes ^ seed;
    for (std::size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, data + at, sizeof word);
        hash = mix(hash, word);
    }
    return hash;
}

}  // namespace zermelo
