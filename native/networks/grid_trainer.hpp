// Learns a grid network from positions, by stochastic gradient descent (Adam): the cross-entropy of the search's visits and the
// policy, plus that of the value, and in a game with the rule `owners` that of who has the cells in the end.
//
// The same seed and the same number of threads give the same network.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "networks/grid.hpp"

namespace zermelo {

// A position to learn from.
struct GridSample {
    std::span<const uint32_t> on;  // places of the inputs
    std::span<const uint32_t> legal;  // indices of legal actions among the known ones
    std::span<const uint32_t> visited;  // those with a share of the visits; empty if they are not known
    std::span<const float> shares;  // of each of them
    int32_t mover = 0;
    float value = 0;  // what the mover can expect, from 0 for the least utility to 1 for the greatest
    std::span<const uint8_t> owned =
        {};  // of each cell in the end, in halves: 2 the mover's, 1 nobody's; empty: not known
};

// Sample number i of those to learn from.
using GridSampleSource = std::function<GridSample(std::size_t)>;

struct GridTrainerSettings {
    uint32_t batch = 256;
    unsigned threads = 1;
    float decay = 0;  // of weights, per step at a rate of 1
    uint64_t seed = 0;
};

// The mean losses of positions.
struct GridLosses {
    double policy = 0;
    double value = 0;
    double owners = 0;  // the mean of the cells, times OWNERS_WEIGHT
};

class GridTrainer {
public:
    static constexpr float OWNERS_WEIGHT = 1.5f;

    GridTrainer(GridShape shape, GridTrainerSettings settings);

    // Takes `steps` steps on random samples of `count` at this learning rate.
    GridLosses learn(const GridSampleSource& sample, std::size_t count, uint64_t steps, float rate);
    GridLosses losses(const GridSampleSource& sample, std::size_t count) const;
    // The slopes of the mean loss over all samples.
    std::vector<float> gradient(const GridSampleSource& sample, std::size_t count) const;
    // The logits of all known actions of a position, with the output of the value behind them.
    std::vector<float> outputs(const GridSample& sample) const;

    // All weights in one vector: the tensors of `grid_tensors()` one after another.
    const std::vector<float>& weights() const { return weights_; }
    void load(std::vector<float> weights);

private:
    class Pass;

    // Where each tensor begins in the vector of weights.
    struct Places {
        std::size_t in_planes, in_globals, in_bias, conv, conv_bias, pool, policy_hidden, policy_hidden_bias,
            policy_pool, policy_out, policy_out_bias, policy_extra, value_hidden, value_hidden_bias, value_out,
            value_out_bias, owner_out, owner_out_bias, end;
    };

    static Places place(const GridShape& shape);
    void initialise();
    // Computes the kernels by which slopes pass back through the convolutions.
    void turn_kernels();
    void update(float rate);

    const GridShape shape_;
    const GridTrainerSettings settings_;
    const Places at_;
    Random random_;
    std::vector<float> weights_, first_moment_, second_moment_;
    std::vector<float> turned_;  // [blocks][2][9][channels out][channels in], the taps in reverse order
    std::vector<uint8_t> decays_;  // whether a weight decays: biases do not
    std::vector<std::vector<float>> gradients_;  // one per thread
    uint64_t steps_ = 0;
};

}  // namespace zermelo
