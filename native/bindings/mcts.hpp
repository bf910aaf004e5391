// Monte Carlo tree search for Python: settings by name, results as a dictionary, evaluators as callables.
#pragma once

#include "bindings/table.hpp"
#include "search/mcts/search.hpp"

namespace zermelo {

inline MctsSettings read_mcts_settings(const nb::dict& given) {
    MctsSettings settings;
    settings.puct = nb::cast<bool>(given["puct"]);
    settings.exploration = nb::cast<double>(given["exploration"]);
    settings.rave = nb::cast<double>(given["rave"]);
    settings.widening = nb::cast<double>(given["widening"]);
    settings.solver = nb::cast<bool>(given["solver"]);
    settings.own_playouts = nb::cast<bool>(given["own_playouts"]);
    settings.greedy_playouts = nb::cast<bool>(given["greedy_playouts"]);
    settings.plies = nb::cast<uint64_t>(given["plies"]);
    settings.seed = nb::cast<uint64_t>(given["seed"]);
    return settings;
}

class PythonMcts {
public:
    PythonMcts(nb::object table, uint64_t bytes, unsigned threads, const nb::dict& settings)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)),
          search_(table_.table(), bytes, threads, read_mcts_settings(settings)) {}

    void clear() {
        const Turn turn(busy_);
        search_.clear();
    }

    nb::dict run(const nb::bytes& root, const std::vector<nb::bytes>& history,
                 const std::vector<std::tuple<nb::bytes, unsigned, unsigned>>& repeated, const nb::dict& limits,
                 nb::object stop, nb::object evaluator, std::size_t batch, std::vector<double> noise, double share,
                 nb::object imagine) {
        const Turn turn(busy_);
        const StateBuffer state = table_.state(root);
        MctsTask task{state.data(), read(limits)};
        if (!evaluator.is_none()) task.evaluator = [&](std::span<MctsQuestion> questions) { ask(evaluator, questions); };
        for (const nb::bytes& bytes : history) task.history.push_back(table_.state(bytes));
        for (const auto& [bytes, moved, quiet] : repeated)
            task.repeated.emplace_back(table_.state(bytes), CheckRun{moved, quiet});
        task.batch = batch;
        task.noise = std::move(noise);
        task.share = share;
        std::unique_ptr<MctsWorlds> worlds;
        if (!imagine.is_none())
            worlds = std::make_unique<MctsWorlds>([&] { return ask_worlds(imagine); });
        task.worlds = worlds.get();
        PythonWatch watch(std::move(stop));
        const MctsResult found = watch.run([&](Watch& inner) { return search_.run(task, inner); });
        return describe(found, watch.interrupted());
    }

private:
    static MctsLimits read(const nb::dict& limits) {
        return {nb::cast<uint64_t>(limits["simulations"]), nb::cast<uint64_t>(limits["nodes"]),
                nb::cast<double>(limits["seconds"]),       nb::cast<bool>(limits["early"]),
                nb::cast<bool>(limits["reuse"]),           nb::cast<std::vector<int64_t>>(limits["only"])};
    }

    // Hands the positions to Python, each with its actions and its mover; takes probabilities and utilities back.
    void ask(const nb::object& evaluator, std::span<MctsQuestion> questions) const {
        const Locked locked;
        nb::list positions;
        for (const MctsQuestion& question : questions)
            positions.append(nb::make_tuple(table_.bytes(question.state), question.actions, question.mover));
        using Answers = std::vector<std::pair<std::vector<double>, std::vector<double>>>;
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

    std::vector<StateBuffer> ask_worlds(const nb::object& imagine) const {
        const Locked locked;
        std::vector<StateBuffer> worlds;
        for (const nb::bytes& bytes : nb::cast<std::vector<nb::bytes>>(imagine())) worlds.push_back(table_.state(bytes));
        return worlds;
    }

    static nb::dict describe(const MctsResult& found, bool interrupted) {
        static constexpr const char* ENDS[] = {"proved", "simulations", "nodes", "seconds", "settled", "stop"};
        nb::dict result;
        nb::list actions;
        for (const MctsAction& action : found.actions)
            actions.append(nb::make_tuple(action.action, action.visits, action.value, action.lower, action.upper,
                                          action.closed, action.values, action.line));
        result["actions"] = actions;
        result["best"] = found.best;
        result["value"] = found.value;
        result["values"] = found.values;
        result["bounds"] = nb::make_tuple(found.lower, found.upper);
        result["end"] = interrupted ? "interrupt" : ENDS[static_cast<int>(found.end)];
        result["simulations"] = found.simulations;
        result["reused"] = found.reused;
        result["nodes"] = found.nodes;
        result["tree"] = found.tree;
        result["prunings"] = found.prunings;
        return result;
    }

    nb::object owner_;  // keeps the table alive
    const PythonTable& table_;
    MctsSearch search_;
    std::atomic<bool> busy_ = false;
};

inline void bind_mcts(nb::module_& module) {
    nb::class_<PythonMcts>(module, "Mcts")
        .def(nb::init<nb::object, uint64_t, unsigned, const nb::dict&>())
        .def("clear", &PythonMcts::clear)
        .def("run", &PythonMcts::run, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
             nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace zermelo
