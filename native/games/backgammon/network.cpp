#include "games/backgammon/network.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "core/wide.hpp"

namespace zermelo::backgammon {

namespace {

constexpr int BLOCK = 16;

// Sixteen units side by side; the compiler splits them for the machine.
using Lanes = float __attribute__((vector_size(BLOCK * sizeof(float)), aligned(sizeof(float)), may_alias));

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
    constexpr std::size_t MANY = 4 * BLOCK;
    std::size_t unit = 0;
    for (; unit + MANY <= width; unit += MANY) add_blocks<4>(rows + unit, width, index, scale, count, sums + unit);
    for (; unit < width; unit += BLOCK) add_blocks<1>(rows + unit, width, index, scale, count, sums + unit);
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

float sigmoid(float x) {
    return static_cast<float>(1 / (1 + exponential(std::clamp(-static_cast<double>(x), -30.0, 30.0))));
}

// A matrix of `inputs` rows, each padded with zeros to `width`.
std::vector<float> widen(std::span<const float> matrix, std::size_t inputs, std::size_t units, std::size_t width) {
    std::vector<float> wide(inputs * width);
    for (std::size_t input = 0; input < inputs; ++input)
        std::copy_n(matrix.data() + input * units, units, wide.data() + input * width);
    return wide;
}

std::size_t filled_up(std::size_t units, std::size_t lanes) { return (units + lanes - 1) / lanes * lanes; }

}  // namespace

Network::Network() {
    static std::atomic<uint64_t> made{0};
    serial_ = ++made;
}

std::unique_ptr<const Network> Network::make(std::span<const std::span<const float>> tensors, std::size_t inputs,
                                             std::size_t numbers, std::string& why) {
    const auto fail = [&](const char* reason) {
        why = reason;
        return nullptr;
    };
    if (tensors.size() != 6) return fail("a network has six tensors");
    for (const auto& tensor : tensors)
        for (const float weight : tensor)
            if (!std::isfinite(weight) || std::abs(weight) > 1e6f) return fail("a weight is no reasonable number");
    const std::size_t hidden = tensors[1].size(), inner = tensors[3].size();
    if (hidden == 0 || hidden > MAX_UNITS || inner == 0 || inner > MAX_UNITS)
        return fail("a layer has an impossible size");
    if (tensors[0].size() != inputs * hidden || tensors[2].size() != hidden * inner ||
        tensors[4].size() != inner * numbers || tensors[5].size() != numbers)
        return fail("the layers do not fit each other or the inputs");
    auto network = std::make_unique<Network>();
    const std::size_t wide = filled_up(hidden, LANES), wide_inner = filled_up(inner, LANES),
                      wide_numbers = filled_up(numbers, LANES);
    network->hidden_ = static_cast<int>(wide);
    network->inner_ = static_cast<int>(wide_inner);
    network->numbers_ = static_cast<int>(wide_numbers);
    network->a_ = widen(tensors[0], inputs, hidden, wide);
    network->a_bias_ = widen(tensors[1], 1, hidden, wide);
    network->b_ = widen(tensors[2], hidden, inner, wide_inner);
    network->b_bias_ = widen(tensors[3], 1, inner, wide_inner);
    network->c_ = widen(tensors[4], inner, numbers, wide_numbers);
    network->c_bias_ = widen(tensors[5], 1, numbers, wide_numbers);
    return network;
}

void Network::run(const Inputs& inputs, Numbers& numbers) const {
    alignas(64) float hidden[MAX_UNITS], inner[MAX_UNITS];
    int16_t index[MAX_UNITS];
    float value[MAX_UNITS];
    std::copy_n(a_bias_.data(), hidden_, hidden);
    add_rows(a_.data(), hidden_, inputs.index.data(), inputs.value.data(), inputs.count, hidden);
    std::copy_n(b_bias_.data(), inner_, inner);
    int active = find_active(hidden, hidden_, index, value);
    add_rows(b_.data(), inner_, index, value, active, inner);
    std::copy_n(c_bias_.data(), numbers_, numbers.data());
    active = find_active(inner, inner_, index, value);
    add_rows(c_.data(), numbers_, index, value, active, numbers.data());
}

Chances run_for_chances(const Network& network, const Inputs& inputs) {
    Network::Numbers numbers;
    network.run(inputs, numbers);
    Chances chances;
    for (int i = 0; i < CHANCES; ++i) chances[i] = sigmoid(numbers[i]);
    return chances;
}

void soften(std::span<const float> numbers, std::span<float> chances) {
    double powers[MAX_NUMBERS], sum = 0;
    const double most = *std::max_element(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) powers[i] = std::max(numbers[i] - most, -30.0);
    exponentials(powers, static_cast<int>(numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) sum += powers[i];
    for (std::size_t i = 0; i < numbers.size(); ++i) chances[i] = static_cast<float>(powers[i] / sum);
}

}  // namespace zermelo::backgammon
