#include "games/chess/scale.hpp"

namespace zermelo::chess {

namespace {

constexpr int OPPOSITE_BISHOPS = 34;       // and pawns, nothing else
constexpr int OPPOSITE_BISHOPS_MORE = 54;  // and other pieces
constexpr int NO_PAWN_SMALL_LEAD = 10;     // the stronger side has no pawn left, and at most a minor piece more

// Material in pawns, by the usual values.
int pieces_of(const State& s, Colour colour) {
    return 3 * count(s.colours[colour] & (s.pieces[KNIGHT] | s.pieces[BISHOP])) + 5 * count(s.of(colour, ROOK)) +
           9 * count(s.of(colour, QUEEN));
}

bool has_opposite_bishops(const State& s) {
    return count(s.of(WHITE, BISHOP)) == 1 && count(s.of(BLACK, BISHOP)) == 1 && count(s.pieces[BISHOP] & DARK) == 1;
}

}  // namespace

int endgame_scale(const State& s) {
    if (s.phase > 12) return FULL_SCALE;
    if (!s.pieces[PAWN] || !s.of(WHITE, PAWN) || !s.of(BLACK, PAWN)) {
        const int lead = pieces_of(s, WHITE) - pieces_of(s, BLACK);
        const Colour stronger = lead > 0 ? WHITE : BLACK;
        if (lead != 0 && !s.of(stronger, PAWN)) {
            // Two knights alone cannot force mate either.
            const bool knights = !(s.colours[stronger] & ~(s.pieces[KNIGHT] | s.pieces[KING])) && !s.pieces[PAWN];
            const int most = knights ? 6 : 3;
            if (lead <= most && lead >= -most) return NO_PAWN_SMALL_LEAD;
        }
    }
    if (!has_opposite_bishops(s)) return FULL_SCALE;
    const Bitboard others = s.pieces[KNIGHT] | s.pieces[ROOK] | s.pieces[QUEEN];
    return others ? OPPOSITE_BISHOPS_MORE : OPPOSITE_BISHOPS;
}

}  // namespace zermelo::chess
