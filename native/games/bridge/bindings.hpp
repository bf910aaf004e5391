// Double-dummy bridge for Python: the results of a deal, and of every card in a position.
#pragma once

#include <nanobind/stl/array.h>

#include "bindings/table.hpp"
#include "games/bridge/solver.hpp"

namespace zermelo {

inline std::vector<std::pair<int, int>> pairs_of(const std::vector<bridge::CardTricks>& cards) {
    std::vector<std::pair<int, int>> pairs;
    for (const bridge::CardTricks& each : cards) pairs.emplace_back(each.card, each.tricks);
    return pairs;
}

// The same position in several deals; refused if it is one of them that is none.
inline std::vector<bridge::Position> worlds_of(const std::vector<bridge::Hands>& deals, int strain, int leader,
                                               const std::vector<int>& played) {
    std::vector<bridge::Position> worlds;
    for (const bridge::Hands& hands : deals) {
        worlds.push_back({hands, strain, leader, played});
        if (const char* fault = bridge::fault_of(worlds.back())) throw nb::value_error(fault);
    }
    return worlds;
}

inline void bind_bridge(nb::module_& module) {
    using namespace bridge;
    // (tricks of north and south by strain and leader, nodes)
    module.def(
        "bridge_deal",
        [](const Hands& hands, unsigned strains, unsigned threads, const Stop& stop) {
            if (const char* fault = fault_of(hands)) throw nb::value_error(fault);
            const DealResult found =
                PythonWatch(stop).run([&](Watch& watch) { return solve_deal(hands, strains, threads, watch); });
            return std::make_pair(found.tricks, found.nodes);
        },
        nb::arg("hands"), nb::arg("strains"), nb::arg("threads"), nb::arg("stop") = nb::none());
    // ((card, tricks of north and south) for every legal card, the line of best play, nodes)
    module.def(
        "bridge_position",
        [](const Hands& hands, int strain, int leader, const std::vector<int>& played, const Stop& stop) {
            const bridge::Position position{hands, strain, leader, played};
            if (const char* fault = fault_of(position)) throw nb::value_error(fault);
            const PositionResult found =
                PythonWatch(stop).run([&](Watch& watch) { return solve_position(position, watch); });
            return std::make_tuple(pairs_of(found.cards), found.line, found.nodes);
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("played"), nb::arg("stop") = nb::none());
    nb::class_<StrainTable>(module, "BridgeTable")
        .def(
            "__init__",
            [](StrainTable* self, int strain) {
                if (strain < 0 || strain >= STRAINS) throw nb::value_error("there is no such strain");
                new (self) StrainTable(strain);
            },
            nb::arg("strain"));
    // Of each deal, as far as the nodes go: (card, tricks of north and south) for every legal card; and nodes that are left
    module.def(
        "bridge_worlds",
        [](const std::vector<Hands>& deals, StrainTable& table, int leader, const std::vector<int>& played, int least,
           int most, uint64_t nodes, const Stop& stop) {
            const std::vector<bridge::Position> worlds = worlds_of(deals, table.strain, leader, played);
            const auto found = PythonWatch(stop).run(
                [&](Watch& watch) { return solve_worlds(worlds, least, most, table, nodes, watch); });
            std::vector<std::vector<std::pair<int, int>>> cards;
            for (const std::vector<CardTricks>& each : found) cards.push_back(pairs_of(each));
            return std::make_pair(cards, nodes);
        },
        nb::arg("deals"), nb::arg("table"), nb::arg("leader"), nb::arg("played"), nb::arg("least"), nb::arg("most"),
        nb::arg("nodes"), nb::arg("stop") = nb::none());
    // Of each deal: the tricks of north and south
    module.def(
        "bridge_values",
        [](const std::vector<Hands>& deals, StrainTable& table, int leader, const std::vector<int>& played,
           const Stop& stop) {
            const std::vector<bridge::Position> worlds = worlds_of(deals, table.strain, leader, played);
            return PythonWatch(stop).run([&](Watch& watch) { return value_worlds(worlds, table, watch); });
        },
        nb::arg("deals"), nb::arg("table"), nb::arg("leader"), nb::arg("played"), nb::arg("stop") = nb::none());
}

}  // namespace zermelo
