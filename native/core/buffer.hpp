// Reusable memory for states and lists of actions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace zermelo {

// The bytes of one state, aligned for any table and initially zero.
class StateBuffer {
public:
    explicit StateBuffer(std::size_t size) : blocks_((size + sizeof(Block) - 1) / sizeof(Block)) {}

    std::byte* data() { return blocks_.data()->bytes; }
    const std::byte* data() const { return blocks_.data()->bytes; }

private:
    struct alignas(64) Block {
        std::byte bytes[64] = {};
    };
    std::vector<Block> blocks_;
};

// The actions of one position; `probabilities` is used at chance positions only.
struct ActionList {
    std::vector<int64_t> actions;
    std::vector<double> probabilities;
    std::size_t count = 0;
};

// A line of play that is rebuilt from its end: one action in front of a child's line.
class Line {
public:
    void clear() { length_ = 0; }

    void set(int64_t action, const Line& rest) {
        if (actions_.size() <= rest.length_) [[unlikely]]
            actions_.resize(2 * rest.length_ + 8);
        actions_[0] = action;
        for (std::size_t i = 0; i < rest.length_; ++i) actions_[i + 1] = rest.actions_[i];
        length_ = rest.length_ + 1;
    }

    std::vector<int64_t> copy() const {
        return {actions_.begin(), actions_.begin() + static_cast<std::ptrdiff_t>(length_)};
    }

private:
    std::vector<int64_t> actions_;
    std::size_t length_ = 0;
};

// One element per ply, created on first use and never moved: references stay valid while the stack grows.
template <typename Frame>
class PlyStack {
public:
    template <typename... Arguments>
    Frame& at(std::size_t ply, const Arguments&... arguments) {
        if (frames_.size() <= ply) [[unlikely]]
            grow(ply, arguments...);
        return *frames_[ply];
    }

    std::size_t size() const { return frames_.size(); }

private:
    template <typename... Arguments>
    [[gnu::noinline]] void grow(std::size_t ply, const Arguments&... arguments) {
        while (frames_.size() <= ply) frames_.push_back(std::make_unique<Frame>(arguments...));
    }

    std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace zermelo
