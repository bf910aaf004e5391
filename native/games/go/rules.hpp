// The rules of Go: captures, legal moves, and the score.
//
// A group without liberties is captured; suicide is illegal; so is recapturing at once in a ko. Superko is enforced by
// the repetition rule, not here.
#pragma once

#include "games/go/state.hpp"

namespace zermelo::go {

template <int N>
inline Bits<N> empty_of(const State<N>& state) {
    return points_of<N>(state.size) - state.occupied();
}

// The stones that the side to move would capture by playing on the empty point `cell`.
template <int N>
Bits<N> captures(const State<N>& state, int cell) {
    const Bits<N>& theirs = state.stones[1 - state.turn];
    Bits<N> left = empty_of(state), taken;
    left.remove(cell);
    Bits<N> beside = Bits<N>::at(cell).beside() & theirs;
    while (beside) {
        const Bits<N> group = flood(Bits<N>::at(beside.first()), theirs);
        if (!(group.beside() & left)) taken |= group;
        beside = beside - group;
    }
    return taken;
}

// Whether the side to move may play on the empty point `cell`.
template <int N>
bool is_legal(const State<N>& state, int cell) {
    if (cell == state.ko) return false;
    Bits<N> left = empty_of(state);
    left.remove(cell);
    const Bits<N> here = Bits<N>::at(cell);
    if (here.beside() & left) return true;
    if (flood(here, state.stones[state.turn] | here).beside() & left) return true;
    return static_cast<bool>(captures(state, cell));
}

// The points on which the side to move may play.
template <int N>
Bits<N> legal_points(const State<N>& state) {
    const Bits<N> empty = empty_of(state);
    Bits<N> legal = empty & empty.beside();
    if (state.ko != NOWHERE) legal.remove(state.ko);
    (empty - legal).each([&](int cell) {
        if (is_legal(state, cell)) legal.add(cell);
    });
    return legal;
}

// Plays on the empty point `cell`, or passes if it is NOWHERE. The move must be legal.
template <int N>
void play(State<N>& state, int cell) {
    const int me = state.turn;
    const Bits<N> taken = cell == NOWHERE ? Bits<N>{} : captures(state, cell);
    state.before = state.last;
    state.last = static_cast<int16_t>(cell);
    state.ko = NOWHERE;
    state.turn ^= 1;
    ++state.moves;
    if (cell == NOWHERE) {
        ++state.passes;
        return;
    }
    state.passes = 0;
    state.stones[me].add(cell);
    state.board ^= stone_key(me, cell);
    if (!taken) return;
    state.stones[1 - me] = state.stones[1 - me] - taken;
    int count = 0;
    taken.each([&](int stone) {
        state.board ^= stone_key(1 - me, stone);
        ++count;
    });
    state.prisoners[me] = static_cast<int16_t>(state.prisoners[me] + count);
    if (count > 1) return;
    // One stone captured one: a ko if it is alone and its only liberty is where it captured.
    const Bits<N> here = Bits<N>::at(cell);
    if (!(here.beside() & state.stones[me]) && (here.beside() & empty_of(state)) == taken)
        state.ko = static_cast<int16_t>(taken.first());
}

// The empty points from which only stones of `colour` are reached.
template <int N>
Bits<N> surrounded(const Bits<N> (&stones)[2], const Bits<N>& empty, int colour) {
    const Bits<N> mine = flood(stones[colour].beside() & empty, empty);
    return mine - flood(stones[1 - colour].beside() & empty, empty);
}

// Tromp-Taylor area score: black's stones and surrounded points minus white's, without komi.
template <int N>
int area_margin(const Bits<N> (&stones)[2], const Bits<N>& empty) {
    const int black = stones[BLACK].count() + surrounded(stones, empty, BLACK).count();
    return black - stones[WHITE].count() - surrounded(stones, empty, WHITE).count();
}

template <int N>
int area_margin(const State<N>& state) {
    return area_margin(state.stones, empty_of(state));
}

// Territory score: black's surrounded points and prisoners minus white's, after removing `dead`; without komi.
template <int N>
int territory_margin(const State<N>& state, const Bits<N>& dead) {
    const Bits<N> living[2] = {state.stones[BLACK] - dead, state.stones[WHITE] - dead};
    const Bits<N> empty = points_of<N>(state.size) - (living[BLACK] | living[WHITE]);
    const int black = surrounded(living, empty, BLACK).count() + state.prisoners[BLACK];
    const int white = surrounded(living, empty, WHITE).count() + state.prisoners[WHITE];
    return black + (state.stones[WHITE] & dead).count() - white - (state.stones[BLACK] & dead).count();
}

}  // namespace zermelo::go
