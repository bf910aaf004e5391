// The contribution of a piece on a square to a position's key, score and phase: the tables behind incremental updates.
//
// A score packs two numbers, endgame in the high half and middlegame in the low, so that one addition updates both.
#pragma once

#include "games/chess/state.hpp"

namespace zermelo::chess {

constexpr int32_t pack_score(int middlegame, int endgame) { return endgame * 65536 + middlegame; }
constexpr int middlegame_of(int32_t score) { return static_cast<int16_t>(static_cast<uint16_t>(score)); }
constexpr int endgame_of(int32_t score) { return static_cast<int16_t>((score + 0x8000) >> 16); }

struct Placement {
    uint64_t key;
    int32_t score;  // white's view
    int32_t phase;
};

constexpr int FULL_PHASE = 24;  // of all pieces at the start of a game

struct Placements {
    Placement pieces[2][6][64];
};

// The parts of a key other than pieces.
struct Keys {
    uint64_t castlers[64];
    uint64_t en_passant[8];  // by file
    uint64_t turn;           // of black
};

extern const Keys keys;

// Keys and phases, with scores of 0.
extern const Placements bare_placements;

// The value of a piece in centipawns for exchanges; 0 for a king, and for the two codes in an action that are no piece.
extern const int PIECE_VALUES[8];

}  // namespace zermelo::chess
