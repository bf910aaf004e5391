// Networks for Python: their inputs, what they learn from, the trainer, and games that a network evaluates.
#pragma once

#include <nanobind/ndarray.h>

#include "bindings/table.hpp"
#include "networks/attach.hpp"
#include "networks/trainer.hpp"
#include "search/score.hpp"

namespace zermelo {

template <typename Number>
using Numbers = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Number>
using NewNumbers = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

// A NumPy array that owns its numbers.
template <typename Number>
NewNumbers<Number> make_array(std::vector<Number> numbers) {
    auto* kept = new std::vector<Number>(std::move(numbers));
    const nb::capsule owner(kept, [](void* held) noexcept { delete static_cast<std::vector<Number>*>(held); });
    return NewNumbers<Number>(kept->data(), {kept->size()}, owner);
}

template <typename Number>
std::vector<Number> copy_array(const Numbers<Number>& array) {
    return {array.data(), array.data() + array.size()};
}

// Positions that are not terminal: their states one after the other, with a target each.
inline void add_samples(Samples& samples, const PythonTable& table, const nb::bytes& states,
                        const Numbers<float>& targets) {
    const Game game = table.game();
    const std::size_t size = game.state_size();
    if (states.size() != size * targets.size()) throw nb::value_error("there must be a target for each state");
    StateBuffer state(size);
    Position position;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const float target = targets.data()[i];
        if (!(target >= 0 && target <= 1)) throw nb::value_error("a target lies outside 0 ... 1");
        std::memcpy(state.data(), states.c_str() + i * size, size);
        game.info(state.data(), position);
        if (position.terminal()) throw nb::value_error("there is nothing to learn about the end of a game");
        samples.add(game, state.data(), position.mover, target);
    }
}

inline void bind_inputs(nb::module_& module) {
    nb::enum_<InputField::Number>(module, "InputNumber")
        .value("signed", InputField::Number::SIGNED)
        .value("unsigned", InputField::Number::UNSIGNED)
        .value("floating", InputField::Number::FLOATING);
    nb::enum_<InputField::Encoding>(module, "InputEncoding")
        .value("bits", InputField::Encoding::BITS)
        .value("values", InputField::Encoding::VALUES)
        .value("ranges", InputField::Encoding::RANGES);
    nb::class_<InputField>(module, "InputField", "a number in the bytes of a state, and the inputs that it switches on")
        .def(
            "__init__",
            [](InputField* self, uint32_t offset, uint32_t size, InputField::Number number,
               InputField::Encoding encoding, uint32_t first, uint64_t mask, int64_t low, int64_t high,
               std::vector<double> edges) {
                new (self) InputField{offset, size, number, encoding, first, mask, low, high, std::move(edges)};
            },
            nb::kw_only(), nb::arg("offset"), nb::arg("size"), nb::arg("number"), nb::arg("encoding"), nb::arg("first"),
            nb::arg("mask") = 0, nb::arg("low") = 0, nb::arg("high") = 0, nb::arg("edges") = std::vector<double>())
        .def_prop_ro("end", &InputField::end, "one more than the last input");
    nb::class_<SumShape>(module, "SumShape")
        .def(
            "__init__",
            [](SumShape* self, std::vector<InputField> fields, uint32_t inputs, uint64_t state_size, uint32_t width,
               uint32_t movers, uint32_t stages, std::vector<uint32_t> stage_edges) {
                new (self) SumShape(InputLayout(std::move(fields), inputs, state_size), width, movers, stages,
                                    std::move(stage_edges));
            },
            nb::kw_only(), nb::arg("fields"), nb::arg("inputs"), nb::arg("state_size"), nb::arg("width"),
            nb::arg("movers"), nb::arg("stages"), nb::arg("stage_edges"))
        .def_ro("width", &SumShape::width)
        .def_prop_ro("inputs", [](const SumShape& shape) { return shape.inputs.count(); });
    nb::class_<Samples>(module, "Samples")
        .def(nb::init<const SumShape&>(), nb::arg("shape"), nb::keep_alive<1, 2>())
        .def("add", &add_samples, nb::arg("table"), nb::arg("states"), nb::arg("targets"))
        .def("extend", &Samples::extend, nb::arg("others"), "adds those of other samples of the same shape")
        .def("clear", &Samples::clear)
        .def("__len__", &Samples::size)
        .def_prop_ro(
            "inputs", [](const Samples& samples) { return make_array(samples.inputs); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "starts", [](const Samples& samples) { return make_array(samples.starts); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "heads", [](const Samples& samples) { return make_array(samples.heads); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "rows", [](const Samples& samples) { return make_array(samples.rows); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "targets", [](const Samples& samples) { return make_array(samples.targets); }, nb::rv_policy::automatic);
}

inline void bind_weights(nb::module_& module) {
    nb::class_<SumWeights>(module, "SumWeights")
        .def(
            "__init__",
            [](SumWeights* self, const Numbers<int16_t>& rows, const Numbers<int16_t>& bias,
               const Numbers<int16_t>& head, const Numbers<int32_t>& direct, const Numbers<int32_t>& offset) {
                new (self) SumWeights{copy_array(rows), copy_array(bias), copy_array(head), copy_array(direct),
                                      copy_array(offset)};
            },
            nb::kw_only(), nb::arg("rows"), nb::arg("bias"), nb::arg("head"), nb::arg("direct"), nb::arg("offset"))
        .def_prop_ro(
            "rows", [](const SumWeights& weights) { return make_array(weights.rows); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "bias", [](const SumWeights& weights) { return make_array(weights.bias); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "head", [](const SumWeights& weights) { return make_array(weights.head); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "direct", [](const SumWeights& weights) { return make_array(weights.direct); }, nb::rv_policy::automatic)
        .def_prop_ro(
            "offset", [](const SumWeights& weights) { return make_array(weights.offset); }, nb::rv_policy::automatic);
    nb::class_<SumTrainer>(module, "SumTrainer")
        .def(
            "__init__",
            [](SumTrainer* self, const SumShape& shape, uint32_t most_active, uint32_t batch, unsigned threads,
               float decay, uint64_t seed) {
                if (batch == 0 || threads == 0) throw nb::value_error("a trainer has a batch and a thread at least");
                new (self) SumTrainer(shape, TrainerSettings{batch, threads, decay, seed}, most_active);
            },
            nb::arg("shape"), nb::kw_only(), nb::arg("most_active"), nb::arg("batch"), nb::arg("threads"),
            nb::arg("decay"), nb::arg("seed"))
        .def(
            "learn",
            [](SumTrainer& self, const Samples& samples, uint64_t steps, float rate) {
                const Unlocked unlocked;
                return self.learn(samples, steps, rate);
            },
            nb::arg("samples"), nb::arg("steps"), nb::arg("rate"), "returns the mean loss")
        .def(
            "loss",
            [](const SumTrainer& self, const Samples& samples) {
                const Unlocked unlocked;
                return self.loss(samples);
            },
            nb::arg("samples"))
        .def(
            "outputs", [](const SumTrainer& self, const Samples& samples) { return make_array(self.outputs(samples)); },
            nb::arg("samples"))
        .def("quantised", &SumTrainer::quantised)
        .def("take", &SumTrainer::take, nb::arg("weights"), "goes on from the weights of a network")
        .def_prop_rw(
            "weights", [](const SumTrainer& self) { return make_array(std::vector<float>(self.weights())); },
            [](SumTrainer& self, const Numbers<float>& weights) { self.load(copy_array(weights)); },
            nb::for_getter(nb::rv_policy::automatic));
}

// The table of a game with a network.
template <typename Attached, typename Network>
PythonTable* attach(const PythonTable& game, const Network& network) {
    const std::shared_ptr<const AttachedGame> made =
        std::make_shared<const Attached>(game.table(), std::make_shared<const Network>(network));
    return new PythonTable(made->table(), made);
}

inline GridWeights read_grid_weights(const std::map<std::string, Numbers<float>>& tensors) {
    GridWeights weights;
    for (const GridTensor& tensor : grid_tensors()) {
        const auto found = tensors.find(tensor.name);
        if (found == tensors.end()) throw nb::value_error("the weights do not fit the shape of the network");
        weights.*tensor.numbers = copy_array(found->second);
    }
    if (tensors.size() != grid_tensors().size())
        throw nb::value_error("the weights do not fit the shape of the network");
    return weights;
}

inline void bind_grid(nb::module_& module) {
    nb::class_<GridShape>(module, "GridShape")
        .def(
            "__init__",
            [](GridShape* self, std::vector<InputField> fields, uint32_t inputs, uint64_t state_size,
               std::vector<uint32_t> places, uint32_t rows, uint32_t columns, uint32_t planes, uint32_t globals,
               uint32_t channels, uint32_t blocks, std::vector<int64_t> actions, std::vector<uint32_t> action_cells,
               std::vector<uint32_t> action_ways, uint32_t policy_planes, bool owners) {
                GridShape shape{InputLayout(std::move(fields), inputs, state_size),
                                std::move(places),
                                rows,
                                columns,
                                planes,
                                globals,
                                channels,
                                blocks,
                                std::move(actions),
                                std::move(action_cells),
                                std::move(action_ways),
                                policy_planes,
                                owners};
                shape.check();
                new (self) GridShape(std::move(shape));
            },
            nb::kw_only(), nb::arg("fields"), nb::arg("inputs"), nb::arg("state_size"), nb::arg("places"),
            nb::arg("rows"), nb::arg("columns"), nb::arg("planes"), nb::arg("globals"), nb::arg("channels"),
            nb::arg("blocks"), nb::arg("actions"), nb::arg("action_cells"), nb::arg("action_ways"),
            nb::arg("policy_planes"), nb::arg("owners"))
        .def_prop_ro(
            "tensors",
            [](const GridShape& shape) {
                std::map<std::string, std::size_t> sizes;
                for (const GridTensor& tensor : grid_tensors()) sizes[tensor.name] = tensor.size(shape);
                return sizes;
            },
            "the tensors of a network of this shape, with their sizes")
        .def_prop_ro_static("NOWHERE", [](nb::handle) { return GridShape::NOWHERE; });
    nb::class_<GridNetwork>(module, "GridNetwork")
        .def(
            "__init__",
            [](GridNetwork* self, const PythonTable& table, const GridShape& shape,
               const std::map<std::string, Numbers<float>>& weights) {
                const zermelo_table& game = table.table();
                new (self) GridNetwork(shape, read_grid_weights(weights), {game.low, game.high, game.neutral});
            },
            nb::arg("table"), nb::arg("shape"), nb::arg("weights"))
        .def(
            "outputs",
            [](const GridNetwork& self, const PythonTable& table, const nb::bytes& bytes) {
                const Game game = table.game();
                const StateBuffer state = table.state(bytes);
                Position position;
                game.info(state.data(), position);
                return self.outputs(game, state.data(), position.mover);
            },
            nb::arg("table"), nb::arg("state"), "the logits of all known actions, and the output of the value")
        .def(
            "owners",
            [](const GridNetwork& self, const PythonTable& table, const nb::bytes& bytes) {
                const Game game = table.game();
                const StateBuffer state = table.state(bytes);
                Position position;
                game.info(state.data(), position);
                return self.owners(game, state.data(), position.mover);
            },
            nb::arg("table"), nb::arg("state"), "who will have each cell: from 1, player 0, to -1");
}

inline void bind_networks(nb::module_& module) {
    bind_inputs(module);
    bind_weights(module);
    nb::class_<SumNetwork>(module, "SumNetwork")
        .def(
            "__init__",
            [](SumNetwork* self, const PythonTable& table, const SumShape& shape, const SumWeights& weights,
               double slope, double chance) {
                const zermelo_table& game = table.table();
                new (self) SumNetwork(shape, weights, {game.low, game.high, game.neutral, slope, chance});
            },
            nb::arg("table"), nb::arg("shape"), nb::arg("weights"), nb::arg("slope") = 0.0, nb::arg("chance") = 1.0)
        .def(
            "output",
            [](const SumNetwork& self, const PythonTable& table, const nb::bytes& bytes) {
                const Game game = table.game();
                const StateBuffer state = table.state(bytes);
                Position position;
                game.info(state.data(), position);
                return self.output(game, state.data(), position.mover);
            },
            nb::arg("table"), nb::arg("state"), "the raw output for the mover, or player 0 if chance moves")
        .def(
            "values_in_search",
            [](const SumNetwork& self, const PythonTable& table,
               const std::vector<std::pair<int, nb::bytes>>& visited) {
                const Game game = table.game();
                SumEvaluator evaluator(self, game);
                Position position;
                std::vector<double> values;
                for (const auto& [ply, bytes] : visited) {
                    if (ply < 0 || ply > MAX_PLY) throw nb::value_error("a search has no such ply");
                    const StateBuffer state = table.state(bytes);
                    game.info(state.data(), position);
                    values.push_back(
                        evaluator.evaluate(ply, state.data(), position.mover, std::max(position.mover, 0)));
                }
                return values;
            },
            nb::arg("table"), nb::arg("visited"),
            "the movers' values of positions (ply, state) in the order in which a search visits them, accumulated one "
            "from another")
        .def_ro_static("UNIT", &SumNetwork::UNIT, "1 in an output");
    bind_grid(module);
    module.def("network_table", &attach<NetworkGame, SumNetwork>, nb::arg("game"), nb::arg("network"),
               nb::rv_policy::take_ownership, nb::keep_alive<0, 1>());
    module.def("network_table", &attach<GridGame, GridNetwork>, nb::arg("game"), nb::arg("network"),
               nb::rv_policy::take_ownership, nb::keep_alive<0, 1>());
}

}  // namespace zermelo
