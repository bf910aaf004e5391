// Endgame tables for Python: a builder of one slice, and the slices that are built.
#pragma once

#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/solve.hpp"
#include "tables/builder.hpp"
#include "tables/collect.hpp"

namespace zermelo {

// The result of a position for its player to move, the plies to the end at most, and whether they are exact.
using PythonVerdict = std::optional<std::tuple<int, uint32_t, bool>>;

inline PythonVerdict describe_verdict(const std::optional<Verdict>& verdict) {
    if (!verdict) return std::nullopt;
    return std::tuple{verdict->result, verdict->distance, verdict->slack == 0};
}

// The positions of a slice as Python holds them.
struct PythonListing {
    SharedListing listing;

    uint64_t size() const { return listing->size(); }
    nb::bytes root() const { return column_bytes(listing->packing().root()); }
    std::vector<uint32_t> places() const { return listing->packing().places(); }
    nb::bytes rows() const { return column_bytes(listing->rows()); }
};

// A slice as Python holds it, shared with the tables that it was added to.
struct PythonSlice {
    SharedSlice slice;
};

// Null where Python has None.
inline SharedListing shared(const PythonListing* listing) { return listing ? listing->listing : nullptr; }

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

    std::optional<nb::bytes> find_checked_draw(const PythonTable& table, int64_t material, const Stop& stop) const {
        const Game game = table.game();
        StateBuffer state = game.buffer();
        const bool found = PythonWatch(stop).run(
            [&](Watch& watch) { return tables_.find_checked_draw(game, material, state.data(), watch); });
        return found ? std::optional(table.bytes(state)) : std::nullopt;
    }

private:
    Tables tables_;
};

// Null where Python has None.
inline const Tables* core_tables(const PythonTables* tables) { return tables ? &tables->tables() : nullptr; }

class PythonSliceBuilder {
public:
    PythonSliceBuilder(nb::object table, nb::object tables)
        : owners_(nb::make_tuple(table, tables)), table_(nb::cast<const PythonTable&>(table)),
          tables_(nb::cast<const PythonTables&>(tables)) {}

    // The cells of the slice, 16 bits each. Throws `SliceMissing` where it leads to a slice that is not there.
    nb::bytes run(int64_t material, uint32_t step, uint64_t memory, unsigned threads, const PythonListing* listing,
                  const Stop& stop) {
        const SharedListing listed = shared(listing);
        const Game game = table_.game();
        return column_bytes(PythonWatch(stop).run([&](Watch& watch) {
            SliceBuilder builder(game, tables_.tables(), {material, step, memory, threads, listed}, watch, progress_);
            std::vector<Cell> cells = builder.build();
            leaves_ = builder.leaves();
            ended_ = builder.ended();
            follows_ = {builder.follows(0), builder.follows(1)};
            return cells;
        }));
    }

    // The positions of all slices that can be reached from `starts`, from those `known`, and from where random games first come to one of `materials`.
    std::map<int64_t, PythonListing> collect(const std::vector<nb::bytes>& starts,
                                             const std::vector<PythonListing>& known,
                                             const std::vector<int64_t>& materials, uint64_t games, uint64_t memory,
                                             unsigned threads, const Stop& stop) {
        States found;
        for (const nb::bytes& start : starts) {
            const StateBuffer state = table_.state(start);
            found.emplace(reinterpret_cast<const char*>(state.data()), start.size());
        }
        std::vector<SharedListing> listed;
        for (const PythonListing& each : known) {
            if (each.root().size() != table_.table().state_size) throw nb::value_error("a list of other states");
            listed.push_back(each.listing);
        }
        const Game game = table_.game();
        return PythonWatch(stop).run([&](Watch& watch) {
            found.merge(find_starts(game, {materials.begin(), materials.end()}, games, watch));
            std::map<int64_t, PythonListing> listings;
            for (auto& [material, listing] : zermelo::collect(game, found, listed, memory, threads, watch, progress_))
                listings.emplace(material, PythonListing{std::move(listing)});
            return listings;
        });
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
    nb::class_<PythonListing>(module, "Listing", "the positions of a slice that the game does not number, in order")
        .def(
            "__init__",
            [](PythonListing* self, const nb::bytes& root, const std::vector<uint32_t>& places, const nb::bytes& rows) {
                check_places(places, root.size());
                std::vector<std::byte> column = read_column<std::byte>(rows);
                const auto* bytes = reinterpret_cast<const std::byte*>(root.c_str());
                new (self)
                    PythonListing{std::make_shared<Listing>(Packing(bytes, root.size(), places), std::move(column))};
            },
            nb::arg("root"), nb::arg("places"), nb::arg("rows"))
        .def("__len__", &PythonListing::size)
        .def_prop_ro("root", &PythonListing::root, "a state; bytes at no place are as here in all of them")
        .def_prop_ro("places", &PythonListing::places)
        .def_prop_ro("rows", &PythonListing::rows, "the bytes at these places, state by state");
    nb::class_<PythonSlice>(module, "Slice")
        .def(
            "__init__",
            [](PythonSlice* self, uint64_t size, uint64_t first, uint32_t step, std::vector<Cell> palette,
               const nb::bytes& codes, const PythonListing* listing) {
                std::vector<uint8_t> column = read_column<uint8_t>(codes);
                const SharedListing listed = shared(listing);
                const nb::gil_scoped_release unlocked;
                new (self) PythonSlice{
                    std::make_shared<Slice>(size, first, step, std::move(palette), std::move(column), listed)};
            },
            nb::arg("size"), nb::arg("first"), nb::arg("step"), nb::arg("palette"), nb::arg("codes"),
            nb::arg("listing").none() = nb::none(), "`size` numbers, of which those from `first` on have the codes");
    nb::class_<PythonTables> tables(module, "Tables");
    tables.def(nb::init<>())
        .def("add", &PythonTables::add, nb::arg("material"), nb::arg("slice"))
        .def("add_later", &PythonTables::add_later, nb::arg("material"), nb::arg("load"),
             "adds a slice that `load` returns when it is first asked")
        .def("remove", &PythonTables::remove, nb::arg("material"))
        .def("copy", [](const PythonTables& tables) { return PythonTables(tables); })
        .def("look", &PythonTables::look, nb::arg("table"), nb::arg("state"))
        .def("children", &PythonTables::children, nb::arg("table"), nb::arg("state"))
        .def("agrees", &PythonTables::agrees, nb::arg("table"), nb::arg("material"), nb::arg("samples"),
             nb::arg("stop") = nb::none());
    tables.def("find_checked_draw", &PythonTables::find_checked_draw, nb::arg("table"), nb::arg("material"),
               nb::arg("stop") = nb::none(), "a drawn position of a slice in which only checks keep the draw");
    nb::class_<PythonSliceBuilder>(module, "SliceBuilder")
        .def(nb::init<nb::object, nb::object>(), nb::arg("table"), nb::arg("tables"))
        .def("run", &PythonSliceBuilder::run, nb::arg("material"), nb::arg("step"), nb::arg("memory"),
             nb::arg("threads"), nb::arg("listing").none() = nb::none(), nb::arg("stop") = nb::none())
        .def("collect", &PythonSliceBuilder::collect, nb::arg("starts"), nb::arg("known"), nb::arg("materials"),
             nb::arg("games"), nb::arg("memory"), nb::arg("threads"), nb::arg("stop") = nb::none(),
             "positions by slice: what `starts`, lists that are `known` and random games to `materials` lead to")
        .def_prop_ro("progress", &PythonSliceBuilder::progress)
        .def_prop_ro("leaves", &PythonSliceBuilder::leaves,
                     "with steps, for each number whether every action of its position leaves the slice")
        .def_prop_ro("ended", &PythonSliceBuilder::ended, "the ends of the game in the slice that was built last")
        .def_prop_ro("follows", &PythonSliceBuilder::follows,
                     "whether the first half of its numbers, and the second, follows from the other one");
}

}  // namespace zermelo
