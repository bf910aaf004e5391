// Fibers: functions with a stack of their own, which a thread runs in turn, each until it waits for something.
#pragma once

#include <exception>
#include <functional>
#include <memory>

namespace zermelo {

class Fiber {
public:
    // Whether this system has them.
    static bool exist();

    explicit Fiber(std::function<void()> work);
    // Ends a fiber that waits: `wait` throws `Stopped` there, which leaves its functions one by one.
    ~Fiber();
    Fiber(const Fiber&) = delete;

    // Runs it until it waits or ends; throws what it did not catch. Any thread may, one at a time.
    void resume();
    bool ended() const { return ended_; }

    // Called within a fiber: returns to who resumed it, until that happens again.
    static void wait();
    // The fiber that this thread runs; null outside.
    static Fiber* running();

private:
    struct Context;

    static void enter();
    void leave();

    std::function<void()> work_;
    std::unique_ptr<Context> context_;
    std::exception_ptr failure_;
    bool ended_ = false;
    bool cancelled_ = false;
};

}  // namespace zermelo
