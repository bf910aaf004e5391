// A game's table for Python (`GameTable`): its facts, its rules as single calls, and the plain searches over them.
#pragma once

#include "bindings/table.hpp"
#include "core/sides.hpp"
#include "search/minimax.hpp"
#include "search/perft.hpp"
#include "search/playout.hpp"

namespace zermelo {

// One entry of the list of slots.
struct SlotEntry {
    const char* name;
    const char* method;      // of the contract, or "none"
    const char* parameters;  // in C syntax, with parentheses
    const char* about;       // of a query: POSITION, ACTION or PLAYER; "" for any other slot
    const char* kind;        // of its result
};

inline std::vector<SlotEntry> slot_entries() {
    return {
#define ZERMELO_TEXT_OF(text) #text
#define ZERMELO_TEXT(text) ZERMELO_TEXT_OF(text)
#define ZERMELO_SLOT(name, method, parameters) {#name, #method, ZERMELO_TEXT(parameters), "", ""},
#define ZERMELO_QUESTION(name, method, about, kind, otherwise)                                                     \
    {#name, #method,                                                                                               \
     ZERMELO_TEXT((const void* context, const void* state, ZERMELO_ABOUT_##about ZERMELO_##kind* answer)), #about, \
     #kind},
#include "core/slots.def"
    };
}

// The repetition rule from its name in the contract.
struct RepetitionRule {
    const char* name;
    uint64_t capability;
};

constexpr std::array<RepetitionRule, 4> REPETITION_RULES{{{"draw", ZERMELO_REPETITION_DRAW},
                                                          {"forbidden", ZERMELO_REPETITION_FORBIDDEN},
                                                          {"loses", ZERMELO_REPETITION_LOSES},
                                                          {"perpetual", ZERMELO_REPETITION_PERPETUAL}}};

inline uint64_t capabilities_of(const std::optional<std::string>& repetition, bool simultaneous, bool constant_sum) {
    uint64_t found = (simultaneous ? ZERMELO_SIMULTANEOUS : 0) | (constant_sum ? ZERMELO_CONSTANT_SUM : 0);
    if (!repetition) return found;
    for (const RepetitionRule& rule : REPETITION_RULES)
        if (*repetition == rule.name) return found | rule.capability;
    throw nb::value_error(("there is no rule of repetition called " + *repetition).c_str());
}

inline std::optional<std::string> repetition_of(const PythonTable& table) {
    for (const RepetitionRule& rule : REPETITION_RULES)
        if (table.table().capabilities & rule.capability) return rule.name;
    return std::nullopt;
}

// The player to move (TERMINAL if nobody), and every player's utility if the position is terminal.
struct PythonInfo {
    int32_t mover;
    Utilities utilities;
};

// The position after an action, with the same facts.
struct PythonStep : PythonInfo {
    nb::bytes state;
};

// One playout: every player's utility, the first actions, and who played them.
struct PythonPlayout {
    Utilities utilities;
    std::vector<int64_t> actions;
    std::vector<int32_t> movers;
};

inline PythonInfo make_info(const Game& game, const Position& position) {
    const std::size_t players = position.terminal() ? static_cast<std::size_t>(game.players()) : 0;
    return {position.mover, make_utilities({position.utilities.data(), players})};
}

inline nb::bytes read_initial(const PythonTable& table) {
    const Game game = table.game();
    StateBuffer state = game.buffer();
    game.check("initial", state.data(), 0, game.table().initial(game.table().context, state.data()));
    return table.bytes(state);
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

inline PythonInfo read_info(const PythonTable& table, const nb::bytes& bytes) {
    const Game game = table.game();
    Position position;
    game.info(table.state(bytes).data(), position);
    return make_info(game, position);
}

inline PythonStep take_step(const PythonTable& table, const nb::bytes& bytes, int64_t action) {
    const Game game = table.game();
    StateBuffer child = game.buffer();
    Position position;
    game.step(table.state(bytes).data(), action, child.data(), position);
    return {make_info(game, position), table.bytes(child)};
}

inline PythonStep pass_turn(const PythonTable& table, const nb::bytes& bytes) {
    const Game game = table.game();
    StateBuffer child = game.buffer();
    Position position;
    game.pass_turn(table.state(bytes).data(), child.data(), position);
    return {make_info(game, position), table.bytes(child)};
}

inline std::vector<double> list_priorities(const PythonTable& table, const nb::bytes& bytes,
                                           const std::vector<int64_t>& actions) {
    std::vector<double> priorities(actions.size());
    table.game().priorities(table.state(bytes).data(), actions.data(), actions.size(), priorities.data());
    return priorities;
}

inline std::vector<int64_t> list_inputs(const PythonTable& table, const nb::bytes& bytes, int32_t player) {
    const StateBuffer state = table.state(bytes);
    ActionList list;
    table.game().inputs(state.data(), player, list);
    return {list.actions.begin(), list.actions.begin() + static_cast<std::ptrdiff_t>(list.count)};
}

inline std::vector<int64_t> list_owners(const PythonTable& table, const nb::bytes& bytes) {
    const StateBuffer state = table.state(bytes);
    ActionList list;
    table.game().owners(state.data(), list);
    return {list.actions.begin(), list.actions.begin() + static_cast<std::ptrdiff_t>(list.count)};
}

inline nb::bytes find_symmetric(const PythonTable& table, const nb::bytes& bytes, int32_t symmetry) {
    StateBuffer image = table.game().buffer();
    table.game().symmetric(table.state(bytes).data(), symmetry, image.data());
    return table.bytes(image);
}

inline int64_t find_symmetric_action(const PythonTable& table, const nb::bytes& bytes, int64_t action,
                                     int32_t symmetry) {
    return table.game().symmetric_action(table.state(bytes).data(), action, symmetry);
}

// The position of a number of a slice of endgame tables.
inline nb::bytes unrank_position(const PythonTable& table, int64_t slice, uint64_t index) {
    StateBuffer state = table.game().buffer();
    table.game().unrank(slice, index, state.data());
    return table.bytes(state);
}

// The (value, weight) pairs of the actions.
inline std::pair<std::vector<double>, std::vector<double>> ask_policy(const PythonTable& table,
                                                                      const nb::bytes& bytes) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    ActionList list;
    game.actions(state.data(), list);
    std::vector<double> priors(list.count), utilities(static_cast<std::size_t>(game.players()));
    game.policy(state.data(), list.actions.data(), list.count, priors.data(), utilities.data());
    return {std::move(priors), std::move(utilities)};
}

inline std::vector<std::pair<double, double>> list_priors(const PythonTable& table, const nb::bytes& bytes,
                                                          const std::vector<int64_t>& actions) {
    std::vector<double> values(actions.size()), weights(actions.size());
    table.game().priors(table.state(bytes).data(), actions.data(), actions.size(), values.data(), weights.data());
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < actions.size(); ++i) pairs.emplace_back(values[i], weights[i]);
    return pairs;
}

// The team of each player.
inline std::vector<int32_t> list_teams(const PythonTable& table) {
    const zermelo_table& own = table.table();
    std::vector<int32_t> teams(static_cast<std::size_t>(own.players));
    const StateBuffer none = table.game().buffer();
    for (int32_t p = 0; p < own.players; ++p) {
        teams[static_cast<std::size_t>(p)] = p;
        if (own.team)
            table.game().check("team", none.data(), p, own.team(own.context, p, &teams[static_cast<std::size_t>(p)]));
    }
    return teams;
}

// The table with one player for each side; `side_of` says the side of each player, the sides numbered as they come.
inline PythonTable* make_sides_table(const PythonTable& table, const std::vector<int32_t>& side_of) {
    auto sides = std::make_shared<Sides>(Sides{table.table(), side_of, {}});
    for (std::size_t p = 0; p < side_of.size(); ++p)
        if (side_of[p] == static_cast<int32_t>(sides->first.size())) sides->first.push_back(static_cast<int32_t>(p));
    const zermelo_table made = make_sides(*sides);
    return new PythonTable(made, std::move(sides));
}

// One playout by the game's own policy.
inline PythonPlayout play_out(const PythonTable& table, const nb::bytes& bytes, uint64_t seed, uint64_t plies) {
    const Game game = table.game();
    Position position;
    std::vector<int64_t> actions(plies);
    std::vector<int32_t> movers(plies);
    uint64_t count = 0;
    game.playout(table.state(bytes).data(), seed, position, actions, movers, count);
    actions.resize(count);
    movers.resize(count);
    return {make_info(game, position).utilities, std::move(actions), std::move(movers)};
}

// The sums of every player's utilities over playouts by the game's own policy.
inline std::vector<double> sum_playouts(const PythonTable& table, const nb::bytes& bytes, uint64_t games, uint64_t seed,
                                        const Stop& stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    std::vector<double> sums(static_cast<std::size_t>(game.players()));
    std::vector<int64_t> actions;
    std::vector<int32_t> movers;
    PythonWatch(stop).run([&](Watch& watch) {
        Position position;
        uint64_t count = 0;
        for (uint64_t played = 0; played < games; ++played) {
            game.playout(state.data(), seed, position, actions, movers, count);
            for (std::size_t p = 0; p < sums.size(); ++p) sums[p] += position.utilities[p];
            watch.node();
        }
        return 0;
    });
    return sums;
}

inline Perft run_perft(const PythonTable& table, const nb::bytes& bytes, uint64_t depth, unsigned threads,
                       const Stop& stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    return PythonWatch(stop).run([&](Watch& watch) { return perft(game, state.data(), depth, threads, watch); });
}

// Playouts of uniformly random actions; `utilities` are sums.
struct PythonPlayouts : Playouts {
    Utilities sums;
};

inline PythonPlayouts run_playouts(const PythonTable& table, const nb::bytes& bytes, uint64_t games, uint64_t seed,
                                   uint64_t max_plies, const Stop& stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    const Playouts played = PythonWatch(stop).run(
        [&](Watch& watch) { return playouts(game, state.data(), games, seed, max_plies, watch); });
    return {played, make_utilities({played.utilities.data(), static_cast<std::size_t>(game.players())})};
}

inline MinimaxResult run_minimax(const PythonTable& table, const nb::bytes& bytes, uint64_t depth, bool prune,
                                 bool hard, double alpha, double beta, const Stop& stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    const MinimaxSettings settings{depth, prune, hard, alpha, beta};
    return PythonWatch(stop).run([&](Watch& watch) { return Minimax(game, settings, watch).search(state.data()); });
}

inline void bind_results(nb::module_& module) {
    nb::class_<SlotEntry>(module, "Slot")
        .def_ro("name", &SlotEntry::name)
        .def_ro("method", &SlotEntry::method)
        .def_ro("parameters", &SlotEntry::parameters)
        .def_ro("about", &SlotEntry::about)
        .def_ro("kind", &SlotEntry::kind);
    module.def("slots", &slot_entries);
    nb::class_<PythonInfo>(module, "Info")
        .def_ro("mover", &PythonInfo::mover)
        .def_ro("utilities", &PythonInfo::utilities);
    nb::class_<PythonStep, PythonInfo>(module, "Step").def_ro("state", &PythonStep::state);
    nb::class_<PythonPlayout>(module, "Playout")
        .def_ro("utilities", &PythonPlayout::utilities)
        .def_ro("actions", &PythonPlayout::actions)
        .def_ro("movers", &PythonPlayout::movers);
    nb::class_<Perft>(module, "PerftResult")
        .def_ro("leaves", &Perft::leaves)
        .def_ro("ended", &Perft::ended)
        .def_ro("positions", &Perft::positions);
    nb::class_<PythonPlayouts>(module, "PlayoutsResult")
        .def_ro("games", &PythonPlayouts::games)
        .def_ro("positions", &PythonPlayouts::positions)
        .def_ro("plies", &PythonPlayouts::plies)
        .def_ro("unfinished", &PythonPlayouts::unfinished)
        .def_ro("sums", &PythonPlayouts::sums);
    nb::class_<MinimaxResult>(module, "MinimaxResult")
        .def_ro("value", &MinimaxResult::value)
        .def_ro("maximiser", &MinimaxResult::maximiser)
        .def_ro("line", &MinimaxResult::line)
        .def_ro("actions", &MinimaxResult::actions)
        .def_ro("nodes", &MinimaxResult::nodes)
        .def_ro("leaves", &MinimaxResult::leaves)
        .def_ro("cutoffs", &MinimaxResult::cutoffs)
        .def_ro("estimates", &MinimaxResult::estimates);
}

inline void bind_facts(nb::class_<PythonTable>& table) {
    table
        .def(
            "__init__",
            [](PythonTable* self, const nb::bytes& initial, int32_t players, double low, double high, double neutral,
               double unit, const std::optional<std::string>& repetition, bool simultaneous, bool constant_sum,
               const std::map<std::string, uintptr_t>& slots) {
                const uint64_t capabilities = capabilities_of(repetition, simultaneous, constant_sum);
                new (self) PythonTable(initial, {players, low, high, neutral, unit, capabilities}, slots);
            },
            nb::kw_only(), nb::arg("initial"), nb::arg("players"), nb::arg("low"), nb::arg("high"), nb::arg("neutral"),
            nb::arg("unit"), nb::arg("repetition").none(), nb::arg("simultaneous"), nb::arg("constant_sum"),
            nb::arg("slots"))
        .def_prop_ro("address", &PythonTable::address)
        .def_prop_ro("slots", &PythonTable::slots)
        .def_prop_ro("players", [](const PythonTable& self) { return self.table().players; })
        .def_prop_ro("low", [](const PythonTable& self) { return self.table().low; })
        .def_prop_ro("high", [](const PythonTable& self) { return self.table().high; })
        .def_prop_ro("neutral", [](const PythonTable& self) { return self.table().neutral; })
        .def_prop_ro("unit", [](const PythonTable& self) { return self.table().unit; })
        .def_prop_ro("state_size", [](const PythonTable& self) { return self.table().state_size; })
        .def_prop_ro("repetition", &repetition_of)
        .def_prop_ro("simultaneous",
                     [](const PythonTable& self) { return (self.table().capabilities & ZERMELO_SIMULTANEOUS) != 0; })
        .def_prop_ro("constant_sum",
                     [](const PythonTable& self) { return (self.table().capabilities & ZERMELO_CONSTANT_SUM) != 0; });
}

// Every query by its name, as in table.is_noisy(state, action), and the other slots.
inline void bind_slots(nb::class_<PythonTable>& table) {
#define ZERMELO_ARGUMENT_POSITION
#define ZERMELO_ARGUMENT_ACTION , nb::arg("action")
#define ZERMELO_ARGUMENT_PLAYER , nb::arg("player")
#define ZERMELO_REST_POSITION
#define ZERMELO_REST_ACTION , action
#define ZERMELO_REST_PLAYER , player
#define ZERMELO_SLOT(name, method, parameters)
#define ZERMELO_QUESTION(name, method, about, kind, otherwise)                      \
    table.def(                                                                      \
        #name,                                                                      \
        [](const PythonTable& self, const nb::bytes& bytes ZERMELO_TAKE_##about) {  \
            return self.game().name(self.state(bytes).data() ZERMELO_REST_##about); \
        },                                                                          \
        nb::arg("state") ZERMELO_ARGUMENT_##about);
#include "core/slots.def"
    table.def("initial", &read_initial)
        .def("actions", &list_actions, nb::arg("state"))
        .def("chances", &list_chances, nb::arg("state"))
        .def("info", &read_info, nb::arg("state"))
        .def("step", &take_step, nb::arg("state"), nb::arg("action"))
        .def("pass_turn", &pass_turn, nb::arg("state"))
        .def("priorities", &list_priorities, nb::arg("state"), nb::arg("actions"))
        .def("inputs", &list_inputs, nb::arg("state"), nb::arg("player"))
        .def("owners", &list_owners, nb::arg("state"), "the player who has each cell at the end of a game, or -1")
        .def("symmetric", &find_symmetric, nb::arg("state"), nb::arg("symmetry"))
        .def("symmetric_action", &find_symmetric_action, nb::arg("state"), nb::arg("action"), nb::arg("symmetry"))
        .def(
            "slice_size", [](const PythonTable& self, int64_t slice) { return self.game().slice_size(slice); },
            nb::arg("slice"))
        .def("unrank", &unrank_position, nb::arg("slice"), nb::arg("index"))
        .def("teams", &list_teams)
        .def("priors", &list_priors, nb::arg("state"), nb::arg("actions"))
        .def("policy", &ask_policy, nb::arg("state"),
             "the probabilities of the actions, and the utilities of all players")
        .def("playout", &play_out, nb::arg("state"), nb::arg("seed"), nb::arg("plies"));
}

inline void bind_rules(nb::module_& module) {
    module.attr("TERMINAL") = ZERMELO_TERMINAL;
    module.attr("RAISED") = ZERMELO_RAISED;
    module.attr("BREACH") = ZERMELO_BREACH;
    bind_results(module);
    nb::class_<PythonTable> table(module, "GameTable");
    bind_facts(table);
    bind_slots(table);
    table
        .def("sum_playouts", &sum_playouts, nb::arg("state"), nb::arg("games"), nb::arg("seed"),
             nb::arg("stop") = nb::none())
        .def("perft", &run_perft, nb::arg("state"), nb::arg("depth"), nb::arg("threads") = 1,
             nb::arg("stop") = nb::none())
        .def("playouts", &run_playouts, nb::arg("state"), nb::arg("games"), nb::arg("seed"), nb::arg("max_plies"),
             nb::arg("stop") = nb::none())
        .def("minimax", &run_minimax, nb::arg("state"), nb::arg("depth"), nb::arg("prune"), nb::arg("hard"),
             nb::arg("alpha"), nb::arg("beta"), nb::arg("stop") = nb::none());
    module.def("sides_table", &make_sides_table, nb::arg("table"), nb::arg("side_of"), nb::keep_alive<0, 1>(),
               nb::rv_policy::take_ownership);
}

}  // namespace zermelo
