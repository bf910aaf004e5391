// The factors of one iteration, the same for every information set.
#pragma once

#include <cmath>

#include "regret/minimiser.hpp"

namespace zermelo::regret {

template <typename Real>
struct Step {
    Real keep_gains, keep_losses;  // discounts of the regrets so far
    Real keep_next;                // discount of gains, at the next iteration
    Real weight;                   // of the new strategy in the average
    bool floor, predictive;
};

// The step of iteration t, from 1 on; `total` is the sum of the weights t^gamma up to it.
template <typename Real>
Step<Real> make_step(const Rule& rule, double t, double total) {
    const auto keep = [](double time, double exponent) {
        if (time == 0 || std::isinf(exponent)) return Real(1);
        const double power = std::pow(time, exponent);
        return static_cast<Real>(power / (power + 1));
    };
    const Real weight = static_cast<Real>(std::pow(t, rule.gamma) / total);
    return {keep(t - 1, rule.alpha), keep(t - 1, rule.beta), keep(t, rule.alpha), weight, rule.floor, rule.predictive};
}

}  // namespace zermelo::regret
