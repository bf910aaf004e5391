// The Python module `zermelo._core`. Only `zermelo.engine` imports it; states travel as bytes.
#include "bindings/bench.hpp"
#include "bindings/engine.hpp"
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
#include "games/backgammon/bindings.hpp"
#include "games/holdem/bindings.hpp"

namespace zermelo {

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
        PyErr_SetString(types->second, "the search was stopped");
    }
}

NB_MODULE(_core, module) {
    const std::string own = nb::cast<std::string>(module.attr("__name__"));
    static std::pair<PyObject*, PyObject*> errors{
        PyErr_NewException((own + ".RuleError").c_str(), PyExc_Exception, nullptr),
        PyErr_NewException((own + ".Stopped").c_str(), PyExc_Exception, nullptr)};
    module.attr("RuleError") = nb::handle(errors.first);
    module.attr("Stopped") = nb::handle(errors.second);
    nb::register_exception_translator(&translate, &errors);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&PythonLock::close));
    bind_rules(module);
    bind_engine(module);
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
    bind_holdem(module);
}

}  // namespace zermelo
