#include "games/chess/inputs.hpp"

namespace zermelo::chess {

namespace {

constexpr Bitboard FILES_A_TO_D = 0x0f0f0f0f0f0f0f0f;

Bitboard mirror_files(Bitboard squares) {
    squares = (squares >> 1 & 0x5555555555555555) | (squares & 0x5555555555555555) << 1;
    squares = (squares >> 2 & 0x3333333333333333) | (squares & 0x3333333333333333) << 2;
    return (squares >> 4 & FILES_A_TO_D) | (squares & FILES_A_TO_D) << 4;
}

}  // namespace

void write_inputs(const State& state, Colour player, uint64_t* words) {
    const Bitboard own = state.colours[player], others = state.colours[other(player)];
    for (int piece = PAWN; piece <= KING; ++piece) {
        words[piece] = own & state.pieces[piece];
        words[6 + piece] = others & state.pieces[piece];
    }
    if (player == BLACK)
        for (int i = 0; i < INPUT_WORDS; ++i) words[i] = __builtin_bswap64(words[i]);
    if (words[KING] & FILES_A_TO_D)
        for (int i = 0; i < INPUT_WORDS; ++i) words[i] = mirror_files(words[i]);
}

int stage_of(const State& state) { return (count(state.occupied()) - 1) * STAGES / 32; }

}  // namespace zermelo::chess
