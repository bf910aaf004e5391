// Perft: the number of positions of a game at each depth, the standard test of rules and of their speed.
//
//     leaves(s, 0) = 1        leaves(s, d) = sum of leaves(result(s, a), d - 1) over actions(s), 0 if s is terminal
//
// In chess and Chinese chess lines continue after a draw by rule (insufficient material, fifty moves), as is customary.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "core/game.hpp"
#include "core/helpers.hpp"
#include "core/watch.hpp"

namespace zermelo {

struct Perft {
    uint64_t leaves = 0;  // positions exactly `depth` plies below the root
    uint64_t ended = 0;  // terminal positions at any depth, including the root: complete games
    uint64_t positions = 0;  // all positions visited

    Perft& operator+=(const Perft& other) {
        leaves += other.leaves;
        ended += other.ended;
        positions += other.positions;
        return *this;
    }
};

// Whether perft stops at a position.
inline bool perft_stops(const Game& game, const Position& position) {
    if (!position.terminal()) return false;
    const bool draw = position.utilities[0] == game.table().neutral;
    return !draw || !(game.table().capabilities & ZERMELO_DRAWS_GO_ON);
}

class PerftCounter {
public:
    explicit PerftCounter(const Game& game) : game_(game) {}

    // Counts below `state`, whose position is known and already counted; `node` is called once per position.
    template <typename Node>
    void count(const std::byte* state, const Position& position, uint64_t depth, const Node& node) {
        enter(position, depth);
        if (depth == 0 || perft_stops(game_, position)) return;
        std::size_t ply = 0;
        open(0, state);
        for (;;) {
            Frame& frame = stack_.at(ply, game_);
            if (frame.next == frame.list.count) {
                if (ply == 0) return;
                --ply;
                continue;
            }
            Frame& below = stack_.at(ply + 1, game_);
            game_.step(frame.state, frame.list.actions[frame.next++], below.own.data(), position_);
            node();
            const uint64_t left = depth - ply - 1;
            enter(position_, left);
            if (left > 0 && !perft_stops(game_, position_)) open(++ply, below.own.data());
        }
    }

    const Perft& total() const { return total_; }

private:
    struct Frame {
        explicit Frame(const Game& game) : own(game.buffer()) {}
        StateBuffer own;
        const std::byte* state = nullptr;
        ActionList list;
        std::size_t next = 0;
    };

    void enter(const Position& position, uint64_t left) {
        ++total_.positions;
        total_.leaves += left == 0;
        total_.ended += position.terminal();
    }

    void open(std::size_t ply, const std::byte* state) {
        Frame& frame = stack_.at(ply, game_);
        frame.state = state;
        frame.next = 0;
        game_.actions(state, frame.list);
    }

    const Game& game_;
    PlyStack<Frame> stack_;
    Position position_;
    Perft total_;
};

// The positions `plies` below the root, in order, as tasks for threads; what lies above them is counted in `total`. If
// fewer plies give enough tasks, `plies` is set to that number.
struct PerftTask {
    StateBuffer state;
    Position position;
};

inline std::vector<PerftTask> perft_tasks(const Game& game, const std::byte* root, const Position& position,
                                          uint64_t& plies, Perft& total, Watch& watch) {
    constexpr std::size_t ENOUGH = 256;
    std::vector<PerftTask> tasks;
    tasks.push_back({game.buffer(), position});
    std::memcpy(tasks[0].state.data(), root, game.state_size());
    ActionList list;
    uint64_t ply = 0;
    for (; ply < plies && tasks.size() < ENOUGH; ++ply) {
        std::vector<PerftTask> children;
        for (const PerftTask& task : tasks) {
            ++total.positions;
            total.ended += task.position.terminal();
            if (perft_stops(game, task.position)) continue;
            game.actions(task.state.data(), list);
            for (std::size_t i = 0; i < list.count; ++i) {
                watch.node();
                children.push_back({game.buffer(), {}});
                game.step(task.state.data(), list.actions[i], children.back().state.data(), children.back().position);
            }
        }
        tasks = std::move(children);
    }
    plies = ply;
    return tasks;
}

// Counts the tasks on several threads. The first worker is the calling thread: only it polls the caller, and it keeps
// polling until the others are done.
class PerftTeam {
public:
    PerftTeam(const Game& game, const std::vector<PerftTask>& tasks, uint64_t depth, unsigned threads, Watch& watch)
        : tasks_(tasks), depth_(depth), watch_(watch), failures_(threads), running_(threads - 1) {
        for (unsigned worker = 0; worker < threads; ++worker) counters_.emplace_back(game);
    }

    Perft count() {
        std::vector<std::thread> helpers = start_helpers(counters_.size(), [this](std::size_t worker) {
            work(static_cast<unsigned>(worker), [this] { watch_.helper_node(); });
            --running_;
        });
        running_ -= static_cast<unsigned>(counters_.size() - 1 - helpers.size());
        work(0, [this] { watch_.node(); });
        while (running_ > 0) {
            try {
                watch_.poll();
            } catch (const Stopped&) {
                if (!failures_[0]) failures_[0] = std::current_exception();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        for (std::thread& helper : helpers) helper.join();
        rethrow_failures(failures_);
        Perft total;
        for (const PerftCounter& counter : counters_) total += counter.total();
        return total;
    }

private:
    template <typename Node>
    void work(unsigned worker, const Node& node) {
        try {
            for (std::size_t i; (i = next_.fetch_add(1)) < tasks_.size();)
                counters_[worker].count(tasks_[i].state.data(), tasks_[i].position, depth_, node);
        } catch (...) {
            failures_[worker] = std::current_exception();
            watch_.end();
        }
    }

    const std::vector<PerftTask>& tasks_;
    const uint64_t depth_;
    Watch& watch_;
    std::deque<PerftCounter> counters_;
    std::vector<std::exception_ptr> failures_;
    std::atomic<std::size_t> next_{0};
    std::atomic<unsigned> running_;
};

inline Perft perft(const Game& game, const std::byte* root, uint64_t depth, unsigned threads, Watch& watch) {
    Position position;
    game.info(root, position);
    if (threads <= 1) {
        PerftCounter counter(game);
        counter.count(root, position, depth, [&] { watch.node(); });
        return counter.total();
    }
    Perft total;
    uint64_t split = std::min<uint64_t>(depth, 2);
    const std::vector<PerftTask> tasks = perft_tasks(game, root, position, split, total, watch);
    total += PerftTeam(game, tasks, depth - split, threads, watch).count();
    return total;
}

}  // namespace zermelo
