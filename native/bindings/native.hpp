// The games of the core for Python: their tables, and their positions as text.
#pragma once

#include "bindings/table.hpp"
#include "games/native.hpp"

namespace zermelo {

inline const NativeGame& native_game(const std::string& name) {
    for (const NativeGame* game : native_games())
        if (name == game->name) return *game;
    throw nb::key_error(("the core has no game called " + name).c_str());
}

inline void bind_native(nb::module_& module) {
    module.def("native_table", [](const std::string& name) { return new PythonTable(*native_game(name).table); },
               nb::rv_policy::take_ownership);
    module.def("native_write", [](const std::string& name, const PythonTable& table, const nb::bytes& bytes) {
        return native_game(name).write(table.state(bytes).data());
    });
    module.def("native_explain", [](const std::string& name, const PythonTable& table, const nb::bytes& bytes) {
        return native_game(name).explain(table.state(bytes).data());
    });
    module.def("native_ownership", [](const std::string& name, const PythonTable& table, const nb::bytes& bytes) {
        const NativeGame& game = native_game(name);
        return game.ownership ? game.ownership(table.state(bytes).data()) : std::vector<double>{};
    });
    module.def("native_read", [](const std::string& name, const PythonTable& table, const std::string& text) {
        StateBuffer state = table.game().buffer();
        std::string why;
        if (!native_game(name).read(text, state.data(), why)) throw nb::value_error(why.c_str());
        return table.bytes(state);
    });
}

}  // namespace zermelo
