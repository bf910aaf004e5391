// Public games and regret minimisation over ranges, for Python. Arrays travel as bytes.
#pragma once

#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>

#include "bindings/regret.hpp"
#include "regret/ranges/lookahead.hpp"
#include "regret/ranges/ranges.hpp"

namespace zermelo {

// A run; keeps its game alive.
struct PythonRangeRun {
    std::shared_ptr<regret::PublicGame> game;
    std::unique_ptr<regret::RangeMinimiser> minimiser;
};

// One that looks ahead; keeps its game alive.
struct PythonLookahead {
    std::shared_ptr<regret::PublicGame> game;
    std::unique_ptr<regret::Lookahead> lookahead;
};

using TwoBytes = std::array<nb::bytes, 2>;

template <typename Number>
std::array<std::vector<Number>, 2> both(const TwoBytes& bytes) {
    return {numbers_of<Number>(bytes[0]), numbers_of<Number>(bytes[1])};
}

inline regret::PublicArrays public_arrays(int32_t cards, double sum, const TwoBytes& held, const TwoBytes& weights,
                                          const std::array<nb::bytes, 6>& streets,
                                          const std::array<nb::bytes, 3>& boards, const TwoBytes& sizes,
                                          const TwoBytes& order, const TwoBytes& level) {
    return {cards,
            sum,
            both<int32_t>(held),
            both<double>(weights),
            numbers_of<int32_t>(streets[0]),
            numbers_of<int32_t>(streets[1]),
            numbers_of<int32_t>(streets[2]),
            numbers_of<int32_t>(streets[3]),
            numbers_of<int32_t>(streets[4]),
            numbers_of<double>(streets[5]),
            numbers_of<int32_t>(boards[0]),
            numbers_of<int32_t>(boards[1]),
            numbers_of<double>(boards[2]),
            both<int32_t>(sizes),
            both<int32_t>(order),
            both<int32_t>(level)};
}

inline std::vector<double> range_strategy(const regret::PublicGame& game, const nb::bytes& bytes) {
    std::vector<double> strategy = numbers_of<double>(bytes);
    if (strategy.size() != static_cast<std::size_t>(game.room[0] + game.room[1]))
        throw nb::value_error("a strategy needs one probability for every board, choice, action and hand");
    for (const double share : strategy)
        if (!(share >= 0 && std::isfinite(share))) throw nb::value_error("a probability is negative or no number");
    return strategy;
}

inline void bind_public_game(nb::module_& module) {
    using regret::PublicGame;
    nb::class_<PublicGame>(module, "PublicGame")
        .def(
            "__init__",
            [](PublicGame* self, int32_t cards, double sum, const TwoBytes& held, const TwoBytes& weights,
               const std::array<nb::bytes, 6>& streets, const std::array<nb::bytes, 3>& boards, const TwoBytes& sizes,
               const TwoBytes& order, const TwoBytes& level) {
                new (self) PublicGame(public_arrays(cards, sum, held, weights, streets, boards, sizes, order, level));
            },
            nb::arg("cards"), nb::arg("sum"), nb::arg("held"), nb::arg("weights"), nb::arg("streets"),
            nb::arg("boards"), nb::arg("sizes"), nb::arg("order"), nb::arg("level"))
        .def_prop_ro("room", [](const PublicGame& self) { return self.room; })
        .def(
            "judge",
            [](const PublicGame& self, const nb::bytes& strategy) {
                return regret::judge(self, range_strategy(self, strategy));
            },
            nb::arg("strategy"))
        .def(
            "best_response",
            [](const PublicGame& self, const nb::bytes& strategy, int p) {
                if (p != 0 && p != 1) throw nb::value_error("there is no such player");
                return bytes_of(regret::best_response(self, range_strategy(self, strategy), p));
            },
            nb::arg("strategy"), nb::arg("player"));
}

// Network tensors as bytes, a matrix and a bias for each layer; null if there are none.
inline std::shared_ptr<const DenseNetwork> value_network(const std::vector<nb::bytes>& tensors, std::size_t inputs,
                                                         std::size_t numbers) {
    if (tensors.empty()) return nullptr;
    std::vector<std::vector<float>> parts;
    for (const nb::bytes& bytes : tensors) parts.push_back(numbers_of<float>(bytes));
    const std::vector<std::span<const float>> spans(parts.begin(), parts.end());
    std::string why;
    std::shared_ptr<const DenseNetwork> made = DenseNetwork::make(spans, inputs, numbers, why);
    if (!made) throw nb::value_error(why.c_str());
    return made;
}

inline void bind_lookahead(nb::module_& module) {
    nb::class_<PythonLookahead>(module, "Lookahead")
        .def_prop_ro("iterations", [](const PythonLookahead& self) { return self.lookahead->iterations(); })
        .def(
            "run",
            [](PythonLookahead& self, uint64_t iterations, const Stop& stop) {
                PythonWatch(stop).run([&](Watch& watch) { self.lookahead->run(iterations, watch); });
            },
            nb::arg("iterations"), nb::arg("stop") = nb::none())
        .def("strategy", [](const PythonLookahead& self) { return bytes_of(self.lookahead->strategy()); })
        .def(
            "evaluate",
            [](PythonLookahead& self, int p) {
                if (p != 0 && p != 1) throw nb::value_error("there is no such player");
                self.lookahead->evaluate(p);
                return std::array<nb::bytes, 3>{bytes_of(self.lookahead->worths(p)), bytes_of(self.lookahead->deals(p)),
                                                bytes_of(self.lookahead->reaches(1 - p))};
            },
            nb::arg("player"));
    module.def(
        "look_ahead",
        [](std::shared_ptr<regret::PublicGame> game, double alpha, double beta, double gamma, bool floor,
           const std::vector<nb::bytes>& tensors, std::size_t buckets, const nb::bytes& scales,
           const nb::bytes& features, int gated, const nb::bytes& stops) {
            regret::Beyond beyond;
            beyond.scales = numbers_of<float>(scales);
            beyond.features = numbers_of<float>(features);
            beyond.buckets = buckets;
            const std::size_t deals = std::max<std::size_t>(beyond.scales.size(), 1);
            beyond.network = value_network(tensors, 2 * buckets + beyond.features.size() / deals, 2 * buckets);
            auto lookahead =
                std::make_unique<regret::Lookahead>(*game, regret::Rule{alpha, beta, gamma, floor, false},
                                                    std::move(beyond), regret::Gadget{gated, numbers_of<float>(stops)});
            return PythonLookahead{std::move(game), std::move(lookahead)};
        },
        nb::arg("game"), nb::arg("alpha"), nb::arg("beta"), nb::arg("gamma"), nb::arg("floor"), nb::arg("tensors"),
        nb::arg("buckets"), nb::arg("scales"), nb::arg("features"), nb::arg("gated"), nb::arg("stops"));
}

inline void bind_ranges(nb::module_& module) {
    bind_public_game(module);
    bind_lookahead(module);
    nb::class_<PythonRangeRun>(module, "RangeRun")
        .def_prop_ro("iterations", [](const PythonRangeRun& self) { return self.minimiser->iterations(); })
        .def(
            "run",
            [](PythonRangeRun& self, uint64_t iterations, unsigned threads, const Stop& stop) {
                PythonWatch(stop).run([&](Watch& watch) { self.minimiser->run(iterations, threads, watch); });
            },
            nb::arg("iterations"), nb::arg("threads"), nb::arg("stop") = nb::none())
        .def(
            "best", [](const PythonRangeRun& self, unsigned threads) { return self.minimiser->best(threads); },
            nb::arg("threads") = 1)
        .def("strategy", [](const PythonRangeRun& self) { return bytes_of(self.minimiser->strategy()); })
        .def("save",
             [](const PythonRangeRun& self) {
                 const std::string bytes = self.minimiser->save();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def(
            "restore",
            [](PythonRangeRun& self, const nb::bytes& bytes) {
                self.minimiser->restore(std::string(bytes.c_str(), bytes.size()));
            },
            nb::arg("data"));
    module.def(
        "regret_ranges",
        [](std::shared_ptr<regret::PublicGame> game, double alpha, double beta, double gamma, bool floor,
           bool predictive, bool single) {
            auto minimiser = regret::make_ranges(*game, {alpha, beta, gamma, floor, predictive}, single);
            return PythonRangeRun{std::move(game), std::move(minimiser)};
        },
        nb::arg("game"), nb::arg("alpha"), nb::arg("beta"), nb::arg("gamma"), nb::arg("floor"), nb::arg("predictive"),
        nb::arg("single"));
}

}  // namespace zermelo
