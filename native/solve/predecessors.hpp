// The second pass: for each position, the positions from which an action leads to it, one entry per action.
#pragma once

#include <array>
#include <utility>

#include "solve/explore.hpp"

namespace zermelo {

// Actions are played a second time to fill the lists: storing the children of the first pass would take more memory
// than the lists themselves, and memory limits an analysis.
class Predecessors {
public:
    Predecessors(Positions& positions, Arrivals arrivals, const Exchange& exchange, Watch& watch,
                 SolveProgress& progress)
        : positions_(positions), ends_(std::move(arrivals)), exchange_(exchange), progress_(progress) {
        for (uint32_t segment = 0; segment < SEGMENTS; ++segment) {
            uint64_t total = 0;
            for (uint32_t& end : ends_[segment]) {
                const uint32_t count = std::exchange(end, static_cast<uint32_t>(total));
                total += count;
                if (total > UINT32_MAX) throw SolveRefusal{SolveRefusal::MEMORY, {}};
            }
            lists_[segment].resize(total);
            watch.poll();
        }
    }

    template <typename Visit>
    void each(Ref ref, const Visit& visit) const {
        const BigVector<uint32_t>& ends = ends_[ref >> LOCAL_BITS];
        const Ref* list = lists_[ref >> LOCAL_BITS].data();
        const uint32_t local = ref & MAX_LOCAL;
        // While the lists were filled, each end index moved from the beginning of its list to its end.
        for (uint32_t i = local == 0 ? 0 : ends[local - 1]; i < ends[local]; ++i) visit(list[i]);
    }

    // The interface of `Exchange`.

    struct Payload {
        Ref from;
    };

    // Sets the number of actions of a position; no other thread writes to its record in this pass.
    void open(unsigned, Ref ref, std::size_t count) { positions_.record(ref).count = static_cast<uint32_t>(count); }

    Payload send(unsigned, Ref ref, const std::byte*, const Position&) const { return {ref}; }
    void sent() const {}

    void take(unsigned, uint64_t key, const Payload& payload, const std::byte* state, std::byte* scratch) {
        const Ref child = positions_.find(key, state, scratch);
        const uint32_t segment = child >> LOCAL_BITS;
        // Only inconsistent rules lead to a child that the first pass did not find.
        if (child == NO_REF || ends_[segment][child & MAX_LOCAL] == lists_[segment].size())
            throw RuleError("info", ZERMELO_BREACH, state, positions_.game().state_size(), 0);
        lists_[segment][ends_[segment][child & MAX_LOCAL]++] = payload.from;
    }

    void fetch(Ref ref) const { __builtin_prefetch(&ends_[ref >> LOCAL_BITS][ref & MAX_LOCAL], 1); }
    void taken() { progress_.done = exchange_.played(); }

private:
    Positions& positions_;
    Arrivals ends_;
    const Exchange& exchange_;
    SolveProgress& progress_;
    std::array<BigVector<Ref>, SEGMENTS> lists_;
};

}  // namespace zermelo
