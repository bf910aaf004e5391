// The positions of a slice of a game that does not number them itself: those that were found, in the order of their bytes. A
// position has the number of its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "solve/packing.hpp"

namespace zermelo {

class Listing {
public:
    // `rows` are packed states. Throws std::invalid_argument unless they ascend.
    Listing(Packing packing, std::vector<std::byte> rows);

    uint64_t size() const { return rows_.size() / packing_.width(); }
    const Packing& packing() const { return packing_; }
    const std::vector<std::byte>& rows() const { return rows_; }

    void state(uint64_t number, std::byte* out) const { packing_.unpack(row(number), out); }

    // The number of a state; nothing if it is not in the list.
    std::optional<uint64_t> find(const std::byte* state) const;

private:
    const std::byte* row(uint64_t number) const { return rows_.data() + number * packing_.width(); }
    int compare(const std::byte* state, uint64_t number) const;

    Packing packing_;
    std::vector<std::byte> rows_;
    std::vector<uint32_t> fixed_;  // the bytes that are those of the root in all states
};

using SharedListing = std::shared_ptr<const Listing>;

}  // namespace zermelo
