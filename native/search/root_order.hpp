// The order in which the last iteration left the actions of its root: where the next one begins, if its root is the same.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "core/buffer.hpp"

namespace zermelo {

template <typename Action>
class RootOrder {
public:
    void clear() { actions_.clear(); }

    // The order for `root` and the actions to choose from, if it was kept for them; else none: searches of two positions
    // may take turns.
    const std::vector<Action>& get(const std::byte* root, std::size_t size, const std::vector<int64_t>& only) {
        if (!actions_.empty() && (std::memcmp(root_.data(), root, size) != 0 || only_ != only)) clear();
        return actions_;
    }

    void keep(const std::byte* root, std::size_t size, const std::vector<int64_t>& only, std::vector<Action> actions) {
        StateBuffer copy(size);
        std::memcpy(copy.data(), root, size);
        root_ = std::move(copy);
        only_ = only;
        actions_ = std::move(actions);
    }

private:
    std::vector<Action> actions_;
    StateBuffer root_{0};
    std::vector<int64_t> only_;
};

}  // namespace zermelo
