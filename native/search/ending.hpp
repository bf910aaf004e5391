// The search for endings: the exact value of positions from which a game can take only few more plies.
//
// Every line is searched to the end of the game, with plies left uncounted and without anything selective, so that a value is
// always proved. As `Worker::search` does, `solve` guarantees for its result r, the window (alpha, beta) and the value V
//
//     r <= alpha  only if  V <= alpha,      r >= beta  only if  V >= beta,      r = V otherwise
//
// The fewer plies are left, the less is spent on a node: first the children are ordered by a shallow search of estimates, then by
// the number of replies that each leaves, which a step counts anyway, and at last by `ending_priority` alone, without the table.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/game.hpp"
#include "networks/attach.hpp"
#include "search/score.hpp"
#include "search/settings.hpp"

namespace zermelo {

class Worker;

class EndingSearch {
public:
    EndingSearch(const Game& game, SharedSearch& shared, Worker& worker);

    // Whether the endings of a game are searched so: it counts the plies that remain, and no position can come back.
    static bool fits(const zermelo_table& table) { return table.remaining_plies && !has_repetition_rule(table); }

    // Entries of the table that rest on endings: their scores count no plies, and are not those of the main search.
    static TableKey key_of(const TableKey& key) { return {key.place, key.check ^ 0x9ddfea08eb382d69u}; }

    // The value for its mover of a position that is no end.
    Score solve(const std::byte* state, int32_t mover, Score alpha, Score beta);
    // How play goes on from the position that was solved last, as far as its value is exact.
    const Line& line() { return frames_.at(0).line; }
    // Whether a line was longer than lines can be, so that nothing is proved any more.
    bool gave_up() const { return gave_up_; }

private:
    struct Node {
        const std::byte* state;
        int32_t mover;
        TableKey key;  // that of the table
        const ActionList* list;
        int remaining;
        Score alpha;
        Score beta;

        bool is_pv() const { return beta > alpha + 1; }
    };

    struct Child {
        int64_t action;
        TableKey key;
        int32_t mover;
        int32_t place;  // in the game's own order
        int remaining;
        int rank;
        Score end;  // for the node's mover, if it is terminal
        bool deferred;  // another thread was searching it when its turn came

        bool terminal() const { return mover == ZERMELO_TERMINAL; }
    };

    // A position on the path: its children, and what each of them can do.
    struct Frame {
        StateBuffer states{0};
        std::vector<ActionList> lists;
        std::vector<Child> children;
        std::vector<double> values;  // estimates, by place
        std::size_t count = 0;  // of the children
        Line line;
    };

    // How often a bound was asked for, and how often it led to a cut-off: where it seldom does, it is seldom asked for.
    struct Trial {
        uint32_t asked = 0;
        uint32_t taken = 0;
        uint32_t wanted = 0;

        bool pays() { return asked < 64 || taken * 16 >= asked || ++wanted % 64 == 0; }
        bool take(bool cut) {
            if (++asked == 1u << 16) asked /= 2, taken /= 2;
            taken += cut;
            return cut;
        }
    };

    Score search(int ply, const Node& node);
    Score search_children(int ply, const Node& node);
    Score search_child(int ply, const Node& node, const Child& child, Score alpha, Score beta);
    Score finish(int ply, const std::byte* state, int32_t mover, const ActionList& list, Score alpha, Score beta);
    bool table_cutoff(const Node& node, const TableEntry& entry, Score& score) const;
    bool bound_cutoff(const Node& node, Score& score);
    Trial& trial_of(Score alpha);
    bool enhanced_cutoff(const Frame& frame, const Node& node, Score& score) const;
    bool expand(Frame& frame, const Node& node, Score& score);
    void order(int ply, const Node& node, int best);
    void rank_by_estimates(int ply, const Node& node, int depth);
    double estimate(int ply, const std::byte* state, int32_t mover, const ActionList& list, int depth, double alpha,
                    double beta);
    Score give_up() {
        gave_up_ = true;
        return 0;
    }
    Child* pick(Frame& frame, std::size_t from);
    Frame& frame_for(int ply, std::size_t count);
    int priority(const std::byte* state, int64_t action) const;
    std::byte* state_of(Frame& frame, std::size_t place) const { return frame.states.data() + place * stride_; }
    Score end(const std::byte* state, int32_t mover) { return scale_.end(game_.end(state, position_, mover), 0); }

    const Game& game_;
    SharedSearch& shared_;
    Worker& worker_;
    ScoreScale scale_;
    const std::size_t stride_;
    std::optional<SumEvaluator> network_;
    PlyStack<Frame> frames_;
    Position position_;
    ActionList root_;
    bool gave_up_ = false;
    std::array<Trial, 64> trials_;  // by score
};

}  // namespace zermelo
