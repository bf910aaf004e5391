// Helper threads for the calling thread.
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "core/watch.hpp"

namespace zermelo {

// Starts `work(i)` for i = 1 ... count - 1, each on its own thread. The system may grant fewer threads, so the work
// must be correct with any number of helpers.
template <typename Work>
std::vector<std::thread> start_helpers(std::size_t count, const Work& work) {
    std::vector<std::thread> helpers;
    helpers.reserve(count);
    try {
        for (std::size_t i = 1; i < count; ++i) helpers.emplace_back(work, i);
    } catch (const std::system_error&) {
    }
    return helpers;
}

// Rethrows one of the failures of a group of threads, if there is any: a failed rule takes precedence over the
// `Stopped` that it caused in other threads.
inline void rethrow_failures(const std::vector<std::exception_ptr>& failures) {
    std::exception_ptr stopped;
    for (const std::exception_ptr& failure : failures) {
        if (!failure) continue;
        try {
            std::rethrow_exception(failure);
        } catch (const Stopped&) {
            stopped = failure;
        }
    }
    if (stopped) std::rethrow_exception(stopped);
}

}  // namespace zermelo
