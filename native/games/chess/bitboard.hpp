// Sets of squares as 64 bits: a1 is bit 0, h1 bit 7, h8 bit 63.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace zermelo::chess {

using Bitboard = uint64_t;
using Square = int;  // 0 … 63, or NO_SQUARE

constexpr Square NO_SQUARE = 64;

enum Colour : int { WHITE, BLACK };
enum Piece : int { PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING };

constexpr Bitboard FILE_A = 0x0101010101010101;
constexpr Bitboard FILE_H = FILE_A << 7;
constexpr Bitboard RANK_1 = 0xff;
constexpr Bitboard DARK = 0xaa55aa55aa55aa55;  // the squares of a1's colour

constexpr Bitboard bit(Square square) { return Bitboard{1} << square; }
constexpr Bitboard rank(int number) { return RANK_1 << (8 * number); }  // 0 … 7
constexpr Square first(Bitboard squares) { return std::countr_zero(squares); }
constexpr int count(Bitboard squares) { return std::popcount(squares); }
constexpr bool several(Bitboard squares) { return (squares & (squares - 1)) != 0; }
constexpr int file_of(Square square) { return square & 7; }
constexpr int rank_of(Square square) { return square >> 3; }

// Calls `visit` with each square of a set, starting from a1.
template <typename Visit>
constexpr void each(Bitboard squares, const Visit& visit) {
    for (; squares; squares &= squares - 1) visit(first(squares));
}

constexpr Colour other(Colour colour) { return colour == WHITE ? BLACK : WHITE; }

// One step ahead for the pawns of a colour, straight and to either side.
template <Colour US>
constexpr Bitboard ahead(Bitboard pawns) {
    return US == WHITE ? pawns << 8 : pawns >> 8;
}
template <Colour US>
constexpr Bitboard ahead_west(Bitboard pawns) {
    return (US == WHITE ? pawns << 7 : pawns >> 9) & ~FILE_H;
}
template <Colour US>
constexpr Bitboard ahead_east(Bitboard pawns) {
    return (US == WHITE ? pawns << 9 : pawns >> 7) & ~FILE_A;
}

}  // namespace zermelo::chess
