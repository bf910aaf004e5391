// One thread of the engine: alpha-beta with all that makes it fast and wise, for games of one or two players.
//
// Inside a node scores are in the view of its mover. `visit` promises of its result r, for the window (alpha, beta) and
// the value V that minimax has under the same cut-offs:
//
//     r <= alpha  only if  V <= alpha,      r >= beta  only if  V >= beta,      r = V otherwise
//
// as long as only sound techniques are on. A result that rests on no estimate is marked as proved, whatever the depth.
// Children are stepped all at once: a win in one is seen before anything is searched, and their entries in the table
// are on their way from memory before the first of them is entered.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/game.hpp"
#include "core/watch.hpp"
#include "search/history.hpp"
#include "search/score.hpp"
#include "search/settings.hpp"

namespace zermelo {

constexpr int ENDLESS = TableEntry::PROVED;  // a depth that is no limit

constexpr int one_less(int depth) { return depth >= ENDLESS ? ENDLESS : depth - 1; }

// A position to be searched, and how.
struct Task {
    const std::byte* state;
    int32_t mover;
    TableKey key;
    int depth;
    Score alpha;
    Score beta;
    bool may_pass = true;
    int excluded = TableEntry::NO_ACTION;  // an action to leave out, when it is tested for being singular

    bool open() const { return beta > alpha + 1; }
};

class Worker {
public:
    Worker(const Game& game, SharedSearch& shared, Watch* watch, uint64_t seed)
        : game_(game), shared_(shared), settings_(shared.settings), watch_(watch), seed_(seed),
          scale_(game.table(), shared.settings.haste), stride_(stride_of(game.table())),
          repetition_counts_(game.table().capabilities & REPETITION) {}

    static constexpr int32_t UNSTEPPED = -3;  // the mover of a child that nobody has looked at yet

    // What is known of one child of a position.
    struct Child {
        int64_t action;
        int64_t mark;  // what the memory of actions knows it by: the action and the square it lands on
        TableKey key;
        int32_t mover;
        int32_t place;  // in the game's own order
        Score end;      // in the mover's view, if it is terminal
        bool noisy = false;
        bool put_off = false;  // another thread was at work on it when its turn came
        bool weighed = false;  // what it exchanges is known
        Score gain = 0;        // by exchanges, if weighed

        bool terminal() const { return mover == ZERMELO_TERMINAL; }
        bool stepped() const { return mover != UNSTEPPED; }
    };

    // A child in the order of trying.
    struct Turn {
        int64_t rank;
        int32_t place;  // in the game's own order
        bool noisy;
        bool made;  // there is a Child of it

        bool before(const Turn& other) const { return rank != other.rank ? rank > other.rank : place < other.place; }
    };

    // How far the order of trying is known: often the first few children are enough, and the others are never ranked.
    enum class Stage { listed, best, noisy, all };

    // A position on the path.
    struct Frame {
        const std::byte* state = nullptr;
        TableKey key{};
        TableKey recurrence{};  // of what may not come back
        int32_t mover = 0;
        int64_t mark = ActionMemory::NOTHING;  // of the action being searched
        bool irreversible = false;               // nothing before this position can come back
        bool estimated = false;                  // the result rests on an estimate
        bool on_path = false;                    // the result depends on how the position was reached
        bool judged = false;                     // `estimate` is known
        bool in_check = false;                   // the mover has to answer an attack
        Score estimate = 0;
        int best_index = TableEntry::NO_ACTION;
        ActionList list;
        std::vector<Child> children;  // by their places, where they have been made
        std::vector<Turn> order;      // of those that may be tried
        Stage stage = Stage::listed;
        std::size_t ranked = 0;   // how many of the first turns have a rank, and come before all others
        bool only_noisy = false;  // the others are not tried
        StateBuffer states{0};
        std::size_t room = 0;  // for that many states
        Line line;
    };

    Score visit(int ply, Task task);

    // The children of the position at `ply`; false if one of them wins at once (it is then the only one, unless `all` are
    // wanted). Where steps are costly the children are listed only, and stepped when their turn comes.
    bool expand(int ply, const std::byte* state, int32_t mover, bool all = false);
    // The child whose turn it is after `from` others, or null: first the one at place `best`, then noisy ones, then the rest.
    Child* pick(int ply, std::size_t from, int best);
    const std::byte* child_state(int ply, int place) const { return frames_.at(ply).states.data() + place * stride_; }
    Score search_child(int ply, const Child& child, int depth, Score alpha, Score beta, bool may_pass = true);

    Frame& frame(int ply) { return frames_.at(ply); }
    ScoreScale& scale() { return scale_; }
    ActionMemory& memory() { return memory_; }
    TableKey key_of(const std::byte* state) const;
    // The key of what the rule of repetition looks at, in a position of which `key` is known.
    TableKey recurrence_of(const std::byte* state, const TableKey& key) const;
    int64_t mark_of(const std::byte* state, int64_t action) const {
        return game_.table().target ? action ^ (game_.target(state, action) << 24) : action;
    }
    void set_horizon(int depth) { horizon_ = depth; }
    Score aspiration_width() const { return static_cast<Score>(memory_.swing) + scale_.margin(0); }
    // Counts a node; now and then, and just before the last that is allowed, asks whether to go on.
    void count_node() {
        if (nodes_ >= next_look_ || shared_.stop.load(std::memory_order_relaxed)) [[unlikely]]
            look_up();
        ++nodes_;
    }
    uint64_t nodes() const { return nodes_; }
    uint64_t leaves() const { return leaves_; }
    uint64_t cutoffs() const { return cutoffs_; }
    void report_nodes() {
        shared_.nodes += nodes_ - reported_;
        reported_ = nodes_;
    }

private:
    static std::size_t stride_of(const zermelo_table& table) {
        const std::size_t alignment = std::max<std::size_t>(table.state_alignment, 8);
        return (table.state_size + alignment - 1) / alignment * alignment;
    }

    void look_up();
    bool extendable(int ply, int depth) const { return depth < ENDLESS && ply < 2 * horizon_; }
    bool repeats(int ply, const TableKey& key) const;
    double repetition_utility(int ply);
    int32_t perpetual_checker(int ply) const;
    Score leaf(Frame& frame, Score score, bool estimated);
    Score estimate(int ply, const std::byte* state);
    Score settle_down(int ply, const Task& task, int plies);
    // In a game with cycles estimates can go round in the table for ever, and no depth would ever prove a draw.
    bool trusted(const TableEntry& entry) const {
        return settings_.table_estimates || entry.depth >= TableEntry::PROVED;
    }
    bool settles(const TableEntry& entry, const Task& task, int ply) const;
    bool refuted_early(int ply, const Task& task, Score& score, int& extension);
    bool refuted_by_pass(int ply, const Task& task, Score& score, int& extension);
    bool is_singular(int ply, const Task& task, const TableEntry& entry);
    bool refuted_by_table(int ply, const Task& task, Score& score);
    bool lists_only(int ply) const { return ply > 0 && (game_.table().capabilities & ZERMELO_COSTLY_STEPS); }
    void list_children(Frame& frame, const std::byte* state, bool only_noisy);
    Child& made(Frame& frame, Turn& turn) const;
    bool step_to(int ply, Child& child);
    void make_room(Frame& frame, std::size_t states) const;
    void rank_more(int ply, int best);
    bool is_noisy(const Frame& frame, const Turn& turn) const;
    int64_t rank_quiet(int ply, const ActionMemory::Past& past, const Turn& turn) const;
    void add_priorities(Frame& frame, std::size_t from);
    static void put_behind(Frame& frame, std::size_t from);
    bool put_off(Child& child, int depth, int tried) const;
    Score weigh(const std::byte* state, Child& child) const;
    bool checks_safely(const std::byte* state, int64_t action) const;
    bool loses_exchange(const std::byte* state, Child& child, int best) const;
    Score try_children(int ply, const Task& task, int depth, int best, bool best_is_singular);
    Score look(int ply, const Task& task, const Child& child, int depth, Score alpha, int tried);
    int reduction(const Task& task, int depth, int tried, const Child& child, int ply) const;
    void learn(int ply, int depth, std::size_t refuting);
    ActionMemory::Past past_of(int ply) const {
        return {ply > 0 ? frames_.at(ply - 1).mark : ActionMemory::NOTHING,
                ply > 1 ? frames_.at(ply - 2).mark : ActionMemory::NOTHING};
    }
    // How much is much: what an estimate may gain or lose in `plies`.
    Score margin(int plies) const { return static_cast<Score>(1.4 * memory_.swing + 1) * plies; }
    // Whether the mover's prospects are better than at its last turn.
    bool improving(int ply) const;
    bool prunable(int ply, const Task& task, int depth, const Child& child, int tried, Score best) const;
    bool late(int ply, int depth, int tried) const;
    bool hopeless(int ply, const Task& task, int depth, Child& child) const;
    void store(int ply, const Task& task, Score score, Score alpha, uint64_t effort);

    static constexpr int64_t BEHIND = -(int64_t{1} << 60);  // the rank of what is tried last
    static constexpr uint64_t REPETITION =
        ZERMELO_REPETITION_DRAW | ZERMELO_REPETITION_FORBIDDEN | ZERMELO_REPETITION_LOSES | ZERMELO_REPETITION_PERPETUAL;

    const Game& game_;
    SharedSearch& shared_;
    const EngineSettings& settings_;
    Watch* watch_;
    const uint64_t seed_;  // 0 for the first thread; the others break ties in the order in ways of their own
    ScoreScale scale_;
    const std::size_t stride_;  // bytes from one child's state to the next
    const bool repetition_counts_;
    mutable PlyStack<Frame> frames_;
    ActionMemory memory_;
    Position position_;
    std::vector<int64_t> actions_;  // that are asked about together
    std::vector<double> priorities_;
    int horizon_ = 0;      // the depth of the iteration
    uint64_t nodes_ = 0;
    uint64_t leaves_ = 0;
    uint64_t cutoffs_ = 0;
    uint64_t reported_ = 0;
    uint64_t next_look_ = 0;
};

}  // namespace zermelo

