#include "networks/inputs.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo {

uint32_t InputField::end() const {
    switch (encoding) {
        case Encoding::BITS: return first + 64;
        case Encoding::VALUES: return first + static_cast<uint32_t>(high - low) + 1;
        case Encoding::RANGES: return first + static_cast<uint32_t>(edges.size()) + 1;
    }
    return first;
}

int64_t InputField::whole(const std::byte* state) const {
    const bool has_sign = number == Number::SIGNED;
    switch (size) {
        case 1: return has_sign ? load<int8_t>(state) : load<uint8_t>(state);
        case 2: return has_sign ? load<int16_t>(state) : load<uint16_t>(state);
        case 4: return has_sign ? load<int32_t>(state) : load<uint32_t>(state);
        default: return load<int64_t>(state);
    }
}

double InputField::real(const std::byte* state) const {
    if (number != Number::FLOATING)
        return size == 8 && number == Number::UNSIGNED ? static_cast<double>(load<uint64_t>(state))
                                                       : static_cast<double>(whole(state));
    return size == 4 ? load<float>(state) : load<double>(state);
}

void InputField::add(const std::byte* state, uint64_t* words) const {
    if (encoding == Encoding::BITS) {
        words[first / 64] |= static_cast<uint64_t>(whole(state)) & mask;
        return;
    }
    const uint32_t input = single(state);
    words[input / 64] |= uint64_t{1} << input % 64;
}

uint32_t InputField::single(const std::byte* state) const {
    if (encoding == Encoding::VALUES) return first + static_cast<uint32_t>(std::clamp(whole(state), low, high) - low);
    return first + static_cast<uint32_t>(std::upper_bound(edges.begin(), edges.end(), real(state)) - edges.begin());
}

InputLayout::InputLayout(std::vector<InputField> fields, uint32_t count, std::size_t state_size)
    : fields_(std::move(fields)), count_(count) {
    constexpr int64_t MOST_VALUES = 1 << 16;
    if (count == 0 || count > (1u << 22)) throw std::invalid_argument("a network has 1 to 2^22 inputs");
    for (const InputField& field : fields_) {
        if ((field.size != 1 && field.size != 2 && field.size != 4 && field.size != 8) ||
            uint64_t{field.offset} + field.size > state_size)
            throw std::invalid_argument("an input lies outside the states of this game");
        if (field.number == InputField::Number::FLOATING &&
            (field.size < 4 || field.encoding != InputField::Encoding::RANGES))
            throw std::invalid_argument("a number with a fraction has inputs by ranges, and 4 or 8 bytes");
        if (field.encoding == InputField::Encoding::BITS && field.first % 64 != 0)
            throw std::invalid_argument("the first input of a set of bits is not a multiple of 64");
        if (field.encoding == InputField::Encoding::VALUES &&
            (field.low > field.high || field.low < -MOST_VALUES || field.high > MOST_VALUES))
            throw std::invalid_argument("an input has an impossible range of values");
        if (!std::is_sorted(field.edges.begin(), field.edges.end()))
            throw std::invalid_argument("the edges of an input are not in order");
        if (field.first > count || field.end() > count)
            throw std::invalid_argument("an input has a number beyond the inputs of its network");
    }
}

void InputLayout::read(const Game& game, const std::byte* state, int32_t player, uint64_t* words) const {
    if (by_player() && game.table().input_words) return game.input_words(state, player, words, this->words());
    std::fill_n(words, this->words(), 0);
    for (const InputField& field : fields_) field.add(state, words);
    if (!by_player()) return;
    const ActionList& list = own(game, state, player);
    for (std::size_t i = 0; i < list.count; ++i) words[list.actions[i] / 64] |= uint64_t{1} << list.actions[i] % 64;
}

const ActionList& InputLayout::own(const Game& game, const std::byte* state, int32_t player) const {
    thread_local ActionList list;
    game.inputs(state, player, list);
    bool inside = true;
    for (std::size_t i = 0; i < list.count; ++i) inside &= static_cast<uint64_t>(list.actions[i]) < count_;
    if (!inside) [[unlikely]]
        game.check("inputs", state, player, ZERMELO_BREACH);
    return list;
}

}  // namespace zermelo
