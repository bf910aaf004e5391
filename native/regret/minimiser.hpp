// The interface of the regret minimisers: full passes over the form, sampled games, and ranges.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/watch.hpp"
#include "regret/form.hpp"

namespace zermelo::regret {

// How regrets are discounted and averages weighted. The regrets of t iterations are multiplied by t^a / (t^a + 1)
// before the next are added: a is `alpha` for positive ones, `beta` for negative ones; infinity means no discount. The
// strategy of iteration t has weight t^gamma in the average.
struct Rule {
    double alpha, beta, gamma;
    bool floor;  // negative regrets become 0 (regret matching+)
    bool predictive;  // the last regrets are the prediction of the next
};

// The saved state does not match this game and method.
struct StateError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

class Minimiser {
public:
    virtual ~Minimiser() = default;

    uint64_t iterations() const { return iterations_; }

    // Runs the given number of iterations, or until `watch` stops it; the state is then that after a complete
    // iteration.
    virtual void run(uint64_t iterations, unsigned threads, Watch& watch) = 0;

    // The complete state of a run as bytes; `restore` throws `StateError` if they do not match.
    virtual std::string save() const = 0;
    virtual void restore(const std::string& bytes) = 0;

protected:
    uint64_t iterations_ = 0;
};

// A minimiser on the sequence form of a game.
class FormMinimiser : public Minimiser {
public:
    // The average strategy as one plan per player, and the form of these plans.
    virtual std::vector<Plan> average() const = 0;
    virtual const Form& form() const = 0;
};

std::unique_ptr<FormMinimiser> make_passes(const Form& form, const Rule& rule, bool single);

// Sampled games: samples the choices of all players but one (external sampling), or of all (`outcome`), one game per
// player and iteration. `exploration` is the share of uniform choices of that one player in outcome sampling.
std::unique_ptr<FormMinimiser> make_samples(const Tree& tree, const Origin& origin, bool outcome, double exploration,
                                            uint64_t seed);

}  // namespace zermelo::regret
