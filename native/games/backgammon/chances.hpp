// The five probabilities by which a board is judged.
#pragma once

#include <array>

namespace zermelo::backgammon {

// What the player on roll expects: the probability to win, to win at least a gammon, a backgammon; to lose a gammon, a
// backgammon.
enum Chance { WIN, WIN_GAMMON, WIN_BACKGAMMON, LOSE_GAMMON, LOSE_BACKGAMMON, CHANCES };

using Chances = std::array<float, CHANCES>;

// The same for the other player.
constexpr Chances turned(const Chances& c) {
    return {1 - c[WIN], c[LOSE_GAMMON], c[LOSE_BACKGAMMON], c[WIN_GAMMON], c[WIN_BACKGAMMON]};
}

// The expected points, with a stake of one and no cube.
constexpr float equity(const Chances& c) {
    return 2 * c[WIN] - 1 + c[WIN_GAMMON] + c[WIN_BACKGAMMON] - c[LOSE_GAMMON] - c[LOSE_BACKGAMMON];
}

}  // namespace zermelo::backgammon
