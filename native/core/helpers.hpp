// Threads that help the calling one.
#pragma once

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

#include "core/watch.hpp"

namespace zermelo {

// Starts `work(i)` for i = 1 ... count - 1 on threads of their own: as many as the system gives, for the work must be such
// that any number of helpers can do it.
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

// Throws one of the failures of a team, if there is any: a rule that failed explains more than the `Stopped` that it caused
// elsewhere.
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
