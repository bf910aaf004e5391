// Python's lock, taken and given back.
//
// When Python ends, a thread that asks for its lock is ended by force, in the middle of whatever it does, and C++ does not
// survive that. So nobody asks any more once `close` has been called, and it waits for those who have it: searches on
// threads that Python does not wait for then stand still until the process is gone.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace zermelo {

class PythonLock {
public:
    // Called at the end, with the lock held.
    static void close() {
        // What other threads hold on to is no leak.
        const nanobind::object count = nanobind::module_::import_("threading").attr("active_count")();
        if (nanobind::cast<int>(count) > 1) nanobind::set_leak_warnings(false);
        closer() = std::this_thread::get_id();
        closed() = true;
        const nanobind::gil_scoped_release unlocked;
        const auto deadline = std::chrono::steady_clock::now() + PATIENCE;
        while (holders() > 0 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    // Before the lock is asked for.
    static void enter() {
        ++holders();
        if (!closed() || closer().load() == std::this_thread::get_id()) return;
        --holders();
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }

    static void leave() { --holders(); }

private:
    static constexpr std::chrono::seconds PATIENCE{2};  // for what a caller wrote, which may take its time

    // In C++ with Python's lock, or waiting for it.
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

// With Python's lock, in the midst of a search.
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

// Without Python's lock, until the search is done.
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
