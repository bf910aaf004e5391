#include "search/engine.hpp"

namespace zermelo {

// One thread's search of the root.
class RootSearch {
public:
    RootSearch(const Game& game, SharedSearch& shared, uint64_t seed)
        : worker(game, shared, seed), game_(game), settings_(shared.settings) {}

    // Starts a search of `root`; `history` is what the thread has learnt, `none` has learnt nothing.
    void begin(const std::byte* root, int32_t mover, const std::vector<int64_t>& only, History& history,
               History& none) {
        worker.begin();
        worker.use(none);
        actions.clear();
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
    std::vector<RootAction> actions;  // best first, as far as known
    std::size_t settled = 0;          // the number of leading actions whose place is final
    bool estimated = false;           // some score rests on an estimate

private:
    // Aspiration: finds the best of the actions that are not settled and moves it to their front.
    void search_line(int depth, Score expected) {
        Score alpha = -INFINITE_SCORE, beta = INFINITE_SCORE;
        Score width = worker.aspiration_width();
        const bool narrow = settings_.aspiration && depth >= 4 && depth < UNLIMITED_DEPTH &&
                            expected > -INFINITE_SCORE && !worker.scale().decisive(expected);
        if (narrow) alpha = expected - width, beta = expected + width;
        for (;;) {
            const Score score = search_actions(depth, alpha, beta);
            if (score > alpha && score < beta) return;
            if (score <= alpha && alpha == -INFINITE_SCORE) return;
            if (score >= beta && beta == INFINITE_SCORE) return;
            width = width > INFINITE_SCORE / 8 ? INFINITE_SCORE : width * 4;
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
        std::size_t leader = settled;
        for (std::size_t i = settled; i < actions.size(); ++i) {
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
            score = worker.search_child(0, child, less_one_ply(depth), alpha, beta);
        } else {
            score = worker.search_child(0, child, less_one_ply(depth), alpha, alpha + 1);
            if (score > alpha && score < beta) score = worker.search_child(0, child, less_one_ply(depth), alpha, beta);
        }
        estimated |= below.estimated;
        line = below.line.copy();
        line.insert(line.begin(), child.action);
        return score;
    }

    const Game& game_;
    const EngineSettings& settings_;
};

void Engine::age() {
    table.grow_older();
    for (History& history : histories) history.age();
}

void Engine::clear() {
    table.clear();
    rounded = false;
    for (History& history : histories) history.clear();
}

EngineSearch::EngineSearch(Engine& engine, const std::byte* root, std::vector<PastPosition> past, SearchLimits limits,
                           const EngineSettings& settings, bool sound)
    : engine_(engine), game_(engine.game), root_(game_.buffer()), settings_(settings), starts_sound_(sound),
      shared_{engine.table, engine.threads > 1 ? &engine.busy : nullptr, settings, engine.tables},
      failures_(engine.threads), helpers_(engine.threads - 1, [this](unsigned i) { run_helper(i); }) {
    for (unsigned i = 0; i < engine_.threads; ++i) searches_.emplace_back(game_, shared_, i * 0x9e3779b97f4a7c15u);
    begin(root, std::move(past), std::move(limits));
}

EngineSearch::~EngineSearch() { shared_.stop = true; }

void EngineSearch::restart(const std::byte* root, std::vector<PastPosition> past, SearchLimits limits) {
    shared_.settings = settings_;
    shared_.nodes = 0;
    shared_.stop = false;
    report_ = EngineReport();
    before_ = DepthReport();
    depth_ = 0;
    begin(root, std::move(past), std::move(limits));
}

void EngineSearch::begin(const std::byte* root, std::vector<PastPosition> past, SearchLimits limits) {
    started_ = std::chrono::steady_clock::now();
    limits_ = std::move(limits);
    std::sort(limits_.only.begin(), limits_.only.end());
    std::memcpy(root_.data(), root, game_.state_size());
    Position position;
    game_.info(root, position);
    mover_ = position.mover;
    if (mover_ < 0) throw std::invalid_argument("the engine searches positions in which a player moves");
    sound_ = starts_sound_;
    shared_.history = std::move(past);
    shared_.past_distance = std::numeric_limits<uint32_t>::max();
    for (const PastPosition& each : shared_.history)
        shared_.past_distance = std::min(shared_.past_distance, each.distance);
    shared_.node_limit = limits_.nodes;
    shared_.deadline = limits_.deadline(started_);
    Verdict verdict;
    shared_.probe_draws =
        sound_ || !engine_.tables || !engine_.tables->probe(game_, root, verdict) || verdict.result != 0;
    engine_.age();
    begin_workers();
}

void EngineSearch::begin_workers() {
    for (unsigned i = 0; i < engine_.threads; ++i)
        searches_[i].begin(root_.data(), mover_, limits_.only, engine_.histories[i], engine_.no_history);
}

// Begins the search anew with other settings; what it has counted so far stays.
void EngineSearch::begin_again() {
    for (RootSearch& search : searches_) {
        search.worker.report_nodes();
        before_.nodes += search.worker.nodes();
        before_.leaves += search.worker.leaves();
        before_.cutoffs += search.worker.cutoffs();
        before_.probed += search.worker.probed();
    }
    begin_workers();
}

const EngineReport& EngineSearch::next_depth(Watch& watch) {
    const auto& actions = report_.actions;
    if (!sound_ && !actions.empty() && depth_ >= 2 * static_cast<int>(actions[0].line.size()) &&
        reaches_end(actions[0].line))
        be_sound();
    iterate(std::min(depth_ + 1, limits_.deepest()), watch);
    return report_;
}

const EngineReport& EngineSearch::search_to_end(Watch& watch) {
    iterate(UNLIMITED_DEPTH, watch);
    return report_;
}

const EngineReport& EngineSearch::prove(Watch& watch) {
    if (!shared_.settings.quick) return search_to_end(watch);
    engine_.clear();  // its scores include plies
    shared_.settings.quick = false;
    begin_again();
    search_to_end(watch);
    engine_.clear();
    return report_;
}

// When the end of the game is within reach, only a proof is missing.
void EngineSearch::be_sound() {
    engine_.clear();  // its entries rest on selective techniques
    shared_.settings.make_sound(game_.table());
    sound_ = shared_.probe_draws = true;
    begin_again();
}

bool EngineSearch::reaches_end(const std::vector<int64_t>& line) const {
    StateBuffer state = game_.buffer(), next = game_.buffer();
    std::memcpy(state.data(), root_.data(), game_.state_size());
    Position position;
    game_.info(root_.data(), position);
    for (const int64_t action : line) {
        if (position.terminal()) return true;
        game_.step(state.data(), action, next.data(), position);
        std::swap(state, next);
    }
    return position.terminal();
}

void EngineSearch::run_helper(unsigned index) {
    try {
        for (int depth = helper_depth_;; ++depth) searches_[index].run(std::min(depth, UNLIMITED_DEPTH), 1);
    } catch (const Stopped&) {
    } catch (...) {
        failures_[index] = std::current_exception();
        shared_.stop = true;
    }
}

void EngineSearch::iterate(int depth, Watch& watch) {
    depth_ = helper_depth_ = depth;
    if (shared_.busy) shared_.busy->clear();  // removes what a stopped iteration left there
    shared_.stop = false;
    failures_.assign(engine_.threads, nullptr);
    for (unsigned i = 1; i < engine_.threads; ++i) searches_[i].actions = searches_[0].actions;
    searches_[0].worker.use(watch);
    bool finished = false;
    StopReason stopped = StopReason::none;
    try {
        if (report_.known) watch.poll();
        helpers_.start();
        searches_[0].run(depth, limits_.lines);
        finished = true;
    } catch (const Stopped&) {
        if (!shared_.stop) stopped = StopReason::stop;
    } catch (...) {
        failures_[0] = std::current_exception();
    }
    shared_.stop = true;
    helpers_.wait();
    for (const std::exception_ptr& failure : failures_)
        if (failure) std::rethrow_exception(failure);
    take_result(finished, stopped, depth);
}

// The result of an iteration; if it was stopped before its first action had a score, that of the previous one.
void EngineSearch::take_result(bool finished, StopReason stopped, int depth) {
    report_.nodes = before_.nodes;
    report_.leaves = before_.leaves;
    report_.cutoffs = before_.cutoffs;
    report_.probed = before_.probed;
    report_.deepest = searches_[0].worker.deepest();
    for (RootSearch& search : searches_) {
        report_.nodes += search.worker.nodes();
        report_.leaves += search.worker.leaves();
        report_.cutoffs += search.worker.cutoffs();
        report_.probed += search.worker.probed();
        engine_.rounded |= search.worker.scale().rounded();
    }
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    report_.stopped = stopped;
    if (!finished && stopped == StopReason::none)
        report_.stopped = report_.nodes >= limits_.nodes ? StopReason::nodes : StopReason::seconds;
    RootSearch& main = searches_[0];
    const bool known = !main.actions.empty() && main.actions[0].scored();
    if (!finished && !known && report_.known) return;
    if (finished) report_.depth = depth >= UNLIMITED_DEPTH ? DepthReport::NO_DEPTH : depth;
    report_.known = known;
    report_.actions.clear();  // there may be a million, of which few have a score
    for (const RootAction& action : main.actions)
        if (action.scored() || &action == &main.actions.front()) report_.actions.push_back(action);
    report_.settled = std::max<std::size_t>(main.settled, 1);
    report_.rounded = engine_.rounded;
    report_.rounding = engine_.rounded ? main.worker.scale().step() : 0;
    report_.sound = sound_;
    report_.quick = shared_.settings.quick;
    report_.drawn = known && !shared_.probe_draws;
    ScoreScale& scale = main.worker.scale();
    report_.proved = finished && (!main.estimated || (known && scale.decisive(main.actions[0].score)));
    for (RootAction& action : report_.actions) {
        if (!action.scored()) continue;
        const bool over = main.worker.frame(0).children[action.place].terminal();
        action.value = over ? main.worker.root_utility(action.place) : scale.value(action.score);
        complete(action.line);
    }
    report_.table_per_mille = engine_.table.per_mille_full();
}

// Extends a line that was cut short by a table hit with the moves stored in the table, and by endgame tables to the end.
void EngineSearch::complete(std::vector<int64_t>& line) const {
    StateBuffer state = game_.buffer(), next = game_.buffer();
    std::memcpy(state.data(), root_.data(), game_.state_size());
    Position position;
    game_.info(root_.data(), position);
    for (const int64_t action : line) {
        game_.step(state.data(), action, next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
    const ScoreScale scale(game_.table(), shared_.settings.quick);
    ActionList list;
    TableEntry entry;
    while (line.size() < static_cast<std::size_t>(MAX_PLY)) {
        game_.actions(state.data(), list);
        std::size_t chosen = list.count;
        if (const auto known = engine_.tables ? engine_.tables->deciding(game_, state.data()) : std::nullopt) {
            chosen = *known;
        } else if (engine_.table.probe(key_of(game_, state.data()), entry)) {
            const bool decided = entry.depth >= TableEntry::PROVED && scale.decisive(entry.score);
            if (entry.bound == Bound::exact || decided) chosen = static_cast<std::size_t>(entry.action);
        } else {
            chosen = winning_action(state.data(), position.mover, list);  // immediate wins are never stored
        }
        if (chosen >= list.count) return;
        line.push_back(list.actions[chosen]);
        game_.step(state.data(), line.back(), next.data(), position);
        std::swap(state, next);
        if (position.terminal()) return;
    }
}

// The index in `list` of an action that ends the game with the greatest utility; the length of the list if there is
// none.
std::size_t EngineSearch::winning_action(const std::byte* state, int32_t mover, const ActionList& list) const {
    StateBuffer child = game_.buffer();
    Position position;
    for (std::size_t i = 0; i < list.count; ++i) {
        game_.step(state, list.actions[i], child.data(), position);
        if (position.terminal() && position.utilities[mover] >= game_.table().high) return i;
    }
    return list.count;
}

}  // namespace zermelo
