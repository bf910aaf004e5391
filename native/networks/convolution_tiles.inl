// The convolution for one instruction set, included inside a namespace of its own with
//     LANES   floats in a vector
//     WIDE    vectors of output channels in a tile
//     LONG    the most cells in a tile: their sums and the weights of a channel fit the registers

using Vector = float __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));

// Adds to `cells` cells of a row, in `vectors` vectors of output channels.
template <int cells, int vectors>
inline void add_tile(const GridBoard& board, const float* in, const float* weights, float* out) {
    const std::size_t channels = board.channels, line = board.line();
    Vector sums[cells][vectors];
    for (int cell = 0; cell < cells; ++cell)
        for (int v = 0; v < vectors; ++v)
            sums[cell][v] = *reinterpret_cast<const Vector*>(out + cell * channels + v * LANES);
    for (uint32_t down = board.rows == 1; down < (board.rows == 1 ? 2 : 3); ++down)
        for (uint32_t across = board.columns == 1; across < (board.columns == 1 ? 2 : 3); ++across) {
            const float* from = in + down * line + across * channels;
            const float* row = weights + (3 * down + across) * channels * channels;
            for (std::size_t channel = 0; channel < channels; ++channel, row += channels) {
                Vector factors[vectors];
                for (int v = 0; v < vectors; ++v) factors[v] = *reinterpret_cast<const Vector*>(row + v * LANES);
                for (int cell = 0; cell < cells; ++cell)
                    for (int v = 0; v < vectors; ++v) sums[cell][v] += from[cell * channels + channel] * factors[v];
            }
        }
    for (int cell = 0; cell < cells; ++cell)
        for (int v = 0; v < vectors; ++v)
            *reinterpret_cast<Vector*>(out + cell * channels + v * LANES) = sums[cell][v];
}

template <int vectors, int most = LONG>
inline void add_cells(uint32_t cells, const GridBoard& board, const float* in, const float* weights, float* out) {
    if constexpr (most > 0) {
        if (cells == most) add_tile<most, vectors>(board, in, weights, out);
        else add_cells<vectors, most - 1>(cells, board, in, weights, out);
    }
}

void add_convolution(const GridBoard& board, const float* in, const float* weights, float* out) {
    const std::size_t channels = board.channels, line = board.line();
    const uint32_t tiles = (board.columns + LONG - 1) / LONG;
    for (std::size_t unit = 0; unit < channels;) {
        const bool whole = channels - unit >= WIDE * LANES;
        for (uint32_t row = 0; row < board.rows; ++row)
            for (uint32_t i = 0; i < tiles; ++i) {
                const uint32_t begin = i * board.columns / tiles, cells = (i + 1) * board.columns / tiles - begin;
                const float* from = in + row * line + begin * channels;
                float* to = out + (row + 1) * line + (begin + 1) * channels + unit;
                if (whole) add_cells<WIDE>(cells, board, from, weights + unit, to);
                else add_cells<1>(cells, board, from, weights + unit, to);
            }
        unit += whole ? WIDE * LANES : LANES;
    }
}

// Adds to the slopes of the weights between `inputs` input channels and `vectors` vectors of output channels, of one tap.
template <int inputs, int vectors>
inline void add_slopes_tile(const GridBoard& board, const float* in, const float* slopes, float* out) {
    const std::size_t channels = board.channels, line = board.line();
    Vector sums[inputs][vectors];
    for (int i = 0; i < inputs; ++i)
        for (int v = 0; v < vectors; ++v)
            sums[i][v] = *reinterpret_cast<const Vector*>(out + i * channels + v * LANES);
    for (uint32_t row = 0; row < board.rows; ++row) {
        const float* from = in + row * line;
        const float* given = slopes + (row + 1) * line + channels;
        for (uint32_t column = 0; column < board.columns; ++column, from += channels, given += channels) {
            Vector factors[vectors];
            for (int v = 0; v < vectors; ++v) factors[v] = *reinterpret_cast<const Vector*>(given + v * LANES);
            for (int i = 0; i < inputs; ++i)
                for (int v = 0; v < vectors; ++v) sums[i][v] += from[i] * factors[v];
        }
    }
    for (int i = 0; i < inputs; ++i)
        for (int v = 0; v < vectors; ++v)
            *reinterpret_cast<Vector*>(out + i * channels + v * LANES) = sums[i][v];
}

template <int vectors>
inline void add_slopes_of_tap(const GridBoard& board, const float* in, const float* slopes, float* out) {
    constexpr int INPUTS = LONG >= 8 ? 8 : 4;  // channels are a multiple of it
    for (uint32_t channel = 0; channel < board.channels; channel += INPUTS)
        add_slopes_tile<INPUTS, vectors>(board, in + channel, slopes, out + std::size_t{channel} * board.channels);
}

void add_weight_slopes(const GridBoard& board, const float* in, const float* slopes, float* out) {
    const std::size_t channels = board.channels, line = board.line();
    for (uint32_t down = board.rows == 1; down < (board.rows == 1 ? 2 : 3); ++down)
        for (uint32_t across = board.columns == 1; across < (board.columns == 1 ? 2 : 3); ++across) {
            const float* from = in + down * line + across * channels;
            float* to = out + (3 * down + across) * channels * channels;
            for (std::size_t unit = 0; unit < channels;) {
                const bool whole = channels - unit >= WIDE * LANES;
                if (whole) add_slopes_of_tap<WIDE>(board, from, slopes + unit, to + unit);
                else add_slopes_of_tap<1>(board, from, slopes + unit, to + unit);
                unit += whole ? WIDE * LANES : LANES;
            }
        }
}
