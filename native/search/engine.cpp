#include "search/engine.hpp"

#include <exception>

#include "core/helpers.hpp"

namespace zermelo {
namespace {

// One thread's search of the root.
class RootSearch {
public:
    RootSearch(const Game& game, SharedSearch& shared, Watch* watch, uint64_t seed, const std::byte* root, int32_t mover,
               const std::vector<int64_t>& only)
        : worker(game, shared, watch, seed), zero_windows_(shared.settings.pvs),
          aspiration_(shared.settings.aspiration) {
        Worker::Frame& frame = worker.frame(0);
        frame.state = root;
        frame.mover = mover;
        frame.key = worker.key_of(root);
        frame.recurrence = worker.recurrence_of(root, frame.key);
        if (worker.expand(0, root, mover, !only.empty())) {
            if (!only.empty())
                std::erase_if(frame.order, [&](const Worker::RankedAction& turn) {
                    return std::find(only.begin(), only.end(), frame.children[turn.place].action) == only.end();
                });
            for (std::size_t turn = 0; worker.pick(0, turn, TableEntry::NO_ACTION);) ++turn;
        }
    }

    // Searches the root to `depth`, for the `lines` best actions one after another; `before` is the last depth's order.
    void run(int depth, unsigned lines, const std::vector<RootAction>& before) {
        worker.set_root_depth(depth);
        if (actions.empty()) actions = before;
        if (actions.empty())
            for (const Worker::RankedAction& turn : worker.frame(0).order)
                actions.push_back({worker.frame(0).children[turn.place].action, turn.place, {}, {}});
        std::vector<Score> expected;
        for (RootAction& action : actions) {
            expected.push_back(action.score);
            action.score = -INFINITE_SCORE;
        }
        estimated = false;
        worker.count_node();
        for (settled = 0; settled < std::min<std::size_t>(lines, actions.size()); ++settled)
            search_line(depth, expected[settled]);
        // A line that was searched later may have found more in the table and come out better.
        std::stable_sort(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(settled),
                         [](const RootAction& a, const RootAction& b) { return a.score > b.score; });
    }

    Worker worker;
    std::vector<RootAction> actions;
    std::size_t settled = 0;  // how many of the first actions have found their place
    bool estimated = false;   // some score rests on an estimate

private:
    // The best of the actions that are not settled, brought to the front of them.
    void search_line(int depth, Score expected) {
        Score alpha = -INFINITE_SCORE, beta = INFINITE_SCORE;
        Score width = worker.aspiration_width();
        const bool narrow = aspiration_ && depth >= 4 && depth < UNLIMITED_DEPTH && expected > -INFINITE_SCORE &&
                            !worker.scale().decisive(expected);
        if (narrow) alpha = expected - width, beta = expected + width;
        for (;;) {
            const Score score = search_actions(depth, alpha, beta);
            if (score > alpha && score < beta) return;
            if (score <= alpha && alpha == -INFINITE_SCORE) return;
            if (score >= beta && beta == INFINITE_SCORE) return;
            width = width > INFINITE_SCORE / 8 ? INFINITE_SCORE : width * 4;
            if (score <= alpha) alpha = width >= INFINITE_SCORE ? -INFINITE_SCORE : std::max(score - width, -INFINITE_SCORE);
            if (score >= beta) beta = width >= INFINITE_SCORE ? INFINITE_SCORE : std::min(score + width, INFINITE_SCORE);
        }
    }

    Score search_actions(int depth, Score alpha, Score beta) {
        Score best = -INFINITE_SCORE;
        for (std::size_t i = settled; i < actions.size(); ++i) {
            RootAction found = actions[i];
            const Score score = search_action(found, depth, alpha, beta, i == settled);
            const bool better = score > alpha || i == settled;  // else all that is known is that it is no better
            best = std::max(best, score);
            if (better) {
                found.score = score;
                // The best goes to the front, and the order of the others stays.
                actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(i));
                actions.insert(actions.begin() + static_cast<std::ptrdiff_t>(settled), std::move(found));
            }
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    Score search_action(RootAction& action, int depth, Score alpha, Score beta, bool first) {
        Worker::Frame& frame = worker.frame(0);
        Worker::Frame& below = worker.frame(1);
        const Worker::Child child = frame.children[action.index];
        frame.history_key = child.history_key;
        if (child.terminal()) {
            worker.count_node();
            action.line = {child.action};
            return child.end;
        }
        Score score;
        if (first || !zero_windows_) {
            score = worker.search_child(0, child, less_one_ply(depth), alpha, beta);
        } else {
            score = worker.search_child(0, child, less_one_ply(depth), alpha, alpha + 1);
            if (score > alpha && score < beta) score = worker.search_child(0, child, less_one_ply(depth), alpha, beta);
        }
        estimated |= below.estimated;
        action.line = below.line.copy();
        action.line.insert(action.line.begin(), child.action);
        return score;
    }

    const bool zero_windows_;
    const bool aspiration_;
};

}  // namespace

Engine::Engine(const zermelo_table& table, std::size_t table_bytes, unsigned threads)
    : game_(table), table_(table_bytes), threads_(threads), memories_(threads) {}

void Engine::begin() {
    order_.clear();
    table_.grow_older();
    for (History& memory : memories_) memory.age();
}

void Engine::clear() {
    begin();
    table_.clear();
    rounded_ = false;
    memories_.assign(threads_, History());
}

EngineResult Engine::iterate(const std::byte* root, const std::vector<std::pair<StateBuffer, CheckRun>>& history,
                             const EngineLimits& limits, const EngineSettings& settings, Watch& watch) {
    Position position;
    game_.info(root, position);
    if (position.mover < 0) throw std::invalid_argument("the engine searches positions in which a player moves");
    const std::vector<RootAction>& order = order_.get(root, game_.state_size(), limits.only);
    busy_.clear();  // of what a stopped search left there
    SharedSearch shared{table_, threads_ > 1 ? &busy_ : nullptr, settings};
    shared.node_limit = limits.nodes;
    if (limits.seconds >= 0)
        shared.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                                 std::chrono::duration<double>(limits.seconds));
    std::deque<RootSearch> searches;
    for (unsigned i = 0; i < threads_; ++i) {
        searches.emplace_back(game_, shared, i == 0 ? &watch : nullptr, i * 0x9e3779b97f4a7c15u, root, position.mover,
                              limits.only);
        std::swap(searches[i].worker.history(), memories_[i]);
    }
    const Worker& keys = searches[0].worker;
    for (const auto& [state, since] : history)
        shared.history.push_back({keys.recurrence_of(state.data(), keys.key_of(state.data())), since});

    std::vector<std::exception_ptr> failures(threads_);
    std::vector<std::thread> helpers = start_helpers(threads_, [&](std::size_t i) {
        try {
            for (int depth = limits.depth;; ++depth) searches[i].run(std::min(depth, UNLIMITED_DEPTH), 1, order);
        } catch (const Stopped&) {
        } catch (...) {
            failures[i] = std::current_exception();
            shared.stop = true;
        }
    });
    bool finished = false, interrupted = false;
    try {
        searches[0].run(limits.depth, limits.lines, order);
        finished = true;
    } catch (const Stopped&) {
        interrupted = !shared.stop;  // the watch, not a limit, has ended it
    } catch (...) {
        failures[0] = std::current_exception();
    }
    shared.stop = true;
    for (std::thread& helper : helpers) helper.join();
    for (unsigned i = 0; i < threads_; ++i) std::swap(searches[i].worker.history(), memories_[i]);
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
    EngineResult result;
    result.finished = finished;
    result.interrupted = interrupted;
    RootSearch& first = searches[0];
    ScoreScale& scale = first.worker.scale();
    for (RootSearch& search : searches) {
        result.nodes += search.worker.nodes();
        result.leaves += search.worker.leaves();
        result.cutoffs += search.worker.cutoffs();
        rounded_ |= search.worker.scale().rounded();
    }
    result.actions = first.actions;
    result.settled = std::max<std::size_t>(first.settled, 1);
    const Score best = result.actions.empty() ? -INFINITE_SCORE : result.actions[0].score;
    result.known = best > -INFINITE_SCORE;
    result.rounded = rounded_;
    result.proved = finished && (!first.estimated || scale.decisive(best));
    for (RootAction& action : result.actions) {
        action.value = action.score > -INFINITE_SCORE ? scale.value(action.score) : 0;
        if (action.score > -INFINITE_SCORE) complete(first.worker, root, action.line);
    }
    result.table_per_mille = table_.per_mille_full();
    if (finished) order_.keep(root, game_.state_size(), limits.only, first.actions);
    return result;
}

// A table hit ends a line early; the table knows how it goes on.
void Engine::complete(Worker& worker, const std::byte* root, std::vector<int64_t>& line) const {
    StateBuffer state = game_.buffer(), next = game_.buffer();
    std::memcpy(state.data(), root, game_.state_size());
    Position position;
    game_.info(root, position);
    for (const int64_t action : line) {
        game_.step(state.data(), action, next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
    ActionList list;
    TableEntry entry;
    while (line.size() < static_cast<std::size_t>(MAX_PLY)) {
        game_.actions(state.data(), list);
        std::size_t chosen = list.count;
        if (table_.probe(worker.key_of(state.data()), entry)) {
            const bool decided = entry.depth >= TableEntry::PROVED && worker.scale().decisive(entry.score);
            if (entry.bound == Bound::exact || decided) chosen = static_cast<std::size_t>(entry.action);
        } else {
            chosen = winning_action(state.data(), position.mover, list);  // a win in one is never stored
        }
        if (chosen >= list.count) return;
        line.push_back(list.actions[chosen]);
        game_.step(state.data(), line.back(), next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
}

// The place in `list` of an action that ends the game with the greatest utility there is; its end if there is none.
std::size_t Engine::winning_action(const std::byte* state, int32_t mover, const ActionList& list) const {
    StateBuffer child = game_.buffer();
    Position position;
    for (std::size_t i = 0; i < list.count; ++i) {
        game_.step(state, list.actions[i], child.data(), position);
        if (position.terminal() && position.utilities[mover] >= game_.table().high) return i;
    }
    return list.count;
}

}  // namespace zermelo
