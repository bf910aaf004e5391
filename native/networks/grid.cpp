#include "networks/grid.hpp"

#include "networks/layers.hpp"

namespace zermelo {

namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

}  // namespace

void GridShape::check() const {
    require(rows >= 1 && columns >= 1 && rows <= 64 && columns <= 64, "a board has 1 to 64 rows and columns");
    require(channels >= 16 && channels % 16 == 0 && channels <= MAX_CHANNELS,
            "the channels of a network are a multiple of 16, at most 256");
    require(blocks <= MAX_BLOCKS, "a network has at most 32 blocks");
    require(planes <= 4096 && globals >= 1 && globals <= (1u << 20), "a network has an impossible number of inputs");
    require(places.size() == inputs.count(), "each input needs a place");
    const std::size_t end = planes * cells() + globals - 1;
    require(std::all_of(places.begin(), places.end(), [&](uint32_t at) { return at == NOWHERE || at < end; }),
            "an input has no place on the board");
    require(!actions.empty() && actions.size() <= (1u << 20), "a network knows 1 to 2^20 actions");
    require(std::adjacent_find(actions.begin(), actions.end(), std::greater_equal<>()) == actions.end(),
            "the known actions are not in order");
    require(action_cells.empty() || action_cells.size() == actions.size(), "each action needs a cell");
    require(action_ways.size() == action_cells.size(), "each action needs a way to act");
    require(std::all_of(action_cells.begin(), action_cells.end(),
                        [&](uint32_t cell) { return cell == NOWHERE || cell < cells(); }),
            "an action has no cell on the board");
    require(std::all_of(action_ways.begin(), action_ways.end(), [](uint32_t way) { return way < MAX_WAYS; }),
            "actions act in at most 1024 ways");
    require(cellwise() || (policy_planes >= 1 && policy_planes <= 64), "a policy has 1 to 64 planes");
}

std::size_t GridShape::find(int64_t action) const {
    const auto place = std::lower_bound(actions.begin(), actions.end(), action);
    return place != actions.end() && *place == action ? static_cast<std::size_t>(place - actions.begin())
                                                      : actions.size();
}

std::size_t GridShape::count_ways(bool beyond) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < action_cells.size(); ++i)
        if ((action_cells[i] == NOWHERE) == beyond) count = std::max<std::size_t>(count, action_ways[i] + 1);
    return count;
}

const std::vector<GridTensor>& grid_tensors() {
    using Shape = const GridShape&;
    static const std::vector<GridTensor> tensors = {
        {"in_planes", &GridWeights::in_planes, [](Shape s) { return std::size_t{s.planes} * 9 * s.channels; }},
        {"in_globals", &GridWeights::in_globals, [](Shape s) { return std::size_t{s.globals} * s.channels; }},
        {"in_bias", &GridWeights::in_bias, [](Shape s) { return std::size_t{s.channels}; }},
        {"conv", &GridWeights::conv, [](Shape s) { return std::size_t{s.blocks} * 18 * s.channels * s.channels; }},
        {"conv_bias", &GridWeights::conv_bias, [](Shape s) { return std::size_t{s.blocks} * 2 * s.channels; }},
        {"pool", &GridWeights::pool, [](Shape s) { return std::size_t{s.blocks} * 2 * s.channels * s.channels; }},
        {"policy_hidden", &GridWeights::policy_hidden,
         [](Shape s) { return std::size_t{s.channels} * s.policy_units(); }},
        {"policy_hidden_bias", &GridWeights::policy_hidden_bias, [](Shape s) { return std::size_t{s.policy_units()}; }},
        {"policy_pool", &GridWeights::policy_pool,
         [](Shape s) { return std::size_t{2} * s.channels * s.policy_units(); }},
        {"policy_out", &GridWeights::policy_out,
         [](Shape s) { return s.policy_units() * (s.cellwise() ? s.ways() : s.cells() * s.actions.size()); }},
        {"policy_out_bias", &GridWeights::policy_out_bias, [](Shape s) { return s.actions.size(); }},
        {"policy_extra", &GridWeights::policy_extra, [](Shape s) { return s.beyond() * 2 * s.channels; }},
        {"value_hidden", &GridWeights::value_hidden,
         [](Shape s) { return std::size_t{2} * s.channels * GridShape::VALUE_UNITS; }},
        {"value_hidden_bias", &GridWeights::value_hidden_bias,
         [](Shape) { return std::size_t{GridShape::VALUE_UNITS}; }},
        {"value_out", &GridWeights::value_out, [](Shape) { return std::size_t{GridShape::VALUE_UNITS}; }},
        {"value_out_bias", &GridWeights::value_out_bias, [](Shape) { return std::size_t{1}; }},
        {"owner_out", &GridWeights::owner_out, [](Shape s) { return s.owners ? std::size_t{s.channels} : 0; }},
        {"owner_out_bias", &GridWeights::owner_out_bias, [](Shape s) { return std::size_t{s.owners}; }},
    };
    return tensors;
}

double value_of_output(const ValueRange& range, float output) {
    const double share = std::clamp(1 / (1 + std::exp(-static_cast<double>(output))), 1e-6, 1 - 1e-6);
    return range.low + (range.high - range.low) * share;
}

GridNetwork::GridNetwork(GridShape shape, GridWeights weights, ValueRange range)
    : shape_(std::move(shape)), board_(shape_.board()), weights_(std::move(weights)), range_(range) {
    shape_.check();
    require(std::isfinite(range_.low) && std::isfinite(range_.high) && range_.low < range_.high,
            "a network needs a game whose utilities have finite bounds");
    for (const GridTensor& tensor : grid_tensors()) {
        const std::vector<float>& numbers = weights_.*tensor.numbers;
        require(numbers.size() == tensor.size(shape_), "the weights do not fit the shape of the network");
        require(std::all_of(numbers.begin(), numbers.end(), [](float weight) { return std::isfinite(weight); }),
                "a weight is not a finite number");
    }
    if (shape_.cellwise()) return;
    const std::size_t actions = shape_.actions.size(), places = shape_.cells() * shape_.policy_units();
    action_weights_.resize(places * actions);
    for (std::size_t place = 0; place < places; ++place)
        for (std::size_t action = 0; action < actions; ++action)
            action_weights_[action * places + place] = weights_.policy_out[place * actions + action];
}

// What a thread computes with; it fits any network.
struct GridNetwork::Activations {
    std::vector<float> x, y;  // boards
    std::vector<float> pooled;  // of the trunk: means and maxima
    std::vector<float> block_pool, bias;  // of a block
    std::vector<float> policy;  // [cells][units]
    std::vector<float> policy_bias;
    InputWords words;
};

GridNetwork::Activations& GridNetwork::run(const Game& game, const std::byte* state, int32_t mover) const {
    thread_local Activations at;
    const std::size_t width = shape_.channels;
    enter_inputs(game, state, mover, at);
    at.y.assign(board_.size(), 0);
    at.block_pool.resize(2 * width);
    at.bias.resize(width);
    const float* kernels = weights_.conv.data();
    const float* bias = weights_.conv_bias.data();
    const float* pools = weights_.pool.data();
    for (uint32_t block = 0; block < shape_.blocks; ++block) {
        for_each_cell(board_, at.y.data(), [&](float* cell) { std::copy_n(bias, width, cell); });
        add_convolution(board_, at.x.data(), kernels, at.y.data());
        for_each_cell(board_, at.y.data(), [&](float* cell) { clip(cell, width); });
        pool(board_, at.y.data(), at.block_pool.data());
        std::copy_n(bias + width, width, at.bias.data());
        add_product(at.block_pool.data(), 2 * width, pools, width, at.bias.data());
        for_each_cell(board_, at.x.data(), [&](float* cell) { add_numbers(at.bias.data(), width, cell); });
        add_convolution(board_, at.y.data(), kernels + 9 * width * width, at.x.data());
        for_each_cell(board_, at.x.data(), [&](float* cell) { clip(cell, width); });
        kernels += 2 * 9 * width * width;
        bias += 2 * width;
        pools += 2 * width * width;
    }
    at.pooled.resize(2 * width);
    pool(board_, at.x.data(), at.pooled.data());
    return at;
}

// The first layer: each input that is on adds its weights to the cells around it.
void GridNetwork::enter_inputs(const Game& game, const std::byte* state, int32_t mover, Activations& at) const {
    const std::size_t width = shape_.channels, cells = shape_.cells();
    at.words.resize(shape_.inputs.words());
    shape_.inputs.read(game, state, std::max(mover, 0), at.words.data());
    const float* globals = weights_.in_globals.data();
    const float* planes = weights_.in_planes.data();
    at.bias = weights_.in_bias;
    if (mover == 1) add_numbers(globals + (shape_.globals - 1) * width, width, at.bias.data());
    for_each_bit(at.words.data(), at.words.size(), [&](uint32_t input) {
        const uint32_t place = input < shape_.places.size() ? shape_.places[input] : GridShape::NOWHERE;
        if (place != GridShape::NOWHERE && place >= shape_.planes * cells)
            add_numbers(globals + (place - shape_.planes * cells) * width, width, at.bias.data());
    });
    at.x.assign(board_.size(), 0);
    for_each_cell(board_, at.x.data(), [&](float* cell) { std::copy_n(at.bias.data(), width, cell); });
    for_each_bit(at.words.data(), at.words.size(), [&](uint32_t input) {
        const uint32_t place = input < shape_.places.size() ? shape_.places[input] : GridShape::NOWHERE;
        if (place >= shape_.planes * cells) return;
        const auto cell = static_cast<int32_t>(place % cells), columns = static_cast<int32_t>(shape_.columns);
        const float* taps = planes + place / cells * 9 * width;
        for (int32_t tap = 0; tap < 9; ++tap) {
            const int32_t row = cell / columns - (tap / 3 - 1), column = cell % columns - (tap % 3 - 1);
            if (row < 0 || row >= static_cast<int32_t>(shape_.rows) || column < 0 || column >= columns) continue;
            add_numbers(taps + tap * width, width,
                        at.x.data() + board_.at(static_cast<std::size_t>(row * columns + column)));
        }
    });
    for_each_cell(board_, at.x.data(), [&](float* cell) { clip(cell, width); });
}

void GridNetwork::run_policy(Activations& at) const {
    const std::size_t width = shape_.channels, units = shape_.policy_units();
    at.policy_bias = weights_.policy_hidden_bias;
    add_product(at.pooled.data(), 2 * width, weights_.policy_pool.data(), units, at.policy_bias.data());
    at.policy.resize(shape_.cells() * units);
    const float* hidden = weights_.policy_hidden.data();
    for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
        float* out = at.policy.data() + cell * units;
        std::copy_n(at.policy_bias.data(), units, out);
        add_product(at.x.data() + board_.at(cell), width, hidden, units, out);
        clip(out, units);
    }
}

float GridNetwork::logit(const Activations& at, std::size_t action) const {
    const std::size_t units = shape_.policy_units(), cells = shape_.cells();
    const float bias = weights_.policy_out_bias[action];
    if (!shape_.cellwise())
        return bias + product(at.policy.data(), action_weights_.data() + action * cells * units, cells * units);
    const std::size_t cell = shape_.action_cells[action], way = shape_.action_ways[action];
    const std::size_t pooled = 2 * shape_.channels;
    if (cell == GridShape::NOWHERE)
        return bias + product(at.pooled.data(), weights_.policy_extra.data() + way * pooled, pooled);
    return bias + product(at.policy.data() + cell * units, weights_.policy_out.data() + way * units, units);
}

float GridNetwork::run_value(Activations& at) const {
    std::vector<float>& units = at.bias;
    units = weights_.value_hidden_bias;
    add_product(at.pooled.data(), 2 * shape_.channels, weights_.value_hidden.data(), units.size(), units.data());
    clip(units.data(), units.size());
    return weights_.value_out_bias[0] + product(units.data(), weights_.value_out.data(), units.size());
}

double GridNetwork::judge(const Game& game, const std::byte* state, int32_t mover, const int64_t* actions,
                          std::size_t count, double* priors) const {
    Activations& at = run(game, state, mover);
    run_policy(at);
    spread_priors(shape_, [&](std::size_t action) { return logit(at, action); }, actions, count, priors);
    return value_of_output(range_, run_value(at));
}

double GridNetwork::evaluate(const Game& game, const std::byte* state, int32_t mover, int32_t player) const {
    return value_for(range_, value_of_output(range_, run_value(run(game, state, mover))), mover, player);
}

std::vector<float> GridNetwork::outputs(const Game& game, const std::byte* state, int32_t mover) const {
    Activations& at = run(game, state, mover);
    run_policy(at);
    std::vector<float> found;
    for (std::size_t action = 0; action < shape_.actions.size(); ++action) found.push_back(logit(at, action));
    found.push_back(run_value(at));
    return found;
}

std::vector<double> GridNetwork::owners(const Game& game, const std::byte* state, int32_t mover) const {
    require(shape_.owners, "this network does not say who has which cell");
    const Activations& at = run(game, state, mover);
    std::vector<double> found;
    for (std::size_t cell = 0; cell < shape_.cells(); ++cell) {
        const float mine = weights_.owner_out_bias[0] +
                           product(at.x.data() + board_.at(cell), weights_.owner_out.data(), shape_.channels);
        found.push_back(std::tanh(mine / 2) * (mover == 1 ? -1 : 1));
    }
    return found;
}

}  // namespace zermelo
