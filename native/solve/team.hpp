// Threads that share one task, and stop together when one of them fails or the caller stops them.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "core/helpers.hpp"
#include "core/watch.hpp"

namespace zermelo {

class ThreadTeam {
public:
    // Called at every position; throws when the task is to stop.
    class StopCheck {
    public:
        StopCheck(Watch& watch, bool first) : watch_(watch), first_(first) {}
        void operator()() const { first_ ? watch_.node() : watch_.helper_node(); }

    private:
        Watch& watch_;
        bool first_;
    };

    ThreadTeam(unsigned threads, Watch& watch) : threads_(threads), watch_(watch) {}

    unsigned threads() const { return threads_; }
    Watch& watch() const { return watch_; }

    // Calls work(worker, check_stop) on each thread. The first worker is the calling thread: only it polls the caller,
    // and it keeps polling until the others are done.
    template <typename Work>
    void run(const Work& work) {
        if (threads_ <= 1) {
            work(0u, StopCheck(watch_, true));
            return;
        }
        std::vector<std::exception_ptr> failures(threads_);
        std::atomic<unsigned> running{threads_ - 1};
        const auto attempt = [&](unsigned worker) {
            try {
                work(worker, StopCheck(watch_, worker == 0));
            } catch (...) {
                failures[worker] = std::current_exception();
                watch_.end();
            }
        };
        std::vector<std::thread> helpers;
        for (unsigned worker = 1; worker < threads_; ++worker)
            helpers.emplace_back([&, worker] {
                attempt(worker);
                --running;
            });
        attempt(0);
        while (running > 0) {
            try {
                watch_.poll();
            } catch (const Stopped&) {
                if (!failures[0]) failures[0] = std::current_exception();
            }
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
        for (std::thread& helper : helpers) helper.join();
        rethrow_failures(failures);
    }

private:
    const unsigned threads_;
    Watch& watch_;
};

}  // namespace zermelo
