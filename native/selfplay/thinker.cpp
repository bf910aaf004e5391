#include "selfplay/thinker.hpp"

#include <optional>

#include "search/engine.hpp"
#include "search/expectation/engine.hpp"
#include "search/mcts/search.hpp"

namespace zermelo {
namespace {

// Whether alpha-beta searches the game: one player, or two with a constant sum, without chance.
bool is_plain(const zermelo_table& table) {
    const bool constant = table.players == 1 || (table.capabilities & ZERMELO_CONSTANT_SUM);
    return table.players <= 2 && constant && !table.chances;
}

PlayMethod method_of(const zermelo_table& table, const PlayerSettings& settings) {
    if (settings.method != PlayMethod::automatic) return settings.method;
    return is_plain(table) ? PlayMethod::alphabeta : PlayMethod::expectation;
}

zermelo_table without_evaluation(zermelo_table table) {
    table.evaluate = nullptr;
    table.frontier = nullptr;  // it evaluates, too
    return table;
}

SearchLimits search_limits(const ThinkLimits& limits) {
    SearchLimits made;
    made.nodes = limits.nodes;
    made.seconds = limits.seconds;
    made.lines = limits.lines;
    return made;
}

class EngineThinker : public Thinker {
public:
    EngineThinker(const zermelo_table& table, std::size_t bytes, const EngineSettings& settings, const Tables* tables)
        : Thinker(table), settings_(settings), engine_(table_, bytes, 1, tables) {}

    void clear() override { engine_.clear(); }

    const Thought& think(LiveGame& game, const ThinkLimits& limits, Watch& watch) override {
        if (search_) search_->restart(game.state(), game.past(), search_limits(limits));
        else search_.emplace(engine_, game.state(), game.past(), search_limits(limits), settings_, false);
        do search_->next_depth(watch);
        while (!search_->done());
        take(search_->report(), game, limits.margin);
        return thought_;
    }

private:
    void take(const EngineReport& report, const LiveGame& game, double margin) {
        if (report.stopped == StopReason::stop) throw Stopped{};
        const RootAction& best = report.actions.at(0);
        thought_.index = static_cast<std::size_t>(best.place);
        thought_.known = report.known;
        thought_.value = report.told ? *report.told : report.known ? best.value : game.game().table().neutral;
        thought_.proved = report.told || (report.proved && report.rounding == 0 && report.stopped == StopReason::none);
        thought_.nodes = report.nodes;
        thought_.close.clear();
        for (std::size_t i = 0; i < std::min(report.settled, report.actions.size()); ++i)
            if (report.actions[i].scored() && report.actions[i].value >= best.value - margin)
                thought_.close.push_back(static_cast<std::size_t>(report.actions[i].place));
        const std::size_t mover = static_cast<std::size_t>(game.mover());
        thought_.utilities.assign(game.players(), 2 * game.game().table().neutral - thought_.value);
        thought_.utilities[mover] = thought_.value;
    }

    const EngineSettings settings_;
    Engine engine_;
    std::optional<EngineSearch> search_;
};

class ExpectationThinker : public Thinker {
public:
    ExpectationThinker(const zermelo_table& table, std::size_t bytes)
        : Thinker(table), settings_(settings_for(table)), engine_(table_, bytes, settings_, false) {}

    void clear() override {
        engine_.clear();
        engine_.settings = settings_;
        engine_.gave_up_pruning = false;
    }

    const Thought& think(LiveGame& game, const ThinkLimits& limits, Watch& watch) override {
        ExpectationSearch search(engine_, game.state(), search_limits(limits));
        do search.next_depth(watch);
        while (!search.done());
        const ExpectationReport& report = search.report();
        if (report.stopped == StopReason::stop) throw Stopped{};
        const double neutral = game.game().table().neutral;
        const std::vector<TreeAction>& actions = report.found.actions;
        thought_.index = actions.at(0).index;
        thought_.known = report.known;
        thought_.value = report.known ? report.found.value : neutral;
        thought_.proved = report.proved && report.stopped == StopReason::none;
        thought_.nodes = report.nodes;
        thought_.close.clear();
        for (std::size_t i = 0; i < std::min<std::size_t>(limits.lines, actions.size()); ++i)
            if (actions[i].scored && actions[i].value >= actions[0].value - limits.margin)
                thought_.close.push_back(actions[i].index);
        thought_.utilities = report.found.values;
        if (thought_.utilities.empty()) thought_.utilities.assign(game.players(), 2 * neutral - thought_.value);
        thought_.utilities[static_cast<std::size_t>(game.mover())] = thought_.value;
        return thought_;
    }

private:
    // The method and the pruning that fit the game.
    static TreeSettings settings_for(const zermelo_table& table) {
        TreeSettings settings;
        const bool constant = table.capabilities & ZERMELO_CONSTANT_SUM;
        if (table.players == 1 || (table.players == 2 && constant)) {
            settings.pruning = TreePruning::star2;
        } else {
            settings.method = TreeMethod::maxn;
            settings.pruning = constant && !table.evaluate ? TreePruning::shallow : TreePruning::none;
        }
        return settings;
    }

    const TreeSettings settings_;
    ExpectationEngine engine_;
};

class MctsThinker : public Thinker {
public:
    MctsThinker(const zermelo_table& table, std::size_t bytes, const MctsSettings& settings, const Tables* tables)
        : Thinker(table), search_(table_, bytes, 1, settings, tables) {}

    void clear() override { search_.clear(); }
    bool needs_states() const override { return true; }

    const Thought& think(LiveGame& game, const ThinkLimits& limits, Watch& watch) override {
        if (game.actions().count == 1) return thought_ = forced();
        MctsTask task;
        task.root = game.state();
        task.limits.nodes = limits.nodes;
        task.limits.simulations = limits.simulations;
        task.limits.seconds = limits.seconds;
        task.limits.reuse = limits.noise.empty();
        task.noise = limits.noise;
        task.share = limits.noise_share;
        task.history = game.history();
        task.repeated = game.past_states();
        const MctsResult found = search_.run(task, watch);
        if (found.end == MctsEnd::stopped) throw Stopped{};
        const MctsAction& best = found.actions[found.best];
        thought_.index = found.best;
        thought_.known = best.visits > 0;
        thought_.value = found.value;
        thought_.proved = found.end == MctsEnd::proved || found.told;
        thought_.nodes = found.nodes;
        thought_.utilities = found.values;
        thought_.close.clear();
        take_visits(found);
        for (std::size_t i = 0; i < found.actions.size(); ++i) {
            const MctsAction& action = found.actions[i];
            const bool tried = action.visits >= best.visits / TRIED_SHARE && action.visits > 0;
            if (i == found.best || (tried && !action.closed && action.value >= best.value - limits.margin))
                thought_.close.push_back(i);
        }
        return thought_;
    }

private:
    // The visits say which actions are good: of those of a proved position only the best is known to be, and an action that is
    // proved to lose is not, however late that was found.
    void take_visits(const MctsResult& found) {
        const double low = table_.low;
        thought_.visits.assign(found.actions.size(), 0);
        if (found.end == MctsEnd::proved) {
            thought_.visits[found.best] = found.value > low;
            return;
        }
        for (std::size_t i = 0; i < found.actions.size(); ++i)
            if (!found.actions[i].closed && found.actions[i].upper > low) thought_.visits[i] = found.actions[i].visits;
    }

    // The only action is played without a search, and teaches nothing.
    Thought forced() const {
        Thought thought;
        thought.value = table_.neutral;
        thought.close = {0};
        return thought;
    }

    static constexpr uint32_t TRIED_SHARE = 10;  // a mean of less than a tenth of the best action's visits says little

    MctsSearch search_;
};

}  // namespace

void check_playable(const zermelo_table& table, const PlayerSettings& settings) {
    const PlayMethod method = method_of(table, settings);
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    if (table.capabilities & ZERMELO_SIMULTANEOUS) refuse("in this game players move at the same time");
    if (table.view_key) refuse("this game hides information");
    if (has_repetition_rule(table) && !is_plain(table))
        refuse("this game has a rule of repetition beside dice or many players");
    if (method == PlayMethod::alphabeta && !is_plain(table))
        refuse("alpha-beta plays games of one or two players with a constant sum and without chance");
    if (method == PlayMethod::expectation && has_repetition_rule(table))
        refuse("this game has a rule of repetition, which expectiminimax and max^n do not know");
    constexpr uint64_t UNLIMITED = std::numeric_limits<uint64_t>::max();
    if (settings.nodes == 0 || settings.simulations == 0) refuse("a search takes at least one node");
    if (settings.simulations != UNLIMITED && method != PlayMethod::mcts)
        refuse("simulations are those of Monte Carlo tree search");
    if (settings.nodes == UNLIMITED && settings.simulations == UNLIMITED && settings.seconds < 0)
        refuse("a player needs a limit: nodes, simulations or seconds");
}

std::unique_ptr<Thinker> Thinker::make(const zermelo_table& given, const PlayerSettings& settings,
                                       const Tables* tables) {
    const zermelo_table table = settings.evaluates ? given : without_evaluation(given);
    switch (method_of(table, settings)) {
        case PlayMethod::mcts: return std::make_unique<MctsThinker>(table, settings.table_bytes, settings.mcts, tables);
        case PlayMethod::expectation: return std::make_unique<ExpectationThinker>(table, settings.table_bytes);
        default: return std::make_unique<EngineThinker>(table, settings.table_bytes, settings.engine, tables);
    }
}

}  // namespace zermelo
