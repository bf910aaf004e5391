// Self-play and recorded games for Python: blocks are bytes, positions come as columns.
#pragma once

#include <nanobind/ndarray.h>

#include <limits>

#include "bindings/grid_learning.hpp"
#include "bindings/networks.hpp"
#include "bindings/table.hpp"
#include "bindings/tables.hpp"
#include "selfplay/grid_samples.hpp"
#include "selfplay/match.hpp"
#include "selfplay/records.hpp"
#include "selfplay/samples.hpp"
#include "selfplay/selfplay.hpp"

namespace zermelo {

inline nb::bytes make_bytes(const Bytes& bytes) {
    return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

inline const char* ending_name(Ending ending) {
    static constexpr const char* NAMES[ENDINGS] = {"rules", "repetition", "proof", "length"};
    return NAMES[static_cast<int>(ending)];
}

// A recorded game with its actions.
struct PythonRecord {
    uint64_t number;
    const char* ending;
    nb::bytes start;  // the state, also where it is the initial one
    std::vector<int64_t> actions;
    std::vector<int32_t> movers;
    std::vector<double> scores;  // NaN where there is none
    std::vector<uint8_t> flags;
    std::vector<std::vector<std::pair<int64_t, double>>> visits;  // shares of actions, empty where there are none
    std::vector<double> utilities;
};

// The positions of a block in which players moved, by column.
struct PositionColumns {
    nb::bytes states, movers, actions, scores, flags, results, plies, left;
};

class PythonRecords {
public:
    using Data = nb::ndarray<const uint8_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

    PythonRecords(const PythonTable& table, Data data)
        : table_(table), data_(std::move(data)),
          file_({reinterpret_cast<const std::byte*>(data_.data()), data_.size()}),
          steps_(table.table().low, table.table().high) {
        if (file_.header().state_size != table.table().state_size ||
            !(file_.header() == header_of(table.table(), file_.header().name, file_.header().initial)))
            throw RecordError("these are records of another game: " + file_.header().name);
    }

    const RecordFile& file() const { return file_; }

    std::vector<PythonRecord> read_games(std::size_t block) const {
        std::vector<PythonRecord> games;
        Replay replay(table_.table(), file_.header().initial);
        each_game(block, [&](const GameRecord& record) {
            PythonRecord made{record.number,   ending_name(record.ending), nb::bytes("", 0), {}, {}, {}, {}, {},
                              record.utilities};
            replay.run(record, [&](const ReplayedPosition& position) {
                if (position.ply == 0) made.start = state_bytes(position.state);
                made.actions.push_back(position.action);
                made.movers.push_back(position.mover);
                made.scores.push_back(score(position.move));
                made.flags.push_back(position.move.flags);
                made.visits.emplace_back();
                for (const VisitShare& each : position.visits)
                    made.visits.back().emplace_back(position.actions.actions[each.index],
                                                    static_cast<double>(each.share) / VisitShare::WHOLE);
            });
            if (record.moves.empty()) made.start = state_bytes(replay.last(record));
            games.push_back(std::move(made));
        });
        return games;
    }

    PositionColumns read_positions(std::size_t block) const {
        std::vector<std::byte> states;
        std::vector<int32_t> movers;
        std::vector<int64_t> actions;
        std::vector<float> scores, results;
        std::vector<uint8_t> flags;
        std::vector<uint32_t> plies, left;
        Replay replay(table_.table(), file_.header().initial);
        each_game(block, [&](const GameRecord& record) {
            replay.run(record, [&](const ReplayedPosition& position) {
                if (position.mover < 0) return;
                states.insert(states.end(), position.state, position.state + table_.table().state_size);
                movers.push_back(position.mover);
                actions.push_back(position.action);
                scores.push_back(static_cast<float>(score(position.move)));
                flags.push_back(position.move.flags);
                results.push_back(static_cast<float>(record.utilities[static_cast<std::size_t>(position.mover)]));
                plies.push_back(position.ply);
                left.push_back(position.left);
            });
        });
        return {column(states), column(movers),  column(actions), column(scores),
                column(flags),  column(results), column(plies),   column(left)};
    }

    // Replays the games of a block; returns the number of positions.
    uint64_t replay(std::size_t block) const {
        const Unlocked unlocked;
        uint64_t positions = 0;
        Replay replay(table_.table(), file_.header().initial);
        each_game(block,
                  [&](const GameRecord& record) { replay.run(record, [&](const ReplayedPosition&) { ++positions; }); });
        return positions;
    }

    // Adds what a network can learn from a block.
    template <typename NetworkSamples>
    void add_samples(std::size_t block, NetworkSamples& samples, double score_share, bool quiet_only,
                     double score_slope, int32_t symmetries, uint64_t seed, double quick_share) const {
        if (block >= file_.blocks().size()) throw nb::index_error("there is no such block");
        if (symmetries < 1) throw nb::value_error("a game has one symmetry at least");
        const Unlocked unlocked;
        const SampleSettings settings{.score_share = score_share,
                                      .score_slope = score_slope,
                                      .symmetries = symmetries,
                                      .seed = seed,
                                      .quiet_only = quiet_only,
                                      .quick_share = quick_share};
        zermelo::add_samples(table_.table(), file_, block, settings, samples);
    }

private:
    template <typename Take>
    void each_game(std::size_t block, const Take& take) const {
        if (block >= file_.blocks().size()) throw nb::index_error("there is no such block");
        BlockReader reader(table_.table(), file_.blocks()[block]);
        GameRecord record;
        while (reader.next(record)) take(record);
    }

    nb::bytes state_bytes(const std::byte* state) const {
        return nb::bytes(reinterpret_cast<const char*>(state), table_.table().state_size);
    }

    template <typename Item>
    static nb::bytes column(const std::vector<Item>& items) {
        return nb::bytes(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
    }

    double score(const RecordedMove& move) const {
        return move.flags & SCORED ? steps_.utility(move.score) : std::numeric_limits<double>::quiet_NaN();
    }

    const PythonTable& table_;
    const Data data_;
    const RecordFile file_;
    const ScoreSteps steps_;
};

// Games on native threads, one call at a time.
template <typename Core>
class PythonGames {
public:
    template <typename... Arguments>
    explicit PythonGames(std::in_place_t, Arguments&&... arguments) : core_(std::forward<Arguments>(arguments)...) {}

    // Calls `play`, which returns what is complete when it is stopped.
    template <typename Play>
    auto run(const Stop& stop, const Play& play) {
        const Turn turn(busy_);
        PythonWatch watch(stop, next_question_);
        auto played = watch.run([&](Watch& inner) { return play(core_, inner); });
        next_question_ = watch.next();
        interrupted_ |= watch.interrupted();
        return played;
    }

    const char* stopped() const { return interrupted_ ? "interrupt" : core_.stopped() ? "stop" : ""; }
    const GamesProgress& progress() const { return core_.progress(); }

private:
    Core core_;
    Watch::Clock::time_point next_question_ = Watch::Clock::now() + Watch::interval;
    bool interrupted_ = false;
    std::atomic<bool> busy_ = false;
};

using PythonSelfPlay = PythonGames<SelfPlay>;
using PythonMatch = PythonGames<Match>;

template <typename Games>
void bind_progress(nb::class_<Games>& games) {
    games.def_prop_ro("stopped", &Games::stopped, "what ended it before the last game: stop or interrupt")
        .def_prop_ro("positions", [](const Games& self) { return self.progress().positions.load(); })
        .def_prop_ro("nodes", [](const Games& self) { return self.progress().nodes.load(); })
        .def_prop_ro(
            "search_seconds", [](const Games& self) { return 1e-9 * self.progress().search_nanoseconds.load(); },
            "of all threads together")
        .def_prop_ro(
            "total_seconds", [](const Games& self) { return 1e-9 * self.progress().total_nanoseconds.load(); },
            "the same, with all that is done beside searching");
}

inline void bind_players(nb::module_& module) {
    nb::enum_<PlayMethod>(module, "PlayMethod")
        .value("auto", PlayMethod::automatic)
        .value("alphabeta", PlayMethod::alphabeta)
        .value("expectation", PlayMethod::expectation)
        .value("mcts", PlayMethod::mcts);
    nb::class_<PlayerSettings>(module, "PlayerSettings")
        .def(
            "__init__",
            [](PlayerSettings* self, PlayMethod method, std::optional<uint64_t> nodes,
               std::optional<uint64_t> simulations, std::optional<double> seconds, uint64_t table_bytes, bool evaluates,
               const std::map<std::string, bool>& switches, const std::map<std::string, double>& parameters,
               const std::vector<DepthPair>& depth_pairs, const MctsSettings& mcts) {
                EngineSettings engine;
                engine.parameters = tuned(parameters);
                engine.depth_pairs = DepthPairs(depth_pairs);
                new (self) PlayerSettings{method,
                                          nodes.value_or(std::numeric_limits<uint64_t>::max()),
                                          simulations.value_or(std::numeric_limits<uint64_t>::max()),
                                          seconds.value_or(-1.0),
                                          table_bytes,
                                          evaluates,
                                          switched(engine, switches),
                                          mcts};
            },
            nb::kw_only(), nb::arg("method"), nb::arg("nodes").none(), nb::arg("simulations").none(),
            nb::arg("seconds").none(), nb::arg("table_bytes"), nb::arg("evaluates"), nb::arg("switches"),
            nb::arg("parameters"), nb::arg("depth_pairs"), nb::arg("mcts"));
}

inline void bind_exploration(nb::module_& module) {
    nb::class_<ExplorationSettings>(module, "ExplorationSettings")
        .def(
            "__init__",
            [](ExplorationSettings* self, bool visits, double full_share, double quick_part, double noise,
               double noise_share, unsigned drawn_plies) {
                new (self) ExplorationSettings{visits, full_share, quick_part, noise, noise_share, drawn_plies};
            },
            nb::kw_only(), nb::arg("visits"), nb::arg("full_share"), nb::arg("quick_part"), nb::arg("noise"),
            nb::arg("noise_share"), nb::arg("drawn_plies"));
}

inline void bind_records(nb::module_& module) {
    nb::enum_<MoveFlags>(module, "MoveFlags", nb::is_flag())
        .value("scored", SCORED, "a search gave the position a score")
        .value("proved", PROVED, "the score rests on no estimate")
        .value("quiet", QUIET, "the best action is not noisy, and the mover is not in check")
        .value("explored", EXPLORED, "another action than the best was played");
    module.def(
        "record_header",
        [](const PythonTable& table, const std::string& name, const nb::bytes& initial) {
            const StateBuffer state = table.state(initial);
            return make_bytes(write_header(header_of(table.table(), name, {state.data(), initial.size()})));
        },
        nb::arg("table"), nb::arg("name"), nb::arg("initial"));
    nb::class_<PythonRecord>(module, "GameRecord")
        .def_ro("number", &PythonRecord::number)
        .def_ro("ending", &PythonRecord::ending, "rules, repetition, proof or length")
        .def_ro("start", &PythonRecord::start)
        .def_ro("actions", &PythonRecord::actions)
        .def_ro("movers", &PythonRecord::movers)
        .def_ro("scores", &PythonRecord::scores, "of the movers; NaN where there is none")
        .def_ro("flags", &PythonRecord::flags, "MoveFlags")
        .def_ro("visits", &PythonRecord::visits, "(action, share) of the actions that a search has visited")
        .def_ro("utilities", &PythonRecord::utilities);
    nb::class_<PositionColumns>(module, "PositionColumns")
        .def_ro("states", &PositionColumns::states)
        .def_ro("movers", &PositionColumns::movers, "int32")
        .def_ro("actions", &PositionColumns::actions, "int64")
        .def_ro("scores", &PositionColumns::scores, "float32, of the movers; NaN where there is none")
        .def_ro("flags", &PositionColumns::flags, "uint8: MoveFlags")
        .def_ro("results", &PositionColumns::results, "float32, of the movers")
        .def_ro("plies", &PositionColumns::plies, "uint32, from the start")
        .def_ro("left", &PositionColumns::left, "uint32, to the end");
    nb::class_<PythonRecords>(module, "GameRecords")
        .def(nb::init<const PythonTable&, PythonRecords::Data>(), nb::arg("table"), nb::arg("data"),
             nb::keep_alive<1, 2>())
        .def_prop_ro("name", [](const PythonRecords& self) { return self.file().header().name; })
        .def_prop_ro("blocks", [](const PythonRecords& self) { return self.file().blocks().size(); })
        .def_prop_ro("games", [](const PythonRecords& self) { return self.file().games(); })
        .def_prop_ro("moves", [](const PythonRecords& self) { return self.file().moves(); })
        .def_prop_ro(
            "note", [](const PythonRecords& self) { return self.file().note(); },
            "about a last block that was left out; else empty")
        .def_prop_ro(
            "end", [](const PythonRecords& self) { return self.file().end(); }, "bytes, without what was left out")
        .def("read_games", &PythonRecords::read_games, nb::arg("block"))
        .def("read_positions", &PythonRecords::read_positions, nb::arg("block"))
        .def("replay", &PythonRecords::replay, nb::arg("block"))
        .def("add_samples", &PythonRecords::add_samples<Samples>, nb::arg("block"), nb::arg("samples"), nb::kw_only(),
             nb::arg("score_share"), nb::arg("quiet_only"), nb::arg("score_slope") = 0.0, nb::arg("symmetries") = 1,
             nb::arg("seed") = 0, nb::arg("quick_share") = 1.0)
        .def("add_samples", &PythonRecords::add_samples<GridSamples>, nb::arg("block"), nb::arg("samples"),
             nb::kw_only(), nb::arg("score_share"), nb::arg("quiet_only"), nb::arg("score_slope") = 0.0,
             nb::arg("symmetries") = 1, nb::arg("seed") = 0, nb::arg("quick_share") = 1.0);
}

inline std::vector<StateBuffer> make_states(const PythonTable& table, const std::vector<nb::bytes>& states) {
    std::vector<StateBuffer> made;
    for (const nb::bytes& bytes : states) made.push_back(table.state(bytes));
    return made;
}

inline void bind_match(nb::module_& module) {
    nb::class_<MatchGame>(module, "MatchGame")
        .def_prop_ro("half_points", &MatchGame::half_points, "of the first player: 2 for a win, 1 for a draw")
        .def_prop_ro("utilities", [](const MatchGame& game) { return make_utilities(game.utilities); })
        .def_prop_ro("ending", [](const MatchGame& game) { return ending_name(game.ending); })
        .def_ro("plies", &MatchGame::plies);
    nb::class_<MatchPair>(module, "MatchPair")
        .def_ro("number", &MatchPair::number)
        .def_prop_ro("half_points", &MatchPair::half_points, "of the first player, 0 to 4")
        .def_prop_ro("games", [](const MatchPair& pair) { return std::pair(pair.games[0], pair.games[1]); });
    nb::class_<PythonMatch> match(module, "Match");
    match
        .def(
            "__init__",
            [](PythonMatch* self, const PythonTable& first_table, const PythonTable& second_table,
               const PlayerSettings& first_player, const PlayerSettings& second_player, uint64_t pairs, uint64_t first,
               uint64_t seed, unsigned threads, unsigned least_plies, unsigned most_plies,
               const std::vector<double>& weights, uint64_t opening_nodes, unsigned longest_plies, bool ends_won,
               unsigned occurrences, const std::pair<nb::bytes, nb::bytes>& initial,
               const std::pair<std::vector<nb::bytes>, std::vector<nb::bytes>>& starts,
               const PythonTables* first_endings, const PythonTables* second_endings) {
                MatchSettings settings{
                    pairs,
                    first,
                    seed,
                    threads,
                    {first_player, second_player},
                    {least_plies, most_plies, weights},
                    opening_nodes,
                    longest_plies,
                    ends_won,
                    occurrences,
                    {first_table.state(initial.first), second_table.state(initial.second)},
                    {make_states(first_table, starts.first), make_states(second_table, starts.second)},
                    {core_tables(first_endings), core_tables(second_endings)}};
                new (self) PythonMatch(std::in_place, first_table.table(), second_table.table(), std::move(settings));
            },
            nb::arg("first_table"), nb::arg("second_table"), nb::arg("first_player"), nb::arg("second_player"),
            nb::kw_only(), nb::arg("pairs"), nb::arg("first"), nb::arg("seed"), nb::arg("threads"),
            nb::arg("least_plies"), nb::arg("most_plies"), nb::arg("weights"), nb::arg("opening_nodes"),
            nb::arg("longest_plies"), nb::arg("ends_won"), nb::arg("occurrences"), nb::arg("initial"),
            nb::arg("starts"), nb::arg("first_endings").none(), nb::arg("second_endings").none(),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 19>(), nb::keep_alive<1, 20>())
        .def(
            "next_pairs",
            [](PythonMatch& self, const Stop& stop) {
                return self.run(stop, [](Match& match, Watch& watch) { return match.next_pairs(watch); });
            },
            nb::arg("stop").none(), "the pairs that are complete, in order and at least one; none after the last")
        .def_prop_ro("pairs", [](const PythonMatch& self) { return self.progress().games.load(); });
    bind_progress(match);
}

inline void bind_selfplay(nb::module_& module) {
    bind_players(module);
    bind_exploration(module);
    bind_records(module);
    bind_grid_learning(module);
    bind_match(module);
    nb::class_<PythonSelfPlay> selfplay(module, "SelfPlay");
    selfplay
        .def(
            "__init__",
            [](PythonSelfPlay* self, const PythonTable& table, const PlayerSettings& player, uint64_t games,
               uint64_t first, uint64_t seed, unsigned threads, uint64_t block_games, double nodes_spread,
               unsigned least_plies, unsigned most_plies, const std::vector<double>& weights, unsigned variety_plies,
               double variety_chance, double variety_margin, const ExplorationSettings& exploration,
               unsigned longest_plies, bool ends_proved, int64_t ending_stage, uint64_t ending_nodes,
               unsigned occurrences, const nb::bytes& initial, const std::vector<nb::bytes>& starts,
               const PythonTables* endings, const PythonJudge* judge) {
                SelfPlaySettings settings{games,
                                          first,
                                          seed,
                                          threads,
                                          block_games,
                                          player,
                                          nodes_spread,
                                          {least_plies, most_plies, weights},
                                          variety_plies,
                                          variety_chance,
                                          variety_margin,
                                          exploration,
                                          longest_plies,
                                          ends_proved,
                                          ending_stage,
                                          ending_nodes,
                                          occurrences,
                                          table.state(initial),
                                          make_states(table, starts),
                                          core_tables(endings)};
                if (judge) settings.judged = judge->settings;
                new (self) PythonSelfPlay(std::in_place, table.table(), std::move(settings));
            },
            nb::arg("table"), nb::arg("player"), nb::kw_only(), nb::arg("games"), nb::arg("first"), nb::arg("seed"),
            nb::arg("threads"), nb::arg("block_games"), nb::arg("nodes_spread"), nb::arg("least_plies"),
            nb::arg("most_plies"), nb::arg("weights"), nb::arg("variety_plies"), nb::arg("variety_chance"),
            nb::arg("variety_margin"), nb::arg("exploration"), nb::arg("longest_plies"), nb::arg("ends_proved"),
            nb::arg("ending_stage"), nb::arg("ending_nodes"), nb::arg("occurrences"), nb::arg("initial"),
            nb::arg("starts"), nb::arg("endings").none(), nb::arg("judge").none(), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 24>(), nb::keep_alive<1, 25>())
        .def(
            "next_block",
            [](PythonSelfPlay& self, const Stop& stop) -> std::optional<nb::bytes> {
                const std::optional<Bytes> block =
                    self.run(stop, [](SelfPlay& selfplay, Watch& watch) { return selfplay.next_block(watch); });
                if (!block) return std::nullopt;
                return make_bytes(*block);
            },
            nb::arg("stop").none(), "the bytes of the next games, in order; None after the last")
        .def_prop_ro("games", [](const PythonSelfPlay& self) { return self.progress().games.load(); });
    bind_progress(selfplay);
}

}  // namespace zermelo
