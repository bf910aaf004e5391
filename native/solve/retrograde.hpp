// Retrograde analysis: the value and the distance to the end under best play, computed backwards from terminal
// positions.
//
//     value(s) = utility(s)                                    where s is terminal
//     value(s) = the mover's best over value(result(s, a))     otherwise
//     value(s) = neutral                                       where neither player can force an end that it prefers
//
// The last line makes this more than a recursion: play may cycle forever, which counts as a draw. A player can force a
// payoff better than the draw, or a still better one, exactly from the positions in the least set that contains the
// ends with these payoffs, its own positions with one action into the set, and the opponent's positions with all
// actions into it. The sets are grown one payoff after the other, the best first, so a position enters with its value;
// within one payoff by the distance from the ends, so it enters with its distance:
//
//     distance(s) = 1 + the least of the children of the same value       where the mover is to gain from it
//     distance(s) = 1 + the greatest of the children of the same value    where it is to lose
//
// Since each side's sets contain only ends that it prefers to a draw, no position enters the sets of both sides, and
// each edge is visited once.
#pragma once

#include <utility>
#include <vector>

#include "solve/predecessors.hpp"

namespace zermelo {

class Retrograde {
public:
    Retrograde(Positions& positions, const Predecessors& predecessors, const Payoffs& payoffs, Watch& watch,
               SolveProgress& progress)
        : positions_(positions), predecessors_(predecessors), payoffs_(payoffs), watch_(watch), progress_(progress) {}

    void resolve() {
        sort_ends();
        const uint32_t ranks = static_cast<uint32_t>(payoffs_.list().size());
        for (uint32_t rank = ranks; rank-- > payoffs_.draw() + 1;) attract(rank, 0);
        for (uint32_t rank = 0; rank < payoffs_.draw(); ++rank) attract(rank, 1);
        call_the_rest_draws();
    }

private:
    // All ends, sorted by rank with a counting sort; drawn ends are not propagated.
    void sort_ends() {
        starts_.assign(payoffs_.list().size() + 1, 0);
        each([&](Ref, const Record& record) {
            if (record.mover == ENDED && record.rank != payoffs_.draw()) ++starts_[record.rank + 1];
        });
        for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
        ends_.resize(starts_.back());
        std::vector<uint64_t> next(starts_.begin(), starts_.end() - 1);
        each([&](Ref ref, const Record& record) {
            if (record.mover == ENDED && record.rank != payoffs_.draw()) ends_[next[record.rank]++] = ref;
        });
    }

    // Assigns the payoff `rank` to all positions from which `winner` can force it or a better one.
    void attract(uint32_t rank, uint32_t winner) {
        const auto from = ends_.begin() + static_cast<std::ptrdiff_t>(starts_[rank]);
        std::vector<Ref> frontier(from, ends_.begin() + static_cast<std::ptrdiff_t>(starts_[rank + 1]));
        std::vector<Ref> next;
        for (uint32_t distance = 1; !frontier.empty(); ++distance) {
            for (const Ref ref : frontier) {
                watch_.node();
                predecessors_.each(ref, [&](Ref before) {
                    Record& record = positions_.record(before);
                    if (record.rank != UNRESOLVED) return;
                    if (record.mover != winner && --record.count > 0) return;
                    record.rank = rank;
                    record.count = distance;
                    next.push_back(before);
                });
            }
            progress_.done += frontier.size();
            frontier.clear();
            std::swap(frontier, next);
        }
    }

    void call_the_rest_draws() {
        each([&](Ref, Record& record) {
            if (record.rank != UNRESOLVED) return;
            record.rank = payoffs_.draw();
            record.count = NO_DISTANCE;
        });
    }

    template <typename Visit>
    void each(const Visit& visit) {
        for (uint32_t segment = 0; segment < SEGMENTS; ++segment) {
            BigVector<Record>& records = positions_.segment(segment).records;
            for (uint32_t local = 0; local < records.size(); ++local) {
                watch_.node();
                visit(segment << LOCAL_BITS | local, records[local]);
            }
        }
    }

    Positions& positions_;
    const Predecessors& predecessors_;
    const Payoffs& payoffs_;
    Watch& watch_;
    SolveProgress& progress_;
    std::vector<uint64_t> starts_;
    std::vector<Ref> ends_;
};

}  // namespace zermelo
