// Evaluates the ends of one board in batches, in memory that is reused.
#pragma once

#include <vector>

#include "regret/ranges/kernels.hpp"

namespace zermelo::regret {

template <typename Real>
class Settler {
public:
    // Both take at most `lanes` ends.
    void fixed(const PublicGame& game, const Board& board, int p, const End<Real>* ends, std::size_t count) {
        pay_fixed(board, p, ends, count, tile(game, board, p));
    }

    void showdowns(const PublicGame& game, const Board& board, int p, const End<Real>* ends, std::size_t count) {
        pay_showdowns(board, p, ends, count, tile(game, board, p));
    }

private:
    Tile<Real> tile(const PublicGame& game, const Board& board, int p) {
        reach_.resize(board.hands[1 - p].size());
        value_.resize(board.hands[p].size());
        sums_.assign(static_cast<std::size_t>(game.cards) + 2, Lane<Real>{});
        return {reach_.data(), value_.data(), sums_.data()};
    }

    std::vector<Lane<Real>> reach_, value_, sums_;
};

}  // namespace zermelo::regret
