// What is alike in all engines that deepen: how Python holds them, and what it is told of one iteration.
#pragma once

#include "bindings/table.hpp"

namespace zermelo {

// An engine in Python's hands: it keeps its game's table alive, and does one thing at a time.
template <typename Deepening>
class HeldEngine {
public:
    template <typename... Options>
    HeldEngine(nb::object table, const Options&... options)
        : owner_(table), table_(nb::cast<const PythonTable&>(table)), engine_(table_.table(), options...) {}

    void begin() {
        const Turn turn(busy_);
        engine_.begin();
    }

    void clear() {
        const Turn turn(busy_);
        engine_.clear();
    }

protected:
    nb::object owner_;
    const PythonTable& table_;
    Deepening engine_;
    std::atomic<bool> busy_ = false;
};

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
