// Chess and Chess960 as a game of the core; positions are FEN.
//
// Player 0 is white. A game ends by mate, stalemate, the fifty-move rule, or insufficient material. Castling is encoded
// as the king capturing its own rook.
#pragma once

#include "games/native.hpp"

namespace zermelo::chess {

const NativeGame& game();

}  // namespace zermelo::chess
