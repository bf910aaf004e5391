#include "games/xiangqi/inputs.hpp"

namespace zermelo::xiangqi {

namespace {

// The squares of one half turned by 180 degrees: the last bit comes first.
constexpr uint64_t turned(uint64_t half) {
    half = (half >> 1 & 0x5555555555555555) | (half & 0x5555555555555555) << 1;
    half = (half >> 2 & 0x3333333333333333) | (half & 0x3333333333333333) << 2;
    half = (half >> 4 & 0x0f0f0f0f0f0f0f0f) | (half & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(half) >> (64 - HALF);
}

}  // namespace

void write_inputs(const State& state, int player, uint64_t* words) {
    constexpr Kind ROAMING[] = {HORSE, ROOK, CANNON, PAWN};
    uint64_t* word = words;
    for (const int side : {player, 1 - player}) {
        const Bits men = state.colours[side];
        *word++ = (men & state.kinds[KING]).half[side];
        *word++ = (men & (state.kinds[ADVISOR] | state.kinds[ELEPHANT])).half[side];
        for (const Kind kind : ROAMING) {
            const Bits found = men & state.kinds[kind];
            *word++ = found.half[player];
            *word++ = found.half[1 - player];
        }
    }
    if (player == BLACK)
        for (int i = 0; i < INPUT_WORDS; ++i) words[i] = turned(words[i]);
}

int stage_of(const State& state) { return (state.occupied().count() - 1) * STAGES / 32; }

void mirror(const State& state, State& image) {
    image = State{};
    each(state.occupied(), [&](int square) { put(image, state.board[square], mirrored(square)); });
    if (state.turn == BLACK) flip(image);
    image.check = state.check;
    image.quiet = state.quiet;
    image.number = state.number;
}

}  // namespace zermelo::xiangqi
