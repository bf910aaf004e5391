// The Python module `zermelo._core`. Only `zermelo.engine` imports it; states travel as bytes.
#include "bindings/bench.hpp"
#include "bindings/engine.hpp"
#include "bindings/equilibrium.hpp"
#include "bindings/mcts.hpp"
#include "bindings/native.hpp"
#include "bindings/networks.hpp"
#include "bindings/ranges.hpp"
#include "bindings/regret.hpp"
#include "bindings/rules.hpp"
#include "bindings/selfplay.hpp"
#include "bindings/shared.hpp"
#include "bindings/solve.hpp"
#include "bindings/table.hpp"
#include "bindings/tables.hpp"
#include "bindings/values.hpp"
#include "games/backgammon/bindings.hpp"
#include "games/bridge/bindings.hpp"
#include "games/holdem/bindings.hpp"
#include "games/tree/bindings.hpp"

namespace zermelo {

// The core's exceptions as classes of the module.
struct PythonErrors {
    explicit PythonErrors(nb::module_& module)
        : rule(make(module, "RuleError")), stopped(make(module, "Stopped")), narrow(make(module, "NumbersTooNarrow")),
          lost(make(module, "RoundingLost")), too_many(make(module, "TooManyVertices")),
          too_large(make(module, "TreeTooLarge")), unlike(make(module, "UnlikeActions")),
          refused(make(module, "SolveRefused")), missing(make(module, "SliceMissing")),
          undecided(make(module, "UndecidedPosition")), record(make(module, "RecordError")) {}

    static PyObject* make(nb::module_& module, const char* name) {
        const std::string full = nb::cast<std::string>(module.attr("__name__")) + "." + name;
        PyObject* made = PyErr_NewException(full.c_str(), PyExc_Exception, nullptr);
        module.attr(name) = nb::handle(made);
        return made;
    }

    PyObject* rule;     // (slot, status, state, action): a rule failed; the interpreter repeats the call
    PyObject* stopped;  // the caller's `stop` ended the search
    PyObject *narrow, *lost, *too_many;
    PyObject* too_large;
    PyObject* unlike;     // (player, state): states that look alike to the player have different actions
    PyObject* refused;    // (reason, state)
    PyObject* missing;    // (material): an action leads to a slice of endgame tables that is not built
    PyObject* undecided;  // (state, lower, upper)
    PyObject* record;     // recorded games are damaged, or of another game
};

void translate(const std::exception_ptr& failure, void* payload) {
    const auto& errors = *static_cast<const PythonErrors*>(payload);
    const auto bytes = [](const std::vector<std::byte>& state) {
        return nb::bytes(reinterpret_cast<const char*>(state.data()), state.size());
    };
    try {
        std::rethrow_exception(failure);
    } catch (const RuleError& error) {
        PyErr_SetObject(errors.rule, nb::make_tuple(error.slot, error.status, bytes(error.state), error.action).ptr());
    } catch (const Stopped&) {
        PyErr_SetString(errors.stopped, "the search was stopped");
    } catch (const Narrow&) {
        PyErr_SetString(errors.narrow, "the numbers need more words");
    } catch (const Lost&) {
        PyErr_SetString(errors.lost, "rounding errors led the method astray");
    } catch (const TooMany&) {
        PyErr_SetString(errors.too_many, "there are more vertices than the limit allows");
    } catch (const regret::TooLarge&) {
        PyErr_SetString(errors.too_large, "the tree has more nodes than the limit allows");
    } catch (const SolveRefusal& error) {
        PyErr_SetObject(errors.refused, nb::make_tuple(static_cast<int>(error.reason), bytes(error.state)).ptr());
    } catch (const SliceMissing& error) {
        PyErr_SetObject(errors.missing, nb::make_tuple(error.material).ptr());
    } catch (const UndecidedPosition& error) {
        PyErr_SetObject(errors.undecided, nb::make_tuple(bytes(error.state), error.lower, error.upper).ptr());
    } catch (const RecordError& error) {
        PyErr_SetString(errors.record, error.what());
    } catch (const regret::UnlikeActions& error) {
        PyErr_SetObject(errors.unlike, nb::make_tuple(error.player, bytes(error.state)).ptr());
    }
}

NB_MODULE(_core, module) {
    static PythonErrors errors(module);
    nb::register_exception_translator(&translate, &errors);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&PythonLock::close));
    bind_rules(module);
    bind_engine(module);
    bind_mcts(module);
    bind_selfplay(module);
    bind_solve(module);
    bind_values(module);
    bind_tables(module);
    bind_equilibrium(module);
    bind_regret(module);
    bind_ranges(module);
    bind_bench(module);
    bind_shared(module);
    bind_native(module);
    bind_networks(module);
    bind_backgammon(module);
    bind_bridge(module);
    bind_holdem(module);
    bind_tree(module);
}

}  // namespace zermelo
