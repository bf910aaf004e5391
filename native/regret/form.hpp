// The sequence form of a game: what each player can still do after its own choices, and what each end is worth.
//
// A sequence is a player's own choices so far; number 0 is the empty one. With perfect recall a strategy is a plan x over
// sequences, x[0] = 1 and x[after] = Σ x[choices] at every information set, and everybody's expected utility is
// Σ over ends of payoff · Π x_q[sequence of q]: linear in each player's plan. Neither nodes nor chance are left.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "regret/tree.hpp"

namespace zermelo::regret {

using Plan = std::vector<double>;  // one number a sequence of one player

// One player's information sets, in preorder of that player's own forest: a subtree is a range.
struct Side {
    std::vector<int32_t> after{};  // of each information set: the sequence before it
    std::vector<int32_t> first{1};  // of each: its first sequence; one more entry, the number of sequences
    std::vector<int64_t> start{};  // of each sequence: its first term; one more entry
    std::vector<int32_t> others{};  // of each term: the other players' sequences, players - 1 of them
    std::vector<double> payoff{};  // of each term: what it is worth to this player, chance included

    std::size_t sets() const { return after.size(); }
    std::size_t sequences() const { return static_cast<std::size_t>(first.back()); }
};

// Everybody's sequences at an end and everybody's payoffs there, times the probability of chance.
struct Ends {
    std::vector<int32_t> sequences;
    std::vector<double> payoffs;
};

struct Form {
    std::vector<Side> sides;
    int players() const { return static_cast<int>(sides.size()); }
};

// A form, and where its sequences come from: `places[p][s]` is the place of sequence s of player p in arrays that have one
// entry an action of the tree's information sets (`Tree::offsets`); sequence 0 has none, -1.
struct Origin {
    Form form;
    std::vector<std::vector<int64_t>> places;
};

// Throws `RecallError` where a player forgets.
Origin make_form(const Tree& tree);

// Adds up ends at which everybody's sequences are equal, and lists them by player p's own sequence.
void place_terms(Side& side, Ends ends, int players, int p);

// A form with equivalent information sets made one, and for each player which sequence has become which.
struct Merged {
    Form form;
    std::vector<std::vector<int32_t>> classes;
};

// Sequences that no sequence of colour refinements tells apart: each round looks at the payoffs of a sequence's ends and
// the colours of the others there. Whatever minimises regret treats them alike, so their classes are a game as good.
// Payoffs count as equal within 2^-40 of the greatest.
Merged merge(const Form& form);

// What every player gets if all follow their plans, and what each would get by the best answer to the others.
struct Judgement {
    std::vector<double> values;
    std::vector<double> best;
};

Judgement judge(const Form& form, const std::vector<Plan>& plans);

// A plan of `p` that answers best to the others' plans: a pure one; the first action wins ties.
Plan best_response(const Form& form, const std::vector<Plan>& plans, int p);

// What one sequence's ends are worth to `side`, given the others' plans (in the order of players, its own left out).
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
