// Endgame tables for Python: a builder of one slice, and the slices that are built.
#pragma once

#include "bindings/solve.hpp"
#include "tables/builder.hpp"

namespace zermelo {

// The result of a position for its player to move, and the plies to the end.
using PythonVerdict = std::optional<std::pair<int, uint32_t>>;

inline PythonVerdict describe_verdict(const std::optional<Verdict>& verdict) {
    if (!verdict) return std::nullopt;
    return std::pair{verdict->result, verdict->distance};
}

class PythonTables {
public:
    const Tables& tables() const { return tables_; }

    void add(int64_t material, std::vector<Cell> palette, const nb::bytes& codes) {
        tables_.add(material, Slice(std::move(palette), read_column<uint8_t>(codes)));
    }

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
    nb::bytes run(int64_t material, uint64_t memory, unsigned threads, const Stop& stop) {
        const Game game = table_.game();
        return column_bytes(PythonWatch(stop).run([&](Watch& watch) {
            SliceBuilder builder(game, tables_.tables(), material, memory, threads, watch, progress_);
            std::vector<Cell> cells = builder.build();
            ended_ = builder.ended();
            return cells;
        }));
    }

    ProgressSnapshot progress() const { return describe_progress(progress_); }
    uint64_t ended() const { return ended_; }

private:
    nb::tuple owners_;  // keeps both alive
    const PythonTable& table_;
    const PythonTables& tables_;
    SolveProgress progress_;
    uint64_t ended_ = 0;
};

inline void bind_tables(nb::module_& module) {
    module.attr("DRAWN_CELL") = DRAWN;
    module.attr("EMPTY_CELL") = NOTHING;
    nb::class_<PythonTables>(module, "Tables")
        .def(nb::init<>())
        .def("add", &PythonTables::add, nb::arg("material"), nb::arg("palette"), nb::arg("codes"))
        .def("look", &PythonTables::look, nb::arg("table"), nb::arg("state"))
        .def("children", &PythonTables::children, nb::arg("table"), nb::arg("state"))
        .def("agrees", &PythonTables::agrees, nb::arg("table"), nb::arg("material"), nb::arg("samples"),
             nb::arg("stop") = nb::none());
    nb::class_<PythonSliceBuilder>(module, "SliceBuilder")
        .def(nb::init<nb::object, nb::object>(), nb::arg("table"), nb::arg("tables"))
        .def("run", &PythonSliceBuilder::run, nb::arg("material"), nb::arg("memory"), nb::arg("threads"),
             nb::arg("stop") = nb::none())
        .def_prop_ro("progress", &PythonSliceBuilder::progress)
        .def_prop_ro("ended", &PythonSliceBuilder::ended, "the ends of the game in the slice that was built last");
}

}  // namespace zermelo
