#include "search/mcts/search.hpp"

#include <cmath>
#include <exception>
#include <thread>

#include "core/helpers.hpp"

namespace zermelo {
namespace {

constexpr auto RELAXED = std::memory_order_relaxed;
constexpr uint64_t LOOK_NODES = 256;  // positions between two looks at the clock

bool has_solver(const zermelo_table& table, const MctsSettings& settings) {
    const bool opposed = table.players == 2 && (table.capabilities & ZERMELO_CONSTANT_SUM);
    return settings.solver && (table.players == 1 || opposed);
}

}  // namespace

MctsSearch::MctsSearch(const zermelo_table& table, std::size_t bytes, unsigned threads, const MctsSettings& settings)
    : game_(table), threads_(std::max(threads, 1u)), settings_(settings), solver_(has_solver(table, settings)),
      tree_(bytes, settings.puct || table.chances, settings.rave > 0 || table.priors), sets_(bytes / SHARE_OF_SETS), root_(game_.buffer()) {}

void MctsSearch::clear() {
    planted_ = false;
    sets_.clear();
    round_ = 0;
}

MctsResult MctsSearch::run(const std::byte* root, const std::vector<StateBuffer>& history,
                           const std::vector<std::pair<StateBuffer, Stretch>>& repeated, const MctsLimits& limits, Watch& watch,
                           const MctsEvaluator& evaluator, std::size_t batch, const std::vector<double>& noise,
                           double share, MctsWorlds* worlds) {
    started_ = std::chrono::steady_clock::now();
    Position position;
    game_.info(root, position);
    if (position.terminal()) throw std::invalid_argument("there is nothing to search in a position that is terminal");
    if (worlds) prepare_sets(root, position.mover, history, limits.reuse);
    else prepare(root, history, limits.reuse);
    MctsShared shared{tree_, settings_, limits, root_.data(), position.mover, sets_, trail_, worlds};
    shared.root_key = game_.recurrence(root);
    for (const auto& [state, since] : repeated) shared.history.emplace(game_.recurrence(state.data()), since);
    if (limits.seconds >= 0)
        shared.deadline = started_ + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                         std::chrono::duration<double>(std::min(limits.seconds, 1e9)));
    const unsigned threads = evaluator ? 1 : threads_;
    std::vector<MctsSimulator> simulators;
    simulators.reserve(threads);
    for (unsigned i = 0; i < threads; ++i) {
        const uint64_t seed = settings_.seed + (round_ * threads + i) * 0x9e3779b97f4a7c15u;
        simulators.emplace_back(game_, shared, seed, threads == 1, evaluator != nullptr);
    }
    ++round_;
    planted_ = false;  // until the search has come to a good end
    simulators[0].expand_root(evaluator ? &evaluator : nullptr);
    for (MctsSimulator& simulator : simulators) simulator.begin();
    mix_noise(noise, share);
    inherited_ = tree_[MctsTree::ROOT].visits.load(RELAXED);
    MctsResult result;
    result.reused = inherited_;
    result.end = simulate(simulators, shared, watch, evaluator, batch, result);
    report(simulators, position.mover, result);
    result.nodes = shared.nodes.load(RELAXED) + 1;
    planted_ = true;
    return result;
}

// Makes `root` the root of the tree, with what is known of it if the tree holds it and that may be used.
void MctsSearch::prepare(const std::byte* root, const std::vector<StateBuffer>& history, bool reusable) {
    const uint32_t found = planted_ && reusable ? find(root, history) : MctsTree::NOTHING;
    if (found == MctsTree::NOTHING)
        tree_.clear(game_.table().low, game_.table().high);
    else if (found != MctsTree::ROOT)
        tree_.keep(found, KEPT);
    std::memcpy(root_.data(), root, game_.state_size());
}

// The place in `history` after the position of the last search; 0 if that is not there.
std::size_t MctsSearch::after_root(const std::vector<StateBuffer>& history) const {
    const uint64_t planted = game_.key(root_.data());
    std::size_t next = history.size();
    while (next > 0 && game_.key(history[next - 1].data()) != planted) --next;
    return next;
}

// The node of `root` in the tree of the last search, by way of the positions played since; NOTHING if it is not there.
uint32_t MctsSearch::find(const std::byte* root, const std::vector<StateBuffer>& history) const {
    const uint64_t planted = game_.key(root_.data());
    if (game_.key(root) == planted) return MctsTree::ROOT;
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

// The child of the node `at`, which stands for the position `from`, that stands for `to`.
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

// Mixes noise into the probabilities of the root's actions, so that self-play tries what the evaluator thinks little of.
void MctsSearch::mix_noise(const std::vector<double>& noise, double share) {
    const MctsNode& root = tree_[MctsTree::ROOT];
    if (!tree_.with_priors() || root.mover.load(RELAXED) < 0 || noise.size() != root.count) return;
    for (uint32_t i = 0; i < root.count; ++i) {
        double& prior = tree_.prior(root.first.load(RELAXED) + i);
        prior = (1 - share) * prior + share * noise[i];
    }
}

// Simulates until a limit or a proof ends it, pruning the tree whenever its memory is used up.
MctsEnd MctsSearch::simulate(std::vector<MctsSimulator>& simulators, MctsShared& shared, Watch& watch,
                             const MctsEvaluator& evaluator, std::size_t batch, MctsResult& result) {
    for (;;) {
        std::vector<std::exception_ptr> failures(simulators.size());
        std::optional<MctsEnd> end;
        std::vector<std::thread> helpers = start_helpers(simulators.size(), [&](std::size_t i) {
            try {
                work(simulators[i], shared, nullptr, evaluator, batch);
            } catch (const Stopped&) {  // while it waited for a world
            } catch (...) {
                failures[i] = std::current_exception();
                shared.stop = true;
            }
        });
        try {
            end = work(simulators[0], shared, &watch, evaluator, batch);
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
        // The threads have left because the memory is used up. Information sets do not hang from the root: they stay.
        if (!shared.worlds) {
            tree_.keep(MctsTree::ROOT, KEPT);
            ++result.prunings;
        }
        shared.frozen = shared.worlds || tree_.size() > (tree_.capacity() * 9) / 10;
    }
}

// One thread's share of the work; ends with a reason, or without one when the tree is full.
std::optional<MctsEnd> MctsSearch::work(MctsSimulator& simulator, MctsShared& shared, Watch* watch,
                                        const MctsEvaluator& evaluator, std::size_t batch) {
    const bool alone = threads_ == 1 || evaluator;
    uint64_t entered = 0;
    simulator.heed(watch);
    simulator.imagine_first();
    while (!shared.stop.load(RELAXED) && (shared.frozen.load(RELAXED) || !tree_.full())) {
        const uint64_t before = alone ? shared.simulations.load(RELAXED) : shared.simulations.fetch_add(1, RELAXED);
        if (before >= shared.limits.simulations) {
            if (!alone) shared.simulations.fetch_sub(1, RELAXED);
            return MctsEnd::simulations;
        }
        if (evaluator) {
            const uint64_t left = shared.limits.simulations - before;
            shared.simulations.store(before + simulator.simulate_batch(std::min<uint64_t>(batch, left), evaluator), RELAXED);
        } else {
            simulator.simulate();
            if (alone) shared.simulations.store(before + 1, RELAXED);
        }
        const uint64_t nodes = simulator.take_nodes();
        add_to(shared.nodes, nodes, alone);
        if (is_proved()) return MctsEnd::proved;
        entered += nodes;
        if (entered < LOOK_NODES && !evaluator) continue;
        if (watch) watch->nodes(std::max(entered, LOOK_NODES));
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

// Whether the time that is left, at the speed so far, is too short for another action to become the most visited one.
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
        const uint32_t visits = tree_[root.first.load(RELAXED) + i].visits.load(RELAXED);
        if (visits > most) second = std::exchange(most, visits);
        else second = std::max(second, visits);
    }
    return static_cast<double>(most - second) > coming;
}

}  // namespace zermelo
