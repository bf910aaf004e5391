// Grid networks: small residual networks over a board, which give a probability for each action and a value.
//
//     x = relu(convolution of the input planes + rows of the global inputs + bias)
//     a block:  y = relu(convolution of x)     x = relu(x + convolution of y + (mean(y), max(y)) · pool)
//     t = (mean(x), max(x)) over the cells
//     policy  h = relu(x · policy_hidden + t · policy_pool) per cell, and a logit per action of it
//     value   sigmoid(value_out · relu(t · value_hidden))
//     owners  sigmoid(x · owner_out) per cell, in a game with the rule `owners`: the chance that the mover has it in the end
//
// The inputs are those of sum networks, laid out on the board. A game without a board has one cell. Logits belong to the
// actions that were seen in training: where each acts on a cell in one of several ways, every cell computes its own by
// weights per way, the same for all cells; otherwise each action has weights for all cells. The network is the mover's: its
// value is that of the player to move.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "networks/convolution.hpp"
#include "networks/inputs.hpp"
#include "networks/sum.hpp"

namespace zermelo {

struct GridShape {
    static constexpr uint32_t NOWHERE = ~0u;
    static constexpr uint32_t MAX_CHANNELS = 256;
    static constexpr uint32_t MAX_BLOCKS = 32;
    static constexpr uint32_t VALUE_UNITS = 64;
    static constexpr uint32_t CELL_UNITS = 32;  // of a cell's policy, where actions are those of cells
    static constexpr uint32_t MAX_WAYS = 1024;

    InputLayout inputs;
    std::vector<uint32_t>
        places;  // of each input: plane * cells + cell, planes * cells + its global number, or NOWHERE
    uint32_t rows, columns;
    uint32_t planes;
    uint32_t globals;  // the last is on if player 1 moves
    uint32_t channels, blocks;
    std::vector<int64_t> actions;  // that have a logit, ascending
    std::vector<uint32_t>
        action_cells;  // where each of them acts, NOWHERE for one beyond the board; empty: no such cells
    std::vector<uint32_t> action_ways;  // and how, from 0 on; those beyond the board are numbered by themselves
    uint32_t policy_planes;  // units of a cell's policy where actions are not those of cells
    bool owners = false;  // whether it says who will have each cell

    // Throws if the numbers do not fit each other.
    void check() const;
    GridBoard board() const { return {rows, columns, channels}; }
    std::size_t cells() const { return std::size_t{rows} * columns; }
    bool cellwise() const { return !action_cells.empty(); }
    uint32_t policy_units() const { return cellwise() ? CELL_UNITS : policy_planes; }
    // The index of an action among those that have a logit; their number if it has none.
    std::size_t find(int64_t action) const;
    // The ways in which actions act on cells, and the actions beyond the board.
    std::size_t ways() const { return count_ways(false); }
    std::size_t beyond() const { return count_ways(true); }

private:
    std::size_t count_ways(bool beyond) const;
};

// The weights, in row-major order; taps are row by row, units those of a cell's policy.
struct GridWeights {
    std::vector<float> in_planes;  // [planes][9][channels]
    std::vector<float> in_globals;  // [globals][channels]
    std::vector<float> in_bias;  // [channels]
    std::vector<float> conv;  // [blocks][2][9][channels in][channels out]
    std::vector<float> conv_bias;  // [blocks][2][channels]
    std::vector<float> pool;  // [blocks][2 * channels][channels]
    std::vector<float> policy_hidden;  // [channels][units]
    std::vector<float> policy_hidden_bias;  // [units]
    std::vector<float> policy_pool;  // [2 * channels][units]
    std::vector<float> policy_out;  // [ways][units] where actions are those of cells, else [cells][units][actions]
    std::vector<float> policy_out_bias;  // [actions]
    std::vector<float> policy_extra;  // [actions beyond the board][2 * channels]
    std::vector<float> value_hidden;  // [2 * channels][VALUE_UNITS]
    std::vector<float> value_hidden_bias;  // [VALUE_UNITS]
    std::vector<float> value_out;  // [VALUE_UNITS]
    std::vector<float> value_out_bias;  // [1]
    std::vector<float> owner_out;  // [channels], and its bias [1]; both empty without owners
    std::vector<float> owner_out_bias;
};

// A tensor of the weights, its name in a file, and its size in a network of a given shape.
struct GridTensor {
    const char* name;
    std::vector<float> GridWeights::* numbers;
    std::size_t (*size)(const GridShape& shape);
};
const std::vector<GridTensor>& grid_tensors();

// What the outputs of a network mean: `logit(index)` gives that of an action with this index among those of the shape, and
// `priors` receives a probability for each of `count` actions; one that is not known counts as the mean of the others.
template <typename Logit>
void spread_priors(const GridShape& shape, const Logit& logit, const int64_t* actions, std::size_t count,
                   double* priors) {
    constexpr double UNKNOWN = std::numeric_limits<double>::infinity();
    double sum = 0;
    std::size_t known = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t place = shape.find(actions[i]);
        priors[i] = place < shape.actions.size() ? logit(place) : UNKNOWN;
        if (priors[i] == UNKNOWN) continue;
        sum += priors[i];
        ++known;
    }
    const double mean = known ? sum / static_cast<double>(known) : 0;
    double most = -UNKNOWN, total = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (priors[i] == UNKNOWN) priors[i] = mean;
        most = std::max(most, priors[i]);
    }
    for (std::size_t i = 0; i < count; ++i) total += priors[i] = std::exp(priors[i] - most);
    for (std::size_t i = 0; i < count; ++i) priors[i] /= total;
}

// The value of an output: a proved result outranks it, so that the ends of the range are never reached.
double value_of_output(const ValueRange& range, float output);

// The value for `player` of a value of the mover.
inline double value_for(const ValueRange& range, double value, int32_t mover, int32_t player) {
    return player == std::max(mover, 0) ? value : 2 * range.neutral - value;
}

class GridNetwork {
public:
    GridNetwork(GridShape shape, GridWeights weights, ValueRange range);

    const GridShape& shape() const { return shape_; }

    // The probability of each of `count` actions, written to `priors`, and the value of the mover.
    double judge(const Game& game, const std::byte* state, int32_t mover, const int64_t* actions, std::size_t count,
                 double* priors) const;
    // The value of a position for `player`.
    double evaluate(const Game& game, const std::byte* state, int32_t mover, int32_t player) const;
    // The logits of all known actions, with the raw output of the value behind them.
    std::vector<float> outputs(const Game& game, const std::byte* state, int32_t mover) const;
    // For each cell from 1, surely player 0's in the end, to -1, surely the other's; only of a network with owners.
    std::vector<double> owners(const Game& game, const std::byte* state, int32_t mover) const;
    const ValueRange& range() const { return range_; }

private:
    struct Activations;

    Activations& run(const Game& game, const std::byte* state, int32_t mover) const;
    void enter_inputs(const Game& game, const std::byte* state, int32_t mover, Activations& at) const;
    void run_policy(Activations& at) const;
    float run_value(Activations& at) const;
    float logit(const Activations& at, std::size_t action) const;

    GridShape shape_;
    GridBoard board_;
    GridWeights weights_;
    ValueRange range_;
    std::vector<float> action_weights_;  // [actions][cells][units], where actions are not those of cells
};

}  // namespace zermelo
