#include "games/chess/placement.hpp"

#include <algorithm>

#include "core/random.hpp"

namespace zermelo::chess {

const int PIECE_VALUES[8] = {90, 330, 345, 480, 980, 0, 0, 0};

namespace {

constexpr int ENDGAME_VALUES[6] = {115, 300, 325, 560, 1000, 0};
constexpr int PHASES[6] = {0, 1, 1, 2, 4, 0};

struct Pair {
    int middlegame, endgame;
};

// How good a square is for a white piece, by simple rules: centre, distance from home, a safe king.
constexpr Pair square_value(int piece, int file, int rank) {
    const int centre_file = std::min(file, 7 - file), centre_rank = std::min(rank, 7 - rank);
    const int centre = centre_file + centre_rank;  // 0 in a corner, 6 in the middle
    const bool middle = centre_file == 3 && (rank == 3 || rank == 4);
    switch (piece) {
        case PAWN:
            return {(middle ? 18 : 0) + (centre_file >= 2 ? 3 * (rank - 1) : rank - 1), (rank - 1) * (rank - 1) * 3};
        case KNIGHT: return {8 * centre - 28 - (rank == 0 ? 8 : 0), 6 * centre - 20};
        case BISHOP: return {4 * centre - 12 - (rank == 0 ? 8 : 0), 3 * centre - 9};
        case ROOK: return {2 * centre_file - 4 + (rank == 6 ? 14 : 0), rank == 6 ? 10 : 0};
        case QUEEN: return {centre - 4, 5 * centre - 14};
        default: {
            const int shelter = centre_file < 3 && rank == 0 ? 22 - 4 * centre_file : 0;
            return {shelter - 14 * std::min(rank, 4), 9 * centre - 28};
        }
    }
}

constexpr Placements make_placements() {
    Placements made{};
    uint64_t seed = 0x63686573;
    const auto next = [&seed] { return splitmix(seed += 0x9e3779b97f4a7c15u); };
    for (int colour = WHITE; colour <= BLACK; ++colour)
        for (int piece = PAWN; piece <= KING; ++piece)
            for (Square square = 0; square < 64; ++square) {
                const int rank = colour == WHITE ? rank_of(square) : 7 - rank_of(square);
                const auto [middlegame, endgame] = square_value(piece, file_of(square), rank);
                const int32_t worth = pack_score(PIECE_VALUES[piece] + middlegame, ENDGAME_VALUES[piece] + endgame);
                made.pieces[colour][piece][square] = {next(), colour == WHITE ? worth : -worth, PHASES[piece]};
            }
    for (uint64_t& key : made.castlers) key = next();
    for (uint64_t& key : made.en_passant) key = next();
    made.turn = next();
    return made;
}

}  // namespace

constexpr Placements MADE = make_placements();
const Placements placements = MADE;

}  // namespace zermelo::chess
