// Acquiring and releasing Python's lock (the GIL).
//
// When Python exits, a thread that requests the GIL is terminated at that point, which C++ does not survive. So no
// thread requests it after `close`, which waits for those that hold it: searches on daemon threads then block until the
// process exits.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace zermelo {

class PythonLock {
public:
    // Called at exit, with the GIL held.
    static void close() {
        // What other threads, the caches of `typing` and other extension modules still hold is no leak.
        nanobind::set_leak_warnings(false);
        closer() = std::this_thread::get_id();
        closed() = true;
        const nanobind::gil_scoped_release unlocked;
        const auto deadline = std::chrono::steady_clock::now() + CLOSE_TIMEOUT;
        while (holders() > 0 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    // Called before the GIL is requested.
    static void enter() {
        ++holders();
        if (!closed() || closer().load() == std::this_thread::get_id()) return;
        --holders();
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }

    static void leave() { --holders(); }

private:
    static constexpr std::chrono::seconds CLOSE_TIMEOUT{2};  // a callback of the user may take some time

    // The number of threads in C++ that hold the GIL or wait for it.
    static std::atomic<int>& holders() {
        static std::atomic<int> count{0};
        return count;
    }
    static std::atomic<bool>& closed() {
        static std::atomic<bool> flag{false};
        return flag;
    }
    static std::atomic<std::thread::id>& closer() {
        static std::atomic<std::thread::id> thread{};
        return thread;
    }
};

// Holds the GIL, inside a search.
class Locked {
public:
    Locked() : state_((PythonLock::enter(), PyGILState_Ensure())) {}
    ~Locked() {
        PyGILState_Release(state_);
        PythonLock::leave();
    }
    Locked(const Locked&) = delete;

private:
    PyGILState_STATE state_;
};

// Releases the GIL for the duration of a search.
class Unlocked {
public:
    Unlocked() : thread_(PyEval_SaveThread()) {}
    ~Unlocked() {
        PythonLock::enter();
        PyEval_RestoreThread(thread_);
        PythonLock::leave();
    }
    Unlocked(const Unlocked&) = delete;

private:
    PyThreadState* thread_;
};

}  // namespace zermelo
