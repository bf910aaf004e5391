// What grid networks learn from, their trainer, and who judges positions of self-play for them.
#pragma once

#include <nanobind/ndarray.h>

#include "bindings/networks.hpp"
#include "bindings/table.hpp"
#include "selfplay/grid_samples.hpp"
#include "selfplay/judged.hpp"

namespace zermelo {

// Who judges positions in batches: arrays in which they are exchanged, and a function that is called with the number of a group.
struct PythonJudge {
    using Inputs = nb::ndarray<uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
    using Outputs = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

    JudgeSettings settings;
    std::vector<Inputs> inputs;
    std::vector<Outputs> outputs;
    nb::object call;

    PythonJudge(const GridShape& shape, std::vector<Inputs> given_inputs, std::vector<Outputs> given_outputs,
                nb::object given)
        : inputs(std::move(given_inputs)), outputs(std::move(given_outputs)), call(std::move(given)) {
        settings.shape = std::make_shared<const GridShape>(shape);
        if (inputs.size() != 2 || outputs.size() != 2) throw nb::value_error("positions are judged in two groups");
        settings.rows = inputs[0].shape(0);
        for (std::size_t i = 0; i < 2; ++i) {
            const bool fits = inputs[i].shape(0) == settings.rows && outputs[i].shape(0) == settings.rows &&
                              inputs[i].shape(1) == settings.words() && outputs[i].shape(1) == settings.outputs();
            if (!fits) throw nb::value_error("the arrays of a judge do not fit the shape of its network");
            settings.groups[i] = {inputs[i].data(), outputs[i].data()};
        }
        settings.judge = [this](std::size_t group) {
            const nb::gil_scoped_acquire locked;
            call(group);
        };
    }
    PythonJudge(const PythonJudge&) = delete;
};

inline void bind_grid_samples(nb::module_& module) {
    const auto copied = [](auto member) {
        return [member](const GridSamples& samples) { return make_array(member(samples)); };
    };
    constexpr auto automatic = nb::rv_policy::automatic;
    nb::class_<GridSamples>(module, "GridSamples", "positions to learn from; lists of different length have `starts`")
        .def(nb::init<const GridShape&>(), nb::arg("shape"))
        .def("extend", &GridSamples::extend, nb::arg("others"), "adds those of other samples of the same shape")
        .def("clear", &GridSamples::clear)
        .def("__len__", &GridSamples::size)
        .def_prop_ro("places", copied([](const GridSamples& all) { return all.on.items; }), automatic)
        .def_prop_ro("place_starts", copied([](const GridSamples& all) { return all.on.starts; }), automatic)
        .def_prop_ro("legal", copied([](const GridSamples& all) { return all.legal.items; }), automatic)
        .def_prop_ro("legal_starts", copied([](const GridSamples& all) { return all.legal.starts; }), automatic)
        .def_prop_ro("visited", copied([](const GridSamples& all) { return all.visited.items; }), automatic)
        .def_prop_ro("visited_starts", copied([](const GridSamples& all) { return all.visited.starts; }), automatic)
        .def_prop_ro("shares", copied([](const GridSamples& all) { return all.shares; }), automatic)
        .def_prop_ro("movers", copied([](const GridSamples& all) { return all.movers; }), automatic)
        .def_prop_ro("values", copied([](const GridSamples& all) { return all.values; }), automatic)
        .def_prop_ro("owned", copied([](const GridSamples& all) { return all.owned; }), automatic,
                     "of each cell in the end, in halves: 2 the mover's, 1 nobody's, 255 not known");
}

inline void bind_grid_trainer(nb::module_& module) {
    // The mean loss of policy and value together.
    const auto sum = [](const GridLosses& losses) { return losses.policy + losses.value + losses.owners; };
    const auto source = [](const GridSamples& samples) { return [&samples](std::size_t i) { return samples.at(i); }; };
    nb::class_<GridTrainer>(module, "GridTrainer")
        .def(
            "__init__",
            [](GridTrainer* self, const GridShape& shape, uint32_t batch, unsigned threads, float decay,
               uint64_t seed) {
                if (batch == 0 || threads == 0) throw nb::value_error("a trainer has a batch and a thread at least");
                new (self) GridTrainer(shape, GridTrainerSettings{batch, threads, decay, seed});
            },
            nb::arg("shape"), nb::kw_only(), nb::arg("batch"), nb::arg("threads"), nb::arg("decay"), nb::arg("seed"))
        .def(
            "learn",
            [=](GridTrainer& self, const GridSamples& samples, uint64_t steps, float rate) {
                const Unlocked unlocked;
                return sum(self.learn(source(samples), samples.size(), steps, rate));
            },
            nb::arg("samples"), nb::arg("steps"), nb::arg("rate"), "returns the mean loss")
        .def(
            "loss",
            [=](const GridTrainer& self, const GridSamples& samples) {
                const Unlocked unlocked;
                return sum(self.losses(source(samples), samples.size()));
            },
            nb::arg("samples"))
        .def(
            "gradient",
            [=](GridTrainer& self, const GridSamples& samples) {
                return make_array(self.gradient(source(samples), samples.size()));
            },
            nb::arg("samples"), "of the mean loss")
        .def(
            "outputs",
            [](const GridTrainer& self, const GridSamples& samples, std::size_t index) {
                if (index >= samples.size()) throw nb::index_error("there is no such sample");
                return self.outputs(samples.at(index));
            },
            nb::arg("samples"), nb::arg("index"), "the logits of all known actions, and the output of the value")
        .def_prop_rw(
            "weights", [](const GridTrainer& self) { return make_array(std::vector<float>(self.weights())); },
            [](GridTrainer& self, const Numbers<float>& weights) { self.load(copy_array(weights)); },
            nb::for_getter(nb::rv_policy::automatic));
}

inline void bind_grid_learning(nb::module_& module) {
    bind_grid_samples(module);
    bind_grid_trainer(module);
    nb::class_<PythonJudge>(module, "Judge", "judges positions in batches: two arrays of inputs, two of outputs")
        .def(nb::init<const GridShape&, std::vector<PythonJudge::Inputs>, std::vector<PythonJudge::Outputs>,
                      nb::object>(),
             nb::arg("shape"), nb::arg("inputs"), nb::arg("outputs"), nb::arg("call"));
}

}  // namespace zermelo
