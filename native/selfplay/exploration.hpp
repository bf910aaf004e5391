// How self-play by simulations explores, and what it records of its searches for a policy to learn from.
#pragma once

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/random.hpp"
#include "selfplay/records.hpp"

namespace zermelo {

// Only a share of the moves is searched in full, with noise at the root, and recorded with its visits; the others are searched
// quickly and well: games end sooner, and there are more results to learn from (Wu 2019).
struct ExplorationSettings {
    bool visits = false;  // whether they are recorded at all
    double full_share = 1;  // of the moves; the others …
    double quick_part = 1;  // … have this part of the limits
    double noise = 0;  // the Dirichlet noise has this weight in all, the same for each action; 0 for none
    double noise_share = 0.25;  // in the priors
    unsigned drawn_plies = 0;  // after the opening: actions are drawn by their visits

    bool explores() const { return visits || full_share < 1 || noise > 0 || drawn_plies > 0; }

    void check() const {
        const auto is_share = [](double number) { return number >= 0 && number <= 1; };
        if (!is_share(full_share) || !is_share(quick_part) || !is_share(noise_share))
            throw std::invalid_argument("a share is a number from 0 to 1");
        if (!(noise >= 0) || !std::isfinite(noise)) throw std::invalid_argument("noise is a number from 0 on");
    }
};

// A number of the gamma distribution (Marsaglia and Tsang 2000).
inline double draw_gamma(double shape, Random& random) {
    if (shape < 1) return draw_gamma(shape + 1, random) * std::pow(1 - random.unit(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const double normal =
            std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
        const double v = std::pow(1 + c * normal, 3);
        if (v > 0 && std::log(1 - random.unit()) < normal * normal / 2 + d - d * v + d * std::log(v)) return d * v;
    }
}

// Shares of `count` actions by the Dirichlet distribution with `weight` in all.
inline std::vector<double> draw_noise(std::size_t count, double weight, Random& random) {
    std::vector<double> noise(count);
    for (double& share : noise) share = draw_gamma(weight / static_cast<double>(count), random);
    const double sum = std::accumulate(noise.begin(), noise.end(), 0.0);
    if (!(sum > 0)) noise[random.below(count)] = 1;  // all of them were too small for a double
    for (double& share : noise) share /= sum > 0 ? sum : 1;
    return noise;
}

// An index by its visits; `otherwise` if there are none.
inline std::size_t draw_visited(const std::vector<uint32_t>& visits, std::size_t otherwise, Random& random) {
    const uint64_t total = std::accumulate(visits.begin(), visits.end(), uint64_t{0});
    if (total == 0) return otherwise;
    uint64_t left = random.below(total);
    for (std::size_t i = 0;; ++i) {
        if (left < visits[i]) return i;
        left -= visits[i];
    }
}

// Visits as shares of 255, without those that are rounded to 0.
inline std::vector<VisitShare> share_visits(const std::vector<uint32_t>& visits) {
    const double total = static_cast<double>(std::accumulate(visits.begin(), visits.end(), uint64_t{0}));
    std::vector<VisitShare> shares;
    for (std::size_t i = 0; i < visits.size(); ++i)
        if (const long share = total > 0 ? std::lround(VisitShare::WHOLE * visits[i] / total) : 0; share > 0)
            shares.push_back({static_cast<uint32_t>(i), static_cast<uint8_t>(share)});
    return shares;
}

}  // namespace zermelo
