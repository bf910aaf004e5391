// Monte Carlo counterfactual regret minimisation: an iteration plays one sampled game for each player.
//
// The random numbers of a game depend only on the seed, the iteration and the player. So a run on one thread can be
// repeated and resumed exactly; with more threads the order of updates is nondeterministic.
#include <atomic>
#include <cmath>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "regret/minimiser.hpp"
#include "regret/store.hpp"
#include "solve/team.hpp"

namespace zermelo::regret {
namespace {

constexpr std::size_t deepest = 4096;

class Samples : public FormMinimiser {
public:
    Samples(const Tree& tree, const Origin& origin, bool outcome, double exploration, uint64_t seed)
        : tree_(tree), origin_(origin), outcome_(outcome), exploration_(exploration), seed_(seed),
          offsets_(tree.offsets()), regrets_(offsets_.back(), 0.0), sums_(offsets_.back(), 0.0) {
        const std::size_t depth = tree.depth();
        if (depth > deepest) throw TreeError("the game is too deep to be sampled");
        std::size_t widest = 1;
        for (const int32_t width : tree.width) widest = std::max(widest, static_cast<std::size_t>(width));
        room_ = 2 * widest * (depth + 1);
    }

    const Form& form() const override { return origin_.form; }

    void run(uint64_t iterations, unsigned threads, Watch& watch) override {
        threads = std::clamp(threads, 1u, 1024u);
        ThreadTeam team(threads, watch);
        const uint64_t end = iterations_ + iterations;
        std::atomic<uint64_t> next{iterations_}, done{0};
        std::atomic<bool> ended{false};
        team.run([&](unsigned worker, const ThreadTeam::StopCheck&) {
            std::vector<double> scratch(room_);
            while (!ended) {
                const uint64_t t = next.fetch_add(1, std::memory_order_relaxed);
                if (t >= end) break;
                for (int p = 0; p < tree_.players; ++p) play(t, p, threads > 1, scratch.data());
                done.fetch_add(1, std::memory_order_relaxed);
                if (worker == 0) try {
                        watch.nodes(32);
                    } catch (const Stopped&) {
                        ended = true;
                    }
            }
        });
        iterations_ += done;
        if (ended) throw Stopped{};
    }

    std::vector<Plan> average() const override {
        std::vector<Plan> plans;
        for (int p = 0; p < tree_.players; ++p) {
            const Side& side = origin_.form.sides[p];
            Plan plan(side.sequences(), 1.0);
            for (std::size_t set = 0; set < side.sets(); ++set) {
                const int32_t begin = side.first[set], end = side.first[set + 1];
                double sum = 0;
                for (int32_t s = begin; s < end; ++s) sum += sums_[origin_.places[p][s]];
                for (int32_t s = begin; s < end; ++s)
                    plan[s] = plan[side.after[set]] *
                              (sum > 0 ? sums_[origin_.places[p][s]] / sum : 1.0 / static_cast<double>(end - begin));
            }
            plans.push_back(std::move(plan));
        }
        return plans;
    }

    std::string save() const override {
        std::string bytes;
        put_numbers(bytes, &iterations_, 1);
        put_numbers(bytes, regrets_);
        put_numbers(bytes, sums_);
        return bytes;
    }

    void restore(const std::string& bytes) override {
        StoreReader reader(bytes);
        uint64_t iterations = 0;
        std::vector<double> regrets(regrets_.size()), sums(sums_.size());
        reader.take(&iterations, 1);
        reader.take(regrets);
        reader.take(sums);
        reader.end();
        for (std::size_t i = 0; i < regrets.size(); ++i)
            if (!std::isfinite(regrets[i]) || !(sums[i] >= 0) || !std::isfinite(sums[i]))
                throw StateError("the state holds a number that is not finite");
        iterations_ = iterations;
        regrets_ = std::move(regrets);
        sums_ = std::move(sums);
    }

private:
    // One sampled game: the player whose regrets it updates, its random numbers, and how to add to shared values.
    struct Play {
        int player;
        bool shared;
        Random random;

        void add(double& place, double amount) const {
            if (shared) std::atomic_ref<double>(place).fetch_add(amount, std::memory_order_relaxed);
            else place += amount;
        }
        static double read(const double& place) {
            return std::atomic_ref<double>(const_cast<double&>(place)).load(std::memory_order_relaxed);
        }
    };

    // Reach probabilities: of the player's own choices, of everybody else's and chance's, and of the sampling.
    struct Reach {
        double own = 1, others = 1, sampled = 1;
    };

    void play(uint64_t iteration, int p, bool shared, double* scratch) {
        Play game{p, shared, Random(mix(mix(seed_, iteration), static_cast<uint64_t>(p)))};
        if (outcome_) walk_outcome(game, 0, Reach{}, scratch);
        else walk_external(game, 0, scratch);
    }

    // The strategy of regret matching at an information set.
    void match(int32_t set, double* shares) const {
        const int32_t width = tree_.width[set];
        double sum = 0;
        for (int32_t i = 0; i < width; ++i) {
            shares[i] = std::max(Play::read(regrets_[offsets_[set] + i]), 0.0);
            sum += shares[i];
        }
        for (int32_t i = 0; i < width; ++i) shares[i] = sum > 0 ? shares[i] / sum : 1.0 / width;
    }

    template <typename Share>
    static int32_t draw(Random& random, int32_t count, const Share& share) {
        double left = random.unit();
        int32_t last = 0;
        for (int32_t i = 0; i < count; ++i) {
            const double probability = share(i);
            if (probability > 0) last = i;
            if ((left -= probability) < 0) return i;
        }
        return last;  // rounding left a remainder
    }

    int32_t draw_chance(Random& random, std::size_t node) const {
        return draw(random, tree_.count[node], [&](int32_t i) { return tree_.chance[tree_.first[node] + i]; });
    }

    double payoff(std::size_t node, int p) const {
        return tree_.payoffs[static_cast<std::size_t>(tree_.first[node]) * tree_.players + p];
    }

    double walk_external(Play& game, std::size_t node, double* scratch) {
        const int32_t set = tree_.infoset[node];
        if (set == END_NODE) return payoff(node, game.player);
        const std::size_t first = static_cast<std::size_t>(tree_.first[node]);
        if (set == CHANCE_NODE) return walk_external(game, first + draw_chance(game.random, node), scratch);
        const int32_t width = tree_.width[set];
        double *shares = scratch, *values = scratch + width, *rest = scratch + 2 * width;
        match(set, shares);
        if (tree_.owner[set] != game.player) {
            if (tree_.owner[set] == (game.player + 1) % tree_.players)
                for (int32_t i = 0; i < width; ++i) game.add(sums_[offsets_[set] + i], shares[i]);
            const int32_t chosen = draw(game.random, width, [&](int32_t i) { return shares[i]; });
            return walk_external(game, first + chosen, rest);
        }
        double value = 0;
        for (int32_t i = 0; i < width; ++i) {
            values[i] = walk_external(game, first + i, rest);
            value += shares[i] * values[i];
        }
        for (int32_t i = 0; i < width; ++i) game.add(regrets_[offsets_[set] + i], values[i] - value);
        return value;
    }

    double walk_outcome(Play& game, std::size_t node, const Reach& reach, double* scratch) {
        const int32_t set = tree_.infoset[node];
        if (set == END_NODE) return payoff(node, game.player);
        const std::size_t first = static_cast<std::size_t>(tree_.first[node]);
        if (set == CHANCE_NODE) {
            const int32_t chosen = draw_chance(game.random, node);
            const double chance = tree_.chance[first + chosen];
            return walk_outcome(game, first + chosen, {reach.own, reach.others * chance, reach.sampled * chance},
                                scratch);
        }
        const int32_t width = tree_.width[set];
        double *shares = scratch, *rest = scratch + width;
        match(set, shares);
        const bool mine = tree_.owner[set] == game.player;
        const double explored = mine ? exploration_ : 0.0;
        const auto sampling = [&](int32_t i) { return explored / width + (1 - explored) * shares[i]; };
        const int32_t chosen = draw(game.random, width, sampling);
        const double probability = sampling(chosen);
        const Reach next{mine ? reach.own * shares[chosen] : reach.own,
                         mine ? reach.others : reach.others * shares[chosen], reach.sampled * probability};
        const double estimate = walk_outcome(game, first + chosen, next, rest) / probability;
        const double value = shares[chosen] * estimate;
        if (mine) {
            const double weight = reach.others / reach.sampled;
            for (int32_t i = 0; i < width; ++i) {
                game.add(regrets_[offsets_[set] + i], weight * ((i == chosen ? estimate : 0.0) - value));
                game.add(sums_[offsets_[set] + i], reach.own / reach.sampled * shares[i]);
            }
        }
        return value;
    }

    const Tree& tree_;
    const Origin& origin_;
    const bool outcome_;
    const double exploration_;
    const uint64_t seed_;
    const std::vector<int64_t> offsets_;
    std::vector<double> regrets_, sums_;
    std::size_t room_;  // numbers that one game needs on its path
};

}  // namespace

std::unique_ptr<FormMinimiser> make_samples(const Tree& tree, const Origin& origin, bool outcome, double exploration,
                                            uint64_t seed) {
    return std::make_unique<Samples>(tree, origin, outcome, exploration, seed);
}

}  // namespace zermelo::regret
