// The rules of a game, one call at a time, for Python: what tests compare and `zermelo check` asks.
#pragma once

#include "bindings/table.hpp"

namespace zermelo {

inline nb::tuple utilities_of(const Game& game, const Position& position) {
    nb::list list;
    if (position.terminal())
        for (int p = 0; p < game.players(); ++p) list.append(position.utilities[p]);
    return nb::tuple(list);
}

inline std::vector<int64_t> list_actions(const PythonTable& table, const nb::bytes& bytes) {
    const StateBuffer state = table.state(bytes);
    ActionList list;
    table.game().actions(state.data(), list);
    return {list.actions.begin(), list.actions.begin() + static_cast<std::ptrdiff_t>(list.count)};
}

inline std::vector<std::pair<int64_t, double>> list_chances(const PythonTable& table, const nb::bytes& bytes) {
    const StateBuffer state = table.state(bytes);
    ActionList list;
    table.game().chances(state.data(), list);
    std::vector<std::pair<int64_t, double>> pairs;
    for (std::size_t i = 0; i < list.count; ++i) pairs.emplace_back(list.actions[i], list.probabilities[i]);
    return pairs;
}

inline nb::tuple take_step(const PythonTable& table, const nb::bytes& bytes, int64_t action) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    StateBuffer child = game.buffer();
    Position position;
    game.step(state.data(), action, child.data(), position);
    return nb::make_tuple(table.bytes(child), position.mover, utilities_of(game, position));
}

inline nb::tuple read_info(const PythonTable& table, const nb::bytes& bytes) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    Position position;
    game.info(state.data(), position);
    return nb::make_tuple(position.mover, utilities_of(game, position));
}

inline nb::tuple pass_turn(const PythonTable& table, const nb::bytes& bytes) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    StateBuffer child = game.buffer();
    Position position;
    game.pass_turn(state.data(), child.data(), position);
    return nb::make_tuple(table.bytes(child), position.mover, utilities_of(game, position));
}

inline std::vector<double> list_priorities(const PythonTable& table, const nb::bytes& bytes,
                                           const std::vector<int64_t>& actions) {
    const StateBuffer state = table.state(bytes);
    std::vector<double> priorities(actions.size());
    table.game().priorities(state.data(), actions.data(), actions.size(), priorities.data());
    return priorities;
}

inline void bind_rules(nb::module_& module) {
    module.def("actions", &list_actions);
    module.def("chances", &list_chances);
    module.def("step", &take_step);
    module.def("info", &read_info);
    module.def("pass_turn", &pass_turn);
    module.def("priorities", &list_priorities);
    module.def("key", [](const PythonTable& table, const nb::bytes& bytes) {
        return table.game().key(table.state(bytes).data());
    });
    module.def("view_key", [](const PythonTable& table, const nb::bytes& bytes, int32_t player) {
        return table.game().view_key(table.state(bytes).data(), player);
    });
    module.def("evaluate", [](const PythonTable& table, const nb::bytes& bytes, int32_t player) {
        return table.game().evaluate(table.state(bytes).data(), player);
    });
    module.def("noisy", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().noisy(table.state(bytes).data(), action);
    });
    module.def("irreversible", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().irreversible(table.state(bytes).data(), action);
    });
    module.def("in_check", [](const PythonTable& table, const nb::bytes& bytes) {
        return table.game().in_check(table.state(bytes).data());
    });
    module.def("exchange", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().exchange(table.state(bytes).data(), action);
    });
    module.def("target", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().target(table.state(bytes).data(), action);
    });
}

}  // namespace zermelo
