// The searches for expected utilities, for Python: settings and results as dictionaries.
#pragma once

#include "bindings/iteration.hpp"
#include "search/expectation/engine.hpp"

namespace zermelo {

class PythonExpectation : public HeldEngine<ExpectationEngine> {
public:
    PythonExpectation(nb::object table, uint64_t table_bytes, bool everybody)
        : HeldEngine(std::move(table), table_bytes, everybody), everybody_(everybody) {}

    nb::dict iterate(const nb::bytes& root, int depth, uint64_t nodes, double seconds, unsigned lines,
                     std::vector<int64_t> only, const nb::dict& settings, nb::object stop) {
        const Turn turn(busy_);
        const TreeSettings chosen = read(settings);
        if ((chosen.method == TreeMethod::maxn) != everybody_)
            throw nb::value_error("this engine was made for another method");
        const StateBuffer state = table_.state(root);
        const TreeLimits limits{depth < 0 ? MAX_PLY : std::min(depth, MAX_PLY), nodes, seconds, std::max(lines, 1u),
                                std::move(only)};
        PythonWatch watch(std::move(stop));
        const TreeResult found =
            watch.run([&](Watch& inner) { return engine_.iterate(state.data(), limits, chosen, inner); });
        return describe(found, watch.interrupted());
    }

private:
    static TreeSettings read(const nb::dict& settings) {
        TreeSettings chosen;
        chosen.method = static_cast<TreeMethod>(nb::cast<int>(settings["method"]));
        chosen.pruning = static_cast<TreePruning>(nb::cast<int>(settings["pruning"]));
        chosen.table = nb::cast<bool>(settings["table"]);
        chosen.order = nb::cast<bool>(settings["order"]);
        chosen.width = nb::cast<uint64_t>(settings["width"]);
        chosen.root_width = nb::cast<uint64_t>(settings["root_width"]);
        chosen.root_margin = nb::cast<double>(settings["root_margin"]);
        chosen.samples = nb::cast<uint64_t>(settings["samples"]);
        chosen.seed = nb::cast<uint64_t>(settings["seed"]);
        return chosen;
    }

    static nb::dict describe(const TreeResult& found, bool interrupted) {
        nb::list actions;
        for (const TreeAction& action : found.actions)
            actions.append(nb::make_tuple(action.action, action.scored, action.value, action.line));
        nb::dict result = describe_iteration(found, actions, interrupted);
        result["maximiser"] = found.maximiser;
        result["value"] = found.value;
        result["values"] = found.values;
        result["stopped"] = !found.finished && !found.limited;
        result["estimated"] = found.estimated;
        result["bold"] = found.bold;
        result["cut_short"] = found.cut_short;
        result["uneven"] = found.uneven;
        return result;
    }

    bool everybody_;
};

inline void bind_expectation(nb::module_& module) {
    nb::class_<PythonExpectation>(module, "Expectation")
        .def(nb::init<nb::object, uint64_t, bool>())
        .def("begin", &PythonExpectation::begin)
        .def("clear", &PythonExpectation::clear)
        .def("iterate", &PythonExpectation::iterate, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
             nb::arg(), nb::arg().none());
}

}  // namespace zermelo
