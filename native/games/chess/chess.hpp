// Chess and Chess960 as a game of the core; positions are FEN.
//
// Player 0 is white. A game ends by mate, stalemate, fifty moves by each side without a capture or a pawn's move, or
// too few pieces for any mate. Castling is the king taking its rook.
#pragma once

#include "games/native.hpp"

namespace zermelo::chess {

const NativeGame& game();

}  // namespace zermelo::chess
