// OpenSpiel's C++ for `peers.py`: its alpha-beta, and random games in a native loop.
//
// Neither is bound to Python, but the wheel's library exports what they need and the wheel brings the headers: this is
// compiled against both, and called with ctypes once `pyspiel` is loaded.
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/spiel.h"

// Searches a game from its start; returns the value, and how often the horizon was met. Nodes are not counted there.
extern "C" double open_spiel_alphabeta(const char* name, int depth, uint64_t* horizon) {
    const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame(name);
    uint64_t leaves = 0;
    const auto neutral = [&leaves](const open_spiel::State&) {
        ++leaves;
        return 0.0;
    };
    // Its Connect Four cannot take actions back, so states are cloned.
    const auto found = open_spiel::algorithms::AlphaBetaSearch(*game, nullptr, neutral, depth,
                                                               open_spiel::kInvalidPlayer, /*use_undo=*/false);
    *horizon = leaves;
    return found.first;
}

// Plays random games without chance to their ends; returns the plies.
extern "C" uint64_t open_spiel_playouts(const char* name, uint64_t games) {
    const std::shared_ptr<const open_spiel::Game> game = open_spiel::LoadGame(name);
    std::mt19937_64 random(1);
    uint64_t plies = 0;
    for (uint64_t played = 0; played < games; ++played) {
        const std::unique_ptr<open_spiel::State> state = game->NewInitialState();
        while (!state->IsTerminal()) {
            const std::vector<open_spiel::Action> actions = state->LegalActions();
            state->ApplyAction(actions[random() % actions.size()]);
            ++plies;
        }
    }
    return plies;
}
