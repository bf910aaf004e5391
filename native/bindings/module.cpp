// The Python module `zermelo._core`. Only `zermelo.engine` imports it; states travel as bytes.
#include "bindings/backgammon.hpp"
#include "bindings/bench.hpp"
#include "bindings/engine.hpp"
#include "bindings/expectation.hpp"
#include "bindings/mcts.hpp"
#include "bindings/equilibrium.hpp"
#include "bindings/native.hpp"
#include "bindings/ranges.hpp"
#include "bindings/regret.hpp"
#include "bindings/rules.hpp"
#include "bindings/solve.hpp"
#include "bindings/shared.hpp"
#include "bindings/table.hpp"
#include "bindings/values.hpp"
#include "search/minimax.hpp"
#include "search/perft.hpp"
#include "search/playout.hpp"

namespace zermelo {
namespace {

nb::tuple run_perft(const PythonTable& table, const nb::bytes& bytes, uint64_t depth, unsigned threads,
                    nb::object stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    const Perft counted = PythonWatch(std::move(stop)).run(
        [&](Watch& watch) { return perft(game, state.data(), depth, threads, watch); });
    return nb::make_tuple(counted.leaves, counted.ended, counted.positions);
}

nb::tuple run_playouts(const PythonTable& table, const nb::bytes& bytes, uint64_t games, uint64_t seed,
                       uint64_t max_plies, nb::object stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    const Playouts played = PythonWatch(std::move(stop)).run(
        [&](Watch& watch) { return playouts(game, state.data(), games, seed, max_plies, watch); });
    nb::list sums;
    for (int p = 0; p < game.players(); ++p) sums.append(played.utilities[p]);
    return nb::make_tuple(played.games, played.positions, played.plies, played.unfinished, nb::tuple(sums));
}

nb::dict run_minimax(const PythonTable& table, const nb::bytes& bytes, uint64_t depth, bool prune, bool hard,
                     double alpha, double beta, nb::object stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    const MinimaxSettings settings{depth, prune, hard, alpha, beta};
    const MinimaxResult found = PythonWatch(std::move(stop)).run(
        [&](Watch& watch) { return Minimax(game, settings, watch).search(state.data()); });
    nb::dict result;
    result["value"] = found.value;
    result["maximiser"] = found.maximiser;
    result["line"] = found.line;
    result["actions"] = found.actions;
    result["nodes"] = found.nodes;
    result["leaves"] = found.leaves;
    result["cutoffs"] = found.cutoffs;
    result["estimates"] = found.estimates;
    return result;
}

}  // namespace

// What Python sees of a failed rule: RuleError(slot, status, state, action), to be repeated by the interpreter.
void translate(const std::exception_ptr& failure, void* payload) {
    const auto* types = static_cast<const std::pair<PyObject*, PyObject*>*>(payload);
    try {
        std::rethrow_exception(failure);
    } catch (const RuleError& error) {
        const nb::bytes state(reinterpret_cast<const char*>(error.state.data()), error.state.size());
        const nb::object details = nb::make_tuple(error.slot, error.status, state, error.action);
        PyErr_SetObject(types->first, details.ptr());
    } catch (const Stopped&) {
        PyErr_SetString(types->second, "the search was told to stop");
    }
}

NB_MODULE(_core, module) {
    static std::pair<PyObject*, PyObject*> errors{
        PyErr_NewException("zermelo._core.RuleError", PyExc_Exception, nullptr),
        PyErr_NewException("zermelo._core.Stopped", PyExc_Exception, nullptr)};
    module.attr("RuleError") = nb::handle(errors.first);
    module.attr("Stopped") = nb::handle(errors.second);
    nb::register_exception_translator(&translate, &errors);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&PythonLock::close));
    nb::class_<PythonTable>(module, "Table")
        .def("__init__",
             [](PythonTable* self, nb::bytes initial, int32_t players, double low, double high, double neutral,
                double unit, uint64_t capabilities, uint32_t max_actions,
                const std::map<std::string, uintptr_t>& slots) {
                 new (self) PythonTable(initial, {players, low, high, neutral, unit, capabilities, max_actions}, slots);
             })
        .def_prop_ro("address", &PythonTable::address);
    bind_rules(module);
    bind_engine(module);
    bind_expectation(module);
    bind_mcts(module);
    bind_solve(module);
    bind_values(module);
    bind_equilibrium(module);
    bind_regret(module);
    bind_ranges(module);
    bind_bench(module);
    bind_shared(module);
    bind_native(module);
    bind_backgammon(module);
    module.def("perft", &run_perft, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("minimax", &run_minimax, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
               nb::arg().none());
    module.def("playouts", &run_playouts, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace zermelo
