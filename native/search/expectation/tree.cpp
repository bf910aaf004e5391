#include "search/expectation/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"

namespace zermelo {

TreeSearch::TreeSearch(const Game& game, const TreeSettings& settings, const SearchLimits& limits,
                       std::chrono::steady_clock::time_point deadline, ValueTable& table, Watch& watch)
    : game_(game), settings_(settings), limits_(limits), table_(table), watch_(watch),
      min_estimate_depth_(game.table().evaluate ? 2 : 3), deadline_(deadline) {}

void TreeSearch::count(uint64_t nodes) {
    if (limits_.nodes - result.nodes < nodes) {
        result.nodes = limits_.nodes;  // only the part of a batch that the limit allows
        stop();
    }
    watch_.nodes(nodes);
    result.nodes += nodes;
    if (result.nodes >= next_look_) {
        if (std::chrono::steady_clock::now() >= deadline_) stop();
        next_look_ = result.nodes + 64;
    }
}

void TreeSearch::stop() {
    result.limited = true;
    throw Stopped{};
}

int TreeSearch::begin(const std::byte* root) {
    TreeFrame& node = frame(0);
    std::memcpy(node.state.data(), root, game_.state_size());
    game_.info(root, position_);
    node.mover = position_.mover;
    result.chance = position_.chance();
    result.maximiser = std::max(node.mover, 0);
    for (const uint64_t word :
         {static_cast<uint64_t>(settings_.method), static_cast<uint64_t>(settings_.pruning), settings_.width,
          settings_.samples, settings_.seed, static_cast<uint64_t>(result.maximiser)})
        salt_ = mix(salt_, word);
    if (node.mover >= 0) {
        game_.actions(root, node.list);
        check_actions(0);
        for (std::size_t i = 0; i < node.list.count; ++i)  // so that a search that is stopped at once has a result
            result.actions.push_back({node.list.actions[i], static_cast<uint32_t>(i)});
    }
    count();
    return std::min(limits_.depth, MAX_PLY);
}

void TreeSearch::list_root(const std::vector<TreeAction>& before) {
    TreeFrame& node = frame(0);
    std::vector<TreeAction>& actions = result.actions;
    const auto asked_for = [&](int64_t action) {
        return limits_.only.empty() ||
               std::find(limits_.only.begin(), limits_.only.end(), action) != limits_.only.end();
    };
    if (before.empty()) {
        ValueEntry entry;
        if (settings_.table) table_.probe(key_of(node.state.data()), entry);
        arrange(0, limits_.depth, node.list.count, entry.action,
                [&](double* estimates) { estimate_results(0, estimates); });
        actions.clear();
        for (const uint32_t place : node.order)
            if (asked_for(node.list.actions[place])) actions.push_back({node.list.actions[place], place});
        return;
    }
    actions.clear();
    for (const TreeAction& action : before) {
        if (settings_.root_width > 0 && actions.size() >= settings_.root_width) break;
        // A choice between two actions, such as whether to double, is never narrowed: both are searched deeper.
        if (node.list.count > 2 && !actions.empty() && action.value < before.front().value - settings_.root_margin)
            break;
        actions.push_back({action.action, action.index});
    }
    // An action left out, now or earlier, might have been the best.
    const auto end = node.list.actions.begin() + static_cast<std::ptrdiff_t>(node.list.count);
    node.estimated =
        actions.size() < static_cast<std::size_t>(std::count_if(node.list.actions.begin(), end, asked_for));
}

void TreeSearch::finish() {
    if (result.chance) return;
    std::stable_sort(result.actions.begin(), result.actions.end(), [](const TreeAction& a, const TreeAction& b) {
        return a.scored != b.scored ? a.scored : a.scored && a.value > b.value;
    });
}

void TreeSearch::find_outcomes(int ply) {
    TreeFrame& node = frame(ply);
    game_.chances(node.state.data(), node.list);
    const auto first = node.list.probabilities.begin();
    const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(node.list.count), 0.0);
    const double low = game_.table().low, high = game_.table().high;
    node.outcomes.clear();
    for (std::size_t i = 0; i < node.list.count; ++i)
        if (node.list.probabilities[i] > 0)
            node.outcomes.push_back({node.list.actions[i], node.list.probabilities[i], low, high});
    if (settings_.samples > 0 && node.outcomes.size() > settings_.samples) {
        // Systematic sampling: equal steps over the outcomes laid end to end; see `src/zermelo/search/sampling.py`.
        const double teeth = static_cast<double>(settings_.samples);
        double tooth = Random(mix(settings_.seed, game_.key(node.state.data()))).unit(), covered = 0;
        for (Outcome& outcome : node.outcomes) {
            covered += outcome.probability / sum * teeth;
            uint64_t hits = 0;
            for (; tooth < covered; tooth += 1) ++hits;
            outcome.probability = static_cast<double>(hits) / teeth;
        }
        std::erase_if(node.outcomes, [](const Outcome& outcome) { return outcome.probability == 0; });
        node.estimated = true;
    }
    if (settings_.order && settings_.pruning != TreePruning::none)
        std::stable_sort(node.outcomes.begin(), node.outcomes.end(),
                         [](const Outcome& a, const Outcome& b) { return a.probability > b.probability; });
}

void TreeSearch::estimate_results(int ply, double* estimates) {
    TreeFrame& node = frame(ply);
    const double never = std::numeric_limits<double>::quiet_NaN();  // no value is at least or at most this
    game_.frontier(node.state.data(), node.list, node.mover, never, never, frame(ply + 1).state.data(), position_,
                   frontier_);
    watch_.nodes(node.list.count);
    std::copy_n(frontier_.values.data(), node.list.count, estimates);
}

void TreeSearch::sort_by_estimates(TreeFrame& node) {
    for (double& estimate : node.estimates)
        if (std::isnan(estimate)) estimate = -std::numeric_limits<double>::infinity();  // NaN cannot be sorted
    std::stable_sort(node.order.begin(), node.order.end(),
                     [&](uint32_t a, uint32_t b) { return node.estimates[a] > node.estimates[b]; });
}

void TreeSearch::to_front(std::vector<uint32_t>& order, uint32_t place) {
    const auto found = std::find(order.begin(), order.end(), place);
    if (found != order.end()) std::rotate(order.begin(), found, found + 1);
}

TableKey TreeSearch::key_of(const std::byte* state) const {
    const uint64_t key = game_.key(state);
    const uint64_t place =
        game_.table().key ? splitmix(key) : hash_words(state, game_.state_size(), 0x5851f42d4c957f2du);
    return {mix(salt_, place), mix(salt_, key)};
}

void TreeSearch::check_actions(int ply) {
    TreeFrame& node = frame(ply);
    if (node.list.count == 0) game_.check("actions", node.state.data(), 0, ZERMELO_BREACH);
}

}  // namespace zermelo
