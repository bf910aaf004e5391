#include "games/chess/bitbase.hpp"

#include <bitset>
#include <memory>
#include <vector>

#include "games/chess/attacks.hpp"

namespace zermelo::chess {

namespace {

constexpr int PAWN_PLACES = 24;  // ranks 2 … 7 by files a … d; the others are mirrored
constexpr int KING_PLACES = 2 * 64 * 64;  // of both kings, with either side to move
constexpr int POSITIONS = KING_PLACES * PAWN_PLACES;

struct Position {
    bool white_moves;
    Square king, other, pawn;  // White's king, Black's king, White's pawn

    int index() const {
        return ((((rank_of(pawn) - 1) * 4 + file_of(pawn)) * 64 + king) * 64 + other) * 2 + white_moves;
    }
    static Position at(int index) {
        const int place = index / KING_PLACES;
        return {(index & 1) != 0, index / 128 % 64, index / 2 % 64, (place / 4 + 1) * 8 + place % 4};
    }
    bool legal() const {
        if (king == other || king == pawn || other == pawn || (king_attacks(king) & bit(other))) return false;
        return !white_moves || !(pawn_attacks(WHITE, pawn) & bit(other));
    }
};

// Retrograde analysis: a position is won for White if a move of White's, or every move of Black's, leads to a won one. What
// no round finds is drawn. As pawns only go ahead, their places are solved one after the other, the furthest first.
class Solver {
public:
    Solver() : won_(POSITIONS) {
        for (int place = PAWN_PLACES - 1; place >= 0; --place)
            while (run_round(place * KING_PLACES, (place + 1) * KING_PLACES)) {
            }
    }

    std::unique_ptr<std::bitset<POSITIONS>> bits() const {
        auto bits = std::make_unique<std::bitset<POSITIONS>>();
        for (int i = 0; i < POSITIONS; ++i) (*bits)[i] = won_[i];
        return bits;
    }

private:
    // Whether one more pass over positions of one place of the pawn found a win.
    bool run_round(int from, int to) {
        bool found = false;
        for (int i = from; i < to; ++i) {
            const Position here = Position::at(i);
            if (won_[i] || !here.legal() || !(here.white_moves ? white_wins(here) : black_loses(here))) continue;
            won_[i] = found = true;
        }
        return found;
    }

    bool white_wins(const Position& here) const {
        bool wins = false;
        each(king_attacks(here.king) & ~king_attacks(here.other) & ~bit(here.pawn),
             [&](Square to) { wins |= won_[Position{false, to, here.other, here.pawn}.index()]; });
        return wins || push_wins(here);
    }

    bool push_wins(const Position& here) const {
        const Bitboard kings = bit(here.king) | bit(here.other);
        const Square ahead = here.pawn + 8;
        if (kings & bit(ahead)) return false;
        if (rank_of(ahead) == 7)  // a queen that stays wins, or a rook; where both stalemate the king may wait
            return !(king_attacks(here.other) & bit(ahead)) || (king_attacks(here.king) & bit(ahead));
        if (won_[Position{false, here.king, here.other, ahead}.index()]) return true;
        return rank_of(here.pawn) == 1 && !(kings & bit(ahead + 8)) &&
               won_[Position{false, here.king, here.other, ahead + 8}.index()];
    }

    bool black_loses(const Position& here) const {
        const Bitboard attacked = king_attacks(here.king) | pawn_attacks(WHITE, here.pawn);
        const Bitboard moves = king_attacks(here.other) & ~attacked;
        if (!moves || (moves & bit(here.pawn)))
            return false;  // stalemate, as a pawn gives no mate; or it takes the pawn
        bool loses = true;
        each(moves, [&](Square to) { loses &= won_[Position{true, here.king, to, here.pawn}.index()]; });
        return loses;
    }

    std::vector<char> won_;
};

}  // namespace

bool pawn_wins(Square king, Square pawn, Square other_king, bool pawn_side_moves) {
    static const std::unique_ptr<std::bitset<POSITIONS>> won = Solver().bits();  // solved when first asked for
    const int mirror = file_of(pawn) < 4 ? 0 : 7;
    return (*won)[Position{pawn_side_moves, king ^ mirror, other_king ^ mirror, pawn ^ mirror}.index()];
}

}  // namespace zermelo::chess
