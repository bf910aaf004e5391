// What ends are worth to every hand of one player at once, against the other player's reach: O(hands), not O(hands²).
//
// Let S be the sum of the other's reach and C[card] the sum over its hands with that card. Hand {a, b} meets
//     S − C[a] − C[b] + reach of {a, b} itself
// and, with sums over weaker hands only, beats S − C[a] − C[b]: a hand of the same two cards is no weaker.
// Several ends are worked on side by side, one in each lane.
#pragma once

#include <algorithm>
#include <vector>

#include "regret/ranges/public.hpp"

namespace zermelo::regret {

constexpr std::size_t lanes = 8;

template <typename Real>
struct alignas(lanes * sizeof(Real)) Lane {
    Real at[lanes];

    void add(const Lane& other) {
        for (std::size_t k = 0; k < lanes; ++k) at[k] += other.at[k];
    }
};

// One end: the other player's reach, and where the values of the own hands go.
template <typename Real>
struct End {
    const Real* reach;
    Real* value;
    Real win, tie, lose;
};

template <typename Real>
class Settler {
public:
    // Ends with the same payoff for all hands: `tie`. `count` is at most `lanes`.
    void fixed(const PublicGame& game, const Board& board, int p, const End<Real>* ends, std::size_t count) {
        load(board, p, ends, count);
        const Hands &mine = board.hands[p], &theirs = board.hands[1 - p];
        sums_.assign(static_cast<std::size_t>(game.cards) + 2, Lane<Real>{});
        Lane<Real> total{};
        for (std::size_t j = 0; j < theirs.size(); ++j) meet(theirs, j, total);
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const Lane<Real> met = all(mine, i, total);
            for (std::size_t k = 0; k < lanes; ++k) value_[i].at[k] = tie_.at[k] * met.at[k];
        }
        store(mine, ends, count);
    }

    // Ends at which the stronger hand wins.
    void showdowns(const PublicGame& game, const Board& board, int p, const End<Real>* ends, std::size_t count) {
        load(board, p, ends, count);
        const Hands &mine = board.hands[p], &theirs = board.hands[1 - p];
        sums_.assign(static_cast<std::size_t>(game.cards) + 2, Lane<Real>{});
        Lane<Real> total{};
        for (std::size_t level = 0; level < board.levels(); ++level) {
            const int32_t begin = mine.begin[level], end = mine.begin[level + 1];
            for (int32_t i = begin; i < end; ++i) {  // weaker ones: won
                const Lane<Real> weaker = others(mine, i, total);
                for (std::size_t k = 0; k < lanes; ++k) value_[i].at[k] = gain_.at[k] * weaker.at[k];
            }
            for (int32_t j = theirs.begin[level]; j < theirs.begin[level + 1]; ++j) meet(theirs, j, total);
            for (int32_t i = begin; i < end; ++i) {  // all but these: lost
                const Lane<Real> no_stronger = others(mine, i, total);
                for (std::size_t k = 0; k < lanes; ++k) value_[i].at[k] -= loss_.at[k] * no_stronger.at[k];
            }
        }
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const Lane<Real> met = others(mine, i, total);
            for (std::size_t k = 0; k < lanes; ++k) value_[i].at[k] += loss_.at[k] * met.at[k];
        }
        if (ties_) add_ties(mine, total);
        store(mine, ends, count);
    }

private:
    void load(const Board& board, int p, const End<Real>* ends, std::size_t count) {
        const Hands& theirs = board.hands[1 - p];
        const Real* rows[lanes];
        ties_ = false;
        for (std::size_t k = 0; k < lanes; ++k) {
            const End<Real>& end = ends[k < count ? k : 0];
            rows[k] = end.reach;
            tie_.at[k] = end.tie;
            gain_.at[k] = end.win - end.tie;
            loss_.at[k] = end.lose - end.tie;
            ties_ = ties_ || end.tie != 0;
        }
        value_.resize(board.hands[p].size());
        reach_.resize(theirs.size());
        for (std::size_t j = 0; j < theirs.size(); ++j)
            for (std::size_t k = 0; k < lanes; ++k) reach_[j].at[k] = rows[k][j];
    }

    void store(const Hands& mine, const End<Real>* ends, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < mine.size(); ++i) ends[k].value[i] = value_[i].at[k];
    }

    void meet(const Hands& theirs, std::size_t j, Lane<Real>& total) {
        total.add(reach_[j]);
        sums_[theirs.writes[j][0]].add(reach_[j]);
        sums_[theirs.writes[j][1]].add(reach_[j]);
    }

    // The other's hands met so far without the cards of hand i; one of both its cards is taken off twice.
    Lane<Real> others(const Hands& mine, std::size_t i, const Lane<Real>& total) const {
        const Lane<Real> &first = sums_[mine.reads[i][0]], &second = sums_[mine.reads[i][1]];
        Lane<Real> found;
        for (std::size_t k = 0; k < lanes; ++k) found.at[k] = total.at[k] - first.at[k] - second.at[k];
        return found;
    }

    // The same once all are met, and with that one put back.
    Lane<Real> all(const Hands& mine, std::size_t i, const Lane<Real>& total) const {
        Lane<Real> found = others(mine, i, total);
        if (mine.twin[i] >= 0) found.add(reach_[mine.twin[i]]);
        return found;
    }

    void add_ties(const Hands& mine, const Lane<Real>& total) {
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const Lane<Real> met = all(mine, i, total);
            for (std::size_t k = 0; k < lanes; ++k) value_[i].at[k] += tie_.at[k] * met.at[k];
        }
    }

    std::vector<Lane<Real>> reach_, value_, sums_;
    Lane<Real> tie_, gain_, loss_;
    bool ties_ = false;
};

}  // namespace zermelo::regret
