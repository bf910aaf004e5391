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

// One playout in the game's own way: the utilities, the actions, and who played them.
inline nb::tuple play_out(const PythonTable& table, const nb::bytes& bytes, uint64_t seed, uint64_t plies) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    Position position;
    std::vector<int64_t> actions(plies);
    std::vector<int32_t> movers(plies);
    uint64_t count = 0;
    game.playout(state.data(), seed, position, actions, movers, count);
    actions.resize(count);
    movers.resize(count);
    return nb::make_tuple(utilities_of(game, position), actions, movers);
}

// How many playouts of the game's own kind were played, and the sums of their utilities.
inline nb::tuple play_outs(const PythonTable& table, const nb::bytes& bytes, uint64_t games, uint64_t seed, nb::object stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    std::vector<double> sums(static_cast<std::size_t>(game.players()));
    std::vector<int64_t> actions;
    std::vector<int32_t> movers;
    PythonWatch(std::move(stop)).run([&](Watch& watch) {
        Position position;
        uint64_t count = 0;
        for (uint64_t played = 0; played < games; ++played) {
            game.playout(state.data(), seed, position, actions, movers, count);
            for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += position.utilities[p];
            watch.node();
        }
        return 0;
    });
    return nb::make_tuple(games, sums);
}

inline nb::list list_priors(const PythonTable& table, const nb::bytes& bytes, const std::vector<int64_t>& actions) {
    const StateBuffer state = table.state(bytes);
    std::vector<double> values(actions.size()), weights(actions.size());
    table.game().priors(state.data(), actions.data(), actions.size(), values.data(), weights.data());
    nb::list pairs;
    for (std::size_t i = 0; i < actions.size(); ++i) pairs.append(nb::make_tuple(values[i], weights[i]));
    return pairs;
}

inline void bind_rules(nb::module_& module) {
    module.def("playout", &play_out);
    module.def("own_playouts", &play_outs, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("priors", &list_priors);
    module.def("actions", &list_actions);
    module.def("chances", &list_chances);
    module.def("step", &take_step);
    module.def("info", &read_info);
    module.def("pass_turn", &pass_turn);
    module.def("priorities", &list_priorities);
    module.def("key", [](const PythonTable& table, const nb::bytes& bytes) {
        return table.game().key(table.state(bytes).data());
    });
    module.def("recurrence", [](const PythonTable& table, const nb::bytes& bytes) {
        return table.game().recurrence(table.state(bytes).data());
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
    module.def("gives_check", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().gives_check(table.state(bytes).data(), action);
    });
    module.def("exchange", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().exchange(table.state(bytes).data(), action);
    });
    module.def("target", [](const PythonTable& table, const nb::bytes& bytes, int64_t action) {
        return table.game().target(table.state(bytes).data(), action);
    });
}

}  // namespace zermelo
