#include "search/mcts/search.hpp"

#include <cmath>
#include <exception>
#include <thread>

#include "core/helpers.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;
constexpr uint64_t POLL_NODES = 256;  // positions between two polls of the clock

}  // namespace

MctsSearch::MctsSearch(const zermelo_table& table, std::size_t bytes, unsigned threads, const MctsSettings& settings,
                       const Tables* tables)
    : game_(table), threads_(std::max(threads, 1u)), settings_(settings), solver_(has_solver(table, settings)),
      tables_(tables), tree_(bytes, settings.puct || table.chances, settings.rave > 0 || has_opinions(table, settings)),
      sets_(bytes / SHARE_OF_SETS), root_(game_.buffer()) {}

void MctsSearch::clear() {
    planted_ = false;
    sets_.clear();
    round_ = 0;
}

MctsResult MctsSearch::run(const MctsTask& task, Watch& watch) {
    started_ = std::chrono::steady_clock::now();
    Position position;
    game_.info(task.root, position);
    if (position.terminal()) throw std::invalid_argument("there is nothing to search in a position that is terminal");
    MctsShared shared{tree_, settings_, task.limits, root_.data(), position.mover, sets_, trail_, task.worlds};
    consult(task, shared);
    if (task.worlds) prepare_sets(task, position.mover);
    else prepare(task);
    shared.trail = trail_;
    shared.root_key = game_.recurrence(task.root);
    for (const auto& [state, since] : task.repeated) shared.history.emplace(game_.recurrence(state.data()), since);
    if (task.limits.seconds >= 0)
        shared.deadline = started_ + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::duration<double>(std::min(task.limits.seconds, 1e9)));
    const unsigned threads = task.evaluator ? 1 : threads_;
    std::vector<MctsSimulator> simulators;
    simulators.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) {
        const uint64_t seed = settings_.seed + (round_ * threads + i) * 0x9e3779b97f4a7c15u;
        simulators.emplace_back(game_, shared, seed, threads == 1, task.evaluator != nullptr);
    }
    ++round_;
    planted_ = false;  // set again when the search completes
    simulators[0].expand_root(task.evaluator ? &task.evaluator : nullptr);
    for (MctsSimulator& simulator : simulators) simulator.begin();
    restrict_root(task.limits.only);
    mix_noise(task.noise, task.share);
    inherited_ = tree_[MctsTree::ROOT].visits.load(RELAXED);
    MctsResult result;
    result.reused = inherited_;
    result.end = simulate(simulators, shared, watch, task, result);
    report(simulators, shared, result);
    result.nodes = shared.nodes.load(RELAXED) + 1;
    planted_ = true;
    return result;
}

// Makes the root of the task the root of the tree, with its statistics if the tree contains it and may be reused.
void MctsSearch::prepare(const MctsTask& task) {
    const uint32_t found = planted_ && task.limits.reuse ? find(task.root, task.history) : MctsTree::NOTHING;
    if (found == MctsTree::ROOT) return;
    if (found == MctsTree::NOTHING) tree_.clear(game_.table().low, game_.table().high);
    else tree_.keep(found, KEPT_SHARE);
    clean_.clear();
    past_.clear();
    if (heeds_repetition(game_.table()))
        for (const StateBuffer& state : task.history) past_.push_back(game_.key(state.data()));
    std::memcpy(root_.data(), task.root, game_.state_size());
}

// Closes the root's actions that are not requested, and opens those again that an earlier search had closed.
void MctsSearch::restrict_root(std::vector<int64_t> only) {
    MctsNode& root = tree_[MctsTree::ROOT];
    if (root.mover.load(RELAXED) < 0) return;
    std::sort(only.begin(), only.end());
    bool changed = false;
    for (uint32_t i = 0; i < root.count; ++i) {
        MctsNode& child = tree_[root.first.load(RELAXED) + i];
        const MctsNode::Closed before = child.closed.load(RELAXED);
        const bool wanted = only.empty() || std::binary_search(only.begin(), only.end(), child.action);
        if (before == MctsNode::FORBIDDEN || (before == MctsNode::OPEN) == wanted) continue;
        child.closed.store(wanted ? MctsNode::OPEN : MctsNode::LEFT_OUT, RELAXED);
        changed = true;
    }
    if (!changed) return;
    root.lower.store(game_.table().low, RELAXED);  // bounds of the root were proved for other actions
    root.upper.store(game_.table().high, RELAXED);
}

// Whether `history` begins with the positions before the last root, where that matters.
bool MctsSearch::begins_alike(const std::vector<StateBuffer>& history) const {
    if (history.size() < past_.size()) return false;
    for (std::size_t i = 0; i < past_.size(); ++i)
        if (game_.key(history[i].data()) != past_[i]) return false;
    return true;
}

// The index in `history` after the position of the last search; 0 if it is not there. Where repetitions count, the game
// must have reached it by the same positions.
std::size_t MctsSearch::after_root(const std::vector<StateBuffer>& history) const {
    if (heeds_repetition(game_.table())) {
        const std::size_t place = past_.size();
        return place < history.size() && begins_alike(history) && is_root(history[place].data()) ? place + 1 : 0;
    }
    std::size_t next = history.size();
    while (next > 0 && !is_root(history[next - 1].data())) --next;
    return next;
}

// The node of `root` in the tree of the last search, following the positions played since; NOTHING if it is not there.
uint32_t MctsSearch::find(const std::byte* root, const std::vector<StateBuffer>& history) const {
    const bool same_way = !heeds_repetition(game_.table()) || (history.size() == past_.size() && begins_alike(history));
    if (is_root(root) && same_way) return MctsTree::ROOT;
    std::size_t next = after_root(history);
    if (next == 0) return MctsTree::NOTHING;
    uint32_t at = MctsTree::ROOT;
    const std::byte* from = root_.data();
    for (; next <= history.size() && at != MctsTree::NOTHING; ++next) {
        const std::byte* to = next < history.size() ? history[next].data() : root;
        at = follow(at, from, to);
        from = to;
    }
    return at;
}

// The child of the node `at` (position `from`) whose position is `to`.
uint32_t MctsSearch::follow(uint32_t at, const std::byte* from, const std::byte* to) const {
    const MctsNode& node = tree_[at];
    const uint32_t first = node.first.load(RELAXED);
    if (first <= MctsTree::BUSY) return MctsTree::NOTHING;
    const uint64_t wanted = game_.key(to);
    StateBuffer below = game_.buffer();
    Position position;
    for (uint32_t child = first; child < first + node.count; ++child) {
        if (tree_[child].visits.load(RELAXED) == 0) continue;
        game_.step(from, tree_[child].action, below.data(), position);
        if (game_.key(below.data()) == wanted) return position.mover == ZERMELO_TERMINAL ? MctsTree::NOTHING : child;
    }
    return MctsTree::NOTHING;
}

// Mixes noise into the root's priors, so that self-play explores actions with low priors.
void MctsSearch::mix_noise(const std::vector<double>& noise, double share) {
    const MctsNode& root = tree_[MctsTree::ROOT];
    if (!tree_.with_priors() || root.mover.load(RELAXED) < 0 || noise.size() != root.count) return;
    const uint32_t first = root.first.load(RELAXED);
    if (clean_.empty())
        for (uint32_t i = 0; i < root.count; ++i) clean_.push_back(tree_.prior(first + i));
    for (uint32_t i = 0; i < root.count; ++i) tree_.set_prior(first + i, (1 - share) * clean_[i] + share * noise[i]);
}

// Simulates until a limit or a proof ends the search, pruning the tree whenever its memory is full.
MctsEnd MctsSearch::simulate(std::vector<MctsSimulator>& simulators, MctsShared& shared, Watch& watch,
                             const MctsTask& task, MctsResult& result) {
    for (;;) {
        std::vector<std::exception_ptr> failures(simulators.size());
        std::optional<MctsEnd> end;
        std::vector<std::thread> helpers = start_helpers(simulators.size(), [&](std::size_t i) {
            try {
                work(simulators[i], shared, nullptr, task);
            } catch (const Stopped&) {  // while waiting for a world
            } catch (...) {
                failures[i] = std::current_exception();
                shared.stop = true;
            }
        });
        try {
            end = work(simulators[0], shared, &watch, task);
        } catch (const Stopped&) {
            end = std::chrono::steady_clock::now() >= shared.deadline ? MctsEnd::seconds : MctsEnd::stopped;
        } catch (...) {
            failures[0] = std::current_exception();
        }
        if (end || failures[0]) shared.stop = true;
        for (std::thread& helper : helpers) helper.join();
        for (const std::exception_ptr& failure : failures)
            if (failure) std::rethrow_exception(failure);
        if (!end) end = reached(shared, shared.simulations.load(RELAXED));
        if (end) return *end;
        // The threads have returned because the memory is full. Information sets are not linked to the root: they stay.
        if (!shared.worlds) {
            tree_.keep(MctsTree::ROOT, KEPT_SHARE);
            ++result.prunings;
        }
        shared.frozen = shared.worlds || tree_.size() > (tree_.capacity() * 9) / 10;
    }
}

// The loop of one thread; ends with a reason, or without one when the tree is full.
std::optional<MctsEnd> MctsSearch::work(MctsSimulator& simulator, MctsShared& shared, Watch* watch,
                                        const MctsTask& task) {
    const bool alone = threads_ == 1 || task.evaluator;
    uint64_t entered = 0;
    simulator.heed(watch);
    simulator.imagine_first();
    while (!shared.stop.load(RELAXED) && (shared.frozen.load(RELAXED) || !tree_.full())) {
        const uint64_t before = alone ? shared.simulations.load(RELAXED) : shared.simulations.fetch_add(1, RELAXED);
        if (before >= shared.limits.simulations) {
            if (!alone) shared.simulations.fetch_sub(1, RELAXED);
            return MctsEnd::simulations;
        }
        if (task.evaluator) {
            const uint64_t left = shared.limits.simulations - before;
            shared.simulations.store(
                before + simulator.simulate_batch(std::min<uint64_t>(task.batch, left), task.evaluator), RELAXED);
        } else {
            simulator.simulate();
            if (alone) shared.simulations.store(before + 1, RELAXED);
        }
        const uint64_t nodes = simulator.take_nodes();
        add_to(shared.nodes, nodes, alone);
        if (is_proved()) return MctsEnd::proved;
        entered += nodes;
        if (entered < POLL_NODES && !task.evaluator) continue;
        if (watch) watch->nodes(std::max(entered, POLL_NODES));
        entered = 0;
        if (const auto end = reached(shared, before + 1)) return end;
    }
    return std::nullopt;
}

std::optional<MctsEnd> MctsSearch::reached(const MctsShared& shared, uint64_t simulations) const {
    if (is_proved()) return MctsEnd::proved;
    if (simulations >= shared.limits.simulations) return MctsEnd::simulations;
    if (shared.nodes.load(RELAXED) >= shared.limits.nodes) return MctsEnd::nodes;
    if (shared.limits.seconds < 0) return std::nullopt;
    if (std::chrono::steady_clock::now() >= shared.deadline) return MctsEnd::seconds;
    if (shared.limits.early && is_settled(shared)) return MctsEnd::settled;
    return std::nullopt;
}

bool MctsSearch::is_proved() const {
    const MctsNode& root = tree_[MctsTree::ROOT];
    return solver_ && root.lower.load(RELAXED) >= root.upper.load(RELAXED);
}

// Whether the remaining time, at the current speed, is too short for another action to become the most visited one.
bool MctsSearch::is_settled(const MctsShared& shared) const {
    using Seconds = std::chrono::duration<double>;
    const auto now = std::chrono::steady_clock::now();
    const double spent = Seconds(now - started_).count(), left = Seconds(shared.deadline - now).count();
    if (spent < 0.02 * (spent + left)) return false;  // the speed is not known yet
    const double coming = static_cast<double>(shared.simulations.load(RELAXED)) * left / spent;
    const MctsNode& root = tree_[MctsTree::ROOT];
    if (root.mover.load(RELAXED) < 0) return false;
    uint32_t most = 0, second = 0;
    for (uint32_t i = 0; i < root.count; ++i) {
        const MctsNode& child = tree_[root.first.load(RELAXED) + i];
        const uint32_t visits = child.closed.load(RELAXED) ? 0 : child.visits.load(RELAXED);
        if (visits > most) second = std::exchange(most, visits);
        else second = std::max(second, visits);
    }
    return static_cast<double>(most - second) > coming;
}

}  // namespace zermelo
