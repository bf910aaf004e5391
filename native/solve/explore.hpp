// The first pass: finds all positions reachable from a root.
#pragma once

#include <array>
#include <cmath>
#include <deque>
#include <utility>
#include <vector>

#include "solve/exchange.hpp"
#include "solve/payoffs.hpp"
#include "solve/progress.hpp"

namespace zermelo {

// For each position, by segment and index, the number of actions that lead to it.
using Arrivals = std::array<BigVector<uint32_t>, SEGMENTS>;

class Explorer {
public:
    using Payload = Record;

    Explorer(Positions& positions, Payoffs& payoffs, Exchange& exchange, const ThreadTeam& team, std::size_t memory,
             SolveProgress& progress)
        : positions_(positions), game_(positions.game()), exchange_(exchange), team_(team), memory_(memory),
          progress_(progress) {
        for (unsigned i = 0; i < team.threads(); ++i) workers_.emplace_back(positions.packing(), payoffs);
    }

    Arrivals explore() {
        StateBuffer root = game_.buffer();
        std::memcpy(root.data(), positions_.packing().root().data(), game_.state_size());
        Position position;
        game_.info(root.data(), position);
        const uint64_t key = game_.key(root.data());
        positions_.add(key, root.data(), describe(workers_[0], root.data(), position));
        arrivals_[Positions::segment_of(key)].push_back(0);
        progress_.states = 1;
        exchange_.run(*this);
        return std::move(arrivals_);
    }

    // The interface of `Exchange`.

    void open(unsigned worker, Ref, std::size_t count) { workers_[worker].edges += count; }

    Record send(unsigned worker, Ref, const std::byte* child, const Position& position) {
        workers_[worker].difference.add(child);
        return describe(workers_[worker], child, position);
    }

    // Keeps more bytes of each state if the children just sent differ in more.
    void sent() {
        std::vector<Difference> differences;
        for (const Worker& worker : workers_) differences.push_back(worker.difference);
        positions_.cover(differences, team_.watch());
    }

    void take(unsigned worker, uint64_t key, const Record& record, const std::byte* state, std::byte* scratch) {
        Ref ref = positions_.find(key, state, scratch);
        BigVector<uint32_t>& counts = arrivals_[Positions::segment_of(key)];
        if (ref == NO_REF) {
            ref = positions_.add(key, state, record);
            if (ref == NO_REF) refuse(SolveRefusal::MEMORY, nullptr);
            extend(counts, (ref & MAX_LOCAL) + 1ull);
            ++workers_[worker].added;
        }
        ++counts[ref & MAX_LOCAL];
    }

    void fetch(Ref ref) const { __builtin_prefetch(&arrivals_[ref >> LOCAL_BITS][ref & MAX_LOCAL], 1); }

    // Counts the round, and the memory that the positions so far will need by the end of the analysis.
    void taken() {
        std::size_t bytes = positions_.bytes() + exchange_.bytes();
        for (const BigVector<uint32_t>& counts : arrivals_) bytes += counts.capacity() * sizeof(uint32_t);
        for (Worker& worker : workers_) {
            progress_.states += std::exchange(worker.added, 0);
            progress_.edges += std::exchange(worker.edges, 0);
        }
        progress_.done = exchange_.played();
        bytes += sizeof(Ref) * (progress_.edges + progress_.states);  // predecessors and the queue
        progress_.bytes = bytes;
        if (bytes > memory_) refuse(SolveRefusal::MEMORY, nullptr);
    }

private:
    struct Worker {
        Worker(const Packing& packing, Payoffs& payoffs)
            : payoffs(payoffs), difference(packing.root().data(), packing.root().size()) {}
        PayoffCache payoffs;
        Difference difference;
        uint64_t edges = 0, added = 0;
    };

    Record describe(Worker& worker, const std::byte* state, const Position& position) const {
        if (position.chance()) refuse(SolveRefusal::CHANCE, state);
        if (!position.terminal()) {
            if (position.mover < 0 || position.mover >= game_.players())
                throw RuleError("info", ZERMELO_BREACH, state, game_.state_size(), 0);
            return {static_cast<uint32_t>(position.mover), UNRESOLVED, 0};
        }
        // Adding 0.0 turns -0.0 into 0.0: equal utilities must have equal bits.
        const double first = position.utilities[0] + 0.0;
        const double second = game_.players() == 2 ? position.utilities[1] + 0.0 : 0.0;
        const double sum = 2 * game_.table().neutral;
        if (std::isnan(first) || std::isnan(second)) refuse(SolveRefusal::UTILITIES, state);
        if (game_.players() == 2 && std::abs(first + second - sum) > 1e-9 * (1 + std::abs(first) + std::abs(sum)))
            refuse(SolveRefusal::UTILITIES, state);
        const uint32_t id = worker.payoffs.id({first, second});
        if (id >= UNRESOLVED - 1) refuse(SolveRefusal::MEMORY, nullptr);
        return {ENDED, id, 0};
    }

    [[noreturn]] void refuse(SolveRefusal::Reason reason, const std::byte* state) const {
        throw SolveRefusal{
            reason, state ? std::vector<std::byte>(state, state + game_.state_size()) : std::vector<std::byte>()};
    }

    Positions& positions_;
    const Game& game_;
    Exchange& exchange_;
    const ThreadTeam& team_;
    const std::size_t memory_;
    SolveProgress& progress_;
    std::deque<Worker> workers_;
    Arrivals arrivals_;
};

}  // namespace zermelo
