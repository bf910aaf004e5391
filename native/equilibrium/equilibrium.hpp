// Equilibria of matrix games over numbers whose type is known at run time only: doubles, or integers of some length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/watch.hpp"

namespace zermelo {

// A matrix in row-major order, as bytes in native byte order: doubles if `limbs` is 0, else integers of that number of
// 64-bit words. `bits` bounds the length of every minor of the matrix bordered by the right-hand side, ones in a game,
// including the sign.
struct MatrixBytes {
    std::string_view bytes;
    std::size_t rows, columns;
    int limbs, bits;
};

// The supported lengths of integers.
bool is_length(int limbs);

// Points of a polytope {y ≥ 0, A y ≤ 1}: each is `columns` numerators, followed by their denominator.
using PointBytes = std::string;

struct EquilibriaFound {
    PointBytes first, second;  // the vertices that belong to some equilibrium
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

struct OptimumFound {
    PointBytes point;  // y, the greatest Σ y
    PointBytes prices;  // the objective row at the slacks, and its denominator: the dual solution
    std::size_t pivots;
};

struct PathFound {
    PointBytes first, second;
    std::size_t pivots;
};

struct PathEnd {
    PointBytes point;
    std::size_t pivots;
};

// Every pair of vertices that together have all labels, except (0, 0). `first` is the column player's payoffs
// transposed, `second` the row player's; labels as in lemke_howson.hpp. `limit` bounds the number of bases visited in
// each polytope.
EquilibriaFound extreme_equilibria(const MatrixBytes& first, const MatrixBytes& second, std::size_t limit,
                                   Watch& watch);
PathFound lemke_howson_path(const MatrixBytes& first, const MatrixBytes& second, std::size_t label, Watch& watch);
// The end of the path of lemke.hpp in the dictionary of a square matrix; `right`, a column, is 0 or more.
// Doubles are perturbed by random numbers of about `perturbation` on the way.
PathEnd lemke_path(const MatrixBytes& matrix, const MatrixBytes& right, double perturbation, Watch& watch);
OptimumFound optimum(const MatrixBytes& matrix, Watch& watch);
// All vertices that maximise Σ y.
PointBytes optimal_vertices(const MatrixBytes& matrix, std::size_t limit, Watch& watch);

}  // namespace zermelo
