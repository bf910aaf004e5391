// Positions as text: FEN, with the castling rights of Chess960 in either of its two ways.
#pragma once

#include <string>
#include <string_view>

#include "games/chess/state.hpp"

namespace zermelo::chess {

// Standard FEN. A right to castle is K, Q, k or q if it is of the outermost rook on that side, else the rook's file
// (X-FEN); the square of en passant is written only where a pawn may take.
std::string write_fen(const State& state);

// Reads a FEN of four to six fields into `state`, castling as KQkq or by files (Shredder-FEN). Refuses, with the
// reason in `why`, what cannot be a position: kings, pawns on the last ranks, too many pieces, a king that can be
// taken, rights to castle without their rook, en passant without its pawn.
bool read_fen(std::string_view text, State& state, std::string& why);

}  // namespace zermelo::chess
