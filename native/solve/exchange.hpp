// Plays all actions of all positions, on several threads that never write to the same memory.
//
// Works in rounds of two steps: first each thread plays the actions in positions of its own segments and sends the
// children, by hash, to their segments; then each thread processes what was sent to its own segments. No locks are
// needed, and the addresses that a step uses are known early enough to be prefetched.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <vector>

#include "solve/positions.hpp"
#include "solve/team.hpp"

namespace zermelo {

// What happens to the children is up to a `Pass`, which has a type `Payload` and the functions
//
//     open(worker, ref, count)                         `ref` is about to send this number of children
//     send(worker, ref, child, position) → Payload     the data that the child's segment needs
//     sent()                                           between the two steps
//     take(worker, key, payload, state, scratch)       in the child's segment; `scratch` has room for a state
//     fetch(ref)                                       prefetch: `take` will soon use `ref`
//     taken()                                          after the two steps
class Exchange {
public:
    // A thread sends about `bytes` per round.
    Exchange(Positions& positions, ThreadTeam& team, std::size_t bytes)
        : positions_(positions), game_(positions.game()), team_(team), bytes_(bytes) {
        for (unsigned i = 0; i < team.threads(); ++i) workers_.emplace_back(game_);
    }

    template <typename Pass>
    void run(Pass& pass) {
        played_.fill(0);
        for (uint64_t left = pending(); left > 0; left = pending()) {
            // A small number of positions is done before a second thread has started.
            ThreadTeam alone(1, team_.watch());
            ThreadTeam& team = left < 1024 ? alone : team_;
            const unsigned threads = team.threads();
            team.run(
                [&](unsigned number, ThreadTeam::StopCheck check_stop) { play(pass, number, threads, check_stop); });
            pass.sent();
            team.run(
                [&](unsigned number, ThreadTeam::StopCheck check_stop) { take(pass, number, threads, check_stop); });
            pass.taken();
        }
    }

    std::size_t bytes() const {
        std::size_t total = 0;
        for (const Worker& worker : workers_)
            for (const std::vector<std::byte>& box : worker.outbox) total += box.capacity();
        return total;
    }

    uint64_t played() const {
        uint64_t total = 0;
        for (const uint32_t count : played_) total += count;
        return total;
    }

private:
    template <typename Payload>
    struct Message {
        uint64_t key;
        Payload payload;
    };

    struct Worker {
        explicit Worker(const Game& game) : state(game.buffer()), child(game.buffer()) {}
        StateBuffer state, child;
        ActionList list;
        Position position;
        std::array<std::vector<std::byte>, SEGMENTS> outbox;  // messages, each followed by a state
        std::size_t sent = 0;                                 // bytes in all outboxes
    };

    uint64_t pending() const { return positions_.size() - played(); }

    template <typename Pass>
    void play(Pass& pass, unsigned number, unsigned threads, const ThreadTeam::StopCheck& check_stop) {
        Worker& worker = workers_[number];
        worker.sent = 0;
        for (uint32_t segment = number; segment < SEGMENTS; segment += threads) {
            const uint32_t size = positions_.segment(segment).size();
            for (uint32_t& next = played_[segment]; next < size && worker.sent < bytes_; ++next) {
                const Ref ref = segment << LOCAL_BITS | next;
                if (positions_.record(ref).mover != ENDED) send(pass, number, ref, check_stop);
            }
        }
    }

    template <typename Pass>
    void send(Pass& pass, unsigned number, Ref ref, const ThreadTeam::StopCheck& check_stop) {
        Worker& worker = workers_[number];
        std::byte* state = worker.state.data();
        std::byte* child = worker.child.data();
        const std::size_t size = game_.state_size();
        positions_.state(ref, state);
        game_.actions(state, worker.list);
        if (worker.list.count == 0) throw RuleError("actions", ZERMELO_BREACH, state, size, 0);
        pass.open(number, ref, worker.list.count);
        for (std::size_t i = 0; i < worker.list.count; ++i) {
            check_stop();
            game_.step(state, worker.list.actions[i], child, worker.position);
            const Message<typename Pass::Payload> message{game_.key(child),
                                                          pass.send(number, ref, child, worker.position)};
            std::vector<std::byte>& box = worker.outbox[Positions::segment_of(message.key)];
            const std::size_t at = box.size();
            extend(box, at + sizeof message + size);
            std::memcpy(box.data() + at, &message, sizeof message);
            std::memcpy(box.data() + at + sizeof message, child, size);
            worker.sent += sizeof message + size;
        }
    }

    template <typename Pass>
    void take(Pass& pass, unsigned number, unsigned threads, const ThreadTeam::StopCheck& check_stop) {
        using Sent = Message<typename Pass::Payload>;
        constexpr std::size_t ahead = 8;  // messages between a prefetch, the next one and the use
        const std::size_t step = sizeof(Sent) + game_.state_size();
        std::byte* scratch = workers_[number].child.data();
        for (uint32_t segment = number; segment < SEGMENTS; segment += threads) {
            for (Worker& sender : workers_) {
                std::vector<std::byte>& box = sender.outbox[segment];
                const auto read = [&](std::size_t at) {
                    Sent message;
                    std::memcpy(&message, box.data() + at, sizeof message);
                    return message;
                };
                for (std::size_t at = 0; at < box.size(); at += step) {
                    check_stop();
                    if (at + 2 * ahead * step < box.size()) positions_.fetch_slot(read(at + 2 * ahead * step).key);
                    if (at + ahead * step < box.size())
                        if (const Ref ref = positions_.fetch_state(read(at + ahead * step).key); ref != NO_REF)
                            pass.fetch(ref);
                    const Sent message = read(at);
                    pass.take(number, message.key, message.payload, box.data() + at + sizeof message, scratch);
                }
                box.clear();
            }
        }
    }

    Positions& positions_;
    const Game& game_;
    ThreadTeam& team_;
    const std::size_t bytes_;
    std::deque<Worker> workers_;
    std::array<uint32_t, SEGMENTS> played_{};
};

}  // namespace zermelo
