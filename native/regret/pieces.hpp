// Cuts a player's forest into pieces that threads process independently, and the trunk that connects them.
#pragma once

#include <cstdint>
#include <vector>

#include "regret/form.hpp"

namespace zermelo::regret {

// Information sets begin ... end - 1: complete subtrees, adjacent, after one sequence.
struct Piece {
    int32_t begin, end, after;
};

struct Pieces {
    std::vector<Piece> pieces;
    std::vector<int32_t> trunk;  // the information sets in no piece, in preorder
};

// The cut depends only on the game, so that results do not depend on the number of threads.
inline Pieces cut(const Side& side) {
    constexpr int64_t least_work = 4096, most_pieces = 256;
    const int64_t sets = static_cast<int64_t>(side.sets());
    std::vector<int32_t> end(side.sets());  // where each subtree ends
    std::vector<int32_t> open;
    std::vector<int32_t> set_of(side.sequences(), -1);
    for (int32_t set = 0; set < sets; ++set) {
        while (!open.empty() && open.back() != set_of[side.after[set]]) {
            end[open.back()] = set;
            open.pop_back();
        }
        for (int32_t s = side.first[set]; s < side.first[set + 1]; ++s) set_of[s] = set;
        open.push_back(set);
    }
    for (const int32_t set : open) end[set] = static_cast<int32_t>(sets);
    const auto work = [&](int32_t from, int32_t to) {
        return side.start[side.first[to]] - side.start[side.first[from]] + 4 * (side.first[to] - side.first[from]);
    };
    const int64_t limit = sets == 0 ? 0 : std::max(least_work, work(0, static_cast<int32_t>(sets)) / most_pieces);
    Pieces found;
    for (int32_t set = 0; set < sets;) {
        if (work(set, end[set]) > limit) {
            found.trunk.push_back(set++);
            continue;
        }
        const bool joins = !found.pieces.empty() && found.pieces.back().end == set &&
                           found.pieces.back().after == side.after[set] &&
                           work(found.pieces.back().begin, end[set]) <= limit;
        if (joins) found.pieces.back().end = end[set];
        else found.pieces.push_back({set, end[set], side.after[set]});
        set = end[set];
    }
    return found;
}

}  // namespace zermelo::regret
