// Lemke's method (1965) for a linear complementarity problem with a known start: variables z ≥ 0 and slacks w ≥ 0 with
//
//     w = q + d·t − M z,   w_i z_i = 0 for every i,   0 ≤ t ≤ 1
//
// Where t = 0 the solution is z = 0, w = q ≥ 0. The path of solutions with one more degree of freedom leads from there
// to t = 1: whenever w_i or z_i becomes 0, its partner enters. With lexicographic tie-breaking the path never cycles.
#pragma once

#include "core/watch.hpp"
#include "equilibrium/dictionary.hpp"

namespace zermelo {

// The columns of `dictionary` are z and, as the last one, t; its rows are w and, as the last one, 1 − t. Returns the
// number of pivots; at the end t = 1.
template <typename Number>
std::size_t lemke(Dictionary<Number>& dictionary, Watch& watch) {
    const std::size_t columns = dictionary.columns(), parameter = columns - 1;
    std::size_t entering = parameter;
    for (std::size_t pivots = 1;; ++pivots) {
        watch.nodes(256);  // a pivot costs as much as many nodes of a search
        if (!Dictionary<Number>::exact && pivots > 100 * columns + 10'000) throw Lost{};
        const std::size_t column = dictionary.place(entering);
        const std::size_t row = dictionary.leaving(column);
        if (row == dictionary.rows()) throw Lost{};
        const std::size_t left = dictionary.basic(row);
        dictionary.pivot(row, column);
        if (left == columns + parameter) return pivots;
        if (left == parameter) throw Lost{};  // back at the start, where rounding errors alone can lead
        entering = left < columns ? columns + left : left - columns;
    }
}

}  // namespace zermelo
