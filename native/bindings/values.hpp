// Value iteration for Python: a run with progress, and the resulting solution.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "bindings/solve.hpp"
#include "solve/value_iteration.hpp"

namespace zermelo {

class PythonValueSolution {
public:
    PythonValueSolution(nb::object table, std::unique_ptr<ValueSolution> solution)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)), solution_(std::move(solution)) {}

    // An empty solution, to be filled with blocks.
    PythonValueSolution(nb::object table, const nb::bytes& root, const std::vector<uint32_t>& places, double error)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)) {
        const StateBuffer state = table_.state(root);
        const std::size_t size = table_.table().state_size;
        check_places(places, size);
        if (!(error >= 0) || !std::isfinite(error)) throw nb::value_error("wrong error");
        solution_ = std::make_unique<ValueSolution>(table_.game(), Packing(state.data(), size, places), error);
    }

    uint64_t size() const { return solution_->positions().size(); }
    double error() const { return solution_->error(); }
    std::vector<uint32_t> places() const { return solution_->positions().packing().places(); }

    std::optional<ValuedPosition> find(const nb::bytes& state) const {
        return solution_->find(table_.state(state).data());
    }

    std::vector<std::pair<int64_t, std::optional<ValuedPosition>>> children(const nb::bytes& state) const {
        return solution_->children(table_.state(state).data());
    }

    BlockColumns block(uint32_t first, uint32_t last) const {
        if (first > last || last > SEGMENTS) throw nb::index_error();
        const ValueBlock block = solution_->block(first, last);
        return make_columns(column_bytes(block.states), column_bytes(block.movers), column_bytes(block.values));
    }

    bool absorb(const nb::bytes& states, const nb::bytes& movers, const nb::bytes& values) {
        const ValueBlock block{read_column<std::byte>(states), read_column<uint8_t>(movers),
                               read_column<double>(values)};
        const Unlocked unlocked;
        return solution_->absorb(block);
    }

    bool agrees(uint64_t samples) const {
        return PythonWatch(nb::none()).run([&](Watch& watch) { return solution_->agrees(samples, watch); });
    }

private:
    nb::object owner_;  // keeps the table alive
    const PythonTable& table_;
    std::unique_ptr<ValueSolution> solution_;
};

class PythonValueSolver {
public:
    explicit PythonValueSolver(nb::object table) : owner_(table), table_(nb::cast<const PythonTable&>(table)) {}

    // Throws `SolveRefusal` if the game is refused, `UndecidedPosition` if bounds do not meet.
    std::unique_ptr<PythonValueSolution> run(const nb::bytes& root, uint64_t memory, double tolerance,
                                             const Stop& stop) {
        const Game game = table_.game();
        const StateBuffer state = table_.state(root);
        auto solution = PythonWatch(stop).run(
            [&](Watch& watch) { return solve_values(game, state.data(), memory, tolerance, watch, progress_); });
        return std::make_unique<PythonValueSolution>(owner_, std::move(solution));
    }

    ProgressSnapshot progress() const { return describe_progress(progress_); }

private:
    nb::object owner_;
    const PythonTable& table_;
    SolveProgress progress_;
};

inline void bind_values(nb::module_& module) {
    nb::class_<ValuedPosition>(module, "ValuedPosition", "Who moves in a position, and what it is worth to player 0.")
        .def_ro("mover", &ValuedPosition::mover)
        .def_ro("value", &ValuedPosition::value);
    nb::class_<PythonValueSolution>(module, "ValueSolution")
        .def(nb::init<nb::object, const nb::bytes&, const std::vector<uint32_t>&, double>(), nb::arg("table"),
             nb::arg("root"), nb::arg("places"), nb::arg("error"))
        .def("__len__", &PythonValueSolution::size)
        .def_prop_ro("error", &PythonValueSolution::error)
        .def_prop_ro("places", &PythonValueSolution::places)
        .def("find", &PythonValueSolution::find, nb::arg("state"))
        .def("children", &PythonValueSolution::children, nb::arg("state"))
        .def("block", &PythonValueSolution::block, nb::arg("first"), nb::arg("last"))
        .def("absorb", &PythonValueSolution::absorb, nb::arg("states"), nb::arg("movers"), nb::arg("values"))
        .def("agrees", &PythonValueSolution::agrees, nb::arg("samples"));
    nb::class_<PythonValueSolver>(module, "ValueSolver")
        .def(nb::init<nb::object>(), nb::arg("table"))
        .def("run", &PythonValueSolver::run, nb::arg("root"), nb::arg("memory"), nb::arg("tolerance"),
             nb::arg("stop") = nb::none())
        .def_prop_ro("progress", &PythonValueSolver::progress);
}

}  // namespace zermelo
