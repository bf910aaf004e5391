#ifdef __APPLE__
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#endif

#include "selfplay/fiber.hpp"

#include <cstddef>
#include <new>
#include <stdexcept>
#include <utility>

#include "core/watch.hpp"

#if defined(__GLIBC__) || defined(__APPLE__)
#define ZERMELO_FIBERS 1
#include <sys/mman.h>
#include <ucontext.h>
#endif

namespace zermelo {

#ifdef ZERMELO_FIBERS

namespace {

constexpr std::size_t STACK_BYTES = std::size_t{1} << 20;  // of addresses: pages get memory when they are used

thread_local Fiber* current = nullptr;

}  // namespace

struct Fiber::Context {
    Context() {
        stack = mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0);
        if (stack == MAP_FAILED) throw std::bad_alloc();
        // A page below the stack that nobody may touch.
        mprotect(stack, PAGE_BYTES, PROT_NONE);
    }
    ~Context() { munmap(stack, STACK_BYTES); }
    Context(const Context&) = delete;

    static constexpr std::size_t PAGE_BYTES = std::size_t{16} << 10;

    void* stack;
    ucontext_t own, caller;
};

bool Fiber::exist() { return true; }

Fiber::Fiber(std::function<void()> work) : work_(std::move(work)), context_(std::make_unique<Context>()) {
    ucontext_t& own = context_->own;
    getcontext(&own);
    own.uc_stack.ss_sp = context_->stack;
    own.uc_stack.ss_size = STACK_BYTES;
    own.uc_link = nullptr;
    makecontext(&own, &Fiber::enter, 0);
}

// The address of a variable of the thread may have been kept from before a switch to another: it is asked for in functions of
// their own.
[[gnu::noinline]] Fiber* Fiber::running() { return current; }

void Fiber::enter() {
    Fiber& self = *running();
    try {
        if (!self.cancelled_) self.work_();
    } catch (const Stopped&) {
        if (!self.cancelled_) self.failure_ = std::current_exception();
    } catch (...) {
        self.failure_ = std::current_exception();
    }
    self.ended_ = true;
    self.leave();
}

[[gnu::noinline]] void Fiber::resume() {
    Fiber* const before = current;
    current = this;
    swapcontext(&context_->caller, &context_->own);
    current = before;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

[[gnu::noinline]] void Fiber::leave() { swapcontext(&context_->own, &context_->caller); }

void Fiber::wait() {
    Fiber& self = *running();
    self.leave();
    if (self.cancelled_) throw Stopped{};
}

Fiber::~Fiber() {
    if (ended_) return;
    cancelled_ = true;
    try {
        resume();
    } catch (...) {  // what a game says while it is given up concerns nobody
    }
}

#else

struct Fiber::Context {};

bool Fiber::exist() { return false; }
Fiber::Fiber(std::function<void()>) { throw std::runtime_error("this system has no fibers"); }
Fiber::~Fiber() = default;
void Fiber::resume() {}
void Fiber::wait() {}
void Fiber::leave() {}
void Fiber::enter() {}
Fiber* Fiber::running() { return nullptr; }

#endif

}  // namespace zermelo
