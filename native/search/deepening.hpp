// Shared by the searches with iterative deepening: limits, the report after a depth, and helper threads that are
// started once per search and parked between its depths.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace zermelo {

constexpr int DEEPEST_ITERATION = 510;  // plies; beyond this only selective techniques keep a search open

struct SearchLimits {
    static constexpr double LONGEST_SECONDS = 1e9;  // a longer limit, like a negative one, means no limit

    int depth = 0;  // plies; 0 for no limit
    uint64_t nodes = std::numeric_limits<uint64_t>::max();
    double seconds = -1;
    unsigned lines = 1;  // best actions with exact values (multi-PV)
    std::vector<int64_t> only = {};  // the root's actions to search; all if empty

    int deepest() const { return depth > 0 ? std::min(depth, DEEPEST_ITERATION) : DEEPEST_ITERATION; }

    std::chrono::steady_clock::time_point deadline(std::chrono::steady_clock::time_point start) const {
        if (!(seconds >= 0 && seconds < LONGEST_SECONDS)) return std::chrono::steady_clock::time_point::max();
        return start + std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    }
};

enum class StopReason { none, nodes, seconds, stop, interrupt };

// The state of the search after a depth. Counts are those of the whole search so far.
struct DepthReport {
    static constexpr int NO_DEPTH = -1;

    int depth = NO_DEPTH;  // the last completed depth; none before the first, and after a search to the end of the game
    bool known = false;  // some action has a value
    StopReason stopped = StopReason::none;
    uint64_t nodes = 0;
    uint64_t leaves = 0;
    uint64_t cutoffs = 0;
    uint64_t probed = 0;  // positions that endgame tables settled
    double seconds = 0;
    int deepest = 0;  // ply entered in this iteration; 0 if nobody counts
    int table_per_mille = 0;
};

// Threads that call `work(i)`, i = 1 ..., each time `start` is called, and wait in between. They are created on the
// first start; the system may grant fewer than requested.
class HelperThreads {
public:
    HelperThreads(unsigned count, std::function<void(unsigned)> work) : count_(count), work_(std::move(work)) {}
    HelperThreads(const HelperThreads&) = delete;

    ~HelperThreads() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    void start() {
        if (count_ == 0) return;
        {
            const std::lock_guard lock(mutex_);
            ++round_;
            running_ = static_cast<int>(threads_.size());
        }
        wake_.notify_all();
        if (round_ > 1) return;
        try {
            for (unsigned i = 1; i <= count_; ++i) {
                threads_.emplace_back([this, i] { loop(i); });
                const std::lock_guard lock(mutex_);
                ++running_;
            }
        } catch (const std::system_error&) {
        }
    }

    // Returns when every helper has finished its work.
    void wait() {
        std::unique_lock lock(mutex_);
        parked_.wait(lock, [&] { return running_ <= 0; });
    }

private:
    void loop(unsigned index) {
        for (unsigned done = 0;;) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, [&] { return ended_ || round_ > done; });
                if (ended_) return;
                done = round_;
            }
            work_(index);
            {
                const std::lock_guard lock(mutex_);
                --running_;
            }
            parked_.notify_all();
        }
    }

    const unsigned count_;
    const std::function<void(unsigned)> work_;
    std::mutex mutex_;
    std::condition_variable wake_, parked_;
    unsigned round_ = 0;
    int running_ = 0;
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace zermelo
