// The solver for Python: a run with progress, and the resulting solution. Positions travel in blocks of bytes.
#pragma once

#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "bindings/table.hpp"
#include "solve/solution.hpp"

namespace zermelo {

// A solved position: who moves (ENDED if nobody), the rank of its payoffs, and the plies to the end, if there is one.
struct SolvedPosition {
    uint32_t mover;
    uint32_t rank;
    std::optional<uint32_t> distance;
};

inline std::optional<SolvedPosition> describe_record(const std::optional<Record>& record) {
    if (!record) return std::nullopt;
    const bool endless = record->count == NO_DISTANCE;
    return SolvedPosition{record->mover, record->rank, endless ? std::nullopt : std::optional<uint32_t>(record->count)};
}

template <typename Element>
nb::bytes column_bytes(const std::vector<Element>& column) {
    return nb::bytes(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Element));
}

template <typename Element>
std::vector<Element> read_column(const nb::bytes& bytes) {
    if (bytes.size() % sizeof(Element) != 0) throw nb::value_error("a column of a block is not whole");
    std::vector<Element> column(bytes.size() / sizeof(Element));
    if (!column.empty()) std::memcpy(column.data(), bytes.c_str(), bytes.size());
    return column;
}

// Throws if the byte indices are not ascending or lie outside the state.
inline void check_places(const std::vector<uint32_t>& places, std::size_t state_size) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i] >= state_size || (i > 0 && places[i] <= places[i - 1])) throw nb::value_error("wrong places");
}

// A snapshot of the progress of a run.
struct ProgressSnapshot {
    int stage;
    uint64_t states, edges, done, bytes;
};

inline ProgressSnapshot describe_progress(const SolveProgress& progress) {
    return {progress.stage.load(), progress.states.load(), progress.edges.load(), progress.done.load(),
            progress.bytes.load()};
}

// The columns of a block, as bytes.
using BlockColumns = nb::typed<nb::tuple, nb::bytes, nb::bytes, nb::bytes>;

inline BlockColumns make_columns(const nb::bytes& first, const nb::bytes& second, const nb::bytes& third) {
    return nb::borrow<BlockColumns>(nb::make_tuple(first, second, third));
}

class PythonSolution {
public:
    PythonSolution(nb::object table, std::unique_ptr<Solution> solution)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)), solution_(std::move(solution)) {}

    // An empty solution, to be filled with blocks.
    PythonSolution(nb::object table, const nb::bytes& root, const std::vector<uint32_t>& places,
                   const std::vector<std::pair<double, double>>& payoffs, uint32_t draw)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)) {
        const StateBuffer state = table_.state(root);
        const std::size_t size = table_.table().state_size;
        check_places(places, size);
        std::vector<Payoff> list;
        for (const auto& [first, second] : payoffs) list.push_back({first, second});
        if (draw >= list.size() || list.size() >= UNRESOLVED) throw nb::value_error("wrong payoffs");
        Packing packing(state.data(), size, places);
        solution_ = std::make_unique<Solution>(table_.game(), std::move(packing), std::move(list), draw);
    }

    uint64_t size() const { return solution_->positions().size(); }
    std::size_t memory_bytes() const { return solution_->positions().bytes(); }
    uint32_t draw() const { return solution_->payoffs().draw(); }
    std::vector<uint32_t> places() const { return solution_->positions().packing().places(); }

    std::vector<std::pair<double, double>> payoffs() const {
        std::vector<std::pair<double, double>> list;
        for (const Payoff& payoff : solution_->payoffs().list()) list.emplace_back(payoff.first, payoff.second);
        return list;
    }

    std::optional<SolvedPosition> find(const nb::bytes& bytes) const {
        return describe_record(solution_->find(table_.state(bytes).data()));
    }

    std::vector<std::pair<int64_t, std::optional<SolvedPosition>>> children(const nb::bytes& bytes) const {
        std::vector<std::pair<int64_t, std::optional<SolvedPosition>>> list;
        for (const auto& [action, record] : solution_->children(table_.state(bytes).data()))
            list.emplace_back(action, describe_record(record));
        return list;
    }

    std::vector<uint64_t> counts() const {
        const std::array<uint64_t, 4> counts = solution_->counts();
        return {counts.begin(), counts.end()};
    }

    BlockColumns block(uint32_t first, uint32_t last) const {
        if (first > last || last > SEGMENTS) throw nb::index_error();
        SolutionBlock block;
        {
            const Unlocked unlocked;
            block = solution_->block(first, last);
        }
        return make_columns(column_bytes(block.states), column_bytes(block.ranks), column_bytes(block.distances));
    }

    bool absorb(const nb::bytes& states, const nb::bytes& ranks, const nb::bytes& distances) {
        const SolutionBlock block{read_column<std::byte>(states), read_column<uint32_t>(ranks),
                                  read_column<uint32_t>(distances)};
        const Unlocked unlocked;
        return solution_->absorb(block);
    }

    bool agrees(uint64_t samples) const {
        return PythonWatch(nb::none()).run([&](Watch& watch) { return solution_->agrees(samples, watch); });
    }

private:
    nb::object owner_;  // keeps the table alive
    const PythonTable& table_;
    std::unique_ptr<Solution> solution_;
};

class PythonSolver {
public:
    explicit PythonSolver(nb::object table) : owner_(table), table_(nb::cast<const PythonTable&>(table)) {}

    // Throws `SolveRefusal` if the game is refused.
    std::unique_ptr<PythonSolution> run(const nb::bytes& root, uint64_t memory, unsigned threads, const Stop& stop) {
        const Game game = table_.game();
        const StateBuffer state = table_.state(root);
        auto solution = PythonWatch(stop).run(
            [&](Watch& watch) { return solve(game, state.data(), memory, threads, watch, progress_); });
        return std::make_unique<PythonSolution>(owner_, std::move(solution));
    }

    ProgressSnapshot progress() const { return describe_progress(progress_); }

private:
    nb::object owner_;
    const PythonTable& table_;
    SolveProgress progress_;
};

inline void bind_solve(nb::module_& module) {
    module.attr("SOLUTION_SEGMENTS") = SEGMENTS;
    nb::class_<SolvedPosition>(module, "SolvedPosition")
        .def_ro("mover", &SolvedPosition::mover)
        .def_ro("rank", &SolvedPosition::rank)
        .def_ro("distance", &SolvedPosition::distance);
    nb::class_<ProgressSnapshot>(module, "SolveProgress")
        .def_ro("stage", &ProgressSnapshot::stage)
        .def_ro("states", &ProgressSnapshot::states)
        .def_ro("edges", &ProgressSnapshot::edges)
        .def_ro("done", &ProgressSnapshot::done)
        .def_ro("memory_bytes", &ProgressSnapshot::bytes);
    nb::class_<PythonSolution>(module, "Solution")
        .def(nb::init<nb::object, const nb::bytes&, const std::vector<uint32_t>&,
                      const std::vector<std::pair<double, double>>&, uint32_t>(),
             nb::arg("table"), nb::arg("root"), nb::arg("places"), nb::arg("payoffs"), nb::arg("draw"))
        .def("__len__", &PythonSolution::size)
        .def_prop_ro("memory_bytes", &PythonSolution::memory_bytes)
        .def_prop_ro("draw", &PythonSolution::draw)
        .def_prop_ro("places", &PythonSolution::places)
        .def_prop_ro("payoffs", &PythonSolution::payoffs)
        .def("find", &PythonSolution::find, nb::arg("state"))
        .def("children", &PythonSolution::children, nb::arg("state"))
        .def("counts", &PythonSolution::counts)
        .def("block", &PythonSolution::block, nb::arg("first"), nb::arg("last"))
        .def("absorb", &PythonSolution::absorb, nb::arg("states"), nb::arg("ranks"), nb::arg("distances"))
        .def("agrees", &PythonSolution::agrees, nb::arg("samples"));
    nb::class_<PythonSolver>(module, "Solver")
        .def(nb::init<nb::object>(), nb::arg("table"))
        .def("run", &PythonSolver::run, nb::arg("root"), nb::arg("memory"), nb::arg("threads"),
             nb::arg("stop") = nb::none())
        .def_prop_ro("progress", &PythonSolver::progress);
}

}  // namespace zermelo
