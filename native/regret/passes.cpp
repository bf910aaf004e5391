// Counterfactual regret minimisation by full passes over the sequence form, with alternating updates, on any number of
// threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cmath>

#include "regret/minimiser.hpp"
#include "regret/pieces.hpp"
#include "regret/step.hpp"
#include "regret/store.hpp"
#include "solve/team.hpp"

namespace zermelo::regret {
namespace {

template <typename Real>
struct Player {
    explicit Player(const Side& side)
        : side(side), cut(regret::cut(side)), payoff(side.payoff.begin(), side.payoff.end()), regrets(side.sequences()),
          shares(side.sequences()), plan(side.sequences()), mean(side.sequences()), values(side.sequences()),
          worths(cut.pieces.size()) {
        plan[0] = 1;
        for (std::size_t set = 0; set < side.sets(); ++set) {
            const int32_t width = side.first[set + 1] - side.first[set];
            for (int32_t s = side.first[set]; s < side.first[set + 1]; ++s) {
                shares[s] = Real(1) / static_cast<Real>(width);
                plan[s] = plan[side.after[set]] * shares[s];
            }
        }
        mean = plan;
    }

    const Side& side;
    Pieces cut;
    std::vector<Real> payoff;   // as in `side`, in this precision
    std::vector<Real> regrets;
    std::vector<Real> shares;   // the current strategy: the probability of each action at its information set
    std::vector<Real> plan;     // the same as a plan
    std::vector<Real> mean;     // the average plan
    std::vector<Real> values;   // of each sequence, during a pass up; 0 between passes
    std::vector<Real> worths;   // of each piece
};

constexpr std::size_t terms_per_thread = 1 << 18;  // terms that justify another thread

template <typename Real>
class Passes : public FormMinimiser {
public:
    Passes(const Form& form, const Rule& rule) : form_(form), rule_(rule) {
        for (const Side& side : form.sides) players_.emplace_back(side);
    }

    const Form& form() const override { return form_; }

    void run(uint64_t iterations, unsigned threads, Watch& watch) override {
        threads = std::clamp<unsigned>(threads, 1, most_threads());
        std::barrier<> meeting(threads);
        ThreadTeam team(threads, watch);
        ended_ = false;
        team.run([&](unsigned worker, const ThreadTeam::StopCheck&) {
            for (uint64_t i = 0; i < iterations && !ended_; ++i) iterate(worker, threads, meeting, watch);
        });
        if (ended_) throw Stopped{};
    }

    std::vector<Plan> average() const override {
        std::vector<Plan> plans;
        for (const Player<Real>& player : players_) plans.emplace_back(player.mean.begin(), player.mean.end());
        return plans;
    }

    std::string save() const override {
        std::string bytes;
        put_progress(bytes, {iterations_, total_});
        for (const Player<Real>& player : players_) {
            put_numbers(bytes, player.regrets);
            put_numbers(bytes, player.shares);
            put_numbers(bytes, player.plan);
            put_numbers(bytes, player.mean);
        }
        return bytes;
    }

    void restore(const std::string& bytes) override {
        StoreReader reader(bytes);
        auto players = players_;
        const Progress progress = reader.take_progress();
        for (Player<Real>& player : players)
            for (auto* numbers : {&player.regrets, &player.shares, &player.plan, &player.mean})
                reader.take_finite(*numbers);
        reader.end();
        for (std::size_t p = 0; p < players.size(); ++p) {
            players_[p].regrets = std::move(players[p].regrets);
            players_[p].shares = std::move(players[p].shares);
            players_[p].plan = std::move(players[p].plan);
            players_[p].mean = std::move(players[p].mean);
        }
        iterations_ = progress.iterations;
        total_ = progress.total;
    }

private:
    // A barrier costs some microseconds, so a thread needs enough work.
    unsigned most_threads() const {
        std::size_t terms = 0;
        for (const Player<Real>& player : players_) terms += player.payoff.size();
        return static_cast<unsigned>(std::clamp<std::size_t>(terms / terms_per_thread, 1, 1024));
    }

    // One pass for each player. Only the first worker processes the trunk, counts, and polls.
    void iterate(unsigned worker, unsigned threads, std::barrier<>& meeting, Watch& watch) {
        const double t = static_cast<double>(iterations_ + 1);
        const double total = total_ + std::pow(t, rule_.gamma);
        const Step<Real> now = make_step<Real>(rule_, t, total);
        const auto meet = [&] {
            if (threads > 1) meeting.arrive_and_wait();
        };
        for (std::size_t p = 0; p < players_.size(); ++p) {
            Player<Real>& player = players_[p];
            std::array<const Real*, 64> others;
            for (std::size_t q = 0, i = 0; q < players_.size(); ++q)
                if (q != p) others[i++] = players_[q].plan.data();
            share_out(player, up_, [&](std::size_t i) {
                go_up(player, player.cut.pieces[i], player.worths[i], others.data(), now);
            });
            meet();
            if (worker == 0) {
                pass_trunk(player, others.data(), now);
                up_ = down_ = 0;
                if (p + 1 == players_.size()) finish(total, watch);
            }
            meet();
            share_out(player, down_, [&](std::size_t i) {
                const Piece& piece = player.cut.pieces[i];
                for (int32_t set = piece.begin; set < piece.end; ++set) go_down(player, set, now.weight);
            });
            meet();
        }
    }

    template <typename Work>
    static void share_out(const Player<Real>& player, std::atomic<std::size_t>& next, const Work& work) {
        const std::size_t pieces = player.cut.pieces.size();
        for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) work(i);
    }

    void finish(double total, Watch& watch) {
        ++iterations_;
        total_ = total;
        try {
            watch.nodes(256);
        } catch (const Stopped&) {
            ended_ = true;
        }
    }

    // Computes the values of a piece's sequences, its regrets and its new strategy, from the leaves up.
    void go_up(Player<Real>& player, const Piece& piece, Real& worth, const Real* const* others,
               const Step<Real>& now) {
        worth = 0;
        for (int32_t set = piece.end; set-- > piece.begin;) {
            const Real value = update(player, set, others, now);
            const int32_t after = player.side.after[set];
            (after == piece.after ? worth : player.values[after]) += value;
        }
    }

    void pass_trunk(Player<Real>& player, const Real* const* others, const Step<Real>& now) {
        for (std::size_t i = 0; i < player.cut.pieces.size(); ++i)
            player.values[player.cut.pieces[i].after] += player.worths[i];
        const auto& trunk = player.cut.trunk;
        for (std::size_t i = trunk.size(); i-- > 0;)
            player.values[player.side.after[trunk[i]]] += update(player, trunk[i], others, now);
        player.values[0] = 0;
        for (const int32_t set : trunk) go_down(player, set, now.weight);
    }

    // Regret matching at one information set; returns its value under the previous strategy.
    Real update(Player<Real>& player, int32_t set, const Real* const* others, const Step<Real>& now) {
        const Side& side = player.side;
        const int32_t begin = side.first[set], end = side.first[set + 1];
        const int rivals = form_.players() - 1;
        Real worth = 0;
        for (int32_t s = begin; s < end; ++s) {
            player.values[s] +=
                gather<Real>(side, player.payoff.data(), others, rivals, side.start[s], side.start[s + 1]);
            worth += player.shares[s] * player.values[s];
        }
        Real sum = 0;
        for (int32_t s = begin; s < end; ++s) {
            const Real gain = player.values[s] - worth;
            Real& regret = player.regrets[s];
            regret = regret * (regret > 0 ? now.keep_gains : now.keep_losses) + gain;
            if (now.floor) regret = std::max(regret, Real(0));
            const Real expected = now.predictive ? regret * now.keep_next + gain : regret;
            player.shares[s] = std::max(expected, Real(0));
            sum += player.shares[s];
            player.values[s] = 0;
        }
        for (int32_t s = begin; s < end; ++s)
            player.shares[s] = sum > 0 ? player.shares[s] / sum : Real(1) / static_cast<Real>(end - begin);
        return worth;
    }

    void go_down(Player<Real>& player, int32_t set, Real weight) {
        const Real reach = player.plan[player.side.after[set]];
        for (int32_t s = player.side.first[set]; s < player.side.first[set + 1]; ++s) {
            player.plan[s] = reach * player.shares[s];
            player.mean[s] += (player.plan[s] - player.mean[s]) * weight;
        }
    }

    const Form& form_;
    const Rule rule_;
    std::vector<Player<Real>> players_;
    double total_ = 0;  // sum of the weights so far
    std::atomic<std::size_t> up_{0}, down_{0};  // the next piece to take, on the way up and down
    std::atomic<bool> ended_{false};
};

}  // namespace

std::unique_ptr<FormMinimiser> make_passes(const Form& form, const Rule& rule, bool single) {
    if (single) return std::make_unique<Passes<float>>(form, rule);
    return std::make_unique<Passes<double>>(form, rule);
}

}  // namespace zermelo::regret
