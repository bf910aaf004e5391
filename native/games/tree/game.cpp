#include "games/tree/game.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace zermelo::written {
namespace {

int64_t node_of(const void* state) {
    int64_t node;
    std::memcpy(&node, state, sizeof node);
    return node;
}

const Tree& tree_of(const void* context) { return *static_cast<const Tree*>(context); }

bool exists(const Tree& tree, int64_t node) { return node >= 0 && node < static_cast<int64_t>(tree.movers.size()); }

// The node behind an action; below 0 if there is none.
int64_t child_of(const Tree& tree, int64_t node, int64_t action) {
    if (!exists(tree, node) || action < 0 || action >= static_cast<int64_t>(tree.movers.size())) return -1;
    const int64_t child = tree.first[node] + action;
    return exists(tree, child) ? child : -1;
}

double estimate(const Tree& tree, int64_t node, int32_t player) {
    const double found = tree.estimates.empty() ? NAN : tree.estimates[node];
    if (std::isnan(found)) return tree.draw;
    return player == 0 ? found : 2 * tree.draw - found;
}

zermelo_status initial(const void*, void* state) {
    std::memset(state, 0, sizeof(int64_t));
    return ZERMELO_OK;
}

zermelo_status actions(const void* context, const void* state, int64_t* actions, uint64_t capacity, uint64_t* count) {
    const Tree& tree = tree_of(context);
    const int64_t node = node_of(state);
    if (!exists(tree, node)) return ZERMELO_RAISED;
    *count = static_cast<uint64_t>(tree.count[node]);
    for (uint64_t a = 0; a < std::min(*count, capacity); ++a) actions[a] = static_cast<int64_t>(a);
    return ZERMELO_OK;
}

zermelo_status describe(const Tree& tree, int64_t node, int32_t* mover, double* utilities) {
    const bool ended = tree.count[node] == 0;
    *mover = ended ? ZERMELO_TERMINAL : tree.movers[node];
    if (ended) std::copy_n(tree.payoffs.data() + node * tree.players, tree.players, utilities);
    return ZERMELO_OK;
}

zermelo_status info(const void* context, const void* state, int32_t* mover, double* utilities) {
    const Tree& tree = tree_of(context);
    const int64_t node = node_of(state);
    return exists(tree, node) ? describe(tree, node, mover, utilities) : ZERMELO_RAISED;
}

zermelo_status step(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                    double* utilities) {
    const Tree& tree = tree_of(context);
    const int64_t after = child_of(tree, node_of(state), action);
    if (after < 0) return ZERMELO_RAISED;
    std::memcpy(child, &after, sizeof after);
    return describe(tree, after, mover, utilities);
}

zermelo_status enter(const void* context, const void* state, int64_t action, void* child, int32_t* mover,
                     double* utilities, int64_t* list, uint64_t capacity, uint64_t* count) {
    const zermelo_status status = step(context, state, action, child, mover, utilities);
    return status == ZERMELO_OK && *mover >= 0 ? actions(context, child, list, capacity, count) : status;
}

zermelo_status chances(const void* context, const void* state, int64_t* list, double* probabilities, uint64_t capacity,
                       uint64_t* count) {
    const zermelo_status status = actions(context, state, list, capacity, count);
    if (status != ZERMELO_OK) return status;
    const Tree& tree = tree_of(context);
    std::copy_n(tree.probabilities.data() + tree.first[node_of(state)], std::min(*count, capacity), probabilities);
    return ZERMELO_OK;
}

zermelo_status evaluate(const void* context, const void* state, int32_t player, double* answer) {
    const Tree& tree = tree_of(context);
    const int64_t node = node_of(state);
    if (!exists(tree, node)) return ZERMELO_RAISED;
    *answer = estimate(tree, node, player);
    return ZERMELO_OK;
}

zermelo_status is_noisy(const void* context, const void* state, int64_t action, int32_t* answer) {
    const Tree& tree = tree_of(context);
    const int64_t child = child_of(tree, node_of(state), action);
    if (child < 0) return ZERMELO_RAISED;
    *answer = tree.noisy[child];
    return ZERMELO_OK;
}

zermelo_status frontier(const void* context, const void* state, const int64_t* actions, uint64_t count, int32_t player,
                        double low, double high, void*, double* values, uint64_t* tried, uint64_t* ends) {
    const Tree& tree = tree_of(context);
    const int64_t node = node_of(state);
    *tried = *ends = 0;
    while (*tried < count) {
        const int64_t child = child_of(tree, node, actions[*tried]);
        if (child < 0) return ZERMELO_RAISED;
        const bool ended = tree.count[child] == 0;
        const double value = ended ? tree.payoffs[child * tree.players + player] : estimate(tree, child, player);
        *ends += ended;
        values[(*tried)++] = value;
        if (value <= low || value >= high) break;
    }
    return ZERMELO_OK;
}

}  // namespace

bool Tree::sound() const {
    const std::size_t nodes = movers.size();
    const auto fits = [&](std::size_t length) { return length == 0 || length == nodes; };
    if (nodes == 0 || first.size() != nodes || count.size() != nodes || probabilities.size() != nodes ||
        payoffs.size() != nodes * static_cast<std::size_t>(players) || !fits(estimates.size()) || !fits(noisy.size()))
        return false;
    for (std::size_t i = 0; i < nodes; ++i)
        if (count[i] < 0 || (count[i] > 0 && (first[i] < 0 || static_cast<std::size_t>(first[i]) + count[i] > nodes)))
            return false;
    return true;
}

zermelo_table table_of(const Tree& tree) {
    zermelo_table table{};
    table.version = ZERMELO_TABLE_VERSION;
    table.size = sizeof(zermelo_table);
    table.state_size = table.state_alignment = sizeof(int64_t);
    table.players = tree.players;
    table.max_actions = 16;
    table.initial = &initial;
    table.actions = &actions;
    table.step = &step;
    table.info = &info;
    table.enter = &enter;
    table.frontier = &frontier;
    if (tree.chance) table.chances = &chances;
    if (!tree.estimates.empty()) table.evaluate = &evaluate;
    if (!tree.noisy.empty()) table.is_noisy = &is_noisy;
    return table;
}

}  // namespace zermelo::written
