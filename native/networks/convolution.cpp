// Compiled with fused multiplication (CMakeLists.txt), which doubles its speed: the last bits of a grid network may differ from machine
// to machine.
#include "networks/convolution.hpp"

namespace zermelo {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define ZERMELO_CHOOSES_VECTORS

#pragma GCC push_options
#pragma GCC target("avx512f,fma")
namespace avx512 {
constexpr int LANES = 16, WIDE = 2, LONG = 12;
#include "networks/convolution_tiles.inl"
}  // namespace avx512
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
constexpr int LANES = 8, WIDE = 2, LONG = 6;
#include "networks/convolution_tiles.inl"
}  // namespace avx2
#pragma GCC pop_options
#endif

namespace plain {
constexpr int LANES = 4, WIDE = 2, LONG = 6;
#include "networks/convolution_tiles.inl"
}  // namespace plain

#ifdef ZERMELO_CHOOSES_VECTORS
#define ZERMELO_CALL_WIDEST(function, ...)                                                        \
    static const bool has_avx512 = __builtin_cpu_supports("avx512f");                             \
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); \
    return has_avx512 ? avx512::function(__VA_ARGS__)                                             \
           : has_avx2 ? avx2::function(__VA_ARGS__)                                               \
                      : plain::function(__VA_ARGS__)
#else
#define ZERMELO_CALL_WIDEST(function, ...) return plain::function(__VA_ARGS__)
#endif

void add_convolution(const GridBoard& board, const float* in, const float* weights, float* out) {
    ZERMELO_CALL_WIDEST(add_convolution, board, in, weights, out);
}

void add_weight_slopes(const GridBoard& board, const float* in, const float* slopes, float* out) {
    ZERMELO_CALL_WIDEST(add_weight_slopes, board, in, slopes, out);
}

}  // namespace zermelo
