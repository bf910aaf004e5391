// What every engine tells Python of one iteration.
#pragma once

#include "bindings/table.hpp"

namespace zermelo {

template <typename Result>
nb::dict describe_iteration(const Result& found, const nb::list& actions, bool interrupted) {
    nb::dict result;
    result["actions"] = actions;
    result["known"] = found.known;
    result["finished"] = found.finished;
    result["interrupted"] = interrupted;
    result["nodes"] = found.nodes;
    result["leaves"] = found.leaves;
    result["cutoffs"] = found.cutoffs;
    result["table_per_mille"] = found.table_per_mille;
    return result;
}

}  // namespace zermelo
