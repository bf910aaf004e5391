// Attack tables. Leapers and lines are tables; sliders are looked up by their blockers.
//
// The index into a slider's table is PEXT of the blockers on processors where it is fast, otherwise a product with a
// magic number, under which no two sets of blockers with different attacks collide. `prepare_attacks` decides, fills
// the tables in a few milliseconds, and must have run, on one thread, before anything else here.
#pragma once

#include "games/chess/bitboard.hpp"

namespace zermelo::chess {

void prepare_attacks(bool allow_pext = true);

struct Slider {
    Bitboard mask;  // the squares on which a blocker matters
    uint64_t magic;
    const Bitboard* attacks;
    int shift;
};

struct AttackTables {
    Slider rooks[64];
    Slider bishops[64];
    Bitboard knights[64];
    Bitboard kings[64];
    Bitboard pawns[2][64];     // attacks of a pawn of that colour from that square
    Bitboard rook_rays[64];    // on an empty board
    Bitboard bishop_rays[64];
    Bitboard between[64][64];  // the squares strictly between two on a line, else empty
    Bitboard lines[64][64];    // the whole line through two squares, edge to edge, else empty
};

extern AttackTables attack_tables;
extern bool fast_pext;

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
// Inline assembly, as the compiler would allow the intrinsic only in code that requires it on every processor.
inline uint64_t pext(uint64_t value, uint64_t mask) {
    uint64_t result;
    __asm__("pextq %2, %1, %0" : "=r"(result) : "r"(value), "r"(mask));
    return result;
}
#else
inline uint64_t pext(uint64_t, uint64_t) { return 0; }  // never called: `fast_pext` is false
#endif

inline Bitboard slide(const Slider& slider, Bitboard occupied) {
    const uint64_t index =
        fast_pext ? pext(occupied, slider.mask) : ((occupied & slider.mask) * slider.magic) >> slider.shift;
    return slider.attacks[index];
}

inline Bitboard rook_attacks(Square from, Bitboard occupied) { return slide(attack_tables.rooks[from], occupied); }
inline Bitboard bishop_attacks(Square from, Bitboard occupied) { return slide(attack_tables.bishops[from], occupied); }
inline Bitboard queen_attacks(Square from, Bitboard occupied) {
    return rook_attacks(from, occupied) | bishop_attacks(from, occupied);
}
inline Bitboard knight_attacks(Square from) { return attack_tables.knights[from]; }
inline Bitboard king_attacks(Square from) { return attack_tables.kings[from]; }
inline Bitboard pawn_attacks(Colour colour, Square from) { return attack_tables.pawns[colour][from]; }
inline Bitboard between(Square one, Square two) { return attack_tables.between[one][two]; }
inline Bitboard line(Square one, Square two) { return attack_tables.lines[one][two]; }

}  // namespace zermelo::chess
