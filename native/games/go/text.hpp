// Positions of Go as text, including the facts of the game.
//
//     ..../.X../.XO./.... w c2 0 0 1 15 area skilled
//
// Rows from the top, X for black and O for white; who is to move; the point of a ko, or -; passes in a row; the prisoners of
// black and of white; komi in half points; how the game is counted; how playouts go.
#pragma once

#include <string>
#include <string_view>

#include "games/go/state.hpp"

namespace zermelo::go {

template <int N>
std::string write_text(const State<N>& state);

// On failure writes the reason to `why`. A board on which stones have no liberties is rejected.
template <int N>
bool read_text(std::string_view text, State<N>& state, std::string& why);

}  // namespace zermelo::go
