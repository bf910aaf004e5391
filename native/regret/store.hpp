// Serialises arrays of numbers to bytes and back, with their lengths checked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "regret/minimiser.hpp"

namespace zermelo::regret {

template <typename Number>
void put_numbers(std::string& bytes, const Number* numbers, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(numbers), count * sizeof(Number));
}

template <typename Number>
void put_numbers(std::string& bytes, const std::vector<Number>& numbers) {
    put_numbers(bytes, numbers.data(), numbers.size());
}

// The progress of a minimiser, the header of every saved state.
struct Progress {
    uint64_t iterations = 0;
    double total = 0;  // sum of the weights of all iterations
};

inline void put_progress(std::string& bytes, const Progress& progress) {
    put_numbers(bytes, &progress.iterations, 1);
    put_numbers(bytes, &progress.total, 1);
}

class StoreReader {
public:
    explicit StoreReader(const std::string& bytes) : bytes_(bytes) {}

    template <typename Number>
    void take(Number* numbers, std::size_t count) {
        if (bytes_.size() - place_ < count * sizeof(Number)) throw StateError("the state ends too early");
        std::memcpy(numbers, bytes_.data() + place_, count * sizeof(Number));
        place_ += count * sizeof(Number);
    }

    template <typename Number>
    void take(std::vector<Number>& numbers) {
        take(numbers.data(), numbers.size());
    }

    Progress take_progress() {
        Progress found;
        take(&found.iterations, 1);
        take(&found.total, 1);
        if (!(found.total >= 0 && std::isfinite(found.total)))
            throw StateError("the weights in the state do not add up");
        return found;
    }

    // Numbers that must be finite.
    template <typename Number>
    void take_finite(std::vector<Number>& numbers) {
        take(numbers);
        if (!std::ranges::all_of(numbers, [](Number each) { return std::isfinite(each); }))
            throw StateError("the state holds a number that is not finite");
    }

    void end() const {
        if (place_ != bytes_.size()) throw StateError("the state is longer than this game's");
    }

private:
    const std::string& bytes_;
    std::size_t place_ = 0;
};

}  // namespace zermelo::regret
