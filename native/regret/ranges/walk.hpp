// One pass over a public game for one player: the other's reach is passed down, values of the own hands come up.
//
// The policy decides what happens at choices:
//     give(board, node, reach, rows)   at the other's choice: the reach after each action, action by action
//     take(board, node, values)        at the own choice: from the values after each action that of the node, into the first
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "regret/ranges/ends.hpp"
#include "regret/ranges/public.hpp"

namespace zermelo::regret {

// A street on one board during a pass.
template <typename Real>
struct Frame {
    std::vector<const Real*> reach;  // of the other player, by node
    std::vector<Real*> value;  // of the own hands, by node
    std::vector<Real> entries;  // the reach at the roots
    std::vector<Real> worths;  // the values there
    std::vector<Real> reaches, leaves;  // rows of a part: after each action of the other, at each leaf
};

template <typename Real>
struct Workspace {
    std::vector<Frame<Real>> frames;  // indexed by the number of deals before
    Settler<Real> settler;
};

template <typename Real, typename Policy>
class Walk {
public:
    Walk(const PublicGame& game, int player, Policy& policy)
        : game_(game), p_(player), o_(1 - player), policy_(policy) {}

    // Starts a pass with the ranges of the players. The sum over all pairs that can be dealt is 1.
    void begin(Workspace<Real>& work) const {
        const Board& board = game_.boards.front();
        Frame<Real>& frame = open(work, 0, board);
        const Hands& theirs = board.hands[o_];
        for (std::size_t j = 0; j < theirs.size(); ++j)
            frame.entries[j] = static_cast<Real>(game_.weights[o_][theirs.order[j]] / game_.mass);
        descend(board, first_part(), frame);
        settle(board, first_part(), frame, work.settler);
    }

    // Everything after one deal, in its own workspace, from what `begin` left in `root`; `values` receives one row per
    // root.
    void deal(const Frame<Real>& root, int32_t child, Workspace<Real>& work, std::vector<Real>& values) const {
        enter(root, child, work, 1);
        street(child, work, 1);
        const std::size_t size = game_.boards[child].hands[p_].size();
        const Street& street = game_.streets[game_.boards[child].street];
        values.assign(work.frames[1].worths.begin(), work.frames[1].worths.begin() + street.roots * size);
    }

    // Adds the value of a deal to the root.
    void collect(Frame<Real>& root, int32_t child, const std::vector<Real>& values) const {
        const std::size_t size = game_.boards[child].hands[p_].size();
        for (std::size_t k = 0; k < deals(game_.boards.front()).size(); ++k)
            leave(root, child, k, values.data() + k * size);
    }

    // The values of the own hands at the start.
    const Real* finish(Frame<Real>& root) const {
        ascend(game_.boards.front(), first_part(), root);
        return root.value[0];
    }

    // The whole pass on one thread.
    const Real* run(Workspace<Real>& work) const {
        begin(work);
        for (const int32_t child : game_.boards.front().children) pass(child, work, 1);
        return finish(work.frames[0]);
    }

    // The way down only, for the side effects of `give`.
    void descend_all(Workspace<Real>& work) const {
        begin(work);
        for (const int32_t child : game_.boards.front().children) descend_below(child, work, 1);
    }

private:
    const Part& first_part() const { return game_.streets[game_.boards.front().street].parts.front(); }

    const std::vector<int32_t>& deals(const Board& board) const { return game_.streets[board.street].deals; }

    Frame<Real>& open(Workspace<Real>& work, std::size_t depth, const Board& board) const {
        if (work.frames.size() < game_.depth) work.frames.resize(game_.depth);
        Frame<Real>& frame = work.frames[depth];
        const Street& street = game_.streets[board.street];
        const std::size_t theirs = board.hands[o_].size(), mine = board.hands[p_].size();
        frame.reach.resize(street.nodes.size());
        frame.value.resize(street.nodes.size());
        frame.entries.resize(static_cast<std::size_t>(street.roots) * theirs);
        frame.worths.resize(static_cast<std::size_t>(street.roots) * mine);
        for (const Part& part : street.parts) {
            frame.reaches.resize(std::max(frame.reaches.size(), static_cast<std::size_t>(part.actions[o_]) * theirs));
            frame.leaves.resize(std::max(frame.leaves.size(), part.leaves() * mine));
        }
        return frame;
    }

    void pass(int32_t child, Workspace<Real>& work, std::size_t depth) const {
        enter(work.frames[depth - 1], child, work, depth);
        street(child, work, depth);
        const std::size_t mine = game_.boards[child].hands[p_].size();
        for (std::size_t k = 0; k < deals(game_.boards[game_.boards[child].parent]).size(); ++k)
            leave(work.frames[depth - 1], child, k, work.frames[depth].worths.data() + k * mine);
    }

    void street(int32_t number, Workspace<Real>& work, std::size_t depth) const {
        const Board& board = game_.boards[number];
        Frame<Real>& frame = work.frames[depth];
        const std::size_t mine = board.hands[p_].size();
        for (const Part& part : game_.streets[board.street].parts) {
            descend(board, part, frame);
            settle(board, part, frame, work.settler);
            for (const int32_t child : board.children) pass(child, work, depth + 1);
            ascend(board, part, frame);
            for (const int32_t root : part.roots)
                std::copy_n(frame.value[root], mine, frame.worths.begin() + static_cast<std::ptrdiff_t>(root * mine));
        }
    }

    void descend_below(int32_t number, Workspace<Real>& work, std::size_t depth) const {
        const Board& board = game_.boards[number];
        enter(work.frames[depth - 1], number, work, depth);
        for (const Part& part : game_.streets[board.street].parts) descend(board, part, work.frames[depth]);
        for (const int32_t child : board.children) descend_below(child, work, depth + 1);
    }

    // The reach at the roots after a deal: hands with the card are removed.
    void enter(const Frame<Real>& before, int32_t child, Workspace<Real>& work, std::size_t depth) const {
        const Board& board = game_.boards[child];
        Frame<Real>& frame = open(work, depth, board);
        const Hands& theirs = board.hands[o_];
        const Real probability = static_cast<Real>(board.probability);
        Real* entry = frame.entries.data();
        for (const int32_t node : deals(game_.boards[board.parent])) {
            const Real* reach = before.reach[node];
            for (std::size_t j = 0; j < theirs.size(); ++j) entry[j] = reach[theirs.from[j]] * probability;
            entry += theirs.size();
        }
    }

    void leave(Frame<Real>& before, int32_t child, std::size_t k, const Real* values) const {
        const Board& board = game_.boards[child];
        const Hands& mine = board.hands[p_];
        Real* sums = before.value[deals(game_.boards[board.parent])[k]];
        for (std::size_t i = 0; i < mine.size(); ++i) sums[mine.from[i]] += values[i];
    }

    void descend(const Board& board, const Part& part, Frame<Real>& frame) const {
        const Street& street = game_.streets[board.street];
        const std::size_t theirs = board.hands[o_].size();
        for (const int32_t root : part.roots) frame.reach[root] = frame.entries.data() + root * theirs;
        for (const int32_t i : part.nodes) {
            const PublicNode& node = street.nodes[i];
            if (node.kind < 0) continue;
            Real* rows = frame.reaches.data() + node.row * theirs;
            if (node.kind == o_) policy_.give(board, node, frame.reach[i], rows);
            for (int32_t a = 0; a < node.count; ++a)
                frame.reach[node.first + a] = node.kind == o_ ? rows + a * theirs : frame.reach[i];
        }
    }

    // The values of the ends; deals start at 0.
    void settle(const Board& board, const Part& part, Frame<Real>& frame, Settler<Real>& settler) const {
        const Street& street = game_.streets[board.street];
        const std::size_t mine = board.hands[p_].size();
        const auto row = [&](int32_t node) {
            return frame.value[node] = frame.leaves.data() + street.nodes[node].row * mine;
        };
        for (const int32_t node : part.deals) std::fill_n(row(node), mine, Real(0));
        std::array<End<Real>, lanes> batch;
        const auto all = [&](const std::vector<int32_t>& nodes, auto evaluate) {
            for (std::size_t i = 0; i < nodes.size(); i += lanes) {
                const std::size_t count = std::min(lanes, nodes.size() - i);
                for (std::size_t k = 0; k < count; ++k) {
                    const auto [win, tie, lose] = game_.payoffs(street.nodes[nodes[i + k]], p_);
                    batch[k] = {frame.reach[nodes[i + k]], row(nodes[i + k]), static_cast<Real>(win),
                                static_cast<Real>(tie), static_cast<Real>(lose)};
                }
                evaluate(count);
            }
        };
        all(part.fixed, [&](std::size_t count) { settler.fixed(game_, board, p_, batch.data(), count); });
        all(part.showdowns, [&](std::size_t count) { settler.showdowns(game_, board, p_, batch.data(), count); });
    }

    void ascend(const Board& board, const Part& part, Frame<Real>& frame) const {
        const Street& street = game_.streets[board.street];
        const std::size_t mine = board.hands[p_].size();
        for (std::size_t n = part.nodes.size(); n-- > 0;) {
            const int32_t i = part.nodes[n];
            const PublicNode& node = street.nodes[i];
            if (node.kind < 0) continue;
            Real* into = frame.value[i] = frame.value[node.first];
            if (node.kind == p_) {
                policy_.take(board, node, frame.value.data() + node.first);
                continue;
            }
            for (int32_t a = 1; a < node.count; ++a) {
                const Real* more = frame.value[node.first + a];
                for (std::size_t h = 0; h < mine; ++h) into[h] += more[h];
            }
        }
    }

    const PublicGame& game_;
    const int p_, o_;
    Policy& policy_;
};

}  // namespace zermelo::regret
