#include "games/chess/evaluate.hpp"

#include <algorithm>
#include <cstdlib>

#include "games/chess/attacks.hpp"
#include "games/chess/placement.hpp"

namespace zermelo::chess {

const std::array<Weight, FEATURES> WEIGHTS{{
    {"knight mobility", 4, 4}, {"bishop mobility", 5, 5}, {"rook mobility", 2, 4}, {"queen mobility", 1, 3},
    {"doubled pawn", -7, -18}, {"isolated pawn", -10, -12}, {"backward pawn", -7, -8}, {"connected pawn", 7, 6},
    {"passed pawn, 2nd rank", 0, 8}, {"passed pawn, 3rd rank", 0, 12}, {"passed pawn, 4th rank", 8, 24},
    {"passed pawn, 5th rank", 22, 48}, {"passed pawn, 6th rank", 48, 88}, {"passed pawn, 7th rank", 80, 140},
    {"passed pawn may step", 2, 5}, {"kings and passed pawn", 0, 4},
    {"bishop pair", 26, 46}, {"pawns in a bishop's way", -3, -5}, {"knight outpost", 22, 12},
    {"rook on an open file", 26, 10}, {"rook on a half-open file", 12, 8},
    {"pawns before the king", 11, 0}, {"open files at the king", -16, 0}, {"attack on the king", 2, 0},
    {"pawn attacks a piece", 46, 34}, {"minor attacks a rook or queen", 30, 24}, {"undefended and attacked", 18, 22},
}};

namespace {

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
constexpr Bitboard attacked_by_pawns(Bitboard pawns) { return ahead_west<US>(pawns) | ahead_east<US>(pawns); }

template <Colour US>
constexpr int rank_for(Square square) { return US == WHITE ? rank_of(square) : 7 - rank_of(square); }

int distance(Square one, Square two) {
    return std::max(std::abs(file_of(one) - file_of(two)), std::abs(rank_of(one) - rank_of(two)));
}

// What both sides attack, gathered once.
struct Attacks {
    Bitboard pawns[2];
    Bitboard minors[2] = {0, 0};
    Bitboard all[2];
    int on_king[2] = {0, 0};   // squares about the other king that a side's pieces attack, each piece's counted
    int attackers[2] = {0, 0};
    int strength[2] = {0, 0};
};

template <Colour US>
void count_pieces(const State& s, Attacks& attacks, Counts& counts, int sign) {
    constexpr Colour THEM = other(US);
    static constexpr int STRENGTH[6] = {0, 2, 2, 3, 5, 0};
    static constexpr int USUAL[6] = {0, 4, 6, 7, 13, 0};  // squares that a piece has on average
    const Bitboard occupied = s.occupied();
    const Bitboard safe = ~(s.of(US, PAWN) | s.of(US, KING) | attacks.pawns[THEM]);
    const Bitboard about_king = king_attacks(s.king(THEM)) | bit(s.king(THEM));
    for (int piece = KNIGHT; piece <= QUEEN; ++piece)
        each(s.of(US, static_cast<Piece>(piece)), [&](Square from) {
            // Through pieces of one's own that go the same way.
            const Bitboard through = piece == BISHOP ? occupied ^ s.of(US, QUEEN)
                                     : piece == ROOK ? occupied ^ s.of(US, ROOK) ^ s.of(US, QUEEN) : occupied;
            const Bitboard to = piece == KNIGHT ? knight_attacks(from)
                                : piece == BISHOP ? bishop_attacks(from, through)
                                : piece == ROOK ? rook_attacks(from, through) : queen_attacks(from, through);
            attacks.all[US] |= to;
            if (piece <= BISHOP) attacks.minors[US] |= to;
            counts[KNIGHT_MOBILITY + piece - KNIGHT] += sign * (count(to & safe) - USUAL[piece]);
            if (to & about_king) {
                ++attacks.attackers[US];
                attacks.strength[US] += STRENGTH[piece];
                attacks.on_king[US] += count(to & about_king);
            }
        });
}

template <Colour US>
void count_pawns(const State& s, const Attacks& attacks, Counts& counts, int sign) {
    constexpr Colour THEM = other(US);
    // No pawn stands on an outer rank, but an illegal action that nobody refused might have put one there.
    const Bitboard mine = s.of(US, PAWN) & ~(rank(0) | rank(7)), theirs = s.of(THEM, PAWN);
    const Bitboard in_front_of_mine = everything_ahead<US>(mine);
    const Bitboard watched = everything_ahead<THEM>(theirs | attacked_by_pawns<THEM>(theirs)) | attacks.pawns[THEM];
    counts[DOUBLED_PAWN] += sign * count(mine & in_front_of_mine);
    counts[ISOLATED_PAWN] += sign * count(mine & ~files_beside(mine));
    const Bitboard beside = ((mine & ~FILE_H) << 1) | ((mine & ~FILE_A) >> 1);
    counts[CONNECTED_PAWN] += sign * count(mine & (beside | attacks.pawns[US]));
    // No pawn of ours can come to guard the square before it, and one of theirs does.
    const Bitboard guarded = everything_ahead<US>(attacks.pawns[US]) | attacks.pawns[US];
    const Bitboard stopped = ahead<THEM>(ahead<US>(mine) & attacks.pawns[THEM] & ~guarded);
    counts[BACKWARD_PAWN] += sign * count(stopped & files_beside(mine));
    each(mine & ~watched & ~ahead<THEM>(everything_ahead<THEM>(mine)) & ~everything_ahead<THEM>(mine), [&](Square square) {
        const int rank = rank_for<US>(square);
        const Square next = square + (US == WHITE ? 8 : -8);
        counts[PASSED_2 + rank - 1] += sign;
        if (!(s.occupied() & bit(next))) counts[PASSED_FREE] += sign * rank;
        if (rank >= 3) counts[PASSED_KINGS] += sign * (distance(s.king(THEM), next) - distance(s.king(US), next)) * (rank - 2);
    });
}

template <Colour US>
void count_rest(const State& s, const Attacks& attacks, Counts& counts, int sign) {
    constexpr Colour THEM = other(US);
    const Bitboard mine = s.of(US, PAWN), theirs = s.of(THEM, PAWN);
    const Bitboard bishops = s.of(US, BISHOP);
    counts[BISHOP_PAIR] += sign * ((bishops & DARK) && (bishops & ~DARK));
    each(bishops, [&](Square square) {
        const Bitboard colour = bit(square) & DARK ? DARK : ~DARK;
        counts[BAD_BISHOP] += sign * count(mine & colour);
    });
    const Bitboard camp = US == WHITE ? rank(3) | rank(4) | rank(5) : rank(4) | rank(3) | rank(2);
    const Bitboard chased = everything_ahead<THEM>(attacks.pawns[THEM]) | attacks.pawns[THEM];
    counts[KNIGHT_OUTPOST] += sign * count(s.of(US, KNIGHT) & camp & attacks.pawns[US] & ~chased);
    each(s.of(US, ROOK), [&](Square square) {
        const Bitboard file = file_at(file_of(square));
        if (!(file & mine)) counts[file & theirs ? ROOK_HALF_OPEN_FILE : ROOK_OPEN_FILE] += sign;
    });
    const Square king = s.king(US);
    const Bitboard wing = king_attacks(king) | bit(king);
    const Bitboard shield = ahead<US>(wing) | wing;
    counts[KING_SHIELD] += sign * count(mine & shield & everything_ahead<US>(wing | rank(rank_of(king))));
    for (int file = std::max(file_of(king) - 1, 0); file <= std::min(file_of(king) + 1, 7); ++file)
        counts[KING_OPEN_FILE] += sign * !(file_at(file) & mine);
    if (attacks.attackers[US] >= 2) counts[KING_ATTACK] += sign * attacks.strength[US] * attacks.on_king[US] / 2;
    const Bitboard pieces = s.colours[THEM] & ~theirs & ~s.pieces[KING];
    counts[PAWN_THREAT] += sign * count(attacks.pawns[US] & pieces);
    counts[MINOR_THREAT] += sign * count(attacks.minors[US] & pieces & (s.pieces[ROOK] | s.pieces[QUEEN]));
    counts[HANGING] += sign * count(attacks.all[US] & s.colours[THEM] & ~s.pieces[KING] & ~attacks.all[THEM]);
}

// Points that are worth so much in the middlegame and so much in the endgame, where the position is between them.
double between_phases(const State& state, double middlegame, double endgame) {
    const int phase = std::min<int>(state.phase, FULL_PHASE);
    return (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
}

}  // namespace

Counts count_features(const State& state) {
    Counts counts{};
    Attacks attacks;
    attacks.pawns[WHITE] = attacked_by_pawns<WHITE>(state.of(WHITE, PAWN));
    attacks.pawns[BLACK] = attacked_by_pawns<BLACK>(state.of(BLACK, PAWN));
    for (const Colour colour : {WHITE, BLACK})
        attacks.all[colour] = attacks.pawns[colour] | king_attacks(state.king(colour));
    count_pieces<WHITE>(state, attacks, counts, 1);
    count_pieces<BLACK>(state, attacks, counts, -1);
    count_pawns<WHITE>(state, attacks, counts, 1);
    count_pawns<BLACK>(state, attacks, counts, -1);
    count_rest<WHITE>(state, attacks, counts, 1);
    count_rest<BLACK>(state, attacks, counts, -1);
    return counts;
}

int evaluate(const State& state) {
    const Counts counts = count_features(state);
    int middlegame = middlegame_of(state.score), endgame = endgame_of(state.score);
    for (int i = 0; i < FEATURES; ++i) {
        middlegame += WEIGHTS[i].middlegame * counts[i];
        endgame += WEIGHTS[i].endgame * counts[i];
    }
    const int lead = static_cast<int>(between_phases(state, middlegame, endgame));
    return std::clamp((state.turn == WHITE ? lead : -lead) + TEMPO, -MOST_POINTS, MOST_POINTS);
}

std::vector<std::pair<std::string, double>> explain_evaluation(const State& state) {
    const Counts counts = count_features(state);
    std::vector<std::pair<std::string, double>> parts;
    const double placed = between_phases(state, middlegame_of(state.score), endgame_of(state.score));
    parts.emplace_back("material and squares", placed);
    for (int i = 0; i < FEATURES; ++i)
        parts.emplace_back(WEIGHTS[i].name,
                           between_phases(state, WEIGHTS[i].middlegame * counts[i], WEIGHTS[i].endgame * counts[i]));
    parts.emplace_back("to move", state.turn == WHITE ? TEMPO : -TEMPO);
    return parts;
}

}  // namespace zermelo::chess
