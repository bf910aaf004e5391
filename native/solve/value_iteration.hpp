// Value iteration: the value of every position of a game with chance, in which positions may recur.
//
//     value(s) = utility(s)                              where s is terminal
//     value(s) = sum of probability * value(child)       where chance moves
//     value(s) = the mover's best over value(child)      otherwise
//
// The equations are iterated from below (every position has the least utility) and from above (the greatest), since
// cycles leave no order in which to evaluate them once. Both bounds are monotone and enclose the value of the game;
// where they meet, that value is found and does not depend on the value of endless play. Strongly connected components
// are solved one after the other, successors first, so that only positions that can reach each other are iterated.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solve/positions.hpp"
#include "solve/progress.hpp"

namespace zermelo {

// The record of a position in a game with chance: who moves (or CHANCE_MOVES, ENDED) and player 0's value.
struct ValuedPosition {
    uint32_t mover;
    double value;
};

constexpr uint32_t CHANCE_MOVES = 3;  // in addition to 0, 1 and ENDED, as the mover of a record

// Thrown for positions whose bounds do not meet: best play may continue forever, and no terminal position determines
// its value.
struct UndecidedPosition {
    std::vector<std::byte> state;
    double lower;
    double upper;
};

// Columns of a file.
struct ValueBlock {
    std::vector<std::byte> states;  // packed
    std::vector<uint8_t> movers;
    std::vector<double> values;
};

class ValueSolution {
public:
    ValueSolution(const Game& game, Packing packing, double error = 0)
        : positions_(game, std::move(packing)), error_(error) {}

    Positions& positions() { return positions_; }
    const Positions& positions() const { return positions_; }
    std::vector<double>& values() { return values_; }
    double error() const { return error_; }  // bound of the error of every value
    void set_error(double error) { error_ = error; }

    std::optional<ValuedPosition> find(const std::byte* state) const {
        StateBuffer scratch = positions_.game().buffer();
        const Ref ref = positions_.find(positions_.game().key(state), state, scratch.data());
        if (ref == NO_REF) return std::nullopt;
        const Record& record = positions_.record(ref);
        return ValuedPosition{record.mover, values_[record.count]};
    }

    // Each action of a non-terminal position, including outcomes of chance, with its result.
    std::vector<std::pair<int64_t, std::optional<ValuedPosition>>> children(const std::byte* state) const {
        const Game& game = positions_.game();
        StateBuffer child = game.buffer();
        ActionList list;
        Position position;
        game.actions(state, list);
        std::vector<std::pair<int64_t, std::optional<ValuedPosition>>> found;
        for (std::size_t i = 0; i < list.count; ++i) {
            game.step(state, list.actions[i], child.data(), position);
            found.emplace_back(list.actions[i], find(child.data()));
        }
        return found;
    }

    ValueBlock block(uint32_t first, uint32_t last) const {
        ValueBlock block;
        for (uint32_t segment = first; segment < last; ++segment) {
            const Segment& part = positions_.segment(segment);
            block.states.insert(block.states.end(), part.states.begin(), part.states.end());
            for (const Record& record : part.records) {
                block.movers.push_back(static_cast<uint8_t>(record.mover));
                block.values.push_back(values_[record.count]);
            }
        }
        return block;
    }

    // Adds the positions of a block; false if a solution cannot hold them.
    bool absorb(const ValueBlock& block) {
        const Game& game = positions_.game();
        const std::size_t width = positions_.packing().width();
        if (block.states.size() != width * block.movers.size() || block.values.size() != block.movers.size())
            return false;
        StateBuffer state = game.buffer(), scratch = game.buffer();
        for (std::size_t i = 0; i < block.movers.size(); ++i) {
            if (block.movers[i] > CHANCE_MOVES || !std::isfinite(block.values[i])) return false;
            positions_.packing().unpack(block.states.data() + width * i, state.data());
            const uint64_t key = game.key(state.data());
            if (positions_.find(key, state.data(), scratch.data()) != NO_REF) return false;
            const Record record{block.movers[i], 0, static_cast<uint32_t>(values_.size())};
            if (positions_.add(key, state.data(), record) == NO_REF) return false;
            values_.push_back(block.values[i]);
        }
        return true;
    }

    // Whether about `samples` positions satisfy the equations above, within the error of the solution.
    bool agrees(uint64_t samples, Watch& watch) const {
        return positions_.all_of(samples, watch, [&](Ref ref) { return agrees(ref); });
    }

private:
    bool agrees(Ref ref) const {
        const Game& game = positions_.game();
        const Record& record = positions_.record(ref);
        StateBuffer state = game.buffer(), child = game.buffer();
        Position position;
        positions_.state(ref, state.data());
        game.info(state.data(), position);
        const double value = values_[record.count];
        if (position.terminal()) return record.mover == ENDED && value == position.utilities[0];
        const bool chance = position.chance();
        if (record.mover != (chance ? CHANCE_MOVES : static_cast<uint32_t>(position.mover))) return false;
        ActionList list;
        chance ? game.chances(state.data(), list) : game.actions(state.data(), list);
        double sum = 0, best = record.mover == 0 ? -INFINITY : INFINITY;
        for (std::size_t i = 0; i < list.count; ++i) {
            game.step(state.data(), list.actions[i], child.data(), position);
            const std::optional<ValuedPosition> after = find(child.data());
            if (!after) return false;
            if (chance) sum += list.probabilities[i] * after->value;
            best = record.mover == 0 ? std::max(best, after->value) : std::min(best, after->value);
        }
        return std::abs(value - (chance ? sum : best)) <= 2 * error_ + 1e-12 * (1 + std::abs(value));
    }

    Positions positions_;
    std::vector<double> values_;  // player 0's, by the number in a position's record
    double error_;
};

class ValueIteration {
public:
    ValueIteration(ValueSolution& solution, std::size_t memory, double tolerance, Watch& watch, SolveProgress& progress)
        : solution_(solution), positions_(solution.positions()), game_(positions_.game()), memory_(memory),
          tolerance_(tolerance), watch_(watch), progress_(progress) {}

    void run() {
        progress_.begin(SolveProgress::EXPLORING);
        explore();
        progress_.begin(SolveProgress::LINKING);
        find_components();
        progress_.begin(SolveProgress::RESOLVING);
        iterate();
    }

private:
    using Index = uint32_t;
    static constexpr Index NO_INDEX = UINT32_MAX;
    static constexpr std::size_t MAX_SWEEPS = 1'000'000;  // limit per component

    struct Edge {
        Index child;
        double probability;  // for chance moves
    };

    void explore() {
        StateBuffer root = game_.buffer(), state = game_.buffer(), child = game_.buffer(), scratch = game_.buffer();
        std::memcpy(root.data(), positions_.packing().root().data(), game_.state_size());
        Difference difference(root.data(), game_.state_size());
        Position position;
        ActionList list;
        game_.info(root.data(), position);
        add(root.data(), game_.key(root.data()), position);
        for (Index i = 0; i < refs_.size(); ++i) {
            watch_.node();
            starts_.push_back(edges_.size());
            const uint32_t mover = mover_of(i);
            if (mover == ENDED) continue;
            positions_.state(refs_[i], state.data());
            mover == CHANCE_MOVES ? game_.chances(state.data(), list) : game_.actions(state.data(), list);
            if (list.count == 0) throw RuleError("actions", ZERMELO_BREACH, state.data(), game_.state_size(), 0);
            for (std::size_t k = 0; k < list.count; ++k) {
                game_.step(state.data(), list.actions[k], child.data(), position);
                difference.add(child.data());
                const uint64_t key = game_.key(child.data());
                const Ref ref = positions_.find(key, child.data(), scratch.data());
                const Index number = ref == NO_REF ? add(child.data(), key, position) : positions_.record(ref).count;
                edges_.push_back({number, mover == CHANCE_MOVES ? list.probabilities[k] : 0.0});
            }
            if ((i & 1023) == 0) count_memory(i);
        }
        starts_.push_back(edges_.size());
        count_memory(refs_.size());
        Packing all(root.data(), game_.state_size());
        positions_.repack(all.widened({difference}), watch_);
    }

    Index add(const std::byte* state, uint64_t key, const Position& position) {
        const Index number = static_cast<Index>(refs_.size());
        uint32_t mover = CHANCE_MOVES;
        double value = 0;
        if (position.terminal()) {
            mover = ENDED;
            game_.check_end(state, position);
            value = position.utilities[0];
            if (game_.players() == 2 &&
                std::abs(value + position.utilities[1] - 2 * game_.table().neutral) > 1e-9 * (1 + std::abs(value)))
                throw SolveRefusal{SolveRefusal::UTILITIES, {state, state + game_.state_size()}};
            least_ = std::min(least_, value);
            greatest_ = std::max(greatest_, value);
        } else if (!position.chance()) {
            mover = static_cast<uint32_t>(position.mover);
        }
        const Ref ref = positions_.add(key, state, {mover, 0, number});
        if (ref == NO_REF || number == NO_INDEX - 1) throw SolveRefusal{SolveRefusal::MEMORY, {}};
        refs_.push_back(ref);
        ends_.push_back(value);
        return number;
    }

    void count_memory(std::size_t done) {
        progress_.states = refs_.size();
        progress_.edges = edges_.size();
        progress_.done = done;
        // In addition to positions and edges: two bounds, and the data of Tarjan's algorithm per position.
        progress_.bytes = positions_.bytes() + edges_.capacity() * sizeof(Edge) + refs_.capacity() * 48;
        if (progress_.bytes > memory_) throw SolveRefusal{SolveRefusal::MEMORY, {}};
    }

    uint32_t mover_of(Index i) const { return positions_.record(refs_[i]).mover; }

    // Tarjan's algorithm without recursion: emits components successors first.
    void find_components() {
        const Index count = static_cast<Index>(refs_.size());
        std::vector<Index> order(count, NO_INDEX), low(count);
        std::vector<bool> open(count);
        std::vector<Index> path;
        std::vector<std::pair<Index, std::size_t>> calls;  // a position and its next edge
        Index next = 0;
        for (Index root = 0; root < count; ++root) {
            if (order[root] != NO_INDEX) continue;
            calls.emplace_back(root, starts_[root]);
            while (!calls.empty()) {
                auto& [i, edge] = calls.back();
                if (order[i] == NO_INDEX) {
                    watch_.node();
                    order[i] = low[i] = next++;
                    path.push_back(i);
                    open[i] = true;
                }
                Index deeper = NO_INDEX;
                for (; edge < starts_[i + 1] && deeper == NO_INDEX; ++edge) {
                    const Index child = edges_[edge].child;
                    if (order[child] == NO_INDEX) deeper = child;
                    else if (open[child]) low[i] = std::min(low[i], order[child]);
                }
                if (deeper != NO_INDEX) {
                    --edge;  // visited again when the child is done
                    calls.emplace_back(deeper, starts_[deeper]);
                    continue;
                }
                const Index done = i;
                calls.pop_back();
                if (!calls.empty()) low[calls.back().first] = std::min(low[calls.back().first], low[done]);
                if (low[done] != order[done]) continue;
                for (Index member = NO_INDEX; member != done;) {
                    member = path.back();
                    path.pop_back();
                    open[member] = false;
                    sorted_.push_back(member);
                }
                component_ends_.push_back(sorted_.size());
            }
        }
    }

    void iterate() {
        least_ = std::min(least_, game_.table().neutral);  // endless play in a game without ends
        greatest_ = std::max(greatest_, game_.table().neutral);
        lower_.assign(refs_.size(), least_);
        upper_.assign(refs_.size(), greatest_);
        std::size_t begin = 0;
        double error = 0;
        for (const std::size_t end : component_ends_) {
            error = std::max(error, settle(begin, end));
            begin = end;
            progress_.done = end;
        }
        std::vector<double>& values = solution_.values();
        values.resize(refs_.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = lower_[i] + (upper_[i] - lower_[i]) / 2;
        solution_.set_error(error / 2);
    }

    // Iterates the positions of one component until their bounds meet; returns the greatest remaining gap.
    double settle(std::size_t begin, std::size_t end) {
        const double wanted = tolerance_ * std::max(greatest_ - least_, std::numeric_limits<double>::min());
        for (std::size_t sweep = 0;; ++sweep) {
            double gap = 0, change = 0;
            Index widest = sorted_[begin];
            for (std::size_t at = begin; at < end; ++at) {
                watch_.node();
                const Index i = sorted_[at];
                const double lower = back_up(i, lower_), upper = back_up(i, upper_);
                change = std::max({change, lower - lower_[i], upper_[i] - upper});
                lower_[i] = std::max(lower, lower_[i]);
                upper_[i] = std::min(upper, upper_[i]);
                if (upper_[i] - lower_[i] > gap) {
                    gap = upper_[i] - lower_[i];
                    widest = i;
                }
            }
            if (gap <= wanted) return std::max(gap, 0.0);
            if (change > wanted * 1e-3 && sweep < MAX_SWEEPS) continue;
            if (gap <= 1e-6 * (greatest_ - least_)) return gap;  // rounding keeps the bounds apart
            StateBuffer state = game_.buffer();
            positions_.state(refs_[widest], state.data());
            throw UndecidedPosition{{state.data(), state.data() + game_.state_size()}, lower_[widest], upper_[widest]};
        }
    }

    double back_up(Index i, const std::vector<double>& values) const {
        const uint32_t mover = mover_of(i);
        if (mover == ENDED) return ends_[i];
        double sum = 0, best = mover == 0 ? -INFINITY : INFINITY;
        for (std::size_t edge = starts_[i]; edge < starts_[i + 1]; ++edge) {
            const double value = values[edges_[edge].child];
            sum += edges_[edge].probability * value;
            best = mover == 0 ? std::max(best, value) : std::min(best, value);
        }
        return mover == CHANCE_MOVES ? sum : best;
    }

    ValueSolution& solution_;
    Positions& positions_;
    const Game& game_;
    const std::size_t memory_;
    const double tolerance_;
    Watch& watch_;
    SolveProgress& progress_;
    std::vector<Ref> refs_;
    std::vector<double> ends_;  // utilities of ends
    std::vector<std::size_t> starts_;
    std::vector<Edge> edges_;
    std::vector<Index> sorted_;  // component by component, successors first
    std::vector<std::size_t> component_ends_;
    std::vector<double> lower_, upper_;
    double least_ = INFINITY, greatest_ = -INFINITY;
};

// Solves all positions reachable from `root` in at most `memory` bytes.
inline std::unique_ptr<ValueSolution> solve_values(const Game& game, const std::byte* root, std::size_t memory,
                                                   double tolerance, Watch& watch, SolveProgress& progress) {
    std::vector<uint32_t> places(game.state_size());
    for (uint32_t i = 0; i < places.size(); ++i) places[i] = i;
    auto solution = std::make_unique<ValueSolution>(game, Packing(root, game.state_size(), std::move(places)));
    ValueIteration(*solution, memory, tolerance, watch, progress).run();
    return solution;
}

}  // namespace zermelo
