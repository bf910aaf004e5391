// Python's handle of a game table: owns the table of a compiled game and its initial state.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lock.hpp"
#include "core/game.hpp"
#include "core/watch.hpp"

namespace zermelo {

namespace nb = nanobind;

struct TableFacts {
    int32_t players;
    double low, high, neutral, unit;
    uint64_t capabilities;
    uint32_t max_actions;
};

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
        table_.max_actions = facts.max_actions;
        table_.low = facts.low;
        table_.high = facts.high;
        table_.neutral = facts.neutral;
        table_.unit = facts.unit;
        table_.initial = &copy_initial;
        for (const auto& [name, address] : slots) set(name, address);
    }
    // A table from outside; its context and its slots stay where they are.
    explicit PythonTable(const zermelo_table& table) : table_(table) {}
    // The same with a context of its own, which it keeps alive.
    PythonTable(const zermelo_table& table, std::shared_ptr<const void> context)
        : table_(table), owned_(std::move(context)) {
        table_.context = owned_.get();
    }
    PythonTable(const PythonTable&) = delete;
    PythonTable& operator=(const PythonTable&) = delete;

    uintptr_t address() const { return reinterpret_cast<uintptr_t>(&table_); }
    const zermelo_table& table() const { return table_; }
    Game game() const { return Game(table_); }

    // A state's bytes in aligned memory; refuses any other number of bytes.
    StateBuffer state(const nb::bytes& bytes) const {
        if (bytes.size() != table_.state_size) throw nb::value_error("these are not the bytes of a state of this game");
        StateBuffer buffer(table_.state_size);
        std::memcpy(buffer.data(), bytes.c_str(), bytes.size());
        return buffer;
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
        if (name == "actions") assign(table_.actions, address);
        else if (name == "step") assign(table_.step, address);
        else if (name == "info") assign(table_.info, address);
        else if (name == "chances") assign(table_.chances, address);
        else if (name == "key") assign(table_.key, address);
        else if (name == "evaluate") assign(table_.evaluate, address);
        else if (name == "priorities") assign(table_.priorities, address);
        else if (name == "noisy") assign(table_.noisy, address);
        else if (name == "target") assign(table_.target, address);
        else if (name == "pass_turn") assign(table_.pass_turn, address);
        else if (name == "view_key") assign(table_.view_key, address);
        else if (name == "irreversible") assign(table_.irreversible, address);
        else if (name == "enter") assign(table_.enter, address);
        else if (name == "frontier") assign(table_.frontier, address);
        else if (name == "check") assign(table_.check, address);
        else if (name == "recurrence") assign(table_.recurrence, address);
        else if (name == "exchange") assign(table_.exchange, address);
        else throw nb::value_error(("a game table has no slot called " + name).c_str());
    }

    zermelo_table table_{};
    std::string initial_;
    std::shared_ptr<const void> owned_;
};

// What Python wants to be asked during a search: its signals (Ctrl-C) and the caller's own `stop`.
class PythonWatch {
public:
    explicit PythonWatch(nb::object stop) : stop_(std::move(stop)), watch_([this] { return ask(); }) {}

    // Runs `search` without Python's lock. A signal's exception comes out as itself, a `stop` as `StopSearch`.
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

    // For a search that ends by itself when told to: whether Ctrl-C told it. Any other exception comes out as itself.
    bool interrupted() const {
        if (raised_ && !PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        if (raised_) PyErr_Clear();
        return raised_;
    }

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

// A searcher does one thing at a time, without Python's lock: whoever wants something of it meanwhile, another thread or
// what the search itself asks, is sent away.
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
