// The limits of `zermelo bench` for Python.
#pragma once

#include <nanobind/nanobind.h>

#include "bench/limit.hpp"
#include "bindings/lock.hpp"

namespace zermelo {

// Plain alpha-beta on Connect Four from its start: (value, nodes).
inline nanobind::tuple run_connect4_limit(int depth) {
    bench::LimitResult found;
    {
        const Unlocked unlocked;
        found = bench::LimitSearch<bench::ConnectFour>::run({}, depth);
    }
    return nanobind::make_tuple(found.value, found.nodes);
}

inline void bind_bench(nanobind::module_& module) { module.def("bench_connect4_limit", &run_connect4_limit); }

}  // namespace zermelo
