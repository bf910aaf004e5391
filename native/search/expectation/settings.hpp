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
    shallow,  // max^n: by the sum of all utilities
};

struct TreeSettings {
    TreeMethod method = TreeMethod::expectiminimax;
    TreePruning pruning = TreePruning::star1;
    bool table = true;          // the table of positions
    bool order = true;  // actions by table and by first sight, outcomes by probability; else the game's order
    uint64_t width = 0;  // actions searched below the root, by first sight; 0 for all
    uint64_t root_width = 0;  // actions of the root that go on after the first iteration; 0 for all
    double root_margin = std::numeric_limits<double>::infinity();  // what these may be worse than the best
    uint64_t samples = 0;  // outcomes that a chance node is sampled to; 0 for all
    uint64_t seed = 0;  // what the samples follow from
    int stride = 1;  // plies from one iteration to the next

    // Whether every action and every outcome is searched.
    bool is_complete() const { return width == 0 && root_width == 0 && samples == 0 && std::isinf(root_margin); }
};

struct TreeAction {
    int64_t action = 0;
    uint32_t index = 0;  // its place in the game's own order
    bool scored = false;
    double value = 0;  // MAX's utility
    std::vector<int64_t> line{};
};

// The result of one iteration.
struct TreeResult {
    int32_t maximiser = 0;
    bool chance = false;  // chance moves at the root
    double value = 0;
    std::vector<double> values;  // every player's, of max^n only
    std::vector<TreeAction> actions;  // best first; none at chance
    bool known = false;  // some action has a value of this iteration
    bool finished = false;
    bool limited = false;  // a limit ended it, and not the caller
    bool estimated = false;  // the value rests on an estimate
    bool bold = false;  // some estimate was no less than a win or no more than a loss
    bool cut_short = false;  // some line was longer than the depth
    bool uneven = false;  // given up: utilities do not add up to the sum by which to prune
    uint64_t nodes = 0;
    uint64_t leaves = 0;
    uint64_t cutoffs = 0;
};

struct ExpectationReport : DepthReport {
    TreeResult found;  // by the last iteration that found something
    bool proved = false;  // the value rests on no estimate, or is one that no estimate can have
    bool settled = false;  // no depth will find more
    bool uneven = false;  // max^n: utilities do not add up to the sum by which to prune
    bool gave_up_pruning = false;  // for that reason
};

}  // namespace zermelo
