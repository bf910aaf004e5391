// Games written down as trees, for Python: their columns travel as bytes.
#pragma once

#include <tuple>

#include "bindings/regret.hpp"
#include "bindings/rules.hpp"
#include "games/tree/game.hpp"

namespace zermelo {

inline PythonTable* make_tree_table(const nb::bytes& movers, const nb::bytes& first, const nb::bytes& count,
                                    const nb::bytes& probabilities, const nb::bytes& payoffs,
                                    const nb::bytes& estimates, const nb::bytes& noisy, int32_t players, bool chance,
                                    double draw, std::pair<double, double> bounds, double neutral, double scale,
                                    bool constant_sum) {
    const auto tree = std::make_shared<written::Tree>(
        written::Tree{players, numbers_of<int32_t>(movers), numbers_of<int32_t>(first), numbers_of<int32_t>(count),
                      numbers_of<double>(probabilities), numbers_of<double>(payoffs), numbers_of<double>(estimates),
                      numbers_of<uint8_t>(noisy), draw, chance});
    if (!tree->sound()) throw nb::value_error("these columns are not a tree");
    zermelo_table table = written::table_of(*tree);
    std::tie(table.low, table.high) = bounds;
    table.neutral = neutral;
    table.unit = scale;
    table.capabilities = capabilities_of(std::nullopt, false, constant_sum);
    return new PythonTable(table, tree);
}

inline void bind_tree(nb::module_& module) {
    module.def("tree_table", &make_tree_table, nb::kw_only(), nb::arg("movers"), nb::arg("first"), nb::arg("count"),
               nb::arg("probabilities"), nb::arg("payoffs"), nb::arg("estimates"), nb::arg("noisy"), nb::arg("players"),
               nb::arg("chance"), nb::arg("draw"), nb::arg("bounds"), nb::arg("neutral"), nb::arg("scale"),
               nb::arg("constant_sum"), nb::rv_policy::take_ownership);
}

}  // namespace zermelo
