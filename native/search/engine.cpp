#include "search/engine.hpp"

#include "search/root.hpp"

namespace zermelo {

void Engine::age() {
    table.grow_older();
    for (History& history : histories) history.age();
}

void Engine::clear() {
    table.clear();
    rounding = 0;
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
    shared_.past_key = key_of_past(shared_.history);
    shared_.node_limit = limits_.nodes;
    shared_.deadline = limits_.deadline(started_);
    consult(root);
    engine_.age();
    begin_workers();
}

// What endgame tables say of the root. A search for a proof takes their word; any other one goes on for a good move.
void EngineSearch::consult(const std::byte* root) {
    Verdict verdict;
    shared_.probe_draws = true;
    shared_.way_down = {};
    report_.told = std::nullopt;
    if (sound_ || !engine_.tables || !engine_.tables->probe(game_, root, verdict)) return;
    const zermelo_table& table = game_.table();
    shared_.probe_draws = verdict.result != 0;
    shared_.way_down = WayDown(verdict, mover_);
    if (verdict.result == 0) report_.told = table.neutral;
    else if (verdict.slack > 0 && verdict.distance <= shared_.past_distance &&
             verdict.distance <= game_.plies_left(root))
        report_.told = verdict.result > 0 ? table.high : table.low;
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
    if (ends_soon()) return search_ending(watch);
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
    if (knows_remaining()) return search_ending(watch);
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
    sound_ = true;
    consult(root_.data());
    begin_again();
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
    searches_[0].at_least = searches_[0].at_most = false;
    searches_[0].current = searches_[0].actions.size();  // none yet
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
        engine_.rounding = std::max(engine_.rounding, search.worker.scale().rounding());
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
    report_.partial = known && !finished;
    report_.at_least = finished || main.at_least;
    report_.at_most = finished || main.at_most;
    report_.actions.clear();  // there may be a million, of which few have a score
    for (const RootAction& action : main.actions)
        if (action.scored() || &action == &main.actions.front()) report_.actions.push_back(action);
    report_.settled = std::max<std::size_t>(main.settled, 1);
    report_.rounding = engine_.rounding;
    report_.sound = sound_;
    report_.quick = shared_.settings.quick;
    report_.proved = finished && (!main.estimated || (known && main.worker.scale().decisive(main.actions[0].score)));
    for (RootAction& action : report_.actions)
        if (action.scored()) finish(action);
    report_.table_per_mille = engine_.table.per_mille_full();
}

// Gives an action of the root its value, and its line an end.
void EngineSearch::finish(RootAction& action) {
    Worker& worker = searches_[0].worker;
    const bool over = worker.frame(0).children[action.place].terminal();
    action.value = over ? worker.root_utility(action.place) : worker.scale().value(action.score);
    action.plies_to_end = worker.scale().plies_to_end(action.score);
    complete(action.line);
}

EngineProgress EngineSearch::progress() {
    const RootSearch& main = searches_[0];
    EngineProgress found{report_, std::nullopt, main.current + 1};
    found.report.nodes = shared_.nodes;
    found.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    found.report.deepest = main.worker.deepest();
    found.report.table_per_mille = engine_.table.per_mille_full();
    if (main.current < main.actions.size()) found.action = main.actions[main.current].action;
    const std::size_t best = main.settled > 0 ? 0 : main.leader;
    if (best >= main.actions.size() || !(main.at_least || main.at_most)) return found;
    found.report.partial = found.report.known = true;
    found.report.at_least = main.at_least;
    found.report.at_most = main.at_most;
    found.report.actions = {main.actions[best]};
    found.report.settled = 1;
    finish(found.report.actions[0]);
    return found;
}

}  // namespace zermelo
