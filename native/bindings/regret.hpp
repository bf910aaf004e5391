// Regret minimisation for Python. Arrays travel as bytes; strategies have one probability per action of the tree.
#pragma once

#include <nanobind/stl/shared_ptr.h>

#include <cmath>
#include <memory>

#include "bindings/table.hpp"
#include "regret/flatten.hpp"
#include "regret/form.hpp"
#include "regret/minimiser.hpp"

namespace zermelo {

template <typename Number>
std::vector<Number> numbers_of(const nb::bytes& bytes) {
    if (bytes.size() % sizeof(Number) != 0) throw nb::value_error("these are not the bytes of numbers");
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    return numbers;
}

template <typename Number>
nb::bytes bytes_of(const std::vector<Number>& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// A tree with its sequence form, and the form with equivalent information sets merged.
class PythonForm {
public:
    PythonForm(int players, const nb::bytes& infoset, const nb::bytes& first, const nb::bytes& count,
               const nb::bytes& chance, const nb::bytes& payoffs, const nb::bytes& owner, const nb::bytes& width) {
        tree.players = players;
        tree.infoset = numbers_of<int32_t>(infoset);
        tree.first = numbers_of<int32_t>(first);
        tree.count = numbers_of<int32_t>(count);
        tree.chance = numbers_of<double>(chance);
        tree.payoffs = numbers_of<double>(payoffs);
        tree.owner = numbers_of<int32_t>(owner);
        tree.width = numbers_of<int32_t>(width);
        const Unlocked unlocked;
        tree.check();
        origin = regret::make_form(tree);
    }

    const regret::Merged& merged() {
        if (!merged_) merged_ = std::make_unique<regret::Merged>(regret::merge(origin.form));
        return *merged_;
    }

    // Plans of the form from one probability per action; throws if they are not a strategy.
    std::vector<regret::Plan> plans(const nb::bytes& strategy) const {
        const std::vector<double> shares = numbers_of<double>(strategy);
        if (shares.size() != static_cast<std::size_t>(tree.offsets().back()))
            throw nb::value_error("a strategy needs one probability for every action");
        std::vector<regret::Plan> plans;
        for (int p = 0; p < tree.players; ++p) {
            const regret::Side& side = origin.form.sides[p];
            regret::Plan plan(side.sequences(), 1.0);
            for (std::size_t set = 0; set < side.sets(); ++set) {
                double sum = 0;
                for (int32_t s = side.first[set]; s < side.first[set + 1]; ++s) {
                    const double share = shares[origin.places[p][s]];
                    if (!(share >= 0)) throw nb::value_error("a probability is negative or no number");
                    plan[s] = plan[side.after[set]] * share;
                    sum += share;
                }
                if (!(std::abs(sum - 1) < 1e-6)) throw nb::value_error("the probabilities of a set do not sum to 1");
            }
            plans.push_back(std::move(plan));
        }
        return plans;
    }

    // One probability per action from plans; uniform where a set is never reached.
    nb::bytes strategy(const std::vector<regret::Plan>& plans) const {
        std::vector<double> shares(tree.offsets().back(), 0.0);
        for (int p = 0; p < tree.players; ++p) {
            const regret::Side& side = origin.form.sides[p];
            for (std::size_t set = 0; set < side.sets(); ++set) {
                const int32_t begin = side.first[set], end = side.first[set + 1];
                double sum = 0;
                for (int32_t s = begin; s < end; ++s) sum += plans[p][s];
                for (int32_t s = begin; s < end; ++s)
                    shares[origin.places[p][s]] = sum > 0 ? plans[p][s] / sum : 1.0 / static_cast<double>(end - begin);
            }
        }
        return bytes_of(shares);
    }

    // Expands plans of the merged form to plans of the form itself.
    std::vector<regret::Plan> spread(const std::vector<regret::Plan>& plans) {
        std::vector<regret::Plan> found;
        for (int p = 0; p < tree.players; ++p) {
            regret::Plan plan;
            for (const int32_t place : merged().classes[p]) plan.push_back(plans[p][place]);
            found.push_back(std::move(plan));
        }
        return found;
    }

    regret::Tree tree;
    regret::Origin origin;

private:
    std::unique_ptr<regret::Merged> merged_;
};

// A run; keeps its form alive, and stores whether it uses the merged one.
struct PythonRun {
    std::shared_ptr<PythonForm> form;
    bool merged;
    std::unique_ptr<regret::FormMinimiser> minimiser;

    nb::bytes strategy() const {
        const auto plans = minimiser->average();
        return form->strategy(merged ? form->spread(plans) : plans);
    }
};

// A tree as flat arrays, with one state of each information set.
inline regret::Flat flatten_table(const PythonTable& table, const nb::bytes& bytes, std::size_t limit,
                                  const Stop& stop) {
    const Game game = table.game();
    const StateBuffer state = table.state(bytes);
    return PythonWatch(stop).run([&](Watch& watch) { return regret::Flattener(game, limit, watch).run(state.data()); });
}

// One player's side of the form, and the index of each sequence in a strategy; in the merged form, the class of each
// sequence of the full form.
struct PythonSide {
    nb::bytes after, first, start, others, payoff, places;
};

inline PythonSide side_arrays(PythonForm& self, int p, bool merged) {
    if (p < 0 || p >= self.tree.players) throw nb::value_error("there is no such player");
    const regret::Side& side = merged ? self.merged().form.sides[p] : self.origin.form.sides[p];
    const nb::bytes places = merged ? bytes_of(self.merged().classes[p]) : bytes_of(self.origin.places[p]);
    return {bytes_of(side.after),  bytes_of(side.first),  bytes_of(side.start),
            bytes_of(side.others), bytes_of(side.payoff), places};
}

inline void bind_arrays(nb::module_& module) {
    using regret::Flat;
    nb::class_<Flat>(module, "FlatTree")
        .def_prop_ro("infoset", [](const Flat& self) { return bytes_of(self.tree.infoset); })
        .def_prop_ro("first", [](const Flat& self) { return bytes_of(self.tree.first); })
        .def_prop_ro("count", [](const Flat& self) { return bytes_of(self.tree.count); })
        .def_prop_ro("chance", [](const Flat& self) { return bytes_of(self.tree.chance); })
        .def_prop_ro("payoffs", [](const Flat& self) { return bytes_of(self.tree.payoffs); })
        .def_prop_ro("owner", [](const Flat& self) { return bytes_of(self.tree.owner); })
        .def_prop_ro("width", [](const Flat& self) { return bytes_of(self.tree.width); })
        .def_prop_ro("examples", [](const Flat& self) { return bytes_of(self.examples); });
    nb::class_<PythonSide>(module, "FormSide")
        .def_ro("after", &PythonSide::after)
        .def_ro("first", &PythonSide::first)
        .def_ro("start", &PythonSide::start)
        .def_ro("others", &PythonSide::others)
        .def_ro("payoff", &PythonSide::payoff)
        .def_ro("places", &PythonSide::places);
    nb::class_<regret::Judgement>(module, "Judgement")
        .def_ro("values", &regret::Judgement::values)
        .def_ro("best", &regret::Judgement::best);
}

inline void bind_form(nb::module_& module) {
    nb::class_<PythonForm>(module, "Form")
        .def(nb::init<int, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&, const nb::bytes&,
                      const nb::bytes&, const nb::bytes&>(),
             nb::arg("players"), nb::arg("infoset"), nb::arg("first"), nb::arg("count"), nb::arg("chance"),
             nb::arg("payoffs"), nb::arg("owner"), nb::arg("width"))
        .def("side", &side_arrays, nb::arg("player"), nb::arg("merged"))
        .def(
            "judge",
            [](PythonForm& self, const nb::bytes& strategy) {
                return regret::judge(self.origin.form, self.plans(strategy));
            },
            nb::arg("strategy"))
        .def(
            "best_response",
            [](PythonForm& self, const nb::bytes& strategy, int p) {
                if (p < 0 || p >= self.tree.players) throw nb::value_error("there is no such player");
                std::vector<regret::Plan> plans = self.plans(strategy);
                plans[p] = regret::best_response(self.origin.form, plans, p);
                return self.strategy(plans);
            },
            nb::arg("strategy"), nb::arg("player"));
}

inline void bind_runs(nb::module_& module) {
    nb::class_<PythonRun>(module, "RegretRun")
        .def_prop_ro("iterations", [](const PythonRun& self) { return self.minimiser->iterations(); })
        .def(
            "run",
            [](PythonRun& self, uint64_t iterations, unsigned threads, const Stop& stop) {
                PythonWatch(stop).run([&](Watch& watch) { self.minimiser->run(iterations, threads, watch); });
            },
            nb::arg("iterations"), nb::arg("threads"), nb::arg("stop") = nb::none())
        .def("judge",
             [](const PythonRun& self) { return regret::judge(self.minimiser->form(), self.minimiser->average()); })
        .def("strategy", &PythonRun::strategy)
        .def("save",
             [](const PythonRun& self) {
                 const std::string bytes = self.minimiser->save();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def(
            "restore",
            [](PythonRun& self, const nb::bytes& bytes) {
                self.minimiser->restore(std::string(bytes.c_str(), bytes.size()));
            },
            nb::arg("data"));
    module.def(
        "regret_passes",
        [](std::shared_ptr<PythonForm> form, double alpha, double beta, double gamma, bool floor, bool predictive,
           bool single, bool merged) {
            const regret::Form& worked = merged ? form->merged().form : form->origin.form;
            auto minimiser = regret::make_passes(worked, {alpha, beta, gamma, floor, predictive}, single);
            return PythonRun{std::move(form), merged, std::move(minimiser)};
        },
        nb::arg("form"), nb::arg("alpha"), nb::arg("beta"), nb::arg("gamma"), nb::arg("floor"), nb::arg("predictive"),
        nb::arg("single"), nb::arg("merged"));
    module.def(
        "regret_samples",
        [](std::shared_ptr<PythonForm> form, bool outcome, double exploration, uint64_t seed) {
            auto minimiser = regret::make_samples(form->tree, form->origin, outcome, exploration, seed);
            return PythonRun{std::move(form), false, std::move(minimiser)};
        },
        nb::arg("form"), nb::arg("outcome"), nb::arg("exploration"), nb::arg("seed"));
}

inline void bind_regret(nb::module_& module) {
    bind_arrays(module);
    bind_form(module);
    bind_runs(module);
    module.def("flatten", &flatten_table, nb::arg("table"), nb::arg("state"), nb::arg("limit"),
               nb::arg("stop") = nb::none());
}

}  // namespace zermelo
