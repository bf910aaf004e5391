// The terms of the evaluation, counted for White and against Black, and weighted.
//
// A term is one number of a position. Terms that differ only by a square, a rank or a number of squares form a table:
// only its first is named here.
#pragma once

#include <string>

#include "games/chess/bitboard.hpp"

namespace zermelo::chess {

enum Term : int {
    MATERIAL = 0,                       // pawn … queen
    PAWN_SQUARES = MATERIAL + 5,        // ranks 2 … 7 by files a … d, mirrored for e … h
    PIECE_SQUARES = PAWN_SQUARES + 24,  // knight … king: ranks 1 … 8 by files a … d
    KNIGHT_MOBILITY = PIECE_SQUARES + 5 * 32,  // by the number of safe squares
    BISHOP_MOBILITY = KNIGHT_MOBILITY + 9,
    ROOK_MOBILITY = BISHOP_MOBILITY + 14,
    QUEEN_MOBILITY = ROOK_MOBILITY + 15,
    CONNECTED_PAWN = QUEEN_MOBILITY + 28,  // by rank, 2 … 7
    PASSED_PAWN = CONNECTED_PAWN + 6,      // by rank
    DOUBLED_PAWN = PASSED_PAWN + 6,
    ISOLATED_PAWN,
    BACKWARD_PAWN,
    PASSED_FREE,         // the square in front of it is empty; by rank, as the next
    PASSED_SAFE,         // the other side attacks no square on its path
    PASSED_BLOCKED,      // an enemy piece blocks it
    PASSED_SUPPORTED,    // a pawn guards it
    PASSED_OWN_KING,     // distance of its own king to the square in front of it, by rank
    PASSED_OTHER_KING,   // the same for the other king
    PASSED_UNSTOPPABLE,  // the other side has only its king, which is too late
    ROOK_BEHIND,         // behind a passed pawn of its own
    ROOK_AGAINST,        // behind a passed pawn of the other side
    BISHOP_PAIR,
    BAD_BISHOP,  // own pawns on its colour
    KNIGHT_OUTPOST,
    BISHOP_OUTPOST,
    ROOK_OPEN_FILE,
    ROOK_HALF_OPEN_FILE,
    KING_SHIELD,      // own pawns in front of the king
    KING_OPEN_FILE,   // files near the king without an own pawn
    KING_STORM,       // enemy pawns near the king
    KING_ATTACK,      // attackers of the other king, their weight times the squares that they attack
    KING_DANGER,      // the square of the sum of attack factors
    KNIGHT_CHECK,     // squares from which it may give check safely
    BISHOP_CHECK,
    ROOK_CHECK,
    QUEEN_CHECK,
    PAWN_THREAT,       // pieces that a pawn attacks
    PUSH_THREAT,       // pieces that a pawn can attack by a push
    MINOR_THREAT,      // rooks and queens that a minor piece attacks
    MINOR_ON_MINOR,    // defended or not
    ROOK_THREAT,       // queens that a rook attacks
    HANGING,           // attacked and undefended pieces
    SPACE,             // safe squares in the middle of its own camp
    TO_MOVE,
    TERMS
};

// The term of a piece on a square of a side, or TERMS for a pawn on the first or last rank.
constexpr int square_term(Colour colour, Piece piece, Square square) {
    const int rank = colour == WHITE ? rank_of(square) : 7 - rank_of(square);
    const int file = file_of(square) < 4 ? file_of(square) : 7 - file_of(square);
    if (piece != PAWN) return PIECE_SQUARES + (piece - KNIGHT) * 32 + rank * 4 + file;
    return rank >= 1 && rank <= 6 ? PAWN_SQUARES + (rank - 1) * 4 + file : static_cast<int>(TERMS);
}

// The name of a term: "knight on c3/f3", "rook mobility 7", "passed pawn, rank 6", "bishop pair".
std::string term_name(int term);

// The group that a term belongs to, shared by a table of terms: "squares", "rook mobility".
std::string term_group(int term);

}  // namespace zermelo::chess
