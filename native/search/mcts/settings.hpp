// Settings, limits and results of Monte Carlo tree search.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace zermelo {

struct MctsSettings {
    bool puct = false;         // choose by PUCT and prior probabilities; else by UCT
    double exploration = 1.4;  // c, in units of the width of the game's utilities
    double rave = 0;           // visits at which AMAF and the mean have equal weight; 0 for no AMAF
    double widening = 0;       // at n visits only the n^widening most promising actions are tried; 0 for all
    bool solver = true;        // back up proved bounds
    bool own_playouts = true;  // the game's own playout policy, if it has one; else uniform
    bool greedy_playouts = false;  // rollouts: each player takes the action with the best estimate
    double mix = 0;            // the weight of a playout beside the judgement of the game's policy
    uint64_t judged_from = 0;  // visits from which the policy judges a position, after playouts; 0: when it is new
    uint64_t plies = 1000;     // limit of a uniform playout or a rollout, after which the game's estimate is used
    uint64_t seed = 0;
};

struct MctsLimits {
    uint64_t simulations = std::numeric_limits<uint64_t>::max();
    uint64_t nodes = std::numeric_limits<uint64_t>::max();
    double seconds = -1;  // negative for no limit
    bool early = false;   // stop before the time is up if no other action can become the most visited one
    bool reuse = true;    // the tree of the last search
    std::vector<int64_t> only = {};  // the root's actions to choose from; empty for all
};

enum class MctsEnd { proved, simulations, nodes, seconds, settled, stopped, interrupted };

struct MctsAction {
    int64_t action = 0;
    uint32_t visits = 0;
    double value = 0;  // for the mover of the root; for player 0 where chance moves
    double lower = 0;  // proved bounds of that value
    double upper = 0;
    bool closed = false;  // by the repetition rule, or because it is not requested
    std::vector<double> values = {};  // of every player, over the simulations of this search
    std::vector<int64_t> line = {};   // starting with the action
};

struct MctsResult {
    MctsEnd end = MctsEnd::simulations;
    std::vector<MctsAction> actions;  // in the game's order
    std::size_t best = 0;             // the index of the recommended action
    std::vector<double> values;  // of every player
    double value = 0;            // for the mover (player 0 at a chance node)
    double lower = 0;
    double upper = 0;
    uint64_t simulations = 0;  // of this search
    uint64_t reused = 0;       // simulations of earlier searches that are still in the tree
    uint64_t nodes = 0;        // positions entered, in the tree and in playouts
    uint64_t tree = 0;         // number of nodes in the tree
    uint64_t prunings = 0;     // number of times the tree was pruned for memory
    uint64_t probed = 0;       // positions that endgame tables settled
    bool told = false;         // endgame tables tell the value of the root; the search was for a good move

    // The places of the open actions that were visited, and of the best; of all actions where none of them was.
    std::vector<std::size_t> known() const;
};

}  // namespace zermelo
