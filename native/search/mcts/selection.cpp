// Selection and expansion: which child a simulation enters, and how children are created.
#include <cmath>
#include <numeric>

#include "search/mcts/simulator.hpp"

namespace zermelo {

namespace {

constexpr auto RELAXED = std::memory_order_relaxed;
constexpr double UNLIMITED = std::numeric_limits<double>::infinity();
constexpr double UCT_EXPLORATION = 1.4;  // of positions that are not judged yet, in units of that of the others
constexpr double UNTRIED = 1e300;  // a score above that of any visited child

}  // namespace

// The child to enter from the node `at`; NOTHING if no child can matter any more.
uint32_t MctsSimulator::choose(uint32_t at) {
    const MctsNode& node = tree_[at];
    if (node.mover.load(RELAXED) == ZERMELO_CHANCE) return draw_outcome(node);
    const bool by_priors = settings_.puct && (!lazy_ || tree_.is_judged(node.first.load(RELAXED)));
    return by_priors ? select_puct(node) : select_uct(node);
}

uint32_t MctsSimulator::draw_outcome(const MctsNode& node) {
    const uint32_t first = node.first.load(RELAXED);
    double left = random_.unit();
    for (uint32_t i = 0; i + 1 < node.count; ++i) {
        left -= tree_.prior(first + i);
        if (left < 0) return first + i;
    }
    return first + node.count - 1;
}

// Whether the mover of `node` may gain more by `child` than it already has for sure; with chance nodes, as much, so
// that the mean of the node includes what is sure.
bool MctsSimulator::is_open(const MctsNode& node, const MctsNode& child) const {
    if (child.closed.load(RELAXED)) return false;
    if (!solver_) return true;
    const double gain = node.mover.load(RELAXED) == 0 ? child.upper.load(RELAXED) - node.lower.load(RELAXED)
                                                      : node.upper.load(RELAXED) - child.lower.load(RELAXED);
    return gain > 0 || (chances_ && gain == 0);
}

// The number of open children, in their order, to consider: all, or a growing number with progressive widening.
std::size_t MctsSimulator::width_of(const MctsNode& node) const {
    if (settings_.widening == 0) return node.count;
    const double visits = std::max<uint32_t>(node.visits.load(RELAXED), 1);
    return static_cast<std::size_t>(std::ceil(std::pow(visits, settings_.widening)));
}

// The mean of a child, with virtual losses for simulations under way, mixed with its AMAF value:
//     beta = w / (w + n + w * n / rave)    w the weight of AMAF, n the visits
double MctsSimulator::mean(const MctsNode& child, uint32_t index, double visits) const {
    double sum = child.sum.load(RELAXED);
    if (virtual_) sum += child.pending.load(RELAXED) * (bounded_ ? table_.low : shared_.least.load(RELAXED));
    if (!tree_.with_amaf()) return sum / visits;
    const double weight = tree_.amaf(index).weight.load(RELAXED);
    if (weight == 0) return sum / visits;
    const double amaf = tree_.amaf(index).sum.load(RELAXED) / weight;
    if (visits == 0) return amaf;
    const double equal = settings_.rave > 0 ? settings_.rave : 1;
    const double beta = weight / (weight + visits + weight * visits / equal);
    return beta * amaf + (1 - beta) * (sum / visits);
}

// The open child with the greatest score, or the first whose score is infinite. `score` receives the child, its index,
// the number of times it was entered, and whether anything is known of it.
template <typename Score>
uint32_t MctsSimulator::best_open(const MctsNode& node, const Score& score) const {
    const uint32_t first = node.first.load(RELAXED);
    std::size_t width = width_of(node);
    uint32_t best = MctsTree::NOTHING;
    double most = -UNLIMITED;
    for (uint32_t index = first; index < first + node.count && width > 0; ++index) {
        const MctsNode& child = tree_[index];
        if (!is_open(node, child)) continue;
        --width;
        const uint32_t visits = child.visits.load(RELAXED) + child.pending.load(RELAXED);
        const bool known = visits > 0 || (tree_.with_amaf() && tree_.amaf(index).weight.load(RELAXED) > 0);
        const double found = score(child, index, visits, known);
        if (found <= most) continue;
        most = found;
        best = index;
        if (most == UNLIMITED) break;
    }
    return best;
}

// The factor of a child's exploration term: 1; where choices are hidden, randomly less.
double MctsSimulator::luck() { return hidden_ ? random_.unit() : 1.0; }

uint32_t MctsSimulator::select_uct(const MctsNode& node) {
    const double total = std::max<uint32_t>(node.visits.load(RELAXED), 1);
    const double logarithm = std::log(total);
    const double exploration = settings_.exploration * (lazy_ ? UCT_EXPLORATION : 1) * span();
    return best_open(node, [&](const MctsNode& child, uint32_t index, uint32_t visits, bool known) {
        if (!known) return hidden_ ? UNTRIED * (1.0 + luck()) : UNLIMITED;
        return mean(child, index, visits) + luck() * exploration * std::sqrt(logarithm / std::max(visits, 1u));
    });
}

uint32_t MctsSimulator::select_puct(const MctsNode& node) {
    const uint32_t first = node.first.load(RELAXED);
    double sum = 0, tried = 0;
    for (uint32_t index = first; index < first + node.count; ++index) {
        sum += tree_[index].sum.load(RELAXED);
        tried += tree_[index].visits.load(RELAXED);
    }
    const double siblings = tried > 0 ? sum / tried : table_.neutral;
    const double root = std::sqrt(std::max<double>(node.visits.load(RELAXED), 1));
    const double exploration = settings_.exploration * span() * root;
    return best_open(node, [&](const MctsNode& child, uint32_t index, uint32_t visits, bool known) {
        const double value = known ? mean(child, index, visits) : siblings;
        return value + luck() * exploration * tree_.prior(index) / (1.0 + visits);
    });
}

// Creates the children of the node `at`, whose actions are in the list; false if another thread does or there is no
// room.
bool MctsSimulator::expand(uint32_t at, const std::byte* state, std::span<const double> priors) {
    MctsNode& node = tree_[at];
    if (shared_.frozen.load(RELAXED)) return false;
    uint32_t nothing = MctsTree::NOTHING;
    if (!node.first.compare_exchange_strong(nothing, MctsTree::BUSY)) return false;
    const bool chance = node.mover.load(RELAXED) == ZERMELO_CHANCE;
    if (chance) game_.chances(state, list_);
    if (list_.count == 0) game_.check("actions", state, 0, ZERMELO_BREACH);
    const uint32_t first = tree_.allocate(list_.count);
    if (first == MctsTree::NOTHING) {
        node.first.store(MctsTree::NOTHING, RELAXED);
        return false;
    }
    order_.resize(list_.count);
    std::iota(order_.begin(), order_.end(), 0);
    if (!chance && settings_.widening > 0) sort_actions(state, priors);
    for (uint32_t i = 0; i < list_.count; ++i) {
        const std::size_t place = order_[i];
        tree_.open(first + i, list_.actions[place], table_.low, table_.high);
        if (!tree_.with_priors()) continue;
        tree_.set_prior(first + i, chance            ? list_.probabilities[place]
                                   : !priors.empty() ? priors[place]
                                   : lazy_           ? MctsTree::UNJUDGED
                                                     : 1.0 / static_cast<double>(list_.count));
    }
    node.count = static_cast<uint32_t>(list_.count);
    if (!chance && has_opinions(table_, settings_)) add_opinions(node, state, first);
    node.first.store(first, std::memory_order_release);
    return true;
}

// The game's priors of the actions initialise their AMAF statistics.
void MctsSimulator::add_opinions(const MctsNode& node, const std::byte* state, uint32_t first) {
    prior_values_.resize(node.count);
    prior_weights_.resize(node.count);
    game_.check("priors", state, 0,
                table_.priors(table_.context, state, list_.actions.data(), node.count, prior_values_.data(),
                              prior_weights_.data()));
    for (uint32_t i = 0; i < node.count; ++i) {
        const double weight = prior_weights_[order_[i]];
        if (!(weight > 0) || !std::isfinite(prior_values_[order_[i]])) continue;
        tree_.amaf(first + i).sum.store(weight * prior_values_[order_[i]], RELAXED);
        tree_.amaf(first + i).weight.store(weight, RELAXED);
    }
}

// Sorts the most promising actions first: by their priors, else by the game's priority.
void MctsSimulator::sort_actions(const std::byte* state, std::span<const double> priors) {
    ranks_.assign(priors.begin(), priors.end());
    if (priors.empty()) {
        ranks_.resize(list_.count);
        game_.priorities(state, list_.actions.data(), list_.count, ranks_.data());
    }
    for (double& rank : ranks_)
        if (std::isnan(rank)) rank = -std::numeric_limits<double>::infinity();
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return ranks_[a] > ranks_[b]; });
}

}  // namespace zermelo
