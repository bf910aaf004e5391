// Backgammon for Python: tables by options and networks, and self-play for training the networks.
#pragma once

#include <nanobind/ndarray.h>

#include <optional>
#include <thread>

#include "bindings/native.hpp"
#include "games/backgammon/features.hpp"
#include "games/backgammon/game.hpp"
#include "games/backgammon/id.hpp"
#include "games/backgammon/plays.hpp"
#include "games/backgammon/race.hpp"
#include "games/backgammon/selfplay.hpp"

namespace zermelo {

using Boards = nb::ndarray<const uint8_t, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const float, nb::numpy, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<float, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The networks as a Python object, shared by games and self-play.
struct PythonNetworks {
    std::shared_ptr<const backgammon::Networks> networks;
};

inline std::unique_ptr<const DenseNetwork> make_network(const std::vector<Vector>& tensors, std::size_t inputs,
                                                        std::size_t numbers) {
    std::vector<std::span<const float>> spans;
    for (const Vector& tensor : tensors) spans.emplace_back(tensor.data(), tensor.size());
    std::string why;
    auto network = DenseNetwork::make(spans, inputs, numbers, why);
    if (!network) throw nb::value_error(why.c_str());
    return network;
}

inline PythonTable* make_backgammon(int match, bool cube, bool jacoby, const PythonNetworks* networks) {
    if (match < 0 || match > backgammon::MAX_MATCH) throw nb::value_error("a match has up to 64 points");
    auto rules = std::make_shared<const backgammon::Rules>(backgammon::Options{match, cube, jacoby},
                                                           networks ? networks->networks : nullptr);
    const zermelo_table table = backgammon::make_table(*rules);
    return new PythonTable(table, std::move(rules));
}

inline const backgammon::Rules& rules_of(const PythonTable& table) {
    return *static_cast<const backgammon::Rules*>(table.table().context);
}

inline const backgammon::State& backgammon_state(const StateBuffer& state) {
    return *reinterpret_cast<const backgammon::State*>(state.data());
}

inline nb::bytes read_backgammon(const PythonTable& table, const std::string& text) {
    StateBuffer state = table.game().buffer();
    std::string why;
    auto& made = *reinterpret_cast<backgammon::State*>(state.data());
    if (!backgammon::read_ids(text, rules_of(table), made, why)) throw nb::value_error(why.c_str());
    return table.bytes(state);
}

// Boards as rows of 50 counts: those of the player on roll, then the other's.
inline backgammon::Board board_at(const Boards& boards, std::size_t row) {
    backgammon::Board board;
    const uint8_t* from = boards.data() + row * 2 * board.own.size();
    std::copy_n(from, board.own.size(), board.own.begin());
    std::copy_n(from + board.own.size(), board.other.size(), board.other.begin());
    if (backgammon::chequers(board.own) > backgammon::CHEQUERS ||
        backgammon::chequers(board.other) > backgammon::CHEQUERS)
        throw nb::value_error("a player has more than fifteen chequers");
    return board;
}

inline void check_rows(const Boards& boards, std::size_t rows) {
    if (boards.shape(1) != 2 * (backgammon::POINTS + 1) || boards.shape(0) != rows)
        throw nb::value_error("boards are rows of 50 counts, as many as there are rows to fill");
}

inline void write_row(const backgammon::Inputs& inputs, float* out) {
    for (int i = 0; i < inputs.count; ++i) out[inputs.index[i]] = inputs.value[i];
}

// Fills a row of inputs for each board.
inline void write_inputs(const Boards& boards, const Matrix& inputs) {
    check_rows(boards, inputs.shape(0));
    if (inputs.shape(1) != backgammon::INPUTS) throw nb::value_error("rows of inputs have another width");
    std::fill_n(inputs.data(), inputs.size(), 0.f);
    backgammon::Inputs found;
    for (std::size_t row = 0; row < boards.shape(0); ++row) {
        backgammon::find_inputs(board_at(boards, row), found);
        write_row(found, inputs.data() + row * backgammon::INPUTS);
    }
}

// Sides as rows of 25 counts, without chequers on the bar.
inline backgammon::Side side_at(const Boards& sides, std::size_t row) {
    backgammon::Side side;
    std::copy_n(sides.data() + row * side.size(), side.size(), side.begin());
    if (backgammon::chequers(side) > backgammon::CHEQUERS)
        throw nb::value_error("a player has more than fifteen chequers");
    if (side[backgammon::BAR]) throw nb::value_error("in a race nobody is on the bar");
    return side;
}

inline void check_sides(const Boards& sides, const Matrix& rows, std::size_t width) {
    if (sides.shape(1) != backgammon::POINTS + 1 || sides.shape(0) != rows.shape(0) || rows.shape(1) != width)
        throw nb::value_error("sides are rows of 25 counts, as many as there are rows of the right width to fill");
}

// The same for a side of a race.
inline void write_race_inputs(const Boards& sides, const Matrix& inputs) {
    check_sides(sides, inputs, backgammon::RACE_INPUTS);
    std::fill_n(inputs.data(), inputs.size(), 0.f);
    backgammon::Inputs found;
    for (std::size_t row = 0; row < sides.shape(0); ++row) {
        backgammon::find_race_inputs(side_at(sides, row), found);
        write_row(found, inputs.data() + row * backgammon::RACE_INPUTS);
    }
}

// Fills a row for each side: the probability of each number of rolls until all its chequers are off, then until the
// first is.
inline void write_needs(const PythonNetworks& networks, const Boards& sides, const Matrix& needs, int plies) {
    check_sides(sides, needs, backgammon::RACE_NUMBERS);
    if (plies < 0 || plies > 1) throw nb::value_error("a race is looked at 0 or 1 plies ahead");
    const nb::gil_scoped_release others_go_on;
    for (std::size_t row = 0; row < sides.shape(0); ++row) {
        const backgammon::Needs found = backgammon::needs_of(side_at(sides, row), *networks.networks->race, plies);
        float* out = needs.data() + row * backgammon::RACE_NUMBERS;
        std::copy(found.all.begin(), found.all.end(), out);
        std::copy(found.first.begin(), found.first.end(), out + backgammon::MAX_ROLLS);
    }
}

// Fills a row of five probabilities for each board, by the networks and the tables, with a lookahead of some rolls.
inline void write_chances(const PythonNetworks& networks, const Boards& boards, const Matrix& chances, int plies) {
    check_rows(boards, chances.shape(0));
    if (chances.shape(1) != backgammon::CHANCES) throw nb::value_error("rows of chances have another width");
    if (plies < 0 || plies > 3) throw nb::value_error("look 0 to 3 plies ahead");
    for (std::size_t row = 0; row < boards.shape(0); ++row) {
        const backgammon::Chances found = backgammon::look_ahead(board_at(boards, row), *networks.networks, plies);
        std::copy(found.begin(), found.end(), chances.data() + row * backgammon::CHANCES);
    }
}

// The boards after a roll, with the other on roll, as one byte string.
inline nb::bytes write_plays(const Boards& boards, int first, int second) {
    check_rows(boards, 1);
    if (std::min(first, second) < 1 || std::max(first, second) > 6) throw nb::value_error("a die shows 1 to 6");
    std::vector<backgammon::Play> plays;
    backgammon::find_plays(board_at(boards, 0), first, second, plays);
    std::vector<backgammon::Board> after;
    for (const backgammon::Play& play : plays) after.push_back(play.after.turned());
    return nb::bytes(reinterpret_cast<const char*>(after.data()), after.size() * sizeof(backgammon::Board));
}

inline nb::tuple run_lessons(const PythonNetworks& networks, const backgammon::SelfPlay& settings, nb::object stop) {
    const backgammon::Lessons lessons = PythonWatch(std::move(stop)).run([&](Watch& watch) {
        return backgammon::play_for_lessons(*networks.networks, settings, watch);
    });
    return nb::make_tuple(nb::bytes(reinterpret_cast<const char*>(lessons.boards.data()),
                                    lessons.boards.size() * sizeof(backgammon::Board)),
                          nb::bytes(reinterpret_cast<const char*>(lessons.targets.data()),
                                    lessons.targets.size() * sizeof(backgammon::Chances)));
}

inline std::vector<int> run_duel(const PythonNetworks& first, const PythonNetworks& second, uint64_t pairs,
                                 uint64_t seed, unsigned threads, nb::object stop) {
    return PythonWatch(std::move(stop)).run([&](Watch& watch) {
        return backgammon::play_duel(*first.networks, *second.networks, pairs, seed, threads, watch);
    });
}

inline void bind_backgammon(nb::module_& module) {
    static_assert(sizeof(backgammon::Board) == 2 * (backgammon::POINTS + 1));
    nb::class_<PythonNetworks>(module, "BackgammonNetworks")
        .def("__init__", [](PythonNetworks* self, const std::vector<Vector>& contact, const std::vector<Vector>& race) {
            auto made = std::make_shared<backgammon::Networks>();
            made->contact = make_network(contact, backgammon::INPUTS, backgammon::CHANCES);
            made->race = make_network(race, backgammon::RACE_INPUTS, backgammon::RACE_NUMBERS);
            new (self) PythonNetworks{std::move(made)};
        });
    module.attr("BACKGAMMON_INPUTS") = static_cast<int>(backgammon::INPUTS);
    module.attr("BACKGAMMON_RACE_INPUTS") = static_cast<int>(backgammon::RACE_INPUTS);
    module.attr("BACKGAMMON_MOST_ROLLS") = static_cast<int>(backgammon::MAX_ROLLS);
    module.def("backgammon_table", &make_backgammon, nb::arg(), nb::arg(), nb::arg(), nb::arg().none(),
               nb::rv_policy::take_ownership);
    module.def("backgammon_write", [](const PythonTable& table, const nb::bytes& bytes) {
        return backgammon::write_ids(backgammon_state(table.state(bytes)), rules_of(table));
    });
    module.def("backgammon_read", &read_backgammon);
    module.def("backgammon_explain", [](const PythonTable& table, const nb::bytes& bytes) {
        return rules_of(table).explain(backgammon_state(table.state(bytes)));
    });
    module.def("backgammon_equity", [](const PythonTable& table, int own, int other, bool after_crawford) {
        const int length = rules_of(table).options.match;
        if (std::min(own, other) < 0 || std::max(own, other) > length) throw nb::value_error("no such score");
        return rules_of(table).equities.chance(own, other, after_crawford);
    });
    module.def("backgammon_plays", &write_plays);
    module.def("backgammon_inputs", &write_inputs);
    module.def("backgammon_race_inputs", &write_race_inputs);
    module.def("backgammon_chances", &write_chances);
    module.def("backgammon_needs", &write_needs);
    module.def(
        "backgammon_lessons",
        [](const PythonNetworks& networks, uint64_t games, uint64_t first, uint64_t seed, unsigned threads,
           double lambda, double lookahead, double strange, nb::object stop) {
            return run_lessons(networks, {games, first, seed, threads, lambda, lookahead, strange}, std::move(stop));
        },
        nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    module.def("backgammon_duel", &run_duel, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
}

}  // namespace zermelo
