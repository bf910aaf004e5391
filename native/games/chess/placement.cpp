#include "games/chess/placement.hpp"

#include "core/random.hpp"

namespace zermelo::chess {

const int PIECE_VALUES[8] = {90, 330, 345, 480, 980, 0, 0, 0};

namespace {

constexpr int PHASES[6] = {0, 1, 1, 2, 4, 0};

struct Made {
    Placements placements;
    Keys keys;
};

constexpr Made make() {
    Made made{};
    uint64_t seed = 0x63686573;
    const auto next = [&seed] { return splitmix(seed += 0x9e3779b97f4a7c15u); };
    for (int colour = WHITE; colour <= BLACK; ++colour)
        for (int piece = PAWN; piece <= KING; ++piece)
            for (Square square = 0; square < 64; ++square)
                made.placements.pieces[colour][piece][square] = {next(), 0, PHASES[piece]};
    for (uint64_t& key : made.keys.castlers) key = next();
    for (uint64_t& key : made.keys.en_passant) key = next();
    made.keys.turn = next();
    return made;
}

constexpr Made MADE = make();

}  // namespace

const Placements bare_placements = MADE.placements;
const Keys keys = MADE.keys;

}  // namespace zermelo::chess
