// A position of chess as flat bytes, and an action as a number.
//
// Invariants: each side has one king; `key`, `score`, `phase`, `checkers` and `pinned` are derived from the rest and
// updated incrementally. `en_passant` is set only if a capture is legal, and `castlers` contains only rooks that may
// still castle: so repeated positions have equal keys, as the key ignores the clocks.
#pragma once

#include "games/chess/bitboard.hpp"

namespace zermelo::chess {

struct alignas(16) State {
    Bitboard pieces[6];  // of both colours, by Piece
    Bitboard colours[2];
    uint64_t key;
    Bitboard checkers;  // pieces giving check to the side to move
    Bitboard pinned;    // pieces of the side to move that are pinned to their king
    Bitboard castlers;  // rooks that may still castle, of both colours
    int32_t score;      // white's lead in middlegame and endgame, packed; see placement.hpp
    uint16_t clock;     // plies since a capture or a pawn move
    uint16_t move;      // the full-move number, from 1, incremented after black's move
    uint8_t en_passant; // the square behind a pawn that may be captured en passant, or NO_SQUARE
    uint8_t turn;       // a Colour
    uint8_t phase;      // how much of the middlegame is left; see placement.hpp
    uint8_t unused[5];  // zero, so that equal positions have equal bytes

    Bitboard occupied() const { return colours[WHITE] | colours[BLACK]; }
    Bitboard of(Colour colour, Piece piece) const { return colours[colour] & pieces[piece]; }
    Square king(Colour colour) const { return first(of(colour, KING)); }
    Colour mover() const { return static_cast<Colour>(turn); }
    bool in_check() const { return checkers != 0; }

    // The piece on an occupied square.
    Piece piece_on(Square square) const {
        int piece = PAWN;
        while (!(pieces[piece] & bit(square))) ++piece;
        return static_cast<Piece>(piece);
    }
};

static_assert(sizeof(State) == 112);

// An action: from, to, promotion piece (or PAWN for none), moving piece, and its kind. Castling is encoded as the king
// capturing its own rook, which is unambiguous in Chess960.
using Action = int64_t;

enum Kind : int { PLAIN, DOUBLE_STEP, EN_PASSANT, CASTLING };

constexpr Action make_action(Square from, Square to, Piece piece, Kind kind = PLAIN, Piece promotion = PAWN) {
    return from | to << 6 | promotion << 12 | piece << 15 | kind << 18;
}
constexpr Square from_of(Action action) { return action & 63; }
constexpr Square to_of(Action action) { return (action >> 6) & 63; }
constexpr Piece promotion_of(Action action) { return static_cast<Piece>((action >> 12) & 7); }
constexpr Piece piece_of(Action action) { return static_cast<Piece>((action >> 15) & 7); }
constexpr Kind kind_of(Action action) { return static_cast<Kind>((action >> 18) & 3); }

// The squares of king and rook after castling with the rook on `rook`.
constexpr Square castled_king(Square king, Square rook) { return (king & 56) + (rook > king ? 6 : 2); }
constexpr Square castled_rook(Square king, Square rook) { return (king & 56) + (rook > king ? 5 : 3); }

constexpr std::size_t MAX_ACTIONS = 256;  // no position has more than 218

}  // namespace zermelo::chess
