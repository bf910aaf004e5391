// Random playouts to the end of the game: the estimate behind Monte Carlo methods, and a speed test.
#pragma once

#include <array>
#include <cstdint>

#include "core/game.hpp"
#include "core/random.hpp"
#include "core/watch.hpp"

namespace zermelo {

struct Playouts {
    uint64_t games = 0;
    uint64_t positions = 0;  // positions visited, including the roots
    uint64_t plies = 0;
    uint64_t unfinished = 0;  // games abandoned after `max_plies`, counted as neutral
    std::array<double, MAX_PLAYERS> utilities{};  // sums
};

// The index of one of `count` outcomes, sampled by their probabilities.
inline std::size_t draw(const ActionList& list, Random& random) {
    double left = random.unit();
    for (std::size_t i = 0; i + 1 < list.count; ++i) {
        left -= list.probabilities[i];
        if (left < 0) return i;
    }
    return list.count - 1;
}

inline Playouts playouts(const Game& game, const std::byte* root, uint64_t games, uint64_t seed, uint64_t max_plies,
                         Watch& watch) {
    Random random(seed);
    Playouts result;
    Position start;
    game.info(root, start);
    StateBuffer buffers[2] = {game.buffer(), game.buffer()};
    ActionList list;
    for (uint64_t played = 0; played < games; ++played) {
        const std::byte* state = root;
        Position position = start;
        uint64_t plies = 0;
        for (; !position.terminal() && plies < max_plies; ++plies) {
            std::size_t chosen = 0;
            if (position.chance()) {
                game.chances(state, list);
                chosen = draw(list, random);
            } else {
                game.actions(state, list);
                chosen = random.below(list.count);
            }
            if (list.count == 0) game.check("actions", state, 0, ZERMELO_BREACH);
            std::byte* child = buffers[plies & 1].data();
            game.step(state, list.actions[chosen], child, position);
            state = child;
            watch.node();
        }
        ++result.games;
        result.plies += plies;
        result.positions += plies + 1;
        result.unfinished += !position.terminal();
        for (int p = 0; p < game.players(); ++p)
            result.utilities[p] += position.terminal() ? position.utilities[p] : game.table().neutral;
    }
    return result;
}

}  // namespace zermelo
