// Positions of Chinese chess as text: FEN in the notation common to engines.
//
//     rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1
//
// Rows from black's side down; K A B N R C P are red's king, advisor, elephant, horse, rook, cannon and pawn (E and H
// are accepted for B and N), lower case for black's; the side to move (w, also accepted as r, or b); two unused fields;
// half-moves since the last capture; the full-move number. The last four may be omitted.
#pragma once

#include <string>
#include <string_view>

#include "games/xiangqi/state.hpp"

namespace zermelo::xiangqi {

constexpr const char* START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

std::string write_fen(const State& state);

// Accepts only possible positions: at most as many pieces as at the start, each where it may stand, and the side that
// has just moved not in check. On failure writes the reason to `why`.
bool read_fen(std::string_view text, State& state, std::string& why);

}  // namespace zermelo::xiangqi
