// Positions as text: FEN, with Chess960 castling rights in either notation.
#pragma once

#include <string>
#include <string_view>

#include "games/chess/state.hpp"

namespace zermelo::chess {

// Standard FEN. A castling right is K, Q, k or q if it is of the outermost rook on that side, else the rook's file
// (X-FEN); the en passant square is written only if a pawn may capture.
std::string write_fen(const State& state);

// Reads a FEN of four to six fields into `state`, castling as KQkq or by files (Shredder-FEN). Rejects, with the reason
// in `why`, impossible positions: kings, pawns on the last ranks, too many pieces, a king that can be captured,
// castling rights without their rook, en passant without its pawn.
bool read_fen(std::string_view text, State& state, std::string& why);

}  // namespace zermelo::chess
