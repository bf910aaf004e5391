// Worlds that fit what the player to move sees, for a search of hidden information.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "core/game.hpp"

namespace zermelo {

class MctsWorlds {
public:
    static constexpr uint64_t FIRST = 32, MOST = 1024;  // to draw from, at the beginning and at most
    static constexpr uint64_t SIMULATIONS = 8;          // before another one is imagined

    // `imagine` gives some worlds more; none if that takes long, and it is to be asked again.
    using Imagine = std::function<std::vector<StateBuffer>()>;

    explicit MctsWorlds(Imagine imagine) : imagine_(std::move(imagine)) {}

    // The next world, in the order in which they are imagined; nothing once `is_late` says so while there is none. Whoever
    // waits for another thread's imagination looks up in between: it may be the one that hears Ctrl-C.
    template <typename Late>
    std::optional<StateBuffer> take(const Late& is_late) {
        std::unique_lock locked(mutex_);
        for (;;) {
            if (next_ == worlds_.size()) {
                if (imagining_) ready_.wait_for(locked, WAIT);
                else imagine_more(locked);
            }
            if (next_ < worlds_.size()) return std::move(worlds_[next_++]);
            locked.unlock();
            if (is_late()) return std::nullopt;
            locked.lock();
        }
    }

private:
    static constexpr std::chrono::milliseconds WAIT{20};

    void imagine_more(std::unique_lock<std::mutex>& locked) {
        imagining_ = true;
        locked.unlock();
        std::vector<StateBuffer> more;
        std::exception_ptr failure;
        try {
            more = imagine_();
        } catch (...) {
            failure = std::current_exception();
        }
        locked.lock();
        imagining_ = false;
        worlds_ = std::move(more);
        next_ = 0;
        ready_.notify_all();
        if (failure) std::rethrow_exception(failure);
    }

    const Imagine imagine_;
    std::mutex mutex_;
    std::condition_variable ready_;
    bool imagining_ = false;  // some thread is
    std::vector<StateBuffer> worlds_;
    std::size_t next_ = 0;
};

}  // namespace zermelo
