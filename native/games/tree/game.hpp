// A game written down as a tree: one set of rules for all of them, over the tree's data. A state is the number of a node.
#pragma once

#include <cstdint>
#include <vector>

#include "core/table.h"

namespace zermelo::written {

// One entry per node; the children of a node are neighbours.
struct Tree {
    int32_t players = 2;
    std::vector<int32_t> movers;  // a player or ZERMELO_CHANCE; means nothing at an end
    std::vector<int32_t> first;  // the number of the first child
    std::vector<int32_t> count;  // the number of children; 0 at an end
    std::vector<double> probabilities;  // of the action of chance that leads here
    std::vector<double> payoffs;  // of each player, node after node
    std::vector<double> estimates;  // for player 0, NaN where there is none; empty in a tree without estimates
    std::vector<uint8_t> noisy;  // whether the action that leads here is; empty in a tree without noise
    double draw = 0;  // the estimate of a node that has none
    bool chance = false;  // whether chance moves somewhere

    // Whether the columns have equal lengths and every child exists.
    bool sound() const;
};

// The slots over a tree, which is the table's context; facts and context are the caller's.
zermelo_table table_of(const Tree& tree);

}  // namespace zermelo::written
