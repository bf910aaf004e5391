// Estimates of a board: five probabilities, from the rules at an end, from the bear-off tables when both are home, from
// the rolls that each side needs alone in a race before that, from a network in contact.
#pragma once

#include <memory>

#include "games/backgammon/network.hpp"

namespace zermelo::backgammon {

// One network for contact positions, one for a side of the race (see race.hpp). Without networks only pips are counted.
struct Networks {
    std::unique_ptr<const Network> contact, race;
};

enum class Class { OVER, BEAR_OFF, RACE, CONTACT };

Class class_of(const Board& board);

// The probabilities of the player on roll.
Chances chances_of(const Board& board, const Networks* networks);

// The same for the other player.
constexpr Chances turned(const Chances& c) {
    return {1 - c[WIN], c[LOSE_GAMMON], c[LOSE_BACKGAMMON], c[WIN_GAMMON], c[WIN_BACKGAMMON]};
}

// The expected points, with a stake of one and no cube.
constexpr float equity(const Chances& c) {
    return 2 * c[WIN] - 1 + c[WIN_GAMMON] + c[WIN_BACKGAMMON] - c[LOSE_GAMMON] - c[LOSE_BACKGAMMON];
}

}  // namespace zermelo::backgammon
