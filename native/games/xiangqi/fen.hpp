// Positions of Chinese chess as text: FEN as the engines of the field write it.
//
//     rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//
// Rows from black's side down; K A B N R C P are red's king, advisor, elephant, horse, rook, cannon and pawn (E and H
// are read for B and N), small letters black's; who is to move (w, read also as r, or b); two fields without meaning;
// half-moves since something was taken; the number of the move. The last four may be left out.
#pragma once

#include <string>
#include <string_view>

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr const char* START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

std::string write_fen(const State& state);

// Only positions that a game could have: at most as many pieces as at the start, each where it may stand, and the side
// that has just moved not in check. Otherwise says in `why` what is wrong.
bool read_fen(std::string_view text, State& state, std::string& why);

}  // namespace zermelo::xiangqi
