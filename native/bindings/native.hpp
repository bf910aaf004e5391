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

// The weighted evaluation of a game that has one.
inline const Weighted& weighted_game(const std::string& name) {
    const Weighted* found = native_game(name).weighted;
    if (!found) throw nb::value_error((name + " has no weights that could be given").c_str());
    return *found;
}

inline PythonTable* weigh_table(const std::string& name, const std::vector<int32_t>& weights) {
    std::string why;
    std::shared_ptr<const void> context = weighted_game(name).weigh(weights, why);
    if (!context) throw nb::value_error(why.c_str());
    return new PythonTable(*native_game(name).table, std::move(context));
}

// The features of many positions as rows of 32-bit floats.
inline nb::bytes write_features(const std::string& name, const PythonTable& table,
                                const std::vector<nb::bytes>& states) {
    const Weighted& weighted = weighted_game(name);
    const std::size_t width = weighted.names().size();
    std::vector<float> rows(width * states.size());
    for (std::size_t i = 0; i < states.size(); ++i)
        weighted.features(table.state(states[i]).data(), rows.data() + i * width);
    return nb::bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float));
}

inline std::vector<std::pair<std::string, double>> explain_state(const std::string& name, const PythonTable& table,
                                                                 const nb::bytes& bytes) {
    const NativeGame& game = native_game(name);
    const StateBuffer state = table.state(bytes);
    return game.weighted ? game.weighted->explain(table.table().context, state.data()) : game.explain(state.data());
}

inline nb::bytes read_state(const std::string& name, const PythonTable& table, const std::string& text) {
    const NativeGame& game = native_game(name);
    StateBuffer state = table.game().buffer();
    std::string why;
    if (!game.read(text, state.data(), why)) throw nb::value_error(why.c_str());
    if (game.weighted) game.weighted->settle(table.table().context, state.data());
    return table.bytes(state);
}

inline void bind_native(nb::module_& module) {
    module.def(
        "native_table", [](const std::string& name) { return new PythonTable(*native_game(name).table); },
        nb::arg("game"), nb::rv_policy::take_ownership);
    module.def("weighted_table", &weigh_table, nb::arg("game"), nb::arg("weights"), nb::rv_policy::take_ownership);
    module.def(
        "native_weights",
        [](const std::string& name) {
            const Weighted* weighted = native_game(name).weighted;
            return weighted ? weighted->names() : std::vector<std::string>();
        },
        nb::arg("game"));
    module.def("native_features", &write_features, nb::arg("game"), nb::arg("table"), nb::arg("states"));
    module.def(
        "native_write",
        [](const std::string& name, const PythonTable& table, const nb::bytes& bytes) {
            return native_game(name).write(table.state(bytes).data());
        },
        nb::arg("game"), nb::arg("table"), nb::arg("state"));
    module.def("native_explain", &explain_state, nb::arg("game"), nb::arg("table"), nb::arg("state"));
    module.def("native_read", &read_state, nb::arg("game"), nb::arg("table"), nb::arg("text"));
    module.def(
        "native_ownership",
        [](const std::string& name, const PythonTable& table, const nb::bytes& bytes) {
            const NativeGame& game = native_game(name);
            return game.ownership ? game.ownership(table.state(bytes).data()) : std::vector<double>{};
        },
        nb::arg("game"), nb::arg("table"), nb::arg("state"));
}

}  // namespace zermelo
