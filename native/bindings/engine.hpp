// The engine for Python: settings and results as dictionaries.
#pragma once

#include "bindings/iteration.hpp"
#include "search/engine.hpp"

namespace zermelo {

// Each setting by the name that Python uses for it.
inline const std::map<std::string, bool EngineSettings::*>& engine_settings() {
    static const std::map<std::string, bool EngineSettings::*> names{
        {"table", &EngineSettings::table},
        {"enhanced_cutoffs", &EngineSettings::enhanced_cutoffs},
        {"table_estimates", &EngineSettings::table_estimates},
        {"pvs", &EngineSettings::pvs},
        {"aspiration", &EngineSettings::aspiration},
        {"quick", &EngineSettings::quick},
        {"killers", &EngineSettings::killers},
        {"history", &EngineSettings::history},
        {"counter_moves", &EngineSettings::counter_moves},
        {"priority", &EngineSettings::priority},
        {"quiescence", &EngineSettings::quiescence},
        {"one_reply_extensions", &EngineSettings::one_reply_extensions},
        {"check_extensions", &EngineSettings::check_extensions},
        {"singular_extensions", &EngineSettings::singular_extensions},
        {"late_move_reductions", &EngineSettings::late_move_reductions},
        {"move_count_pruning", &EngineSettings::move_count_pruning},
        {"futility", &EngineSettings::futility},
        {"internal_reductions", &EngineSettings::internal_reductions},
        {"null_move", &EngineSettings::null_move},
        {"reverse_futility", &EngineSettings::reverse_futility},
        {"razoring", &EngineSettings::razoring},
    };
    return names;
}

class PythonEngine : public HeldEngine<Engine> {
public:
    PythonEngine(nb::object table, uint64_t table_bytes, unsigned threads)
        : HeldEngine(std::move(table), table_bytes, threads) {}

    nb::dict iterate(const nb::bytes& root, const std::vector<std::tuple<nb::bytes, unsigned, unsigned>>& history,
                     int depth, uint64_t nodes, double seconds, unsigned lines, std::vector<int64_t> only,
                     const std::map<std::string, bool>& settings, nb::object stop) {
        const Turn turn(busy_);
        EngineSettings chosen;
        for (const auto& [name, on] : settings) chosen.*engine_settings().at(name) = on;
        const StateBuffer state = table_.state(root);
        std::vector<std::pair<StateBuffer, CheckRun>> past;
        for (const auto& [bytes, moved, quiet] : history) past.emplace_back(table_.state(bytes), CheckRun{moved, quiet});
        const EngineLimits limits{depth < 0 ? UNLIMITED_DEPTH : std::min(depth, UNLIMITED_DEPTH - 1), nodes, seconds, lines,
                                  std::move(only)};
        PythonWatch watch(std::move(stop));
        const EngineResult found =
            watch.run([&](Watch& inner) { return engine_.iterate(state.data(), past, limits, chosen, inner); });
        return describe(found, watch.interrupted());
    }

private:
    static nb::dict describe(const EngineResult& found, bool interrupted) {
        nb::list actions;
        for (std::size_t i = 0; i < found.actions.size(); ++i) {
            const RootAction& action = found.actions[i];
            const bool scored = action.score > -INFINITE_SCORE;
            actions.append(nb::make_tuple(action.action, scored, action.value, action.line));
        }
        nb::dict result = describe_iteration(found, actions, interrupted);
        result["settled"] = found.settled;
        result["stopped"] = found.interrupted;
        result["proved"] = found.proved;
        result["rounded"] = found.rounded;
        return result;
    }
};

inline void bind_engine(nb::module_& module) {
    nb::list names;
    for (const auto& [name, member] : engine_settings()) names.append(name);
    module.attr("ENGINE_SETTINGS") = nb::tuple(names);
    nb::class_<PythonEngine>(module, "Engine")
        .def(nb::init<nb::object, uint64_t, unsigned>())
        .def("begin", &PythonEngine::begin)
        .def("clear", &PythonEngine::clear)
        .def("iterate", &PythonEngine::iterate, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace zermelo
