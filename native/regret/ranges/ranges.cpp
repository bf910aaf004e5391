#include "regret/ranges/ranges.hpp"

#include <algorithm>
#include <barrier>
#include <cmath>

#include "regret/ranges/judge.hpp"
#include "regret/ranges/walk.hpp"
#include "regret/step.hpp"
#include "regret/store.hpp"
#include "solve/team.hpp"

namespace zermelo::regret {
namespace {

// One number for each board, choice, action and hand.
template <typename Real>
struct Memory {
    std::vector<Real> regrets;
    std::vector<Real> shares;  // the current strategy, if it is kept
    std::vector<Real> mean;    // the average strategy times the reach of its own player
};

// The learning policy: updates the own regrets, and adds the other's strategy to its average with a weight.
template <typename Real>
class Learner {
public:
    Learner(const PublicGame& game, std::array<Memory<Real>, 2>& memories, const Step<Real>& now, Real weight)
        : game_(game), memories_(memories), now_(now), weight_(weight) {}

    void give(const Board& board, const PublicNode& node, const Real* reach, Real* rows) const {
        spread(known(board, node), weight_, reach, rows);
    }

    void take(const Board& board, const PublicNode& node, Real* const* values) const {
        match(known(board, node), now_, values);
    }

private:
    Known<Real> known(const Board& board, const PublicNode& node) const {
        Memory<Real>& memory = memories_[node.kind];
        const int64_t place = game_.place(board, node);
        return {board.hands[node.kind].size(), node.count, memory.regrets.data() + place,
                memory.shares.empty() ? nullptr : memory.shares.data() + place, memory.mean.data() + place};
    }

    const PublicGame& game_;
    std::array<Memory<Real>, 2>& memories_;
    const Step<Real> now_;
    const Real weight_;
};

template <typename Real>
class Ranges : public RangeMinimiser {
public:
    Ranges(const PublicGame& game, const Rule& rule) : game_(game), rule_(rule) {
        bool keeps = rule.predictive;
        for (const Street& street : game.streets)
            for (const PublicNode& node : street.nodes)
                keeps = keeps || (node.kind >= 0 && node.count > max_actions_at_once);
        for (int p = 0; p < 2; ++p) {
            const std::size_t room = static_cast<std::size_t>(game.room[p]);
            memories_[p] = {std::vector<Real>(room), std::vector<Real>(keeps ? room : 0), std::vector<Real>(room)};
        }
        if (keeps) start();
    }

    // Players alternate. A new strategy of one player is added to its average while the other learns against it; the
    // very last one is added at the end.
    void run(uint64_t iterations, unsigned threads, Watch& watch) override {
        const std::size_t deals = game_.boards.front().children.size();
        threads = std::clamp<unsigned>(threads, 1, static_cast<unsigned>(std::clamp<std::size_t>(deals, 1, 1024)));
        works_.resize(std::max<std::size_t>(works_.size(), threads));
        worths_.resize(deals);
        std::barrier<> meeting(threads);
        ended_ = false;
        Real late = 0;  // the weight of player 1's last strategy while it is missing from the average
        ThreadTeam(threads, watch).run([&](unsigned worker, const ThreadTeam::StopCheck&) {
            Real pending = 0;
            for (uint64_t i = 0; i < iterations && !ended_; ++i) {
                const double t = static_cast<double>(iterations_ + 1);
                const double total = total_ + std::pow(t, rule_.gamma);
                const Step<Real> now = make_step<Real>(rule_, t, total);
                const auto meet = [&] {
                    if (threads > 1) meeting.arrive_and_wait();
                };
                pass(0, now, pending, worker, meet);
                pass(1, now, now.weight, worker, meet);
                pending = now.weight;
                if (worker == 0) finish(total, watch);
                meet();
            }
            if (worker == 0) late = pending;
        });
        Learner<Real> last(game_, memories_, Step<Real>{}, late);
        Walk<Real, Learner<Real>>(game_, 0, last).descend_all(works_[0]);
        if (ended_) throw Stopped{};
    }

    std::vector<double> strategy() const override {
        std::vector<double> found(static_cast<std::size_t>(game_.room[0] + game_.room[1]));
        const Followed<Real> mean(game_, memories_[0].mean.data(), memories_[1].mean.data());
        for (const Board& board : game_.boards)
            for (const PublicNode& node : game_.streets[board.street].nodes)
                if (node.kind >= 0)
                    mean.shares(board, node, found.data() + game_.place(board, node) + (node.kind ? game_.room[0] : 0));
        return found;
    }

    std::array<double, 2> best(unsigned threads) const override {
        const Real *first = memories_[0].mean.data(), *second = memories_[1].mean.data();
        return {worth(game_, 0, Answered<Real>(game_, first, second), threads),
                worth(game_, 1, Answered<Real>(game_, first, second), threads)};
    }

    std::string save() const override {
        std::string bytes;
        put_progress(bytes, {iterations_, total_});
        for (const Memory<Real>& memory : memories_)
            for (const auto* numbers : {&memory.regrets, &memory.shares, &memory.mean}) put_numbers(bytes, *numbers);
        return bytes;
    }

    void restore(const std::string& bytes) override {
        StoreReader reader(bytes);
        auto memories = memories_;
        const Progress progress = reader.take_progress();
        for (Memory<Real>& memory : memories)
            for (auto* numbers : {&memory.regrets, &memory.shares, &memory.mean}) reader.take_finite(*numbers);
        reader.end();
        memories_ = std::move(memories);
        iterations_ = progress.iterations;
        total_ = progress.total;
    }

private:
    // The initial strategies are uniform.
    void start() {
        for (const Board& board : game_.boards)
            for (const PublicNode& node : game_.streets[board.street].nodes)
                if (node.kind >= 0)
                    std::fill_n(memories_[node.kind].shares.begin() + game_.place(board, node),
                                board.hands[node.kind].size() * static_cast<std::size_t>(node.count),
                                Real(1) / static_cast<Real>(node.count));
    }

    // One pass for player p; deals are distributed among threads, and added up in their order.
    template <typename Meet>
    void pass(int p, const Step<Real>& now, Real weight, unsigned worker, const Meet& meet) {
        Learner<Real> learner(game_, memories_, now, weight);
        const Walk<Real, Learner<Real>> walk(game_, p, learner);
        const std::vector<int32_t>& deals = game_.boards.front().children;
        if (worker == 0) {
            walk.begin(root_);
            next_ = 0;
        }
        meet();
        for (std::size_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < deals.size();)
            walk.deal(root_.frames[0], deals[i], works_[worker], worths_[i]);
        meet();
        if (worker == 0) {
            for (std::size_t i = 0; i < deals.size(); ++i) walk.collect(root_.frames[0], deals[i], worths_[i]);
            walk.finish(root_.frames[0]);
        }
        meet();
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

    const PublicGame& game_;
    const Rule rule_;
    std::array<Memory<Real>, 2> memories_;
    double total_ = 0;  // sum of the weights so far
    Workspace<Real> root_;
    std::vector<Workspace<Real>> works_;      // one per thread
    std::vector<std::vector<Real>> worths_;   // of each deal
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ended_{false};
};

const double* second_part(const PublicGame& game, const std::vector<double>& strategy) {
    return strategy.data() + game.room[0];
}

}  // namespace

std::unique_ptr<RangeMinimiser> make_ranges(const PublicGame& game, const Rule& rule, bool single) {
    if (single) return std::make_unique<Ranges<float>>(game, rule);
    return std::make_unique<Ranges<double>>(game, rule);
}

Judgement judge(const PublicGame& game, const std::vector<double>& strategy) {
    const double *first = strategy.data(), *second = second_part(game, strategy);
    const double value = worth(game, 0, Followed<double>(game, first, second));
    return {
        {value, game.sum - value},
        {worth(game, 0, Answered<double>(game, first, second)), worth(game, 1, Answered<double>(game, first, second))}};
}

std::vector<double> best_response(const PublicGame& game, const std::vector<double>& strategy, int p) {
    std::vector<double> found = strategy;
    const double *first = strategy.data(), *second = second_part(game, strategy);
    worth(game, p, Answered<double>(game, first, second, found.data() + (p == 0 ? 0 : game.room[0])));
    return found;
}

}  // namespace zermelo::regret
