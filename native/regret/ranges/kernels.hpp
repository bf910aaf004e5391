// The inner loops of regret minimisation over ranges, each compiled for several vector widths; the results are
// identical.
#pragma once

#include "regret/ranges/public.hpp"
#include "regret/step.hpp"

namespace zermelo::regret {

constexpr std::size_t lanes = 8;

template <typename Real>
struct alignas(lanes * sizeof(Real)) Lane {
    Real at[lanes];
};

// One end: the other player's reach, and the destination of the values of the own hands.
template <typename Real>
struct End {
    const Real* reach;
    Real* value;
    Real win, tie, lose;
};

// Workspace for a batch of ends, one per lane: for the other's hands, the own hands, and cards.
template <typename Real>
struct Tile {
    Lane<Real>*reach, *value, *sums;
};

// The values of at most `lanes` ends for every hand of p against the other's reach: O(hands), not O(hands²).
//
// Let S be the sum of the other's reach and C[card] the sum over its hands with that card. Hand {a, b} meets
//     S − C[a] − C[b] + reach of {a, b} itself
// and, with sums over weaker hands only, beats S − C[a] − C[b]: a hand of the same two cards is no weaker.
// The sums of `tile` must be 0. Fixed ends pay `tie`.
void pay_fixed(const Board& board, int p, const End<float>* ends, std::size_t count, const Tile<float>& tile);
void pay_fixed(const Board& board, int p, const End<double>* ends, std::size_t count, const Tile<double>& tile);
void pay_showdowns(const Board& board, int p, const End<float>* ends, std::size_t count, const Tile<float>& tile);
void pay_showdowns(const Board& board, int p, const End<double>* ends, std::size_t count, const Tile<double>& tile);

constexpr int32_t max_actions_at_once = 16;

// The data of one choice: a row for each action, a column for each hand.
template <typename Real>
struct Known {
    std::size_t hands;
    int32_t actions;
    Real* regrets;
    Real*
        shares;  // the strategy, if it is kept; if not, it follows from regrets, of at most `max_actions_at_once` actions
    Real* mean;  // the average strategy, times the reach of its own player
};

// The reach after each action; adds the strategy with that weight to the average.
void spread(const Known<float>& known, float weight, const float* reach, float* rows);
void spread(const Known<double>& known, double weight, const double* reach, double* rows);

// Regret matching: the values after each action are given; the value of the choice is written into the first.
void match(const Known<float>& known, const Step<float>& now, float* const* values);
void match(const Known<double>& known, const Step<double>& now, double* const* values);

}  // namespace zermelo::regret
