// What a finished search answers: the recommended action, values and the principal line.
#include <numeric>

#include "search/mcts/search.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

}  // namespace

// A child of the root or of a node on the line, in the view of `mover`.
MctsAction MctsSearch::describe(uint32_t index, int32_t mover) const {
    const zermelo_table& table = game_.table();
    const MctsNode& node = tree_[index];
    MctsAction found;
    found.action = node.action;
    found.visits = node.visits.load(RELAXED);
    found.banned = node.banned.load(RELAXED);
    found.lower = node.lower.load(RELAXED);
    found.upper = node.upper.load(RELAXED);
    if (mover == 1 && solver_) {
        const double most = found.upper;
        found.upper = 2 * table.neutral - found.lower;
        found.lower = 2 * table.neutral - most;
    }
    found.value = found.visits > 0 ? node.sum.load(RELAXED) / found.visits : table.neutral;
    if (solver_) found.value = std::max(std::min(found.value, found.upper), found.lower);
    return found;
}

// The most visited child, or one that is proved to be as good; NOTHING below a node that nobody visited.
uint32_t MctsSearch::best_child(uint32_t at) const {
    const MctsNode& node = tree_[at];
    const uint32_t first = node.first.load(RELAXED);
    const int32_t mover = node.mover.load(RELAXED);
    if (first <= MctsTree::BUSY || mover < 0) return MctsTree::NOTHING;
    uint32_t open = MctsTree::NOTHING, sure = MctsTree::NOTHING;
    MctsAction of_open, of_sure;
    const auto better = [](const MctsAction& a, const MctsAction& b) {
        return a.visits > b.visits || (a.visits == b.visits && a.value > b.value);
    };
    double secured = game_.table().low;
    for (uint32_t index = first; index < first + node.count; ++index) {
        const MctsAction child = describe(index, mover);
        if (!child.banned && child.visits > 0 && solver_) secured = std::max(secured, child.lower);
    }
    for (uint32_t index = first; index < first + node.count; ++index) {
        const MctsAction child = describe(index, mover);
        if (child.banned || child.visits == 0) continue;
        const bool can_win_more = !solver_ || child.upper > secured;
        if (can_win_more && (open == MctsTree::NOTHING || better(child, of_open))) open = index, of_open = child;
        if (solver_ && child.lower >= secured && (sure == MctsTree::NOTHING || better(child, of_sure)))
            sure = index, of_sure = child;
    }
    if (open == MctsTree::NOTHING) return sure;
    return sure != MctsTree::NOTHING && of_sure.lower >= of_open.value ? sure : open;
}

void MctsSearch::report(const std::vector<MctsSimulator>& simulators, int32_t mover, MctsResult& result) const {
    const std::size_t players = static_cast<std::size_t>(game_.players());
    const MctsNode& root = tree_[MctsTree::ROOT];
    const uint32_t first = root.first.load(RELAXED);
    for (uint32_t i = 0; i < root.count; ++i) result.actions.push_back(describe(first + i, mover));
    for (const MctsSimulator& simulator : simulators) result.simulations += simulator.simulations();
    result.tree = tree_.size();
    uint32_t best = best_child(MctsTree::ROOT);
    if (best == MctsTree::NOTHING && mover >= 0) best = first;  // nothing was tried
    for (uint32_t at = best; at != MctsTree::NOTHING; at = best_child(at)) result.line.push_back(tree_[at].action);
    result.best = best == MctsTree::NOTHING ? 0 : best - first;

    const MctsAction here = describe(MctsTree::ROOT, mover);
    result.lower = here.lower;
    result.upper = here.upper;
    result.values.assign(players, 0);
    const double visits = mover < 0 ? static_cast<double>(result.simulations) : 0;
    double counted = 0;
    for (const MctsSimulator& simulator : simulators) {
        const auto sums = mover < 0 ? simulator.root_sums() : simulator.child_sums().subspan(result.best * players, players);
        for (std::size_t p = 0; p < players; ++p) result.values[p] += sums[p];
        counted += mover < 0 ? 0 : simulator.child_visits()[result.best];
    }
    counted += visits;
    for (double& value : result.values) value = counted > 0 ? value / counted : game_.table().neutral;
    const std::size_t whose = static_cast<std::size_t>(std::max(mover, 0));
    result.value = mover < 0 ? result.values[0] : result.actions[result.best].value;
    if (solver_) result.value = std::max(std::min(result.value, result.upper), result.lower);
    const bool opposed = players == 2 && (game_.table().capabilities & ZERMELO_CONSTANT_SUM);
    if (opposed && (solver_ || inherited_ > 0)) result.values[1 - whose] = 2 * game_.table().neutral - result.value;
    result.values[whose] = result.value;
}

}  // namespace zermelo
