// What lowers regret, iteration by iteration: the same handle for whole passes over the form, for sampled games and for
// ranges.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/watch.hpp"
#include "regret/form.hpp"

namespace zermelo::regret {

// How regrets are added up and averages weighted. Regrets of t iterations are multiplied by t^a / (t^a + 1) before the
// next are added: a is `alpha` for positive ones, `beta` for negative ones; infinity keeps them. The strategy of iteration
// t has weight t^gamma in the average.
struct Rule {
    double alpha, beta, gamma;
    bool floor;  // negative regrets become 0
    bool predictive;  // the last regrets are expected to come again
};

// The state of a run is not one of this game and method.
struct StateError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

class Minimiser {
public:
    virtual ~Minimiser() = default;

    uint64_t iterations() const { return iterations_; }

    // Goes on for as many iterations, or until `watch` says to end; then the state is that after a whole iteration.
    virtual void run(uint64_t iterations, unsigned threads, Watch& watch) = 0;

    // All that a run needs to go on exactly, as bytes; `restore` throws `StateError` at what does not fit.
    virtual std::string save() const = 0;
    virtual void restore(const std::string& bytes) = 0;

protected:
    uint64_t iterations_ = 0;
};

// One that works on a game's sequence form.
class FormMinimiser : public Minimiser {
public:
    // The average strategy as one plan a player, and the form that these are plans of.
    virtual std::vector<Plan> average() const = 0;
    virtual const Form& form() const = 0;
};

std::unique_ptr<FormMinimiser> make_passes(const Form& form, const Rule& rule, bool single);

// Sampled games: everybody's but one player's choices (external sampling), or all (`outcome`), one game a player an
// iteration. `exploration` is the share of uniform choices of that one player in outcome sampling.
std::unique_ptr<FormMinimiser> make_samples(const Tree& tree, const Origin& origin, bool outcome, double exploration,
                                            uint64_t seed);

}  // namespace zermelo::regret
