#include "games/backgammon/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "games/backgammon/bearoff.hpp"
#include "games/backgammon/features.hpp"
#include "games/backgammon/race.hpp"

namespace zermelo::backgammon {

namespace {

// The player on roll, or the other, has no chequer left.
Chances end_of(const Board& board) {
    const bool won = chequers(board.own) == 0;
    const int stakes = stakes_won(won ? board.other : board.own);
    const Chances chances{1, stakes > 1 ? 1.f : 0.f, stakes > 2 ? 1.f : 0.f, 0, 0};
    return won ? chances : turned(chances);
}

// By pips alone: a lead of a tenth of the own pips, plus half a roll for being on roll, wins about three games of four.
Chances by_pips(const Board& board) {
    const double own = pips(board.own), other = pips(board.other);
    const double win = 1 / (1 + std::exp(-(other - own + 4) / (0.09 * (own + other) / 2 + 4)));
    return {static_cast<float>(win), 0, 0, 0, 0};
}

// A side that has borne off a chequer cannot lose a gammon any more, and a greater win includes the smaller one.
void constrain(const Board& board, Chances& c) {
    if (borne_off(board.other) > 0) c[WIN_GAMMON] = 0;
    if (borne_off(board.own) > 0) c[LOSE_GAMMON] = 0;
    c[WIN_GAMMON] = std::min(c[WIN_GAMMON], c[WIN]);
    c[LOSE_GAMMON] = std::min(c[LOSE_GAMMON], 1 - c[WIN]);
    c[WIN_BACKGAMMON] = std::min(c[WIN_BACKGAMMON], c[WIN_GAMMON]);
    c[LOSE_BACKGAMMON] = std::min(c[LOSE_BACKGAMMON], c[LOSE_GAMMON]);
}

Chances bear_off_chances(const Board& board) {
    Chances chances{static_cast<float>(race_chance(board)), 0, 0, 0, 0};
    if (borne_off(board.other) == 0) chances[WIN_GAMMON] = static_cast<float>(gammon_chance(board));
    if (borne_off(board.own) == 0) chances[LOSE_GAMMON] = static_cast<float>(gammon_chance_against(board));
    constrain(board, chances);
    return chances;
}

// The network has an output for each probability.
Chances contact_chances(const Board& board, const DenseNetwork& network) {
    Inputs inputs;
    find_inputs(board, inputs);
    DenseNetwork::Numbers numbers;
    network.run(inputs, numbers);
    Chances chances;
    for (int i = 0; i < CHANCES; ++i) chances[i] = sigmoid(numbers[i]);
    return chances;
}

}  // namespace

Class class_of(const Board& board) {
    const int own = rearmost(board.own), other = rearmost(board.other);
    if (own < 0 || other < 0) return Class::OVER;
    if (in_contact(board)) return Class::CONTACT;
    return own < HOME && other < HOME ? Class::BEAR_OFF : Class::RACE;
}

Chances chances_of(const Board& board, const Networks* networks) {
    const Class kind = class_of(board);
    if (kind == Class::OVER) return end_of(board);
    if (kind == Class::BEAR_OFF) return bear_off_chances(board);
    if (!networks) return by_pips(board);
    Chances chances =
        kind == Class::RACE ? race_chances(board, *networks->race) : contact_chances(board, *networks->contact);
    constrain(board, chances);
    return chances;
}

}  // namespace zermelo::backgammon
