// The inputs of a sum network: which of them are on in a position, as a set of bits.
//
// They are read off the bytes of the state, field by field, or come from the game's own `inputs`.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/game.hpp"

namespace zermelo {

// A set of inputs: bit i of the words is on if input i is.
using InputWords = std::vector<uint64_t>;

// Calls `visit(i)` for every bit i that is on.
template <typename Visit>
void for_each_bit(const uint64_t* words, std::size_t count, const Visit& visit) {
    for (std::size_t word = 0; word < count; ++word)
        for (uint64_t left = words[word]; left; left &= left - 1)
            visit(static_cast<uint32_t>(64 * word + static_cast<unsigned>(std::countr_zero(left))));
}

// A number in the bytes of a state, and the inputs that it switches on.
struct InputField {
    enum class Number { SIGNED, UNSIGNED, FLOATING };
    enum class Encoding {
        BITS,  // input first + i for each bit i of the number that is on and in `mask`; `first` is a multiple of 64
        VALUES,  // input first + number - low; a number beyond `low` and `high` counts as the nearest of them
        RANGES,  // input first + how many of the `edges` are at most the number
    };

    uint32_t offset = 0;  // bytes
    uint32_t size = 8;  // bytes: 1, 2, 4 or 8
    Number number = Number::SIGNED;
    Encoding encoding = Encoding::VALUES;
    uint32_t first = 0;
    uint64_t mask = 0;
    int64_t low = 0, high = 0;
    std::vector<double> edges{};

    // One more than the last input.
    uint32_t end() const;
    void add(const std::byte* state, uint64_t* words) const;

    // Calls `visit(i)` for every input i that the number switches on.
    template <typename Visit>
    void for_each(const std::byte* state, const Visit& visit) const {
        if (encoding != Encoding::BITS) return visit(single(state));
        for (uint64_t left = static_cast<uint64_t>(whole(state)) & mask; left; left &= left - 1)
            visit(first + static_cast<uint32_t>(std::countr_zero(left)));
    }

private:
    template <typename Narrow>
    Narrow load(const std::byte* state) const {
        Narrow number;
        std::memcpy(&number, state + offset, sizeof number);
        return number;
    }
    // The one input that is on, by values or ranges.
    uint32_t single(const std::byte* state) const;
    int64_t whole(const std::byte* state) const;
    double real(const std::byte* state) const;
};

class InputLayout {
public:
    // `fields` of states of `state_size` bytes; without fields the game's own `inputs` are used, `count` of them.
    InputLayout(std::vector<InputField> fields, uint32_t count, std::size_t state_size);

    uint32_t count() const { return count_; }
    std::size_t words() const { return (count_ + 63) / 64; }
    // Whether each player has inputs of its own: those of `inputs(s, p)`.
    bool by_player() const { return fields_.empty(); }

    // Sets the bits of the inputs that are on in a position, as `player` sees it where inputs are by player.
    void read(const Game& game, const std::byte* state, int32_t player, uint64_t* words) const;

    // Calls `visit(i)` for each of them, without a look at all others; for one that the game's own `inputs` name twice, twice.
    template <typename Visit>
    void for_each(const Game& game, const std::byte* state, int32_t player, const Visit& visit) const {
        if (!by_player()) {
            for (const InputField& field : fields_) field.for_each(state, visit);
        } else if (game.table().inputs) {
            const ActionList& list = own(game, state, player);
            for (std::size_t i = 0; i < list.count; ++i) visit(static_cast<uint32_t>(list.actions[i]));
        } else {
            thread_local InputWords words;
            words.resize(this->words());
            read(game, state, player, words.data());
            for_each_bit(words.data(), words.size(), visit);
        }
    }

private:
    // What the game's `inputs` give, until this is asked again on this thread.
    const ActionList& own(const Game& game, const std::byte* state, int32_t player) const;

    std::vector<InputField> fields_;
    uint32_t count_;
};

}  // namespace zermelo
