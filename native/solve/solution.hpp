// A solved game: every position with its value under best play. Built by `solve`, or from stored blocks.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solve/retrograde.hpp"

namespace zermelo {

// Positions in columns of the same length, as stored in a file.
struct SolutionBlock {
    std::vector<std::byte> states;    // packed, ascending
    std::vector<uint32_t> ranks;      // mover << 30 | rank
    std::vector<uint32_t> distances;
};

class Solution {
public:
    Solution(const Game& game, Packing packing) : positions_(game, std::move(packing)) {}
    Solution(const Game& game, Packing packing, std::vector<Payoff> payoffs, uint32_t draw)
        : positions_(game, std::move(packing)), payoffs_(std::move(payoffs), draw) {}

    Positions& positions() { return positions_; }
    const Positions& positions() const { return positions_; }
    Payoffs& payoffs() { return payoffs_; }
    const Payoffs& payoffs() const { return payoffs_; }

    std::optional<Record> find(const std::byte* state) const {
        StateBuffer scratch = positions_.game().buffer();
        const Ref ref = positions_.find(positions_.game().key(state), state, scratch.data());
        if (ref == NO_REF) return std::nullopt;
        return positions_.record(ref);
    }

    // Each action of a non-terminal position, with the record of the child, if there is one.
    std::vector<std::pair<int64_t, std::optional<Record>>> children(const std::byte* state) const {
        const Game& game = positions_.game();
        StateBuffer child = game.buffer();
        ActionList list;
        Position position;
        std::vector<std::pair<int64_t, std::optional<Record>>> found;
        game.actions(state, list);
        for (std::size_t i = 0; i < list.count; ++i) {
            game.step(state, list.actions[i], child.data(), position);
            found.emplace_back(list.actions[i], find(child.data()));
        }
        return found;
    }

    // The number of positions that the player to move wins, draws and loses, and of terminal ones.
    std::array<uint64_t, 4> counts() const {
        std::array<uint64_t, 4> counts{};
        for (uint32_t segment = 0; segment < SEGMENTS; ++segment)
            for (const Record& record : positions_.segment(segment).records) {
                const bool draw = record.rank == payoffs_.draw();
                const bool gain = (record.rank > payoffs_.draw()) == (record.mover == 0);
                ++counts[record.mover == ENDED ? 3 : draw ? 1 : gain ? 0 : 2];
            }
        return counts;
    }

    // The positions of the segments from `first` up to `last`, sorted by their states.
    SolutionBlock block(uint32_t first, uint32_t last) const {
        const std::size_t width = positions_.packing().width();
        std::vector<Ref> order;
        for (uint32_t segment = first; segment < last; ++segment)
            for (uint32_t local = 0; local < positions_.segment(segment).size(); ++local)
                order.push_back(segment << LOCAL_BITS | local);
        const auto state = [&](Ref ref) {
            return positions_.segment(ref >> LOCAL_BITS).states.data() + width * (ref & MAX_LOCAL);
        };
        std::sort(order.begin(), order.end(),
                  [&](Ref a, Ref b) { return width > 0 && std::memcmp(state(a), state(b), width) < 0; });
        SolutionBlock block;
        block.states.reserve(width * order.size());
        for (const Ref ref : order) {
            const Record& record = positions_.record(ref);
            block.states.insert(block.states.end(), state(ref), state(ref) + width);
            block.ranks.push_back(static_cast<uint32_t>(record.mover) << 30 | record.rank);
            block.distances.push_back(record.count);
        }
        return block;
    }

    // Inserts the positions of a block; false if a solution cannot contain them.
    bool absorb(const SolutionBlock& block) {
        const std::size_t width = positions_.packing().width();
        if (block.states.size() != width * block.ranks.size() || block.distances.size() != block.ranks.size())
            return false;
        StateBuffer state = positions_.game().buffer(), scratch = positions_.game().buffer();
        for (std::size_t i = 0; i < block.ranks.size(); ++i) {
            const Record record{block.ranks[i] >> 30, block.ranks[i] & UNRESOLVED, block.distances[i]};
            if (record.mover > ENDED || record.rank >= payoffs_.list().size()) return false;
            positions_.packing().unpack(block.states.data() + width * i, state.data());
            const uint64_t key = positions_.game().key(state.data());
            if (positions_.find(key, state.data(), scratch.data()) != NO_REF) return false;
            if (positions_.add(key, state.data(), record) == NO_REF) return false;
        }
        return true;
    }

    // Whether the rules agree with about `samples` positions: checks the equations of `retrograde.hpp` once for each.
    bool agrees(uint64_t samples, Watch& watch) const {
        return positions_.all_of(samples, watch, [&](Ref ref) { return agrees(ref); });
    }

private:
    bool agrees(Ref ref) const {
        const Game& game = positions_.game();
        const Record& record = positions_.record(ref);
        StateBuffer state = game.buffer();
        Position position;
        positions_.state(ref, state.data());
        game.info(state.data(), position);
        if (position.terminal()) {
            const Payoff& payoff = payoffs_.list()[record.rank];
            return record.mover == ENDED && record.count == 0 && position.utilities[0] == payoff.first &&
                   (game.players() == 1 || position.utilities[1] == payoff.second);
        }
        if (position.mover != static_cast<int32_t>(record.mover)) return false;
        std::optional<Record> best;
        for (const auto& [action, child] : children(state.data())) {
            if (!child) return false;
            if (!best || prefers(record.mover, *child, *best)) best = child;
        }
        if (!best || best->rank != record.rank) return false;
        return record.count == (record.rank == payoffs_.draw() ? NO_DISTANCE : best->count + 1);
    }

    // Whether `mover` prefers the position with the record `one` to that with `other`.
    bool prefers(uint32_t mover, const Record& one, const Record& other) const {
        if (one.rank != other.rank) return (one.rank > other.rank) == (mover == 0);
        const bool gain = (one.rank > payoffs_.draw()) == (mover == 0);
        return gain ? one.count < other.count : one.count > other.count;
    }

    Positions positions_;
    Payoffs payoffs_;
};

// Solves all positions reachable from `root` in at most `memory` bytes.
inline std::unique_ptr<Solution> solve(const Game& game, const std::byte* root, std::size_t memory, unsigned threads,
                                       Watch& watch, SolveProgress& progress) {
    ThreadTeam team(threads, watch);
    auto solution = std::make_unique<Solution>(game, Packing(root, game.state_size()));
    Positions& positions = solution->positions();
    Exchange exchange(positions, team, std::clamp<std::size_t>(memory / 16 / threads, 1 << 16, 64 << 20));
    progress.begin(SolveProgress::EXPLORING);
    Arrivals arrivals = Explorer(positions, solution->payoffs(), exchange, team, memory, progress).explore();
    const double neutral = game.table().neutral;
    const std::vector<uint32_t> ranks = solution->payoffs().rank({neutral, game.players() == 2 ? neutral : 0.0});
    for (uint32_t segment = 0; segment < SEGMENTS; ++segment)
        for (Record& record : positions.segment(segment).records) {
            watch.node();
            if (record.mover == ENDED) record.rank = ranks[record.rank];
        }
    progress.begin(SolveProgress::LINKING);
    Predecessors predecessors(positions, std::move(arrivals), exchange, watch, progress);
    exchange.run(predecessors);
    progress.begin(SolveProgress::RESOLVING);
    Retrograde(positions, predecessors, solution->payoffs(), watch, progress).resolve();
    return solution;
}

}  // namespace zermelo
