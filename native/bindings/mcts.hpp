// Monte Carlo tree search for Python; evaluators and samplers are callables.
#pragma once

#include "bindings/tables.hpp"
#include "search/mcts/search.hpp"

namespace zermelo {

class PythonMcts {
public:
    // The evaluator in Python: receives (state, actions, mover) of each leaf, returns (priors, utilities) of each.
    using Answers = std::vector<std::pair<std::vector<double>, std::vector<double>>>;
    using Evaluator = std::optional<
        nb::typed<nb::callable, Answers(std::vector<std::tuple<nb::bytes, std::vector<int64_t>, int32_t>>)>>;
    using Sampler = std::optional<nb::typed<nb::callable, std::vector<nb::bytes>()>>;

    PythonMcts(const PythonTable& table, uint64_t bytes, unsigned threads, const MctsSettings& settings,
               const PythonTables* tables)
        : table_(table), search_(table.table(), bytes, threads, settings, core_tables(tables)) {}

    void clear() {
        const Turn turn(busy_);
        search_.clear();
    }

    MctsResult run(const nb::bytes& root, const std::vector<nb::bytes>& history,
                   const std::vector<std::tuple<nb::bytes, unsigned, unsigned>>& past, MctsLimits limits,
                   const Stop& stop, const Evaluator& evaluator, std::size_t batch, std::vector<double> noise,
                   double noise_share, const Sampler& sampler) {
        const Turn turn(busy_);
        const StateBuffer state = table_.state(root);
        MctsTask task{state.data(), std::move(limits)};
        if (evaluator) task.evaluator = [&](std::span<MctsQuestion> questions) { ask(*evaluator, questions); };
        for (const nb::bytes& bytes : history) task.history.push_back(table_.state(bytes));
        for (const auto& [bytes, moved, quiet] : past)
            task.repeated.emplace_back(table_.state(bytes), CheckRun{moved, quiet});
        task.batch = batch;
        task.noise = std::move(noise);
        task.share = noise_share;
        std::unique_ptr<MctsWorlds> worlds;
        if (sampler) worlds = std::make_unique<MctsWorlds>([&] { return sample(*sampler); });
        task.worlds = worlds.get();
        PythonWatch watch(stop);
        MctsResult found = watch.run([&](Watch& inner) { return search_.run(task, inner); });
        if (watch.interrupted()) found.end = MctsEnd::interrupted;
        return found;
    }

private:
    // Passes the positions to Python, each with its actions and its mover, and returns probabilities and utilities.
    void ask(const nb::object& evaluator, std::span<MctsQuestion> questions) const {
        const Locked locked;
        nb::list positions;
        for (const MctsQuestion& question : questions)
            positions.append(nb::make_tuple(table_.bytes(question.state), question.actions, question.mover));
        Answers answers = nb::cast<Answers>(evaluator(positions));
        if (answers.size() != questions.size()) throw nb::value_error("an evaluator has to answer for every position");
        for (std::size_t i = 0; i < questions.size(); ++i) {
            auto& [priors, utilities] = answers[i];
            if (priors.size() != questions[i].actions.size() ||
                utilities.size() != static_cast<std::size_t>(table_.table().players))
                throw nb::value_error("an evaluator has to give a probability an action and a utility a player");
            questions[i].priors = std::move(priors);
            questions[i].utilities = std::move(utilities);
        }
    }

    std::vector<StateBuffer> sample(const nb::object& sampler) const {
        const Locked locked;
        std::vector<StateBuffer> worlds;
        for (const nb::bytes& bytes : nb::cast<std::vector<nb::bytes>>(sampler()))
            worlds.push_back(table_.state(bytes));
        return worlds;
    }

    const PythonTable& table_;
    MctsSearch search_;
    std::atomic<bool> busy_ = false;
};

inline const char* mcts_end(const MctsResult& found) {
    static constexpr const char* NAMES[] = {"proved",  "simulations", "nodes",    "seconds",
                                            "settled", "stop",        "interrupt"};
    return NAMES[static_cast<int>(found.end)];
}

inline void bind_mcts_settings(nb::module_& module) {
    nb::class_<MctsSettings>(module, "MctsSettings")
        .def(
            "__init__",
            [](MctsSettings* self, bool puct, double exploration, double rave, double widening, bool solver,
               bool own_playouts, bool greedy_playouts, double mix, uint64_t judged_from, uint64_t plies,
               uint64_t seed) {
                new (self) MctsSettings{puct, exploration, rave,  widening, solver, own_playouts, greedy_playouts,
                                        mix,  judged_from, plies, seed};
            },
            nb::kw_only(), nb::arg("puct"), nb::arg("exploration"), nb::arg("rave"), nb::arg("widening"),
            nb::arg("solver"), nb::arg("own_playouts"), nb::arg("greedy_playouts"), nb::arg("mix"),
            nb::arg("judged_from"), nb::arg("plies"), nb::arg("seed"));
}

// What is known of the actions that were visited: of a million, a short search visits few.
inline std::vector<MctsAction> known_actions(const MctsResult& found) {
    std::vector<MctsAction> known;
    for (const std::size_t place : found.known()) known.push_back(found.actions[place]);
    return known;
}

inline std::size_t best_known(const MctsResult& found) {
    const std::vector<std::size_t> known = found.known();
    return static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), found.best) - known.begin());
}

inline std::pair<std::vector<int64_t>, std::vector<uint32_t>> open_visits(const MctsResult& found) {
    std::pair<std::vector<int64_t>, std::vector<uint32_t>> open;
    for (const MctsAction& each : found.actions) {
        if (each.closed) continue;
        open.first.push_back(each.action);
        open.second.push_back(each.visits);
    }
    return open;
}

inline void bind_mcts(nb::module_& module) {
    bind_mcts_settings(module);
    nb::class_<MctsAction>(module, "MctsAction")
        .def_ro("action", &MctsAction::action)
        .def_ro("visits", &MctsAction::visits)
        .def_ro("value", &MctsAction::value)
        .def_ro("lower", &MctsAction::lower)
        .def_ro("upper", &MctsAction::upper)
        .def_ro("closed", &MctsAction::closed, "whether it may not be chosen")
        .def_ro("values", &MctsAction::values)
        .def_ro("line", &MctsAction::line);
    nb::class_<MctsResult>(module, "MctsResult")
        .def_prop_ro("end", &mcts_end)
        .def_prop_ro("actions", &known_actions, "those visited, or all if none was; in the game's order")
        .def_prop_ro("best", &best_known, "the place of the recommended action among them")
        .def_prop_ro("visits", &open_visits,
                     "all actions that may be chosen, in the game's order, and the visits of each")
        .def_ro("value", &MctsResult::value)
        .def_ro("values", &MctsResult::values)
        .def_ro("lower", &MctsResult::lower)
        .def_ro("upper", &MctsResult::upper)
        .def_ro("simulations", &MctsResult::simulations)
        .def_ro("reused", &MctsResult::reused, "simulations of earlier searches that are still in the tree")
        .def_ro("nodes", &MctsResult::nodes)
        .def_ro("tree", &MctsResult::tree, "positions in the tree")
        .def_ro("prunings", &MctsResult::prunings)
        .def_ro("probed", &MctsResult::probed, "positions that endgame tables settled")
        .def_ro("told", &MctsResult::told, "whether endgame tables tell the value of the root, whatever its search");
    nb::class_<PythonMcts>(module, "Mcts")
        .def(
            "__init__",
            [](PythonMcts* self, const PythonTable& table, uint64_t memory_bytes, unsigned threads,
               const MctsSettings& settings,
               const PythonTables* tables) { new (self) PythonMcts(table, memory_bytes, threads, settings, tables); },
            nb::arg("table"), nb::arg("memory_bytes"), nb::arg("threads"), nb::arg("settings"),
            nb::arg("tables").none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>())
        .def("clear", &PythonMcts::clear)
        .def(
            "run",
            [](PythonMcts& self, const nb::bytes& root, const std::vector<nb::bytes>& history,
               const std::vector<std::tuple<nb::bytes, unsigned, unsigned>>& past, uint64_t simulations, uint64_t nodes,
               double seconds, bool early, bool reuse, std::vector<int64_t> only, const Stop& stop,
               const PythonMcts::Evaluator& evaluator, std::size_t batch, std::vector<double> noise, double noise_share,
               const PythonMcts::Sampler& sampler) {
                return self.run(root, history, past, {simulations, nodes, seconds, early, reuse, std::move(only)}, stop,
                                evaluator, batch, std::move(noise), noise_share, sampler);
            },
            nb::arg("root"), nb::kw_only(), nb::arg("history"), nb::arg("past"), nb::arg("simulations"),
            nb::arg("nodes"), nb::arg("seconds"), nb::arg("early"), nb::arg("reuse"), nb::arg("only"),
            nb::arg("stop").none(), nb::arg("evaluator").none(), nb::arg("batch"), nb::arg("noise"),
            nb::arg("noise_share"), nb::arg("sampler").none());
}

}  // namespace zermelo
