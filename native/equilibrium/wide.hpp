// Integers of N · 64 bits that wrap around, and exact division of them.
//
// Integer pivoting only produces minors of the initial tableau, whose length Hadamard's bound gives in advance. So
// overflow is not checked: a result modulo 2^(64 N) is correct if the true result fits, whatever the length of the
// intermediate numbers.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace zermelo {

template <int N>
struct Wide {
    std::array<uint64_t, N> limbs{};  // least significant first, two's complement

    Wide() = default;
    Wide(int64_t value) {
        limbs.fill(value < 0 ? ~0ull : 0);
        limbs[0] = static_cast<uint64_t>(value);
    }

    static Wide read(const char* bytes) {
        Wide number;
        std::memcpy(number.limbs.data(), bytes, sizeof number.limbs);
        return number;
    }

    int sign() const {
        if (limbs[N - 1] >> 63) return -1;
        for (const uint64_t limb : limbs)
            if (limb) return 1;
        return 0;
    }

    Wide operator-(const Wide& other) const {
        Wide result;
        uint64_t borrow = 0;
        for (int i = 0; i < N; ++i) {
            const unsigned __int128 difference = static_cast<unsigned __int128>(limbs[i]) - other.limbs[i] - borrow;
            result.limbs[i] = static_cast<uint64_t>(difference);
            borrow = static_cast<uint64_t>(difference >> 64) & 1;
        }
        return result;
    }

    Wide operator-() const { return Wide() - *this; }

    Wide operator*(const Wide& other) const {
        Wide result;
        if constexpr (N == 1) {
            result.limbs[0] = limbs[0] * other.limbs[0];
        } else if constexpr (N == 2) {
            const unsigned __int128 low = static_cast<unsigned __int128>(limbs[0]) * other.limbs[0];
            result.limbs[0] = static_cast<uint64_t>(low);
            result.limbs[1] = static_cast<uint64_t>(low >> 64) + limbs[0] * other.limbs[1] + limbs[1] * other.limbs[0];
        } else {
            for (int i = 0; i < N; ++i) {
                uint64_t carry = 0;
                for (int j = 0; i + j < N; ++j) {
                    const unsigned __int128 sum =
                        static_cast<unsigned __int128>(limbs[i]) * other.limbs[j] + result.limbs[i + j] + carry;
                    result.limbs[i + j] = static_cast<uint64_t>(sum);
                    carry = static_cast<uint64_t>(sum >> 64);
                }
            }
        }
        return result;
    }

    bool operator==(const Wide&) const = default;

    // The number of trailing zero bits; all bits for 0.
    int trailing_zeros() const {
        for (int i = 0; i < N; ++i)
            if (limbs[i]) return 64 * i + std::countr_zero(limbs[i]);
        return 64 * N;
    }

    // Arithmetic shift right by `count`.
    Wide shifted_right(int count) const {
        if (count == 0) return *this;
        const uint64_t fill = limbs[N - 1] >> 63 ? ~0ull : 0;
        const int whole = count / 64, part = count % 64;
        const auto at = [&](int i) { return i < N ? limbs[i] : fill; };
        Wide result;
        for (int i = 0; i < N; ++i)
            result.limbs[i] = part ? at(i + whole) >> part | at(i + whole + 1) << (64 - part) : at(i + whole);
        return result;
    }
};

// Exact division by one number, without remainder: a shift, and a product with the inverse modulo 2^(64 N).
template <int N>
class ExactDivisor {
public:
    // `d` is not 0. The quotient must have `shift` bits to spare.
    explicit ExactDivisor(const Wide<N>& d) : shift_(d.trailing_zeros()) {
        const Wide<N> odd = d.shifted_right(shift_);
        inverse_ = Wide<N>(1);
        const Wide<N> two(2);
        for (int bits = 1; bits < 64 * N; bits *= 2) inverse_ = inverse_ * (two - odd * inverse_);
    }

    int shift() const { return shift_; }
    Wide<N> operator()(const Wide<N>& number) const { return (number * inverse_).shifted_right(shift_); }

private:
    int shift_;
    Wide<N> inverse_;
};

}  // namespace zermelo
