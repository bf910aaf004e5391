#include "games/chess/scale.hpp"

#include <algorithm>
#include <cstdlib>

#include "games/chess/bitbase.hpp"

namespace zermelo::chess {

namespace {

constexpr int OPPOSITE_BISHOPS = 34;       // and pawns, nothing else
constexpr int OPPOSITE_BISHOPS_MORE = 54;  // and other pieces
constexpr int NO_PAWN_SMALL_LEAD = 10;     // the stronger side has no pawn left, and at most a minor piece more
constexpr int ADVANCED_PAWN = 8;           // alone, it holds a rook or a queen

constexpr Bitboard ROOK_FILES = FILE_A | FILE_H;
constexpr Bitboard QUEEN_HELD_FILES = ROOK_FILES | FILE_A << 2 | FILE_A << 5;  // where a stalemate saves the pawn

// Material in pawns, by the usual values.
int pieces_of(const State& s, Colour colour) {
    return 3 * count(s.colours[colour] & (s.pieces[KNIGHT] | s.pieces[BISHOP])) + 5 * count(s.of(colour, ROOK)) +
           9 * count(s.of(colour, QUEEN));
}

int distance(Square one, Square two) {
    return std::max(std::abs(file_of(one) - file_of(two)), std::abs(rank_of(one) - rank_of(two)));
}

// A square as `colour` sees it from its own side.
Square seen_by(Colour colour, Square square) { return colour == WHITE ? square : square ^ 56; }

bool has_opposite_bishops(const State& s) {
    return count(s.of(WHITE, BISHOP)) == 1 && count(s.of(BLACK, BISHOP)) == 1 && count(s.pieces[BISHOP] & DARK) == 1;
}

// Against a bare king: one pawn by the bitbase, two knights, and a bishop with pawns on one rook's file that cannot drive
// the king out of the corner in which they would promote.
bool is_drawn_against_king(const State& s, Colour strong) {
    const Bitboard pawns = s.pieces[PAWN], bishops = s.pieces[BISHOP];
    const Bitboard men = s.occupied() & ~s.pieces[KING];
    if (!men) return true;
    if (men == pawns && !several(pawns))
        return !pawn_wins(seen_by(strong, s.king(strong)), seen_by(strong, first(pawns)),
                          seen_by(strong, s.king(other(strong))), s.mover() == strong);
    if (men == s.pieces[KNIGHT]) return count(men) <= 2;
    if (men != (pawns | bishops) || !bishops || !pawns || (pawns & FILE_A && pawns & FILE_H) || (pawns & ~ROOK_FILES))
        return false;
    const Square corner = seen_by(strong, 56 + file_of(first(pawns)));
    const Bitboard colour = DARK & bit(corner) ? DARK : ~DARK;
    return !(bishops & colour) && distance(s.king(other(strong)), corner) <= 1;
}

// A rook or a queen alone against a pawn that is about to promote, with its king beside it and the other one far away.
bool is_held_by_pawn(const State& s, Colour strong) {
    const Colour weak = other(strong);
    const Square pawn = seen_by(weak, first(s.pieces[PAWN]));
    const Square king = seen_by(weak, s.king(weak)), attacker = seen_by(weak, s.king(strong));
    if (distance(king, pawn) != 1) return false;
    const int tempo = s.mover() == strong;
    if (s.pieces[QUEEN])
        return rank_of(pawn) == 6 && (bit(pawn) & QUEEN_HELD_FILES) && distance(attacker, pawn) > 3 + tempo;
    return rank_of(king) >= 5 && rank_of(attacker) <= 4 && distance(attacker, pawn) > 2 + tempo;
}

}  // namespace

int endgame_scale(const State& s) {
    if (s.phase > 12 || count(s.pieces[KING]) != 2) return FULL_SCALE;  // a search of pseudo-legal moves takes kings
    for (const Colour strong : {WHITE, BLACK}) {
        const Colour weak = other(strong);
        if (s.colours[weak] == s.of(weak, KING) && is_drawn_against_king(s, strong)) return DRAWN;
        const Bitboard heavy = s.colours[strong] & ~s.pieces[KING];
        if (heavy && !several(heavy) && (heavy & (s.pieces[ROOK] | s.pieces[QUEEN])) && count(s.pieces[PAWN]) == 1 &&
            count(s.colours[weak]) == 2 && is_held_by_pawn(s, strong))
            return ADVANCED_PAWN;
    }
    if (!s.pieces[PAWN] || !s.of(WHITE, PAWN) || !s.of(BLACK, PAWN)) {
        const int lead = pieces_of(s, WHITE) - pieces_of(s, BLACK);
        const Colour stronger = lead > 0 ? WHITE : BLACK;
        if (lead != 0 && !s.of(stronger, PAWN) && lead <= 3 && lead >= -3) return NO_PAWN_SMALL_LEAD;
    }
    if (!has_opposite_bishops(s)) return FULL_SCALE;
    const Bitboard others = s.pieces[KNIGHT] | s.pieces[ROOK] | s.pieces[QUEEN];
    return others ? OPPOSITE_BISHOPS_MORE : OPPOSITE_BISHOPS;
}

}  // namespace zermelo::chess
