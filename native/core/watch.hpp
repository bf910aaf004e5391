// How a search is stopped: a callback of the caller, polled from time to time, and a flag shared by all threads.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

namespace zermelo {

// Thrown out of a search that has been stopped.
struct Stopped {};

class Watch {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds interval{20};

    // `ask` returns whether to stop. It may be slow (it takes Python's lock), so it is polled every 20 ms only, from
    // `first` on.
    explicit Watch(std::function<bool()> ask, Clock::time_point first = Clock::now() + interval)
        : ask_(std::move(ask)), next_(first) {}

    // Called by the thread that started the search, at every node.
    void node() {
        if ((++calls_ & 255) == 0) [[unlikely]]
            poll();
    }

    // The same for many nodes at once.
    void nodes(std::size_t count) {
        const unsigned before = calls_;
        calls_ += static_cast<unsigned>(count);
        if ((before ^ calls_) >> 8) [[unlikely]]
            poll();
    }

    // Called by helper threads, at every node.
    void helper_node() const {
        if (ended_.load(std::memory_order_relaxed)) [[unlikely]]
            throw Stopped{};
    }

    void poll() {
        helper_node();
        const Clock::time_point now = Clock::now();
        if (now < next_) return;
        next_ = now + interval;
        if (ask_ && ask_()) {
            end();
            throw Stopped{};
        }
    }

    // The time of the next poll.
    Clock::time_point next() const { return next_; }

    void end() { ended_.store(true, std::memory_order_relaxed); }

private:
    std::function<bool()> ask_;
    Clock::time_point next_;
    unsigned calls_ = 0;
    std::atomic<bool> ended_{false};
};

}  // namespace zermelo
