// Python's handle of a game table: owns the table of a compiled game and its initial state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lock.hpp"
#include "core/game.hpp"
#include "core/watch.hpp"

namespace zermelo {

namespace nb = nanobind;

// Polled about fifty times per second during a search; a true result stops it. None polls nothing.
using Stop = std::optional<nb::typed<nb::callable, bool()>>;

// The utilities of all players.
using Utilities = nb::typed<nb::tuple, double, nb::ellipsis>;

inline Utilities make_utilities(std::span<const double> numbers) {
    nb::list list;
    for (const double number : numbers) list.append(number);
    return nb::borrow<Utilities>(nb::tuple(list));
}

// The facts about a game that Python compiles.
struct TableFacts {
    int32_t players;
    double low, high, neutral, unit;
    uint64_t capabilities;
};

// The initial capacity for the actions of a compiled game.
constexpr uint32_t COMPILED_MAX_ACTIONS = 64;

class PythonTable {
public:
    PythonTable(nb::bytes initial, const TableFacts& facts, const std::map<std::string, uintptr_t>& slots)
        : initial_(initial.c_str(), initial.size()) {
        table_.version = ZERMELO_TABLE_VERSION;
        table_.size = sizeof(zermelo_table);
        table_.context = this;
        table_.capabilities = facts.capabilities;
        table_.state_size = static_cast<uint32_t>(initial_.size());
        table_.state_alignment = 16;
        table_.players = facts.players;
        table_.max_actions = COMPILED_MAX_ACTIONS;
        table_.low = facts.low;
        table_.high = facts.high;
        table_.neutral = facts.neutral;
        table_.unit = facts.unit;
        table_.initial = &copy_initial;
        for (const auto& [name, address] : slots) set(name, address);
    }
    // An external table; its context and its slots stay where they are.
    explicit PythonTable(const zermelo_table& table) : table_(table) {}
    // The same with its own context, which it keeps alive.
    PythonTable(const zermelo_table& table, std::shared_ptr<const void> context)
        : table_(table), owned_(std::move(context)) {
        table_.context = owned_.get();
    }
    PythonTable(const PythonTable&) = delete;
    PythonTable& operator=(const PythonTable&) = delete;

    uintptr_t address() const { return reinterpret_cast<uintptr_t>(&table_); }
    const zermelo_table& table() const { return table_; }
    Game game() const { return Game(table_); }

    // A state's bytes in aligned memory; throws if their number is wrong.
    StateBuffer state(const nb::bytes& bytes) const {
        if (bytes.size() != table_.state_size) throw nb::value_error("these are not the bytes of a state of this game");
        StateBuffer buffer(table_.state_size);
        std::memcpy(buffer.data(), bytes.c_str(), bytes.size());
        return buffer;
    }

    // The names of the slots that are filled.
    std::vector<std::string> slots() const {
        std::vector<std::string> names;
#define ZERMELO_SLOT(slot, method, parameters) \
    if (table_.slot) names.emplace_back(#slot);
#include "core/slots.def"
        return names;
    }

    nb::bytes bytes(const StateBuffer& buffer) const {
        return nb::bytes(reinterpret_cast<const char*>(buffer.data()), table_.state_size);
    }

private:
    static zermelo_status copy_initial(const void* context, void* state) {
        const std::string& initial = static_cast<const PythonTable*>(context)->initial_;
        std::memcpy(state, initial.data(), initial.size());
        return ZERMELO_OK;
    }

    template <typename Function>
    static void assign(Function*& slot, uintptr_t address) {
        slot = reinterpret_cast<Function*>(address);
    }

    void set(const std::string& name, uintptr_t address) {
#define ZERMELO_SLOT(slot, method, parameters) \
    if (name == #slot) return assign(table_.slot, address);
#include "core/slots.def"
        throw nb::value_error(("a game table has no slot called " + name).c_str());
    }

    zermelo_table table_{};
    std::string initial_;
    std::shared_ptr<const void> owned_;
};

// The callback of a search: checks Python's signals (Ctrl-C) and the caller's `stop`.
class PythonWatch {
public:
    explicit PythonWatch(const Stop& stop, Watch::Clock::time_point first = Watch::Clock::now() + Watch::interval)
        : PythonWatch(stop ? nb::object(*stop) : nb::none(), first) {}
    explicit PythonWatch(nb::object stop, Watch::Clock::time_point first = Watch::Clock::now() + Watch::interval)
        : stop_(std::move(stop)), watch_([this] { return ask(); }, first) {}

    // Runs `search` without the GIL. Rethrows the exception of a signal; a `stop` throws `Stopped`.
    template <typename Search>
    auto run(const Search& search) {
        try {
            const Unlocked unlocked;
            return search(watch_);
        } catch (const Stopped&) {
            if (raised_) throw nb::python_error();
            throw;
        }
    }

    // For a search that returns when it is stopped: whether Ctrl-C stopped it. Rethrows any other exception.
    bool interrupted() const {
        if (raised_ && !PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        if (raised_) PyErr_Clear();
        return raised_;
    }

    // The time of the next poll.
    Watch::Clock::time_point next() const { return watch_.next(); }

private:
    bool ask() {
        const Locked locked;
        if (PyErr_CheckSignals() != 0) return raised_ = true;
        if (stop_.is_none()) return false;
        PyObject* answer = PyObject_CallNoArgs(stop_.ptr());
        const int truth = answer ? PyObject_IsTrue(answer) : -1;
        Py_XDECREF(answer);
        if (truth < 0) raised_ = true;
        return truth != 0;
    }

    nb::object stop_;
    Watch watch_;
    bool raised_ = false;
};

// A searcher runs one operation at a time, without the GIL; a second caller, on another thread or from within the
// search, gets an error.
class Turn {
public:
    explicit Turn(std::atomic<bool>& busy) : busy_(busy) {
        if (!busy_.exchange(true)) return;
        const nb::object kind = nb::module_::import_("zermelo.errors").attr("MethodError");
        PyErr_SetString(kind.ptr(), "this searcher is at work already: make one for each thread");
        throw nb::python_error();
    }
    ~Turn() { busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    std::atomic<bool>& busy_;
};

}  // namespace zermelo
