// Enumerates the terms of a position, except pieces and squares: `add(term, times)` of the tally is called for each,
// with positive times for White and negative for Black.
//
// One function serves the search, whose tally sums weights, and callers that need the counts themselves.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "games/chess/attacks.hpp"
#include "games/chess/state.hpp"
#include "games/chess/terms.hpp"

namespace zermelo::chess {

template <Colour US>
constexpr int SIGN = US == WHITE ? 1 : -1;

template <Colour US>
constexpr int rank_for(Square square) {
    return US == WHITE ? rank_of(square) : 7 - rank_of(square);
}

template <Colour US>
constexpr Bitboard rank_of_side(int number) {
    return rank(US == WHITE ? number : 7 - number);
}

constexpr Bitboard file_at(int file) { return FILE_A << file; }

constexpr Bitboard files_beside(Bitboard pawns) {
    Bitboard files = pawns | pawns >> 32;
    files |= files >> 16;
    files |= files >> 8;
    files &= RANK_1;
    const Bitboard beside = ((files & ~FILE_H) << 1) | ((files & ~FILE_A) >> 1);
    return (beside & RANK_1) * FILE_A;
}

template <Colour US>
constexpr Bitboard everything_ahead(Bitboard squares) {
    squares = ahead<US>(squares);
    squares |= US == WHITE ? squares << 8 : squares >> 8;
    squares |= US == WHITE ? squares << 16 : squares >> 16;
    squares |= US == WHITE ? squares << 32 : squares >> 32;
    return squares;
}

template <Colour US>
constexpr Bitboard attacked_by_pawns(Bitboard pawns) {
    return ahead_west<US>(pawns) | ahead_east<US>(pawns);
}

inline int distance(Square one, Square two) {
    return std::max(std::abs(file_of(one) - file_of(two)), std::abs(rank_of(one) - rank_of(two)));
}

// The attacks of both sides, computed once.
struct Attacks {
    Bitboard by[2][6] = {};  // by kind of piece
    Bitboard men[2];  // by all but the king
    Bitboard all[2];
    Bitboard passed[2] = {0, 0};  // passed pawns: no attacks, but computed at the same time
    int on_king[2] = {0, 0};  // squares around the other king attacked by a side's pieces, counted per piece
    int attackers[2] = {0, 0};
    int strength[2] = {0, 0};

    explicit Attacks(const State& s) {
        by[WHITE][PAWN] = attacked_by_pawns<WHITE>(s.of(WHITE, PAWN));
        by[BLACK][PAWN] = attacked_by_pawns<BLACK>(s.of(BLACK, PAWN));
        for (const Colour colour : {WHITE, BLACK}) {
            men[colour] = by[colour][PAWN];
            by[colour][KING] = king_attacks(s.king(colour));
        }
    }
    void close() {
        for (const Colour colour : {WHITE, BLACK}) all[colour] = men[colour] | by[colour][KING];
    }
};

// The attacks of a piece, including X-rays through own pieces that move the same way.
template <Colour US, Piece PIECE>
Bitboard reach(const State& s, Square from, Bitboard occupied) {
    if constexpr (PIECE == KNIGHT) return knight_attacks(from);
    if constexpr (PIECE == BISHOP) return bishop_attacks(from, occupied ^ s.of(US, QUEEN));
    if constexpr (PIECE == ROOK) return rook_attacks(from, occupied ^ s.of(US, ROOK) ^ s.of(US, QUEEN));
    return queen_attacks(from, occupied);
}

template <Colour US, Piece PIECE, int MOBILITY, int STRENGTH, typename Tally>
void tally_kind(const State& s, Attacks& attacks, Bitboard safe, Bitboard about_king, Tally& tally) {
    const Bitboard occupied = s.occupied();
    Bitboard all = 0;
    each(s.of(US, PIECE), [&](Square from) {
        const Bitboard to = reach<US, PIECE>(s, from, occupied);
        all |= to;
        tally.add(MOBILITY + count(to & safe), SIGN<US>);
        if (to & about_king) {
            ++attacks.attackers[US];
            attacks.strength[US] += STRENGTH;
            attacks.on_king[US] += count(to & about_king);
        }
    });
    attacks.by[US][PIECE] = all;
    attacks.men[US] |= all;
}

template <Colour US, typename Tally>
void tally_pieces(const State& s, Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    const Bitboard safe = ~(s.of(US, PAWN) | s.of(US, KING) | attacks.by[THEM][PAWN]);
    const Bitboard about_king = attacks.by[THEM][KING] | bit(s.king(THEM));
    tally_kind<US, KNIGHT, KNIGHT_MOBILITY, 2>(s, attacks, safe, about_king, tally);
    tally_kind<US, BISHOP, BISHOP_MOBILITY, 2>(s, attacks, safe, about_king, tally);
    tally_kind<US, ROOK, ROOK_MOBILITY, 3>(s, attacks, safe, about_king, tally);
    tally_kind<US, QUEEN, QUEEN_MOBILITY, 5>(s, attacks, safe, about_king, tally);
}

template <Colour US, typename Tally>
void tally_pawns(const State& s, Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    // No pawn stands on the first or last rank, but an unchecked illegal action might have put one there.
    const Bitboard mine = s.of(US, PAWN) & ~(rank(0) | rank(7)), theirs = s.of(THEM, PAWN);
    const Bitboard behind_mine = everything_ahead<THEM>(mine);
    const Bitboard watched = everything_ahead<THEM>(theirs | attacked_by_pawns<THEM>(theirs)) | attacks.by[THEM][PAWN];
    tally.add(DOUBLED_PAWN, SIGN<US> * count(mine & everything_ahead<US>(mine)));
    tally.add(ISOLATED_PAWN, SIGN<US> * count(mine & ~files_beside(mine)));
    const Bitboard beside = ((mine & ~FILE_H) << 1) | ((mine & ~FILE_A) >> 1);
    const Bitboard connected = mine & (beside | attacks.by[US][PAWN]);
    each(connected, [&](Square square) { tally.add(CONNECTED_PAWN + rank_for<US>(square) - 1, SIGN<US>); });
    // No own pawn can come to guard the square in front of it, and an enemy pawn does.
    const Bitboard guarded = everything_ahead<US>(attacks.by[US][PAWN]) | attacks.by[US][PAWN];
    const Bitboard stopped = ahead<THEM>(ahead<US>(mine) & attacks.by[THEM][PAWN] & ~guarded);
    tally.add(BACKWARD_PAWN, SIGN<US> * count(stopped & files_beside(mine)));
    attacks.passed[US] = mine & ~watched & ~behind_mine;
}

// Whether a passed pawn promotes against best play of the other side's lone king (rule of the square).
template <Colour US>
bool is_unstoppable(const State& s, Square square) {
    constexpr Colour THEM = other(US);
    if (s.colours[THEM] & ~(s.pieces[PAWN] | s.pieces[KING])) return false;
    const Bitboard way = everything_ahead<US>(bit(square));
    if (way & s.occupied()) return false;
    const Square goal = (US == WHITE ? 56 : 0) + file_of(square);
    const int steps = std::min(distance(square, goal), 5);  // a pawn on its initial rank makes a double step
    return distance(s.king(THEM), goal) - (s.turn == THEM) > steps;
}

template <Colour US, typename Tally>
void tally_passed(const State& s, const Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    each(attacks.passed[US], [&](Square square) {
        const int rank = rank_for<US>(square), weight = rank - 2;
        const Square next = square + (US == WHITE ? 8 : -8);
        const Bitboard behind = everything_ahead<THEM>(bit(square));
        const Bitboard rooks = rook_attacks(square, s.occupied()) & s.pieces[ROOK] & behind;
        tally.add(PASSED_PAWN + rank - 1, SIGN<US>);
        if (!(s.occupied() & bit(next))) tally.add(PASSED_FREE, SIGN<US> * rank);
        if (s.colours[THEM] & bit(next)) tally.add(PASSED_BLOCKED, SIGN<US> * rank);
        const Bitboard way = everything_ahead<US>(bit(square));
        if (!(way & (attacks.all[THEM] | s.colours[THEM]))) tally.add(PASSED_SAFE, SIGN<US> * rank);
        if (attacks.by[US][PAWN] & bit(square)) tally.add(PASSED_SUPPORTED, SIGN<US> * rank);
        if (rooks & s.colours[US]) tally.add(ROOK_BEHIND, SIGN<US>);
        if (rooks & s.colours[THEM]) tally.add(ROOK_AGAINST, -SIGN<US>);
        if (is_unstoppable<US>(s, square)) tally.add(PASSED_UNSTOPPABLE, SIGN<US>);
        if (weight <= 0) return;
        tally.add(PASSED_OWN_KING, SIGN<US> * distance(s.king(US), next) * weight);
        tally.add(PASSED_OTHER_KING, SIGN<US> * distance(s.king(THEM), next) * weight);
    });
}

template <Colour US, typename Tally>
void tally_places(const State& s, const Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    const Bitboard mine = s.of(US, PAWN), theirs = s.of(THEM, PAWN);
    const Bitboard bishops = s.of(US, BISHOP);
    tally.add(BISHOP_PAIR, SIGN<US> * ((bishops & DARK) && (bishops & ~DARK)));
    each(bishops,
         [&](Square square) { tally.add(BAD_BISHOP, SIGN<US> * count(mine & (bit(square) & DARK ? DARK : ~DARK))); });
    const Bitboard chased = everything_ahead<THEM>(attacks.by[THEM][PAWN]) | attacks.by[THEM][PAWN];
    const Bitboard camp = rank_of_side<US>(3) | rank_of_side<US>(4) | rank_of_side<US>(5);
    const Bitboard outposts = camp & attacks.by[US][PAWN] & ~chased;
    tally.add(KNIGHT_OUTPOST, SIGN<US> * count(s.of(US, KNIGHT) & outposts));
    tally.add(BISHOP_OUTPOST, SIGN<US> * count(bishops & outposts));
    each(s.of(US, ROOK), [&](Square square) {
        const Bitboard file = file_at(file_of(square));
        if (!(file & mine)) tally.add(file & theirs ? ROOK_HALF_OPEN_FILE : ROOK_OPEN_FILE, SIGN<US>);
    });
    constexpr Bitboard CENTRE = FILE_A << 2 | FILE_A << 3 | FILE_A << 4 | FILE_A << 5;
    const Bitboard home = rank_of_side<US>(1) | rank_of_side<US>(2) | rank_of_side<US>(3);
    tally.add(SPACE, SIGN<US> * count(CENTRE & home & ~mine & ~attacks.by[THEM][PAWN]));
}

// The shelter of our king, and our attack on the other one.
template <Colour US, typename Tally>
void tally_kings(const State& s, const Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    const Square king = s.king(US), target = s.king(THEM);
    const Bitboard mine = s.of(US, PAWN);
    const Bitboard wing = attacks.by[US][KING] | bit(king);
    const Bitboard front = everything_ahead<US>(wing | rank(rank_of(king)));
    tally.add(KING_SHIELD, SIGN<US> * count(mine & (ahead<US>(wing) | wing) & front));
    Bitboard files = 0;
    for (int file = std::max(file_of(king) - 1, 0); file <= std::min(file_of(king) + 1, 7); ++file) {
        files |= file_at(file);
        tally.add(KING_OPEN_FILE, SIGN<US> * !(file_at(file) & mine));
    }
    const Bitboard near = rank_of_side<US>(2) | rank_of_side<US>(3) | rank_of_side<US>(4);
    tally.add(KING_STORM, SIGN<US> * count(s.of(THEM, PAWN) & files & near));
    const Bitboard safe = ~s.colours[US] & ~attacks.all[THEM];
    const Bitboard straight = rook_attacks(target, s.occupied()), slantwise = bishop_attacks(target, s.occupied());
    const int knights = count(knight_attacks(target) & attacks.by[US][KNIGHT] & safe);
    const int bishops = count(slantwise & attacks.by[US][BISHOP] & safe);
    const int rooks = count(straight & attacks.by[US][ROOK] & safe);
    const int queens = count((straight | slantwise) & attacks.by[US][QUEEN] & safe);
    tally.add(KNIGHT_CHECK, SIGN<US> * knights);
    tally.add(BISHOP_CHECK, SIGN<US> * bishops);
    tally.add(ROOK_CHECK, SIGN<US> * rooks);
    tally.add(QUEEN_CHECK, SIGN<US> * queens);
    if (attacks.attackers[US] < 2) return;
    tally.add(KING_ATTACK, SIGN<US> * (attacks.strength[US] * attacks.on_king[US] / 2));
    const int weak = count(attacks.by[THEM][KING] & attacks.men[US] & ~attacks.men[THEM]);
    const int checks = (knights > 0) + (bishops > 0) + (rooks > 0) + (queens > 0);
    const int danger = attacks.strength[US] + attacks.on_king[US] + 2 * weak + 3 * checks;
    tally.add(KING_DANGER, SIGN<US> * (danger * danger / 16));
}

template <Colour US, typename Tally>
void tally_threats(const State& s, const Attacks& attacks, Tally& tally) {
    constexpr Colour THEM = other(US);
    const Bitboard pieces = s.colours[THEM] & ~s.pieces[PAWN] & ~s.pieces[KING];
    const Bitboard minors = attacks.by[US][KNIGHT] | attacks.by[US][BISHOP];
    const Bitboard heavy = s.pieces[ROOK] | s.pieces[QUEEN];
    tally.add(PAWN_THREAT, SIGN<US> * count(attacks.by[US][PAWN] & pieces));
    const Bitboard steps =
        ahead<US>(s.of(US, PAWN)) & ~s.occupied() & ~attacks.by[THEM][PAWN] & (attacks.all[US] | ~attacks.all[THEM]);
    tally.add(PUSH_THREAT, SIGN<US> * count(attacked_by_pawns<US>(steps) & pieces & ~attacks.by[US][PAWN]));
    tally.add(MINOR_THREAT, SIGN<US> * count(minors & pieces & heavy));
    tally.add(MINOR_ON_MINOR, SIGN<US> * count(minors & pieces & ~heavy));
    tally.add(ROOK_THREAT, SIGN<US> * count(attacks.by[US][ROOK] & pieces & s.pieces[QUEEN]));
    tally.add(HANGING, SIGN<US> * count(attacks.all[US] & s.colours[THEM] & ~s.pieces[KING] & ~attacks.all[THEM]));
}

template <typename Tally>
void tally(const State& s, Tally& tally) {
    Attacks attacks(s);
    tally_pieces<WHITE>(s, attacks, tally);
    tally_pieces<BLACK>(s, attacks, tally);
    attacks.close();
    tally_pawns<WHITE>(s, attacks, tally);
    tally_pawns<BLACK>(s, attacks, tally);
    tally_passed<WHITE>(s, attacks, tally);
    tally_passed<BLACK>(s, attacks, tally);
    tally_places<WHITE>(s, attacks, tally);
    tally_places<BLACK>(s, attacks, tally);
    tally_kings<WHITE>(s, attacks, tally);
    tally_kings<BLACK>(s, attacks, tally);
    tally_threats<WHITE>(s, attacks, tally);
    tally_threats<BLACK>(s, attacks, tally);
    tally.add(TO_MOVE, s.turn == WHITE ? 1 : -1);
}

}  // namespace zermelo::chess
