#include "networks/layers.hpp"

#include <algorithm>
#include <limits>

#include "core/wide.hpp"

namespace zermelo {

ZERMELO_WIDE void add_numbers(const float* __restrict from, std::size_t count, float* __restrict to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

ZERMELO_WIDE void add_scaled(const float* __restrict from, float factor, std::size_t count, float* __restrict to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

ZERMELO_WIDE void clip(float* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) numbers[i] = numbers[i] > 0 ? numbers[i] : 0;
}

ZERMELO_WIDE void mask(const float* __restrict clipped, std::size_t count, float* __restrict slopes) {
    for (std::size_t i = 0; i < count; ++i) slopes[i] = clipped[i] > 0 ? slopes[i] : 0;
}

ZERMELO_WIDE void add_product(const float* __restrict in, std::size_t count, const float* __restrict weights,
                              std::size_t width, float* __restrict out) {
    for (std::size_t i = 0; i < count; ++i) {
        const float factor = in[i];
        if (factor == 0) continue;
        for (std::size_t unit = 0; unit < width; ++unit) out[unit] += factor * weights[i * width + unit];
    }
}

void add_product_slopes(const float* in, std::size_t count, const float* weights, std::size_t width,
                        const float* slopes, float* in_slopes, float* weight_slopes) {
    for (std::size_t i = 0; i < count; ++i) {
        in_slopes[i] += product(weights + i * width, slopes, width);
        if (in[i] != 0) add_scaled(slopes, in[i], width, weight_slopes + i * width);
    }
}

ZERMELO_WIDE float product(const float* __restrict a, const float* __restrict b, std::size_t count) {
    float sums[8] = {};  // side by side
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
    for (; i < count; ++i) sums[0] += a[i] * b[i];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

ZERMELO_WIDE void pool(const GridBoard& board, const float* numbers, float* out) {
    const std::size_t channels = board.channels;
    std::fill_n(out, channels, 0.0f);
    std::fill_n(out + channels, channels, -std::numeric_limits<float>::infinity());
    for (std::size_t cell = 0; cell < board.cells(); ++cell) {
        const float* from = numbers + board.at(cell);
        for (std::size_t channel = 0; channel < channels; ++channel) {
            out[channel] += from[channel];
            out[channels + channel] = std::max(out[channels + channel], from[channel]);
        }
    }
    const float share = 1 / static_cast<float>(board.cells());
    for (std::size_t channel = 0; channel < channels; ++channel) out[channel] *= share;
}

void add_pool_slopes(const GridBoard& board, const float* numbers, const float* pooled, const float* slopes,
                     float* to) {
    const std::size_t channels = board.channels;
    const float share = 1 / static_cast<float>(board.cells());
    for (std::size_t cell = 0; cell < board.cells(); ++cell) add_scaled(slopes, share, channels, to + board.at(cell));
    for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t cell = 0; cell < board.cells(); ++cell)
            if (numbers[board.at(cell) + channel] == pooled[channels + channel]) {
                to[board.at(cell) + channel] += slopes[channels + channel];
                break;
            }
}

}  // namespace zermelo
