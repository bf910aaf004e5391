// Dense networks: layers of units in floats, with relu between them; bit-identical on every machine.
//
//     units = relu(inputs · A + a),  …,  numbers = units · Z + z
//
// Sums are accumulated input by input, in the order of the inputs, for all units side by side: each unit's sum is
// independent of the vector width, as products are rounded before they are added. Inputs and units that are zero are
// skipped.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace zermelo {

// The inputs that are not zero, at most `SIZE`, in the order in which they are added up.
template <int SIZE>
struct SparseInputs {
    int count = 0;
    std::array<int16_t, SIZE> index;
    std::array<float, SIZE> value;

    void add(int at, float amount) {
        index[count] = static_cast<int16_t>(at);
        value[count] = amount;
        count += amount != 0;
    }
};

// A matrix with a row per input, and a bias.
class DenseLayer {
public:
    static constexpr int MAX_UNITS = 1024;

    // The matrix is in row-major order.
    DenseLayer(std::span<const float> matrix, std::span<const float> bias);

    // Units, padded with idle ones to a multiple of the lanes.
    std::size_t width() const { return bias_.size(); }
    // The sums of all units for these inputs.
    void run(const int16_t* index, const float* value, int count, float* sums) const;

private:
    std::vector<float> matrix_, bias_;
};

class DenseNetwork {
public:
    static constexpr std::size_t MAX_NUMBERS = 64;
    using Numbers = std::array<float, MAX_NUMBERS>;

    // A network with this number of inputs and outputs, from a matrix and a bias for each layer; the sizes of these
    // determine the number of units. On failure returns null and writes the reason to `why`.
    static std::unique_ptr<const DenseNetwork> make(std::span<const std::span<const float>> tensors, std::size_t inputs,
                                                    std::size_t numbers, std::string& why);

    explicit DenseNetwork(std::vector<DenseLayer> layers);

    template <int SIZE>
    void run(const SparseInputs<SIZE>& inputs, Numbers& numbers) const {
        run(inputs.index.data(), inputs.value.data(), inputs.count, numbers);
    }

    // Unique among the networks of a process, so that cached results are never taken for another's.
    uint64_t serial() const { return serial_; }

private:
    void run(const int16_t* index, const float* value, int count, Numbers& numbers) const;

    std::vector<DenseLayer> layers_;
    uint64_t serial_;
};

float sigmoid(float x);

// Probabilities that sum to one.
void softmax(std::span<const float> numbers, std::span<float> chances);

}  // namespace zermelo
