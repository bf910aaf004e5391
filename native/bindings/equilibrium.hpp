// Equilibria of matrix games for Python. Matrices and points travel as bytes.
#pragma once

#include <nanobind/stl/tuple.h>

#include "bindings/table.hpp"
#include "equilibrium/dictionary.hpp"
#include "equilibrium/equilibrium.hpp"
#include "equilibrium/vertices.hpp"

namespace zermelo {

// (bytes, rows, columns), as `MatrixBytes` has them.
using PythonMatrix = std::tuple<nb::bytes, std::size_t, std::size_t>;

inline MatrixBytes matrix_bytes(const PythonMatrix& matrix, int limbs, int bits) {
    const auto& [bytes, rows, columns] = matrix;
    const std::size_t size = limbs ? 8 * static_cast<std::size_t>(limbs) : sizeof(double);
    if (!is_length(limbs) || bits < 1 || rows < 1 || columns < 1 || rows > 1'000'000 || columns > 1'000'000 ||
        bytes.size() != rows * columns * size)
        throw nb::value_error("these are not the bytes of a matrix");
    return {{bytes.c_str(), bytes.size()}, rows, columns, limbs, bits};
}

inline void check_pair(const MatrixBytes& first, const MatrixBytes& second) {
    if (first.rows != second.columns || first.columns != second.rows)
        throw nb::value_error("the matrices of two players must be each other's shape, transposed");
}

inline nb::bytes point_bytes(const PointBytes& points) { return nb::bytes(points.data(), points.size()); }

// Runs `work`; gives its result, or the word for what went wrong: "narrow", "lost" or "many".
template <typename Work>
nb::object attempt(const Stop& stop, const Work& work) {
    try {
        return work(PythonWatch(stop));
    } catch (const Narrow&) {
        return nb::str("narrow");
    } catch (const Lost&) {
        return nb::str("lost");
    } catch (const TooMany&) {
        return nb::str("many");
    }
}

inline nb::object run_extreme_equilibria(const PythonMatrix& first, const PythonMatrix& second, int limbs, int bits,
                                         std::size_t limit, const Stop& stop) {
    const MatrixBytes mine = matrix_bytes(first, limbs, bits), theirs = matrix_bytes(second, limbs, bits);
    check_pair(mine, theirs);
    return attempt(stop, [&](PythonWatch watch) -> nb::object {
        const EquilibriaFound found =
            watch.run([&](Watch& asked) { return extreme_equilibria(mine, theirs, limit, asked); });
        return nb::make_tuple(point_bytes(found.first), point_bytes(found.second), found.pairs, found.vertices[0],
                              found.vertices[1]);
    });
}

inline nb::object run_lemke_howson(const PythonMatrix& first, const PythonMatrix& second, int limbs, int bits,
                                   std::size_t label, const Stop& stop) {
    const MatrixBytes mine = matrix_bytes(first, limbs, bits), theirs = matrix_bytes(second, limbs, bits);
    check_pair(mine, theirs);
    if (label >= mine.rows + mine.columns) throw nb::value_error("there is no such label");
    return attempt(stop, [&](PythonWatch watch) -> nb::object {
        const PathFound found = watch.run([&](Watch& asked) { return lemke_howson_path(mine, theirs, label, asked); });
        return nb::make_tuple(point_bytes(found.first), point_bytes(found.second), found.pivots);
    });
}

inline nb::object run_optimum(const PythonMatrix& matrix, int limbs, int bits, const Stop& stop) {
    const MatrixBytes bytes = matrix_bytes(matrix, limbs, bits);
    return attempt(stop, [&](PythonWatch watch) -> nb::object {
        const OptimumFound found = watch.run([&](Watch& asked) { return optimum(bytes, asked); });
        return nb::make_tuple(point_bytes(found.point), point_bytes(found.prices), found.pivots);
    });
}

inline nb::object run_optimal_vertices(const PythonMatrix& matrix, int limbs, int bits, std::size_t limit,
                                       const Stop& stop) {
    const MatrixBytes bytes = matrix_bytes(matrix, limbs, bits);
    return attempt(stop, [&](PythonWatch watch) -> nb::object {
        return point_bytes(watch.run([&](Watch& asked) { return optimal_vertices(bytes, limit, asked); }));
    });
}

inline void bind_equilibrium(nb::module_& module) {
    module.def("extreme_equilibria", &run_extreme_equilibria, nb::arg("first"), nb::arg("second"), nb::arg("limbs"),
               nb::arg("bits"), nb::arg("limit"), nb::arg("stop") = nb::none());
    module.def("lemke_howson", &run_lemke_howson, nb::arg("first"), nb::arg("second"), nb::arg("limbs"),
               nb::arg("bits"), nb::arg("label"), nb::arg("stop") = nb::none());
    module.def("optimum", &run_optimum, nb::arg("matrix"), nb::arg("limbs"), nb::arg("bits"),
               nb::arg("stop") = nb::none());
    module.def("optimal_vertices", &run_optimal_vertices, nb::arg("matrix"), nb::arg("limbs"), nb::arg("bits"),
               nb::arg("limit"), nb::arg("stop") = nb::none());
}

}  // namespace zermelo
