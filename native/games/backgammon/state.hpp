// A position of backgammon as flat bytes: the board, the dice, the cube and the score of the match.
#pragma once

#include "games/backgammon/board.hpp"

namespace zermelo::backgammon {

// What happens next.
enum Phase : uint8_t {
    OPENING,  // chance: both roll one die each; the higher one begins, with both
    DECIDE,   // `turn` may double before it rolls
    ANSWER,   // the other takes or drops the double of `turn`
    ROLL,     // chance: `turn` rolls
    PLAY,     // `turn` plays the dice
    OVER,     // `turn` has won `points`
};

constexpr uint8_t CENTRED = 2;  // nobody owns the cube

struct alignas(8) State {
    Side sides[2];  // of player 0 and of player 1, each in its own count
    uint8_t phase;
    uint8_t turn;
    uint8_t dice[2];  // in PLAY, the higher first; zero otherwise
    uint8_t cube;     // the stake is 2 to the power of this
    uint8_t owner;    // of the cube: 0, 1 or CENTRED
    uint8_t crawford;  // 1 in the Crawford game, in which nobody may double
    uint8_t points;  // in OVER, those of the last game
    uint8_t score[2];  // of the match
    uint8_t unused[4];

    Board board() const { return {sides[turn], sides[turn ^ 1]}; }
    void set_board(const Board& board) {
        sides[turn] = board.own;
        sides[turn ^ 1] = board.other;
    }
};

static_assert(sizeof(State) == 64);

}  // namespace zermelo::backgammon
