// Random openings: different starts for games of players that do not play at random.
#pragma once

#include <numeric>
#include <vector>

#include "selfplay/live.hpp"

namespace zermelo {

// The first actions of a game are random; their number is, too.
struct OpeningSettings {
    unsigned least_plies = 0;  // of players: what chance does is not counted
    unsigned most_plies = 0;
    std::vector<double> weights = {};  // of each number from the least to the most; empty if all are equally likely

    void check() const {
        if (least_plies > most_plies) throw std::invalid_argument("openings have at least as many plies as at most");
        if (weights.empty()) return;
        for (const double weight : weights)
            if (!(weight >= 0) || !std::isfinite(weight)) throw std::invalid_argument("a weight is a number from 0 on");
        if (weights.size() != most_plies - least_plies + 1 || std::accumulate(weights.begin(), weights.end(), 0.0) <= 0)
            throw std::invalid_argument(
                "there is one weight for each number of plies of an opening, not all of them 0");
    }

    unsigned draw_plies(Random& random) const {
        if (weights.empty()) return least_plies + static_cast<unsigned>(random.below(most_plies - least_plies + 1));
        double left = random.unit() * std::accumulate(weights.begin(), weights.end(), 0.0);
        for (unsigned i = 0; i + 1 < weights.size(); ++i)
            if ((left -= weights[i]) < 0) return least_plies + i;
        return most_plies;
    }
};

constexpr int WALKS_PER_OPENING = 50;  // random walks that are tried before a shorter opening is

// Plays a random opening from `start` to a position that is not over, as far as there is one.
// `indices` receives the actions.
inline void play_opening(LiveGame& game, const std::byte* start, unsigned plies, Random& random,
                         std::vector<std::size_t>& indices) {
    for (;; --plies) {
        for (int walk = 0; walk < WALKS_PER_OPENING; ++walk) {
            game.begin(start);
            indices.clear();
            for (unsigned played = 0; !game.is_over() && (played < plies || game.mover() == ZERMELO_CHANCE);) {
                played += game.mover() != ZERMELO_CHANCE;
                indices.push_back(game.draw_action(random));
                game.play(indices.back());
            }
            if (!game.is_over()) return;
        }
        if (plies == 0) return;
    }
}

}  // namespace zermelo
