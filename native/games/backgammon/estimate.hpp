// Estimates of a board: five probabilities, from the rules at an end, from the bear-off tables when both are home, from
// the rolls that each side needs alone in a race before that, from a network in contact.
#pragma once

#include <memory>

#include "games/backgammon/board.hpp"
#include "games/backgammon/chances.hpp"
#include "networks/dense.hpp"

namespace zermelo::backgammon {

// One network for contact positions, one for a side of the race (see race.hpp). Without networks only pips are counted.
struct Networks {
    std::unique_ptr<const DenseNetwork> contact, race;
};

enum class Class { OVER, BEAR_OFF, RACE, CONTACT };

Class class_of(const Board& board);

// The probabilities of the player on roll.
Chances chances_of(const Board& board, const Networks* networks);

}  // namespace zermelo::backgammon
