// The root of a search on one thread: its actions one after another, best first, within windows of aspiration.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "search/ending.hpp"
#include "search/engine.hpp"

namespace zermelo {

// One thread's search of the root.
class RootSearch {
public:
    RootSearch(const Game& game, SharedSearch& shared, uint64_t seed)
        : worker(game, shared, seed), game_(game), shared_(shared), settings_(shared.settings) {}

    // Starts a search of `root`; `history` is what the thread has learnt, `none` has learnt nothing.
    void begin(const std::byte* root, int32_t mover, const std::vector<int64_t>& only, History& history,
               History& none) {
        worker.begin();
        worker.use(none);
        actions.clear();
        ending.reset();
        Worker::Frame& frame = worker.frame(0);
        frame.state = root;
        frame.mover = mover;
        frame.key = key_of(game_, root);
        frame.recurrence = recurrence_of(game_, root, frame.key);
        if (worker.expand(0, root, mover, !only.empty())) {
            std::erase_if(frame.order, [&](const Worker::RankedAction& candidate) {
                return !only.empty() &&
                       !std::binary_search(only.begin(), only.end(), frame.list.actions[candidate.place]);
            });
            worker.order_all(0);
        }
        worker.use(history);
    }

    // Takes the search for endings from here on. What an earlier search has found out stays a guess: the order of the
    // actions, and the utility of the first, if it is known.
    void begin_ending(const std::vector<RootAction>& order, std::optional<double> utility) {
        actions = order;
        for (RootAction& action : actions) action.score = -INFINITE_SCORE;
        if (utility && !actions.empty()) actions[0].score = worker.scale().score(*utility, 0);
        ending.emplace(game_, shared_, worker);
    }

    // Searches the root to `depth`, for the best `lines` actions one after another.
    void run(int depth, unsigned lines) {
        worker.begin_iteration(depth);
        if (actions.empty())
            for (const Worker::RankedAction& candidate : worker.frame(0).order)
                actions.push_back({worker.frame(0).children[candidate.place].action, candidate.place, {}, {}});
        std::vector<Score> expected;
        for (RootAction& action : actions) {
            expected.push_back(action.score);
            action.score = -INFINITE_SCORE;
        }
        estimated = false;
        settled = 0;
        worker.count_node();
        for (; settled < std::min<std::size_t>(lines, actions.size()); ++settled) search_line(depth, expected[settled]);
        // A later line may have found more in the table and score higher.
        std::stable_sort(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(settled),
                         [](const RootAction& a, const RootAction& b) { return a.score > b.score; });
    }

    Worker worker;
    std::optional<EndingSearch> ending;  // while it searches the root's children
    std::vector<RootAction> actions;  // best first, as far as known
    std::size_t settled = 0;          // the number of leading actions whose place is final
    std::size_t leader = 0;           // the best action so far; it moves to the front when the pass over them ends
    std::size_t current = 0;          // the action that is being searched
    bool estimated = false;           // some score rests on an estimate
    bool at_least = false;            // in this iteration the root is worth no less than the best action's score ...
    bool at_most = false;             // ... and no more

private:
    // Aspiration: finds the best of the actions that are not settled and moves it to their front.
    void search_line(int depth, Score expected) {
        Score alpha = -INFINITE_SCORE, beta = INFINITE_SCORE;
        Score width = worker.aspiration_width();
        const SearchParameters& parameters = settings_.parameters;
        const bool narrow = settings_.aspiration && depth >= parameters.aspiration_depth && depth < UNLIMITED_DEPTH &&
                            expected > -INFINITE_SCORE && !worker.scale().decisive(expected);
        if (ending && expected > -INFINITE_SCORE) alpha = expected - 1, beta = expected + 1, width = 1;
        if (narrow) alpha = expected - width, beta = expected + width;
        const Score most = worker.scale().score(game_.table().high, 0);
        for (;;) {
            const Score score = search_actions(depth, alpha, beta);
            if (settled == 0) at_most = score < beta || beta == INFINITE_SCORE;
            if (score > alpha && score < beta) return;
            if (ending) {
                if (score >= beta && score >= most) {  // nothing is worth more
                    at_most |= settled == 0;
                    return;
                }
                // What was found proves a bound: the next window begins there.
                if (score >= beta)
                    alpha = score - 1, beta = score > INFINITE_SCORE - width ? INFINITE_SCORE : score + width;
                else beta = score + 1, alpha = score < width - INFINITE_SCORE ? -INFINITE_SCORE : score - width;
                width = std::min(width, INFINITE_SCORE / 8) * 4;
                continue;
            }
            if (score <= alpha && alpha == -INFINITE_SCORE) return;
            if (score >= beta && beta == INFINITE_SCORE) return;
            width = width > INFINITE_SCORE / 8 ? INFINITE_SCORE : width * parameters.aspiration_growth;
            const bool full = width >= INFINITE_SCORE;
            if (score <= alpha) alpha = full ? -INFINITE_SCORE : std::max(score - width, -INFINITE_SCORE);
            if (score >= beta) beta = full ? INFINITE_SCORE : std::min(score + width, INFINITE_SCORE);
        }
    }

    // The actions that were best so far. On destruction, also after a stop, each is moved to the front in turn; the
    // others keep their order.
    class Improvements {
    public:
        Improvements(std::vector<RootAction>& actions, std::size_t from) : actions_(actions), from_(from) {}
        ~Improvements() {
            if (places_.empty()) return;
            std::vector<RootAction> best;
            for (const std::size_t place : places_) best.push_back(std::move(actions_[place]));
            std::size_t end = places_.back() + 1, next = places_.size();
            for (std::size_t place = places_.back() + 1; place-- > from_;)
                if (next > 0 && places_[next - 1] == place) --next;
                else actions_[--end] = std::move(actions_[place]);
            for (RootAction& action : best) actions_[--end] = std::move(action);
        }
        Improvements(const Improvements&) = delete;
        void add(std::size_t place) { places_.push_back(place); }

    private:
        std::vector<RootAction>& actions_;
        const std::size_t from_;
        std::vector<std::size_t> places_;  // ascending
    };

    Score search_actions(int depth, Score alpha, Score beta) {
        Score best = -INFINITE_SCORE;
        Improvements improvements(actions, settled);
        leader = settled;
        for (std::size_t i = settled; i < actions.size(); ++i) {
            current = i;
            std::vector<int64_t> line;
            const Score score = search_action(actions[i], line, depth, alpha, beta, i == settled);
            // Otherwise the score is only a bound. Terminal children with equal scores are compared by their utilities.
            const bool better = score > alpha || i == settled || (score == best && is_better_end(i, leader));
            best = std::max(best, score);
            if (better) {
                actions[i].score = score;
                actions[i].line = std::move(line);
                improvements.add(i);
                leader = i;
                if (settled == 0) at_least = score > alpha || (at_least && i > settled), at_most = false;
            }
            alpha = std::max(alpha, best);
            if (alpha >= beta) break;
        }
        return best;
    }

    bool is_end(const RootAction& action) { return worker.frame(0).children[action.place].terminal(); }

    // Whether both actions end the game, and `one` has the greater utility.
    bool is_better_end(std::size_t one, std::size_t other) {
        return is_end(actions[one]) && is_end(actions[other]) &&
               worker.root_utility(actions[one].place) > worker.root_utility(actions[other].place);
    }

    Score search_action(const RootAction& action, std::vector<int64_t>& line, int depth, Score alpha, Score beta,
                        bool first) {
        Worker::Frame& frame = worker.frame(0);
        Worker::Frame& below = worker.frame(1);
        const Worker::Child child = frame.children[action.place];
        frame.history_key = child.history_key;
        if (child.terminal()) {
            worker.count_node();
            line = {child.action};
            return child.end;
        }
        Score score;
        if (first || !settings_.pvs) {
            score = search_child(child, depth, alpha, beta);
        } else {
            score = search_child(child, depth, alpha, alpha + 1);
            if (score > alpha && score < beta) score = search_child(child, depth, alpha, beta);
        }
        estimated |= ending ? ending->gave_up() : below.estimated;
        line = (ending ? ending->line() : below.line).copy();
        line.insert(line.begin(), child.action);
        return score;
    }

    Score search_child(const Worker::Child& child, int depth, Score alpha, Score beta) {
        if (!ending) return worker.search_child(0, child, less_one_ply(depth), alpha, beta);
        const std::byte* state = worker.child_state(0, child.place);
        if (child.mover == worker.frame(0).mover) return ending->solve(state, child.mover, alpha, beta);
        return -ending->solve(state, child.mover, -beta, -alpha);
    }

    const Game& game_;
    SharedSearch& shared_;
    const EngineSettings& settings_;
};

}  // namespace zermelo
