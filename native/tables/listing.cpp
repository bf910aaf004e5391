#include "tables/listing.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo {

Listing::Listing(Packing packing, std::vector<std::byte> rows) : packing_(std::move(packing)), rows_(std::move(rows)) {
    const std::size_t width = packing_.width();
    if (width == 0 || rows_.size() % width != 0) throw std::invalid_argument("a list of positions is not whole");
    for (uint64_t number = 1; number < size(); ++number)
        if (std::memcmp(row(number - 1), row(number), width) >= 0)
            throw std::invalid_argument("the positions of a list do not ascend");
    const std::vector<uint32_t>& places = packing_.places();
    for (uint32_t place = 0; place < packing_.root().size(); ++place)
        if (!std::binary_search(places.begin(), places.end(), place)) fixed_.push_back(place);
}

std::optional<uint64_t> Listing::find(const std::byte* state) const {
    const std::byte* root = packing_.root().data();
    for (const uint32_t place : fixed_)
        if (state[place] != root[place]) return std::nullopt;
    uint64_t first = 0, last = size();
    while (first < last) {
        const uint64_t middle = first + (last - first) / 2;
        const int order = compare(state, middle);
        if (order == 0) return middle;
        if (order < 0) last = middle;
        else first = middle + 1;
    }
    return std::nullopt;
}

int Listing::compare(const std::byte* state, uint64_t number) const {
    const std::byte* packed = row(number);
    for (const uint32_t place : packing_.places()) {
        const int difference = static_cast<int>(state[place]) - static_cast<int>(*packed++);
        if (difference != 0) return difference;
    }
    return 0;
}

}  // namespace zermelo
