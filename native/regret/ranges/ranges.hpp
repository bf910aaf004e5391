// Regret minimisation over ranges: operates on whole vectors of hands at each public choice.
#pragma once

#include <memory>
#include <vector>

#include "regret/form.hpp"
#include "regret/minimiser.hpp"
#include "regret/ranges/public.hpp"

namespace zermelo::regret {

class RangeMinimiser : public Minimiser {
public:
    // The average strategy: of player 0, then of player 1, one probability for each board, choice, action and hand.
    virtual std::vector<double> strategy() const = 0;

    // The value of each player's best response to it.
    virtual std::array<double, 2> best(unsigned threads) const = 0;
};

std::unique_ptr<RangeMinimiser> make_ranges(const PublicGame& game, const Rule& rule, bool single);

// The value of a strategy, and of the best responses to it. Numbers at a choice need not sum to 1: they are normalised.
Judgement judge(const PublicGame& game, const std::vector<double>& strategy);

// The strategy with the choices of p replaced by a best response to the other's.
std::vector<double> best_response(const PublicGame& game, const std::vector<double>& strategy, int p);

}  // namespace zermelo::regret
