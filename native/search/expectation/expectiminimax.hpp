// Expectiminimax with windows: the native twin of `src/zermelo/search/` expectiminimax, star, paranoid and bestreply.
//
//     V(s) = MAX's utility                              at an end
//     V(s) = max (min) of V(result(s, a))               where MAX (anybody else) moves
//     V(s) = sum of P(a) V(result(s, a))                where chance moves
//     V(s) = min of V(after(s, r)) over the replies r   where others move, in best-reply search
//
// MAX is the player to move at the root, and player 0 if chance moves there. Every score is MAX's expected utility, a
// double. With a window (alpha, beta) the result r guarantees  r <= alpha only if V <= alpha,  r >= beta only if V >=
// beta,  r = V otherwise. Windows pass through chance nodes by means of the game's bounds: a utility outside them
// violates the contract, an estimate is clamped to them. Without ordering and table the nodes are exactly those of the
// textbook version.
#pragma once

#include "search/expectation/tree.hpp"

namespace zermelo {

class Expectiminimax : public TreeSearch {
public:
    using TreeSearch::TreeSearch;

    // Searches `root` to the depth of the limits; `before` is the order of the previous iteration, if any.
    void run(const std::byte* root, const std::vector<TreeAction>& before);

private:
    struct Window {
        double alpha;
        double beta;
    };

    bool prunes() const { return settings_.pruning != TreePruning::none; }
    bool replies(const TreeFrame& node) const {
        return settings_.method == TreeMethod::best_reply && node.mover != result.maximiser && node.mover >= 0;
    }

    // The score of the position at `ply`, which is not a leaf; `probing` searches the first action only.
    double visit(int ply, int depth, Window window, bool probing);
    double decide(int ply, int depth, Window window, bool probing);
    double try_actions(int ply, int depth, Window window, bool probing);
    double try_leaves(int ply, Window window);
    void decide_root(int depth, const std::vector<TreeAction>& before);

    double average(int ply, int depth, Window window);
    double expectation(int ply, int depth);
    double star(int ply, int depth, Window window);
    bool probe_outcomes(int ply, int depth, Window window, double& score);
    static Window window_of(const std::vector<Outcome>& outcomes, std::size_t i, Window window);

    // The score of the child in the frame below.
    double child_score(int ply, int depth, Window window, bool probing = false);
    void take_option(int ply, uint32_t place);
    void step(int ply, int64_t action);
    double end(const std::byte* state, const Position& position);
    double estimate(const std::byte* state);
    double bounded(double value);

    // Best-reply search: rounds of replies.
    void find_replies(int ply);
    void play_round(int ply, const Reply& reply);
    void quiet_turn(StateBuffer& state);
    bool opponent_moves() const { return position_.mover >= 0 && position_.mover != result.maximiser; }

    void list_options(int ply);
    std::size_t options(const TreeFrame& node) const { return replies(node) ? node.replies.size() : node.list.count; }
    bool known(int ply, const TableKey& key, int depth, Window window, double& score, uint32_t& first);
    void remember(int ply, const TableKey& key, int depth, Window window, double score, uint32_t place);

    StateBuffer spare_ = game_.buffer();
    ActionList quiet_list_;
    std::vector<double> priorities_;
};

}  // namespace zermelo
