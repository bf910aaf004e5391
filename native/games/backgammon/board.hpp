// A backgammon board from the point of view of the player on roll, and the steps of one chequer.
//
// Each player counts the points from its own home: index 0 is its ace point, 23 the other's, 24 its bar. The same point
// has index i for one player and 23 - i for the other. The chequers missing from fifteen have been borne off.
#pragma once

#include <array>
#include <cstdint>

namespace zermelo::backgammon {

constexpr int POINTS = 24;
constexpr int BAR = 24;
constexpr int HOME = 6;
constexpr int CHEQUERS = 15;

using Side = std::array<uint8_t, POINTS + 1>;

struct Board {
    Side own;  // of the player on roll
    Side other;  // of its opponent, in the opponent's own count

    bool operator==(const Board&) const = default;
    Board turned() const { return {other, own}; }
};

constexpr Side START{0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0};

// The point as counted by the other player.
constexpr int across(int point) { return POINTS - 1 - point; }

inline int chequers(const Side& side) {
    int sum = 0;
    for (const uint8_t count : side) sum += count;
    return sum;
}

inline int borne_off(const Side& side) { return CHEQUERS - chequers(side); }

inline int pips(const Side& side) {
    int sum = 0;
    for (int point = 0; point <= BAR; ++point) sum += side[point] * (point + 1);
    return sum;
}

// The pips that bring all chequers home.
inline int pips_outside(const Side& side) {
    int sum = 0;
    for (int point = HOME; point <= BAR; ++point) sum += side[point] * (point - HOME + 1);
    return sum;
}

// The index of the chequer farthest from home, or -1 if all are off.
inline int rearmost(const Side& side) {
    int point = BAR;
    while (point >= 0 && !side[point]) --point;
    return point;
}

inline bool all_home(const Side& side) { return rearmost(side) < HOME; }

// Whether there is still contact.
inline bool in_contact(const Board& board) { return rearmost(board.own) + rearmost(board.other) >= POINTS; }

// The multiple of the stake that the winner gets, where `loser` is what the other has left: 2 for a gammon, 3 for a
// backgammon.
inline int stakes_won(const Side& loser) {
    if (borne_off(loser) > 0) return 1;
    return rearmost(loser) >= POINTS - HOME ? 3 : 2;
}

// Whether a chequer of the player on roll may move from `from` by `die`, one step of a play.
inline bool may_step(const Board& board, int from, int die) {
    if (!board.own[from] || (from != BAR && board.own[BAR])) return false;
    const int to = from - die;
    if (to >= 0) return board.other[across(to)] < 2;
    const int rear = rearmost(board.own);
    return rear < HOME && (to == -1 || rear == from);
}

// Makes the step; returns whether it hits a blot.
inline bool take_step(Board& board, int from, int die) {
    const int to = from - die;
    --board.own[from];
    if (to < 0) return false;
    ++board.own[to];
    uint8_t& there = board.other[across(to)];
    if (!there) return false;
    there = 0;
    ++board.other[BAR];
    return true;
}

}  // namespace zermelo::backgammon
