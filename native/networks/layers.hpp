// The layers of grid networks beside the convolution, and how slopes pass back through them.
#pragma once

#include <cstddef>

#include "networks/convolution.hpp"

namespace zermelo {

// to += from.
void add_numbers(const float* from, std::size_t count, float* to);
// to += factor * from.
void add_scaled(const float* from, float factor, std::size_t count, float* to);
// Rectifies: numbers below 0 become 0.
void clip(float* numbers, std::size_t count);
// Back through `clip`: slopes of numbers that were clipped become 0.
void mask(const float* clipped, std::size_t count, float* slopes);
// out += in · weights, where weights are [count][width].
void add_product(const float* in, std::size_t count, const float* weights, std::size_t width, float* out);
// Back through `add_product`: adds the slopes of `in` and of the weights.
void add_product_slopes(const float* in, std::size_t count, const float* weights, std::size_t width,
                        const float* slopes, float* in_slopes, float* weight_slopes);
// The scalar product.
float product(const float* a, const float* b, std::size_t count);
// The mean and the maximum of every channel over the cells.
void pool(const GridBoard& board, const float* numbers, float* out);
// Back through `pool`.
void add_pool_slopes(const GridBoard& board, const float* numbers, const float* pooled, const float* slopes, float* to);

// Applies `change(numbers)` to the channels of each cell.
template <typename Change>
void for_each_cell(const GridBoard& board, float* numbers, const Change& change) {
    for (std::size_t cell = 0; cell < board.cells(); ++cell) change(numbers + board.at(cell));
}

}  // namespace zermelo
