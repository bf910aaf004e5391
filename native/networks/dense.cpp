#include "networks/dense.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/wide.hpp"

namespace zermelo {

namespace {

constexpr std::size_t LANES = 16;

// Sixteen units side by side; the compiler splits them for the machine.
using Lanes = float __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

// sums[u] += scale * row[u] for `BLOCKS` times sixteen units, over all rows.
template <int BLOCKS>
[[gnu::always_inline]] inline void add_blocks(const float* __restrict rows, std::size_t width, const int16_t* index,
                                              const float* scale, int count, float* __restrict sums) {
    Lanes sum[BLOCKS];
    for (int block = 0; block < BLOCKS; ++block) sum[block] = reinterpret_cast<const Lanes*>(sums)[block];
    for (int i = 0; i < count; ++i) {
        const Lanes* row = reinterpret_cast<const Lanes*>(rows + static_cast<std::size_t>(index[i]) * width);
        for (int block = 0; block < BLOCKS; ++block) sum[block] += scale[i] * row[block];
    }
    for (int block = 0; block < BLOCKS; ++block) reinterpret_cast<Lanes*>(sums)[block] = sum[block];
}

// The same for all units, in the largest blocks possible: independent sums hide the latency.
ZERMELO_WIDE void add_rows(const float* __restrict rows, std::size_t width, const int16_t* index, const float* scale,
                           int count, float* __restrict sums) {
    constexpr std::size_t MANY = 4 * LANES;
    std::size_t unit = 0;
    for (; unit + MANY <= width; unit += MANY) add_blocks<4>(rows + unit, width, index, scale, count, sums + unit);
    for (; unit < width; unit += LANES) add_blocks<1>(rows + unit, width, index, scale, count, sums + unit);
}

// The list of active units (above zero).
int find_active(const float* sums, int width, int16_t* index, float* value) {
    int count = 0;
    for (int unit = 0; unit < width; ++unit) {
        index[count] = static_cast<int16_t>(unit);
        value[count] = sums[unit];
        count += sums[unit] > 0;
    }
    return count;
}

constexpr double INVERSE[] = {0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8};

// Exponentials by their series after halving; those of the library differ in the last digit between machines.
ZERMELO_WIDE void exponentials(double* __restrict x, int count) {
    for (int i = 0; i < count; ++i) {
        const double scaled = x[i] / 64;
        double sum = 1;
        for (int n = 8; n >= 1; --n) sum = 1 + sum * (scaled * INVERSE[n]);
        for (int doubling = 0; doubling < 6; ++doubling) sum *= sum;
        x[i] = sum;
    }
}

double exponential(double x) {
    exponentials(&x, 1);
    return x;
}

// A matrix with rows of `units` numbers, each padded with zeros to `width`.
std::vector<float> widen(std::span<const float> matrix, std::size_t units, std::size_t width) {
    const std::size_t rows = matrix.size() / units;
    std::vector<float> wide(rows * width);
    for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(matrix.data() + row * units, units, wide.data() + row * width);
    return wide;
}

std::size_t filled_up(std::size_t units) { return (units + LANES - 1) / LANES * LANES; }

bool is_reasonable(std::span<const float> tensor) {
    return std::all_of(tensor.begin(), tensor.end(),
                       [](float weight) { return std::isfinite(weight) && std::abs(weight) <= 1e6f; });
}

}  // namespace

DenseLayer::DenseLayer(std::span<const float> matrix, std::span<const float> bias)
    : matrix_(widen(matrix, bias.size(), filled_up(bias.size()))),
      bias_(widen(bias, bias.size(), filled_up(bias.size()))) {}

void DenseLayer::run(const int16_t* index, const float* value, int count, float* sums) const {
    std::copy(bias_.begin(), bias_.end(), sums);
    add_rows(matrix_.data(), width(), index, value, count, sums);
}

DenseNetwork::DenseNetwork(std::vector<DenseLayer> layers) : layers_(std::move(layers)) {
    static std::atomic<uint64_t> made{0};
    serial_ = ++made;
}

std::unique_ptr<const DenseNetwork> DenseNetwork::make(std::span<const std::span<const float>> tensors,
                                                       std::size_t inputs, std::size_t numbers, std::string& why) {
    const auto fail = [&](const char* reason) {
        why = reason;
        return nullptr;
    };
    if (tensors.empty() || tensors.size() % 2) return fail("a network has a matrix and a bias for each layer");
    if (!std::all_of(tensors.begin(), tensors.end(), is_reasonable)) return fail("a weight is no reasonable number");
    std::vector<DenseLayer> layers;
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
        const std::size_t units = tensors[i + 1].size();
        if (units == 0 || units > DenseLayer::MAX_UNITS) return fail("a layer has an impossible size");
        if (tensors[i].size() != inputs * units) return fail("the layers do not fit each other or the inputs");
        layers.emplace_back(tensors[i], tensors[i + 1]);
        inputs = units;
    }
    if (inputs != numbers || filled_up(numbers) > MAX_NUMBERS) return fail("the last layer has another size");
    return std::make_unique<DenseNetwork>(std::move(layers));
}

void DenseNetwork::run(const int16_t* index, const float* value, int count, Numbers& numbers) const {
    alignas(64) float sums[DenseLayer::MAX_UNITS];
    int16_t active[DenseLayer::MAX_UNITS];
    float active_value[DenseLayer::MAX_UNITS];
    for (std::size_t i = 0; i + 1 < layers_.size(); ++i) {
        layers_[i].run(index, value, count, sums);
        count = find_active(sums, static_cast<int>(layers_[i].width()), active, active_value);
        index = active;
        value = active_value;
    }
    layers_.back().run(index, value, count, numbers.data());
}

float sigmoid(float x) {
    return static_cast<float>(1 / (1 + exponential(std::clamp(-static_cast<double>(x), -30.0, 30.0))));
}

void softmax(std::span<const float> numbers, std::span<float> chances) {
    double powers[DenseNetwork::MAX_NUMBERS], sum = 0;
    const double most = *std::max_element(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) powers[i] = std::max(numbers[i] - most, -30.0);
    exponentials(powers, static_cast<int>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += powers[i];
    for (std::size_t i = 0; i < numbers.size(); ++i) chances[i] = static_cast<float>(powers[i] / sum);
}

}  // namespace zermelo
