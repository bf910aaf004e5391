// Learns a sum network from positions, by stochastic gradient descent (Adam) on the cross-entropy of the predicted value.
//
// Weights are floats here. The rows of a mover are learned as the sum of rows that all movers share and rows of its own: what
// holds for every mover is learned from all positions. The same seed and the same number of threads give the same network.
//
// A network of width 0 may have a million weights, of which a batch touches few: only these and their moments are looked at in a
// step, and one that few of its samples touch moves less.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "networks/sum.hpp"

namespace zermelo {

// Positions to learn from, for networks of one shape.
class Samples {
public:
    explicit Samples(const SumShape& shape) : shape_(shape), words_(shape.inputs.words()) {}

    // Adds a position. `target` is what the player to move (player 0 if chance moves) can expect, from 0 for the least utility
    // to 1 for the greatest.
    void add(const Game& game, const std::byte* state, int32_t mover, float target);
    // Adds those of other samples of the same shape.
    void extend(const Samples& others);
    void clear();

    std::size_t size() const { return targets.size(); }

    // Inputs of view v of sample i: inputs[starts[views * i + v]] up to the next start.
    std::vector<uint32_t> inputs;
    std::vector<uint64_t> starts{0};
    std::vector<uint32_t> heads;
    std::vector<uint8_t> rows;
    std::vector<float> targets;

private:
    const SumShape& shape_;
    InputWords words_;
};

struct TrainerSettings {
    uint32_t batch = 4096;
    unsigned threads = 1;
    float decay = 0;  // of weights, per step
    uint64_t seed = 0;
};

class SumTrainer {
public:
    SumTrainer(SumShape shape, TrainerSettings settings, uint32_t most_active);

    // Takes `steps` steps on random samples at this learning rate; returns the mean loss.
    double learn(const Samples& samples, uint64_t steps, float rate);
    // The mean loss over all samples.
    double loss(const Samples& samples) const;
    // The outputs, in units of 1, of all samples.
    std::vector<float> outputs(const Samples& samples) const;

    // The weights as integers.
    SumWeights quantised() const;
    // The float weights in one vector, to be stored and loaded again. Loading forgets the moments of the descent.
    const std::vector<float>& weights() const { return weights_; }
    void load(std::vector<float> weights);
    // Goes on from the weights of a network.
    void take(const SumWeights& weights);

private:
    // Where each part begins in the vector of weights. The parts have the shapes of `SumWeights`; `shared` is one set of
    // rows that is added to those of every mover, and empty if there is only one mover.
    struct Places {
        std::size_t rows, bias, head, direct, offset, shared, end;
    };

    static Places place(const SumShape& shape);
    void initialise();
    // Computes the rows in use, those of each mover plus the shared ones, for a range of their weights.
    void merge(std::size_t begin, std::size_t count);
    float forward(const Samples& samples, std::size_t sample, float* units) const;
    void backward(const Samples& samples, std::size_t sample, const float* units, float slope, float* gradient) const;
    double add_gradient(const Samples& samples, std::span<const uint64_t> chosen, std::vector<float>& gradient) const;
    // Takes a thread's share of a step along the sum of the gradients.
    void update(float rate, unsigned thread);
    float corrected_rate(float rate) const;
    // The same of a network of width 0: first the slope of the loss by the output of each sample, then what that means for the
    // weights of a thread, which has every so many-th input.
    double find_slopes(const Samples& samples, std::span<const uint64_t> chosen, float* slopes) const;
    void update_direct(const Samples& samples, std::span<const uint64_t> chosen, float rate, unsigned thread);
    // A thread's range of `size` weights: where it begins, and how many there are.
    std::pair<std::size_t, std::size_t> share_of(std::size_t size, unsigned thread) const;

    const SumShape shape_;
    const TrainerSettings settings_;
    const float most_row_;  // the largest weight of a row, so that no accumulator overflows
    const Places at_;
    Random random_;
    std::vector<float> weights_, first_moment_, second_moment_;
    std::vector<float> merged_;  // [movers][inputs][width]
    std::vector<std::vector<float>> gradients_;  // one per thread, of the merged weights; for width 0 a single one
    std::vector<float> slopes_;  // of the samples of a batch, for width 0
    std::vector<std::vector<std::size_t>> touched_;  // the weights of each thread whose gradient is not 0, for width 0
    uint64_t steps_ = 0;
};

}  // namespace zermelo
