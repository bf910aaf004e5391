// Double-dummy bridge for Python: the results of a deal, and of every card in a position.
#pragma once

#include <nanobind/stl/array.h>

#include "bindings/table.hpp"
#include "games/bridge/solver.hpp"

namespace zermelo {

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
            std::vector<std::pair<int, int>> cards;
            for (const CardTricks& each : found.cards) cards.emplace_back(each.card, each.tricks);
            return std::make_tuple(cards, found.line, found.nodes);
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("played"), nb::arg("stop") = nb::none());
}

}  // namespace zermelo
