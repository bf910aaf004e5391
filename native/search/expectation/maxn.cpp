#include "search/expectation/maxn.hpp"

#include <algorithm>
#include <cmath>

#include "search/minimax.hpp"

namespace zermelo {

void Maxn::run(const std::byte* root, const std::vector<TreeAction>& before) {
    const int depth = begin(root);
    TreeFrame& node = frame(0);
    if (node.mover == ZERMELO_TERMINAL || depth == 0) {
        leaf(0, node.mover == ZERMELO_TERMINAL);
    } else if (result.chance) {
        visit(0, depth);
        result.known = true;
    } else {
        decide_root(depth, before);
    }
    result.values = node.values;
    result.value = node.values[result.maximiser];
    result.estimated = node.estimated;
    result.finished = true;
}

void Maxn::decide_root(int depth, const std::vector<TreeAction>& before) {
    TreeFrame& node = frame(0);
    list_root(before);
    node.begun = false;
    node.ranks.clear();
    for (TreeAction& action : result.actions) {
        node.trying = action.index;
        search_child(0, action.action, depth - 1);
        action.value = frame(1).values[node.mover];
        if (frame(1).refuted) action.value = std::min(action.value, node.values[node.mover]);
        action.scored = true;
        Line line;
        line.set(action.action, frame(1).line);
        action.line = line.copy();
        if (improves(0, action.index)) take(0, action.index);
        result.known = true;
        result.values = node.values;
        result.value = node.values[result.maximiser];
        result.estimated = node.estimated;
    }
    // The equilibrium action is the first of the best in the game's order, which the search order may have placed
    // later.
    const auto chosen = std::find_if(result.actions.begin(), result.actions.end(),
                                     [&](const TreeAction& action) { return action.index == node.best_place; });
    std::rotate(result.actions.begin(), chosen, chosen + 1);
}

void Maxn::visit(int ply, int depth) {
    TreeFrame& node = frame(ply);
    node.estimated = node.refuted = node.begun = false;
    node.line.clear();
    if (node.mover == ZERMELO_CHANCE) return average(ply, depth);
    check_actions(ply);
    decide(ply, depth);
}

void Maxn::decide(int ply, int depth) {
    TreeFrame& node = frame(ply);
    uint32_t first = UINT32_MAX;
    const TableKey key = settings_.table ? key_of(node.state.data()) : TableKey{};
    if (settings_.table && known(ply, key, depth, first)) return;
    if (depth == 1 && !prunes()) {
        try_leaves(ply);
    } else {
        arrange(ply, depth, node.list.count, first, [&](double* estimates) { estimate_results(ply, estimates); });
        try_actions(ply, depth);
    }
    if (settings_.table && !node.refuted)
        table_.store(key, Bound::exact, node.estimated ? depth : ValueEntry::PROVED, node.best_place,
                     node.values.data());
}

void Maxn::try_actions(int ply, int depth) {
    TreeFrame& node = frame(ply);
    for (std::size_t i = 0; i < node.order.size(); ++i) {
        node.trying = node.order[i];
        search_child(ply, node.list.actions[node.order[i]], depth - 1);
        if (improves(ply, node.order[i])) take(ply, node.order[i]);
        if (prunes() && is_enough(ply, i + 1)) {
            result.cutoffs += i + 1 < node.order.size();
            return;
        }
    }
}

// Where all results are leaves and nothing prunes: only the mover's values decide, and the others are computed once.
void Maxn::try_leaves(int ply) {
    TreeFrame& node = frame(ply);
    TreeFrame& below = frame(ply + 1);
    node.ranks.clear();
    game_.frontier(node.state.data(), node.list, node.mover, NEVER, NEVER, below.state.data(), position_, frontier_);
    count(node.list.count);
    result.leaves += node.list.count - 1;
    std::size_t best = 0;
    for (std::size_t i = 1; i < node.list.count; ++i)
        if (frontier_.values[i] > frontier_.values[best]) best = i;
    if (frontier_.ends < node.list.count) node.estimated = result.cut_short = true;
    game_.step(node.state.data(), node.list.actions[best], below.state.data(), position_);
    leaf(ply + 1, position_.terminal());
    take(ply, static_cast<uint32_t>(best));
}

void Maxn::average(int ply, int depth) {
    TreeFrame& node = frame(ply);
    uint32_t first = UINT32_MAX;
    const TableKey key = settings_.table ? key_of(node.state.data()) : TableKey{};
    if (settings_.table && known(ply, key, depth, first)) return;
    find_outcomes(ply);
    std::fill(node.values.begin(), node.values.end(), 0.0);
    for (const Outcome& outcome : node.outcomes) {
        search_child(ply, outcome.action, depth - 1);
        for (std::size_t p = 0; p < node.values.size(); ++p)
            node.values[p] += outcome.probability * frame(ply + 1).values[p];
    }
    node.line.clear();
    if (settings_.table)
        table_.store(key, Bound::exact, node.estimated ? depth : ValueEntry::PROVED, UINT32_MAX, node.values.data());
}

void Maxn::search_child(int ply, int64_t action, int depth) {
    count();
    TreeFrame& below = frame(ply + 1);
    game_.enter(frame(ply).state.data(), action, below.state.data(), position_, below.list);
    below.mover = position_.mover;
    if (position_.terminal() || depth == 0) leaf(ply + 1, position_.terminal());
    else visit(ply + 1, depth);
    frame(ply).estimated |= below.estimated;
}

// Fills the values of a terminal position, whose utilities the last step returned, or of a position at the horizon.
void Maxn::leaf(int ply, bool over) {
    TreeFrame& node = frame(ply);
    ++result.leaves;
    node.line.clear();
    node.refuted = false;
    node.estimated = !over;
    result.cut_short |= !over;
    double sum = 0;
    bool sound = true;
    for (int p = 0; p < game_.players(); ++p) {
        const double value = over ? position_.utilities[p] : game_.evaluate(node.state.data(), p);
        node.values[p] = value;
        sum += value;
        sound &= value >= least_;
    }
    if (prunes() && (!sound || !(std::abs(sum - sum_) <= 1e-9 * std::max(1.0, std::abs(sum_))))) {
        result.uneven = true;
        throw Stopped{};
    }
}

// Whether the child in the frame below is better for the mover than the best so far: greater, or equal and earlier in
// the list.
bool Maxn::improves(int ply, uint32_t place) {
    const TreeFrame& node = frame(ply);
    const TreeFrame& below = frame(ply + 1);
    if (!node.begun) return true;
    if (below.refuted) return false;
    const double value = below.values[node.mover], best = node.values[node.mover];
    return value > best || (value == best && node.rank(place) < node.rank(node.best_place));
}

void Maxn::take(int ply, uint32_t place) {
    TreeFrame& node = frame(ply);
    node.begun = true;
    node.best_place = place;
    node.values = frame(ply + 1).values;
    node.line.set(node.list.actions[place], frame(ply + 1).line);
}

// Whether the actions after the first `tried` cannot matter; records whether the mover above will not choose this
// position.
bool Maxn::is_enough(int ply, std::size_t tried) {
    TreeFrame& node = frame(ply);
    const double value = node.values[node.mover];
    if (ply > 0 && (ply > 1 || limits_.lines == 1)) {
        const TreeFrame& above = frame(ply - 1);
        if (above.mover >= 0 && above.mover != node.mover && above.begun) {
            const double left = sum_ - value - (game_.players() - 2) * least_;
            const double has = above.values[above.mover];
            // An equal value earlier in the list above would be chosen.
            node.refuted = left < has || (left == has && above.rank(above.best_place) < above.rank(above.trying));
        }
    }
    if (node.refuted) return true;
    if (value < most_) return false;
    return std::all_of(node.order.begin() + static_cast<std::ptrdiff_t>(tried), node.order.end(),
                       [&](uint32_t place) { return node.rank(place) > node.rank(node.best_place); });
}

bool Maxn::known(int ply, const TableKey& key, int depth, uint32_t& first) {
    ValueEntry entry;
    if (!table_.probe(key, entry)) return false;
    first = entry.action;
    if (ply == 0 || entry.depth < depth) return false;
    TreeFrame& node = frame(ply);
    std::copy_n(entry.values, node.values.size(), node.values.begin());
    node.estimated = entry.depth < ValueEntry::PROVED;
    result.cut_short |= node.estimated;
    if (node.mover >= 0 && first < node.list.count) {
        frame(ply + 1).line.clear();
        node.line.set(node.list.actions[first], frame(ply + 1).line);
    }
    return true;
}

}  // namespace zermelo
