// The Lemke–Howson algorithm (1964): starting from the artificial equilibrium (0, 0) one label is dropped, and pivots
// alternate between the two polytopes until it is picked up again. With lexicographic tie-breaking the path never
// cycles.
#pragma once

#include "core/watch.hpp"
#include "equilibrium/dictionary.hpp"

namespace zermelo {

// `first` is the polytope of the row player, whose y are labels 0 … m − 1 and whose slacks are m … m + n − 1; `second`
// is the column player's, whose y are labels m … m + n − 1 and whose slacks are 0 … m − 1. Returns the number of
// pivots.
template <typename Number>
std::size_t lemke_howson(Dictionary<Number>& first, Dictionary<Number>& second, std::size_t label, Watch& watch) {
    const std::size_t m = first.columns(), n = second.columns();
    const auto variable = [&](bool in_first, std::size_t named) {
        return in_first ? named : named < m ? n + named : named - m;
    };
    const auto label_of = [&](bool in_first, std::size_t var) { return in_first ? var : var < n ? m + var : var - n; };
    bool in_first = label < m;
    std::size_t entering = label;
    for (std::size_t pivots = 1;; ++pivots) {
        watch.node();
        if (!Dictionary<Number>::exact && pivots > 1'000'000) throw Lost{};
        Dictionary<Number>& dictionary = in_first ? first : second;
        const std::size_t column = dictionary.place(variable(in_first, entering));
        const std::size_t row = dictionary.leaving(column);
        if (row == dictionary.rows()) throw Lost{};
        const std::size_t left = label_of(in_first, dictionary.basic(row));
        dictionary.pivot(row, column);
        if (left == label) return pivots;
        entering = left;
        in_first = !in_first;
    }
}

}  // namespace zermelo
