// The limits of `zermelo bench` for Python.
#pragma once

#include <nanobind/nanobind.h>

#include "bench/limit.hpp"
#include "bindings/lock.hpp"

namespace zermelo {

// Plain alpha-beta on Connect Four from its start.
inline bench::LimitResult run_connect4_limit(int depth) {
    const Unlocked unlocked;
    return bench::LimitSearch<bench::ConnectFour>::run({}, depth);
}

inline void bind_bench(nanobind::module_& module) {
    nanobind::class_<bench::LimitResult>(module, "LimitResult")
        .def_ro("value", &bench::LimitResult::value)
        .def_ro("nodes", &bench::LimitResult::nodes);
    module.def("bench_connect4_limit", &run_connect4_limit, nanobind::arg("depth"));
}

}  // namespace zermelo
