// From a position to the next, and how games end.
#pragma once

#include "games/chess/placement.hpp"

namespace zermelo::chess {

// Makes `child` the position after a legal move. An action that is no move of any piece here is refused; one that is
// merely illegal leads to a position that no game has, but still one with two kings.
bool play(const Placements& placements, const State& state, Action action, State& child);

// Makes `child` the position with the other side to move and nothing else changed.
void pass(const State& state, State& child);

// Sets `checkers` and `pinned` from the pieces and the turn.
void look_around(State& state);

// Sets `key`, `score` and `phase` anew from all the rest.
void count_up(const Placements& placements, State& state);

enum class Ending { NONE, MATE, STALEMATE, FIFTY_MOVES, TOO_FEW_PIECES, KING_HANGS };

// How the game has ended here, if it has. Nobody claims in a search, so fifty moves by each side without a capture or
// a pawn's move are a draw at once; mate goes before. A side that has passed in check has lost: KING_HANGS, for it is
// never seen after a move, is looked for only where `passed`.
Ending ending(const State& state, bool passed);

}  // namespace zermelo::chess
