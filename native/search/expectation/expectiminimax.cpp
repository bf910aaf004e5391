#include "search/expectation/expectiminimax.hpp"

#include <cmath>

#include "search/minimax.hpp"

namespace zermelo {

// Probing fewer actions than this costs more than it saves; measured by `bench/chance.py`.
constexpr std::size_t PROBE_FROM = 5;

double Expectiminimax::visit(int ply, int depth, Window window, bool probing) {
    frame(ply).estimated = false;
    frame(ply).line.clear();
    if (frame(ply).mover == ZERMELO_CHANCE) return average(ply, depth, window);
    return decide(ply, depth, window, probing);
}

void Expectiminimax::run(const std::byte* root, const std::vector<TreeAction>& before) {
    const int depth = begin(root);
    if (frame(0).mover == ZERMELO_TERMINAL) {
        ++result.leaves;
        result.value = end(root, position_);
    } else if (depth == 0) {
        ++result.leaves;
        result.estimated = result.cut_short = true;
        result.value = estimate(root);
    } else if (result.chance) {
        result.value = average(0, depth, {-INFINITE, INFINITE});
        result.estimated = frame(0).estimated;
        result.known = true;
    } else {
        decide_root(depth, before);
    }
    result.finished = true;
}

// Searches the root's actions in turn. With n lines, the n-th best value bounds the window.
void Expectiminimax::decide_root(int depth, const std::vector<TreeAction>& before) {
    TreeFrame& node = frame(0);
    list_root(before);
    std::vector<double> best;  // values of the lines, greatest first
    for (TreeAction& action : result.actions) {
        const double alpha = prunes() && best.size() == limits_.lines ? best.back() : -INFINITE;
        step(0, action.action);
        action.value = child_score(0, depth - 1, {alpha, INFINITE});
        action.scored = true;
        node.estimated |= frame(1).estimated;
        node.line.set(action.action, frame(1).line);
        action.line = node.line.copy();
        if (!result.known || action.value > result.value) result.value = action.value;
        result.known = true;
        result.estimated = node.estimated;
        best.insert(std::upper_bound(best.begin(), best.end(), action.value, std::greater<>()), action.value);
        if (best.size() > limits_.lines) best.pop_back();
    }
}

// Player nodes.

double Expectiminimax::decide(int ply, int depth, Window window, bool probing) {
    uint32_t first = UINT32_MAX;
    const bool remembers = settings_.table && !probing;
    const TableKey key = settings_.table ? key_of(frame(ply).state.data()) : TableKey{};
    double score = 0;
    if (remembers && known(ply, key, depth, window, score, first)) return score;
    list_options(ply);
    TreeFrame& node = frame(ply);
    if (depth == 1 && !probing && !replies(node)) {
        score = try_leaves(ply, window);
    } else {
        arrange(ply, depth, options(node), first, [&](double* estimates) {
            if (!replies(node)) return estimate_results(ply, estimates);
            for (std::size_t i = 0; i < node.replies.size(); ++i) {
                play_round(ply, node.replies[i]);
                estimates[i] = position_.terminal() ? position_.utilities[node.mover]
                                                    : game_.evaluate(frame(ply + 1).state.data(), node.mover);
            }
        });
        score = try_actions(ply, depth, window, probing);
    }
    if (remembers) remember(ply, key, depth, window, score, node.best_place);
    return score;
}

void Expectiminimax::list_options(int ply) {
    check_actions(ply);
    if (replies(frame(ply))) find_replies(ply);
}

// The best of the actions, in the order of the frame; scores inside are from the mover's point of view.
double Expectiminimax::try_actions(int ply, int depth, Window window, bool probing) {
    TreeFrame& node = frame(ply);
    const bool flip = node.mover != result.maximiser;
    double alpha = flip ? -window.beta : window.alpha;
    const double beta = flip ? -window.alpha : window.beta;
    double best = -INFINITE;
    const std::size_t count = probing ? 1 : node.order.size();
    for (std::size_t i = 0; i < count; ++i) {
        take_option(ply, node.order[i]);
        double score = child_score(ply, depth - 1, flip ? Window{-beta, -alpha} : Window{alpha, beta});
        node.estimated |= frame(ply + 1).estimated;
        if (flip) score = -score;
        if (score > best || i == 0) {
            best = score;
            node.best_place = node.order[i];
            if (replies(node)) node.line.clear();
            else node.line.set(node.list.actions[node.order[i]], frame(ply + 1).line);
        }
        if (prunes() && best > alpha) alpha = best;
        if (alpha >= beta) {
            result.cutoffs += i + 1 < count;
            break;
        }
    }
    return flip ? -best : best;
}

// The same where all results are leaves, as in most nodes: one call returns their values.
double Expectiminimax::try_leaves(int ply, Window window) {
    TreeFrame& node = frame(ply);
    const bool flip = node.mover != result.maximiser;
    double low = NEVER, high = NEVER;  // a value that is at most `low` or at least `high` ends the node
    if (prunes()) {
        // No value lies outside the bounds of the game, so a window edge beyond them never cuts.
        const double least = game_.table().low, most = game_.table().high;
        if (flip && window.alpha >= least) low = window.alpha >= most ? INFINITE : window.alpha;
        if (!flip && window.beta <= most) high = window.beta <= least ? -INFINITE : window.beta;
    }
    game_.frontier(node.state.data(), node.list, result.maximiser, low, high, frame(ply + 1).state.data(), position_,
                   frontier_);
    count(frontier_.tried);
    result.leaves += frontier_.tried;
    if (frontier_.ends < frontier_.tried) node.estimated = result.cut_short = true;
    result.cutoffs += frontier_.tried < node.list.count;
    double best = 0;
    for (std::size_t i = 0; i < frontier_.tried; ++i) {
        double value = frontier_.values[i];
        if (prunes() && !(value > game_.table().low && value < game_.table().high)) {
            game_.step(node.state.data(), node.list.actions[i], frame(ply + 1).state.data(), position_);
            if (position_.terminal()) value = end(frame(ply + 1).state.data(), position_);
            else value = bounded(value);
        }
        if (i == 0 || (flip ? value < best : value > best)) {
            best = value;
            node.best_place = static_cast<uint32_t>(i);
        }
    }
    node.line.clear();
    frame(ply + 1).line.clear();
    node.line.set(node.list.actions[node.best_place], frame(ply + 1).line);
    return best;
}

// Chance nodes.

double Expectiminimax::average(int ply, int depth, Window window) {
    uint32_t first = UINT32_MAX;
    const TableKey key = settings_.table ? key_of(frame(ply).state.data()) : TableKey{};
    double score = 0;
    if (settings_.table && known(ply, key, depth, window, score, first)) return score;
    find_outcomes(ply);
    score = prunes() ? star(ply, depth, window) : expectation(ply, depth);
    frame(ply).line.clear();
    if (settings_.table) remember(ply, key, depth, window, score, UINT32_MAX);
    return score;
}

double Expectiminimax::expectation(int ply, int depth) {
    TreeFrame& node = frame(ply);
    double total = 0;
    for (const Outcome& outcome : node.outcomes) {
        step(ply, outcome.action);
        const double score = child_score(ply, depth - 1, {-INFINITE, INFINITE});
        node.estimated |= frame(ply + 1).estimated;
        total += outcome.probability * score;
    }
    return total;
}

namespace {

double bound(const std::vector<Outcome>& outcomes, double Outcome::* side, std::size_t but = SIZE_MAX) {
    double total = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        if (i != but) total += outcomes[i].probability * outcomes[i].*side;
    return total;
}

}  // namespace

// The window in which an outcome matters, given the bounds of the others; slightly widened against rounding.
Expectiminimax::Window Expectiminimax::window_of(const std::vector<Outcome>& outcomes, std::size_t i, Window window) {
    constexpr double SLACK = 1e-12;
    const double probability = outcomes[i].probability;
    double alpha = (window.alpha - bound(outcomes, &Outcome::upper, i)) / probability;
    double beta = (window.beta - bound(outcomes, &Outcome::lower, i)) / probability;
    if (std::isfinite(alpha)) alpha -= SLACK * std::max(1.0, std::abs(alpha));
    if (std::isfinite(beta)) beta += SLACK * std::max(1.0, std::abs(beta));
    return {alpha, beta};
}

// Star1: leaves the node as soon as an outcome falls outside its window.
double Expectiminimax::star(int ply, int depth, Window window) {
    TreeFrame& node = frame(ply);
    double total = 0;
    if (settings_.pruning == TreePruning::star2 && probe_outcomes(ply, depth, window, total)) return total;
    total = 0;
    for (std::size_t i = 0; i < node.outcomes.size(); ++i) {
        const Window inner = window_of(node.outcomes, i, window);
        Outcome& outcome = node.outcomes[i];
        step(ply, outcome.action);
        const double score = child_score(ply, depth - 1, inner);
        node.estimated |= frame(ply + 1).estimated;
        total += outcome.probability * score;
        if (score <= inner.alpha || score >= inner.beta) {
            const auto side = score <= inner.alpha ? &Outcome::upper : &Outcome::lower;
            outcome.*side = score;
            result.cutoffs += i + 1 < node.outcomes.size();
            return bound(node.outcomes, side);
        }
        outcome.lower = outcome.upper = score;
    }
    return total;
}

// The probing phase of Star2: one action below each outcome bounds it from one side; true if that settles the node.
bool Expectiminimax::probe_outcomes(int ply, int depth, Window window, double& score) {
    TreeFrame& node = frame(ply);
    for (std::size_t i = 0; i < node.outcomes.size(); ++i) {
        Outcome& outcome = node.outcomes[i];
        step(ply, outcome.action);
        if (position_.mover < 0 || depth <= 1) continue;
        if (settings_.order && frame(ply + 1).list.count < PROBE_FROM) continue;
        const bool flip = position_.mover != result.maximiser;
        const Window inner = window_of(node.outcomes, i, window);
        const double found = child_score(
            ply, depth - 1, flip ? Window{inner.alpha, outcome.upper} : Window{outcome.lower, inner.beta}, true);
        node.estimated |= frame(ply + 1).estimated;
        if (flip) outcome.upper = std::min(outcome.upper, found);
        else outcome.lower = std::max(outcome.lower, found);
        if (flip ? found <= inner.alpha : found >= inner.beta) {
            ++result.cutoffs;
            score = bound(node.outcomes, flip ? &Outcome::upper : &Outcome::lower);
            return true;
        }
    }
    return false;
}

// Children and leaves.

void Expectiminimax::take_option(int ply, uint32_t place) {
    TreeFrame& node = frame(ply);
    if (replies(node)) play_round(ply, node.replies[place]);
    else step(ply, node.list.actions[place]);
}

void Expectiminimax::step(int ply, int64_t action) {
    TreeFrame& below = frame(ply + 1);
    game_.enter(frame(ply).state.data(), action, below.state.data(), position_, below.list);
    below.mover = position_.mover;
}

double Expectiminimax::child_score(int ply, int depth, Window window, bool probing) {
    count();
    TreeFrame& below = frame(ply + 1);
    below.line.clear();
    below.estimated = false;
    if (position_.terminal()) {
        ++result.leaves;
        return end(below.state.data(), position_);
    }
    if (depth > 0) return visit(ply + 1, depth, window, probing);
    ++result.leaves;
    below.estimated = result.cut_short = true;
    return estimate(below.state.data());
}

double Expectiminimax::end(const std::byte* state, const Position& position) {
    return prunes() ? game_.end(state, position, result.maximiser) : position.utilities[result.maximiser];
}

double Expectiminimax::estimate(const std::byte* state) { return bounded(game_.evaluate(state, result.maximiser)); }

double Expectiminimax::bounded(double value) {
    const double low = game_.table().low, high = game_.table().high;
    result.bold |= !(value > low && value < high);
    return prunes() ? std::min(std::max(value, low), high) : value;
}

// The transposition table.

bool Expectiminimax::known(int ply, const TableKey& key, int depth, Window window, double& score, uint32_t& first) {
    ValueEntry entry;
    if (!table_.probe(key, entry)) return false;
    first = entry.action;
    const double value = *entry.values;
    if (ply == 0 || entry.depth < depth) return false;
    const bool settles = entry.bound == Bound::exact || (entry.bound == Bound::lower && value >= window.beta) ||
                         (entry.bound == Bound::upper && value <= window.alpha);
    if (!settles) return false;
    TreeFrame& node = frame(ply);
    node.estimated = entry.depth < ValueEntry::PROVED;
    result.cut_short |= node.estimated;
    if (node.mover >= 0 && !replies(node) && first < node.list.count) {
        frame(ply + 1).line.clear();
        node.line.set(node.list.actions[first], frame(ply + 1).line);
    }
    score = value;
    return true;
}

void Expectiminimax::remember(int ply, const TableKey& key, int depth, Window window, double score, uint32_t place) {
    Bound bound = Bound::exact;
    if (prunes() && score >= window.beta) bound = Bound::lower;
    if (prunes() && score <= window.alpha) bound = Bound::upper;
    table_.store(key, bound, frame(ply).estimated ? depth : ValueEntry::PROVED, place, &score);
}

}  // namespace zermelo
