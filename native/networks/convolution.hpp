// The 3 × 3 convolution of grid networks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace zermelo {

// A board with a number of channels per cell, and a border of zeros around it: [rows + 2][columns + 2][channels].
struct GridBoard {
    uint32_t rows, columns;
    uint32_t channels;  // a multiple of 16

    std::size_t cells() const { return std::size_t{rows} * columns; }
    std::size_t line() const { return (std::size_t{columns} + 2) * channels; }
    std::size_t size() const { return (std::size_t{rows} + 2) * line(); }
    // The place of a cell's first channel.
    std::size_t at(std::size_t cell) const { return (cell / columns + 1) * line() + (cell % columns + 1) * channels; }
};

// out += in * weights, where weights are [9][channels in][channels out], the taps row by row. Writes the cells, and not the
// border.
void add_convolution(const GridBoard& board, const float* in, const float* weights, float* out);

// Back through it: adds the slopes of the weights, given those of `out`. Those of `in` are a convolution of the slopes with the
// taps in reverse order and the channels exchanged.
void add_weight_slopes(const GridBoard& board, const float* in, const float* slopes, float* out);

}  // namespace zermelo
