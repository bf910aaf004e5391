// The sequence form of a game: what each player can still do after its own choices, and the payoffs at the ends.
//
// A sequence is a player's own choices so far; number 0 is the empty one. With perfect recall a strategy is a plan x
// over sequences, x[0] = 1 and x[after] = Σ x[choices] at every information set, and the expected utilities are Σ over
// ends of payoff · Π x_q[sequence of q]: linear in each player's plan. Neither nodes nor chance remain.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "regret/tree.hpp"

namespace zermelo::regret {

using Plan = std::vector<double>;  // one number per sequence of one player

// One player's information sets, in preorder of that player's own forest: a subtree is a range.
struct Side {
    std::vector<int32_t> after{};  // per information set: the sequence before it
    std::vector<int32_t> first{1};  // per information set: its first sequence; plus one entry, the number of sequences
    std::vector<int64_t> start{};  // per sequence: its first term; plus one entry
    std::vector<int32_t> others{};  // per term: the sequences of the other players, players - 1 of them
    std::vector<double> payoff{};  // per term: the payoff to this player, times the chance probability

    std::size_t sets() const { return after.size(); }
    std::size_t sequences() const { return static_cast<std::size_t>(first.back()); }
};

// The sequences of all players at an end and their payoffs there, times the chance probability.
struct Ends {
    std::vector<int32_t> sequences;
    std::vector<double> payoffs;
};

struct Form {
    std::vector<Side> sides;
    int players() const { return static_cast<int>(sides.size()); }
};

// A form, and the origin of its sequences: `places[p][s]` is the index of sequence s of player p in arrays with one
// entry per action of the tree's information sets (`Tree::offsets`); -1 for sequence 0.
struct Origin {
    Form form;
    std::vector<std::vector<int64_t>> places;
};

// Throws `RecallError` if a player has imperfect recall.
Origin make_form(const Tree& tree);

// Merges ends with equal sequences of all players, and lists them by player p's own sequence.
void place_terms(Side& side, Ends ends, int players, int p);

// A form with equivalent information sets merged, and for each player the class of each sequence.
struct Merged {
    Form form;
    std::vector<std::vector<int32_t>> classes;
};

// Merges sequences that colour refinement cannot distinguish: each round uses the payoffs of a sequence's ends and the
// colours of the others there. Regret minimisation treats such sequences alike, so the merged game is equivalent.
// Payoffs count as equal within 2^-40 of the greatest.
Merged merge(const Form& form);

// The expected utility of every player under the plans, and under its best response to the others' plans.
struct Judgement {
    std::vector<double> values;
    std::vector<double> best;
};

Judgement judge(const Form& form, const std::vector<Plan>& plans);

// A pure best response of `p` to the others' plans; the first action wins ties.
Plan best_response(const Form& form, const std::vector<Plan>& plans, int p);

// The payoff of one sequence's ends to `side`, given the others' plans (in the order of players, without its own).
template <typename Real, typename Payoff>
inline Real gather(const Side& side, const Payoff* payoff, const Real* const* others, int rivals, int64_t begin,
                   int64_t end) {
    Real sum = 0;
    if (rivals == 1) {
        const Real* other = others[0];
        for (int64_t i = begin; i < end; ++i) sum += static_cast<Real>(payoff[i]) * other[side.others[i]];
        return sum;
    }
    for (int64_t i = begin; i < end; ++i) {
        Real product = static_cast<Real>(payoff[i]);
        for (int q = 0; q < rivals; ++q) product *= others[q][side.others[i * rivals + q]];
        sum += product;
    }
    return sum;
}

}  // namespace zermelo::regret
