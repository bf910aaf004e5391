// Pseudo-random numbers: xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64; the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace zermelo {

// One step of splitmix64's sequence; as a function of `x` it is also a good mixer of 64 bits.
constexpr uint64_t splitmix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

class Random {
public:
    explicit Random(uint64_t seed) {
        for (uint64_t& word : words_) {
            word = splitmix(seed);
            seed += 0x9e3779b97f4a7c15u;
        }
    }

    uint64_t next() {
        const uint64_t result = std::rotl(words_[1] * 5, 7) * 9;
        const uint64_t shifted = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= shifted;
        words_[3] = std::rotl(words_[3], 45);
        return result;
    }

    // A number in 0 ... count - 1. The bias of the product is below count / 2^32, negligible for lists of actions.
    uint64_t below(uint64_t count) { return count <= UINT32_MAX ? ((next() >> 32) * count) >> 32 : next() % count; }

    // A number in [0, 1), in steps of 2^-53.
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::array<uint64_t, 4> words_;
};

}  // namespace zermelo
