// The value of fixed strategies, and best responses to them, in double precision.
#pragma once

#include <algorithm>
#include <array>
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

// The expected utility of player p over its hands.
template <typename Policy>
double worth(const PublicGame& game, int p, Policy policy) {
    Workspace<double> work;
    const double* values = Walk<double, Policy>(game, p, policy).run(work);
    const Hands& mine = game.boards.front().hands[p];
    double sum = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) sum += game.weights[p][mine.order[i]] * values[i];
    return sum;
}

}  // namespace zermelo::regret
