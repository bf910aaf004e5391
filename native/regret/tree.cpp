#include "regret/tree.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::regret {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw TreeError(what);
}

void check_node(const Tree& tree, std::size_t node) {
    const int32_t kind = tree.infoset[node];
    const int64_t first = tree.first[node], count = tree.count[node];
    require(kind >= END_NODE && kind < static_cast<int64_t>(tree.owner.size()), "a node has no such information set");
    if (kind == END_NODE) {
        require(count == 0 && first >= 0 && first < static_cast<int64_t>(tree.ends()), "an end has no such payoffs");
        return;
    }
    require(count >= 1 && first > static_cast<int64_t>(node) && first + count <= static_cast<int64_t>(tree.nodes()),
            "a node's children lie outside the tree");
    if (kind >= 0) require(count == tree.width[kind], "the nodes of an information set differ in their actions");
}

}  // namespace

std::vector<int64_t> Tree::offsets() const {
    std::vector<int64_t> found(width.size() + 1, 0);
    for (std::size_t i = 0; i < width.size(); ++i) found[i + 1] = found[i] + width[i];
    return found;
}

std::size_t Tree::depth() const {
    std::vector<int32_t> level(nodes(), 0);
    int32_t deepest = 0;
    for (std::size_t node = 0; node < nodes(); ++node) {
        deepest = std::max(deepest, level[node]);
        for (int32_t i = 0; i < count[node]; ++i) level[first[node] + i] = level[node] + 1;
    }
    return static_cast<std::size_t>(deepest);
}

void Tree::check() const {
    require(players >= 1 && players <= 64, "a game has 1 to 64 players");
    require(nodes() >= 1 && nodes() < INT32_MAX && first.size() == nodes() && count.size() == nodes() &&
                chance.size() == nodes(),
            "the arrays of nodes differ in length");
    require(owner.size() == width.size() && payoffs.size() % static_cast<std::size_t>(players) == 0,
            "the arrays of information sets or of payoffs have a wrong length");
    int64_t actions = 0;
    for (std::size_t i = 0; i < owner.size(); ++i) {
        require(owner[i] >= 0 && owner[i] < players && width[i] >= 1, "an information set has no owner or no action");
        actions += width[i];
    }
    require(actions < INT32_MAX, "there are too many actions");
    require(std::ranges::all_of(payoffs, [](double u) { return std::isfinite(u); }), "a payoff is not finite");
    require(std::ranges::all_of(chance, [](double p) { return p >= 0 && p <= 1; }), "a chance is no probability");
    std::vector<bool> entered(nodes(), false);
    entered[0] = true;
    for (std::size_t node = 0; node < nodes(); ++node) {
        require(entered[node], "a node has no parent");
        check_node(*this, node);
        for (int32_t i = 0; i < count[node]; ++i) {
            require(!entered[first[node] + i], "a node has two parents");
            entered[first[node] + i] = true;
        }
    }
}

}  // namespace zermelo::regret
