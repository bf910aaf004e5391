// The engine for Python: settings and results as dictionaries.
#pragma once

#include "bindings/iteration.hpp"
#include "search/engine.hpp"

namespace zermelo {

// Each setting by the name that Python uses for it.
inline const std::map<std::string, bool EngineSettings::*>& engine_settings() {
    static const std::map<std::string, bool EngineSettings::*> names{
        {"table", &EngineSettings::table},
        {"table_children", &EngineSettings::table_children},
        {"table_estimates", &EngineSettings::table_estimates},
        {"zero_windows", &EngineSettings::zero_windows},
        {"aspiration", &EngineSettings::aspiration},
        {"quick", &EngineSettings::haste},
        {"killers", &EngineSettings::killers},
        {"history", &EngineSettings::history},
        {"counters", &EngineSettings::counters},
        {"priority", &EngineSettings::priority},
        {"quiescence", &EngineSettings::quiescence},
        {"single_replies", &EngineSettings::single_replies},
        {"checks", &EngineSettings::checks},
        {"singular", &EngineSettings::singular},
        {"late_reductions", &EngineSettings::late_reductions},
        {"late_pruning", &EngineSettings::late_pruning},
        {"unknown_reductions", &EngineSettings::unknown_reductions},
        {"null_move", &EngineSettings::null_move},
        {"futility", &EngineSettings::futility},
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
        std::vector<std::pair<StateBuffer, Stretch>> past;
        for (const auto& [bytes, moved, quiet] : history) past.emplace_back(table_.state(bytes), Stretch{moved, quiet});
        const EngineLimits limits{depth < 0 ? ENDLESS : std::min(depth, ENDLESS - 1), nodes, seconds, lines,
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
            const bool scored = action.score > -UNBOUNDED;
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
