// max^n with shallow pruning: the native twin of `src/zermelo/search/maxn.py`.
//
//     value(s) = every player's utility                          at an end
//     value(s) = value(result(s, a*))                            a* maximises the mover's component; the first of equals
//     value(s) = sum of P(a) value(result(s, a))                 where chance moves
//
// Among equal values the first in the game's own order is kept, in whatever order actions are searched: the order
// affects the work, not the equilibrium. Pruning requires a constant sum with a lower bound for every player; a leaf
// that violates this ends the search with `uneven`, and its results are discarded.
#pragma once

#include "search/expectation/tree.hpp"

namespace zermelo {

class Maxn : public TreeSearch {
public:
    using TreeSearch::TreeSearch;

    void run(const std::byte* root, const std::vector<TreeAction>& before);

private:
    bool prunes() const { return settings_.pruning != TreePruning::none; }

    // Fills the values of the position at `ply`, which is not a leaf.
    void visit(int ply, int depth);
    void decide(int ply, int depth);
    void average(int ply, int depth);
    void try_actions(int ply, int depth);
    void try_leaves(int ply);
    void decide_root(int depth, const std::vector<TreeAction>& before);

    // Steps to a child and fills the values of the frame below.
    void search_child(int ply, int64_t action, int depth);
    void leaf(int ply, bool over);
    bool improves(int ply, uint32_t place);
    void take(int ply, uint32_t place);
    bool is_enough(int ply, std::size_t tried);
    bool known(int ply, const TableKey& key, int depth, uint32_t& first);

    const double sum_ = game_.players() * game_.table().neutral;
    const double least_ = game_.table().low;
    const double most_ = sum_ - (game_.players() - 1) * least_;
};

}  // namespace zermelo
