#include "games/xiangqi/state.hpp"

#include <array>

#include "core/random.hpp"
#include "games/xiangqi/evaluate.hpp"

namespace zermelo::xiangqi {

namespace {

// A random number for each piece on each square; none for an empty one.
constexpr auto KEYS = [] {
    std::array<std::array<uint64_t, SQUARES>, PIECES> keys{};
    for (int piece = piece_of(KING, RED); piece < PIECES; ++piece)
        for (int square = 0; square < SQUARES; ++square)
            keys[piece][square] = splitmix(static_cast<uint64_t>(SQUARES * piece + square));
    return keys;
}();
constexpr uint64_t TURN_KEY = splitmix(uint64_t{1} << 32);

}  // namespace

void put(State& state, uint8_t piece, int square) {
    state.board[square] = piece;
    ++state.counts[piece];
    state.colours[colour_of(piece)] |= bit(square);
    state.kinds[kind_of(piece)] |= bit(square);
    state.rows[row_of(square)] |= static_cast<uint16_t>(1 << column_of(square));
    state.columns[column_of(square)] |= static_cast<uint16_t>(1 << row_of(square));
    if (kind_of(piece) == KING) state.kings[colour_of(piece)] = static_cast<uint8_t>(square);
    state.key ^= KEYS[piece][square];
    state.score += square_scores[piece][square];
}

void flip(State& state) {
    state.turn ^= 1;
    state.key ^= TURN_KEY;
}

void move(State& state, int from, int to) {
    const uint8_t piece = state.board[from], victim = state.board[to];
    const int me = state.turn;
    const Bits target = bit(to);
    if (victim != EMPTY) {
        state.colours[colour_of(victim)] ^= target;
        state.kinds[kind_of(victim)] ^= target;
        --state.counts[victim];
    }
    state.board[from] = EMPTY;
    state.board[to] = piece;
    const Bits way = bit(from) | target;
    state.colours[me] ^= way;
    state.kinds[kind_of(piece)] ^= way;
    const int row = tables.row[from], column = tables.column[from];
    state.rows[row] ^= static_cast<uint16_t>(1 << column);
    state.columns[column] ^= static_cast<uint16_t>(1 << row);
    const int to_row = tables.row[to], to_column = tables.column[to];
    state.rows[to_row] |= static_cast<uint16_t>(1 << to_column);
    state.columns[to_column] |= static_cast<uint16_t>(1 << to_row);
    if (kind_of(piece) == KING) state.kings[me] = static_cast<uint8_t>(to);
    state.key ^= KEYS[piece][from] ^ KEYS[piece][to] ^ KEYS[victim][to];
    state.score += square_scores[piece][to] - square_scores[piece][from] - square_scores[victim][to];
    state.quiet = victim == EMPTY ? static_cast<uint16_t>(state.quiet + 1) : uint16_t{0};
    state.number = static_cast<uint16_t>(state.number + (me == BLACK));
    flip(state);
}

}  // namespace zermelo::xiangqi
