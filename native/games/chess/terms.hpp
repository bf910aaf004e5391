// The terms of the evaluation: what is counted, for White and against Black, and weighed.
//
// A term is one number of a position. Terms that differ only by a square, a rank or how many squares a piece may go to
// form a table of neighbours: its first is the one named here.
#pragma once

#include <string>

#include "games/chess/bitboard.hpp"

namespace zermelo::chess {

enum Term : int {
    MATERIAL = 0,                       // pawn … queen
    PAWN_SQUARES = MATERIAL + 5,        // ranks 2 … 7 by files a … d, the other wing alike
    PIECE_SQUARES = PAWN_SQUARES + 24,  // knight … king: ranks 1 … 8 by files a … d
    KNIGHT_MOBILITY = PIECE_SQUARES + 5 * 32,  // by the number of squares that the piece may safely go to
    BISHOP_MOBILITY = KNIGHT_MOBILITY + 9,
    ROOK_MOBILITY = BISHOP_MOBILITY + 14,
    QUEEN_MOBILITY = ROOK_MOBILITY + 15,
    CONNECTED_PAWN = QUEEN_MOBILITY + 28,  // by rank, 2 … 7
    PASSED_PAWN = CONNECTED_PAWN + 6,      // by rank
    DOUBLED_PAWN = PASSED_PAWN + 6,
    ISOLATED_PAWN,
    BACKWARD_PAWN,
    PASSED_FREE,         // the square before it is empty; by rank, as the next
    PASSED_SAFE,         // nothing of the other side attacks its way
    PASSED_BLOCKED,      // a piece of the other side stands before it
    PASSED_SUPPORTED,    // a pawn guards it
    PASSED_OWN_KING,     // how far its own king is from the square before it, by rank
    PASSED_OTHER_KING,   // the same of the other king
    PASSED_UNSTOPPABLE,  // the other side has only its king, which comes too late
    ROOK_BEHIND,         // a passed pawn of its own
    ROOK_AGAINST,        // behind a passed pawn of the other side
    BISHOP_PAIR,
    BAD_BISHOP,  // its own pawns on its colour
    KNIGHT_OUTPOST,
    BISHOP_OUTPOST,
    ROOK_OPEN_FILE,
    ROOK_HALF_OPEN_FILE,
    KING_SHIELD,      // own pawns before the king
    KING_OPEN_FILE,   // files at the king without a pawn of its own
    KING_STORM,       // pawns of the other side that come near it
    KING_ATTACK,      // pieces at the other king, their strength times the squares that they attack
    KING_DANGER,      // the square of all that speaks for an attack
    KNIGHT_CHECK,     // squares from which it may give check unpunished
    BISHOP_CHECK,
    ROOK_CHECK,
    QUEEN_CHECK,
    PAWN_THREAT,       // pieces that a pawn attacks
    PUSH_THREAT,       // pieces that a pawn can come to attack
    MINOR_THREAT,      // rooks and queens that a minor piece attacks
    MINOR_ON_MINOR,    // undefended or not
    ROOK_THREAT,       // queens that a rook attacks
    HANGING,           // what is attacked and not defended
    SPACE,             // safe squares in the middle of its own camp
    TO_MOVE,
    TERMS
};

// The term of a piece on a square of a side, or TERMS for a pawn where none can stand.
constexpr int square_term(Colour colour, Piece piece, Square square) {
    const int rank = colour == WHITE ? rank_of(square) : 7 - rank_of(square);
    const int file = file_of(square) < 4 ? file_of(square) : 7 - file_of(square);
    if (piece != PAWN) return PIECE_SQUARES + (piece - KNIGHT) * 32 + rank * 4 + file;
    return rank >= 1 && rank <= 6 ? PAWN_SQUARES + (rank - 1) * 4 + file : static_cast<int>(TERMS);
}

// What people call a term: "knight on c3/f3", "rook mobility 7", "passed pawn, rank 6", "bishop pair".
std::string term_name(int term);

// The part of the evaluation that a term belongs to, which a table of neighbours shares: "squares", "rook mobility".
std::string term_group(int term);

}  // namespace zermelo::chess
