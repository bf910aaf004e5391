// Endgame tables for Python: a builder of one slice, and the slices that are built.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include "bindings/solve.hpp"
#include "tables/builder.hpp"

namespace zermelo {

// The result of a position for its player to move, the plies to the end at most, and whether they are exact.
using PythonVerdict = std::optional<std::tuple<int, uint32_t, bool>>;

inline PythonVerdict describe_verdict(const std::optional<Verdict>& verdict) {
    if (!verdict) return std::nullopt;
    return std::tuple{verdict->result, verdict->distance, verdict->slack == 0};
}

// A slice as Python holds it, shared with the tables that it was added to.
struct PythonSlice {
    SharedSlice slice;
};

class PythonTables {
public:
    const Tables& tables() const { return tables_; }

    void add(int64_t material, const PythonSlice& slice) { tables_.add(material, slice.slice); }

    // `load` returns the slice when it is first asked, on whatever thread.
    void add_later(int64_t material, nb::typed<nb::callable, PythonSlice()> load) {
        tables_.add(material, [load = std::move(load)] {
            const nb::gil_scoped_acquire locked;
            return nb::cast<const PythonSlice&>(load()).slice;
        });
    }

    void remove(int64_t material) { tables_.remove(material); }

    PythonVerdict look(const PythonTable& table, const nb::bytes& state) const {
        return describe_verdict(tables_.look(table.game(), table.state(state).data()));
    }

    std::vector<std::pair<int64_t, PythonVerdict>> children(const PythonTable& table, const nb::bytes& state) const {
        std::vector<std::pair<int64_t, PythonVerdict>> list;
        for (const auto& [action, verdict] : tables_.children(table.game(), table.state(state).data()))
            list.emplace_back(action, describe_verdict(verdict));
        return list;
    }

    bool agrees(const PythonTable& table, int64_t material, uint64_t samples, const Stop& stop) const {
        const Game game = table.game();
        return PythonWatch(stop).run([&](Watch& watch) { return tables_.agrees(game, material, samples, watch); });
    }

private:
    Tables tables_;
};

class PythonSliceBuilder {
public:
    PythonSliceBuilder(nb::object table, nb::object tables)
        : owners_(nb::make_tuple(table, tables)), table_(nb::cast<const PythonTable&>(table)),
          tables_(nb::cast<const PythonTables&>(tables)) {}

    // The cells of the slice, 16 bits each. Throws `SliceMissing` where it leads to a slice that is not there.
    nb::bytes run(int64_t material, uint32_t step, uint64_t memory, unsigned threads, const Stop& stop) {
        const Game game = table_.game();
        return column_bytes(PythonWatch(stop).run([&](Watch& watch) {
            SliceBuilder builder(game, tables_.tables(), {material, step, memory, threads}, watch, progress_);
            std::vector<Cell> cells = builder.build();
            leaves_ = builder.leaves();
            ended_ = builder.ended();
            follows_ = {builder.follows(0), builder.follows(1)};
            return cells;
        }));
    }

    ProgressSnapshot progress() const { return describe_progress(progress_); }
    nb::bytes leaves() const { return column_bytes(leaves_); }
    uint64_t ended() const { return ended_; }
    std::pair<bool, bool> follows() const { return follows_; }

private:
    nb::tuple owners_;  // keeps both alive
    const PythonTable& table_;
    const PythonTables& tables_;
    SolveProgress progress_;
    std::vector<uint8_t> leaves_;
    uint64_t ended_ = 0;
    std::pair<bool, bool> follows_;
};

inline void bind_tables(nb::module_& module) {
    module.attr("DRAWN_CELL") = DRAWN;
    module.attr("EMPTY_CELL") = NOTHING;
    nb::class_<PythonSlice>(module, "Slice")
        .def(
            "__init__",
            [](PythonSlice* self, uint64_t size, uint64_t first, uint32_t step, std::vector<Cell> palette,
               const nb::bytes& codes) {
                std::vector<uint8_t> column = read_column<uint8_t>(codes);
                const nb::gil_scoped_release unlocked;
                new (self)
                    PythonSlice{std::make_shared<Slice>(size, first, step, std::move(palette), std::move(column))};
            },
            nb::arg("size"), nb::arg("first"), nb::arg("step"), nb::arg("palette"), nb::arg("codes"),
            "`size` numbers, of which those from `first` on have the codes");
    nb::class_<PythonTables>(module, "Tables")
        .def(nb::init<>())
        .def("add", &PythonTables::add, nb::arg("material"), nb::arg("slice"))
        .def("add_later", &PythonTables::add_later, nb::arg("material"), nb::arg("load"),
             "adds a slice that `load` returns when it is first asked")
        .def("remove", &PythonTables::remove, nb::arg("material"))
        .def("copy", [](const PythonTables& tables) { return PythonTables(tables); })
        .def("look", &PythonTables::look, nb::arg("table"), nb::arg("state"))
        .def("children", &PythonTables::children, nb::arg("table"), nb::arg("state"))
        .def("agrees", &PythonTables::agrees, nb::arg("table"), nb::arg("material"), nb::arg("samples"),
             nb::arg("stop") = nb::none());
    nb::class_<PythonSliceBuilder>(module, "SliceBuilder")
        .def(nb::init<nb::object, nb::object>(), nb::arg("table"), nb::arg("tables"))
        .def("run", &PythonSliceBuilder::run, nb::arg("material"), nb::arg("step"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("stop") = nb::none())
        .def_prop_ro("progress", &PythonSliceBuilder::progress)
        .def_prop_ro("leaves", &PythonSliceBuilder::leaves,
                     "with steps, for each number whether every action of its position leaves the slice")
        .def_prop_ro("ended", &PythonSliceBuilder::ended, "the ends of the game in the slice that was built last")
        .def_prop_ro("follows", &PythonSliceBuilder::follows,
                     "whether the first half of its numbers, and the second, follows from the other one");
}

}  // namespace zermelo
