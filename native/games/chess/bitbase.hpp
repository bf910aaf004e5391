// King and pawn against king, solved: one bit per position.
#pragma once

#include "games/chess/bitboard.hpp"

namespace zermelo::chess {

// Whether the side with the pawn wins, by plain rules without the count of fifty moves. The pawn is White's; the position
// is legal.
bool pawn_wins(Square king, Square pawn, Square other_king, bool pawn_side_moves);

}  // namespace zermelo::chess
