// Settings and results of the searches for expected utilities.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "search/deepening.hpp"
#include "search/score.hpp"

namespace zermelo {

enum class TreeMethod { expectiminimax, paranoid, best_reply, maxn };

enum class TreePruning {
    none,
    star1,    // windows through chance nodes
    star2,    // the same, after a probe of each outcome
    shallow,  // max^n: by the sum of the utilities
};

struct TreeSettings {
    TreeMethod method = TreeMethod::expectiminimax;
    TreePruning pruning = TreePruning::star1;
    bool table = true;          // the table of positions
    bool order = true;  // actions by table and static estimate, outcomes by probability; else the game's order
    uint64_t width = 0;  // number of actions searched below the root, best static estimates first; 0 for all
    uint64_t root_width = 0;  // number of root actions searched after the first iteration; 0 for all
    double root_margin = std::numeric_limits<double>::infinity();  // how much worse than the best these may be
    uint64_t samples = 0;  // number of outcomes sampled at a chance node; 0 for all
    uint64_t seed = 0;  // seed of the samples
    int stride = 1;  // plies from one iteration to the next

    // Whether every action and every outcome is searched.
    bool is_complete() const { return width == 0 && root_width == 0 && samples == 0 && std::isinf(root_margin); }
};

struct TreeAction {
    int64_t action = 0;
    uint32_t index = 0;  // index in the game's own order
    bool scored = false;
    double value = 0;  // MAX's utility
    std::vector<int64_t> line{};
};

// The result of one iteration.
struct TreeResult {
    int32_t maximiser = 0;
    bool chance = false;  // chance moves at the root
    double value = 0;
    std::vector<double> values;  // of every player, max^n only
    std::vector<TreeAction> actions;  // best first; empty if chance moves
    bool known = false;  // some action has a value of this iteration
    bool finished = false;
    bool limited = false;  // ended by a limit, not by the caller
    bool estimated = false;  // the value rests on an estimate
    bool bold = false;  // some estimate was not strictly between a loss and a win
    bool cut_short = false;  // some line was longer than the depth
    bool uneven = false;  // aborted: the utilities do not have the sum that pruning assumes
    uint64_t nodes = 0;
    uint64_t leaves = 0;
    uint64_t cutoffs = 0;
};

struct ExpectationReport : DepthReport {
    TreeResult found;  // by the last iteration with a result
    bool proved = false;  // the value rests on no estimate, or is one that no estimate can have
    bool settled = false;  // a greater depth cannot change the result
    bool uneven = false;  // max^n: the utilities do not have the sum that pruning assumes
    bool gave_up_pruning = false;  // because of `uneven`
};

}  // namespace zermelo
