// Equilibria of matrix games for Python. Matrices and points travel as bytes.
#pragma once

#include <nanobind/stl/tuple.h>

#include "bindings/table.hpp"
#include "equilibrium/dictionary.hpp"
#include "equilibrium/equilibrium.hpp"
#include "equilibrium/vertices.hpp"

namespace zermelo {

// (bytes, rows, columns).
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

inline EquilibriaFound run_extreme_equilibria(const PythonMatrix& first, const PythonMatrix& second, int limbs,
                                              int bits, std::size_t limit, const Stop& stop) {
    const MatrixBytes mine = matrix_bytes(first, limbs, bits), theirs = matrix_bytes(second, limbs, bits);
    check_pair(mine, theirs);
    return PythonWatch(stop).run([&](Watch& watch) { return extreme_equilibria(mine, theirs, limit, watch); });
}

inline PathFound run_lemke_howson(const PythonMatrix& first, const PythonMatrix& second, int limbs, int bits,
                                  std::size_t label, const Stop& stop) {
    const MatrixBytes mine = matrix_bytes(first, limbs, bits), theirs = matrix_bytes(second, limbs, bits);
    check_pair(mine, theirs);
    if (label >= mine.rows + mine.columns) throw nb::value_error("there is no such label");
    return PythonWatch(stop).run([&](Watch& watch) { return lemke_howson_path(mine, theirs, label, watch); });
}

inline PathEnd run_lemke(const PythonMatrix& matrix, const PythonMatrix& right, int limbs, int bits,
                         double perturbation, const Stop& stop) {
    const MatrixBytes square = matrix_bytes(matrix, limbs, bits), column = matrix_bytes(right, limbs, bits);
    if (square.rows != square.columns || column.rows != square.rows || column.columns != 1)
        throw nb::value_error("the matrix must be square, and the right-hand side a column of it");
    return PythonWatch(stop).run([&](Watch& watch) { return lemke_path(square, column, perturbation, watch); });
}

inline OptimumFound run_optimum(const PythonMatrix& matrix, int limbs, int bits, const Stop& stop) {
    const MatrixBytes bytes = matrix_bytes(matrix, limbs, bits);
    return PythonWatch(stop).run([&](Watch& watch) { return optimum(bytes, watch); });
}

inline nb::bytes run_optimal_vertices(const PythonMatrix& matrix, int limbs, int bits, std::size_t limit,
                                      const Stop& stop) {
    const MatrixBytes bytes = matrix_bytes(matrix, limbs, bits);
    return point_bytes(PythonWatch(stop).run([&](Watch& watch) { return optimal_vertices(bytes, limit, watch); }));
}

inline void bind_equilibrium(nb::module_& module) {
    nb::class_<EquilibriaFound>(module, "ExtremeEquilibria")
        .def_prop_ro("first", [](const EquilibriaFound& self) { return point_bytes(self.first); })
        .def_prop_ro("second", [](const EquilibriaFound& self) { return point_bytes(self.second); })
        .def_ro("pairs", &EquilibriaFound::pairs);
    nb::class_<PathFound>(module, "LemkeHowsonPath")
        .def_prop_ro("first", [](const PathFound& self) { return point_bytes(self.first); })
        .def_prop_ro("second", [](const PathFound& self) { return point_bytes(self.second); })
        .def_ro("pivots", &PathFound::pivots);
    nb::class_<PathEnd>(module, "LemkePath")
        .def_prop_ro("point", [](const PathEnd& self) { return point_bytes(self.point); })
        .def_ro("pivots", &PathEnd::pivots);
    nb::class_<OptimumFound>(module, "Optimum")
        .def_prop_ro("point", [](const OptimumFound& self) { return point_bytes(self.point); })
        .def_prop_ro("prices", [](const OptimumFound& self) { return point_bytes(self.prices); })
        .def_ro("pivots", &OptimumFound::pivots);
    module.def("extreme_equilibria", &run_extreme_equilibria, nb::arg("first"), nb::arg("second"), nb::arg("limbs"),
               nb::arg("bits"), nb::arg("limit"), nb::arg("stop") = nb::none());
    module.def("lemke_howson", &run_lemke_howson, nb::arg("first"), nb::arg("second"), nb::arg("limbs"),
               nb::arg("bits"), nb::arg("label"), nb::arg("stop") = nb::none());
    module.def("lemke", &run_lemke, nb::arg("matrix"), nb::arg("right"), nb::arg("limbs"), nb::arg("bits"),
               nb::arg("perturbation"), nb::arg("stop") = nb::none());
    module.def("optimum", &run_optimum, nb::arg("matrix"), nb::arg("limbs"), nb::arg("bits"),
               nb::arg("stop") = nb::none());
    module.def("optimal_vertices", &run_optimal_vertices, nb::arg("matrix"), nb::arg("limbs"), nb::arg("bits"),
               nb::arg("limit"), nb::arg("stop") = nb::none());
}

}  // namespace zermelo
