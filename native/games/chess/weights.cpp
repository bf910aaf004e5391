#include "games/chess/weights.hpp"

#include <cstdlib>

#include "games/chess/fen.hpp"
#include "games/chess/play.hpp"

namespace zermelo::chess {

namespace {

constexpr std::string_view START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

bool fits(int32_t number, int most) { return number >= -most && number <= most; }

bool place(Weights& made, std::string& why) {
    for (int piece = PAWN; piece <= KING; ++piece)
        for (Square square = 0; square < 64; ++square) {
            const int term = square_term(WHITE, static_cast<Piece>(piece), square);
            const int64_t material = piece == KING ? 0 : made.terms[MATERIAL + piece];
            const int64_t pair = material + (term < TERMS ? made.terms[term] : 0);
            const int middlegame = first_of_pair(pair), endgame = second_of_pair(pair);
            if (!fits(middlegame, MAX_PLACEMENT) || !fits(endgame, MAX_PLACEMENT)) {
                why = "a piece and its square (" + term_name(term < TERMS ? term : MATERIAL + piece) +
                      ") weigh at most " + std::to_string(MAX_PLACEMENT) + " together";
                return false;
            }
            const int32_t worth = pack_score(middlegame, endgame);
            made.placements.pieces[WHITE][piece][square].score = worth;
            made.placements.pieces[BLACK][piece][square ^ 56].score = -worth;
        }
    return true;
}

}  // namespace

std::shared_ptr<const Weights> make_weights(const std::vector<int32_t>& numbers, std::string& why) {
    if (numbers.size() != 2 * TERMS) {
        why = "there must be " + std::to_string(2 * TERMS) + " weights, not " + std::to_string(numbers.size());
        return nullptr;
    }
    const auto made = std::make_shared<Weights>();
    made->placements = bare_placements;
    for (int term = 0; term < TERMS; ++term) {
        const int32_t middlegame = numbers[2 * term], endgame = numbers[2 * term + 1];
        if (!fits(middlegame, MAX_WEIGHT) || !fits(endgame, MAX_WEIGHT)) {
            why = term_name(term) + " weighs at most " + std::to_string(MAX_WEIGHT) + " either way";
            return nullptr;
        }
        made->terms[term] = pack_pair(middlegame, endgame);
    }
    if (!place(*made, why)) return nullptr;
    read_fen(START, made->start, why);
    count_up(made->placements, made->start);
    return made;
}

const Weights& no_weights() {
    static const std::shared_ptr<const Weights> made = [] {
        std::string why;
        return make_weights(std::vector<int32_t>(2 * TERMS), why);
    }();
    return *made;
}

}  // namespace zermelo::chess
