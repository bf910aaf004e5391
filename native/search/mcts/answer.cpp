// The result of a search: the recommended action, values and the principal variation.
#include <numeric>

#include "search/mcts/search.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;

}  // namespace

std::vector<std::size_t> MctsResult::known() const {
    const auto visited = [](const MctsAction& action) { return action.visits > 0 && !action.closed; };
    const bool any = std::any_of(actions.begin(), actions.end(), visited);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < actions.size(); ++i)
        if (!any || i == best || visited(actions[i])) places.push_back(i);
    return places;
}

// A child of the root or of a node on the line, from the point of view of `mover`.
MctsAction MctsSearch::describe(uint32_t index, int32_t mover) const {
    const zermelo_table& table = game_.table();
    const MctsNode& node = tree_[index];
    MctsAction found;
    found.action = node.action;
    found.visits = node.visits.load(RELAXED);
    found.closed = node.closed.load(RELAXED) != MctsNode::OPEN;
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

// The most visited child, or one that is proved to be as good; NOTHING if no child was visited.
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
        if (!child.closed && child.visits > 0 && solver_) secured = std::max(secured, child.lower);
    }
    for (uint32_t index = first; index < first + node.count; ++index) {
        const MctsAction child = describe(index, mover);
        if (child.closed || child.visits == 0) continue;
        const bool can_win_more = !solver_ || child.upper > secured;
        if (can_win_more && (open == MctsTree::NOTHING || better(child, of_open))) open = index, of_open = child;
        if (solver_ && child.lower >= secured && (sure == MctsTree::NOTHING || better(child, of_sure)))
            sure = index, of_sure = child;
    }
    if (open == MctsTree::NOTHING) return sure;
    return sure != MctsTree::NOTHING && of_sure.lower >= of_open.value ? sure : open;
}

// The principal variation from the child `at` on; it ends at a chance node.
std::vector<int64_t> MctsSearch::line_from(uint32_t at) const {
    std::vector<int64_t> line;
    for (; at != MctsTree::NOTHING; at = best_child(at)) line.push_back(tree_[at].action);
    return line;
}

// The utility of every player, from the `sums` of `count` simulations, where that of `mover` is `value`.
std::vector<double> MctsSearch::share_out(std::vector<double> sums, double count, double value, int32_t mover) const {
    const double neutral = game_.table().neutral;
    for (double& sum : sums) sum = count > 0 ? sum / count : neutral;
    const std::size_t whose = static_cast<std::size_t>(std::max(mover, 0));
    const bool opposed = sums.size() == 2 && (game_.table().capabilities & ZERMELO_CONSTANT_SUM);
    if (opposed && (solver_ || inherited_ > 0)) sums[1 - whose] = 2 * neutral - value;
    sums[whose] = value;
    return sums;
}

// A root whose value endgame tables tell: the search has looked for the move that asks most of the other side, or for the way to
// the end.
void MctsSearch::tell(double value, int32_t mover, MctsResult& result) const {
    result.told = true;
    result.value = result.lower = result.upper = value;
    result.values.assign(result.values.size(), 2 * game_.table().neutral - value);
    result.values[static_cast<std::size_t>(mover)] = value;
}

void MctsSearch::report(const std::vector<MctsSimulator>& simulators, const MctsShared& shared,
                        MctsResult& result) const {
    const int32_t mover = shared.root_mover;
    const std::size_t players = static_cast<std::size_t>(game_.players());
    const MctsNode& root = tree_[MctsTree::ROOT];
    const uint32_t first = root.first.load(RELAXED);
    const MctsAction here = describe(MctsTree::ROOT, mover);
    result.tree = tree_.size();
    result.lower = here.lower;
    result.upper = here.upper;
    const auto within = [&](double value) {
        return solver_ ? std::max(std::min(value, here.upper), here.lower) : value;
    };
    std::vector<double> totals(players);
    for (const MctsSimulator& simulator : simulators) {
        result.simulations += simulator.simulations();
        result.probed += simulator.probed();
        for (std::size_t p = 0; p < players; ++p) totals[p] += simulator.root_sums()[p];
    }
    for (uint32_t i = 0; i < root.count; ++i) {
        MctsAction action = describe(first + i, mover);
        std::vector<double> sums(players);
        double count = 0;
        for (const MctsSimulator& simulator : simulators) {
            count += simulator.child_visits()[i];
            for (std::size_t p = 0; p < players; ++p) sums[p] += simulator.child_sums()[i * players + p];
        }
        if (mover >= 0) action.values = share_out(std::move(sums), count, within(action.value), mover);
        if (mover >= 0) action.line = line_from(first + i);
        result.actions.push_back(std::move(action));
    }
    if (mover < 0) {
        const double count = static_cast<double>(result.simulations);
        result.value = within(count > 0 ? totals[0] / count : game_.table().neutral);
        result.values = share_out(std::move(totals), count, result.value, mover);
        return;
    }
    const uint32_t best = best_child(MctsTree::ROOT);
    const auto place = decided(shared);
    if (place) {
        result.best = *place;
        result.actions[*place].line.resize(1);
    } else if (best != MctsTree::NOTHING) {
        result.best = best - first;
    } else {
        while (result.actions[result.best].closed && result.best + 1 < root.count)
            ++result.best;  // no action was searched
    }
    result.value = within(result.actions[result.best].value);
    result.values = result.actions[result.best].values;
    if (place && result.actions[*place].visits == 0) {  // the tables were asked about it, as if it had been entered
        result.actions[*place].visits = 1;
        result.actions[*place].value = result.value;
    }
    if (tables_) tables_->go_on(game_, root_.data(), result.actions[result.best].line);
    if (shared.told) tell(*shared.told, shared.root_mover, result);
}

}  // namespace zermelo
