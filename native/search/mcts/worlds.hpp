// Worlds consistent with what the player to move sees, for a search with hidden information.
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
    static constexpr uint64_t FIRST_POOL_SIZE = 32,
                              MAX_POOL_SIZE = 1024;  // size of a thread's pool, initially and at most
    static constexpr uint64_t SIMULATIONS_PER_WORLD = 8;  // simulations between two new worlds

    // `imagine` returns some more worlds; none if it needs more time and is to be called again.
    using Imagine = std::function<std::vector<StateBuffer>()>;

    explicit MctsWorlds(Imagine imagine) : imagine_(std::move(imagine)) {}

    // The next world, in the order in which they are sampled; empty once `is_late` returns true while there is none. A
    // thread that waits for another one's sampling polls in between: it may be the one that receives Ctrl-C.
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
    bool imagining_ = false;  // some thread is sampling
    std::vector<StateBuffer> worlds_;
    std::size_t next_ = 0;
};

}  // namespace zermelo
