// The value of fixed strategies, and best responses to them, in double precision.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "regret/ranges/public.hpp"
#include "regret/ranges/walk.hpp"

namespace zermelo::regret {

// The policy of following a strategy, given as numbers proportional to its probabilities; uniform where all are 0.
template <typename Stored>
class Followed {
public:
    Followed(const PublicGame& game, const Stored* first, const Stored* second) : game_(game), stored_{first, second} {}

    void give(const Board& board, const PublicNode& node, const double* reach, double* rows) {
        const std::size_t size = board.hands[node.kind].size();
        shares(board, node, rows);
        for (std::size_t i = 0; i < size; ++i)
            for (int32_t a = 0; a < node.count; ++a) rows[a * size + i] *= reach[i];
    }

    void take(const Board& board, const PublicNode& node, double* const* values) {
        const std::size_t size = board.hands[node.kind].size();
        own_.resize(size * static_cast<std::size_t>(node.count));
        shares(board, node, own_.data());
        for (std::size_t i = 0; i < size; ++i) {
            double worth = 0;
            for (int32_t a = 0; a < node.count; ++a) worth += own_[a * size + i] * values[a][i];
            values[0][i] = worth;
        }
    }

    void shares(const Board& board, const PublicNode& node, double* rows) const {
        const std::size_t size = board.hands[node.kind].size();
        const Stored* stored = stored_[node.kind] + game_.place(board, node);
        for (std::size_t i = 0; i < size; ++i) {
            double sum = 0;
            for (int32_t a = 0; a < node.count; ++a) sum += static_cast<double>(stored[a * size + i]);
            const double scale = sum > 0 ? 1 / sum : 0.0, even = sum > 0 ? 0.0 : 1.0 / node.count;
            for (int32_t a = 0; a < node.count; ++a) rows[a * size + i] = stored[a * size + i] * scale + even;
        }
    }

protected:
    const PublicGame& game_;

private:
    std::array<const Stored*, 2> stored_;
    std::vector<double> own_;
};

// The policy of a best response; `chosen`, if not null, receives probabilities 0 and 1. The first action wins ties.
template <typename Stored>
class Answered : public Followed<Stored> {
public:
    Answered(const PublicGame& game, const Stored* first, const Stored* second, double* chosen = nullptr)
        : Followed<Stored>(game, first, second), chosen_(chosen) {}

    void take(const Board& board, const PublicNode& node, double* const* values) {
        const std::size_t size = board.hands[node.kind].size();
        for (std::size_t i = 0; i < size; ++i) {
            int32_t best = 0;
            for (int32_t a = 1; a < node.count; ++a)
                if (values[a][i] > values[best][i]) best = a;
            values[0][i] = values[best][i];
            if (!chosen_) continue;
            double* rows = chosen_ + this->game_.place(board, node);
            for (int32_t a = 0; a < node.count; ++a) rows[a * size + i] = a == best ? 1.0 : 0.0;
        }
    }

private:
    double* chosen_;
};

// The expected utility of player p over its hands. Deals are distributed among threads, each with a policy of its own, and
// added up in their order: the result does not depend on the number of threads.
template <typename Policy>
double worth(const PublicGame& game, int p, const Policy& policy, unsigned threads = 1) {
    const std::vector<int32_t>& deals = game.boards.front().children;
    threads = std::clamp<unsigned>(threads, 1, static_cast<unsigned>(std::clamp<std::size_t>(deals.size(), 1, 1024)));
    Workspace<double> root;
    Policy first = policy;
    const Walk<double, Policy> walk(game, p, first);
    walk.begin(root);
    std::vector<std::vector<double>> worths(deals.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        Workspace<double> own;
        Policy mine = policy;
        const Walk<double, Policy> below(game, p, mine);
        for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < deals.size();)
            below.deal(root.frames[0], deals[i], own, worths[i]);
    };
    {
        std::vector<std::jthread> helpers;
        for (unsigned n = 1; n < threads; ++n) helpers.emplace_back(work);
        work();
    }
    for (std::size_t i = 0; i < deals.size(); ++i) walk.collect(root.frames[0], deals[i], worths[i]);
    const double* values = walk.finish(root.frames[0]);
    const Hands& mine = game.boards.front().hands[p];
    double sum = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) sum += game.weights[p][mine.order[i]] * values[i];
    return sum;
}

}  // namespace zermelo::regret
