// Arrays of numbers to bytes and back, with their lengths checked.
#pragma once

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

    void end() const {
        if (place_ != bytes_.size()) throw StateError("the state is longer than this game's");
    }

private:
    const std::string& bytes_;
    std::size_t place_ = 0;
};

}  // namespace zermelo::regret
