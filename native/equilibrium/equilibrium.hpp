// Equilibria of matrix games over numbers whose kind is known at run time only: doubles, or whole numbers of some length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/watch.hpp"

namespace zermelo {

// A positive matrix, row by row, as bytes of the machine's order: doubles if `limbs` is 0, else whole numbers of that
// many words of 64 bits. `bits` bounds the length of every minor of the matrix bordered by ones, with the sign.
struct MatrixBytes {
    std::string_view bytes;
    std::size_t rows, columns;
    int limbs, bits;
};

// The lengths that whole numbers may have.
bool is_length(int limbs);

// Points of a polytope {y ≥ 0, A y ≤ 1}: each is `columns` numerators, and then their denominator.
using PointBytes = std::string;

struct EquilibriaFound {
    PointBytes first, second;  // the vertices that belong to some equilibrium
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    std::size_t vertices[2];  // of the whole polytopes
};

struct OptimumFound {
    PointBytes point;  // y, the greatest Σ y
    PointBytes prices;  // the objective row at the slacks, and its denominator: the dual's solution
    std::size_t pivots;
};

struct PathFound {
    PointBytes first, second;
    std::size_t pivots;
};

// Every pair of vertices that together have all labels, but (0, 0). `first` is the column player's payoffs transposed,
// `second` the row player's; labels as in lemke_howson.hpp. `limit` bounds the bases looked at in each polytope.
EquilibriaFound extreme_equilibria(const MatrixBytes& first, const MatrixBytes& second, std::size_t limit,
                                   Watch& watch);
PathFound lemke_howson_path(const MatrixBytes& first, const MatrixBytes& second, std::size_t label, Watch& watch);
OptimumFound optimum(const MatrixBytes& matrix, Watch& watch);
// All vertices on which Σ y is greatest.
PointBytes optimal_vertices(const MatrixBytes& matrix, std::size_t limit, Watch& watch);

}  // namespace zermelo
