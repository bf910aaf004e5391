// The engines with iterative deepening, for Python: an engine keeps what it learns, a search advances depth by depth.
#pragma once

#include <atomic>
#include <optional>
#include <thread>

#include "bindings/tables.hpp"
#include "search/engine.hpp"
#include "search/expectation/engine.hpp"

namespace zermelo {

// An engine owned by Python runs one operation at a time.
template <typename Core>
class PythonEngine {
public:
    template <typename... Options>
    PythonEngine(const PythonTable& table, const Options&... options)
        : table_(table), core_(table.table(), options...) {}

    void clear() {
        const Turn turn(busy_);
        core_.clear();
    }

    const PythonTable& table() const { return table_; }
    Core& core() { return core_; }
    std::atomic<bool>& busy() { return busy_; }

private:
    const PythonTable& table_;
    Core core_;
    std::atomic<bool> busy_ = false;
};

using PythonAlphaBeta = PythonEngine<Engine>;
using PythonExpectation = PythonEngine<ExpectationEngine>;

template <typename Core, typename Search, typename Report>
class PythonSearch {
public:
    template <typename... Options>
    PythonSearch(PythonEngine<Core>& engine, const nb::bytes& root, const Options&... options) : engine_(engine) {
        const Turn turn(engine_.busy());
        const StateBuffer state = engine_.table().state(root);
        const Unlocked unlocked;
        search_.emplace(engine_.core(), state.data(), options...);
    }

    // One step of the search; Ctrl-C ends it like a limit.
    template <typename Step>
    Report run(const Stop& stop, const Step& step) {
        const Turn turn(engine_.busy());
        PythonWatch watch(stop, next_question_);
        searching_ = std::this_thread::get_id();
        watch.run([&](Watch& inner) { step(*search_, inner); });
        searching_ = std::thread::id();
        next_question_ = watch.next();
        Report report = search_->report();
        if (watch.interrupted()) report.stopped = StopReason::interrupt;
        return report;
    }
    Report next_depth(const Stop& stop) {
        return run(stop, [](Search& search, Watch& watch) { search.next_depth(watch); });
    }
    Report search_to_end(const Stop& stop) {
        return run(stop, [](Search& search, Watch& watch) { search.search_to_end(watch); });
    }

    // Where the search is, for its `stop`.
    auto progress() {
        if (searching_.load() != std::this_thread::get_id())
            throw std::logic_error("only the `stop` of a search may ask where it is");
        return search_->progress();
    }

    bool done() const { return search_->done(); }

private:
    PythonEngine<Core>& engine_;
    std::optional<Search> search_;
    std::atomic<std::thread::id> searching_{};  // the thread that is searching; none between two steps
    Watch::Clock::time_point next_question_ = Watch::Clock::now() + Watch::interval;
};

using PythonAlphaBetaSearch = PythonSearch<Engine, EngineSearch, EngineReport>;
using PythonExpectationSearch = PythonSearch<ExpectationEngine, ExpectationSearch, ExpectationReport>;

inline const char* stop_reason(const DepthReport& report) {
    static constexpr const char* NAMES[] = {"", "nodes", "seconds", "stop", "interrupt"};
    return NAMES[static_cast<int>(report.stopped)];
}

template <typename Action>
void bind_root_action(nb::class_<Action>& action) {
    action.def_ro("action", &Action::action).def_ro("value", &Action::value).def_ro("line", &Action::line);
}

inline void bind_reports(nb::module_& module) {
    nb::class_<DepthReport>(module, "DepthReport", "What is known after a depth; counts are those of the whole search")
        .def_ro("depth", &DepthReport::depth,
                "the last finished depth; -1 before the first, and after a search to the end of the game")
        .def_ro("known", &DepthReport::known, "whether some action has a value")
        .def_prop_ro("stopped", &stop_reason)
        .def_ro("nodes", &DepthReport::nodes)
        .def_ro("leaves", &DepthReport::leaves)
        .def_ro("cutoffs", &DepthReport::cutoffs)
        .def_ro("probed", &DepthReport::probed, "positions that endgame tables settled")
        .def_ro("seconds", &DepthReport::seconds)
        .def_ro("deepest", &DepthReport::deepest, "ply entered in the last iteration; 0 if nobody counts")
        .def_ro("table_per_mille", &DepthReport::table_per_mille);
    nb::class_<RootAction> action(module, "RootAction");
    action.def_prop_ro("scored", &RootAction::scored);
    action.def_ro("plies_to_end", &RootAction::plies_to_end, "of a win or a loss; 0 if unknown");
    bind_root_action(action);
    nb::class_<TreeAction> tree_action(module, "ExpectationAction");
    tree_action.def_ro("scored", &TreeAction::scored);
    bind_root_action(tree_action);
    nb::class_<EngineReport, DepthReport>(module, "EngineReport")
        .def_ro("actions", &EngineReport::actions, "best first: those with a score, or one without if none has")
        .def_ro("settled", &EngineReport::settled, "how many of the first actions have exact values")
        .def_ro("partial", &EngineReport::partial, "whether values are those of a depth that was not finished")
        .def_ro("at_least", &EngineReport::at_least, "whether the root is worth no less than the first action's value")
        .def_ro("at_most", &EngineReport::at_most, "whether it is worth no more")
        .def_ro("proved", &EngineReport::proved)
        .def_ro("rounding", &EngineReport::rounding, "how far apart utilities may be that scores do not tell apart")
        .def_ro("sound", &EngineReport::sound, "whether only sound techniques were used")
        .def_ro("quick", &EngineReport::quick, "whether scores include the plies to the end")
        .def_ro("told", &EngineReport::told, "the value of the root by endgame tables, whatever its scores");
    nb::class_<EngineProgress>(module, "EngineProgress", "Where a search is in the middle of a depth")
        .def_ro("report", &EngineProgress::report)
        .def_ro("action", &EngineProgress::action, "that is being searched; None before the first")
        .def_ro("number", &EngineProgress::number, "its place in the order of the search, from 1 on");
    using Report = ExpectationReport;
    nb::class_<Report, DepthReport>(module, "ExpectationReport")
        .def_prop_ro("actions", [](const Report& report) { return report.found.actions; })
        .def_prop_ro("maximiser", [](const Report& report) { return report.found.maximiser; })
        .def_prop_ro("value", [](const Report& report) { return report.found.value; })
        .def_prop_ro(
            "values", [](const Report& report) { return report.found.values; }, "of max^n, else empty")
        .def_ro("proved", &Report::proved)
        .def_ro("settled", &Report::settled, "whether no depth will find more")
        .def_ro("uneven", &Report::uneven, "whether utilities do not add up to the sum by which max^n prunes")
        .def_ro("gave_up_pruning", &Report::gave_up_pruning);
}

inline void bind_settings(nb::module_& module) {
    nb::list names, selective, parameters;
    for (const Technique& technique : TECHNIQUES) (technique.selective ? selective : names).append(technique.name);
    module.attr("SOUND_TECHNIQUES") = nb::tuple(names);
    module.attr("SELECTIVE_TECHNIQUES") = nb::tuple(selective);
    nb::class_<SearchParameter>(module, "SearchParameter", "a margin or coefficient of alpha-beta")
        .def_ro("name", &SearchParameter::name)
        .def_ro("whole", &SearchParameter::whole, "whether it is a whole number")
        .def_ro("value", &SearchParameter::value, "the default")
        .def_ro("least", &SearchParameter::least)
        .def_ro("most", &SearchParameter::most)
        .def_ro("step", &SearchParameter::step, "how far a tuning varies it at its end")
        .def_ro("meaning", &SearchParameter::meaning);
    for (const SearchParameter& each : SEARCH_PARAMETERS) parameters.append(nb::cast(each));
    module.attr("SEARCH_PARAMETERS") = nb::tuple(parameters);
    nb::class_<DepthPair>(module, "DepthPair", "deep = slope · shallow + offset ± error, for Multi-ProbCut")
        .def(
            "__init__",
            [](DepthPair* self, int64_t stage, int depth, int shallow, double slope, double offset, double error) {
                const DepthPair pair{stage, depth, shallow, slope, offset, error};
                pair.check();
                new (self) DepthPair(pair);
            },
            nb::kw_only(), nb::arg("stage"), nb::arg("depth"), nb::arg("shallow"), nb::arg("slope"), nb::arg("offset"),
            nb::arg("error"));
}

inline void bind_alphabeta(nb::module_& module) {
    nb::class_<PythonAlphaBeta>(module, "Engine")
        .def(
            "__init__",
            [](PythonAlphaBeta* self, const PythonTable& table, uint64_t table_bytes, unsigned threads,
               const PythonTables* tables) {
                new (self) PythonAlphaBeta(table, table_bytes, threads, core_tables(tables));
            },
            nb::arg("table"), nb::arg("table_bytes"), nb::arg("threads"), nb::arg("tables").none() = nb::none(),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 5>())
        .def("clear", &PythonAlphaBeta::clear);
    using Past = std::vector<std::tuple<nb::bytes, unsigned, unsigned>>;
    nb::class_<PythonAlphaBetaSearch>(module, "EngineSearch")
        .def(
            "__init__",
            [](PythonAlphaBetaSearch* self, PythonAlphaBeta& engine, const nb::bytes& root, const Past& past, int depth,
               uint64_t nodes, double seconds, unsigned lines, std::vector<int64_t> only, bool exact,
               const std::map<std::string, bool>& switches, const std::map<std::string, double>& parameters,
               const std::vector<DepthPair>& depth_pairs) {
                const PythonTable& table = engine.table();
                EngineSettings settings;
                settings.parameters = tuned(parameters);
                settings.depth_pairs = DepthPairs(depth_pairs);
                if (exact) settings.make_sound(table.table());
                const Game game = table.game();
                std::vector<PastPosition> positions;
                for (const auto& [bytes, moved, quiet] : past) {
                    const StateBuffer state = table.state(bytes);
                    const TableKey key = recurrence_of(game, state.data(), key_of(game, state.data()));
                    positions.push_back({key, CheckRun{moved, quiet}});
                    if (const Tables* tables = engine.core().tables)
                        positions.back().distance = tables->least_distance(game, state.data());
                }
                const SearchLimits limits{depth, nodes, seconds, lines, std::move(only)};
                new (self) PythonAlphaBetaSearch(engine, root, positions, limits, switched(settings, switches), exact);
            },
            nb::arg("engine"), nb::arg("root"), nb::kw_only(), nb::arg("past"), nb::arg("depth"), nb::arg("nodes"),
            nb::arg("seconds"), nb::arg("lines"), nb::arg("only"), nb::arg("exact"), nb::arg("switches"),
            nb::arg("parameters"), nb::arg("depth_pairs"), nb::keep_alive<1, 2>())
        .def("next_depth", &PythonAlphaBetaSearch::next_depth, nb::arg("stop").none())
        .def("search_to_end", &PythonAlphaBetaSearch::search_to_end, nb::arg("stop").none())
        .def(
            "prove",
            [](PythonAlphaBetaSearch& self, const Stop& stop) {
                return self.run(stop, [](EngineSearch& search, Watch& watch) { search.prove(watch); });
            },
            nb::arg("stop").none())
        .def("progress", &PythonAlphaBetaSearch::progress, "where the search is; for its `stop` alone")
        .def_prop_ro("done", &PythonAlphaBetaSearch::done);
}

inline void bind_expectation(nb::module_& module) {
    nb::enum_<TreeMethod>(module, "ExpectationAlgorithm")
        .value("expectiminimax", TreeMethod::expectiminimax)
        .value("paranoid", TreeMethod::paranoid)
        .value("brs", TreeMethod::best_reply)
        .value("maxn", TreeMethod::maxn);
    nb::enum_<TreePruning>(module, "ExpectationPruning")
        .value("none", TreePruning::none)
        .value("star1", TreePruning::star1)
        .value("star2", TreePruning::star2)
        .value("shallow", TreePruning::shallow);
    nb::class_<PythonExpectation>(module, "ExpectationEngine")
        .def(
            "__init__",
            [](PythonExpectation* self, const PythonTable& handle, uint64_t table_bytes, TreeMethod algorithm,
               TreePruning pruning, bool keep_pruning, bool table, bool order, uint64_t width, uint64_t root_width,
               double root_margin, uint64_t samples, uint64_t seed, int stride) {
                const TreeSettings settings{algorithm,  pruning,     table,   order, width,
                                            root_width, root_margin, samples, seed,  stride};
                new (self) PythonExpectation(handle, table_bytes, settings, keep_pruning);
            },
            nb::arg("handle"), nb::arg("table_bytes"), nb::kw_only(), nb::arg("algorithm"), nb::arg("pruning"),
            nb::arg("keep_pruning"), nb::arg("table"), nb::arg("order"), nb::arg("width"), nb::arg("root_width"),
            nb::arg("root_margin"), nb::arg("samples"), nb::arg("seed"), nb::arg("stride"), nb::keep_alive<1, 2>())
        .def("clear", &PythonExpectation::clear);
    nb::class_<PythonExpectationSearch>(module, "ExpectationSearch")
        .def(
            "__init__",
            [](PythonExpectationSearch* self, PythonExpectation& engine, const nb::bytes& root, int depth,
               uint64_t nodes, double seconds, unsigned lines, std::vector<int64_t> only) {
                const SearchLimits limits{depth, nodes, seconds, lines, std::move(only)};
                new (self) PythonExpectationSearch(engine, root, limits);
            },
            nb::arg("engine"), nb::arg("root"), nb::kw_only(), nb::arg("depth"), nb::arg("nodes"), nb::arg("seconds"),
            nb::arg("lines"), nb::arg("only"), nb::keep_alive<1, 2>())
        .def("next_depth", &PythonExpectationSearch::next_depth, nb::arg("stop").none())
        .def("search_to_end", &PythonExpectationSearch::search_to_end, nb::arg("stop").none())
        .def(
            "search_depth",
            [](PythonExpectationSearch& self, int depth, const Stop& stop) {
                return self.run(
                    stop, [depth](ExpectationSearch& search, Watch& watch) { search.search_depth(depth, watch); });
            },
            nb::arg("depth"), nb::arg("stop").none())
        .def_prop_ro("done", &PythonExpectationSearch::done);
}

inline void bind_engine(nb::module_& module) {
    bind_reports(module);
    bind_settings(module);
    bind_alphabeta(module);
    bind_expectation(module);
}

}  // namespace zermelo
