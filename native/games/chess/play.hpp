// Makes moves, and determines how games end.
#pragma once

#include "games/chess/placement.hpp"

namespace zermelo::chess {

// Makes `child` the position after a legal move. Rejects an action that moves no piece here; one that is merely illegal
// leads to an unreachable position, but still one with two kings.
bool play(const Placements& placements, const State& state, Action action, State& child);

// Makes a null move: `child` is the position with the other side to move and nothing else changed.
void pass(const State& state, State& child);

// Sets `checkers` and `pinned` from the pieces and the turn.
void update_checks(State& state);

// Recomputes `key`, `score` and `phase` from the other fields.
void count_up(const Placements& placements, State& state);

enum class Ending { NONE, MATE, STALEMATE, FIFTY_MOVES, TOO_FEW_PIECES, KING_HANGS };

// How the game has ended here, if it has. Nobody claims in a search, so the fifty-move rule is a draw at once; mate
// takes precedence. A side that has passed in check has lost: KING_HANGS, which never occurs after a legal move, is
// checked only if `passed`.
Ending ending(const State& state, bool passed);

}  // namespace zermelo::chess
